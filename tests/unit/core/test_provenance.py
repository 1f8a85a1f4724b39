from __future__ import annotations

from rankeval.core.contract import Place
from rankeval.core.provenance import Declaration, LabelChange, Proposal

CHANGE = LabelChange("q2", "d2", 1, "Ann", "it helps", Place("changes", line=2))


class TestDeclaration:
    def test_reads_as_it_is_typed(self) -> None:
        assert str(Declaration("order", "score")) == "--order score"

    def test_says_what_it_did(self) -> None:
        declaration = Declaration("relevant-from", "1", "3 labels count as 1")

        assert str(declaration) == "--relevant-from 1 (3 labels count as 1)"
        assert declaration.as_dict() == {"option": "relevant-from", "value": "1", "effect": "3 labels count as 1"}


class TestLabelChange:
    def test_as_plain_json_has_no_place(self) -> None:
        assert CHANGE.as_dict() == {"query": "q2", "document": "d2", "label": 1, "who": "Ann", "why": "it helps"}

    def test_is_the_same_wherever_it_stands(self) -> None:
        assert LabelChange("q2", "d2", 1, "Ann", "it helps") == CHANGE


class TestProposal:
    def test_as_plain_json(self) -> None:
        assert Proposal("0a", "1b", (CHANGE, CHANGE)).as_dict() == {
            "parent_protocol_sha256": "0a",
            "parent_compact_sha256": "1b",
            "changes": [CHANGE.as_dict(), CHANGE.as_dict()],
        }

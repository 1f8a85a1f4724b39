from __future__ import annotations

from rankeval.core.provenance import Declaration


class TestDeclaration:
    def test_reads_as_it_is_typed(self) -> None:
        assert str(Declaration("order", "score")) == "--order score"

    def test_says_what_it_did(self) -> None:
        declaration = Declaration("relevant-from", "1", "3 labels count as 1")

        assert str(declaration) == "--relevant-from 1 (3 labels count as 1)"
        assert declaration.as_dict() == {"option": "relevant-from", "value": "1", "effect": "3 labels count as 1"}

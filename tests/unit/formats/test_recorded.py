from __future__ import annotations

import json
from typing import Any

import pytest

import rankeval
from rankeval.core.contract import Place
from rankeval.core.provenance import Declaration, LabelChange, Proposal, Provenance
from rankeval.formats.recorded import declarations_from, hold_to, provenance_from, provenance_json, stated_sha256

FULL = Provenance(
    declarations=(Declaration("relevant-from", "2", "3 labels"),),
    judged_pairs=7,
    judged_zero={"q": frozenset({"b", "a"}), "r": frozenset()},
    statements={"criterion": "c", "disputed": [{"query": "q", "document": "d", "reason": "r"}]},
    notes=("n",),
    proposals=(
        Proposal("0a" * 32, "1b" * 32, (LabelChange("q", "d", 1, "Ann", "why", Place("f", 1)),)),
        Proposal("2c" * 32, "3d" * 32, (LabelChange("q", "d", 0, "Bo", "w"), LabelChange("r", "d", 1, "Bo", "w"))),
    ),
)

CHANGE = {"query": "q", "document": "d", "label": 1, "who": "Ann", "why": "why"}
PROPOSAL = {"parent_protocol_sha256": "0a" * 32, "parent_compact_sha256": "1b" * 32, "changes": [CHANGE]}


def rule_of(call: Any, *arguments: Any) -> str:
    with pytest.raises(rankeval.FormatError) as refusal:
        call(*arguments)
    return refusal.value.rule


class TestProvenance:
    @pytest.mark.parametrize("provenance", [FULL, Provenance()])
    def test_is_read_as_it_was_written(self, provenance: Provenance) -> None:
        assert provenance_from(json.loads(json.dumps(provenance_json(provenance))), "f") == provenance

    def test_proposals_are_written_where_there_are_any(self) -> None:
        assert "proposals" not in provenance_json(Provenance())
        assert provenance_json(FULL)["proposals"][0] == PROPOSAL
        assert provenance_from({"proposals": [PROPOSAL]}, "f").proposals == FULL.proposals[:1]

    @pytest.mark.parametrize(
        "proposals",
        [
            {},
            [5],
            [{}],
            [{**PROPOSAL, "more": 1}],
            [PROPOSAL, {**PROPOSAL, "changes": []}],
            [{**PROPOSAL, "changes": {}}],
            [{**PROPOSAL, "changes": [5]}],
            [{**PROPOSAL, "parent_protocol_sha256": "0a"}],
            [{**PROPOSAL, "parent_compact_sha256": 5}],
            [{**PROPOSAL, "parent_compact_sha256": "0A" * 32}],
            [{**PROPOSAL, "changes": [{**CHANGE, "label": True}]}],
            [{**PROPOSAL, "changes": [{**CHANGE, "label": 2}]}],
            [{**PROPOSAL, "changes": [{**CHANGE, "label": "1"}]}],
            [{**PROPOSAL, "changes": [{**CHANGE, "more": "m"}]}],
            [{**PROPOSAL, "changes": [CHANGE, {**CHANGE, "query": 5}]}],
            [{**PROPOSAL, "changes": [{**CHANGE, "document": None}]}],
            [{**PROPOSAL, "changes": [{**CHANGE, "who": 5}]}],
            [{**PROPOSAL, "changes": [{**CHANGE, "why": 5}]}],
        ],
    )
    def test_proposals_of_another_shape(self, proposals: Any) -> None:
        assert rule_of(provenance_from, {"proposals": proposals}, "f") == "the JSON is not of the expected shape"

    @pytest.mark.parametrize(
        "value",
        [
            [],
            {"judged_pairs": "7"},
            {"judged_pairs": True},
            {"judged_pairs": -1},
            {"judged_zero": []},
            {"judged_zero": {"q": "d"}},
            {"judged_zero": {"q": [["d"]]}},
            {"notes": 5},
            {"notes": [5]},
            {"declarations": 5},
            {"declarations": [5]},
            {"declarations": [{"option": "o"}]},
            {"declarations": [{"option": "o", "value": 5}]},
            {"declarations": [{"option": "o", "value": "v", "extra": "e"}]},
        ],
    )
    def test_of_another_shape(self, value: Any) -> None:
        assert rule_of(provenance_from, value, "f") == "the JSON is not of the expected shape"

    def test_half_a_character_could_not_be_written_again(self) -> None:
        assert rule_of(provenance_from, {"criterion": "\ud800"}, "f") == "the file is not text in UTF-8"

    def test_nested_too_deeply(self) -> None:
        value: list[object] = []
        for _ in range(100_000):
            value = [value]

        assert rule_of(provenance_from, {"criterion": value}, "f") == "the JSON is nested too deeply"


class TestDeclarations:
    def test_may_be_absent(self) -> None:
        assert declarations_from(None, "f") == ()


class TestFingerprints:
    def test_that_match(self) -> None:
        hold_to("ab", "sha", {"sha": "ab"}, "f")

    @pytest.mark.parametrize("stated", ["ac", 5, None])
    def test_that_do_not(self, stated: object) -> None:
        assert rule_of(hold_to, "ab", "sha", {"sha": stated}, "f") == "a stated fingerprint does not match the content"

    @pytest.mark.parametrize("stated", [5, "0" * 63, "0" * 63 + "G", "A" * 64, "0" * 64 + "\n"])
    def test_that_cannot_be_one(self, stated: object) -> None:
        assert rule_of(stated_sha256, {"s": stated}, "s", "f") == "a stated fingerprint does not match the content"

    def test_that_can(self) -> None:
        assert stated_sha256({"s": "0a" * 32}, "s", "f") == "0a" * 32

from __future__ import annotations

from fractions import Fraction

import rankeval
from rankeval.core import controls

Rankings = dict[str, list[str]]


class TestWrongFigures:
    """SPEC.md, "Negative controls": each is wrong, and wrong in the way it says."""

    def test_dropping_missing_queries(self, protocol: rankeval.Protocol, fixture_a: Rankings) -> None:
        report = protocol.score(fixture_a)

        assert controls.recall_dropping_missing(report) == Fraction(3, 4)
        assert controls.rr_dropping_missing(report) == Fraction(3, 4)

    def test_dropping_every_query_leaves_nothing(self, protocol: rankeval.Protocol) -> None:
        assert controls.recall_dropping_missing(protocol.score({})) is None
        assert controls.rr_dropping_missing(protocol.score({})) is None

    def test_an_empty_list_is_not_dropped(self, protocol: rankeval.Protocol) -> None:
        report = protocol.score({"q2": [], "q3": ["d5"], "q5": []})

        assert controls.recall_dropping_missing(report) == Fraction(1, 2)
        assert controls.rr_dropping_missing(report) == Fraction(1, 2)

    def test_hit_rate(self, protocol: rankeval.Protocol, fixture_a: Rankings) -> None:
        rows = {row.query: controls.hit_rate(row) for row in protocol.score(fixture_a).rows}

        assert rows == {"q2": 1, "q3": 1, "q4": 0, "q5": None}

    def test_occurrences(self) -> None:
        assert controls.occurrence_recall(["d3", "d1", "d3", "d3"], {"d3", "d4"}, 3) == 1

    def test_untruncated_rr(self) -> None:
        assert controls.untruncated_rr(["d1", "d2", "d3"], {"d3", "d4"}) == Fraction(1, 3)
        assert controls.untruncated_rr(["d1"], {"d3"}) == 0

    def test_chunk_rank(self, chunk_run: Rankings, chunk_to_doc: dict[str, str]) -> None:
        assert controls.chunk_rank_rr(chunk_run["q3"], chunk_to_doc, {"d5"}) == Fraction(1, 3)

    def test_unjudged_read_as_zero(self) -> None:
        assert controls.recall_unjudged_as_zero(["d1", "d3"], {"d1": 1, "d2": 0, "d4": 1}, 2) == Fraction(1, 2)
        assert controls.recall_unjudged_as_zero(["d1", "d4"], {"d1": 1, "d4": 1}, 1) == Fraction(1, 2)
        assert controls.recall_unjudged_as_zero(["d1"], {"d1": 0}, 2) is None


class TestExamples:
    def test_a_rejection_that_does_not_happen_is_none(self, protocol: rankeval.Protocol) -> None:
        chunk_run = {"q2": ["a", "b"]}
        computed = controls.published_chunk_example(protocol, {"a": "d3", "b": "d4"}, chunk_run)

        assert computed["raw_id_replacement"] == {"accepted": True, "reason": None}

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import rankeval
from rankeval.core.gaps import Gap, GapCounts, GapPair, Returned, Without, gap_counts, gaps, gaps_side_by_side

Rankings = dict[str, list[str]]

HALF, THIRD, QUARTER = Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)


class TestGapCounts:
    def test_of_the_published_example(
        self, protocol: rankeval.Protocol, fixture_a: Rankings, fixture_b: Rankings
    ) -> None:
        assert gap_counts(protocol.score(fixture_a)) == GapCounts(missing=1, empty=1, short=0, null=1)
        assert gap_counts(protocol.score(fixture_b)) == GapCounts(missing=0, empty=1, short=1, null=1)

    def test_a_null_query_that_is_missing_counts_as_both(self, protocol: rankeval.Protocol) -> None:
        assert gap_counts(protocol.score({})) == GapCounts(missing=4, empty=0, short=0, null=1)


class TestGaps:
    def test_a_missing_query_drags_the_mean_down(self, protocol: rankeval.Protocol, fixture_a: Rankings) -> None:
        """Without q4 both means are 3/4, so it pulls them to 1/2; answered at rank 1 it would add 1/3."""
        assert gaps(protocol.score(fixture_a)).missing == (
            Gap("q4", Returned.MISSING, 0, Fraction(0), Fraction(0), -QUARTER, -QUARTER, THIRD, THIRD, null=False),
        )

    def test_a_null_query_moves_nothing(self, protocol: rankeval.Protocol, fixture_a: Rankings) -> None:
        found = gaps(protocol.score(fixture_a))
        q5 = Gap("q5", Returned.EMPTY, 0, None, None, None, None, None, None, null=True)

        assert found.empty == (q5,)
        assert found.null == (q5,)
        assert found.counts == GapCounts(missing=1, empty=1, short=0, null=1)

    def test_a_null_query_that_was_answered_is_null_and_no_other_gap(self, protocol: rankeval.Protocol) -> None:
        found = gaps(protocol.score({"q2": ["d3", "d4"], "q3": ["d5", "d1"], "q4": ["d6", "d1"], "q5": ["d1", "d2"]}))

        assert [(gap.query, gap.state, gap.returned) for gap in found.null] == [("q5", "full", 2)]
        assert (found.missing, found.empty, found.short) == ((), (), ())

    def test_a_short_query_may_pull_the_mean_up(self, protocol: rankeval.Protocol, fixture_b: Rankings) -> None:
        """q2 and q3 average 3/4 in both measures, and q4, all right, makes it 5/6."""
        pull = Fraction(1, 12)

        assert gaps(protocol.score(fixture_b)).short == (
            Gap("q4", Returned.SHORT, 1, Fraction(1), Fraction(1), pull, pull, Fraction(0), Fraction(0), null=False),
        )

    def test_recall_and_rr_are_pulled_apart(self, protocol: rankeval.Protocol) -> None:
        """q2 has Recall 1/2 and RR 1; q3 and q4 have nothing."""
        (q2,) = gaps(protocol.score({"q2": ["d3"], "q3": ["d1", "d2"], "q4": ["d1", "d2"]})).short

        assert (q2.recall_pull, q2.mrr_pull) == (Fraction(1, 6), THIRD)
        assert (q2.recall_headroom, q2.mrr_headroom) == (Fraction(1, 6), Fraction(0))

    def test_the_headroom_of_recall_knows_how_many_fit_within_k(self, protocol: rankeval.Protocol) -> None:
        """At k = 1 one of q2's two relevant documents can be found: 1/2 over three queries."""
        q2 = gaps(protocol.with_split_and_k(k=1).score({})).missing[0]

        assert (q2.query, q2.recall_headroom, q2.mrr_headroom) == ("q2", Fraction(1, 6), THIRD)

    def test_the_only_eligible_query_has_no_others_to_be_held_against(self, parts: dict[str, Any]) -> None:
        for query in ("q3", "q4"):
            parts["qrels"][query] = dict.fromkeys(parts["corpus"], 0)
        found = gaps(rankeval.Protocol(**parts).score({}))

        assert (found.missing[0].recall_pull, found.missing[0].mrr_pull) == (None, None)
        assert (found.missing[0].recall_headroom, found.missing[0].mrr_headroom) == (1, 1)
        assert found.without_missing == Without(1, 0, None, None, None, None, wrong_way=True)

    def test_everything_in_the_protocols_order(self, protocol: rankeval.Protocol) -> None:
        assert [gap.query for gap in gaps(protocol.score({})).missing] == ["q2", "q3", "q4", "q5"]


class TestWithout:
    def test_dropping_the_missing_is_the_wrong_way(self, protocol: rankeval.Protocol, fixture_a: Rankings) -> None:
        found = gaps(protocol.score(fixture_a))
        wrong = Without(1, 2, Fraction(3, 4), Fraction(3, 4), -QUARTER, -QUARTER, wrong_way=True)

        assert found.without_missing == wrong
        assert found.without_all == wrong

    def test_null_queries_are_in_no_mean_to_begin_with(self, protocol: rankeval.Protocol, fixture_a: Rankings) -> None:
        unchanged = Without(0, 3, HALF, HALF, Fraction(0), Fraction(0), wrong_way=False)

        assert gaps(protocol.score(fixture_a)).without_empty == unchanged
        assert gaps(protocol.score(fixture_a)).without_short == unchanged

    def test_each_kind_apart_and_all_together(self, protocol: rankeval.Protocol) -> None:
        """q2 short with Recall 1/2 and RR 1, q3 empty, q4 missing: 1/6 and 1/3 in all."""
        found = gaps(protocol.score({"q2": ["d3"], "q3": []}))

        assert found.without_short == Without(1, 2, Fraction(0), Fraction(0), Fraction(1, 6), THIRD, wrong_way=False)
        assert found.without_empty == Without(1, 2, QUARTER, HALF, Fraction(-1, 12), Fraction(-1, 6), wrong_way=False)
        assert found.without_all == Without(3, 0, None, None, None, None, wrong_way=True)


class TestGapsSideBySide:
    def test_each_query_that_is_a_gap_on_either_side(
        self, protocol: rankeval.Protocol, fixture_a: Rankings, fixture_b: Rankings
    ) -> None:
        empty, missing, short = Returned.EMPTY, Returned.MISSING, Returned.SHORT

        assert gaps_side_by_side(protocol.score(fixture_a), protocol.score(fixture_b)) == (
            GapPair("q4", (missing, short), (0, 1), (Fraction(0), Fraction(1)), (Fraction(0), Fraction(1)), null=False),
            GapPair("q5", (empty, empty), (0, 0), (None, None), (None, None), null=True),
        )

    def test_one_side_is_enough(self, protocol: rankeval.Protocol) -> None:
        full = {"q2": ["d3", "d1"], "q3": ["d1", "d2"], "q4": ["d1", "d2"], "q5": ["d1", "d2"]}
        a, b = protocol.score(full), protocol.score({**full, "q3": []})

        assert [pair.query for pair in gaps_side_by_side(a, b)] == ["q3", "q5"]
        assert [pair.query for pair in gaps_side_by_side(b, a)] == ["q3", "q5"]
        assert [pair.query for pair in gaps_side_by_side(a, a)] == ["q5"]

    def test_queries_are_joined_by_id(
        self, protocol: rankeval.Protocol, parts: dict[str, Any], fixture_a: Rankings, fixture_b: Rankings
    ) -> None:
        turned = rankeval.Protocol(**{**parts, "queries": dict(reversed(parts["queries"].items()))})
        pairs = gaps_side_by_side(protocol.score(fixture_a), turned.score(fixture_b))

        assert [(pair.query, pair.returned) for pair in pairs] == [("q4", (0, 1)), ("q5", (0, 0))]

    def test_two_protocols_are_refused(self, protocol: rankeval.Protocol) -> None:
        with pytest.raises(rankeval.ComparisonError, match="two different protocols"):
            gaps_side_by_side(protocol.score({}), protocol.with_split_and_k(k=3).score({}))

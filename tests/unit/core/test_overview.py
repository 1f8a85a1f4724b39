from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import rankeval
from rankeval.core.comparison import Status
from rankeval.core.gaps import GapCounts
from rankeval.core.overview import Bin, CurvePoint, RunSummary, curves, distribution, regression_matrix, summary
from rankeval.core.scoring import Denominator, Measure

Rankings = dict[str, list[str]]

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


class TestSummary:
    def test_of_the_published_example(
        self, protocol: rankeval.Protocol, fixture_a: Rankings, fixture_b: Rankings
    ) -> None:
        assert summary(protocol.score(fixture_b), protocol.score(fixture_a)) == RunSummary(
            recall_at_k=Fraction(5, 6),
            mrr_at_k=Fraction(5, 6),
            recall_delta=THIRD,
            mrr_delta=THIRD,
            statuses={
                Status.BETTER: 1,
                Status.WORSE: 1,
                Status.SAME: 0,
                Status.ENTERED: 1,
                Status.LEFT: 0,
                Status.NEITHER: 0,
                Status.NULL: 1,
            },
            regressions=1,
            improvements=2,
            gaps=GapCounts(missing=0, empty=1, short=1, null=1),
            denominator=Denominator(scored=3, with_results=3, empty=0, missing=0, null=1),
        )

    def test_a_run_against_itself_moves_nothing(self, protocol: rankeval.Protocol, fixture_a: Rankings) -> None:
        report = protocol.score(fixture_a)
        found = summary(report, report)

        assert (found.recall_delta, found.mrr_delta, found.regressions, found.improvements) == (0, 0, 0, 0)
        assert found.gaps == GapCounts(missing=1, empty=1, short=0, null=1)

    def test_two_protocols_are_refused(self, protocol: rankeval.Protocol) -> None:
        with pytest.raises(rankeval.ComparisonError, match="two different protocols"):
            summary(protocol.score({}), protocol.with_split_and_k(k=3).score({}))


class TestRegressionMatrix:
    def test_of_the_published_example(
        self, protocol: rankeval.Protocol, fixture_a: Rankings, fixture_b: Rankings
    ) -> None:
        """B falls on q2 against A; A falls on q3 and q4 against B; nothing falls against an empty run."""
        reports = [protocol.score(run) for run in (fixture_a, fixture_b, {})]

        assert regression_matrix(reports) == ((0, 1, 2), (2, 0, 3), (0, 0, 0))

    def test_recall_alone_can_fall(self, protocol: rankeval.Protocol) -> None:
        a, b = protocol.score({"q2": ["d3", "d4"]}), protocol.score({"q2": ["d3", "d1"]})

        assert regression_matrix([a, b]) == ((0, 1), (0, 0))

    def test_queries_are_joined_by_id(
        self, protocol: rankeval.Protocol, parts: dict[str, Any], fixture_a: Rankings, fixture_b: Rankings
    ) -> None:
        turned = rankeval.Protocol(**{**parts, "queries": dict(reversed(parts["queries"].items()))})

        assert regression_matrix([protocol.score(fixture_a), turned.score(fixture_b)]) == ((0, 1), (2, 0))

    def test_no_run_and_one_run(self, protocol: rankeval.Protocol) -> None:
        assert regression_matrix([]) == ()
        assert regression_matrix([protocol.score({})]) == ((0,),)

    def test_two_protocols_are_refused_wherever_they_stand(self, protocol: rankeval.Protocol) -> None:
        report = protocol.score({})
        with pytest.raises(rankeval.ComparisonError, match="two different protocols"):
            regression_matrix([report, report, protocol.with_split_and_k(k=3).score({})])


class TestDistribution:
    def test_exact_values_rising(self, protocol: rankeval.Protocol, fixture_b: Rankings) -> None:
        report = protocol.score(fixture_b)

        assert distribution(report, Measure.RECALL).values == ((HALF, 1), (Fraction(1), 2))
        assert distribution(report, Measure.RR).values == ((HALF, 1), (Fraction(1), 2))

    def test_the_two_measures_apart(self, protocol: rankeval.Protocol) -> None:
        report = protocol.score({"q2": ["d3"]})

        assert distribution(report, Measure.RECALL).values == ((Fraction(0), 2), (HALF, 1))
        assert distribution(report, Measure.RR).values == ((Fraction(0), 2), (Fraction(1), 1))
        assert distribution(report, Measure.RR).measure is Measure.RR

    def test_0_and_1_have_bins_of_their_own(self, protocol: rankeval.Protocol, fixture_a: Rankings) -> None:
        bins = distribution(protocol.score(fixture_a), Measure.RECALL, inner_bins=2).bins

        assert bins == (
            Bin(Fraction(0), Fraction(0), 1),
            Bin(Fraction(0), HALF, 0),
            Bin(HALF, Fraction(1), 1),
            Bin(Fraction(1), Fraction(1), 1),
        )

    def test_an_edge_belongs_to_the_bin_above_it(self, protocol: rankeval.Protocol) -> None:
        """RR 1/3 lies on the edge of thirds, and 1/2 within the second."""
        report = protocol.with_split_and_k(k=3).score({"q2": ["d1", "d2", "d3"], "q3": ["d1", "d5"]})
        bins = distribution(report, Measure.RR, inner_bins=3).bins

        assert [each.queries for each in bins] == [1, 0, 2, 0, 0]

    def test_ten_bins_between_unless_told(self, protocol: rankeval.Protocol) -> None:
        bins = distribution(protocol.score({}), Measure.RR).bins

        assert len(bins) == 12
        assert (bins[1].high, bins[10].low) == (Fraction(1, 10), Fraction(9, 10))


class TestCurves:
    def test_of_the_published_example(self, protocol: rankeval.Protocol, fixture_a: Rankings) -> None:
        """At 1 only q2's d3 is seen: Recall 1/2, RR 1; at 2 q3's d5 as well."""
        found = curves(protocol, fixture_a)

        assert found.k == 2
        assert found.points == (CurvePoint(1, Fraction(1, 6), THIRD), CurvePoint(2, HALF, HALF))

    def test_they_end_where_the_longest_ranking_ends(self, protocol: rankeval.Protocol, fixture_a: Rankings) -> None:
        points = curves(protocol.with_split_and_k(k=50), rankeval.Run(fixture_a)).points

        assert len(points) == 3
        assert points[-1] == CurvePoint(3, Fraction(2, 3), HALF)

    def test_a_run_that_returns_nothing_has_one_point(self, protocol: rankeval.Protocol) -> None:
        assert curves(protocol, {}).points == (CurvePoint(1, Fraction(0), Fraction(0)),)

    def test_where_nothing_is_eligible_there_is_none(self, parts: dict[str, Any], fixture_a: Rankings) -> None:
        parts["qrels"] = {query: dict.fromkeys(parts["corpus"], 0) for query in parts["queries"]}

        assert curves(rankeval.Protocol(**parts), fixture_a).points == ()

    def test_an_unsound_run_is_refused(self, protocol: rankeval.Protocol) -> None:
        with pytest.raises(rankeval.RunError, match="duplicate document ID"):
            curves(protocol, {"q2": ["d3", "d3"]})

from __future__ import annotations

from fractions import Fraction

import pytest

import rankeval
from rankeval.core.comparison import Status, status_of, worst_first
from rankeval.core.scoring import Measure

Rankings = dict[str, list[str]]


class TestStatus:
    @pytest.mark.parametrize(
        ("a", "b", "status"),
        [
            (2, 1, "better"),
            (1, 2, "worse"),
            (2, 2, "same"),
            (None, 1, "entered"),
            (1, None, "left"),
            (None, None, "neither"),
        ],
    )
    def test_by_the_first_relevant_rank(self, a: int | None, b: int | None, status: str) -> None:
        assert status_of(a, b) == status


class TestCompare:
    def test_means(self, comparison: rankeval.Comparison) -> None:
        assert (comparison.recall_delta, comparison.mrr_delta) == (Fraction(1, 3), Fraction(1, 3))

    def test_counts(self, comparison: rankeval.Comparison) -> None:
        assert comparison.counts == {
            "better": 1,
            "worse": 1,
            "same": 0,
            "entered": 1,
            "left": 0,
            "neither": 0,
            "null": 1,
            "regression": 1,
            "improvement": 2,
            "missing_a": 1,
            "missing_b": 0,
        }

    def test_q2_word_for_word(self, comparison: rankeval.Comparison) -> None:
        assert comparison.rows[0].as_dict() == {
            "query": "q2",
            "status": "worse",
            "first_relevant_rank": [1, 2],
            "rank_delta": 1,
            "recall": [Fraction(1, 2), Fraction(1, 2)],
            "recall_delta": 0,
            "rr": [1, Fraction(1, 2)],
            "rr_delta": Fraction(-1, 2),
            "missing": [False, False],
        }

    def test_entering_is_a_state_and_no_number(self, comparison: rankeval.Comparison) -> None:
        row = comparison.rows[2]

        assert (row.status, row.rank_delta, row.missing) == ("entered", None, (True, False))

    def test_null_rows_have_no_deltas(self, comparison: rankeval.Comparison) -> None:
        row = comparison.rows[3]

        assert (row.status, row.rank_delta, row.recall_delta, row.rr_delta) == ("null", None, None, None)
        assert not row.regression
        assert not row.improvement

    def test_recall_alone_can_make_a_regression(self, protocol: rankeval.Protocol) -> None:
        a, b = protocol.score({"q2": ["d3", "d4"]}), protocol.score({"q2": ["d3", "d1"]})
        row = rankeval.compare(a, b).rows[0]

        assert (row.status, row.regression, row.fell_in_recall, row.fell_in_rr) == ("same", True, True, False)

    def test_a_rise_beside_a_fall_is_no_improvement(self, parts: dict[str, object]) -> None:
        protocol = rankeval.Protocol(**{**parts, "k": 3})
        a, b = protocol.score({"q2": ["d3", "d1", "d2"]}), protocol.score({"q2": ["d1", "d3", "d4"]})
        row = rankeval.compare(a, b).rows[0]

        assert (row.rr_delta, row.recall_delta) == (Fraction(-1, 2), Fraction(1, 2))
        assert row.regression
        assert not row.improvement

    def test_regressions_by_measure(self, comparison: rankeval.Comparison) -> None:
        assert [comparison.regressions(each) for each in ("rr", "recall", "any")] == [1, 0, 1]
        assert comparison.regressions() == 1

    def test_both_reports_are_kept(self, protocol: rankeval.Protocol, fixture_a: Rankings, fixture_b: Rankings) -> None:
        a, b = protocol.score(fixture_a), protocol.score(fixture_b)
        comparison = rankeval.compare(a, b)

        assert comparison.baseline is a
        assert comparison.candidate is b

    def test_two_protocols_are_refused(self, protocol: rankeval.Protocol) -> None:
        other = protocol.with_split_and_k(k=3)
        with pytest.raises(rankeval.ComparisonError, match="two different protocols"):
            rankeval.compare(protocol.score({}), other.score({}))

    def test_keys_of_the_document(self, comparison: rankeval.Comparison) -> None:
        assert list(comparison.as_dict()) == ["recall_delta", "mrr_delta", "counts", "rows"]

    def test_null_means_have_no_delta(self, parts: dict[str, dict[str, object]]) -> None:
        parts["qrels"] = {query: dict.fromkeys(parts["corpus"], 0) for query in parts["queries"]}
        report = rankeval.Protocol(**parts).score({})

        assert rankeval.compare(report, report).recall_delta is None


class TestWorstFirst:
    def test_rr_delta_then_recall_delta_then_order_then_null(self, comparison: rankeval.Comparison) -> None:
        assert [row.query for row in worst_first(comparison.rows)] == ["q2", "q3", "q4", "q5"]
        assert [row.query for row in worst_first(comparison.rows[::-1])] == ["q2", "q3", "q4", "q5"]

    def test_equal_deltas_keep_their_order(self, protocol: rankeval.Protocol) -> None:
        report = protocol.score({})
        rows = worst_first(rankeval.compare(report, report).rows)

        assert [row.query for row in rows] == ["q2", "q3", "q4", "q5"]
        assert rows[-1].status is Status.NULL

    def test_recall_breaks_a_tie_of_rr(self, parts: dict[str, dict[str, object]]) -> None:
        parts["qrels"]["q3"] = dict(parts["qrels"]["q2"])  # type: ignore[call-overload]
        protocol = rankeval.Protocol(**parts)
        a = protocol.score({"q2": ["d3"], "q3": ["d3", "d4"]})
        b = protocol.score({"q2": ["d3"], "q3": ["d3", "d1"]})

        assert [row.query for row in worst_first(rankeval.compare(a, b).rows)] == ["q3", "q2", "q4", "q5"]

    def test_rr_breaks_a_tie_of_recall(self, protocol: rankeval.Protocol) -> None:
        a, b = protocol.score({"q2": ["d3"], "q3": ["d5"]}), protocol.score({"q2": ["d3"], "q3": ["d1", "d5"]})
        rows = worst_first(rankeval.compare(a, b).rows, Measure.RECALL)

        assert [row.query for row in rows] == ["q3", "q2", "q4", "q5"]

    def test_by_recall(self, protocol: rankeval.Protocol) -> None:
        # q2 loses a relevant document further down, so Recall falls and RR does not; q3 falls in RR alone.
        a = protocol.score({"q2": ["d3", "d4"], "q3": ["d5"], "q4": ["d6"]})
        b = protocol.score({"q2": ["d3", "d1"], "q3": ["d1", "d5"], "q4": ["d6"]})
        rows = rankeval.compare(a, b).rows

        assert [row.query for row in worst_first(rows)] == ["q3", "q2", "q4", "q5"]
        assert [row.query for row in worst_first(rows, Measure.RECALL)] == ["q2", "q3", "q4", "q5"]
        assert [rows[0].delta(Measure.RECALL), rows[0].delta(Measure.RR)] == [Fraction(-1, 2), 0]

from __future__ import annotations

import pytest

import rankeval
from rankeval.dashboard import frames


class TestShownRows:
    @pytest.mark.parametrize(
        ("shown", "queries"),
        [
            (None, ["q2", "q3", "q4", "q5"]),
            ("worse", ["q2"]),
            ("null", ["q5"]),
            ("missing_a", ["q4"]),
            ("missing_b", []),
            ("regression", ["q2"]),
            ("improvement", ["q3", "q4"]),
            ("no such filter", ["q2", "q3", "q4", "q5"]),
        ],
    )
    def test_worst_first_under_every_filter(
        self, comparison: rankeval.Comparison, shown: str | None, queries: list[str]
    ) -> None:
        assert [row.query for row in frames.shown_rows(comparison, shown)] == queries


class TestLabels:
    def test_shape_count_and_word(self, comparison: rankeval.Comparison) -> None:
        assert frames.filter_label("worse", comparison.counts) == "▼ 1 worse"
        assert frames.filter_label("missing_a", comparison.counts) == "1 missing in A"


class TestComparisonFrame:
    def test_the_published_example(self, comparison: rankeval.Comparison, protocol: rankeval.Protocol) -> None:
        frame = frames.comparison_frame(frames.shown_rows(comparison, None), protocol)
        columns = ["query", "status", "rank_delta", "rr_delta", "recall_a", "recall_b", "recall_delta"]

        assert frame[columns].to_numpy().tolist() == [
            ["q2", "▼ worse", "+1", "-1/2", "1/2", "1/2", "0"],
            ["q3", "▲ better", "-1", "+1/2", "1", "1", "0"],
            ["q4", "⇥ entered · missing in A", "", "+1", "0", "1", "+1"],
            ["q5", "– null", "", "null", "null", "null", "null"],
        ]
        assert frame["rank_a"].isna().tolist() == [False, False, True, True]


class TestFaultFrame:
    def test_every_fault_with_its_place(self, protocol: rankeval.Protocol) -> None:
        with pytest.raises(rankeval.RunError) as refusal:
            protocol.score({"q2": ["d3", "d9"]})
        (row,) = frames.fault_frame(refusal.value).to_dict("records")

        assert (row["rule"], row["query"], row["document"], row["position"]) == ("unknown document ID", "q2", "d9", 2)

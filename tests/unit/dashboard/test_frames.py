from __future__ import annotations

import pytest

import rankeval
from rankeval.core.comparison import worst_first
from rankeval.core.scoring import Measure
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
        assert [row.query for row in frames.shown_rows(worst_first(comparison.rows), shown)] == queries


class TestLabels:
    def test_shape_count_and_word(self, comparison: rankeval.Comparison) -> None:
        assert frames.filter_label("worse", comparison.counts) == "▼ 1 worse"
        assert frames.filter_label("missing_a", comparison.counts) == "1 missing in A"


class TestComparisonFrame:
    def test_the_published_example(self, comparison: rankeval.Comparison, protocol: rankeval.Protocol) -> None:
        frame = frames.comparison_frame(worst_first(comparison.rows), protocol)
        columns = ["query", "status", "rank_delta", "rr_delta", "recall_a", "recall_b", "recall_delta"]

        assert frame[columns].astype(object).where(frame[columns].notna(), None).to_numpy().tolist() == [
            ["q2", "▼ worse", 1, -0.5, 0.5, 0.5, 0.0],
            ["q3", "▲ better", -1, 0.5, 1.0, 1.0, 0.0],
            ["q4", "⇥ entered · missing in A", None, 1.0, 0.0, 1.0, 1.0],
            ["q5", "– null", None, None, None, None, None],
        ]
        assert frame["rank_a"].isna().tolist() == [False, False, True, True]

    def test_as_people_read_them(self, comparison: rankeval.Comparison, protocol: rankeval.Protocol) -> None:
        rows = worst_first(comparison.rows)
        frame = frames.comparison_frame(rows, protocol)
        exact, rounded = (
            frames.written(frame, rows, exactly=exactly).to_string(delimiter="|").splitlines()
            for exactly in (True, False)
        )

        assert exact[1] == "0|q2|▼ worse|1|2|+1|-1/2|0|1|1/2|1/2|1/2|有哪些导出格式，分别怎样导出？"
        assert rounded[1].split("|")[5:12] == ["+1", "-0.5000", "0", "1.0000", "0.5000", "0.5000", "0.5000"]
        assert exact[4].split("|")[5:12] == ["–"] * 7


class TestFoundRows:
    @pytest.mark.parametrize(("wanted", "queries"), [("Q2", ["q2"]), ("导出", ["q2"]), ("q", ["q2", "q3", "q4", "q5"])])
    def test_by_id_and_by_information_need(
        self, comparison: rankeval.Comparison, protocol: rankeval.Protocol, wanted: str, queries: list[str]
    ) -> None:
        assert [row.query for row in frames.found_rows(protocol, comparison.rows, wanted)] == queries


class TestGlanceFrame:
    def test_every_eligible_query_with_its_delta(
        self, comparison: rankeval.Comparison, protocol: rankeval.Protocol
    ) -> None:
        rows = worst_first(comparison.rows, Measure.RECALL)
        frame = frames.glance_frame(rows, protocol, Measure.RECALL)

        assert frame[["place", "query", "delta", "exact"]].to_numpy().tolist() == [
            [1, "q2", 0.0, "0"],
            [2, "q3", 0.0, "0"],
            [3, "q4", 1.0, "+1"],
        ]


class TestFaultFrame:
    def test_every_fault_with_its_place(self, protocol: rankeval.Protocol) -> None:
        with pytest.raises(rankeval.RunError) as refusal:
            protocol.score({"q2": ["d3", "d9"]})
        (row,) = frames.fault_frame(refusal.value).to_dict("records")

        assert (row["rule"], row["query"], row["document"], row["position"]) == ("unknown document ID", "q2", "d9", 2)

"""The Overview page without a browser: every run against the baseline and against every other."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from shown import chart_in, component_in, html_of, record, table_in, words_of
from streamlit.testing.v1 import AppTest

import rankeval
from rankeval.core.run import FromChunks
from rankeval.dashboard.library import Library, LoadedProtocol

Cranfield = tuple[LoadedProtocol, dict[str, rankeval.Run]]


def overview_page() -> None:
    from rankeval.dashboard import overview  # noqa: PLC0415 - AppTest runs the function as a script of its own

    overview.page()


def opened(**address: str) -> AppTest:
    app = AppTest.from_function(overview_page, default_timeout=60)
    for name, value in address.items():
        app.query_params[name] = value
    return app.run()


@pytest.mark.usefixtures("loaded")
class TestPublishedExample:
    """fixture_A has 1/2 and 1/2, fixture_B 5/6 and 5/6, all_empty 0 and 0 (SPEC.md, "Figures that must come out")."""

    def test_the_verdict_names_the_highest_means_and_who_falls_most(self) -> None:
        shown = words_of(opened())

        assert (
            "3 runs; baseline fixture_A; highest Recall@2 0.8333: fixture_B (+1/3);"
            " highest MRR@2 0.8333: fixture_B (+1/3)" in shown
        )
        assert "Most regressions against fixture_A: all_empty, on 2 queries." in shown

    def test_every_run_stands_against_the_baseline(self) -> None:
        table = table_in(opened(), "overview-table")

        assert list(table["run"]) == ["◆ fixture_A", "fixture_B", "all_empty"]
        assert record(table, 1) == {
            "run": "fixture_B",
            "recall": pytest.approx(5 / 6),
            "recall_delta": pytest.approx(1 / 3),
            "mrr": pytest.approx(5 / 6),
            "mrr_delta": pytest.approx(1 / 3),
            "better": 1,
            "worse": 1,
            "entered": 1,
            "left": 0,
            "regressions": 1,
            "missing": 0,
            "empty": 1,
            "short": 1,
            "null": 1,
        }
        assert list(table["missing"]) == [1, 0, 0]
        assert list(table["empty"]) == [1, 1, 4]
        assert list(table["left"]) == [0, 0, 2]

    def test_another_baseline_turns_the_deltas_round(self) -> None:
        table = table_in(opened(a=self.key_of("fixture_B"), b=self.key_of("fixture_A")), "overview-table")

        assert list(table["run"]) == ["fixture_A", "◆ fixture_B", "all_empty"]
        assert list(table["recall_delta"]) == pytest.approx([-1 / 3, 0, -5 / 6])

    def test_regressions_of_every_run_against_every_other(self) -> None:
        """From A to B RR falls on q2 alone; from B to A it falls on q3 and q4."""
        shown = component_in(opened(), "regression-matrix")

        assert shown["names"] == ["fixture_A", "fixture_B", "all_empty"]
        assert shown["counts"] == [[0, 1, 2], [2, 0, 3], [0, 0, 0]]
        assert shown["said"][1][0] == "2 queries on which fixture_A fell against fixture_B"

    def test_how_many_queries_have_which_score(self) -> None:
        """A has Recall 1/2, 1 and 0; B has 1/2, 1 and 1.  A has RR 1, 1/2 and 0; B has 1/2, 1 and 1."""
        app = opened()
        for measure in ("recall", "rr"):
            table = table_in(app, f"distribution-{measure}").set_index("score")
            found = table[(table["a"] > 0) | (table["b"] > 0)]

            assert found.index.tolist() == ["0", "0.5 – 0.6", "1"]
            assert found["a"].tolist() == [1, 1, 1]
            assert found["b"].tolist() == [0, 1, 2]

    def test_both_means_at_smaller_cut_offs(self) -> None:
        """At j = 1, A finds d3 of two on q2 and nothing else; B finds d5 on q3 and d6 on q4."""
        app = opened()
        table = next(each.value for each in app.dataframe if "j" in each.value)
        found = {(row["run"], row["j"]): (row["recall"], row["mrr"]) for _, row in table.iterrows()}

        assert found["fixture_A", 1] == pytest.approx((1 / 6, 1 / 3))
        assert found["fixture_A", 2] == pytest.approx((1 / 2, 1 / 2))
        assert found["fixture_B", 1] == pytest.approx((2 / 3, 2 / 3))
        assert found["fixture_B", 2] == pytest.approx((5 / 6, 5 / 6))
        assert found["all_empty", 2] == (0, 0)

    def test_the_curves_are_named_as_exploration_and_have_their_marks(self) -> None:
        app = opened()

        assert any("The protocol's k is frozen at 2; only there is a figure a score." in c.value for c in app.caption)
        assert [layer["mark"]["type"] for layer in chart_in(app, "curve-recall")["layer"]] == ["line", "text"]
        assert chart_in(app, "distribution-rr")["mark"]["type"] == "bar"

    @staticmethod
    def key_of(name: str) -> str:
        from rankeval.dashboard.library import library  # noqa: PLC0415 - the one of this test's server

        runs = library().runs(library().protocols()[0])
        return next(run.key for run in runs if run.name == name)[:12]


class TestCranfield:
    def test_means_deltas_and_counts_are_the_core_s(self, cranfield_entry: Cranfield) -> None:
        entry, runs = cranfield_entry
        table = table_in(opened(protocol=entry.key[:12]), "overview-table")
        reports = {name: entry.protocol.score(run) for name, run in runs.items()}
        baseline = reports["bm25"]
        assert baseline.recall_at_k is not None

        for row, (name, report) in enumerate(reports.items()):
            shown = record(table, row)
            compared = rankeval.compare(baseline, report)
            assert report.recall_at_k is not None
            assert report.mrr_at_k is not None
            assert shown["run"].removeprefix("◆ ") == name
            assert (shown["recall"], shown["mrr"]) == (float(report.recall_at_k), float(report.mrr_at_k))
            assert shown["recall_delta"] == float(report.recall_at_k - baseline.recall_at_k)
            assert shown["missing"] == len(report.missing_queries)
            assert shown["regressions"] == sum(each.regression for each in compared.rows)
            assert {each: shown[each] for each in ("better", "worse", "entered", "left")} == {
                each: compared.counts[each] for each in ("better", "worse", "entered", "left")
            }

    def test_a_matrix_cell_counts_the_rows_that_fell(self, cranfield_entry: Cranfield) -> None:
        entry, runs = cranfield_entry
        shown = component_in(opened(protocol=entry.key[:12]), "regression-matrix")
        reports = [entry.protocol.score(run) for run in runs.values()]

        assert shown["counts"] == [
            [rankeval.compare(first, second).regressions() for second in reports] for first in reports
        ]

    def test_every_eligible_query_is_in_one_bin(self, cranfield_entry: Cranfield) -> None:
        entry, runs = cranfield_entry
        table = table_in(opened(protocol=entry.key[:12]), "distribution-rr")
        report = entry.protocol.score(runs["bm25"])
        values = Counter(row.rr for row in report.rows)

        assert table["a"].sum() == report.eligible_queries
        assert table.set_index("score")["a"].loc[["0", "1"]].tolist() == [values[0], values[1]]


class TestFewRuns:
    def test_one_run_stands_alone(self, loaded: Library, protocol: rankeval.Protocol, fixture_a: Any) -> None:
        entry = loaded.add_protocol("small", protocol.with_split_and_k(k=1))
        loaded.add_run(entry, rankeval.Run(fixture_a, "only"))
        app = opened(protocol=entry.key[:12])

        assert "1 run; baseline only; highest Recall@1 0.1667: only (0)" in words_of(app)
        assert "Most regressions" not in words_of(app)
        assert list(table_in(app, "overview-table")["run"]) == ["◆ only"]
        assert component_in(app, "regression-matrix")["counts"] == [[0]]

    def test_no_run_says_where_to_load_one(self, loaded: Library, protocol: rankeval.Protocol) -> None:
        entry = loaded.add_protocol("small", protocol.with_split_and_k(k=1))
        app = opened(protocol=entry.key[:12])

        assert "small" in html_of(app)
        assert [each.value for each in app.info] == ["This protocol has no run yet. Load one or more under Data."]

    def test_no_eligible_query_is_said_and_no_number_is_made(
        self, loaded: Library, parts: dict[str, Any], fixture_a: Any
    ) -> None:
        parts["qrels"] = {query: dict.fromkeys(own, 0) for query, own in parts["qrels"].items()}
        entry = loaded.add_protocol("null", rankeval.Protocol(**parts))
        loaded.add_run(entry, rankeval.Run(fixture_a, "only"))
        app = opened(protocol=entry.key[:12])

        assert "No query of the split is eligible, so no run has a score." in words_of(app)
        assert record(table_in(app, "overview-table"), 0)["recall"] is None
        assert record(table_in(app, "overview-table"), 0)["null"] == 4


class TestTwoExperiments:
    def test_runs_of_another_budget_or_map_are_named(
        self, loaded: Library, tutorial: LoadedProtocol, chunk_run: Any
    ) -> None:
        own = loaded.chunk_maps(tutorial)["chunk_to_doc"]
        for budget, name in ((None, "all"), (2, "two")):
            loaded.add_chunk_run(tutorial, rankeval.Run(chunk_run, name), own, budget, name)

        assert "Other experiments than the baseline, from other chunk maps or numbers of chunks: all, two." in words_of(
            opened()
        )

    @pytest.mark.usefixtures("loaded")
    def test_nothing_is_said_of_runs_of_one_kind(self) -> None:
        assert "Other experiments" not in words_of(opened())

    def test_a_run_of_which_no_number_of_chunks_is_stated_may_be_another_experiment(
        self, loaded: Library, tutorial: LoadedProtocol, chunk_run: Any
    ) -> None:
        own = loaded.chunk_maps(tutorial)["chunk_to_doc"]
        every = loaded.add_chunk_run(tutorial, rankeval.Run(chunk_run, "all"), own, None, "all")
        adapted = rankeval.Run({"q2": ["d3"]}, "open", from_chunks=FromChunks(None, own.key, None))
        loaded.add_run(tutorial, adapted)
        shown = words_of(opened(a=every.key[:12]))

        assert "Perhaps other experiments than the baseline, since a number of chunks is not stated: open." in shown
        assert "from other chunk maps or numbers of chunks: fixture_A, fixture_B, all_empty." in shown

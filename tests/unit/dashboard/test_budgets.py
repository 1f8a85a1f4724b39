"""The page Chunk budgets without a browser: how many chunks are enough, and what the order of the two cuts costs."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from shown import chart_in, record, table_in, words_of
from streamlit.testing.v1 import AppTest

import rankeval
from rankeval.core.chunks import collapse_run
from rankeval.dashboard.library import Library, LoadedProtocol


def budgets_page() -> None:
    from rankeval.dashboard import budgets  # noqa: PLC0415 - AppTest runs the function as a script of its own

    budgets.page()


def opened(**address: str) -> AppTest:
    app = AppTest.from_function(budgets_page, default_timeout=60)
    for name, value in address.items():
        app.query_params[name] = value
    return app.run()


@pytest.mark.usefixtures("loaded")
class TestPublishedExample:
    """All received chunks give 2/3 and 1/2, two chunks 1/6 and 1/3 (SPEC.md, "Figures that must come out")."""

    def test_both_orders_of_cutting_stand_side_by_side(self) -> None:
        shown = words_of(opened())

        assert (
            "Collapse, then cut all received chunks, collapsed, then the first k documents"
            " Recall@2 0.6667 = 2/3 MRR@2 0.5000 = 1/2" in shown
        )
        assert "Cut, then collapse the first 2 chunks, collapsed Recall@2 0.1667 = 1/6 MRR@2 0.3333 = 1/3" in shown
        assert "Two experiments with different candidates, not one" in shown

    def test_the_verdict_says_what_the_budget_costs(self) -> None:
        """d4 on q2 and d5 on q3 come with the third chunk; both are relevant and stand second of two."""
        shown = words_of(opened())

        assert "chunk_run, first 2 of all received chunks: Recall@2 -1/2, MRR@2 -1/6" in shown
        assert "The budget loses 2 documents; 2 of them are relevant and would stand within k." in shown

    def test_the_table_is_exact_at_every_number_of_chunks(self) -> None:
        table = table_in(opened(), "budget-table")

        assert table["budget"].tolist() == ["1", "2", "3", "all"]
        assert table["recall_exact"].tolist() == ["1/6", "1/6", "2/3", "2/3"]
        assert table["mrr_exact"].tolist() == ["1/3", "1/3", "1/2", "1/2"]
        assert table["recall"].tolist() == pytest.approx([1 / 6, 1 / 6, 2 / 3, 2 / 3])
        assert table["documents"].tolist() == [2 / 4, 2 / 4, 4 / 4, 4 / 4]

    def test_the_picture_draws_both_means_and_the_chosen_budget(self) -> None:
        spec = chart_in(opened(), "budget-chart")

        assert [layer["mark"]["type"] for layer in spec["layer"]] == ["rule", "line", "text"]

    def test_what_each_query_loses_worst_first(self) -> None:
        table = table_in(opened(), "cuts-table")

        assert [record(table, row) | {"need": ""} for row in range(len(table))] == [
            {
                "query": "q3",
                "status": "⇤ left",
                "rank_all": 2,
                "rank_cut": None,
                "rr_delta": -1 / 2,
                "recall_delta": -1,
                "lost": 1,
                "lost_within_k": 1,
                "lost_relevant": "d5",
                "need": "",
            },
            {
                "query": "q2",
                "status": "＝ same",
                "rank_all": 1,
                "rank_cut": 1,
                "rr_delta": 0,
                "recall_delta": -1 / 2,
                "lost": 1,
                "lost_within_k": 1,
                "lost_relevant": "d4",
                "need": "",
            },
        ]

    def test_who_holds_the_slots(self) -> None:
        table = table_in(opened(), "slots-table")

        assert table[["document", "slots", "queries"]].to_numpy().tolist() == [["d3", 2, 1], ["d1", 2, 1]]

    def test_a_status_is_told_in_the_language_of_the_page(self) -> None:
        assert table_in(opened(lang="zh"), "cuts-table")["status"].tolist() == ["⇤ 跌出", "＝ 不变"]

    def test_where_each_document_came_from(self) -> None:
        """expected-chunk.json: on q2, d3 first comes with d3a at 1, and again at 2; d4 with d4a at 3."""
        table = table_in(opened(), "provenance-table")

        assert table.to_numpy().tolist() == [
            [1, "d3", "● Relevant", "d3a", 1, "1, 2", "yes"],
            [2, "d4", "● Relevant", "d4a", 3, "3", "no: lost"],
        ]

    def test_the_query_of_the_address_is_the_one_traced(self) -> None:
        app = opened(query="q3")
        assert table_in(app, "provenance-table")["first_chunk"].tolist() == ["d1a", "d5a"]

        app.selectbox(key="provenance-query").set_value("q5").run()

        assert app.query_params["query"] == "q5"
        assert len(table_in(app, "provenance-table")) == 0


@pytest.mark.usefixtures("loaded")
class TestBudget:
    def test_another_number_of_chunks_stands_in_the_address(self) -> None:
        app = opened()
        app.number_input(key="chunks-taken").set_value(3).run()

        assert app.query_params["taken"] == "3"
        assert "first 3 of all received chunks: Recall@2 0, MRR@2 0" in words_of(app)
        assert len(table_in(app, "cuts-table")) == 0

    def test_the_address_says_how_many(self) -> None:
        assert "the first chunk, collapsed Recall@2 0.1667 = 1/6" in words_of(opened(taken="1"))

    @pytest.mark.parametrize("taken", ["0", "-1", "2.5", "two", "²", "9" * 5000, "0000001"])
    def test_a_number_that_cannot_be_is_left_aside(self, taken: str) -> None:
        app = opened(taken=taken)

        assert "the first 2 chunks, collapsed" in words_of(app)
        assert any("to take" in each.value and "no such number" in each.value for each in app.text)

    def test_a_chunk_run_that_is_not_here_is_said(self) -> None:
        app = opened(chunks="0123456789ab.0123456789ab")

        assert "chunk_run, first 2 of all received chunks" in words_of(app)
        assert any("chunk run 0123456789ab.0123456789ab, which is not loaded" in each.value for each in app.text)

    def test_more_than_any_query_received_is_all(self) -> None:
        app = opened(taken="1000")

        assert "first 1000 of all received chunks: Recall@2 0, MRR@2 0" in words_of(app)
        assert table_in(app, "budget-table")["budget"].tolist() == ["1", "2", "3", "all"]


class TestSeveralChunkRuns:
    def test_runs_of_one_name_are_told_apart(self, loaded: Library, tutorial: LoadedProtocol, chunk_run: Any) -> None:
        own = loaded.chunk_maps(tutorial)["chunk_to_doc"]
        other = {**chunk_run, "q4": ["d6a"]}
        loaded.add_chunk_run(tutorial, rankeval.Run(other, "chunk_run", source="chunk_run.json"), own, 2, "two")
        app = opened()
        options = app.selectbox(key="chunk-run").options
        assert len(set(options)) == len(options) == 2

        app.selectbox(key="chunk-run").set_value(options[1]).run()

        assert f"{options[1].split(' (')[0]}, first 2 of all received chunks" in words_of(app)
        assert "Collapse, then cut all received chunks, collapsed, then the first k documents Recall@2 1.0000 = 1" in (
            words_of(app)
        )

    def test_one_chunk_run_under_two_budgets_is_one_and_called_by_its_file(
        self, loaded: Library, protocol: rankeval.Protocol, chunk_run: Any, chunk_to_doc: Any
    ) -> None:
        entry = loaded.add_protocol("small", protocol.with_split_and_k(k=1))
        loaded.add_chunk_map(entry, "map", chunk_to_doc)
        own = loaded.chunk_maps(entry)["map"]
        for budget in (2, None):
            run = rankeval.Run(chunk_run, "mine", source="mine.json")
            loaded.add_chunk_run(entry, run, own, budget, f"mine, {budget}")

        assert opened(protocol=entry.key[:12]).selectbox(key="chunk-run").options == ["mine"]

    def test_one_chunk_run_under_two_maps_is_two(
        self, loaded: Library, tutorial: LoadedProtocol, chunk_run: Any, chunk_to_doc: Any
    ) -> None:
        """With d3b read as d4, q2's first two chunks find both its documents: Recall is 1 there, 1/3 in the mean."""
        loaded.add_chunk_map(tutorial, "other", {**chunk_to_doc, "d3b": "d4"})
        other = loaded.chunk_maps(tutorial)["other"]
        loaded.add_chunk_run(tutorial, rankeval.Run(chunk_run, "c", source="c.json"), other, 2, "c, 2")
        app = opened()
        app.selectbox(key="chunk-run").set_value("c").run()

        assert "the first 2 chunks, collapsed Recall@2 0.3333 = 1/3" in words_of(app)
        assert set(table_in(app, "budget-table")["run"]) == {"c"}


class TestWithoutChunks:
    def test_no_chunk_run_says_where_to_load_one(self, loaded: Library, protocol: rankeval.Protocol) -> None:
        entry = loaded.add_protocol("small", protocol.with_split_and_k(k=1))
        app = opened(protocol=entry.key[:12])

        assert [each.value for each in app.info] == [
            "No chunk run is loaded for this protocol. Load a chunk map and a run of chunks under Data."
        ]

    def test_a_chunk_run_that_answers_nothing(
        self, loaded: Library, protocol: rankeval.Protocol, chunk_to_doc: Any
    ) -> None:
        entry = loaded.add_protocol("small", protocol.with_split_and_k(k=1))
        loaded.add_chunk_map(entry, "map", chunk_to_doc)
        loaded.add_chunk_run(entry, rankeval.Run({}, "none"), loaded.chunk_maps(entry)["map"], None, "none")
        app = opened(protocol=entry.key[:12])

        assert "Recall@1 0.0000 = 0 MRR@1 0.0000 = 0" in words_of(app)
        assert [each.value for each in app.text][-1] == "The chunk run answers no query."


class TestCranfield:
    def test_every_figure_is_the_core_s(
        self, loaded: Library, cranfield: Path, cranfield_protocol: rankeval.Protocol
    ) -> None:
        entry = loaded.add_protocol("cranfield", cranfield_protocol)
        chunk_to_doc = json.loads((cranfield / "chunk_to_doc.json").read_text(encoding="utf-8"))
        chunks = rankeval.read_run(cranfield / "runs" / "bm25_chunks.json")
        loaded.add_chunk_map(entry, "map", chunk_to_doc)
        loaded.add_chunk_run(entry, chunks, loaded.chunk_maps(entry)["map"], None, "bm25_chunks, all chunks")
        app = opened(protocol=entry.key[:12], taken="20")
        table = table_in(app, "budget-table").set_index("budget")
        slots = table_in(app, "slots-table").set_index("document")

        for budget in (1, 10, 20, None):
            collapsed, _ = collapse_run(cranfield_protocol, chunks, chunk_to_doc, budget)
            report = cranfield_protocol.score(collapsed)
            row = table.loc["all" if budget is None else str(budget)]
            assert (row["recall_exact"], row["mrr_exact"]) == (str(report.recall_at_k), str(report.mrr_at_k))
        held = Counter(chunk_to_doc[chunk] for ranking in chunks.rankings.values() for chunk in ranking[:20])
        assert slots["slots"].to_dict() == held

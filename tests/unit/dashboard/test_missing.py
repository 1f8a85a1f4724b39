"""The page Missing and null without a browser: what each run did not return, and what that does to its means."""

from __future__ import annotations

from typing import Any

import pytest
from shown import record, table_in, words_of
from streamlit.testing.v1 import AppTest

import rankeval
from rankeval.dashboard.library import Library, LoadedProtocol

Cranfield = tuple[LoadedProtocol, dict[str, rankeval.Run]]


def missing_page() -> None:
    from rankeval.dashboard import missing  # noqa: PLC0415 - AppTest runs the function as a script of its own

    missing.page()


def opened(**address: str) -> AppTest:
    app = AppTest.from_function(missing_page, default_timeout=60)
    for name, value in address.items():
        app.query_params[name] = value
    return app.run()


@pytest.mark.usefixtures("loaded")
class TestPublishedExample:
    """fixture_A misses q4 and has an empty list for q5; fixture_B returns one document of two for q4; q5 is null."""

    def test_what_each_side_did_not_return_is_counted(self) -> None:
        shown = words_of(opened())
        of_a, of_b = shown.split("A fixture_A")[-2].split("B fixture_B")[-2:]

        assert "1 ✘ missing: no entry, scored as 0" in of_a
        assert "1 ○ empty: a list with nothing in it, scored as 0" in of_a
        assert "0 ◐ short: fewer than k = 2 documents, scored as they are" in of_a
        assert "1 – null: nothing is relevant, left out of both means" in of_a
        assert "0 ✘ missing" in of_b
        assert "1 ◐ short" in of_b

    def test_what_the_missing_do_to_the_means_is_said_and_called_wrong(self) -> None:
        """Without q4 the means of A are (1/2 + 1) / 2 = 3/4 and (1 + 1/2) / 2 = 3/4."""
        assert (
            "The missing pull Recall down from 0.7500 to 0.5000 and MRR from 0.7500 to 0.5000: the first figure of each"
            " is what a scorer says that drops them, and is wrong. (-1/4, -1/4)" in words_of(opened())
        )

    def test_what_each_query_does_to_the_mean(self) -> None:
        """B without q4: (1/2 + 1) / 2 = 3/4, so q4 pulls 5/6 up by 1/12; there is nothing left to gain on it."""
        app = opened()
        of_a, of_b = table_in(app, "gaps-A"), table_in(app, "gaps-B")

        assert record(of_a, 0) | {"need": ""} == {
            "query": "q4",
            "state": "✘ missing",
            "returned": 0,
            "recall_pull": -1 / 4,
            "mrr_pull": -1 / 4,
            "recall_headroom": pytest.approx(1 / 3),
            "need": "",
        }
        assert record(of_a, 1) | {"need": ""} == {
            "query": "q5",
            "state": "○ empty",
            "returned": 0,
            "recall_pull": None,
            "mrr_pull": None,
            "recall_headroom": None,
            "need": "",
        }
        assert list(of_b["query"]) == ["q5", "q4"]
        assert record(of_b, 1)["state"] == "◐ short"
        assert record(of_b, 1)["recall_pull"] == pytest.approx(1 / 12)
        assert record(of_b, 1)["recall_headroom"] == 0

    def test_both_sides_stand_in_one_table(self) -> None:
        table = table_in(opened(), "missing-table")

        assert [record(table, row) | {"need": ""} for row in range(len(table))] == [
            {
                "query": "q4",
                "state_a": "✘ missing",
                "state_b": "◐ short",
                "returned_a": 0,
                "returned_b": 1,
                "null": "",
                "need": "",
            },
            {
                "query": "q5",
                "state_a": "○ empty",
                "state_b": "○ empty",
                "returned_a": 0,
                "returned_b": 0,
                "null": "– null",
                "need": "",
            },
        ]

    def test_null_is_no_pass(self) -> None:
        shown = words_of(opened())

        assert "1 null query Null is not a pass: nothing relevant exists" in shown
        assert "q5 怎样注销账户？ A fixture_A 0 documents returned B fixture_B 0 documents returned" in shown

    def test_every_run_with_what_a_scorer_says_that_drops_the_missing(self) -> None:
        table = table_in(opened(), "missing-runs")

        assert list(table["run"]) == ["fixture_A", "fixture_B", "all_empty"]
        assert list(table["recall"]) == pytest.approx([1 / 2, 5 / 6, 0])
        assert list(table["recall_wrong"]) == pytest.approx([3 / 4, 5 / 6, 0])
        assert list(table["mrr_wrong"]) == pytest.approx([3 / 4, 5 / 6, 0])

    def test_the_denominator_is_told_in_the_language_of_the_page(self) -> None:
        assert "3 个计分 = 2 个有结果 + 0 个空列表计 0 + 1 个缺失计 0；1 个空值，不计入" in words_of(opened(lang="zh"))


class TestNull:
    def test_what_was_returned_for_a_null_query_is_shown(self, loaded: Library, tutorial: LoadedProtocol) -> None:
        run = loaded.add_run(tutorial, rankeval.Run({"q5": ["d1", "d2", "d3", "d4"]}, "talkative"))
        shown = words_of(opened(b=run.key[:12]))

        assert "B talkative 4 documents returned 1 d1 " in shown
        assert " 3 d3 " in shown.split("4 documents returned")[1]
        assert " 4 d4 " not in shown.split("4 documents returned")[1]

    def test_a_null_query_that_is_missing_is_said_to_be_so(self, loaded: Library, tutorial: LoadedProtocol) -> None:
        run = loaded.add_run(tutorial, rankeval.Run({"q2": ["d3"]}, "silent"))

        assert "B silent no entry: missing" in words_of(opened(b=run.key[:12]))

    def test_a_split_without_null_queries_says_so(self, loaded: Library, parts: dict[str, Any], fixture_a: Any) -> None:
        parts["qrels"]["q5"]["d1"] = 1
        entry = loaded.add_protocol("no null", rankeval.Protocol(**parts))
        loaded.add_run(entry, rankeval.Run(fixture_a, "only"))

        assert "0 null queries Every query of the split has a relevant document." in words_of(
            opened(protocol=entry.key[:12])
        )


class TestCranfield:
    def test_the_crashed_run_beside_the_whole_one(self, cranfield_entry: Cranfield) -> None:
        entry, runs = cranfield_entry
        crashed = entry.protocol.score(runs["bm25_crashed"])
        keys = {name: run.run_sha256[:12] for name, run in runs.items()}
        app = opened(protocol=entry.key[:12], a=keys["bm25"], b=keys["bm25_crashed"])
        table = table_in(app, "missing-table")
        gone = [row.query for row in crashed.rows if row.missing]

        assert gone
        assert list(table[table["state_b"] == "✘ missing"]["query"]) == gone
        assert set(table[table["state_b"] == "✘ missing"]["state_a"]) == {"● full"}

    def test_the_means_without_the_missing(self, cranfield_entry: Cranfield) -> None:
        entry, runs = cranfield_entry
        table = table_in(opened(protocol=entry.key[:12]), "missing-runs").set_index("run")
        for name, run in runs.items():
            report = entry.protocol.score(run)
            answered = [row for row in report.rows if not row.missing and row.recall is not None]
            recall = sum(row.recall for row in answered if row.recall is not None) / len(answered)

            assert table.loc[name, "missing"] == len(report.missing_queries)
            assert table.loc[name, "recall_wrong"] == pytest.approx(float(recall))


class TestFewRuns:
    def test_one_run_that_returns_all_has_no_gaps(
        self, loaded: Library, protocol: rankeval.Protocol, fixture_b: Any
    ) -> None:
        entry = loaded.add_protocol("small", protocol.with_split_and_k(k=1))
        loaded.add_run(entry, rankeval.Run({**fixture_b, "q5": ["d1"]}, "only"))
        app = opened(protocol=entry.key[:12])

        assert "0 ✘ missing" in words_of(app)
        assert "The missing pull" not in words_of(app)
        assert list(table_in(app, "missing-table")["query"]) == ["q5"]

    def test_no_run_says_where_to_load_one(self, loaded: Library, protocol: rankeval.Protocol) -> None:
        entry = loaded.add_protocol("small", protocol.with_split_and_k(k=1))
        app = opened(protocol=entry.key[:12])

        assert [each.value for each in app.info] == ["This protocol has no run yet. Load one or more under Data."]

    def test_every_scored_query_missing_leaves_no_other_mean(self, loaded: Library, tutorial: LoadedProtocol) -> None:
        run = loaded.add_run(tutorial, rankeval.Run({}, "nothing"))
        app = opened(a=run.key[:12])
        table = table_in(app, "missing-runs").set_index("run")

        assert "The missing pull Recall down from null" not in words_of(app)
        assert "Every scored query is missing: without them no query would be left to average." in words_of(app)
        assert record(table.loc[["nothing"]], 0)["recall_wrong"] is None

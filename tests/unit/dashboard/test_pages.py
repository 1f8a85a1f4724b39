"""The pages without a browser: Streamlit's own AppTest runs the script and gives what it would show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import rankeval
from rankeval.dashboard.library import Library

APP = str(Path(__file__).parents[3] / "app.py")
PROTOCOL = "9dd1a576cc83"


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_file(APP, default_timeout=30)


def html_of(app: AppTest) -> str:
    return " ".join(str(each.proto.body) for each in app.get("html"))


class TestCompare:
    def test_opens_on_the_published_example(self, app: AppTest) -> None:
        app.run()

        assert not app.exception
        assert "fixture_B against fixture_A: 1 better, 1 worse, 1 entered; Recall +1/3, MRR +1/3;" in html_of(app)
        assert "3 scored = 2 with results + 0 empty as 0 + 1 missing as 0; 1 null, left out" in html_of(app)

    def test_the_worst_query_is_shown_at_first(self, app: AppTest) -> None:
        app.run()

        assert "d3 fell from 1 to 2" in html_of(app)
        assert "Which export formats are there" in html_of(app)

    def test_the_address_names_the_query(self, app: AppTest) -> None:
        app.query_params["query"] = "q4"
        app.run()

        assert "d6 entered at 1" in html_of(app)

    def test_an_address_that_names_what_is_not_here_says_so(self, app: AppTest) -> None:
        app.query_params["a"] = "0123456789ab"
        app.query_params["query"] = "q99"
        app.run()
        shown = " ".join(each.value for each in app.text)

        assert "run A 0123456789ab, which is not loaded here" in shown
        assert "query 'q99', which split 'test' does not hold" in shown

    def test_a_filter_that_leaves_no_query_shows_an_empty_table(self, app: AppTest) -> None:
        app.query_params["filter"] = "missing_b"
        app.run()

        assert not app.exception
        assert len(app.dataframe[0].value) == 0

    def test_a_filter_that_there_is_not_is_said(self, app: AppTest) -> None:
        app.query_params["filter"] = "<b>"
        app.run()

        assert any("the filter '<b>', which there is not" in each.value for each in app.text)
        assert len(app.dataframe[0].value) == 4

    def test_two_budgets_are_two_experiments(self, app: AppTest, loaded: Library, chunk_run: Any) -> None:
        tutorial = loaded.protocols()[0]
        own = loaded.chunk_maps(tutorial)["chunk_to_doc"]
        for side, budget in (("a", None), ("b", 2)):
            run = loaded.add_chunk_run(tutorial, rankeval.Run(chunk_run, "c"), own, budget, f"c {budget}")
            app.query_params[side] = run.key[:12]
        app.run()

        assert "two experiments, not one: A takes all received chunks, map d6706e72, B takes the first 2" in html_of(
            app
        )

    def test_how_often_a_split_was_looked_at(
        self, app: AppTest, loaded: Library, protocol: rankeval.Protocol, fixture_a: Any
    ) -> None:
        entry = loaded.add_protocol("own", protocol.with_split_and_k(k=1))
        app.query_params["protocol"] = entry.key[:12]
        for number in range(4):
            loaded.add_run(entry, rankeval.Run({**fixture_a, "q4": [f"d{number + 1}"]}, f"run {number}"))
        app.run()
        assert "test</bdi> has been looked at with 4 runs since 20" in html_of(app)
        assert "development split" not in html_of(app)
        loaded.add_run(entry, rankeval.Run({}, "the fifth"))
        app.run()

        assert "has been looked at with 5 runs since 20" in html_of(app)
        assert "A split that is looked at again and again is a development split" in html_of(app)

    def test_a_sample_is_there_for_looking(self, app: AppTest) -> None:
        app.run()

        assert "has been looked at" not in html_of(app)

    def test_recall_and_rr_of_both_sides(self, app: AppTest) -> None:
        app.run()
        first = app.dataframe[0].value.iloc[0]

        assert list(first[["query", "rr_a", "rr_b", "recall_a", "recall_b"]]) == ["q2", 1.0, 0.5, 0.5, 0.5]

    def test_the_bar_says_what_is_missing_and_null(self, app: AppTest) -> None:
        app.run()

        assert "1 missing in A, 0 in B, 1 null" in html_of(app)

    def test_swap(self, app: AppTest) -> None:
        app.run()
        app.button(key="swap").click().run()

        assert "fixture_A against fixture_B: 1 better, 1 worse, 1 left; Recall -1/3, MRR -1/3;" in html_of(app)

    def test_next_and_previous(self, app: AppTest) -> None:
        app.run()
        app.button(key="next").click().run()
        assert app.query_params["query"] == "q3"

        app.button(key="previous").click().run()
        assert app.query_params["query"] == "q2"

    def test_another_run_for_b(self, app: AppTest) -> None:
        app.run()
        app.selectbox(key="select-b").set_value("all_empty").run()

        assert "all_empty against fixture_A" in html_of(app)

    def test_the_card_says_what_the_example_is_not(self, app: AppTest) -> None:
        app.run()
        shown = " ".join(each.value for each in app.text)

        assert "no figure here is a result of any retriever" in shown
        assert "agreement was never measured" in shown

    def test_the_larger_sample_is_one_click_away(self, app: AppTest) -> None:
        app.run()
        next(button for button in app.button if "A help centre" in button.label).click().run()

        assert not app.exception
        assert "char_ngrams against bm25" in html_of(app)

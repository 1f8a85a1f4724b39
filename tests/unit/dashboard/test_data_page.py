"""The Data page without a browser: what is asked for, what is accepted, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from rankeval.dashboard.library import library


def data_page() -> None:
    from rankeval.dashboard import data  # noqa: PLC0415 - AppTest runs the function as a script of its own

    data.page()


@pytest.fixture
def app() -> Iterator[AppTest]:
    """A new server's page: what one test loads, the next does not find."""
    library.cache_clear()
    yield AppTest.from_function(data_page, default_timeout=30).run()
    library.cache_clear()


def html_of(app: AppTest) -> str:
    assert not app.exception
    return " ".join(str(each.proto.body) for each in app.get("html"))


def upload(app: AppTest, place: str, button: str, *files: tuple[str, Any]) -> None:
    """Put files into a place, and press its button."""
    given = [(name, content if isinstance(content, bytes) else json.dumps(content).encode()) for name, content in files]
    app.file_uploader(key=place).set_value([(name, content, "application/json") for name, content in given])
    app.button(key=button).click().run()


class TestProtocols:
    def test_an_accepted_one_is_opened(self, app: AppTest, parts: dict[str, Any]) -> None:
        upload(app, "protocol-files", "load-protocol", ("other.json", {**parts, "k": 1}))

        assert "✔ accepted protocol: <bdi>other.json</bdi>" in html_of(app)
        assert "k = <b>1</b>" in html_of(app)
        assert library().protocols()[-1].key.startswith(app.query_params["protocol"])

    def test_what_a_source_leaves_open_is_asked_for_and_can_be_said(self, app: AppTest, parts: dict[str, Any]) -> None:
        del parts["k"]
        upload(app, "protocol-files", "load-protocol", ("open.json", parts))
        assert 'rk-asks"><bdi>open.json</bdi>: <bdi>the source does not state k; choose one</bdi>' in html_of(app)

        app.number_input(key="k").set_value(1)
        upload(app, "protocol-files", "load-protocol", ("open.json", parts))

        assert "✔ accepted protocol: <bdi>open.json</bdi>" in html_of(app)
        assert "rk-asks" not in html_of(app)

    def test_three_files_apart(self, app: AppTest, parts: dict[str, Any]) -> None:
        for part in ("corpus", "queries", "qrels"):
            app.file_uploader(key=f"part-{part}").set_value((part, json.dumps(parts[part]).encode(), ""))
        app.text_input(key="split").set_value("test")
        app.number_input(key="k").set_value(1)
        app.button(key="load-parts").click().run()

        assert "✔ accepted protocol: <bdi>corpus, queries, qrels</bdi>" in html_of(app)

    def test_sparse_judgments_are_declared_on_the_page(self, app: AppTest, parts: dict[str, Any]) -> None:
        parts["qrels"] = {query: {d: 2 for d, label in own.items() if label} for query, own in parts["qrels"].items()}
        files = [(f"{part}.json", parts[part]) for part in ("corpus", "queries", "qrels")]
        app.text_input(key="split").set_value("test")
        app.number_input(key="k").set_value(2)
        upload(app, "protocol-files", "load-protocol", *files)
        assert "say in “Unlisted pairs are not relevant, because” why unlisted pairs are 0" in html_of(app)

        app.text_input(key="unlisted").set_value("everything was judged")
        app.number_input(key="relevant-from").set_value(2)
        upload(app, "protocol-files", "load-protocol", *files)

        assert "declared: --unlisted-nonrelevant everything was judged" in html_of(app)


class TestRuns:
    def test_several_at_once_a_card_each(self, app: AppTest) -> None:
        upload(app, "run-files", "load-runs", ("good.json", {"q2": ["d3"]}), ("bad.json", {"q2": ["d3", "d3"]}))
        shown = html_of(app)

        assert "✔ accepted run: <bdi>good.json</bdi>" in shown
        assert "✘ refused run: <bdi>bad.json</bdi>" in shown
        assert "duplicate document ID; deduplicate upstream explicitly" in shown
        assert "1 fault in all. Nothing of this file is counted anywhere." in shown
        assert "good" in app.selectbox(key="select-a").options
        assert "bad" not in app.selectbox(key="select-a").options

    def test_the_faults_stand_in_a_table(self, app: AppTest) -> None:
        upload(app, "run-files", "load-runs", ("bad.json", {"q2": ["d3", "d9"], "q9": []}))
        faults = app.dataframe[0].value

        assert list(faults["query"]) == ["q9", "q2"]
        assert list(faults["document"]) == ["", "d9"]

    def test_chunks_are_collapsed_by_a_map(self, app: AppTest, chunk_to_doc: Any, chunk_run: Any) -> None:
        upload(app, "map-files", "load-maps", ("mine.json", chunk_to_doc))
        assert "7 chunks of 5 documents" in html_of(app)
        app.selectbox(key="chunk-map").set_value("mine")
        app.number_input(key="budget").set_value(2)
        upload(app, "run-files", "load-runs", ("chunks.json", chunk_run))

        assert "collapsed from chunks, first 2 chunks of each query" in html_of(app)

"""The Data page without a browser: what is asked for, what is accepted, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from rankeval.dashboard import uploads
from rankeval.dashboard.library import library
from rankeval.formats import Ordering


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


def open_tab(app: AppTest, label: str) -> AppTest:
    app.session_state["data-tabs"] = label
    return app.run()


def texts(app: AppTest) -> list[str]:
    return [each.value for each in app.text]


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

    def test_what_is_asked_for_is_answered_without_another_upload(self, app: AppTest, parts: dict[str, Any]) -> None:
        del parts["k"]
        upload(app, "protocol-files", "load-protocol", ("open.json", parts))
        app.file_uploader(key="protocol-files").set_value([])
        app.number_input(key="k-of-open.json").set_value(2)
        app.button(key="answer-open.json").click().run()

        assert "✔ accepted protocol: <bdi>open.json</bdi>" in html_of(app)
        assert "refused" not in html_of(app)
        assert library().protocols()[0].key[:12] == "9dd1a576cc83"

    def test_a_refused_one_shows_what_could_be_declared(self, app: AppTest, parts: dict[str, Any]) -> None:
        parts["qrels"]["q2"]["d1"] = 3
        assert [each.proto.expanded for each in app.expander][:1] == [False]
        upload(app, "protocol-files", "load-protocol", ("graded.json", parts))

        assert [each.proto.expanded for each in app.expander][:1] == [True]

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

    def test_a_refused_file_can_be_seen_before_one_has_one(self, app: AppTest) -> None:
        app.button(key="see-refused").click().run()

        assert "✘ refused run: <bdi>refused.json</bdi>" in html_of(app)
        assert "2 faults in all. Nothing of this file is counted anywhere." in html_of(app)
        faults = app.dataframe[0].value
        assert list(zip(faults["query"], faults["document"], faults["position"], strict=True)) == [
            ("q2", "d1", 2),
            ("q2", "no-such-document", 3),
        ]

    def test_the_cards_can_be_put_away(self, app: AppTest) -> None:
        app.button(key="see-refused").click().run()
        app.button(key="clear-cards").click().run()

        assert "refused" not in html_of(app)

    def test_chunks_are_collapsed_by_a_map(self, app: AppTest, chunk_to_doc: Any, chunk_run: Any) -> None:
        upload(app, "map-files", "load-maps", ("mine.json", chunk_to_doc))
        assert "7 chunks of 5 documents" in html_of(app)
        app.selectbox(key="chunk-map").set_value("mine")
        app.number_input(key="budget").set_value(2)
        upload(app, "run-files", "load-runs", ("chunks.json", chunk_run))

        assert "collapsed from chunks, first 2 chunks of each query" in html_of(app)


class TestLoaded:
    @pytest.fixture
    def mine(self, app: AppTest) -> AppTest:
        """The published example with a run of one's own, `mine`, chosen in the table."""
        upload(app, "run-files", "load-runs", ("mine.json", {"q2": ["d3"]}))
        app.session_state["managed-run-kept"] = "mine"
        return open_tab(app, "What is loaded")

    def test_the_runs_stand_in_a_table_with_their_means(self, mine: AppTest) -> None:
        table = mine.dataframe[0].value.set_index("name")

        assert list(table.loc["fixture_B", ["recall", "mrr", "missing"]]) == ["0.8333", "0.8333", 0]
        assert list(table.loc["mine", ["recorded", "file"]]) == ["0/6", "mine.json"]

    def test_what_made_a_run_is_typed_in_and_read_on_compare(self, mine: AppTest) -> None:
        run = library().runs(library().protocols()[0])[-1]
        assert run.kept is not None
        mine.text_input(key=f"run-model-{run.kept.id}").set_value("<b>e5</b>")
        mine.button(key=f"save-run-{run.kept.id}").click().run()
        assert "Saved." in texts(mine)
        mine.selectbox(key="select-b").set_value("mine").run()

        assert "model <bdi>&lt;b&gt;e5&lt;/b&gt;</bdi>" in html_of(mine)

    def test_a_run_is_renamed(self, mine: AppTest) -> None:
        run = library().runs(library().protocols()[0])[-1]
        assert run.kept is not None
        mine.text_input(key=f"run-name-{run.kept.id}").set_value("tuned")
        mine.button(key=f"save-run-{run.kept.id}").click().run()

        assert "Saved." in texts(mine)
        assert mine.selectbox(key="select-a").options == ["fixture_A", "fixture_B", "all_empty", "tuned"]

    def test_two_runs_have_not_one_name(self, mine: AppTest) -> None:
        run = library().runs(library().protocols()[0])[-1]
        assert run.kept is not None
        mine.text_input(key=f"run-name-{run.kept.id}").set_value("fixture_A")
        mine.button(key=f"save-run-{run.kept.id}").click().run()

        assert "Another run of this protocol has that name." in texts(mine)
        assert "mine" in mine.selectbox(key="select-a").options

    def test_a_run_is_removed_from_every_page(self, mine: AppTest) -> None:
        mine.selectbox(key="select-b").set_value("mine").run()
        mine.button(key="really-remove-run").click().run()

        assert "mine was removed." in texts(mine)
        assert not [each for each in texts(mine) if "not loaded here" in each]
        assert mine.selectbox(key="select-b").value == "fixture_B"
        assert "mine" not in mine.selectbox(key="select-b").options

    def test_a_run_of_the_sample_stays(self, app: AppTest) -> None:
        open_tab(app, "What is loaded")

        assert not [button.key for button in app.button if button.key == "really-remove-run"]
        assert "A run of the sample data: it stays as it is." in [each.value for each in app.caption]

    def test_freezing_again_makes_a_protocol_of_its_own_with_the_same_runs(self, app: AppTest) -> None:
        open_tab(app, "What is loaded")
        app.number_input(key="again-k-9dd1a576").set_value(1)
        app.button(key="freeze-again-button").click().run()

        assert "k = <b>1</b>" in html_of(app)
        assert "Frozen, and open now. The other one is still here." in texts(app)
        runs, protocols = app.dataframe[0].value, app.dataframe[1].value
        assert list(runs["name"]) == ["fixture_A", "fixture_B", "all_empty"]
        # At k = 1, B has its first relevant document at 1 on q3 and q4: each a reciprocal rank of 1 among three.
        assert list(runs["mrr"]) == ["0.3333", "0.6667", "0.0000"]
        assert list(protocols["name"]) == ["The published example", "A help centre", "The published example"]
        assert list(protocols["k"]) == [2, 5, 1]

    def test_freezing_with_nothing_changed_makes_nothing(self, app: AppTest) -> None:
        open_tab(app, "What is loaded")
        app.button(key="freeze-again-button").click().run()

        assert "That is this protocol. Choose another split or another k." in texts(app)
        assert len(library().protocols()) == 2

    def test_a_protocol_is_renamed_and_removed(self, app: AppTest, parts: dict[str, Any]) -> None:
        upload(app, "protocol-files", "load-protocol", ("other.json", {**parts, "k": 1}))
        key = library().protocols()[-1].key[:8]
        open_tab(app, "What is loaded")
        app.text_input(key=f"protocol-name-{key}").set_value("pilot")
        app.button(key="save-protocol").click().run()
        assert [entry.name for entry in library().protocols()][2:] == ["pilot"]

        app.button(key="really-remove-protocol").click().run()

        assert "pilot was removed." in texts(app)
        assert len(library().protocols()) == 2
        assert "k = <b>2</b>" in html_of(app)


class TestChunkMaps:
    @pytest.fixture
    def mine(self, app: AppTest, chunk_to_doc: Any) -> AppTest:
        """The published example with a chunk map of one's own, `mine`, chosen in the table."""
        upload(app, "map-files", "load-maps", ("mine.json", {**chunk_to_doc, "mine": "d1"}))
        app.session_state["managed-map-kept"] = "mine"
        return open_tab(app, "What is loaded")

    def test_one_is_renamed(self, mine: AppTest) -> None:
        mine.text_input(key="map-name-mine").set_value("512 words")
        mine.button(key="save-map").click().run()

        assert "Saved." in texts(mine)
        assert list(library().chunk_maps(library().protocols()[0])) == ["chunk_to_doc", "512 words"]
        assert mine.text_input(key="map-name-512 words").value == "512 words"

    def test_one_is_removed(self, mine: AppTest) -> None:
        mine.button(key="really-remove-map").click().run()

        assert "mine was removed." in texts(mine)
        assert list(library().chunk_maps(library().protocols()[0])) == ["chunk_to_doc"]

    def test_one_of_the_sample_stays(self, app: AppTest) -> None:
        open_tab(app, "What is loaded")

        assert "A chunk map of the sample data: it stays as it is." in [each.value for each in app.caption]

    @pytest.mark.usefixtures("mine")
    def test_a_run_for_a_map_that_somebody_has_removed_is_refused(self, chunk_run: Any) -> None:
        entry = library().protocols()[0]
        card = uploads.load_run(library(), entry, ("c.json", json.dumps(chunk_run).encode()), Ordering(), "gone")

        assert "gone: there is no chunk map of this name any more" in str(card.refused)


class TestReader:
    def test_documents_are_searched_and_read_in_full(self, app: AppTest) -> None:
        open_tab(app, "Read the protocol")
        app.text_input(key="search-documents").set_value("CSV").run()

        assert list(app.dataframe[0].value["document"]) == ["d4"]
        assert "1 of 6 found" in [each.value for each in app.caption]
        assert "relevant to 1 query" in html_of(app)
        assert "<b><bdi>q2</bdi></b>" in html_of(app)

    def test_queries_with_their_split_and_how_many_documents_are_relevant(self, app: AppTest) -> None:
        open_tab(app, "Read the protocol")
        app.segmented_control(key="read-what").set_value("queries").run()

        table = app.dataframe[0].value
        assert list(zip(table["query"], table["split"], table["relevant"], strict=True)) == [
            ("q2", "test", 2),
            ("q3", "test", 1),
            ("q4", "test", 1),
            ("q5", "test", 0),
        ]

        app.selectbox(key="read-split").set_value("every split").run()

        assert list(app.dataframe[0].value["query"]) == ["q1", "q2", "q3", "q4", "q5"]

    def test_the_judgment_grid_has_a_shape_for_every_pair(self, app: AppTest) -> None:
        open_tab(app, "Read the protocol")
        app.segmented_control(key="read-what").set_value("judgments").run()
        grid = app.dataframe[0].value.set_index("query")

        assert list(grid.loc["q2"]) == [2, "○", "○", "●", "●", "○", "○"]
        assert list(grid.loc["q5"]) == [0, "○", "○", "○", "○", "○", "○"]

    def test_a_chosen_pair_is_read(self, app: AppTest) -> None:
        app.session_state["read-pair-kept"] = ("q2", "d3")
        open_tab(app, "Read the protocol")
        app.segmented_control(key="read-what").set_value("judgments").run()

        assert '<bdi>d3</bdi></b><span class="badge relevant">● <bdi>Relevant</bdi>' in html_of(app)

    def test_both_fingerprints_are_computed_again(self, app: AppTest) -> None:
        open_tab(app, "Read the protocol")
        assert "Checked when it was loaded." in html_of(app)
        app.button(key="recompute").click().run()

        assert "✔ Both were computed again from what is loaded, and are the same." in html_of(app)
        assert "9dd1a576cc830736a0884e847845f31f2390843c27a250abf3bafaf8fa72cadb" in html_of(app)

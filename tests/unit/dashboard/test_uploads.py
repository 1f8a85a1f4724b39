from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rankeval
from rankeval.core.chunks import collapse_run
from rankeval.dashboard.library import Library, LoadedProtocol, LoadedRun
from rankeval.dashboard.uploads import (
    Settings,
    answer,
    freeze_again,
    load_chunk_map,
    load_protocol,
    load_protocols,
    load_run,
)
from rankeval.formats import Ordering
from rankeval.formats.samples import sample_set
from rankeval.workspace import Workspace

CASES = Path(__file__).parents[4] / "shared" / "cases"


def named(library: Library, entry: LoadedProtocol) -> dict[str, LoadedRun]:
    return {run.name: run for run in library.runs(entry)}


def as_bytes(value: Any) -> bytes:
    return json.dumps(value).encode()


@pytest.fixture
def library() -> Library:
    return Library(Workspace("sqlite://"))


@pytest.fixture
def entry(library: Library, parts: dict[str, Any]) -> LoadedProtocol:
    _, loaded = load_protocol(library, [("example.json", as_bytes(parts))], Settings())
    assert loaded is not None
    return loaded


class TestProtocols:
    def test_an_accepted_one_says_what_it_holds(self, library: Library, parts: dict[str, Any]) -> None:
        card, entry = load_protocol(library, [("example.json", as_bytes(parts))], Settings())

        assert card.refused is None
        assert card.facts[:3] == ("6 documents", "5 queries, 4 of them in split 'test'", "k = 2")
        assert entry is not None
        assert (entry.name, card.key[:12]) == ("example", "9dd1a576cc83")

    def test_a_refused_one_is_not_there(self, library: Library) -> None:
        card, entry = load_protocol(library, [("p.json", b"{}")], Settings())

        assert (entry, library.protocols()) == (None, [])
        assert card.refused is not None

    def test_what_is_open_is_asked_for(self, library: Library, parts: dict[str, Any]) -> None:
        del parts["k"]
        card, _ = load_protocol(library, [("p.json", as_bytes(parts))], Settings())
        assert card.refused is not None
        assert card.refused.rule == "the source does not state k; choose one"

        card, _ = load_protocol(library, [("p.json", as_bytes(parts))], Settings(k=2))
        assert card.key[:12] == "9dd1a576cc83"

    def test_three_files_apart(self, library: Library, parts: dict[str, Any]) -> None:
        files = [(f"{part}.json", as_bytes(parts[part])) for part in ("qrels", "corpus", "queries")]
        card, _ = load_protocol(library, files, Settings("test", 2))

        assert card.key[:12] == "9dd1a576cc83"

    def test_files_whose_names_do_not_say_what_they_are(self, library: Library) -> None:
        files = [("queries and qrels.json", b"{}"), ("corpus.json", b"{}")]
        (card,), _ = load_protocols(library, files, Settings("test", 2))

        assert "files apart must be three" in str(card.refused)

    def test_three_files_in_order_may_be_called_anything(self, library: Library, parts: dict[str, Any]) -> None:
        files = [(f"{i}.json", as_bytes(parts[part])) for i, part in enumerate(("corpus", "queries", "qrels"))]
        card, _ = load_protocol(library, files, Settings("test", 2), in_order=True)

        assert card.key[:12] == "9dd1a576cc83"

    def test_several_files_are_several_protocols(self, library: Library, parts: dict[str, Any]) -> None:
        files = [("one.json", as_bytes(parts)), ("bad.json", b"{}"), ("two.json", as_bytes({**parts, "k": 1}))]
        cards, entry = load_protocols(library, files, Settings())

        assert [(card.file, card.refused is None) for card in cards] == [
            ("two.json", True),
            ("bad.json", False),
            ("one.json", True),
        ]
        assert entry is not None
        assert entry.protocol.k == 1
        assert [each.name for each in library.protocols()] == ["one", "two"]

    def test_an_open_source_is_kept_until_it_is_answered(self, library: Library, parts: dict[str, Any]) -> None:
        del parts["k"]
        card, _ = load_protocol(library, [("p.json", as_bytes(parts))], Settings())
        assert card.question is not None
        still, _ = answer(library, card.question, "test", None)
        assert still.question is not None
        done, entry = answer(library, still.question, "test", 2)

        assert (done.question, done.refused, done.key[:12]) == (None, None, "9dd1a576cc83")
        assert entry is not None

    def test_what_is_refused_for_something_else_asks_nothing(self, library: Library) -> None:
        card, _ = load_protocol(library, [("p.json", b"{}")], Settings())

        assert card.question is None


@pytest.mark.usefixtures("entry")
class TestProtocolNames:
    @pytest.mark.parametrize("content", [b"{", b"{}"])
    def test_a_refused_file_takes_the_name_of_the_protocol_before_it(self, library: Library, content: bytes) -> None:
        load_protocol(library, [("example.json", content)], Settings())

        assert [each.name for each in library.protocols()] == ["example (earlier, 9dd1a576)"]

    def test_another_collection_takes_it_too(self, library: Library, parts: dict[str, Any]) -> None:
        parts["corpus"]["d1"] = "another text"
        load_protocol(library, [("example.json", as_bytes(parts))], Settings())

        assert [each.name for each in library.protocols()] == ["example (earlier, 9dd1a576)", "example"]

    def test_the_same_file_again_has_its_name_back(self, library: Library, parts: dict[str, Any]) -> None:
        load_protocol(library, [("example.json", b"{")], Settings())
        _, again = load_protocol(library, [("example.json", as_bytes(parts))], Settings())

        assert again is not None
        assert (again.name, [each.name for each in library.protocols()]) == ("example", ["example"])

    def test_the_same_collection_with_another_k_stands_beside_it(self, library: Library, parts: dict[str, Any]) -> None:
        load_protocol(library, [("example.json", as_bytes(parts))], Settings(k=1))

        assert [(each.name, each.protocol.k) for each in library.protocols()] == [("example", 2), ("example", 1)]


class TestFreezingAgain:
    def test_the_runs_come_along(self, library: Library, entry: LoadedProtocol, fixture_b: Any) -> None:
        load_run(library, entry, ("b.json", as_bytes(fixture_b)), Ordering())
        card, other = freeze_again(library, entry, "test", 1, with_runs=True)

        assert card.facts[-1] == "1 run scored on it too"
        # Within the first document, q3 and q4 have all that is relevant to them, and q2 nothing.
        assert str(named(library, other)["b"].report.recall_at_k) == "2/3"
        assert str(named(library, entry)["b"].report.recall_at_k) == "5/6"

    def test_runs_of_another_split_stay_where_they_are(
        self, library: Library, entry: LoadedProtocol, fixture_b: Any
    ) -> None:
        load_run(library, entry, ("b.json", as_bytes(fixture_b)), Ordering())
        card, other = freeze_again(library, entry, "dev", 2, with_runs=True)

        assert (other.protocol.split, other.protocol.split_queries) == ("dev", ("q1",))
        assert (card.facts[-1], library.runs(other)) == ("0 runs scored on it too", [])

    def test_nothing_comes_along_where_nobody_asked(
        self, library: Library, entry: LoadedProtocol, fixture_b: Any
    ) -> None:
        load_run(library, entry, ("b.json", as_bytes(fixture_b)), Ordering())
        _, other = freeze_again(library, entry, "test", 1, with_runs=False)

        assert library.runs(other) == []

    def test_chunk_runs_are_collapsed_again_under_their_budget(
        self, library: Library, entry: LoadedProtocol, chunk_to_doc: Any, chunk_run: Any
    ) -> None:
        load_chunk_map(library, entry, ("map.json", as_bytes(chunk_to_doc)))
        load_run(library, entry, ("chunks.json", as_bytes(chunk_run)), Ordering(), "map", 2)
        _, other = freeze_again(library, entry, "test", 1, with_runs=True)
        (run,) = library.runs(other)

        assert run.name == "chunks, first 2 chunks"
        assert run.run.rankings == {"q2": ["d3"], "q3": ["d1"], "q5": []}
        assert [each.run.rankings for each in library.chunk_runs(other)] == [chunk_run]


class TestRuns:
    def test_an_accepted_one_is_scored(self, library: Library, entry: LoadedProtocol, fixture_b: Any) -> None:
        card = load_run(library, entry, ("b.json", as_bytes(fixture_b)), Ordering())

        assert card.facts[:2] == ("loaded as 'b'", "4 queries answered")
        assert str(named(library, entry)["b"].report.recall_at_k) == "5/6"

    def test_a_replaced_one_leaves_no_number(self, library: Library, entry: LoadedProtocol, fixture_a: Any) -> None:
        load_run(library, entry, ("run.json", as_bytes(fixture_a)), Ordering())
        load_run(library, entry, ("run.json", as_bytes({})), Ordering())

        assert [str(run.report.recall_at_k) for run in library.runs(entry)] == ["0"]

    @pytest.mark.parametrize("content", [b"{", b'{"q2": ["d9"]}', b""])
    def test_a_refused_one_leaves_no_earlier_number(
        self, library: Library, entry: LoadedProtocol, fixture_a: Any, content: bytes
    ) -> None:
        load_run(library, entry, ("run.json", as_bytes(fixture_a)), Ordering())
        card = load_run(library, entry, ("run.json", content), Ordering())

        assert card.refused is not None
        assert library.runs(entry) == []

    @pytest.mark.skipif(not CASES.is_dir(), reason="needs ../shared/cases, which is not beside this checkout")
    def test_a_second_upload_of_the_same_name(self, library: Library) -> None:
        case = CASES / "b27-upload-again-same-name"
        protocol = [("protocol.json", (case / "protocol.json").read_bytes())]
        _, entry = load_protocol(library, protocol, Settings())
        assert entry is not None
        found = []
        for folder in ("first", "second"):
            load_run(library, entry, ("run.json", (case / folder / "run.json").read_bytes()), Ordering())
            (run,) = library.runs(entry)
            found.append((str(run.report.recall_at_k), str(run.report.mrr_at_k)))

        assert found == [("1", "1"), ("0", "0")]


class TestNames:
    def test_a_refused_file_takes_what_it_gave_under_another_name(
        self, library: Library, entry: LoadedProtocol, fixture_a: Any
    ) -> None:
        document = {"format": "rankeval-run/1", "name": "mine", "rankings": fixture_a}
        load_run(library, entry, ("run.json", as_bytes(document)), Ordering())
        assert list(named(library, entry)) == ["mine"]
        load_run(library, entry, ("run.json", b"{"), Ordering())

        assert library.runs(entry) == []

    def test_equal_rankings_under_two_names_are_said_to_be_equal(
        self, library: Library, entry: LoadedProtocol, fixture_a: Any
    ) -> None:
        load_run(library, entry, ("a.json", as_bytes(fixture_a)), Ordering())
        card = load_run(library, entry, ("b.json", as_bytes(fixture_a)), Ordering())

        assert "the same rankings as 'a'" in card.facts

    @pytest.mark.parametrize("content", [b"{", b"{}"])
    def test_a_run_of_the_sample_stays_whatever_is_uploaded(self, content: bytes) -> None:
        sample = sample_set("tutorial")
        library = Library(Workspace("sqlite://"), (sample,))
        entry = library.protocols()[0]
        load_run(library, entry, ("fixture_A.json", b"{}"), Ordering())
        load_run(library, entry, ("fixture_A.json", content), Ordering())
        expected = {"fixture_A": "1/2", "fixture_B": "5/6", "all_empty": "0"}
        if content == b"{}":
            expected["fixture_A (uploaded)"] = "0"

        assert {run.name: str(run.report.recall_at_k) for run in library.runs(entry)} == expected


class TestChunks:
    def test_a_chunk_run_is_collapsed_by_its_map(
        self, library: Library, entry: LoadedProtocol, chunk_to_doc: Any, chunk_run: Any
    ) -> None:
        card = load_chunk_map(library, entry, ("map.json", as_bytes(chunk_to_doc)))
        assert card.facts == ("7 chunks of 5 documents",)
        load_run(library, entry, ("chunks.json", as_bytes(chunk_run)), Ordering(), "map", 2)

        assert str(named(library, entry)["chunks, first 2 chunks"].report.recall_at_k) == "1/6"

    def test_a_file_that_was_collapsed_elsewhere_does_not_say_under_which_budget(
        self, library: Library, entry: LoadedProtocol, chunk_to_doc: Any, chunk_run: Any
    ) -> None:
        """Such as `rankeval collapse --budget 2` writes: nothing in it tells two chunks from all."""
        _, adapted = collapse_run(entry.protocol, rankeval.Run(chunk_run), chunk_to_doc, 2)
        card = load_run(library, entry, ("collapsed.json", as_bytes(adapted.as_dict())), Ordering())

        assert "collapsed from chunks, budget not stated" in card.facts
        assert not [fact for fact in card.facts if "all chunks" in fact]

    def test_budgets_of_one_chunk_run_stand_together(
        self, library: Library, entry: LoadedProtocol, chunk_to_doc: Any, chunk_run: Any
    ) -> None:
        load_chunk_map(library, entry, ("map.json", as_bytes(chunk_to_doc)))
        for budget in (None, 2):
            load_run(library, entry, ("chunks.json", as_bytes(chunk_run)), Ordering(), "map", budget)

        assert list(named(library, entry)) == ["chunks, all chunks", "chunks, first 2 chunks"]

    def test_another_chunk_run_of_the_same_file_name_takes_the_place_of_all_budgets(
        self, library: Library, entry: LoadedProtocol, chunk_to_doc: Any, chunk_run: Any
    ) -> None:
        load_chunk_map(library, entry, ("map.json", as_bytes(chunk_to_doc)))
        for budget in (None, 2):
            load_run(library, entry, ("chunks.json", as_bytes(chunk_run)), Ordering(), "map", budget)
        load_run(library, entry, ("chunks.json", as_bytes({"q2": ["d4a"]})), Ordering(), "map")

        assert list(named(library, entry)) == ["chunks, all chunks"]
        assert named(library, entry)["chunks, all chunks"].run.rankings == {"q2": ["d4"]}

    def test_a_map_that_points_outside_is_refused(self, library: Library, entry: LoadedProtocol) -> None:
        card = load_chunk_map(library, entry, ("map.json", b'{"c": "d9"}'))

        assert card.refused is not None
        assert card.refused.rule == "mapping points outside the corpus"
        assert library.chunk_maps(entry) == {}

    @pytest.mark.parametrize("content", [b"{", b'{"c": "d9"}'])
    def test_a_refused_map_takes_the_name_of_the_one_before_it(
        self, library: Library, entry: LoadedProtocol, chunk_to_doc: Any, content: bytes
    ) -> None:
        load_chunk_map(library, entry, ("map.json", as_bytes(chunk_to_doc)))
        load_chunk_map(library, entry, ("map.json", content))

        assert library.chunk_maps(entry) == {}

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rankeval.dashboard.library import Library, LoadedProtocol
from rankeval.dashboard.uploads import load_chunk_map, load_protocol, load_run
from rankeval.formats import Declared, Ordering

CASES = Path(__file__).parents[4] / "shared" / "cases"


def as_bytes(value: Any) -> bytes:
    return json.dumps(value).encode()


@pytest.fixture
def library() -> Library:
    return Library()


@pytest.fixture
def entry(library: Library, parts: dict[str, Any]) -> LoadedProtocol:
    _, loaded = load_protocol(library, [("example.json", as_bytes(parts))], None, None, Declared())
    assert loaded is not None
    return loaded


class TestProtocols:
    def test_an_accepted_one_says_what_it_holds(self, library: Library, parts: dict[str, Any]) -> None:
        card, entry = load_protocol(library, [("example.json", as_bytes(parts))], None, None, Declared())

        assert card.refused is None
        assert card.facts[:3] == ("6 documents", "5 queries, 4 of them in split 'test'", "k = 2")
        assert entry is not None
        assert (entry.name, card.key[:12]) == ("example", "9dd1a576cc83")

    def test_a_refused_one_is_not_there(self, library: Library) -> None:
        card, entry = load_protocol(library, [("p.json", b"{}")], None, None, Declared())

        assert (entry, library.protocols()) == (None, [])
        assert card.refused is not None

    def test_what_is_open_is_asked_for(self, library: Library, parts: dict[str, Any]) -> None:
        del parts["k"]
        card, _ = load_protocol(library, [("p.json", as_bytes(parts))], None, None, Declared())
        assert card.refused is not None
        assert card.refused.rule == "the source does not state k; choose one"

        card, _ = load_protocol(library, [("p.json", as_bytes(parts))], None, 2, Declared())
        assert card.key[:12] == "9dd1a576cc83"

    def test_three_files_apart(self, library: Library, parts: dict[str, Any]) -> None:
        files = [(f"{part}.json", as_bytes(parts[part])) for part in ("qrels", "corpus", "queries")]
        card, _ = load_protocol(library, files, "test", 2, Declared())

        assert card.key[:12] == "9dd1a576cc83"

    def test_files_whose_names_do_not_say_what_they_are(self, library: Library) -> None:
        card, _ = load_protocol(library, [("a.json", b"{}"), ("b.json", b"{}")], "test", 2, Declared())

        assert "files apart must be three" in str(card.refused)


class TestRuns:
    def test_an_accepted_one_is_scored(self, library: Library, entry: LoadedProtocol, fixture_b: Any) -> None:
        card = load_run(library, entry, ("b.json", as_bytes(fixture_b)), Ordering())

        assert card.facts[:2] == ("loaded as 'b'", "4 queries answered")
        assert str(entry.runs["b"].report.recall_at_k) == "5/6"

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
        _, entry = load_protocol(library, protocol, None, None, Declared())
        assert entry is not None
        found = []
        for folder in ("first", "second"):
            load_run(library, entry, ("run.json", (case / folder / "run.json").read_bytes()), Ordering())
            (run,) = library.runs(entry)
            found.append((str(run.report.recall_at_k), str(run.report.mrr_at_k)))

        assert found == [("1", "1"), ("0", "0")]


class TestChunks:
    def test_a_chunk_run_is_collapsed_by_its_map(
        self, library: Library, entry: LoadedProtocol, chunk_to_doc: Any, chunk_run: Any
    ) -> None:
        card = load_chunk_map(library, entry, ("map.json", as_bytes(chunk_to_doc)))
        assert card.facts == ("7 chunks of 5 documents",)
        load_run(library, entry, ("chunks.json", as_bytes(chunk_run)), Ordering(), "map", 2)

        assert str(entry.runs["chunks"].report.recall_at_k) == "1/6"

    def test_a_map_that_points_outside_is_refused(self, library: Library, entry: LoadedProtocol) -> None:
        card = load_chunk_map(library, entry, ("map.json", b'{"c": "d9"}'))

        assert card.refused is not None
        assert card.refused.rule == "mapping points outside the corpus"
        assert entry.chunk_maps == {}

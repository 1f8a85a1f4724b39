from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

import rankeval
from rankeval.core.provenance import Declaration, Provenance
from rankeval.core.run import FromChunks
from rankeval.dashboard import library as module
from rankeval.dashboard.library import Library
from rankeval.formats.samples import sample_sets
from rankeval.workspace import Workspace


class TestProtocols:
    def test_the_same_protocol_is_there_once(self, protocol: rankeval.Protocol) -> None:
        library = Library(Workspace("sqlite://"))

        assert library.add_protocol("one", protocol).key == library.add_protocol("two", protocol).key
        assert [entry.name for entry in library.protocols()] == ["one"]

    def test_a_stated_fingerprint_alone_does_not_make_two_protocols_one(self, protocol: rankeval.Protocol) -> None:
        """A file may state a fingerprint that was not recomputed; what is compared is always computed."""
        other = rankeval.Protocol.from_relevant(
            protocol.corpus,
            protocol.queries,
            protocol.relevant,
            "test",
            1,
            recorded_sha256=protocol.protocol_sha256,
        )
        library = Library(Workspace("sqlite://"))
        library.add_protocol("one", protocol)

        assert library.add_protocol("two", other).protocol.k == 1

    def test_it_stands_with_the_declarations_that_it_was_brought_with_last(
        self, protocol: rankeval.Protocol, parts: dict[str, Any]
    ) -> None:
        declared = Provenance(declarations=(Declaration("unlisted-nonrelevant", "all were judged"),))
        library = Library(Workspace("sqlite://"))
        library.add_protocol("one", protocol)
        library.add_protocol("one", rankeval.Protocol(**parts, provenance=declared))

        assert library.protocols()[0].protocol.provenance == declared


class TestRuns:
    def test_the_same_rankings_are_scored_once(
        self, protocol: rankeval.Protocol, fixture_a: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        library = Library(Workspace("sqlite://"))
        entry = library.add_protocol("one", protocol)
        first = library.add_run(entry, rankeval.Run(fixture_a, "a"))
        monkeypatch.setattr(module, "score", None)
        second = library.add_run(entry, rankeval.Run(fixture_a, "b"))

        assert first.report is second.report

    def test_what_was_replaced_is_found_by_its_address_alone(
        self, protocol: rankeval.Protocol, fixture_a: Any, fixture_b: Any
    ) -> None:
        library = Library(Workspace("sqlite://"))
        entry = library.add_protocol("one", protocol)
        first = library.add_run(entry, rankeval.Run(fixture_a, "mine", source="mine.json"))
        library.add_run(entry, rankeval.Run(fixture_b, "mine", source="mine.json"))

        assert [run.name for run in library.runs(entry)] == ["mine"]
        earlier = library.all_runs(entry)[1]
        assert (earlier.key, earlier.name) == (first.key, f"mine (earlier, {first.key[:8]})")
        assert str(earlier.report.recall_at_k) == "1/2"

    def test_a_renamed_run_keeps_its_numbers(self, protocol: rankeval.Protocol, fixture_a: Any) -> None:
        library = Library(Workspace("sqlite://"))
        entry = library.add_protocol("one", protocol)
        library.rename_run(library.add_run(entry, rankeval.Run(fixture_a, "a")), "baseline")
        (run,) = library.runs(entry)

        assert (run.name, run.run.name, str(run.report.recall_at_k)) == ("baseline", "baseline", "1/2")

    def test_what_made_a_run_can_be_typed_in_later(self, protocol: rankeval.Protocol, fixture_a: Any) -> None:
        library = Library(Workspace("sqlite://"))
        entry = library.add_protocol("one", protocol)
        library.describe_run(library.add_run(entry, rankeval.Run(fixture_a, "a")), {"model": "e5"})

        assert library.runs(entry)[0].run.system == {"model": "e5"}

    def test_a_removed_run_is_gone(self, protocol: rankeval.Protocol, fixture_a: Any) -> None:
        library = Library(Workspace("sqlite://"))
        entry = library.add_protocol("one", protocol)
        library.remove_run(library.add_run(entry, rankeval.Run(fixture_a, "a")))

        assert library.all_runs(entry) == []


class TestSamples:
    def test_are_there_and_cannot_be_removed(self) -> None:
        library = Library(Workspace("sqlite://"), sample_sets())
        entry = library.protocols()[0]
        library.remove_run(library.runs(entry)[0])
        library.remove_protocol(entry)

        assert [run.name for run in library.runs(library.protocols()[0])] == ["fixture_A", "fixture_B", "all_empty"]

    def test_a_run_that_is_added_to_one_stays_after_a_restart(self, fixture_a: Any, tmp_path: Path) -> None:
        for _ in range(2):
            library = Library(Workspace(tmp_path / "rankeval.db"), sample_sets())
            entry = library.protocols()[0]
            library.add_run(entry, rankeval.Run(fixture_a, "mine"))

        assert [run.name for run in library.runs(entry)] == ["fixture_A", "fixture_B", "all_empty", "mine"]
        assert len(library.protocols()) == 2


class TestDamage:
    def test_a_damaged_protocol_is_said_and_the_others_stay(self, protocol: rankeval.Protocol, tmp_path: Path) -> None:
        Library(Workspace(tmp_path / "rankeval.db")).add_protocol("one", protocol)
        other = protocol.with_split_and_k(k=1)
        Library(Workspace(tmp_path / "rankeval.db")).add_protocol("two", other)
        with sqlite3.connect(tmp_path / "rankeval.db") as file:
            file.execute("UPDATE protocol SET content = x'00' WHERE label = 'one'")
        library = Library(Workspace(tmp_path / "rankeval.db"))

        assert [entry.name for entry in library.protocols()] == ["two"]
        assert "protocol 62034f9d90a9 is not shown" in str(library.damaged["one"])


class TestChunks:
    def test_a_chunk_run_comes_back_as_it_was_received(
        self, protocol: rankeval.Protocol, chunk_to_doc: Any, chunk_run: Any, tmp_path: Path
    ) -> None:
        library = Library(Workspace(tmp_path / "rankeval.db"))
        entry = library.add_protocol("one", protocol)
        library.add_chunk_map(entry, "map", chunk_to_doc)
        library.add_chunk_run(entry, rankeval.Run(chunk_run, "c"), library.chunk_maps(entry)["map"], 2, "c, first 2")
        again = Library(Workspace(tmp_path / "rankeval.db"))
        entry = again.protocols()[0]
        (run,), (received,) = again.runs(entry), again.chunk_runs(entry)

        assert (str(run.report.recall_at_k), str(run.report.mrr_at_k)) == ("1/6", "1/3")
        assert run.run.from_chunks is not None
        assert run.run.from_chunks.budget == 2
        assert received.run.rankings == chunk_run
        assert again.received(entry, run.run) == received

    def test_a_run_that_was_collapsed_elsewhere_keeps_what_its_file_says_of_that(
        self, protocol: rankeval.Protocol, fixture_a: Any, tmp_path: Path
    ) -> None:
        """Neither the chunk run nor the map is here: it is a run of documents, of which more is known."""
        said = FromChunks("c" * 64, "a" * 64, 5)
        library = Library(Workspace(tmp_path / "rankeval.db"))
        entry = library.add_protocol("one", protocol)
        library.add_run(entry, rankeval.Run(fixture_a, "elsewhere", from_chunks=said))
        again = Library(Workspace(tmp_path / "rankeval.db"))
        entry = again.protocols()[0]
        (run,) = again.runs(entry)

        assert run.from_chunks == run.run.from_chunks == said
        assert run.run.rankings == fixture_a
        assert again.chunk_runs(entry) == []
        assert again.received(entry, run.run) is None

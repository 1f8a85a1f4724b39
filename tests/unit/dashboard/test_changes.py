from __future__ import annotations

from typing import Any

import pytest

import rankeval
from rankeval.dashboard.changes import (
    change_map,
    change_protocol,
    change_run,
    freeze_again,
    remove_map,
    remove_protocol,
    remove_run,
    system_of,
    typed_of,
)
from rankeval.dashboard.library import Library, LoadedProtocol, LoadedRun
from rankeval.formats.samples import sample_sets
from rankeval.workspace import Workspace, WorkspaceError


@pytest.fixture
def library() -> Library:
    return Library(Workspace("sqlite://"))


@pytest.fixture
def run(library: Library, protocol: rankeval.Protocol, fixture_a: Any, fixture_b: Any) -> LoadedRun:
    """The first of two runs, `a` and `b`."""
    entry = library.add_protocol("example", protocol)
    library.add_run(entry, rankeval.Run(fixture_a, "a", system={"model": "e5"}))
    library.add_run(entry, rankeval.Run(fixture_b, "b"))
    return library.runs(entry)[0]


class TestRuns:
    def test_name_and_system_at_once(self, library: Library, run: LoadedRun) -> None:
        assert change_run(library, run, "tuned", {"model": "e5", "filters": "none"}) == ""
        first = library.runs(run.entry)[0]

        assert (first.name, first.key) == ("tuned", run.key)
        assert first.run.system == {"model": "e5", "filters": "none"}

    def test_its_own_name_is_no_other_runs(self, library: Library, run: LoadedRun) -> None:
        assert change_run(library, run, "a", {}) == ""

    @pytest.mark.parametrize(
        ("name", "why"), [("b", "Another run of this protocol has that name."), (" ", "A run needs a name.")]
    )
    def test_a_name_that_will_not_do(self, library: Library, run: LoadedRun, name: str, why: str) -> None:
        assert change_run(library, run, name, {"model": "bge"}) == why
        assert (library.runs(run.entry)[0].name, library.runs(run.entry)[0].run.system) == ("a", {"model": "e5"})

    def test_removing(self, library: Library, run: LoadedRun) -> None:
        assert remove_run(library, run) == ""
        assert [each.name for each in library.runs(run.entry)] == ["b"]


class TestChunkMaps:
    @pytest.fixture
    def entry(self, library: Library, run: LoadedRun, chunk_to_doc: Any) -> LoadedProtocol:
        """The protocol with two maps, `one` and `two`."""
        for name in ("one", "two"):
            library.add_chunk_map(run.entry, name, {**chunk_to_doc, name: "d1"})
        return run.entry

    def test_a_name(self, library: Library, entry: LoadedProtocol) -> None:
        key = library.chunk_maps(entry)["one"].key
        assert change_map(library, entry, library.chunk_maps(entry)["one"], "tuned") == ""
        assert [(name, each.key == key) for name, each in library.chunk_maps(entry).items()] == [
            ("tuned", True),
            ("two", False),
        ]

    @pytest.mark.parametrize(
        ("name", "why"),
        [("two", "Another chunk map of this protocol has that name."), (" ", "A chunk map needs a name."), ("one", "")],
    )
    def test_a_name_that_will_not_do_and_its_own(
        self, library: Library, entry: LoadedProtocol, name: str, why: str
    ) -> None:
        assert change_map(library, entry, library.chunk_maps(entry)["one"], name) == why
        assert list(library.chunk_maps(entry)) == ["one", "two"]

    def test_removing_leaves_the_runs_that_were_made_with_it(
        self, library: Library, entry: LoadedProtocol, chunk_run: Any
    ) -> None:
        """The published example's figures under two chunks: 1/6 and 1/3 (SPEC.md)."""
        own = library.chunk_maps(entry)["one"]
        library.add_chunk_run(entry, rankeval.Run(chunk_run, "c"), own, 2, "chunks")
        assert remove_map(library, entry, own) == ""
        report = library.runs(entry)[-1].report

        assert list(library.chunk_maps(entry)) == ["two"]
        assert (str(report.recall_at_k), str(report.mrr_at_k)) == ("1/6", "1/3")
        assert library.chunk_runs(entry)[0].chunk_map.chunk_to_doc == own.chunk_to_doc

    def test_one_of_the_sample_stays(self) -> None:
        library = Library(Workspace("sqlite://"), sample_sets())
        entry = library.protocols()[0]
        own = library.chunk_maps(entry)["chunk_to_doc"]
        change_map(library, entry, own, "mine")
        remove_map(library, entry, own)

        assert list(library.chunk_maps(entry)) == ["chunk_to_doc"]


class TestProtocols:
    def test_a_name(self, library: Library, run: LoadedRun) -> None:
        assert change_protocol(library, run.entry, "pilot") == ""
        assert [each.name for each in library.protocols()] == ["pilot"]

    def test_no_name(self, library: Library, run: LoadedRun) -> None:
        assert change_protocol(library, run.entry, "") == "A protocol needs a name."

    def test_removing_takes_its_runs(self, library: Library, run: LoadedRun, protocol: rankeval.Protocol) -> None:
        assert remove_protocol(library, run.entry) == ""
        assert library.protocols() == []
        assert library.runs(library.add_protocol("again", protocol)) == []

    def test_freezing_the_same_again(self, library: Library, run: LoadedRun) -> None:
        said, other = freeze_again(library, run.entry, "test", 2, with_runs=True)

        assert (said, other) == ("That is this protocol. Choose another split or another k.", None)


class TestHindrance:
    def test_a_workspace_that_cannot_be_written_is_said(
        self, library: Library, run: LoadedRun, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def locked(*_: object) -> None:
            raise WorkspaceError.of("the workspace cannot be written", "rankeval.db", "database is locked")

        monkeypatch.setattr(Workspace, "remove_run", locked)

        assert "database is locked" in remove_run(library, run)


class TestSystem:
    def test_every_field_has_what_is_typed_in_it(self) -> None:
        assert list(typed_of({})) == ["description", "configuration", "model", "index_version", "filters", "chunker"]

    def test_an_emptied_field_is_not_recorded(self) -> None:
        assert system_of({"model": "e5", "filters": "none"}, {"model": "", "filters": "none"}) == {"filters": "none"}

    def test_what_a_file_recorded_as_a_number_stays_one(self) -> None:
        assert system_of({"index_version": 3}, {"index_version": "3", "model": "e5"}) == {
            "model": "e5",
            "index_version": 3,
        }

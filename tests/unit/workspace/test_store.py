from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, update

import rankeval
from rankeval.core import fingerprint
from rankeval.core.provenance import Declaration
from rankeval.core.run import FromChunks
from rankeval.workspace import Workspace, WorkspaceError
from rankeval.workspace.content import rankings_bytes, recorded_run
from rankeval.workspace.schema import RankingsRow


class TestProtocols:
    def test_come_back_as_they_were(self, where: str, opened: Any, protocol: rankeval.Protocol) -> None:
        opened(where).add_protocol("one", protocol)
        again = opened(where).protocol(protocol.compact_sha256)

        assert again == protocol
        assert again.protocol_sha256 == protocol.protocol_sha256
        assert list(again.corpus) == list(protocol.corpus)

    def test_stand_in_the_order_in_which_they_came(self, where: str, opened: Any, protocol: rankeval.Protocol) -> None:
        workspace = opened(where)
        for k in (3, 1, 2):
            workspace.add_protocol(f"k = {k}", protocol.with_split_and_k(k=k))
        workspace.add_protocol("again", protocol.with_split_and_k(k=1))

        assert [each.label for each in workspace.protocols()] == ["k = 3", "k = 1", "k = 2"]

    def test_go_with_their_runs(self, workspace: Workspace, protocol: rankeval.Protocol, fixture_a: Any) -> None:
        workspace.add_run(protocol.compact_sha256, rankeval.Run(fixture_a))
        workspace.remove_protocol(protocol.compact_sha256)

        assert workspace.runs(protocol.compact_sha256) == []
        with pytest.raises(WorkspaceError, match="does not match its fingerprint"):
            workspace.rankings(rankeval.Run(fixture_a).run_sha256)


class TestRuns:
    def test_all_that_is_known_comes_back(
        self, workspace: Workspace, protocol: rankeval.Protocol, fixture_a: Any
    ) -> None:
        run = rankeval.Run(
            fixture_a,
            "a",
            source="a.trec",
            system={"model": "e5", "filters": ["lang"]},
            declarations=(Declaration("ties", "file-order", "2 ties"),),
            notes=("the TREC tag is 'x'",),
        )
        kept = workspace.add_run(protocol.compact_sha256, run)

        assert recorded_run(workspace.rankings(kept.received_sha256), kept.label, kept.record, kept.origin) == run

    def test_the_order_of_queries_is_the_files(self, workspace: Workspace, protocol: rankeval.Protocol) -> None:
        kept = workspace.add_run(protocol.compact_sha256, rankeval.Run({"q4": [], "q2": []}))

        assert list(workspace.rankings(kept.received_sha256)) == ["q4", "q2"]

    def test_the_same_run_twice_is_there_once(
        self, workspace: Workspace, protocol: rankeval.Protocol, fixture_a: Any
    ) -> None:
        for _ in range(2):
            workspace.add_run(protocol.compact_sha256, rankeval.Run(fixture_a, "a"))

        assert [(each.label, each.replaced) for each in workspace.runs(protocol.compact_sha256)] == [("a", False)]

    def test_one_content_may_carry_several_names(
        self, workspace: Workspace, protocol: rankeval.Protocol, fixture_a: Any
    ) -> None:
        for name in ("a", "b"):
            workspace.add_run(protocol.compact_sha256, rankeval.Run(fixture_a, name))

        assert [each.label for each in workspace.runs(protocol.compact_sha256)] == ["a", "b"]

    def test_damaged_rankings_are_refused(
        self, workspace: Workspace, protocol: rankeval.Protocol, fixture_a: Any
    ) -> None:
        kept = workspace.add_run(protocol.compact_sha256, rankeval.Run(fixture_a))
        with workspace.database.writing() as session:
            session.execute(update(RankingsRow).values(content=rankings_bytes({"q2": ["d3"]})))

        with pytest.raises(WorkspaceError, match=f"run {kept.received_sha256[:12]} is not shown"):
            workspace.rankings(kept.received_sha256)

    def test_threads_that_add_at_once_lose_nothing(self, workspace: Workspace, protocol: rankeval.Protocol) -> None:
        def add(number: int) -> None:
            rankings = {"q2": [f"d{number % 6 + 1}"]}
            workspace.add_run(protocol.compact_sha256, rankeval.Run(rankings, f"run {number}"))

        threads = [threading.Thread(target=add, args=(number,)) for number in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        names = {each.label for each in workspace.runs(protocol.compact_sha256)}
        assert names == {f"run {number}" for number in range(12)}

    def test_a_removed_chunk_map_is_gone_when_nothing_stands_on_it(
        self, workspace: Workspace, protocol: rankeval.Protocol
    ) -> None:
        compact = protocol.compact_sha256
        key = fingerprint.adapter_sha256({"c1": "d1"})
        for name in ("one", "two"):
            workspace.add_chunk_map(compact, name, key, {"c1": "d1"})
        workspace.remove_map(compact, "one")
        assert workspace.chunk_map(key) == {"c1": "d1"}
        workspace.remove_map(compact, "two")

        assert workspace.chunk_maps(compact) == []
        with pytest.raises(WorkspaceError, match=f"chunk map {key[:12]}"):
            workspace.chunk_map(key)

    def test_a_renamed_chunk_map_takes_a_name_from_another(
        self, workspace: Workspace, protocol: rankeval.Protocol
    ) -> None:
        compact = protocol.compact_sha256
        for name, chunk_map in (("one", {"c1": "d1"}), ("two", {"c2": "d2"})):
            workspace.add_chunk_map(compact, name, fingerprint.adapter_sha256(chunk_map), chunk_map)
        workspace.rename_map(compact, "one", "two")

        (kept,) = workspace.chunk_maps(compact)
        assert (kept.label, kept.adapter_sha256) == ("two", fingerprint.adapter_sha256({"c1": "d1"}))

    def test_a_file_of_documents_that_says_it_was_collapsed_is_documents(
        self, workspace: Workspace, protocol: rankeval.Protocol, fixture_a: Any
    ) -> None:
        said = FromChunks(None, "d6706e72c8476072541a9ff6ec1ea1c86c4b7c58057b587db56acac24102cd12", 2)
        run = rankeval.Run(fixture_a, "collapsed", from_chunks=said)
        kept = workspace.add_run(protocol.compact_sha256, run)

        assert (kept.received_sha256, kept.adapter_sha256, kept.budget) == (run.run_sha256, None, None)
        assert recorded_run(workspace.rankings(kept.received_sha256), kept.label, kept.record, kept.origin) == run

    def test_what_somebody_else_has_removed_is_said(self, workspace: Workspace) -> None:
        with pytest.raises(WorkspaceError, match="the workspace no longer holds it"):
            workspace.rename_run(7, "another name")


class TestWriting:
    def test_a_file_that_somebody_holds_is_said(
        self, file: Path, protocol: rankeval.Protocol, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        workspace = Workspace(file)
        workspace.add_protocol("one", protocol)
        monkeypatch.setattr("rankeval.workspace.database._PATIENCE_MS", 10)
        holder = sqlite3.connect(file, isolation_level=None)
        holder.execute("BEGIN EXCLUSIVE")

        with pytest.raises(WorkspaceError, match=r"cannot be written\n.*locked: another program holds it; wait"):
            workspace.rename_protocol(protocol.compact_sha256, "two")
        holder.close()

    def test_a_writer_of_the_same_process_that_holds_it_is_said(
        self, workspace: Workspace, protocol: rankeval.Protocol, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("rankeval.workspace.database._PATIENCE_MS", 10)

        with (
            workspace.database.writing(),
            pytest.raises(WorkspaceError, match=r"cannot be written\n.*another program holds it; wait"),
        ):
            workspace.rename_protocol(protocol.compact_sha256, "two")

    def test_a_database_that_somebody_holds_is_said(
        self, postgresql_url: str, opened: Any, protocol: rankeval.Protocol, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        workspace = opened(postgresql_url)
        workspace.add_protocol("one", protocol)
        monkeypatch.setattr("rankeval.workspace.database._PATIENCE_MS", 10)

        other = opened(postgresql_url)
        with workspace.database.writing() as session:
            session.connection()
            with pytest.raises(WorkspaceError, match=r"cannot be written\n.*another program holds it; wait"):
                other.rename_protocol(protocol.compact_sha256, "two")

    def test_a_full_disk_is_said_and_nothing_is_written(self, file: Path, protocol: rankeval.Protocol) -> None:
        workspace = Workspace(file)
        workspace.add_protocol("one", protocol)
        event.listen(workspace.database._engine, "connect", lambda raw, _: raw.execute("PRAGMA max_page_count=1"))

        with pytest.raises(WorkspaceError, match=r"cannot be written\n.*the disk is full and nothing was saved"):
            workspace.rename_protocol(protocol.compact_sha256, "two" * 100_000)
        assert [each.label for each in Workspace(file).protocols()] == ["one"]

    def test_a_file_that_can_only_be_read_is_read(self, file: Path, protocol: rankeval.Protocol) -> None:
        Workspace(file).add_protocol("one", protocol)
        workspace = Workspace(f"sqlite:///file:{file}?mode=ro&uri=true")

        assert [each.label for each in workspace.protocols()] == ["one"]
        with pytest.raises(WorkspaceError, match=r"cannot be written\n.*readonly database: it can only be read"):
            workspace.rename_protocol(protocol.compact_sha256, "two")

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

import rankeval
from rankeval.core.provenance import Declaration
from rankeval.workspace import Workspace, WorkspaceError
from rankeval.workspace.content import rankings_bytes, recorded_run


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "rankeval.db"


class TestOpening:
    def test_a_new_file_states_its_version(self, file: Path) -> None:
        Workspace(file)

        with sqlite3.connect(file) as opened:
            assert opened.execute("SELECT version FROM workspace").fetchall() == [(1,)]
            assert opened.execute("PRAGMA journal_mode").fetchone() == ("wal",)

    def test_a_file_of_another_version_is_refused(self, file: Path) -> None:
        Workspace(file)
        with sqlite3.connect(file) as opened:
            opened.execute("UPDATE workspace SET version = 7")

        with pytest.raises(WorkspaceError, match="tables are of version 7, and this program knows version 1"):
            Workspace(file)

    def test_a_file_that_is_no_workspace_is_refused(self, file: Path) -> None:
        file.write_bytes(b"x" * 4096)

        with pytest.raises(WorkspaceError, match="the workspace cannot be opened"):
            Workspace(file)

    @pytest.mark.parametrize("where", ["nosuch://host/db", "://", "/no/such/folder/rankeval.db"])
    def test_a_place_that_there_is_not_is_refused(self, where: str) -> None:
        with pytest.raises(WorkspaceError, match="the workspace cannot be opened"):
            Workspace(where)


class TestProtocols:
    def test_come_back_from_the_file_as_they_were(self, file: Path, protocol: rankeval.Protocol) -> None:
        Workspace(file).add_protocol("one", protocol)
        again = Workspace(file).protocol(protocol.compact_sha256)

        assert again == protocol
        assert again.protocol_sha256 == protocol.protocol_sha256
        assert list(again.corpus) == list(protocol.corpus)

    def test_stand_in_the_order_in_which_they_came(self, file: Path, protocol: rankeval.Protocol) -> None:
        workspace = Workspace(file)
        for k in (3, 1, 2):
            workspace.add_protocol(f"k = {k}", protocol.with_split_and_k(k=k))
        workspace.add_protocol("again", protocol.with_split_and_k(k=1))

        assert [each.label for each in workspace.protocols()] == ["k = 3", "k = 1", "k = 2"]

    def test_go_with_their_runs(self, file: Path, protocol: rankeval.Protocol, fixture_a: Any) -> None:
        workspace = Workspace(file)
        workspace.add_protocol("one", protocol)
        workspace.add_run(protocol.compact_sha256, rankeval.Run(fixture_a))
        workspace.remove_protocol(protocol.compact_sha256)

        assert workspace.runs(protocol.compact_sha256) == []
        with pytest.raises(WorkspaceError, match="does not match its fingerprint"):
            workspace.rankings(rankeval.Run(fixture_a).run_sha256)


class TestRuns:
    @pytest.fixture
    def workspace(self, file: Path, protocol: rankeval.Protocol) -> Workspace:
        workspace = Workspace(file)
        workspace.add_protocol("one", protocol)
        return workspace

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
        self, workspace: Workspace, protocol: rankeval.Protocol, fixture_a: Any, file: Path
    ) -> None:
        kept = workspace.add_run(protocol.compact_sha256, rankeval.Run(fixture_a))
        with sqlite3.connect(file) as opened:
            opened.execute("UPDATE rankings SET content = ?", (rankings_bytes({"q2": ["d3"]}),))

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

    def test_a_file_that_somebody_holds_is_said(
        self, workspace: Workspace, protocol: rankeval.Protocol, file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("rankeval.workspace.store._PATIENCE_MS", 10)
        holder = sqlite3.connect(file, isolation_level=None)
        holder.execute("BEGIN EXCLUSIVE")

        with pytest.raises(WorkspaceError, match="the workspace cannot be written"):
            workspace.rename_protocol(protocol.compact_sha256, "two")
        holder.close()

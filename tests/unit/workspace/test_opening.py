from __future__ import annotations

import multiprocessing
import sqlite3
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

import rankeval
from rankeval.workspace import Workspace, WorkspaceError, opening
from rankeval.workspace.database import Database
from rankeval.workspace.schema import VERSION, Base

STORED = Path(__file__).parents[2] / "data" / "workspaces"
"""A workspace as each earlier version of the program left it, as SQL text."""

EARLIER = range(1, VERSION)


def stored(version: int, file: Path) -> None:
    with closing(sqlite3.connect(file)) as made:
        made.executescript((STORED / f"version-{version}.sql").read_text(encoding="utf-8"))


def tables(connection: sqlite3.Connection) -> set[tuple[Any, ...]]:
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    pragmas = ("table_info", "foreign_key_list", "index_list")
    return {
        (name, pragma, *row)
        for name in names
        if name != "alembic_version"
        for pragma in pragmas
        for row in connection.execute(f"PRAGMA {pragma}({name})")
    }


class TestNew:
    def test_a_new_file_states_its_version(self, file: Path) -> None:
        Workspace(file)

        with closing(sqlite3.connect(file)) as made:
            assert made.execute("SELECT version FROM workspace").fetchall() == [(VERSION,)]
            assert made.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert sorted(each.name for each in file.parent.iterdir()) == ["rankeval.db"]

    def test_the_migrations_make_the_tables_of_the_schema(self, where: str, opened: Callable[..., Workspace]) -> None:
        with opened(where).database.reading() as session:
            context = MigrationContext.configure(session.connection(), opts={"compare_type": True})

            assert compare_metadata(context, Base.metadata) == []

    def test_one_in_memory_is_new_each_time(self, protocol: rankeval.Protocol) -> None:
        Workspace("sqlite://").add_protocol("one", protocol)

        assert Workspace("sqlite://").protocols() == []


class TestRefused:
    def test_a_newer_one(self, where: str, opened: Callable[..., Workspace]) -> None:
        with opened(where).database.writing() as session:
            session.connection().exec_driver_sql("UPDATE workspace SET version = 7")

        with pytest.raises(WorkspaceError, match="tables are of version 7, and this program knows version 2"):
            opened(where)

    def test_a_file_that_is_no_database(self, file: Path) -> None:
        file.write_bytes(b"x" * 4096)

        with pytest.raises(WorkspaceError, match=r"cannot be opened\n.*file is not a database"):
            Workspace(file)
        assert file.read_bytes() == b"x" * 4096

    @pytest.mark.parametrize("table", ["other (a)", "workspace (a)", "workspace (version)"])
    def test_tables_of_something_else(self, where: str, table: str, opened: Callable[..., Workspace]) -> None:
        other = Database(where)
        with other.writing() as session:
            session.connection().exec_driver_sql(f"CREATE TABLE {table.replace(')', ' INTEGER)')}")
        other.close()

        with pytest.raises(WorkspaceError, match="this is no workspace"):
            opened(where)

    def test_a_file_of_something_else_is_left_as_it_is(self, file: Path) -> None:
        with closing(sqlite3.connect(file)) as other:
            other.execute("CREATE TABLE other (a)")
        before = file.read_bytes()

        with pytest.raises(WorkspaceError, match="it holds the tables of something else"):
            Workspace(file)
        assert file.read_bytes() == before

    def test_none_where_one_is_asked_for(self, where: str, file: Path, opened: Callable[..., Workspace]) -> None:
        with pytest.raises(WorkspaceError, match="this is no workspace"):
            opened(where, create=False)
        assert not file.exists()

    @pytest.mark.parametrize(
        "where", ["nosuch://host/db", "://", "/no/such/folder/rankeval.db", "postgresql://me@/x?host=/no/such/folder"]
    )
    def test_a_place_that_there_is_not(self, where: str) -> None:
        with pytest.raises(WorkspaceError, match="the workspace cannot be opened"):
            Workspace(where)

    def test_a_password_is_not_said(self) -> None:
        with pytest.raises(WorkspaceError) as refused:
            Workspace("postgresql://me:secret@/x?host=/no/such/folder")

        assert "secret" not in str(refused.value)


class TestOlder:
    @pytest.mark.parametrize("version", EARLIER)
    def test_there_is_a_stored_file_of_every_version(self, version: int) -> None:
        assert (STORED / f"version-{version}.sql").is_file()

    def test_the_first_migration_makes_the_tables_of_that_time(self, file: Path, tmp_path: Path) -> None:
        stored(1, tmp_path / "stored.db")
        database = Database(file)
        with database.changing_tables(1_000) as connection:
            opening.migrate(connection, None, "1")

        with closing(sqlite3.connect(tmp_path / "stored.db")) as then, closing(sqlite3.connect(file)) as now:
            assert tables(now) == tables(then)

    @pytest.mark.parametrize("version", EARLIER)
    def test_what_it_holds_is_there_afterwards(
        self, version: int, file: Path, protocol: rankeval.Protocol, fixture_a: Any, chunk_run: Any, chunk_to_doc: Any
    ) -> None:
        stored(version, file)
        workspace = Workspace(file)
        compact = protocol.compact_sha256

        assert [each.label for each in workspace.protocols()] == ["the published example"]
        assert workspace.protocol(compact) == protocol
        runs = {each.label: each for each in workspace.runs(compact)}
        assert list(runs) == ["fixture_A", "fixture_B (earlier, 3be8d252)", "fixture_B", "chunks, all", "chunks, 2"]
        assert workspace.rankings(runs["fixture_A"].received_sha256) == fixture_a
        assert workspace.rankings(runs["chunks, 2"].received_sha256) == chunk_run
        assert [each.label for each in workspace.chunk_maps(compact)] == ["chunk_to_doc"]
        assert workspace.chunk_map(workspace.chunk_maps(compact)[0].adapter_sha256) == chunk_to_doc
        with workspace.database.reading() as session:
            context = MigrationContext.configure(session.connection(), opts={"compare_type": True})
            assert compare_metadata(context, Base.metadata) == []
        assert opening.version(workspace.database) == VERSION

    @pytest.mark.parametrize("version", EARLIER)
    def test_a_copy_as_it_was_stands_beside_it(self, version: int, file: Path) -> None:
        stored(version, file)
        with closing(sqlite3.connect(file)) as before:
            dump = list(before.iterdump())
        Workspace(file)
        Workspace(file)

        copies = sorted(file.parent.glob("rankeval.db.version*"))
        assert [each.name for each in copies] == [f"rankeval.db.version-{version}.backup"]
        with closing(sqlite3.connect(copies[0])) as copy:
            assert list(copy.iterdump()) == dump

    def test_the_copy_takes_nobodys_name(self, file: Path) -> None:
        stored(1, file)
        taken = file.with_name("rankeval.db.version-1.backup")
        taken.write_text("mine")
        Workspace(file)

        assert taken.read_text() == "mine"
        assert file.with_name("rankeval.db.version-1.backup-2").stat().st_size > 0

    def test_an_upgrade_that_fails_changes_nothing(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        stored(1, file)
        with closing(sqlite3.connect(file)) as before:
            dump = list(before.iterdump())
        migrate = opening.migrate

        def fail(*arguments: Any) -> None:
            migrate(*arguments)
            arguments[0].exec_driver_sql("SELECT something FROM nowhere")

        monkeypatch.setattr(opening, "migrate", fail)
        with pytest.raises(WorkspaceError, match=r"cannot be opened\n.*no such table: nowhere"):
            Workspace(file)

        with closing(sqlite3.connect(file)) as after:
            assert list(after.iterdump()) == dump
        assert list(file.parent.glob("*.backup*")) == []

    def test_one_that_was_stopped_before_it_wrote_its_version_is_of_the_first(self, file: Path) -> None:
        stored(1, file)
        with closing(sqlite3.connect(file)) as halfway, halfway:
            halfway.execute("DELETE FROM workspace")

        assert len(Workspace(file).protocols()) == 1

    def test_in_postgresql_it_is_upgraded_too(self, postgresql_url: str, opened: Callable[..., Workspace]) -> None:
        database = Database(postgresql_url)
        with database.changing_tables(1_000) as connection:
            opening.migrate(connection, None, "1")
            connection.exec_driver_sql("DROP TABLE alembic_version")
            connection.exec_driver_sql("INSERT INTO rankings VALUES ('a', 'b')")
        database.close()

        with opened(postgresql_url).database.reading() as session:
            assert session.connection().exec_driver_sql("SELECT run_sha256 FROM rankings").fetchall() == [("a",)]


class TestAtOnce:
    @pytest.mark.parametrize("older", [True, False], ids=["an older one", "a new one"])
    def test_processes_that_open_it_at_once_make_or_upgrade_it_once(self, file: Path, older: bool) -> None:  # noqa: FBT001
        if older:
            stored(1, file)

        assert opened_by_processes(str(file), 4) == [VERSION] * 4
        assert len(list(file.parent.glob("*.backup*"))) == int(older)

    def test_so_do_processes_in_postgresql(self, postgresql_url: str) -> None:
        assert opened_by_processes(postgresql_url, 4) == [VERSION] * 4


def opened_by_processes(where: str, count: int) -> list[int | None]:
    """Open a workspace in so many new processes at once; one that dies fails the test, and is not waited for."""
    with ProcessPoolExecutor(count, multiprocessing.get_context("spawn")) as processes:
        return list(processes.map(opened_by_a_process, [where] * count))


def opened_by_a_process(where: str) -> int | None:
    workspace = Workspace(where)
    version = opening.version(workspace.database)
    workspace.close()
    return version

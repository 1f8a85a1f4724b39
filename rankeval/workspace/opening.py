"""Opening a workspace: told by its tables, made where there are none, and brought up to date where they are older.

An older SQLite file is copied beside itself before it is touched.  Whoever opens a workspace that another process is
making or upgrading waits for it.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, inspect, select

from rankeval.workspace.database import Database
from rankeval.workspace.errors import CANNOT_OPEN, NO_WORKSPACE, OTHER_VERSION, WorkspaceError
from rankeval.workspace.schema import VERSION, Schema

MIGRATIONS = Path(__file__).parent / "migrations"

_FIRST_TABLES = {"workspace", "protocol", "rankings", "run", "chunk_map", "chunk_map_of_protocol"}

PATIENCE_MS = 60_000
"""How long one who opens a workspace waits for another who upgrades it."""


def prepare(database: Database, *, create: bool) -> None:
    """Make a database a workspace of this version.

    Args:
        database: where it is.
        create: whether tables are made where there are none.

    Raises:
        WorkspaceError: it cannot be opened or upgraded, holds something else, is newer, or is not there.

    """
    if not create and database.file is not None and not database.file.exists():
        raise WorkspaceError.of(NO_WORKSPACE, database.name, "there is no such file")
    with database.reading() as session:
        found = _version(session.connection(), database)
    if found is None and not create:
        raise WorkspaceError.of(NO_WORKSPACE, database.name, "there are no tables in it")
    if database.file is not None:
        _write_ahead(database)
    if found != VERSION:
        _upgrade(database)


def version(database: Database) -> int | None:
    """Give the version of a workspace's tables; None where there are no tables at all.

    Raises:
        WorkspaceError: it cannot be opened, holds something else, or is newer.

    """
    with database.reading() as session:
        return _version(session.connection(), database)


def _version(connection: Connection, database: Database) -> int | None:
    inspected = inspect(connection)
    tables = set(inspected.get_table_names())
    if not tables:
        return None
    if "workspace" not in tables or [each["name"] for each in inspected.get_columns("workspace")] != ["version"]:
        raise WorkspaceError.of(NO_WORKSPACE, database.name, "it holds the tables of something else")
    found = max(connection.scalars(select(Schema.version)), default=None)
    if found is None and tables >= _FIRST_TABLES:
        return 1  # that version made its tables before it wrote its number, and may have been stopped between
    if found is None:
        raise WorkspaceError.of(NO_WORKSPACE, database.name, "it does not state its version")
    if found > VERSION:
        detail = f"its tables are of version {found}, and this program knows version {VERSION}"
        raise WorkspaceError.of(OTHER_VERSION, database.name, detail)
    return found


def _write_ahead(database: Database) -> None:
    """Let readers go on while one writes; the file remembers it."""
    deadline = time.monotonic() + PATIENCE_MS / 1_000
    while True:
        try:
            with database.sqlite_connection() as connection:
                if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
                    connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            # SQLite does not wait for this lock, however patient it is told to be.
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise WorkspaceError.of(CANNOT_OPEN, database.name, str(error)) from error
            time.sleep(0.05)
        else:
            return


def _upgrade(database: Database) -> None:
    with database.changing_tables(PATIENCE_MS) as connection:
        found = _version(connection, database)  # who had the lock before may have done it
        if found == VERSION:
            return
        copy = None if found is None or database.file is None else _copy_beside(database.file, found)
        try:
            migrate(connection, found)
        except BaseException:
            if copy is not None:
                copy.unlink()  # nothing was changed
            raise


def migrate(connection: Connection, found: int | None, target: str = "head") -> None:
    """Bring tables up to a version, within the connection's transaction.

    Args:
        connection: of a writer.
        found: the version that they have; None where there are none.
        target: the version, or `head` for the newest.

    """
    from alembic import command  # noqa: PLC0415 - a quarter of a second that only a change of tables needs
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    if found is not None and "alembic_version" not in inspect(connection).get_table_names():
        command.stamp(config, str(found))
    command.upgrade(config, target)


def _copy_beside(file: Path, found: int) -> Path:
    """Copy a SQLite file, as SQLite itself sees it, under a name that nothing has yet."""
    number = 1
    while True:
        copy = file.with_name(f"{file.name}.version-{found}.backup{f'-{number}' if number > 1 else ''}")
        try:
            copy.open("xb").close()
        except FileExistsError:
            number += 1
        else:
            break
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(copy, isolation_level=None)) as target:
        source.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")  # the copy is one file
    return copy

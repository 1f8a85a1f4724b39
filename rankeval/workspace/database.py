"""The database behind a workspace: a SQLite file by default, PostgreSQL for a team, and what goes wrong with either."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoResultFound, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session
from sqlalchemy.pool import NullPool, QueuePool

from rankeval.workspace.errors import CANNOT_OPEN, CANNOT_WRITE, GONE, WorkspaceError

IN_MEMORY = "sqlite://"

_WRITES, _PATIENCE = "rankeval_writes", "rankeval_patience"

_PATIENCE_MS = 10_000
"""How long a writer waits for another."""

_WRITERS_LOCK = 7_265_110
"""The number of the lock that PostgreSQL's writers take in turn; any number will do that is always the same."""

_FULL = "the disk is full and nothing was saved; make room and save again"
_LOCKED = "another program holds it; wait for it to finish and try again"
_READ_ONLY = "it can only be read, and nothing was saved; allow writing and save again"

_WAYS_OUT = {
    "SQLITE_FULL": _FULL,
    "SQLITE_BUSY": _LOCKED,
    "SQLITE_LOCKED": _LOCKED,
    "SQLITE_READONLY": _READ_ONLY,
    "53100": _FULL,
    "55P03": _LOCKED,
    "25006": _READ_ONLY,
}
"""SQLite's names of errors, and PostgreSQL's codes (its manual, appendix A) -> what to do."""


class Database:
    """One database.  Every operation has a connection of its own, so that threads may share the object.

    One writes at a time: a transaction that writes waits for its turn when it begins, so that what it has read
    still holds when it writes.  When `writing` is left, what was written is on the disk.
    """

    def __init__(self, where: str | Path) -> None:
        """Find a database, without connecting to it.

        Args:
            where: a SQLite file, or a SQLAlchemy URL; `sqlite://` is kept in memory.

        Raises:
            WorkspaceError: there is no such kind of database here.

        """
        self.name = str(where)
        try:
            self.url = _url(self.name)
            self.name = self.url.render_as_string() if "://" in self.name else self.name
            self._engine = _engine(self.url)
        except (ArgumentError, ImportError, SQLAlchemyError) as error:
            raise WorkspaceError.of(CANNOT_OPEN, self.name, _reason(error)) from error
        self._turn = Lock()
        self._writer = self._engine.execution_options(**{_WRITES: True})
        if not self.is_sqlite:
            # Several reads of one operation see one state, as they do in SQLite.
            self._engine = self._engine.execution_options(isolation_level="REPEATABLE READ")

    @property
    def is_sqlite(self) -> bool:
        """Whether it is SQLite, in a file or in memory."""
        return self.url.get_backend_name() == "sqlite"

    @property
    def file(self) -> Path | None:
        """The SQLite file; None for what is kept elsewhere."""
        if not self.is_sqlite or not self.url.database or self.url.database == ":memory:":
            return None
        return Path(self.url.database.removeprefix("file:"))

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Read one state of the database.

        Raises:
            WorkspaceError: it cannot be read.

        """
        with self.refusing(CANNOT_OPEN), Session(self._engine) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Write all or nothing; when this is left without an error, it is on the disk.

        Raises:
            WorkspaceError: it cannot be written, and nothing was.

        """
        with self._taking_turns(), self.refusing(CANNOT_WRITE), Session(self._writer) as session, session.begin():
            yield session

    @contextmanager
    def _taking_turns(self) -> Iterator[None]:
        """Let this process's writers queue here: SQLite makes them try again and again, and some wait far too long."""
        if not self._turn.acquire(timeout=_PATIENCE_MS / 1_000):
            raise WorkspaceError.of(CANNOT_WRITE, self.name, _LOCKED)
        try:
            yield
        finally:
            self._turn.release()

    @contextmanager
    def changing_tables(self, patience_ms: int) -> Iterator[Connection]:
        """Give the connection of a writer to what changes tables, all or nothing.

        Args:
            patience_ms: how long to wait for another writer.

        Raises:
            WorkspaceError: it cannot be written, and nothing was.

        """
        patient = self._writer.execution_options(**{_PATIENCE: patience_ms})
        with self.refusing(CANNOT_OPEN), patient.begin() as connection:
            yield connection

    @contextmanager
    def sqlite_connection(self) -> Iterator[sqlite3.Connection]:
        """Give SQLite's own connection, outside of any transaction, to what SQLAlchemy has no words for."""
        pooled = self._engine.raw_connection()
        try:
            connection = pooled.driver_connection
            assert isinstance(connection, sqlite3.Connection)
            yield connection
        finally:
            pooled.close()

    @contextmanager
    def refusing(self, rule: str) -> Iterator[None]:
        """Turn what a database complains of into the refusal of a workspace."""
        try:
            yield
        except NoResultFound as error:
            raise WorkspaceError.of(GONE, self.name, "somebody has removed it; load the page again") from error
        except (DBAPIError, PoolTimeoutError) as error:
            raise WorkspaceError.of(rule, self.name, _reason(error)) from error

    def close(self) -> None:
        """Let go of the connections that wait for their next use."""
        self._engine.dispose()


def _url(where: str) -> URL:
    url = make_url(where) if "://" in where else make_url("sqlite://").set(database=str(Path(where).absolute()))
    # SQLAlchemy before 2.1 would take another driver than ours where none is named.
    return url.set(drivername="postgresql+psycopg") if url.drivername in {"postgresql", "postgres"} else url


def _engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        engine = create_engine(url, pool_pre_ping=True, max_overflow=20)
        event.listen(engine, "begin", _begin_postgresql)
        return engine
    # What is kept in memory lives in its one connection, for which threads then wait.
    in_memory: dict[str, Any] = {"poolclass": QueuePool, "pool_size": 1, "max_overflow": 0}
    pool = {"poolclass": NullPool} if url.database else in_memory
    engine = create_engine(url, connect_args={"check_same_thread": False}, **pool)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # transactions begin as `_begin_sqlite` says
    for setting in (f"busy_timeout={_PATIENCE_MS}", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {setting}")


def _begin_sqlite(connection: Connection) -> None:
    """Begin a transaction; one that will write waits for its turn now, since SQLite lets none wait that has read."""
    options = connection.get_execution_options()
    if _PATIENCE in options:
        connection.exec_driver_sql(f"PRAGMA busy_timeout={options[_PATIENCE]}")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if _WRITES in options else "BEGIN")


def _begin_postgresql(connection: Connection) -> None:
    """Let one that will write wait for its turn, as in SQLite; the lock goes with the transaction."""
    options = connection.get_execution_options()
    if _WRITES in options:
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = {options.get(_PATIENCE, _PATIENCE_MS)}")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_WRITERS_LOCK})")


def _reason(error: Exception) -> str:
    """Say in one line what a database complained of, and what to do where that is known."""
    original = getattr(error, "orig", None) or error
    if isinstance(error, ModuleNotFoundError):
        return f"{error}; for PostgreSQL, install rankeval-dashboard[postgresql]"
    said = (str(original).splitlines() or [type(original).__name__])[0]
    name = getattr(original, "sqlite_errorname", None) or getattr(original, "sqlstate", None) or ""
    # SQLite refines its errors behind a second underscore: SQLITE_READONLY_DBMOVED is one of SQLITE_READONLY.
    way = _WAYS_OUT.get("_".join(str(name).split("_")[:2]))
    return f"{said}: {way}" if way else said

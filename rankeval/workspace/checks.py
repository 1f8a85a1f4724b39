"""Checks of what a workspace holds: every fingerprint made again, and the database's own checks of its file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from rankeval.core.chunks import collapse_run
from rankeval.core.contract import ContractError, Fault, Faults
from rankeval.core.protocol import Protocol
from rankeval.core.run import Run, check_run
from rankeval.workspace.content import map_from, protocol_from, rankings_from
from rankeval.workspace.database import Database
from rankeval.workspace.errors import DAMAGED, WorkspaceError
from rankeval.workspace.schema import (
    VERSION,
    AdjudicationRow,
    AnnotatorRow,
    AssignmentRow,
    Base,
    ExposureRow,
    MapRow,
    ProtocolRow,
    RankingsRow,
    RoundRow,
    RunRow,
    VerdictRow,
)

_COUNTED: Mapping[str, type[Base]] = {
    "protocols": ProtocolRow,
    "runs": RunRow,
    "chunk_maps": MapRow,
    "review_rounds": RoundRow,
    "annotators": AnnotatorRow,
    "assignments": AssignmentRow,
    "verdicts": VerdictRow,
    "adjudications": AdjudicationRow,
    "exposures": ExposureRow,
}


def facts(database: Database) -> dict[str, Any]:
    """Say what a workspace is: its name, database, version of tables, size in bytes, and how much there is of what."""
    with database.reading() as session:
        counts = {
            name: session.scalar(select(func.count()).select_from(table)) or 0 for name, table in _COUNTED.items()
        }
        size = _size(session, database)
    kind = database.url.get_backend_name()
    return {"workspace": database.name, "database": kind, "version": VERSION, "size_bytes": size, **counts}


def _size(session: Session, database: Database) -> int:
    """Give the bytes on the disk: of SQLite's file and what stands beside it until it is taken in."""
    if not database.is_sqlite:
        return int(session.scalar(text("SELECT pg_database_size(current_database())")) or 0)
    if database.file is None:
        return 0
    parts = [database.file, Path(f"{database.file}-wal")]
    return sum(part.stat().st_size for part in parts if part.exists())


def verify(database: Database) -> dict[str, Any]:
    """Check everything, and say how much was checked.

    Raises:
        WorkspaceError: with all that is wrong.

    """
    found = Faults()
    checks = {"integrity_check": "ok", "foreign_key_check": "ok"} if database.is_sqlite else {}
    if database.is_sqlite:
        _check_file(database, found)
        found.refuse(WorkspaceError)  # what stands in a broken file says nothing more
    with database.reading() as session:
        for key in session.scalars(select(RankingsRow.run_sha256)).all():
            with _collecting(found):
                rankings_from(session.scalars(select(RankingsRow.content).filter_by(run_sha256=key)).one(), key)
        for key in session.scalars(select(MapRow.adapter_sha256)).all():
            with _collecting(found):
                map_from(session.scalars(select(MapRow.content).filter_by(adapter_sha256=key)).one(), key)
        for key in session.scalars(select(ProtocolRow.compact_sha256).order_by(ProtocolRow.place)).all():
            with _collecting(found):
                _check_protocol(session, key, found)
        _check_revisions(session, found)
    found.refuse(WorkspaceError)
    return {**facts(database), **checks, "fingerprints": "ok"}


def check_fit(session: Session, protocol: Protocol, row: RunRow) -> None:
    """Hold a run to its fingerprint, to its chunks where it was made from such, and to its protocol.

    Raises:
        ContractError: it does not hold.

    """
    run = Run(_rankings(session, row.received_sha256))
    if row.adapter_sha256 is not None:
        packed = session.scalar(select(MapRow.content).filter_by(adapter_sha256=row.adapter_sha256))
        if packed is None:
            raise WorkspaceError.damaged("chunk map", row.adapter_sha256)
        run, _ = collapse_run(protocol, run, map_from(packed, row.adapter_sha256), row.budget)
    if run.run_sha256 != row.run_sha256:
        raise WorkspaceError.damaged("run", row.run_sha256)
    faults = Faults()
    check_run(faults, run, protocol.corpus, protocol.queries, protocol.split)
    faults.refuse(WorkspaceError)


def _rankings(session: Session, received_sha256: str) -> dict[str, list[str]]:
    packed = session.scalar(select(RankingsRow.content).filter_by(run_sha256=received_sha256))
    if packed is None:
        raise WorkspaceError.damaged("run", received_sha256)
    return rankings_from(packed, received_sha256)


def _check_protocol(session: Session, key: str, found: Faults) -> None:
    row = session.get_one(ProtocolRow, key)
    protocol = protocol_from(row.content, key)
    session.expunge(row)
    if protocol.compute_sha256() != row.protocol_sha256:
        raise WorkspaceError.damaged("protocol", row.protocol_sha256)
    for run in session.scalars(select(RunRow).filter_by(compact_sha256=key).order_by(RunRow.id)):
        with _collecting(found):
            check_fit(session, protocol, run)


def _check_file(database: Database, found: Faults) -> None:
    try:
        with database.sqlite_connection() as connection:
            said = [row[0] for row in connection.execute("PRAGMA integrity_check")]
            loose = connection.execute("PRAGMA foreign_key_check").fetchall()
    except sqlite3.Error as error:
        said, loose = [str(error)], []
    for each in said:
        if each != "ok":
            found.add(Fault(DAMAGED, file=database.name, detail=f"integrity_check says: {each}"))
    for table, row, to, _ in loose:
        found.add(Fault(DAMAGED, file=database.name, detail=f"row {row} of {table} belongs to no row of {to}"))


def _check_revisions(session: Session, found: Faults) -> None:
    """Find gaps: revisions count from 1 and none is ever removed."""
    said = select(VerdictRow.round_id, VerdictRow.annotator_id, VerdictRow.query)
    decided = select(AdjudicationRow.round_id, AdjudicationRow.query)
    for what, wanted, table in (("verdicts", said, VerdictRow), ("decisions", decided, AdjudicationRow)):
        counted = wanted.add_columns(func.count(), func.max(table.revision)).group_by(*wanted.selected_columns)
        for *of, count, last in session.execute(counted):
            if count != last:
                detail = f"{last - count} of {last} {what} on query {of[-1]!r} are gone"
                found.add(Fault(DAMAGED, query=of[-1], detail=detail))


@contextmanager
def _collecting(found: Faults) -> Iterator[None]:
    try:
        yield
    except ContractError as error:
        found.add_many(error.total, error.faults)

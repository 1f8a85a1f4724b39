"""The workspace: what is loaded stays, under its fingerprint, for a reload, a restart and a colleague's browser."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, delete, func, or_, select, update
from sqlalchemy.orm import Session

from rankeval.core.protocol import Protocol
from rankeval.core.run import FromChunks, Run
from rankeval.workspace import content
from rankeval.workspace.database import Database
from rankeval.workspace.errors import IN_REVIEW, WorkspaceError
from rankeval.workspace.opening import prepare
from rankeval.workspace.schema import MapOfProtocolRow, MapRow, ProtocolRow, RankingsRow, RoundRow, RunRow

VARIABLE = "RANKEVAL_WORKSPACE"
FILE = "rankeval.db"


@dataclass(frozen=True, slots=True)
class KeptProtocol:
    """A protocol's fingerprints and name; its content is read when it is asked for."""

    compact_sha256: str
    protocol_sha256: str
    label: str


@dataclass(frozen=True, slots=True)
class KeptMap:
    """A chunk map's fingerprint and the name that it has with a protocol."""

    adapter_sha256: str
    label: str


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run under the name that it has with a protocol.

    Attributes:
        id: what names it in this workspace.
        run_sha256: the run of documents.
        received_sha256: what was received: the same, or the chunk run that it is made from.
        adapter_sha256: the chunk map that it is made with; None for a run of documents.
        budget: how many chunks of each query are taken; None for all.
        label: its name.
        replaced: whether an upload of its name or file has taken its place; its address still opens it.
        record: what is known of it, as JSON.

    """

    id: int
    run_sha256: str
    received_sha256: str
    adapter_sha256: str | None
    budget: int | None
    label: str
    replaced: bool
    record: str

    @property
    def origin(self) -> FromChunks | None:
        """Where it comes from, if it was made from chunks: here, or elsewhere as its file says."""
        if self.adapter_sha256 is None:
            return content.stated_origin(self.record)
        return FromChunks(self.received_sha256, self.adapter_sha256, self.budget)


def default_workspace() -> str:
    """Give the workspace that is used when none is named: RANKEVAL_WORKSPACE, else a file in the current folder."""
    return os.environ.get(VARIABLE) or FILE


class Workspace:
    """One workspace.  Every operation has a connection of its own, so that threads may share the object."""

    def __init__(self, where: str | Path, *, create: bool = True) -> None:
        """Open a workspace; an older one is upgraded, after a copy of its file was put beside it.

        Args:
            where: a SQLite file, or a SQLAlchemy URL; `sqlite://` is kept in memory.
            create: whether one is made where there is none.

        Raises:
            WorkspaceError: it cannot be opened, is none, or a newer version has written it.

        """
        self.database = Database(where)
        self.name = self.database.name
        try:
            prepare(self.database, create=create)
        except WorkspaceError:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the connections that wait for their next use."""
        self.database.close()

    # Protocols.

    def protocols(self) -> list[KeptProtocol]:
        """Give every protocol, in the order in which they came."""
        with self.database.reading() as session:
            rows = session.execute(
                select(ProtocolRow.compact_sha256, ProtocolRow.protocol_sha256, ProtocolRow.label).order_by(
                    ProtocolRow.place
                )
            )
            return [KeptProtocol(*row) for row in rows]

    def protocol(self, compact_sha256: str) -> Protocol:
        """Read a protocol.

        Raises:
            WorkspaceError: it is not there, or damaged.

        """
        with self.database.reading() as session:
            packed = session.scalar(select(ProtocolRow.content).where(ProtocolRow.compact_sha256 == compact_sha256))
        if packed is None:
            raise WorkspaceError.damaged("protocol", compact_sha256)
        return content.protocol_from(packed, compact_sha256)

    def add_protocol(self, label: str, protocol: Protocol) -> None:
        """Keep a protocol; one that is there stays under its name, with the declarations that it is brought with now.

        Declarations are in no fingerprint: what is shown must be what the last reader declared.
        """
        packed = content.protocol_bytes(protocol)
        with self.database.writing() as session:
            row = session.get(ProtocolRow, protocol.compact_sha256)
            if row is None:
                last = session.scalar(select(func.max(ProtocolRow.place))) or 0
                row = ProtocolRow(
                    compact_sha256=protocol.compact_sha256,
                    protocol_sha256=protocol.protocol_sha256,
                    label=label,
                    place=last + 1,
                )
                session.add(row)
            row.content = packed

    def rename_protocol(self, compact_sha256: str, label: str) -> None:
        """Call a protocol by another name."""
        with self.database.writing() as session:
            session.get_one(ProtocolRow, compact_sha256).label = label

    def remove_protocol(self, compact_sha256: str) -> None:
        """Let go of a protocol and of the names of runs and maps that belong to it.

        Raises:
            WorkspaceError: a review round stands on it.

        """
        with self.database.writing() as session:
            self._refuse_in_review(session, RoundRow.compact_sha256 == compact_sha256)
            session.execute(delete(ProtocolRow).where(ProtocolRow.compact_sha256 == compact_sha256))
            _drop_orphans(session)

    # Runs.

    def runs(self, compact_sha256: str) -> list[KeptRun]:
        """Give every run of a protocol, those that were replaced included, in the order in which they came."""
        with self.database.reading() as session:
            rows = session.scalars(select(RunRow).where(RunRow.compact_sha256 == compact_sha256).order_by(RunRow.id))
            return [_kept(row) for row in rows]

    def rankings(self, received_sha256: str) -> dict[str, list[str]]:
        """Read the rankings of a run, or of a chunk run as received.

        Raises:
            WorkspaceError: they are not there, or damaged.

        """
        with self.database.reading() as session:
            packed = session.scalar(select(RankingsRow.content).where(RankingsRow.run_sha256 == received_sha256))
        if packed is None:
            raise WorkspaceError.damaged("run", received_sha256)
        return content.rankings_from(packed, received_sha256)

    def add_run(self, compact_sha256: str, run: Run, chunks: Mapping[str, list[str]] | None = None) -> KeptRun:
        """Keep a run that its protocol has accepted; what had its name or came from its file gives way to it.

        Args:
            compact_sha256: the protocol.
            run: the run of documents.
            chunks: the chunk rankings that it was made from here, with a map that was added; None for a run that
                came as documents, whatever its file says of chunks.

        """
        origin = None if chunks is None else run.from_chunks
        received = run.rankings if chunks is None else chunks
        received_sha256 = (origin.chunk_run_sha256 if origin else None) or run.run_sha256
        made_with = (received_sha256, origin.adapter_sha256 if origin else None, origin.budget if origin else None)
        with self.database.writing() as session:
            if session.get(RankingsRow, received_sha256) is None:
                session.add(RankingsRow(run_sha256=received_sha256, content=content.rankings_bytes(received)))
                session.flush()
            row = None
            for each in _current(session, compact_sha256):
                if each.label == run.name and (each.received_sha256, each.adapter_sha256, each.budget) == made_with:
                    row = each
                elif each.label == run.name or _came_from(each, run.source, made_with):
                    _replace(each)
            if row is None:
                row = RunRow(
                    compact_sha256=compact_sha256,
                    run_sha256=run.run_sha256,
                    received_sha256=received_sha256,
                    adapter_sha256=made_with[1],
                    budget=made_with[2],
                    label=run.name,
                    replaced=False,
                )
                session.add(row)
            row.record = content.record_json(run)
            session.flush()
            return _kept(row)

    def replace_runs(self, compact_sha256: str, *, source: str, labels: Sequence[str]) -> None:
        """Take the names away from runs whose file, or whose name, an upload had that was refused."""
        with self.database.writing() as session:
            for each in _current(session, compact_sha256):
                if each.label in labels or _came_from(each, source, None):
                    _replace(each)

    def rename_run(self, run: int, label: str) -> None:
        """Call a run by another name."""
        with self.database.writing() as session:
            session.get_one(RunRow, run).label = label

    def describe_run(self, run: int, system: Mapping[str, Any]) -> None:
        """Record another description of the system that made a run."""
        with self.database.writing() as session:
            row = session.get_one(RunRow, run)
            row.record = content.with_system(row.record, system)

    def remove_run(self, run: int) -> None:
        """Let go of a run.

        Raises:
            WorkspaceError: a review round stands on it.

        """
        with self.database.writing() as session:
            self._refuse_in_review(session, or_(RoundRow.baseline_run == run, RoundRow.candidate_run == run))
            session.execute(delete(RunRow).where(RunRow.id == run))
            _drop_orphans(session)

    def _refuse_in_review(self, session: Session, standing_on_it: ColumnElement[bool]) -> None:
        """Keep what people wrote readable: without its protocol and runs, a verdict says nothing."""
        name = session.scalar(select(RoundRow.name).where(standing_on_it).limit(1))
        if name is not None:
            raise WorkspaceError.of(IN_REVIEW, self.name, f"the round is {name!r}")

    # Chunk maps.

    def chunk_maps(self, compact_sha256: str) -> list[KeptMap]:
        """Give the chunk maps of a protocol, in the order in which they came."""
        with self.database.reading() as session:
            rows = session.execute(
                select(MapOfProtocolRow.adapter_sha256, MapOfProtocolRow.label)
                .where(MapOfProtocolRow.compact_sha256 == compact_sha256)
                .order_by(MapOfProtocolRow.id)
            )
            return [KeptMap(*row) for row in rows]

    def chunk_map(self, adapter_sha256: str) -> dict[str, str]:
        """Read a chunk map.

        Raises:
            WorkspaceError: it is not there, or damaged.

        """
        with self.database.reading() as session:
            packed = session.scalar(select(MapRow.content).where(MapRow.adapter_sha256 == adapter_sha256))
        if packed is None:
            raise WorkspaceError.damaged("chunk map", adapter_sha256)
        return content.map_from(packed, adapter_sha256)

    def add_chunk_map(
        self, compact_sha256: str, label: str | None, adapter_sha256: str, chunk_to_doc: Mapping[str, str]
    ) -> None:
        """Keep a chunk map, under a name that is then no other map's; without a name it is only kept."""
        with self.database.writing() as session:
            if session.get(MapRow, adapter_sha256) is None:
                session.add(MapRow(adapter_sha256=adapter_sha256, content=content.map_bytes(chunk_to_doc)))
                session.flush()
            if label is not None:
                _forget_map(session, compact_sha256, label)
                session.add(MapOfProtocolRow(compact_sha256=compact_sha256, adapter_sha256=adapter_sha256, label=label))

    def rename_map(self, compact_sha256: str, label: str, other: str) -> None:
        """Call a chunk map of a protocol by another name, which is then no other map's."""
        with self.database.writing() as session:
            if other != label:
                _forget_map(session, compact_sha256, other)
            session.execute(update(MapOfProtocolRow).where(*_is_map(compact_sha256, label)).values(label=other))

    def remove_map(self, compact_sha256: str, label: str) -> None:
        """Let go of a chunk map; its content stays as long as a run is made with it or it has another name."""
        with self.database.writing() as session:
            key = session.scalar(select(MapOfProtocolRow.adapter_sha256).where(*_is_map(compact_sha256, label)))
            _forget_map(session, compact_sha256, label)
            named = select(MapOfProtocolRow.adapter_sha256)
            used = select(RunRow.adapter_sha256).where(RunRow.adapter_sha256.is_not(None))
            session.execute(
                delete(MapRow).where(
                    MapRow.adapter_sha256 == key,
                    MapRow.adapter_sha256.not_in(named),
                    MapRow.adapter_sha256.not_in(used),
                )
            )

    def forget_map(self, compact_sha256: str, label: str) -> None:
        """Take the name away from a chunk map; runs that were made with it stay what they are."""
        with self.database.writing() as session:
            _forget_map(session, compact_sha256, label)


def _kept(row: RunRow) -> KeptRun:
    return KeptRun(
        row.id,
        row.run_sha256,
        row.received_sha256,
        row.adapter_sha256,
        row.budget,
        row.label,
        row.replaced,
        row.record,
    )


def _current(session: Session, compact_sha256: str) -> list[RunRow]:
    rows = session.scalars(
        select(RunRow).where(RunRow.compact_sha256 == compact_sha256, RunRow.replaced.is_(False)).order_by(RunRow.id)
    )
    return list(rows)


def _came_from(row: RunRow, source: str | None, made_with: tuple[str, str | None, int | None] | None) -> bool:
    """Whether a run came from a file; runs of one chunk run under other budgets do not give way to each other."""
    if source is None or content.source_of(row.record) != source:
        return False
    return made_with is None or row.adapter_sha256 is None or row.received_sha256 != made_with[0]


def _replace(row: RunRow) -> None:
    """Leave a run only to who has its address: no number may stay under a name that now means something else."""
    row.replaced = True
    row.label = f"{row.label} (earlier, {row.run_sha256[:8]})"


def _forget_map(session: Session, compact_sha256: str, label: str) -> None:
    session.execute(delete(MapOfProtocolRow).where(*_is_map(compact_sha256, label)))


def _is_map(compact_sha256: str, label: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return MapOfProtocolRow.compact_sha256 == compact_sha256, MapOfProtocolRow.label == label


def _drop_orphans(session: Session) -> None:
    """Drop rankings that no run stands on any more."""
    session.flush()
    session.execute(delete(RankingsRow).where(RankingsRow.run_sha256.not_in(select(RunRow.received_sha256))))

"""The tables of a workspace, as the newest migration leaves them.

Content stands under its fingerprint and is never changed; what people call it, and what is recorded beside it, may be.
Verdicts and adjudications are only ever added.  Only column types that every database has are used.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, ForeignKey, ForeignKeyConstraint, Integer, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

from rankeval.workspace.moments import moment_text

VERSION = 2
"""The version of these tables; a workspace states its own, an older one is upgraded and a newer one refused."""

_SHA256 = String(64)


class Moment(TypeDecorator[datetime]):
    """A moment as text in UTC, such as 2026-03-03T09:00:00.000000Z: the same in every database, and sorted by time."""

    impl = String(27)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | None:
        """Write an aware moment."""
        del dialect
        return None if value is None else moment_text(value)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:
        """Read an aware moment."""
        del dialect
        return None if value is None else datetime.fromisoformat(value)


class Base(DeclarativeBase):
    """All tables of a workspace."""


class Schema(Base):
    """One row: which version of the tables this workspace has."""

    __tablename__ = "workspace"

    version: Mapped[int] = mapped_column(Integer, primary_key=True)


class ProtocolRow(Base):
    """A protocol: its frozen file, compressed."""

    __tablename__ = "protocol"

    compact_sha256: Mapped[str] = mapped_column(_SHA256, primary_key=True)
    protocol_sha256: Mapped[str] = mapped_column(_SHA256)
    content: Mapped[bytes] = mapped_column(LargeBinary)
    label: Mapped[str] = mapped_column(Text)
    place: Mapped[int] = mapped_column(Integer)


class RankingsRow(Base):
    """The rankings of a run, or of a chunk run as received: canonical JSON in the order of the file, compressed."""

    __tablename__ = "rankings"

    run_sha256: Mapped[str] = mapped_column(_SHA256, primary_key=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)


class MapRow(Base):
    """A chunk map, compressed."""

    __tablename__ = "chunk_map"

    adapter_sha256: Mapped[str] = mapped_column(_SHA256, primary_key=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)


class MapOfProtocolRow(Base):
    """A chunk map under a name that it has with one protocol."""

    __tablename__ = "chunk_map_of_protocol"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    compact_sha256: Mapped[str] = mapped_column(ForeignKey("protocol.compact_sha256", ondelete="CASCADE"), index=True)
    adapter_sha256: Mapped[str] = mapped_column(ForeignKey("chunk_map.adapter_sha256"))
    label: Mapped[str] = mapped_column(Text)


class RunRow(Base):
    """A run under a name that it has with one protocol, and what is recorded of it.

    `run_sha256` is the run of documents.  `received_sha256` is what is stored: the same, or for a run that was made
    from chunks the chunk run, from which map and budget make it again.
    """

    __tablename__ = "run"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    compact_sha256: Mapped[str] = mapped_column(ForeignKey("protocol.compact_sha256", ondelete="CASCADE"), index=True)
    run_sha256: Mapped[str] = mapped_column(_SHA256)
    received_sha256: Mapped[str] = mapped_column(ForeignKey("rankings.run_sha256"))
    adapter_sha256: Mapped[str | None] = mapped_column(ForeignKey("chunk_map.adapter_sha256"))
    budget: Mapped[int | None] = mapped_column(Integer)
    label: Mapped[str] = mapped_column(Text)
    replaced: Mapped[bool] = mapped_column(Boolean, default=False)
    record: Mapped[str] = mapped_column(Text)


class RoundRow(Base):
    """A review round: which comparison is looked at, by how many, under which guidelines.

    `token` is its address, which nobody can guess.  A run of the sample data has no row, so `baseline_run` and
    `candidate_run` may be null; fingerprint and name always stand.  `statuses` is a JSON list.
    """

    __tablename__ = "review_round"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    token: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(Text)
    compact_sha256: Mapped[str] = mapped_column(ForeignKey("protocol.compact_sha256"), index=True)
    baseline_run: Mapped[int | None] = mapped_column(ForeignKey("run.id"))
    baseline_sha256: Mapped[str] = mapped_column(_SHA256)
    baseline_name: Mapped[str] = mapped_column(Text)
    candidate_run: Mapped[int | None] = mapped_column(ForeignKey("run.id"))
    candidate_sha256: Mapped[str] = mapped_column(_SHA256)
    candidate_name: Mapped[str] = mapped_column(Text)
    statuses: Mapped[str] = mapped_column(Text)
    annotators_per_query: Mapped[int] = mapped_column(Integer)
    blind: Mapped[bool] = mapped_column(Boolean)
    guidelines: Mapped[str] = mapped_column(Text)
    seed: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(Moment)

    __table_args__ = (UniqueConstraint("token", name="uq_review_round_token"),)


class ItemRow(Base):
    """A query of a round; places count from 1, worst first."""

    __tablename__ = "review_item"

    round_id: Mapped[int] = mapped_column(ForeignKey("review_round.id"), primary_key=True)
    query: Mapped[str] = mapped_column(Text, primary_key=True)
    place: Mapped[int] = mapped_column(Integer)

    __table_args__ = (UniqueConstraint("round_id", "place", name="uq_review_item_place"),)


class AnnotatorRow(Base):
    """Somebody who takes part in a round; `name_key` is the name as it is told apart from others."""

    __tablename__ = "annotator"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    round_id: Mapped[int] = mapped_column(ForeignKey("review_round.id"))
    name: Mapped[str] = mapped_column(Text)
    name_key: Mapped[str] = mapped_column(Text)
    subject: Mapped[str | None] = mapped_column(Text)
    joined_at: Mapped[datetime] = mapped_column(Moment)

    __table_args__ = (
        UniqueConstraint("round_id", "name_key", name="uq_annotator_name"),
        UniqueConstraint("round_id", "subject", name="uq_annotator_subject"),
        UniqueConstraint("round_id", "id", name="uq_annotator_round"),
    )


class AssignmentRow(Base):
    """A query in somebody's hands: open, or closed because it was answered or skipped."""

    __tablename__ = "assignment"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    round_id: Mapped[int] = mapped_column(Integer)
    query: Mapped[str] = mapped_column(Text)
    annotator_id: Mapped[int] = mapped_column(Integer)
    state: Mapped[str] = mapped_column(String(16))
    changed_at: Mapped[datetime] = mapped_column(Moment)

    __table_args__ = (
        UniqueConstraint("round_id", "annotator_id", "query", name="uq_assignment"),
        ForeignKeyConstraint(["round_id", "query"], ["review_item.round_id", "review_item.query"]),
        ForeignKeyConstraint(["round_id", "annotator_id"], ["annotator.round_id", "annotator.id"]),
    )


class VerdictRow(Base):
    """What somebody said of a query, or that they took it back; rows are only ever added.

    The last revision counts; one without a verdict says that they took it back.  `undoes` is the revision that an undo
    takes back; null for what was said anew.  `marks` is a JSON object, document ID -> relevant or not_relevant.
    `client_token` is the caller's own name for the act, by which one that is sent twice is known.
    """

    __tablename__ = "verdict"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    round_id: Mapped[int] = mapped_column(Integer)
    query: Mapped[str] = mapped_column(Text)
    annotator_id: Mapped[int] = mapped_column(Integer)
    revision: Mapped[int] = mapped_column(Integer)
    verdict: Mapped[str | None] = mapped_column(Text)
    reason: Mapped[str | None] = mapped_column(Text)
    note: Mapped[str] = mapped_column(Text)
    marks: Mapped[str] = mapped_column(Text)
    undoes: Mapped[int | None] = mapped_column(Integer)
    client_token: Mapped[str | None] = mapped_column(Text)
    saved_at: Mapped[datetime] = mapped_column(Moment)

    __table_args__ = (
        UniqueConstraint("round_id", "annotator_id", "query", "revision", name="uq_verdict_revision"),
        UniqueConstraint("annotator_id", "client_token", name="uq_verdict_client_token"),
        ForeignKeyConstraint(
            ["round_id", "annotator_id", "query"],
            ["assignment.round_id", "assignment.annotator_id", "assignment.query"],
        ),
    )


class AdjudicationRow(Base):
    """What was settled of a query where annotators differ; rows are only ever added, and the last revision counts.

    One without a finding takes back what was decided.
    """

    __tablename__ = "adjudication"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    round_id: Mapped[int] = mapped_column(Integer)
    query: Mapped[str] = mapped_column(Text)
    revision: Mapped[int] = mapped_column(Integer)
    finding: Mapped[str | None] = mapped_column(Text)
    reason: Mapped[str] = mapped_column(Text)
    who: Mapped[str] = mapped_column(Text)
    decided_at: Mapped[datetime] = mapped_column(Moment)

    __table_args__ = (
        UniqueConstraint("round_id", "query", "revision", name="uq_adjudication_revision"),
        ForeignKeyConstraint(["round_id", "query"], ["review_item.round_id", "review_item.query"]),
    )


class ExposureRow(Base):
    """That a run was scored on a split of a protocol, when first, when last, and how often.

    It stays when protocol and run go: what was seen was seen.
    """

    __tablename__ = "exposure"

    compact_sha256: Mapped[str] = mapped_column(_SHA256, primary_key=True)
    split: Mapped[str] = mapped_column(Text, primary_key=True)
    run_sha256: Mapped[str] = mapped_column(_SHA256, primary_key=True)
    first_at: Mapped[datetime] = mapped_column(Moment)
    last_at: Mapped[datetime] = mapped_column(Moment)
    times: Mapped[int] = mapped_column(Integer)

"""The tables of a workspace.

Content stands under its fingerprint and is never changed; what people call it, and what is recorded beside it, may be.
Only column types that every database has are used.
"""

from __future__ import annotations

from sqlalchemy import Boolean, ForeignKey, Integer, LargeBinary, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

VERSION = 1
"""The version of these tables; a file states it, and one of another version is refused."""

_SHA256 = String(64)


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

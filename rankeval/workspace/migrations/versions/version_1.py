"""Protocols, runs and chunk maps."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None


def upgrade() -> None:
    """Make the first tables."""
    op.create_table("workspace", sa.Column("version", sa.Integer(), primary_key=True))
    op.create_table(
        "protocol",
        sa.Column("compact_sha256", sa.String(64), primary_key=True),
        sa.Column("protocol_sha256", sa.String(64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
    )
    op.create_table(
        "rankings",
        sa.Column("run_sha256", sa.String(64), primary_key=True),
        sa.Column("content", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "chunk_map",
        sa.Column("adapter_sha256", sa.String(64), primary_key=True),
        sa.Column("content", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "chunk_map_of_protocol",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("compact_sha256", sa.String(64), nullable=False),
        sa.Column("adapter_sha256", sa.String(64), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["compact_sha256"], ["protocol.compact_sha256"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["adapter_sha256"], ["chunk_map.adapter_sha256"]),
    )
    op.create_index("ix_chunk_map_of_protocol_compact_sha256", "chunk_map_of_protocol", ["compact_sha256"])
    op.create_table(
        "run",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("compact_sha256", sa.String(64), nullable=False),
        sa.Column("run_sha256", sa.String(64), nullable=False),
        sa.Column("received_sha256", sa.String(64), nullable=False),
        sa.Column("adapter_sha256", sa.String(64)),
        sa.Column("budget", sa.Integer()),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("replaced", sa.Boolean(), nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["compact_sha256"], ["protocol.compact_sha256"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["received_sha256"], ["rankings.run_sha256"]),
        sa.ForeignKeyConstraint(["adapter_sha256"], ["chunk_map.adapter_sha256"]),
    )
    op.create_index("ix_run_compact_sha256", "run", ["compact_sha256"])

"""Review rounds with all that annotators write, and the ledger of which runs a split was looked at with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"

_SHA256 = sa.String(64)
_MOMENT = sa.String(27)


def upgrade() -> None:
    """Add the tables of reviews and the exposure ledger."""
    op.create_table(
        "review_round",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("compact_sha256", _SHA256, nullable=False),
        sa.Column("baseline_run", sa.Integer()),
        sa.Column("baseline_sha256", _SHA256, nullable=False),
        sa.Column("baseline_name", sa.Text(), nullable=False),
        sa.Column("candidate_run", sa.Integer()),
        sa.Column("candidate_sha256", _SHA256, nullable=False),
        sa.Column("candidate_name", sa.Text(), nullable=False),
        sa.Column("statuses", sa.Text(), nullable=False),
        sa.Column("annotators_per_query", sa.Integer(), nullable=False),
        sa.Column("blind", sa.Boolean(), nullable=False),
        sa.Column("guidelines", sa.Text(), nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.UniqueConstraint("token", name="uq_review_round_token"),
        sa.ForeignKeyConstraint(["compact_sha256"], ["protocol.compact_sha256"]),
        sa.ForeignKeyConstraint(["baseline_run"], ["run.id"]),
        sa.ForeignKeyConstraint(["candidate_run"], ["run.id"]),
    )
    op.create_index("ix_review_round_compact_sha256", "review_round", ["compact_sha256"])
    op.create_table(
        "review_item",
        sa.Column("round_id", sa.Integer(), primary_key=True),
        sa.Column("query", sa.Text(), primary_key=True),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.UniqueConstraint("round_id", "place", name="uq_review_item_place"),
        sa.ForeignKeyConstraint(["round_id"], ["review_round.id"]),
    )
    op.create_table(
        "annotator",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text()),
        sa.Column("joined_at", _MOMENT, nullable=False),
        sa.UniqueConstraint("round_id", "name_key", name="uq_annotator_name"),
        sa.UniqueConstraint("round_id", "subject", name="uq_annotator_subject"),
        sa.UniqueConstraint("round_id", "id", name="uq_annotator_round"),
        sa.ForeignKeyConstraint(["round_id"], ["review_round.id"]),
    )
    op.create_table(
        "assignment",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("annotator_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("changed_at", _MOMENT, nullable=False),
        sa.UniqueConstraint("round_id", "annotator_id", "query", name="uq_assignment"),
        sa.ForeignKeyConstraint(["round_id", "query"], ["review_item.round_id", "review_item.query"]),
        sa.ForeignKeyConstraint(["round_id", "annotator_id"], ["annotator.round_id", "annotator.id"]),
    )
    op.create_table(
        "verdict",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("annotator_id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.Text()),
        sa.Column("reason", sa.Text()),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("marks", sa.Text(), nullable=False),
        sa.Column("undoes", sa.Integer()),
        sa.Column("client_token", sa.Text()),
        sa.Column("saved_at", _MOMENT, nullable=False),
        sa.UniqueConstraint("round_id", "annotator_id", "query", "revision", name="uq_verdict_revision"),
        sa.UniqueConstraint("annotator_id", "client_token", name="uq_verdict_client_token"),
        sa.ForeignKeyConstraint(
            ["round_id", "annotator_id", "query"],
            ["assignment.round_id", "assignment.annotator_id", "assignment.query"],
        ),
    )
    op.create_table(
        "adjudication",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("finding", sa.Text()),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("decided_at", _MOMENT, nullable=False),
        sa.UniqueConstraint("round_id", "query", "revision", name="uq_adjudication_revision"),
        sa.ForeignKeyConstraint(["round_id", "query"], ["review_item.round_id", "review_item.query"]),
    )
    op.create_table(
        "exposure",
        sa.Column("compact_sha256", _SHA256, primary_key=True),
        sa.Column("split", sa.Text(), primary_key=True),
        sa.Column("run_sha256", _SHA256, primary_key=True),
        sa.Column("first_at", _MOMENT, nullable=False),
        sa.Column("last_at", _MOMENT, nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
    )

"""Run migrations on the connection of `rankeval.workspace.opening`, within its transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from alembic import context
from alembic.runtime.migration import MigrationContext, MigrationInfo
from sqlalchemy import delete, insert

from rankeval.workspace.schema import Base, Schema


def state_version(
    ctx: MigrationContext, step: MigrationInfo, heads: Collection[Any], run_args: Mapping[str, Any]
) -> None:
    """Write the version where every version of the program looks for it."""
    del step, run_args
    connection = ctx.connection
    assert connection is not None
    connection.execute(delete(Schema))
    connection.execute(insert(Schema).values(version=max(map(int, heads))))


def run() -> None:
    """Run what was asked for."""
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=Base.metadata,
        transactional_ddl=True,
        on_version_apply=state_version,
    )
    with context.begin_transaction():
        context.run_migrations()


run()

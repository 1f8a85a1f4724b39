"""A workspace of each kind of database, PostgreSQL's on a cluster of the tests' own."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql

import rankeval
from rankeval.workspace import ReviewedRun, Reviews, Round, Workspace


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """Start PostgreSQL for the tests, on a socket in a folder of its own; it refuses to be run by root."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda each: int(each.parts[-3]))
    if not found:
        pytest.fail("needs Debian's postgresql, which tests/run.sh installs")
    programs = found[-1].parent
    is_root = os.geteuid() == 0
    user: dict[str, Any] = {"user": "postgres", "group": "postgres", "extra_groups": []} if is_root else {}
    folder = Path(tempfile.mkdtemp(prefix="rankeval-pg-"))
    if is_root:
        shutil.chown(folder, "postgres", "postgres")

    def run(*command: str) -> None:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, **user)
        assert done.returncode == 0, done.stderr

    data, log = str(folder / "data"), folder / "log"
    options = f"-k {folder} -c listen_addresses= -c fsync=off -c max_connections=100"
    try:
        run(str(programs / "initdb"), "-D", data, "-A", "trust", "-U", "rankeval", "-E", "UTF8", "--no-sync")
        run(str(programs / "pg_ctl"), "-D", data, "-l", str(log), "-o", options, "-w", "start")
        try:
            yield f"postgresql://rankeval@/postgres?host={folder}"
        finally:
            run(str(programs / "pg_ctl"), "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def postgresql_url(postgresql: str) -> str:
    """An empty schema in PostgreSQL, which takes no time to make, unlike a database."""
    name = f"w{uuid4().hex}"
    with psycopg.connect(postgresql, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(name)))
    return f"{postgresql}&options=-csearch_path%3D{name}"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where a workspace's file may be."""
    return tmp_path / "rankeval.db"


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, file: Path) -> str:
    """An empty place for a workspace, once in each kind of database."""
    if request.param == "sqlite":
        return str(file)
    url: str = request.getfixturevalue("postgresql_url")
    return url


@pytest.fixture
def opened() -> Iterator[Callable[..., Workspace]]:
    """A function that opens a workspace, which is closed after the test."""
    workspaces: list[Workspace] = []

    def opened(where: str | Path, **how: bool) -> Workspace:
        workspaces.append(Workspace(where, **how))
        return workspaces[-1]

    yield opened
    for workspace in workspaces:
        workspace.close()


@pytest.fixture
def workspace(where: str, opened: Callable[..., Workspace], protocol: rankeval.Protocol) -> Workspace:
    """A workspace that holds the published example's protocol, once in each kind of database."""
    workspace = opened(where)
    workspace.add_protocol("one", protocol)
    return workspace


class Clock:
    """A clock that a minute passes on each time it is read."""

    def __init__(self) -> None:
        self.time = datetime(2026, 3, 3, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.time += timedelta(minutes=1)
        return self.time


@pytest.fixture
def clock() -> Clock:
    """A clock; the first time that it says is a minute past nine in the morning of 3 March 2026, in UTC."""
    return Clock()


@pytest.fixture
def reviews(workspace: Workspace, clock: Clock) -> Reviews:
    """The reviews of the workspace, by that clock."""
    return Reviews(workspace.database, now=clock)


@pytest.fixture
def make(
    workspace: Workspace, reviews: Reviews, protocol: rankeval.Protocol, fixture_a: Any, fixture_b: Any
) -> Callable[..., Round]:
    """A function that makes a round of the published example's two runs, but for what it is given."""
    runs = []
    for name, rankings in (("a", fixture_a), ("b", fixture_b)):
        kept = workspace.add_run(protocol.compact_sha256, rankeval.Run(rankings, name), rankings)
        runs.append(ReviewedRun(kept.run_sha256, kept.label, kept.id))

    def make(**changed: Any) -> Round:
        given = {
            "name": "the fall of q2",
            "compact_sha256": protocol.compact_sha256,
            "baseline": runs[0],
            "candidate": runs[1],
            "statuses": ("worse", "left"),
            "queries": ("q2", "q3", "q4"),
            "guidelines": "Read the need first.",
        }
        return reviews.create_round(**given | changed)

    return make

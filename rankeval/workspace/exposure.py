"""The exposure ledger: which runs were scored on which split of which protocol, and when.

A split that is looked at again and again has become a development split (SPEC.md, "How a protocol comes about"); this
is what that is told by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from rankeval.workspace.database import Database
from rankeval.workspace.moments import utc_now
from rankeval.workspace.schema import ExposureRow


@dataclass(frozen=True, slots=True)
class Exposure:
    """How often one run was scored on one split of one protocol.

    Attributes:
        compact_sha256: the protocol.
        split: the split.
        run_sha256: the run.
        first_at: when first, in UTC.
        last_at: when last, in UTC.
        times: how often.

    """

    compact_sha256: str
    split: str
    run_sha256: str
    first_at: datetime
    last_at: datetime
    times: int


@dataclass(frozen=True, slots=True)
class SplitExposure:
    """With how many runs a split of a protocol was looked at, and since when.

    Attributes:
        split: the split.
        runs: how many different runs, told apart by fingerprint.
        since: when the first of them was scored, in UTC.

    """

    split: str
    runs: int
    since: datetime


class ExposureLedger:
    """What a workspace remembers of looking; it forgets nothing when a protocol or a run is removed."""

    def __init__(self, database: Database, *, now: Callable[[], datetime] = utc_now) -> None:
        """Open the ledger of a workspace's database.

        Args:
            database: the workspace's.
            now: gives the time, aware of its zone.

        """
        self._database = database
        self._now = now

    def record_exposure(self, compact_sha256: str, split: str, runs: Iterable[str]) -> None:
        """Remember that runs were scored.

        Args:
            compact_sha256: the protocol.
            split: the split that was scored.
            runs: the fingerprints of the runs.

        Raises:
            WorkspaceError: it cannot be written.

        """
        with self._database.writing() as session:
            now = self._now()
            for run_sha256 in dict.fromkeys(runs):
                row = session.get(ExposureRow, (compact_sha256, split, run_sha256))
                if row is None:
                    row = ExposureRow(
                        compact_sha256=compact_sha256, split=split, run_sha256=run_sha256, first_at=now, times=0
                    )
                    session.add(row)
                row.last_at = now
                row.times += 1

    def exposures(self, compact_sha256: str) -> list[SplitExposure]:
        """Give for each split of a protocol that was looked at, with how many runs, and since when."""
        by_split: dict[str, list[Exposure]] = {}
        for each in self.entries(compact_sha256):
            by_split.setdefault(each.split, []).append(each)
        return [
            SplitExposure(split, len(entries), min(each.first_at for each in entries))
            for split, entries in by_split.items()
        ]

    def entries(self, compact_sha256: str) -> list[Exposure]:
        """Give every run that was scored on a protocol, the first first."""
        rows = select(ExposureRow).where(ExposureRow.compact_sha256 == compact_sha256)
        with self._database.reading() as session:
            found = [
                Exposure(row.compact_sha256, row.split, row.run_sha256, row.first_at, row.last_at, row.times)
                for row in session.scalars(rows)
            ]
        return sorted(found, key=lambda each: (each.first_at, each.split, each.run_sha256))

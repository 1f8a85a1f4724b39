from __future__ import annotations

from datetime import UTC, datetime

import rankeval
from rankeval.workspace import ExposureLedger, Workspace

A, B, C = "a" * 64, "b" * 64, "c" * 64
OTHER = "0" * 64


def at(*days: int) -> list[datetime]:
    return [datetime(2026, 3, day, 9, tzinfo=UTC) for day in reversed(days)]


class TestLedger:
    def test_nothing_was_looked_at_yet(self, workspace: Workspace) -> None:
        assert ExposureLedger(workspace.database).exposures(OTHER) == []

    def test_runs_are_counted_once_since_the_first_day(self, workspace: Workspace, protocol: rankeval.Protocol) -> None:
        ledger = ExposureLedger(workspace.database, now=at(3, 4, 9).pop)
        compact = protocol.compact_sha256
        ledger.record_exposure(compact, "test", [A, B])
        ledger.record_exposure(compact, "test", [B, C, C])
        ledger.record_exposure(compact, "dev", [A])

        (dev, test) = sorted(ledger.exposures(compact), key=lambda each: each.split)
        assert (test.split, test.runs, test.since) == ("test", 3, datetime(2026, 3, 3, 9, tzinfo=UTC))
        assert (dev.split, dev.runs, dev.since) == ("dev", 1, datetime(2026, 3, 9, 9, tzinfo=UTC))

    def test_a_run_has_its_first_and_last_time_and_how_often(self, workspace: Workspace) -> None:
        ledger = ExposureLedger(workspace.database, now=at(3, 4, 9).pop)
        for _ in range(3):
            ledger.record_exposure(OTHER, "test", [A])

        (entry,) = ledger.entries(OTHER)
        assert (entry.first_at.day, entry.last_at.day, entry.times) == (3, 9, 3)

    def test_it_stays_when_the_protocol_goes(self, workspace: Workspace, protocol: rankeval.Protocol) -> None:
        ledger = ExposureLedger(workspace.database)
        ledger.record_exposure(protocol.compact_sha256, "test", [A])
        workspace.remove_protocol(protocol.compact_sha256)

        assert [each.runs for each in ledger.exposures(protocol.compact_sha256)] == [1]

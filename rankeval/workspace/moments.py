"""Moments in time, which the workspace keeps in UTC."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> datetime:
    """Give the time in UTC."""
    return datetime.now(UTC)


def moment_text(moment: datetime) -> str:
    """Write an aware moment in UTC, to the microsecond.

    >>> moment_text(datetime.fromisoformat("2026-03-03T10:00:00+01:00"))
    '2026-03-03T09:00:00.000000Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")

"""A picture of all queries at a glance: what each gained or lost, sorted, as shapes with their coordinates.

What fell points down from the line of no change, what rose points up: the direction tells them apart before any colour
does.  Both measures are drawn on one scale, from -1 to +1, within which every difference lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from rankeval.core.comparison import Comparison

WIDTH, HEIGHT = 600, 180
"""The size of the picture in its own units."""

LEFT = 34
"""Where the scale ends and the arrows begin."""

_RIGHT, _TOP, _BOTTOM = 4, 8, 8
_TIP = 7
_WIDEST = 48
_EACH_ALONE = 80
"""Up to so many queries have an arrow each; more are drawn as bars, in one where they moved by the same."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """One query, or several neighbours that moved by the same.

    Attributes:
        path: the data of an SVG path.
        direction: `down`, `up` or `still`.
        queries: which, in the order of the picture.
        delta: by how much each of them moved.

    """

    path: str
    direction: str
    queries: tuple[str, ...]
    delta: Fraction


@dataclass(frozen=True, slots=True)
class Picture:
    """The sorted differences of one measure.

    Attributes:
        arrows: from the greatest fall to the greatest rise.
        lines: the scale: where +1, 0 and -1 are.
        fell: how many queries fell.
        still: how many did not move.
        rose: how many rose.

    """

    arrows: tuple[Arrow, ...]
    lines: tuple[tuple[str, float], ...]
    fell: int
    still: int
    rose: int


def recall_picture(comparison: Comparison) -> Picture:
    """Draw what became of Recall on every query that is not null."""
    return _picture([(row.recall_delta, row.query) for row in comparison.rows if row.recall_delta is not None])


def rr_picture(comparison: Comparison) -> Picture:
    """Draw what became of RR on every query that is not null."""
    return _picture([(row.rr_delta, row.query) for row in comparison.rows if row.rr_delta is not None])


def _picture(moved: Sequence[tuple[Fraction, str]]) -> Picture:
    moved = sorted(moved, key=lambda each: each[0])
    deltas = [delta for delta, _ in moved]
    return Picture(
        arrows=tuple(_arrows(moved)),
        lines=tuple((label, _y(Fraction(value))) for label, value in (("+1", 1), ("0", 0), ("-1", -1))),
        fell=sum(delta < 0 for delta in deltas),
        still=deltas.count(Fraction(0)),
        rose=sum(delta > 0 for delta in deltas),
    )


def _arrows(moved: Sequence[tuple[Fraction, str]]) -> list[Arrow]:
    each_alone = len(moved) <= _EACH_ALONE
    step = min(_WIDEST, (WIDTH - LEFT - _RIGHT) / max(1, len(moved)))
    gap, tip = (min(step / 5, 8), _TIP) if each_alone else (0, 0)
    arrows: list[Arrow] = []
    place = 0
    for _, group in groupby(enumerate(moved), key=lambda each: each if each_alone else each[1][0]):
        found = [each for _, each in group]
        left, width = LEFT + place * step + gap / 2, len(found) * step - gap
        delta = found[0][0]
        direction = "down" if delta < 0 else "up" if delta > 0 else "still"
        arrows.append(Arrow(_path(left, width, delta, tip), direction, tuple(query for _, query in found), delta))
        place += len(found)
    return arrows


def _path(left: float, width: float, delta: Fraction, tip: float) -> str:
    """Draw an arrow from the line of no change; a bar on it where there is none."""
    zero, end = _y(Fraction(0)), _y(delta)
    if not delta:
        return f"M{left:.1f},{zero - 2:.1f}h{width:.1f}v4h{-width:.1f}z"
    tip = min(tip, abs(end - zero)) * (1 if delta < 0 else -1)
    shaft = end - zero - tip
    return (
        f"M{left:.1f},{zero:.1f}h{width:.1f}v{shaft:.1f}l{-width / 2:.1f},{tip:.1f}"
        f"l{-width / 2:.1f},{-tip:.1f}v{-shaft:.1f}z"
    )


def _y(value: Fraction) -> float:
    inner = HEIGHT - _TOP - _BOTTOM
    return _TOP + float((1 - value) / 2) * inner

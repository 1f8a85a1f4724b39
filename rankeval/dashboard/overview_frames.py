"""Tables of the Overview page as pandas frames: plain column names, floats where people sort by them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pandas as pd

from rankeval.core.comparison import Status
from rankeval.core.overview import Bin, Curves, Distribution, RunSummary
from rankeval.core.words import decimal
from rankeval.dashboard.frames import as_float

_BASELINE = "◆"


def runs_frame(names: Sequence[str], summaries: Sequence[RunSummary], baseline: str) -> pd.DataFrame:
    """Give every run with its means, deltas and counts; a mean that is null is an empty cell."""
    return pd.DataFrame(
        {
            "run": [f"{_BASELINE} {name}" if name == baseline else name for name in names],
            "recall": [as_float(each.recall_at_k) for each in summaries],
            "recall_delta": [as_float(each.recall_delta) for each in summaries],
            "mrr": [as_float(each.mrr_at_k) for each in summaries],
            "mrr_delta": [as_float(each.mrr_delta) for each in summaries],
            **{
                str(status): [each.statuses[status] for each in summaries]
                for status in (Status.BETTER, Status.WORSE, Status.ENTERED, Status.LEFT)
            },
            "regressions": [each.regressions for each in summaries],
            "missing": [each.gaps.missing for each in summaries],
            "empty": [each.gaps.empty for each in summaries],
            "short": [each.gaps.short for each in summaries],
            "null": [each.gaps.null for each in summaries],
        }
    )


def distribution_frame(a: Distribution, b: Distribution) -> pd.DataFrame:
    """Give how many queries of two runs have which score, in bins, rising."""
    return pd.DataFrame(
        {
            "order": range(len(a.bins)),
            "score": [_bin_name(each) for each in a.bins],
            "a": [each.queries for each in a.bins],
            "b": [each.queries for each in b.bins],
        }
    )


def curves_frame(curves: Sequence[tuple[str, Curves]]) -> pd.DataFrame:
    """Give both means of every run at every cut-off; a run whose rankings end earlier keeps its last value."""
    longest = max((len(each.points) for _, each in curves), default=0)
    rows = [
        (name, j, float(point.recall), float(point.mrr))
        for name, each in curves
        if each.points
        for j, point in enumerate([*each.points, *each.points[-1:] * (longest - len(each.points))], 1)
    ]
    return pd.DataFrame(rows, columns=["run", "j", "recall", "mrr"])


def apart(values: Sequence[float], least: float) -> list[float]:
    """Move values between 0 and 1 as little upwards as it takes for them to stand apart, and down again from the top.

    Args:
        values: where names would stand.
        least: how far from the next one each name has to stand.

    >>> apart([0.5, 0.5, 0.0], 0.25), apart([1.0, 1.0], 0.25)
    ([0.5, 0.75, 0.0], [0.75, 1.0])
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    places = list(values)
    for below, each in pairwise(order):
        places[each] = max(places[each], places[below] + least)
    ceiling = 1.0
    for each in reversed(order):
        places[each] = min(places[each], ceiling)
        ceiling = places[each] - least
    return places


def _bin_name(each: Bin) -> str:
    low, high = decimal(each.low, 1), decimal(each.high, 1)
    return str(each.low) if each.low == each.high else f"{low} – {high}"

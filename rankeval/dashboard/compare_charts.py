"""The picture of all queries at a glance."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from rankeval.dashboard import palette
from rankeval.dashboard.language import _

PICKED = "picked"
"""What the chart calls the query that is clicked."""

_HEIGHT = 120


def glance_chart(frame: pd.DataFrame, title: str, query: str | None) -> Any:
    """Draw the delta of every query, worst first; a click picks one, and the one that is read is marked."""
    x = alt.X("place:O", axis=None, scale=alt.Scale(paddingInner=0.15 if len(frame) < _MANY else 0))
    y = alt.Y("delta:Q", title=title, axis=alt.Axis(tickCount=4, format="+.2~f"))
    # Bars too thin to be hit are picked by the nearest one.
    pick = alt.selection_point(
        name=PICKED, fields=["query"], on="click", nearest=len(frame) > _MANY, clear=False, toggle=False
    )
    bars = (
        alt.Chart(frame)
        .mark_bar(cursor="pointer", minBandSize=1)
        .encode(
            x=x,
            y=y,
            color=alt.condition("datum.delta < 0", alt.value(palette.A), alt.value(palette.B)),
            tooltip=[
                alt.Tooltip("query:N", title=_("Query")),
                alt.Tooltip("exact:N", title=title),
                alt.Tooltip("status:N", title=_("Status")),
                alt.Tooltip("need:N", title=_("Information need")),
            ],
        )
        .add_params(pick)
    )
    # Assistive technology reads the bars, which are all the queries; these say nothing that they do not.
    still = (
        alt.Chart(frame[frame["delta"] == 0])
        .mark_tick(thickness=2, color=palette.QUIET, height=6, aria=False)
        .encode(x=x, y=y)
    )
    read = alt.Chart(frame[frame["query"] == query]).mark_point(
        shape="triangle-down", filled=True, size=90, color=palette.MARK, aria=False
    )
    return (bars + still + read.encode(x=x, y=alt.value(4))).properties(height=_HEIGHT)


_MANY = 300

"""The picture of all queries at a glance."""

from __future__ import annotations

from functools import cache
from typing import Any

import altair as alt
import pandas as pd

from rankeval.dashboard import palette
from rankeval.dashboard.language import _, current

PICKED = "picked"
"""What the chart calls the query that is clicked."""

_HEIGHT = 120


def glance_chart(frame: pd.DataFrame, title: str, query: str | None) -> dict[str, Any]:
    """Draw the delta of every query, worst first; a click picks one, and the one that is read is marked.

    Returns:
        a Vega-Lite specification with its data.

    """
    drawn = frame[["place", "delta"]]
    datasets = {
        "moved": drawn[drawn["delta"] != 0],
        "still": drawn[drawn["delta"] == 0],
        "read": drawn[frame["query"] == query],
        "queries": frame,
    }
    return {**_grammar(title, current(), many=len(frame) >= _MANY), "datasets": datasets}


@cache
def _grammar(title: str, _language: str, *, many: bool) -> dict[str, Any]:
    """Say how the data is drawn, once: Altair takes longer to check a chart than to draw a thousand bars."""
    x = alt.X("place:O", axis=None, scale=alt.Scale(paddingInner=0 if many else 0.15))
    y = alt.Y("delta:Q", title=title, axis=alt.Axis(tickCount=4, format="+.2~f"))
    colour = alt.condition("datum.delta < 0", alt.value(palette.A), alt.value(palette.B))
    moved = _data("moved").mark_bar(minBandSize=1, aria=False).encode(x=x, y=y, color=colour)
    still = _data("still").mark_tick(thickness=2, color=palette.QUIET, height=6, aria=False).encode(x=x, y=y)
    read = (
        _data("read")
        .mark_point(shape="triangle-down", filled=True, size=90, color=palette.MARK, aria=False)
        .encode(x=x, y=alt.value(4))
    )
    # A query is picked, hovered over and read aloud by a bar of full height that nobody sees: one whose delta is small
    # or zero could not be hit.
    pick = alt.selection_point(name=PICKED, fields=["query"], on="click", clear=False, toggle=False)
    whole = (
        _data("queries")
        .mark_bar(cursor="pointer", minBandSize=1, opacity=0, aria=not many)
        .encode(
            x=x,
            y=alt.value(0),
            y2=alt.value("height"),
            tooltip=[
                alt.Tooltip("query:N", title=_("Query")),
                alt.Tooltip("exact:N", title=title),
                alt.Tooltip("status:N", title=_("Status")),
                alt.Tooltip("need:N", title=_("Information need")),
            ],
        )
        .add_params(pick)
    )
    drawn: dict[str, Any] = (moved + still + read + whole).properties(height=_HEIGHT).to_dict()
    return drawn


def _data(name: str) -> alt.Chart:
    return alt.Chart(alt.NamedData(name))


_MANY = 1_000
"""From so many queries on, Streamlit draws to a canvas, where nothing can be read aloud, and bars have no gaps."""

"""Charts of the Overview page."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from rankeval.dashboard import overview_frames, palette
from rankeval.dashboard.language import _

_HEIGHT = 210


def distribution_chart(frame: pd.DataFrame, title: str, names: tuple[str, str]) -> Any:
    """Draw how many queries of A and of B have which score, side by side."""
    long = pd.concat(
        [
            frame[["order", "score", "a"]].rename(columns={"a": "queries"}).assign(side="A", run=names[0]),
            frame[["order", "score", "b"]].rename(columns={"b": "queries"}).assign(side="B", run=names[1]),
        ]
    )
    return (
        alt.Chart(long)
        .mark_bar()
        .encode(
            x=alt.X(
                "score:N", sort=alt.SortField("order"), title=title, axis=alt.Axis(labelAngle=-40, labelOverlap=False)
            ),
            xOffset=alt.XOffset("side:N"),
            y=alt.Y("queries:Q", title=_("queries"), axis=alt.Axis(tickMinStep=1)),
            color=alt.Color("side:N", scale=alt.Scale(domain=["A", "B"], range=[palette.A, palette.B]), title=None),
            tooltip=[
                alt.Tooltip("run:N", title=_("Run")),
                alt.Tooltip("score:N", title=title),
                alt.Tooltip("queries:Q", title=_("queries")),
            ],
        )
        .properties(height=_HEIGHT)
    )


def curve_chart(frame: pd.DataFrame, measure: str, title: str, pair: tuple[str, str], k: int) -> Any:
    """Draw a mean at every cut-off, a line a run: A and B in their colours, all others quiet, names at the ends."""
    a, b = pair
    sided = frame.assign(
        side=["A" if run == a else "B" if run == b else "other" for run in frame["run"]], value=frame[measure]
    )
    ends = sided[sided["j"] == sided["j"].max()] if len(sided) else sided
    ends = ends.assign(place=overview_frames.apart(list(ends["value"]), _LINE))
    colour = alt.Color(
        "side:N",
        scale=alt.Scale(domain=["A", "B", "other"], range=[palette.A, palette.B, palette.QUIET]),
        legend=None,
    )
    x = alt.X("j:Q", title="j", axis=alt.Axis(tickMinStep=1, format="d"), scale=alt.Scale(nice=False))
    y = alt.Y("value:Q", title=title, scale=alt.Scale(domain=[0, 1]))
    lines = (
        alt.Chart(sided)
        .mark_line(point=k <= _FEW)
        .encode(
            x=x,
            y=y,
            color=colour,
            detail="run:N",
            strokeDash=alt.StrokeDash("side:N", scale=_DASHES, legend=None),
            tooltip=[
                alt.Tooltip("run:N", title=_("Run")),
                alt.Tooltip("j:Q", title="j"),
                alt.Tooltip("value:Q", title=title, format=".4f"),
            ],
        )
    )
    names = (
        alt.Chart(ends)
        .mark_text(align="left", dx=6, limit=110)
        .encode(x=x, y=alt.Y("place:Q"), text="run:N", color=colour)
    )
    return (lines + names).properties(height=_HEIGHT + 60, padding={"right": 5, "left": 5, "top": 5, "bottom": 5})


_LINE = 0.055
"""How much of the axis from 0 to 1 a line of text takes up."""

_FEW = 20
_DASHES = alt.Scale(domain=["A", "B", "other"], range=[[1, 0], [6, 3], [2, 2]])

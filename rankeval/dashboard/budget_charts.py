"""Charts of the page Chunk budgets."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from rankeval.dashboard import palette
from rankeval.dashboard.language import _

_HEIGHT = 280
_FEW = 30


def budget_chart(frame: pd.DataFrame, chosen: str, budget: int, k: int) -> Any:
    """Draw both means against the number of chunks; the chosen run stands out, and a rule marks the chosen budget."""
    drawn = frame.assign(
        line=[
            measure if run == chosen else "other" for run, measure in zip(frame["run"], frame["measure"], strict=True)
        ],
        name=[
            f"{measure}@{k}" if run == chosen else f"{measure}@{k} {run}"
            for run, measure in zip(frame["run"], frame["measure"], strict=True)
        ],
    )
    ends = drawn[drawn["budget"] == drawn["budget"].max()]
    colour = alt.Color(
        "line:N",
        scale=alt.Scale(domain=["Recall", "MRR", "other"], range=[palette.B, palette.A, palette.QUIET]),
        legend=None,
    )
    x = alt.X("budget:Q", title=_("chunks taken of each query"), axis=alt.Axis(tickMinStep=1, format="d"))
    y = alt.Y("value:Q", title=_("mean"), scale=alt.Scale(domain=[0, 1]))
    lines = (
        alt.Chart(drawn)
        .mark_line(point=frame["budget"].nunique() <= _FEW, interpolate="step-after")
        .encode(
            x=x,
            y=y,
            color=colour,
            detail="name:N",
            strokeDash=alt.StrokeDash(
                "measure:N", scale=alt.Scale(domain=["Recall", "MRR"], range=[[1, 0], [6, 3]]), legend=None
            ),
            tooltip=[
                alt.Tooltip("run:N", title=_("Chunk run")),
                alt.Tooltip("budget:Q", title=_("Chunks")),
                alt.Tooltip("measure:N", title=_("Measure")),
                alt.Tooltip("value:Q", format=".4f", title=_("mean")),
                alt.Tooltip("exact:N", title=_("exact")),
            ],
        )
    )
    names = (
        alt.Chart(ends).mark_text(align="left", dx=6, limit=100).encode(x=x, y="value:Q", text="name:N", color=colour)
    )
    # More chunks than any query received are all of them: the rule stays in the picture.
    marked = pd.DataFrame({"budget": [budget]}).clip(upper=frame["budget"].max())
    rule = alt.Chart(marked).mark_rule(strokeDash=[2, 3], color=palette.QUIET).encode(x=x)
    return (rule + lines + names).properties(height=_HEIGHT, padding={"right": 5, "left": 5, "top": 5, "bottom": 5})

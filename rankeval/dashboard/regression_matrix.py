"""Regressions of every run against every other, as a table of buttons.

Streamlit's own table selects a cell as soon as the keyboard comes by it: nobody could go past one with the Tab key
without being sent to another page.  A button waits until it is pressed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from rankeval.dashboard.language import _, n_
from rankeval.dashboard.scripts import scripted


def regression_matrix(
    names: Sequence[str], matrix: Sequence[Sequence[int]], key: str, then: Callable[[int, int], None]
) -> None:
    """Draw the matrix.

    Args:
        names: of the runs.
        matrix: on how many queries the column's run fell against the row's.
        key: the element's.
        then: what to do with the places of the baseline and the candidate that somebody chose.

    """

    def chosen() -> None:
        pair = st.session_state[key].pair
        if pair is not None:
            then(*pair)

    scripted(__file__, '<div class="rk-matrix-place"></div>')(
        key=key, data=matrix_data(names, matrix), on_pair_change=chosen
    )


def matrix_data(names: Sequence[str], matrix: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Give what the table shows and what each of its buttons is called."""
    return {
        "corner": _("baseline"),
        "names": list(names),
        "counts": [list(row) for row in matrix],
        "said": [
            [
                n_(
                    "{count} query on which {candidate} fell against {baseline}",
                    "{count} queries on which {candidate} fell against {baseline}",
                    count,
                    candidate=candidate,
                    baseline=baseline,
                )
                for candidate, count in zip(names, row, strict=True)
            ]
            for baseline, row in zip(names, matrix, strict=True)
        ],
    }

"""The pane of one query on Compare: the need, what moved, and both rankings."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from rankeval.core.comparison import Comparison, ComparisonRow
from rankeval.core.side_by_side import side_by_side
from rankeval.dashboard import figures, language, pane_markup, state
from rankeval.dashboard.language import _
from rankeval.dashboard.library import LoadedProtocol, LoadedRun

_BELOW_THE_CUT = 5
"""How many documents past k the pane still shows."""


def query_pane(
    entry: LoadedProtocol,
    pair: tuple[LoadedRun, LoadedRun],
    comparison: Comparison,
    query: str,
    in_table: Sequence[ComparisonRow],
) -> None:
    """Show one query: the need, what moved, both rankings, and what neither returned."""
    row = next(each for each in comparison.rows if each.query == query)
    protocol, gloss = entry.protocol, gloss_of(entry)
    with st.container(key="query-pane", border=True):
        _steps(query, in_table)
        metadata = protocol.queries[query]
        facts = [f"· {key}: {value}" for key, value in metadata.items() if key not in {"text", "split", "metadata"}]
        st.html(pane_markup.need(query, str(metadata.get("text", "")), gloss["queries"].get(query), facts))
        sides = side_by_side(
            protocol,
            query,
            pair[0].run.rankings.get(query, []),
            pair[1].run.rankings.get(query, []),
            protocol.k + _BELOW_THE_CUT,
        )
        named = (_side("A", "B", entry, pair[0], query), _side("B", "A", entry, pair[1], query))
        st.html(pane_markup.moved(row, sides, protocol.k))
        with st.container(key="rank-movement"):
            st.html(pane_markup.ways(sides, protocol.k))
        st.html(pane_markup.rankings(row.missing, sides, named, protocol, gloss["corpus"]))


def _side(letter: str, other: str, entry: LoadedProtocol, run: LoadedRun, query: str) -> pane_markup.Side:
    return pane_markup.Side(letter, other, run.name, figures.evidence_of_query(entry, run, query))


def _steps(query: str, in_table: Sequence[ComparisonRow]) -> None:
    """Offer the queries before and after this one in the table, and the regressions before and after it."""
    order = [row.query for row in in_table]
    fallen = {row.query for row in in_table if row.regression}
    place = order.index(query) if query in order else None
    before, after = ([], order) if place is None else (order[:place][::-1], order[place + 1 :])
    with st.container(horizontal=True, vertical_alignment="center", key="steps"):
        _step("previous", _("previous"), "ArrowLeft", before)
        _step("next", _("next"), "ArrowRight", after)
        _step("previous-regression", _("previous ▼"), "Shift+ArrowLeft", [q for q in before if q in fallen])
        _step("next-regression", _("next ▼"), "Shift+ArrowRight", [q for q in after if q in fallen])
        where = _("{place} of {all} in the table")
        st.caption(where.format(place="–" if place is None else place + 1, all=len(order)))


def _step(key: str, label: str, shortcut: str, candidates: Sequence[str]) -> None:
    target = next(iter(candidates), None)
    st.button(label, key=key, shortcut=shortcut, disabled=target is None, on_click=state.go, kwargs={"query": target})


def gloss_of(entry: LoadedProtocol) -> dict[str, dict[str, str]]:
    """Give the sample's English glosses, to those who read English."""
    given = entry.sample.gloss if entry.sample and language.current() == "en" else None
    return {part: dict(given[part]) if given else {} for part in ("corpus", "queries")}

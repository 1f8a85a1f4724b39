"""Compare: what moved between two runs, first of all what got worse though the mean rose."""

from __future__ import annotations

import streamlit as st

from rankeval.core.comparison import Comparison, ComparisonRow
from rankeval.dashboard import components, frames, markup, state
from rankeval.dashboard.library import LoadedRun, library


def page() -> None:
    """Draw the page."""
    loaded = library()
    view = state.view(loaded)
    components.protocol_bar(loaded, view)
    if view.a is None or view.b is None:
        st.info("This protocol has no run yet. Load one or more under Data.")
        return
    comparison = loaded.comparison(view.entry, view.a, view.b)
    _verdict(view.a, view.b, comparison)
    _filters(view, comparison)
    rows = frames.shown_rows(comparison, view.shown)
    order = [row.query for row in rows]
    query = view.query or state.default_query(comparison, order)
    table, pane = st.columns([11, 10], gap="medium")
    with table:
        _table(view, rows, query)
    with pane:
        if query is not None:
            components.query_pane(view, (view.a, view.b), comparison, query, order)
    if view.entry.sample:
        _about_sample(view)


def _verdict(a: LoadedRun, b: LoadedRun, comparison: Comparison) -> None:
    with st.container(key="verdict"):
        st.html(markup.STYLE + markup.headline(a.name, b.name, comparison))
        st.html(markup.means(comparison))
    with st.container(key="denominator"):
        st.html(markup.denominators(comparison))


def _filters(view: state.View, comparison: Comparison) -> None:
    counts = comparison.counts
    there = [name for name in frames.FILTERS if counts[name]]
    with st.container(key="count-pills"):
        st.pills(
            "Queries that are",
            format_func=lambda name: frames.filter_label(name, counts),
            **state.choice("filter", there, view.shown, lambda name: state.go(filter=name, query=None)),
        )


def _table(view: state.View, rows: list[ComparisonRow], query: str | None) -> None:
    protocol = view.entry.protocol
    queries = [row.query for row in rows]
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    pair = f"{view.a.key if view.a else ''}-{view.b.key if view.b else ''}"
    key = f"rows-{view.entry.key[:8]}-{pair}-{view.shown}"
    selected = [queries.index(query)] if query in queries else []
    with st.container(key="compare-table"):
        st.dataframe(
            frames.comparison_frame(rows, protocol),
            key=key,
            hide_index=True,
            placeholder="–",
            height=min(640, 38 + 35 * max(1, len(rows))),
            selection_mode="single-row",
            selection_default={"selection": {"rows": selected}},
            on_select=state.row_choice(key, queries),
            column_config={
                "query": text("Query", pinned=True, width="small"),
                "status": text("Status", width="medium", help="What became of the first relevant document within k"),
                "rank_a": number("A", width=45, help="A: rank of the first relevant document within k"),
                "rank_b": number("B", width=45, help="B: rank of the first relevant document within k"),
                "rank_delta": text("Δ rank", width=60, help="B minus A; empty where one side has no rank"),
                "rr_delta": text(f"Δ RR@{protocol.k}", width=80, help="Reciprocal rank, B minus A"),
                "recall_a": text("Recall A", width=75),
                "recall_b": text("Recall B", width=75),
                "recall_delta": text("Δ Recall", width=80, help="Recall, B minus A"),
                "need": text("Information need", width="large"),
            },
        )
    st.caption(f"{len(rows)} of {len(protocol.split_queries)} queries, worst first. Select a row to read it.")


def _about_sample(view: state.View) -> None:
    sample = view.entry.sample
    assert sample is not None
    with st.container(border=True, key="sample-card"):
        st.text(f"{sample.title}. {sample.summary}")
        for limit in sample.limits:
            st.text(f"• {limit}")
        others = [entry for entry in library().protocols() if entry.sample and entry.key != view.entry.key]
        with st.container(horizontal=True):
            for entry in others:
                st.button(
                    f"Open the other sample: {entry.sample.title if entry.sample else ''}",
                    key=f"open-{entry.key[:8]}",
                    on_click=state.open_protocol,
                    args=(entry,),
                )

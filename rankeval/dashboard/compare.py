"""Compare: what moved between two runs, first of all what got worse though the mean rose."""

from __future__ import annotations

import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from rankeval.core.comparison import Comparison, ComparisonRow
from rankeval.dashboard import components, figures, frames, markup, state
from rankeval.dashboard.language import _
from rankeval.dashboard.library import LoadedRun, library
from rankeval.formats.samples import SampleSet


def page() -> None:
    """Draw the page."""
    loaded = library()
    view = state.view(loaded)
    components.protocol_bar(loaded, view)
    if view.a is None or view.b is None:
        components.no_run()
        return
    comparison = figures.comparison_of(view.entry, view.a, view.b)
    _verdict(view.a, view.b, comparison)
    _filters(view, comparison)
    rows = frames.shown_rows(comparison, view.shown)
    order = [row.query for row in rows]
    query = view.query or state.default_query(comparison, order)
    with st.container(key="bench"):
        table, pane = st.columns([11, 10], gap="medium")
        with table, st.container(key="table-side"):
            _table(view, rows, query)
        with pane:
            if query is not None:
                components.query_pane(view, (view.a, view.b), comparison, query, order)
    if view.entry.sample:
        _about_sample(view.entry.sample)


def _verdict(a: LoadedRun, b: LoadedRun, comparison: Comparison) -> None:
    with st.container(key="verdict"):
        st.html(markup.headline(a.name, b.name, comparison))
        means, denominators = st.columns([11, 10], gap="medium")
        with means:
            st.html(markup.means(comparison))
        with denominators, st.container(key="denominator"):
            st.html(markup.denominators(comparison))


def _filters(view: state.View, comparison: Comparison) -> None:
    counts = comparison.counts
    there = [name for name in frames.FILTERS if counts[name]]
    with st.container(key="count-pills"):
        st.pills(
            _("Queries that are"),
            label_visibility="collapsed",
            format_func=lambda name: frames.filter_label(name, counts),
            **state.choice("filter", there, view.shown, lambda name: state.go(filter=name, query=None)),
        )


def _table(view: state.View, rows: list[ComparisonRow], query: str | None) -> None:
    protocol = view.entry.protocol
    queries = [row.query for row in rows]
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn

    def figure(title: str, meaning: str) -> ColumnConfig:
        return text(title, width=72, alignment="right", help=meaning)

    pair = f"{view.a.key if view.a else ''}-{view.b.key if view.b else ''}"
    key = f"rows-{view.entry.key[:8]}-{pair}-{view.shown}"
    with st.container(key="compare-table"):
        st.dataframe(
            frames.comparison_frame(rows, protocol),
            key=key,
            hide_index=True,
            placeholder="–",
            height=components.table_height(len(rows), 640),
            selection_mode=["single-row-required", "single-cell"],
            on_select=state.row_choice(key, queries, query),
            column_config={
                "query": text(_("Query"), width="small"),
                "status": text(_("Status"), width=155, help=_("What became of the first relevant document within k")),
                "rank_a": number("A", width=40, help=_("A: rank of the first relevant document within k")),
                "rank_b": number("B", width=40, help=_("B: rank of the first relevant document within k")),
                "rank_delta": figure(_("Δ rank"), _("B minus A; empty where one side has no rank")),
                "rr_delta": figure(f"Δ RR@{protocol.k}", _("Reciprocal rank, B minus A")),
                "recall_delta": figure("Δ Recall", _("Recall, B minus A")),
                "rr_a": figure("RR A", _("A: 1 / rank of the first relevant document within k, else 0")),
                "rr_b": figure("RR B", _("B: 1 / rank of the first relevant document within k, else 0")),
                "recall_a": figure("Recall A", _("A: relevant documents within k / all relevant documents")),
                "recall_b": figure("Recall B", _("B: relevant documents within k / all relevant documents")),
                "need": text(_("Information need"), width="large"),
            },
        )
    counts = _("{shown} of {all} queries, worst first. Click a row to read it.")
    st.caption(counts.format(shown=len(rows), all=len(protocol.split_queries)))


def _about_sample(sample: SampleSet) -> None:
    with st.container(border=True, key="sample-card"):
        st.text(_("{title}. {summary}").format(title=_(sample.title), summary=_(sample.summary)))
        for limit in sample.limits:
            st.text(f"• {_(limit)}")

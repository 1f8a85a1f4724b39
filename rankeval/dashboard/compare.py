"""Compare: what moved between two runs, first of all what got worse though the mean rose."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from rankeval.core.comparison import Comparison, ComparisonRow
from rankeval.core.groups import value_of
from rankeval.core.scoring import Measure
from rankeval.dashboard import compare_charts, components, figures, frames, hints, markup, pane, state
from rankeval.dashboard.language import _
from rankeval.dashboard.library import Library, LoadedProtocol, LoadedRun, library
from rankeval.formats.samples import SampleSet


def page() -> None:
    """Draw the page."""
    loaded = library()
    view = state.view(loaded)
    components.protocol_bar(loaded, view)
    if view.a is None or view.b is None:
        components.no_run()
        return
    if view.entry.sample:
        hints.first_visit()
    pair = (view.a, view.b)
    comparison = figures.comparison_of(view.entry, *pair)
    _verdict(pair, comparison)
    _exposure(loaded, view)
    ordered = figures.worst_first_of(view.entry, *pair, view.measure)
    rows = _found(view, frames.shown_rows(ordered, view.shown))
    query = view.query or state.default_query(comparison, [row.query for row in rows])
    _glance(view, ordered, query)
    _filters(view, comparison)
    exactly = _narrowing(view, len(rows))
    _groups(view, pair)
    with st.container(key="bench"):
        table, read = st.columns([11, 10], gap="medium")
        with table, st.container(key="table-side"):
            _table(view, rows, query, exactly=exactly)
        with read:
            if query is not None:
                pane.query_pane(view.entry, pair, comparison, query, rows)
    if view.entry.sample:
        _about_sample(loaded, view.entry, view.entry.sample)


def _found(view: state.View, rows: list[ComparisonRow]) -> list[ComparisonRow]:
    """Narrow rows to what is searched for and to a group."""
    protocol = view.entry.protocol
    if view.group is not None and view.where is not None:
        rows = [row for row in rows if value_of(protocol, row.query, view.group) == view.where.value]
    return frames.found_rows(protocol, rows, view.find) if view.find else rows


def _verdict(pair: tuple[LoadedRun, LoadedRun], comparison: Comparison) -> None:
    a, b = pair
    with st.container(key="verdict"):
        st.html(markup.headline(a.name, b.name, comparison, (a.run.from_chunks, b.run.from_chunks)))
        means, denominators = st.columns([11, 10], gap="medium")
        with means:
            st.html(markup.means(comparison))
        with denominators, st.container(key="denominator"):
            st.html(markup.denominators(comparison))


def _exposure(loaded: Library, view: state.View) -> None:
    """Say how often the split was looked at; that of a sample is there for looking."""
    found = loaded.exposure(view.entry)
    if found is not None:
        with st.container(key="exposure"):
            st.html(markup.exposure(found.split, found.runs, f"{found.since:%Y-%m-%d}"))


def _glance(view: state.View, rows: list[ComparisonRow], query: str | None) -> None:
    """Show every query at once, whatever the table is narrowed to."""
    k = view.entry.protocol.k
    names = {str(Measure.RR): f"Δ RR@{k}", str(Measure.RECALL): f"Δ Recall@{k}"}
    frame = frames.glance_frame(rows, view.entry.protocol, view.measure)
    with st.container(key="glance"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(markup.heading(_("Every query, worst first")), width="content")
            st.segmented_control(
                _("Sorted by"),
                label_visibility="collapsed",
                format_func=lambda name: names[name],
                **state.choice(
                    "metric", list(names), str(view.measure), lambda name: state.go(metric=name or str(view.measure))
                ),
            )
        st.vega_lite_chart(
            compare_charts.glance_chart(frame, names[str(view.measure)], query),
            key="glance-chart",
            on_select=state.picked("glance-chart", compare_charts.PICKED),
            selection_mode=compare_charts.PICKED,
        )


def _filters(view: state.View, comparison: Comparison) -> None:
    counts = comparison.counts
    with st.container(key="count-pills"):
        st.pills(
            _("Queries that are"),
            label_visibility="collapsed",
            format_func=lambda name: frames.filter_label(name, counts),
            **state.choice("filter", frames.FILTERS, view.shown, lambda name: state.go(filter=name, query=None)),
        )


def _narrowing(view: state.View, shown: int) -> bool:
    """Offer a search, groups, and fractions; say whether fractions are wanted."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="narrowing"):
        st.text_input(
            _("Search IDs and information needs"),
            label_visibility="collapsed",
            placeholder=_("Search IDs and information needs"),
            width=320,
            **state.written("find", view.find, lambda content: state.go(find=content or None, query=None)),
        )
        fields = figures.fields_of(view.entry)
        if fields:
            st.selectbox(
                _("Group by"),
                label_visibility="collapsed",
                placeholder=_("Group by a field of the queries"),
                width=260,
                index=None,
                **state.choice(
                    "group", fields, view.group, lambda field: state.go(group=field, where=None, query=None)
                ),
            )
        too_many = shown > frames.WRITTEN_ROWS
        return (
            st.toggle(
                _("Exact fractions"),
                key="exact",
                disabled=too_many,
                help=_("Up to {count} rows; the pane and the downloads are always exact.").format(
                    count=frames.WRITTEN_ROWS
                ),
            )
            and not too_many
        )


def _groups(view: state.View, pair: tuple[LoadedRun, LoadedRun]) -> None:
    """Show what became of each group; a click narrows the table to it."""
    if view.group is None:
        return
    found = figures.groups_of(view.entry, *pair, view.group)
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    key = f"groups-{view.entry.key[:8]}-{pair[0].key}-{pair[1].key}-{view.group}"
    with st.container(key="groups-table"):
        st.dataframe(
            frames.groups_frame(found),
            key=key,
            hide_index=True,
            placeholder=_("null"),
            height=components.table_height(len(found), 290),
            selection_mode="single-row",
            on_select=state.group_choice(key, [group.value for group in found], view.where),
            column_config={
                "value": text(view.group),
                "queries": number(_("queries")),
                "regressions": number(_("regressions"), help=_("Queries on which RR or Recall fell")),
                "improvements": number(_("improvements"), help=_("Queries on which one rose and none fell")),
                "rr_delta": number("Δ RR", format="%+.4f", help=_("Mean over the group's eligible queries alone")),
                "recall_delta": number(
                    "Δ Recall", format="%+.4f", help=_("Mean over the group's eligible queries alone")
                ),
            },
        )
    st.caption(
        _("Select a group to see its queries alone. A score is over all queries of the split, never over a group.")
    )


def _table(view: state.View, rows: list[ComparisonRow], query: str | None, *, exactly: bool) -> None:
    protocol = view.entry.protocol
    queries = [row.query for row in rows]
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    # The table's own selection is by position, so another set or order of rows is another table.
    key = f"rows-{replace(view, query=None).params()}-{exactly}"
    frame = frames.comparison_frame(rows, protocol)
    plain = len(rows) > frames.WRITTEN_ROWS
    signed, unsigned = ("%+.4f", "%.4f") if plain else (None, None)
    with st.container(key="compare-table"):
        st.dataframe(
            frame if plain else frames.written(frame, rows, exactly=exactly),
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
                "rank_delta": number(
                    _("Δ rank"),
                    width=60,
                    format="%+d" if plain else None,
                    help=_("B minus A; empty where one side has no rank"),
                ),
                "rr_delta": _figure(f"Δ RR@{protocol.k}", _("Reciprocal rank, B minus A"), signed),
                "recall_delta": _figure("Δ Recall", _("Recall, B minus A"), signed),
                "rr_a": _figure("RR A", _("A: 1 / rank of the first relevant document within k, else 0"), unsigned),
                "rr_b": _figure("RR B", _("B: 1 / rank of the first relevant document within k, else 0"), unsigned),
                "recall_a": _figure("Recall A", _("A: relevant documents within k / all relevant documents"), unsigned),
                "recall_b": _figure("Recall B", _("B: relevant documents within k / all relevant documents"), unsigned),
                "need": text(_("Information need"), width="large"),
            },
        )
    counts = _("{shown} of {all} queries, worst first. Click a row to read it.")
    st.caption(counts.format(shown=len(rows), all=len(protocol.split_queries)))


def _figure(title: str, meaning: str, written: str | None) -> ColumnConfig:
    return st.column_config.NumberColumn(title, width=76, format=written, help=meaning)


def _about_sample(loaded: Library, entry: LoadedProtocol, sample: SampleSet) -> None:
    with st.container(border=True, key="sample-card"):
        hints.ways_on(loaded, entry)
        st.text(_("{title}. {summary}").format(title=_(sample.title), summary=_(sample.summary)))
        for limit in sample.limits:
            st.text(f"• {_(limit)}")

"""Missing and null: what each run did not return, what that does to its means, and what null does not say."""

from __future__ import annotations

import streamlit as st

from rankeval.core.gaps import Gap
from rankeval.dashboard import components, figures, markup, missing_frames, missing_markup, state
from rankeval.dashboard.language import _
from rankeval.dashboard.library import LoadedRun, library


def page() -> None:
    """Draw the page."""
    loaded = library()
    view = state.view(loaded)
    components.protocol_bar(loaded, view)
    if view.a is None or view.b is None:
        components.no_run()
        return
    with st.container(key="missing-panel"):
        for column, side, run in zip(st.columns(2, gap="medium"), "AB", (view.a, view.b), strict=True):
            with column:
                _run(view, side, run)
        _side_by_side(view, (view.a, view.b))
    with st.container(key="null-panel"):
        _null(view, (view.a, view.b))
    _all_runs(view, loaded.runs(view.entry))


def _run(view: state.View, side: str, run: LoadedRun) -> None:
    gaps = figures.gaps_of(view.entry, run)
    st.html(missing_markup.summary(side, run.name, gaps, run.report, view.entry.protocol.k))
    entries: list[Gap] = [*gaps.missing, *gaps.empty, *gaps.short]
    if not entries:
        return
    number = st.column_config.NumberColumn
    k = view.entry.protocol.k
    pull = _("What the query does to this mean: the mean as it is minus the mean over the other scored queries")
    with st.container(key=f"gaps-{side}"):
        st.dataframe(
            missing_frames.gaps_frame(entries, view.entry.protocol),
            hide_index=True,
            placeholder="–",
            height=components.table_height(len(entries), 360),
            column_config={
                "query": st.column_config.TextColumn(_("Query"), width="small"),
                "state": st.column_config.TextColumn(_("Status"), width="small", help=_("What was returned")),
                "returned": number(_("documents"), width=85, help=_("How many documents the run has, also past k")),
                "recall_pull": number(f"± Recall@{k}", format="%+.4f", help=pull),
                "mrr_pull": number(f"± MRR@{k}", format="%+.4f", help=pull),
                "recall_headroom": number(
                    _("Recall to gain"),
                    format="%.4f",
                    help=_("How much the mean would rise if this query were answered"),
                ),
                "need": st.column_config.TextColumn(_("Information need"), width="large"),
            },
        )


def _side_by_side(view: state.View, pair: tuple[LoadedRun, LoadedRun]) -> None:
    st.html(markup.heading(_("Side by side")))
    found = figures.gaps_beside(view.entry, *pair)
    if not found:
        st.text(_("Neither run is missing, empty or short on any query, and no query is null."))
        return
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    queries = [each.query for each in found]
    with st.container(key="missing-table"):
        st.dataframe(
            missing_frames.pairs_frame(found, view.entry.protocol),
            key="missing-rows",
            hide_index=True,
            placeholder="–",
            height=components.table_height(len(found), 400),
            selection_mode="single-row",
            on_select=state.query_choice("missing-rows", queries),
            column_config={
                "query": text(_("Query"), width="small"),
                "state_a": text("A"),
                "state_b": text("B"),
                "returned_a": number(_("A returned"), width=90),
                "returned_b": number(_("B returned"), width=90),
                "null": text(_("null"), width=60, help=_("Nothing is relevant to it: it is in no mean")),
                "need": text(_("Information need"), width="large"),
            },
        )
    st.caption(_("Click a row to read the query on Compare."))


def _null(view: state.View, pair: tuple[LoadedRun, LoadedRun]) -> None:
    st.html(missing_markup.null(view.entry.protocol, [(run.name, run.run, run.report) for run in pair]))


def _all_runs(view: state.View, runs: list[LoadedRun]) -> None:
    st.html(markup.heading(_("Every run")))
    number = st.column_config.NumberColumn
    k = view.entry.protocol.k
    with st.container(key="missing-runs"):
        st.dataframe(
            missing_frames.runs_frame([(run.name, figures.gaps_of(view.entry, run), run.report) for run in runs]),
            hide_index=True,
            placeholder="–",
            column_config={
                "run": st.column_config.TextColumn(_("Run")),
                "missing": number(_("missing"), help=_("The run has no entry: scored as 0")),
                "empty": number(_("empty"), help=_("The run has an empty list: scored as 0")),
                "short": number(_("short"), help=_("The run returned something, but fewer than k documents")),
                "null": number(_("null"), help=_("Nothing is relevant: left out of both means")),
                "recall": number(f"Recall@{k}", format="%.4f"),
                "recall_wrong": number(
                    _("✘ Recall without the missing"),
                    format="%.4f",
                    help=_("Wrong: what a scorer says that drops missing queries from the mean"),
                ),
                "mrr": number(f"MRR@{k}", format="%.4f"),
                "mrr_wrong": number(
                    _("✘ MRR without the missing"),
                    format="%.4f",
                    help=_("Wrong: what a scorer says that drops missing queries from the mean"),
                ),
            },
        )

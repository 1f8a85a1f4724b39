"""Overview: every run against the baseline and against every other, and how their scores are spread."""

from __future__ import annotations

import streamlit as st

from rankeval.core.scoring import Measure
from rankeval.dashboard import components, figures, markup, overview_charts, overview_frames, overview_markup, state
from rankeval.dashboard.language import _
from rankeval.dashboard.library import LoadedRun, library
from rankeval.dashboard.regression_matrix import regression_matrix


def page() -> None:
    """Draw the page."""
    loaded = library()
    view = state.view(loaded)
    components.protocol_bar(loaded, view)
    if view.a is None or view.b is None:
        components.no_run()
        return
    runs = loaded.runs(view.entry)
    with st.spinner(_("Reading, checking and scoring the runs")):
        for run in runs:
            figures.curves_of(view.entry, run)
    _verdict(view, runs, view.a)
    _table(view, runs, view.a)
    matrix, spread = st.columns([11, 10], gap="medium")
    with matrix:
        _matrix(view, runs)
    with spread:
        _distributions(view, (view.a, view.b))
    _curves(view, runs)


def _verdict(view: state.View, runs: list[LoadedRun], baseline: LoadedRun) -> None:
    summaries = [(run.name, figures.summary_of(view.entry, run, baseline)) for run in runs]
    with st.container(key="overview-verdict"):
        st.html(overview_markup.verdict(summaries, baseline.name, view.entry.protocol.k))
        if other := overview_markup.two_experiments(runs, baseline):
            st.html(other)


def _table(view: state.View, runs: list[LoadedRun], baseline: LoadedRun) -> None:
    k = view.entry.protocol.k
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    summaries = [figures.summary_of(view.entry, run, baseline) for run in runs]
    with st.container(key="overview-table"):
        st.dataframe(
            overview_frames.runs_frame([run.name for run in runs], summaries, baseline.name),
            hide_index=True,
            column_config={
                "run": text(_("Run")),
                "recall": number(f"Recall@{k}", format="%.4f", help=_("Mean over the eligible queries")),
                "recall_delta": number("Δ Recall", format="%+.4f", help=_("This run minus the baseline")),
                "mrr": number(f"MRR@{k}", format="%.4f", help=_("Mean reciprocal rank over the eligible queries")),
                "mrr_delta": number("Δ MRR", format="%+.4f", help=_("This run minus the baseline")),
                "better": number(_("▲ better"), help=_("The first relevant document stands higher than in A")),
                "worse": number(_("▼ worse"), help=_("The first relevant document stands lower than in A")),
                "entered": number(_("⇥ entered"), help=_("Only this run has a relevant document within k")),
                "left": number(_("⇤ left"), help=_("Only A has a relevant document within k")),
                "regressions": number(_("regressions"), help=_("Queries on which RR or Recall fell")),
                "missing": number(_("missing"), help=_("Queries that the run has no entry for, scored as 0")),
                "empty": number(_("empty"), help=_("Queries with an empty list, scored as 0")),
                "short": number(_("short"), help=_("Queries with fewer than k documents")),
                "null": number(_("null"), help=_("Queries to which nothing is relevant: left out of both means")),
            },
        )
    st.caption(_("The baseline is A, marked ◆; choose another above. Every Δ is the run minus the baseline."))


def _matrix(view: state.View, runs: list[LoadedRun]) -> None:
    st.html(markup.heading(_("Regressions of every run against every other")))
    st.caption(_("Row: baseline. Column: candidate. On how many queries the column fell. Click a cell to read them."))
    with st.container(key="regression-matrix"):
        regression_matrix(
            [run.name for run in runs],
            figures.matrix_of(view.entry, runs),
            "matrix-cells",
            lambda a, b: state.open_regressions(runs[a], runs[b]),
        )


def _distributions(view: state.View, pair: tuple[LoadedRun, LoadedRun]) -> None:
    st.html(markup.heading(_("How many queries have which score")))
    for measure, title in ((Measure.RECALL, f"Recall@{view.entry.protocol.k}"), (Measure.RR, "RR")):
        spread = [figures.distribution_of(view.entry, run, measure) for run in pair]
        frame = overview_frames.distribution_frame(spread[0], spread[1])
        with st.container(key=f"distribution-{measure}"):
            st.altair_chart(overview_charts.distribution_chart(frame, title, (pair[0].name, pair[1].name)))
            components.table_of(frame, {"score": title, "a": "A", "b": "B"}, ("score", "a", "b"))


def _curves(view: state.View, runs: list[LoadedRun]) -> None:
    k = view.entry.protocol.k
    st.html(markup.heading(_("Other cut-offs, for exploration")))
    st.caption(
        _(
            "The protocol's k is frozen at {k}; only there is a figure a score. The curves say what a smaller k would."
        ).format(k=k)
    )
    frame = overview_frames.curves_frame([(run.name, figures.curves_of(view.entry, run)) for run in runs])
    pair = (view.a.name if view.a else "", view.b.name if view.b else "")
    sides = st.columns(2, gap="medium")
    for side, measure, title in zip(sides, ("recall", "mrr"), ("Recall@j", "MRR@j"), strict=True):
        with side, st.container(key=f"curve-{measure}"):
            st.altair_chart(overview_charts.curve_chart(frame, measure, title, pair, k))
    components.table_of(frame, {"run": _("Run"), "j": "j", "recall": "Recall@j", "mrr": "MRR@j"}, tuple(frame.columns))

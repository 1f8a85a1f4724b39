"""Who leads a review: makes rounds of the comparison that is open, sends out their addresses, opens their results."""

from __future__ import annotations

import streamlit as st

from rankeval.core.contract import ContractError
from rankeval.core.review import GUIDELINES, REGRESSION, SELECTABLE, select_queries
from rankeval.core.review_queue import round_progress
from rankeval.dashboard import (
    components,
    figures,
    frames,
    review_frames,
    review_markup,
    review_results,
    review_state,
    state,
)
from rankeval.dashboard.language import _
from rankeval.dashboard.library import Library, LoadedRun
from rankeval.workspace import Round

MOST_ANNOTATORS = 50


def page(loaded: Library, view: state.View) -> None:
    """Draw the page."""
    rounds = loaded.reviews.rounds(view.entry.protocol.compact_sha256)
    chosen = review_state.led(rounds)
    if rounds:
        _rounds(loaded, rounds, chosen)
    if chosen is not None:
        _address(chosen)
        review_results.results(loaded, chosen)
    if view.a and view.b:
        with st.expander(_("Make a review round of this comparison"), expanded=not rounds):
            _make(loaded, view, (view.a, view.b))
    else:
        components.no_run()


def _rounds(loaded: Library, rounds: list[Round], chosen: Round | None) -> None:
    st.html(review_markup.section(_("Review rounds of this protocol")))
    progress = [
        round_progress(each.queries, loaded.reviews.assignments(each.token), each.annotators_per_query)
        for each in rounds
    ]
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    with st.container(key="review-rounds"):
        st.dataframe(
            review_frames.rounds_frame(rounds, progress),
            key="rounds",
            hide_index=True,
            height=components.table_height(len(rounds), 220),
            selection_mode="single-row",
            on_select=review_state.round_choice("rounds", rounds, chosen),
            column_config={
                "name": text(_("Round")),
                "a": text(_("A, the baseline")),
                "b": text(_("B, the candidate")),
                "queries": number(_("queries")),
                "complete": number(_("complete"), help=_("Queries with as many verdicts as they need")),
                "answers": number(_("verdicts")),
                "needed": number(_("needed"), help=_("Verdicts that the round needs in all")),
                "blind": text(_("Blind")),
                "made": text(_("Made"), help=_("The day, in UTC")),
            },
        )
    st.caption(_("Select a round to read what came of it."))


def _address(chosen: Round) -> None:
    with st.container(key="review-address"):
        st.caption(_("Send this address to annotators; it reaches this round and nothing else:"))
        st.code(review_state.address_of(chosen), language=None)


def _make(loaded: Library, view: state.View, pair: tuple[LoadedRun, LoadedRun]) -> None:
    comparison = figures.comparison_of(view.entry, *pair)
    counts = comparison.counts
    with st.form("make-round", border=False):
        # Annotators read it, so it does not name the runs.
        name = st.text_input(_("Name of the round"), key="round-name", value=components.title(view.entry))
        statuses = st.pills(
            _("Queries that are"),
            SELECTABLE,
            selection_mode="multi",
            default=[REGRESSION],
            format_func=lambda status: frames.filter_label(status, counts),
            key="round-statuses",
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            each = st.number_input(
                _("Annotators for each query"), 1, MOST_ANNOTATORS, 2, key="round-annotators", width=220
            )
            blind = st.toggle(
                _("Blind"),
                value=True,
                key="round-blind",
                help=_("Whose column is whose is drawn for each annotator and query, and told after the verdict."),
            )
        guidelines = st.text_area(_("Guidelines"), value=_(GUIDELINES), height=220, key="round-guidelines")
        wanted = st.form_submit_button(_("Make the round"), key="make", type="primary")
    if not wanted:
        return
    try:
        made = loaded.begin_round(
            *pair,
            name=name,
            statuses=statuses,
            queries=select_queries(comparison, statuses),
            guidelines=guidelines,
            annotators_per_query=int(each),
            blind=blind,
        )
    except ContractError as error:
        st.html(review_markup.refused(error))
        return
    review_state.lead(made)
    st.rerun()

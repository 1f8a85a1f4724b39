"""What came of a review round, for who leads it: from progress and agreement to judgments in dispute, and files."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from rankeval.core.agreement import agreement
from rankeval.core.contract import ContractError
from rankeval.core.proposal import propose, what_if
from rankeval.core.review import FINDINGS, Finding
from rankeval.core.review_queue import round_progress
from rankeval.core.review_tables import (
    Dispute,
    Outcome,
    QueryVerdicts,
    causes,
    disagreements,
    disputed_judgments,
    outcomes,
    ratings_of,
    verdict_table,
)
from rankeval.dashboard import (
    components,
    data_downloads,
    review_downloads,
    review_frames,
    review_markup,
    review_state,
    state,
)
from rankeval.dashboard.language import _
from rankeval.dashboard.library import Library, LoadedProtocol, LoadedRun
from rankeval.workspace import Round


def results(loaded: Library, chosen: Round) -> None:
    """Draw everything that is known of a round."""
    reviewed = loaded.reviewed(chosen)
    if reviewed is None:
        st.html(review_markup.gone())
        return
    entry, a, b = reviewed
    answers = [each.answer for each in loaded.reviews.history(chosen.token)]
    table = verdict_table(chosen.queries, answers)
    settled = outcomes(table, [each.adjudication for each in loaded.reviews.adjudications(chosen.token)])
    _progress(loaded, chosen)
    _agreement(table)
    _verdicts(entry, (a, b), table, settled)
    _disagreements(loaded, entry, chosen, table, settled)
    _causes(table)
    _disputes(loaded, entry, (a, b), disputed_judgments(entry.protocol, table))
    with st.container(key="review-export"):
        st.html(review_markup.section(_("Files")))
        data_downloads.buttons(review_downloads.of_round(entry, chosen, answers))


def _progress(loaded: Library, chosen: Round) -> None:
    found = round_progress(chosen.queries, loaded.reviews.assignments(chosen.token), chosen.annotators_per_query)
    with st.container(key="review-progress"):
        st.html(review_markup.round_progress(found))
        if found.annotators:
            st.dataframe(
                review_frames.annotators_frame(found.annotators),
                hide_index=True,
                height=components.table_height(len(found.annotators), 250),
                column_config={
                    "annotator": _("Annotator"),
                    "answered": _("answered"),
                    "open": _("open"),
                    "skipped": _("skipped"),
                },
            )


def _agreement(table: Sequence[QueryVerdicts]) -> None:
    found = agreement(ratings_of(table))
    with st.container(key="review-agreement"):
        st.html(review_markup.agreement(found))
        frame = review_frames.pairs_frame(found.pairs)
        if len(frame):
            st.dataframe(
                frame,
                hide_index=True,
                height=components.table_height(len(frame), 300),
                column_config={
                    "first": _("One says"),
                    "second": _("the other says"),
                    "pairs": st.column_config.NumberColumn(
                        _("pairs"), help=_("Of two annotators who answered the same query")
                    ),
                },
            )


def _verdicts(
    entry: LoadedProtocol,
    pair: tuple[LoadedRun, LoadedRun],
    table: Sequence[QueryVerdicts],
    settled: Sequence[Outcome],
) -> None:
    st.html(review_markup.section(_("Verdicts")))
    frame = review_frames.verdicts_frame(entry.protocol, table, settled)
    queries = [row.query for row in table for _answer in row.answers]
    with st.container(key="review-verdicts"):
        st.dataframe(
            frame,
            key="verdict-rows",
            hide_index=True,
            placeholder="–",
            height=components.table_height(len(frame), 420),
            selection_mode="single-row",
            on_select=state.query_choice("verdict-rows", queries, pair),
            column_config={
                "query": _("Query"),
                "outcome": _("Outcome"),
                "annotator": _("Annotator"),
                "finding": _("Verdict"),
                "reason": st.column_config.TextColumn(_("Reason"), width="medium"),
                "note": st.column_config.TextColumn(_("Note"), width="medium"),
                "relevant": _("Relevant, I think"),
                "not_relevant": _("Not relevant, I think"),
                "need": _("Information need"),
            },
        )
    st.caption(_("Click a row to read the query on Compare."))


def _disagreements(
    loaded: Library,
    entry: LoadedProtocol,
    chosen: Round,
    table: Sequence[QueryVerdicts],
    settled: Sequence[Outcome],
) -> None:
    """Show where annotators differ side by side, and take a decision with its reason."""
    differ = disagreements(table)
    decided = {each.query: each.adjudication for each in settled}
    with st.container(key="review-disagreements"):
        st.html(review_markup.disagreements(entry.protocol, differ, decided))
        answered = [row.query for row in table if row.answers]
        if not answered:
            return
        first = next((row.query for row in differ if decided[row.query] is None), answered[0])
        with st.form("adjudicate", clear_on_submit=True):
            with st.container(horizontal=True):
                query = st.selectbox(_("Query"), answered, index=answered.index(first), key="adjudicated", width=180)
                finding = st.selectbox(
                    _("Decision"),
                    list(Finding),
                    index=None,
                    placeholder=_("what it comes to"),
                    format_func=lambda each: _(FINDINGS[each]),
                    key="decision",
                )
                who = st.text_input(_("Who decides"), key="decider", width=220)
            reason = st.text_input(_("Why"), key="decision-reason")
            wanted = st.form_submit_button(_("Decide"), key="decide")
        if wanted:
            _decide(loaded, chosen, query, finding, reason, who)


def _decide(loaded: Library, chosen: Round, query: str, finding: Finding | None, reason: str, who: str) -> None:
    if finding is None or not reason.strip() or not who.strip():
        st.html(review_markup.asked(_("A decision needs what it comes to, who decides, and why.")))
        return
    try:
        loaded.reviews.adjudicate(chosen.token, query, finding, reason=reason.strip(), who=who.strip())
    except ContractError as error:
        st.html(review_markup.refused(error))
        return
    st.rerun()


def _causes(table: Sequence[QueryVerdicts]) -> None:
    frame = review_frames.causes_frame(causes(table))
    if not len(frame):
        return
    st.html(review_markup.section(_("Regressions by cause")))
    with st.container(key="review-causes"):
        st.dataframe(
            frame,
            hide_index=True,
            placeholder="–",
            height=components.table_height(len(frame), 300),
            column_config={
                "finding": _("Verdict"),
                "reason": _("Reason"),
                "answers": _("verdicts"),
                "on": _("Queries"),
            },
        )


def _disputes(
    loaded: Library, entry: LoadedProtocol, pair: tuple[LoadedRun, LoadedRun], disputes: Sequence[Dispute]
) -> None:
    """Show the judgments that annotators would have otherwise, and make a proposal of those that are chosen."""
    if not disputes:
        return
    st.html(review_markup.section(_("Judgments in dispute")))
    with st.container(key="review-disputes"):
        names = {f"{each.query} · {each.document}": each for each in disputes}
        st.dataframe(
            review_frames.disputes_frame(disputes),
            hide_index=True,
            height=components.table_height(len(disputes), 300),
            column_config={
                "query": _("Query"),
                "document": _("Document"),
                "label": _("Judgment now"),
                "relevant": _("Say it is relevant"),
                "not_relevant": _("Say it is not"),
            },
        )
        with st.form("propose"):
            chosen = st.multiselect(_("Judgments to change"), list(names), key="proposed", placeholder=_("none chosen"))
            why = st.text_input(_("Why"), key="proposed-why")
            wanted = st.form_submit_button(_("Propose a new protocol"), key="propose")
        if wanted:
            try:
                proposed = propose(entry.protocol, [names[name].change(why) for name in chosen])
            except ContractError as error:
                st.html(review_markup.refused(error))
                return
            added = loaded.add_protocol(_("{name}, proposed").format(name=components.title(entry)), proposed)
            review_state.set_proposed(entry.key, added.key)
        _what_if(loaded, entry, pair)


def _what_if(loaded: Library, entry: LoadedProtocol, pair: tuple[LoadedRun, LoadedRun]) -> None:
    """Show both runs on both protocols, each figure under its protocol's fingerprint."""
    key = review_state.proposed(entry.key)
    proposed = next((each for each in loaded.protocols() if each.key == key), None)
    if proposed is None:
        return
    st.html(review_markup.proposed(entry, proposed))
    both = [(run.name, what_if(entry.protocol, proposed.protocol, run.run)) for run in pair]
    st.dataframe(
        review_frames.what_if_frame(both),
        hide_index=True,
        column_config={
            "run": _("Run"),
            "protocol": _("Protocol"),
            "recall": f"Recall@{entry.protocol.k}",
            "mrr": f"MRR@{entry.protocol.k}",
            "denominator": _("Denominator"),
        },
    )
    data_downloads.buttons(review_downloads.of_proposal(proposed))

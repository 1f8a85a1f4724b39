"""Chunk budgets: how many chunks are enough, what the order of the two cuts costs, and who holds the slots."""

from __future__ import annotations

import streamlit as st

from rankeval.core.chunk_budgets import TwoCuts
from rankeval.dashboard import budget_charts, budget_frames, budget_markup, components, figures, markup, state
from rankeval.dashboard.language import _
from rankeval.dashboard.library import LoadedChunkRun, library


def page() -> None:
    """Draw the page."""
    loaded = library()
    view = state.view(loaded)
    components.protocol_bar(loaded, view)
    chunk_runs = loaded.chunk_runs(view.entry)
    if not chunk_runs:
        st.info(_("No chunk run is loaded for this protocol. Load a chunk map and a run of chunks under Data."))
        return
    chosen, budget = _choice(view, chunk_runs)
    cuts = figures.two_cuts_of(view.entry, chosen, budget)
    with st.container(key="budget-verdict"):
        st.html(budget_markup.verdict(chosen.name, cuts))
    _curves(view, chunk_runs, chosen, budget)
    _two_cuts(view, cuts)
    _documents(view, chosen, cuts)


def _choice(view: state.View, chunk_runs: list[LoadedChunkRun]) -> tuple[LoadedChunkRun, int]:
    by_name = budget_frames.by_name(chunk_runs)
    chosen = view.chunks or chunk_runs[0]
    address = state.chunk_run_address(chosen)
    name = next(name for name, each in by_name.items() if state.chunk_run_address(each) == address)
    budget = view.taken or figures.USUAL_BUDGET

    def look_at(name: str | None) -> None:
        if name is not None:
            state.go(chunks=state.chunk_run_address(by_name[name]))

    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(_("Chunk run"), width=320, **state.choice("chunk-run", list(by_name), name, look_at))
        st.number_input(
            _("Chunks taken of each query"),
            min_value=1,
            step=1,
            width=220,
            **state.count("chunks-taken", budget, lambda taken: state.go(taken=str(taken))),
        )
        st.html(budget_markup.about(chosen))
    return chosen, budget


def _curves(view: state.View, chunk_runs: list[LoadedChunkRun], chosen: LoadedChunkRun, budget: int) -> None:
    k = view.entry.protocol.k
    curves = figures.budget_curves_of(view.entry, chunk_runs, chosen, budget)
    frame = budget_frames.curve_frame(curves)
    picture, table = st.columns([11, 10], gap="medium")
    with picture, st.container(key="budget-chart"):
        st.altair_chart(budget_charts.budget_chart(frame, chosen.name, budget, k))
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    with table, st.container(key="budget-table"):
        exact = budget_frames.exact_frame(curves)
        st.dataframe(
            exact,
            hide_index=True,
            height=components.table_height(len(exact), 340),
            column_config={
                "run": text(_("Run"), width="small"),
                "budget": text(_("Chunks"), width=60, alignment="right"),
                "recall": number(f"Recall@{k}", format="%.4f", width=80),
                "recall_exact": text(_("exact"), width=80, alignment="right"),
                "mrr": number(f"MRR@{k}", format="%.4f", width=80),
                "mrr_exact": text(_("exact"), width=80, alignment="right"),
                "documents": number(
                    _("documents"), format="%.2f", help=_("Distinct documents a query, averaged over the split")
                ),
            },
        )
    st.caption(
        _(
            "Each number of chunks is an experiment of its own: the first n chunks are collapsed, then cut at k = {k}."
        ).format(k=k)
    )


def _two_cuts(view: state.View, cuts: TwoCuts) -> None:
    st.html(markup.heading(_("The order of the two cuts")))
    st.html(budget_markup.two_cuts(cuts))
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    frame = budget_frames.cuts_frame(cuts, view.entry.protocol)
    with st.container(key="cuts-table"):
        st.dataframe(
            frame,
            hide_index=True,
            placeholder="–",
            height=components.table_height(len(frame), 360),
            column_config={
                "query": text(_("Query"), width="small"),
                "status": text(_("Status"), width=130),
                "rank_all": number(
                    _("rank, all chunks"), help=_("First relevant rank, all chunks collapsed, cut at k")
                ),
                "rank_cut": number(_("rank, budget"), help=_("First relevant rank, first chunks only, collapsed")),
                "rr_delta": number("Δ RR", format="%+.4f"),
                "recall_delta": number("Δ Recall", format="%+.4f"),
                "lost": number(_("documents lost"), help=_("Documents whose every chunk comes after the budget")),
                "lost_within_k": number(_("within k"), help=_("Lost documents that all chunks put among the first k")),
                "lost_relevant": text(_("relevant documents lost"), width="medium"),
                "need": text(_("Information need"), width="large"),
            },
        )


def _documents(view: state.View, chosen: LoadedChunkRun, cuts: TwoCuts) -> None:
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    slots = figures.slots_of(view.entry, chosen, cuts.budget)
    left, right = st.columns([8, 13], gap="medium")
    with left:
        st.html(markup.heading(_("Who holds the chunk slots")))
        with st.container(key="slots-table"):
            st.dataframe(
                budget_frames.slots_frame(slots, view.entry.protocol),
                hide_index=True,
                height=components.table_height(len(slots.documents), 300),
                column_config={
                    "document": text(_("Document"), width="small"),
                    "slots": number(_("slots"), width=60, help=_("Chunk slots it holds, over all queries")),
                    "queries": number(_("queries"), width=65, help=_("Queries for which it holds any")),
                    "text": text(_("Text"), width="large"),
                },
            )
    with right:
        st.html(markup.heading(_("Where each document came from")))
        queries = list(chosen.run.rankings)
        if not queries:
            st.text(_("The chunk run answers no query."))
            return
        query = view.query if view.query in queries else queries[0]
        st.selectbox(_("Query"), **state.choice("provenance-query", queries, query, lambda each: state.go(query=each)))
        with st.container(key="provenance-table"):
            provenance = budget_frames.provenance_frame(view.entry.protocol, query, chosen, cuts.budget)
            st.dataframe(
                provenance,
                hide_index=True,
                height=components.table_height(len(provenance), 300),
                column_config={
                    "rank": number(_("rank"), width=50, help=_("Among the documents, all chunks collapsed")),
                    "document": text(_("Document"), width="small"),
                    "relevance": text(_("Relevance"), width=150),
                    "first_chunk": text(_("first chunk"), width="small"),
                    "first_rank": number(_("its rank"), width=70, help=_("A chunk's rank is no document's rank")),
                    "ranks": text(_("all its chunks' ranks")),
                    "within": text(_("within budget"), width=95),
                },
            )

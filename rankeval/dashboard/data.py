"""Data: load protocols, runs and chunk maps, and see what was accepted and what was refused, and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast, get_args

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from rankeval.dashboard import components, frames, state, uploads
from rankeval.dashboard.library import Library, LoadedProtocol, library
from rankeval.formats import Declared, Ordering
from rankeval.formats.rows import Order, Ties

ORDERS = get_args(Order)
TIES = get_args(Ties)


def page() -> None:
    """Draw the page."""
    loaded = library()
    view = state.view(loaded)
    components.protocol_bar(loaded, view)
    _open_another(loaded, view)
    sources, results = st.columns(2, gap="large")
    with sources:
        _protocol_form(loaded)
        _runs_form(loaded, view)
        _map_form(loaded, view.entry)
    with results:
        _report()


def _open_another(loaded: Library, view: state.View) -> None:
    entries = {f"{entry.name}  ({entry.key[: state.PREFIX]})": entry for entry in loaded.protocols()}
    chosen = next(label for label, entry in entries.items() if entry.key == view.entry.key)

    def then(label: str | None) -> None:
        if label is not None:
            state.open_protocol(entries[label])

    st.selectbox("Protocols loaded here", **state.choice("select-protocol", list(entries), chosen, then))


def _protocol_form(loaded: Library) -> None:
    with st.container(key="upload-protocol"), st.form("protocol-form"):
        st.subheader("1 · Protocol")
        st.caption(
            "A protocol file (JSON), a zip of a BEIR folder, or corpus, queries and qrels in three files. Split and k"
            " come from the file where it has them."
        )
        files = st.file_uploader("Protocol files", accept_multiple_files=True, key="protocol-files")
        with st.container(horizontal=True):
            split = st.text_input("Split", key="split", placeholder="as in the file")
            k = st.number_input("k", min_value=1, value=None, step=1, key="k", placeholder="as in the file")
            threshold = st.number_input("Relevant from label", value=None, step=1, key="relevant-from")
        unlisted = st.text_input("Unlisted pairs are not relevant, because", key="unlisted", placeholder="not declared")
        left_out = st.text_input(
            "Queries nobody judged are left out, because", key="left-out", placeholder="not declared"
        )
        if st.form_submit_button("Load protocol", key="load-protocol") and files:
            declared = Declared(unlisted or None, threshold, left_out or None)
            with st.spinner("Reading and checking the protocol"):
                given = [(file.name, file.getvalue()) for file in files]
                card, entry = uploads.load_protocol(loaded, given, split or None, k, declared)
            state.add_cards([card])
            if entry is not None:
                state.open_protocol(entry)
                st.rerun()


def _runs_form(loaded: Library, view: state.View) -> None:
    entry = view.entry
    with st.container(key="upload-runs"), st.form("runs-form"):
        st.subheader("2 · Runs")
        st.caption("Several at once: JSON, JSON lines, TREC, MS MARCO, CSV, TSV, Parquet; gzip too. Told by content.")
        files = st.file_uploader("Run files", accept_multiple_files=True, key="run-files")
        with st.container(horizontal=True):
            order = st.selectbox("Order", ORDERS, index=None, key="order", placeholder="as the file says")
            ties = st.selectbox("Ties", TIES, index=None, key="ties", placeholder="refused")
            chunk_map = st.selectbox(
                "Chunks, by map", list(entry.chunk_maps), index=None, key="chunk-map", placeholder="documents"
            )
            budget = st.number_input("Chunks taken", min_value=1, value=None, step=1, key="budget", placeholder="all")
        if st.form_submit_button("Load runs", key="load-runs") and files:
            ordering = Ordering(cast("Order | None", order), cast("Ties | None", ties))
            with st.spinner("Reading, checking and scoring the runs"):
                _load_each(
                    files,
                    lambda file: uploads.load_run(loaded, entry, file, ordering, chunk_map, budget),
                )
            state.follow_names(loaded, view)
            st.rerun()


def _map_form(loaded: Library, entry: LoadedProtocol) -> None:
    with st.container(key="upload-map"), st.form("map-form"):
        st.subheader("3 · Chunk maps")
        st.caption("Which document each chunk belongs to: JSON, or a table with the columns chunk_id and doc_id.")
        files = st.file_uploader("Chunk map files", accept_multiple_files=True, key="map-files")
        if st.form_submit_button("Load chunk maps", key="load-maps") and files:
            _load_each(files, lambda file: uploads.load_chunk_map(loaded, entry, file))
            st.rerun()


def _load_each(files: list[UploadedFile], load: Callable[[tuple[str, bytes]], uploads.Card]) -> None:
    state.add_cards([load((file.name, file.getvalue())) for file in files])


def _report() -> None:
    with st.container(key="upload-report"):
        st.subheader("What became of it")
        if not state.cards():
            st.caption("Nothing was uploaded yet. Every file gets a card here: accepted, or refused with the reason.")
        for card in state.cards():
            with st.container(border=True):
                _card(card)


def _card(card: uploads.Card) -> None:
    if card.refused is None:
        st.text(f"✔ accepted {card.kind}: {card.file}")
        st.text(f"{card.key[: state.PREFIX]} · " + "\n".join(card.facts))
        return
    st.text(f"✘ refused {card.kind}: {card.file}")
    st.text(card.refused.rule)
    faults = frames.fault_frame(card.refused)
    st.dataframe(faults, hide_index=True, height=min(320, 38 + 35 * len(faults)))
    st.text(f"{card.refused.total} faults in all. Nothing of this file is counted anywhere.")

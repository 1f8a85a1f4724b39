"""Data: load protocols, runs and chunk maps, and see what was accepted and what was refused, and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast, get_args

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from rankeval.dashboard import components, frames, markup, remedies, state, uploads
from rankeval.dashboard.language import _, mark
from rankeval.dashboard.library import Library, LoadedProtocol, library
from rankeval.formats import Declared, Ordering
from rankeval.formats.rows import Order, Ties

ORDERS = get_args(Order)
TIES = get_args(Ties)
FAULT_TITLES = {
    "file": mark("file"),
    "line": mark("line"),
    "query": mark("query"),
    "document": mark("document"),
    "position": mark("position"),
    "detail": mark("detail"),
    "rule": mark("rule"),
    "translated": mark("rule, translated"),
}
PART_LABELS = {"corpus": mark("Corpus"), "queries": mark("Queries"), "qrels": mark("Qrels")}


def page() -> None:
    """Draw the page."""
    loaded = library()
    view = state.view(loaded)
    components.protocol_bar(loaded, view)
    _open_another(loaded, view)
    sources, results = st.columns([10, 11], gap="large")
    with sources:
        _protocol_form(loaded)
        _runs_form(loaded, view)
        _map_form(loaded, view.entry)
    with results:
        _report()
        _loaded_runs(loaded, view.entry)


def _open_another(loaded: Library, view: state.View) -> None:
    entries = {f"{components.title(entry)}  ({entry.key[: state.PREFIX]})": entry for entry in loaded.protocols()}
    chosen = next(label for label, entry in entries.items() if entry.key == view.entry.key)

    def then(label: str | None) -> None:
        if label is not None:
            state.open_protocol(entries[label])

    st.selectbox(_("Protocols loaded here"), **state.choice("select-protocol", list(entries), chosen, then))


def _protocol_form(loaded: Library) -> None:
    with st.form("protocol-form"):
        with st.container(key="upload-protocol"):
            st.markdown(_("**1 · Protocol**"))
            st.caption(
                _("A protocol file (JSON) or a zip of a BEIR folder. Split and k come from the file where it has them.")
            )
            files = st.file_uploader(_("Protocol files"), accept_multiple_files=True, key="protocol-files")
            for card in state.questions():
                if remedies.asked(card.refused):
                    st.html(markup.asks(card.file, card.refused))
            settings = _settings()
            one_file = st.form_submit_button(_("Load protocol"), key="load-protocol")
        with st.container(key="upload-parts"), st.expander(_("Or corpus, queries and judgments in three files")):
            parts = [st.file_uploader(_(PART_LABELS[part]), key=f"part-{part}") for part in uploads.PARTS]
            in_parts = st.form_submit_button(_("Load the three as a protocol"), key="load-parts")
    if one_file and files:
        with st.spinner(_("Reading and checking the protocol")):
            _open(*uploads.load_protocols(loaded, list(map(_content, files)), settings))
    if in_parts and all(parts):
        with st.spinner(_("Reading and checking the protocol")):
            apart = [_content(part) for part in parts if part is not None]
            card, entry = uploads.load_protocol(loaded, apart, settings, in_order=True)
            _open([card], entry)


def _open(cards: list[uploads.Card], entry: LoadedProtocol | None) -> None:
    state.add_cards(cards)
    if entry is not None:
        state.open_protocol(entry)
    st.rerun()


def _settings() -> uploads.Settings:
    """Ask for what a protocol source may leave open."""
    with st.container(horizontal=True):
        split = st.text_input(_("Split"), key="split", placeholder=_("as in the file"))
        k = st.number_input("k", min_value=1, value=None, step=1, key="k", placeholder=_("as in the file"))
        threshold = st.number_input(
            _("Relevant from label"),
            value=None,
            step=1,
            key="relevant-from",
            placeholder=_("0 and 1 only"),
        )
    unlisted = st.text_input(
        _("Unlisted pairs are not relevant, because"), key="unlisted", placeholder=_("not declared")
    )
    left_out = st.text_input(
        _("Queries nobody judged are left out, because"), key="left-out", placeholder=_("not declared")
    )
    return uploads.Settings(split or None, k, Declared(unlisted or None, threshold, left_out or None))


def _runs_form(loaded: Library, view: state.View) -> None:
    entry = view.entry
    with st.container(key="upload-runs"), st.form("runs-form"):
        st.markdown(_("**2 · Runs**"))
        st.caption(
            _("Several at once: JSON, JSON lines, TREC, MS MARCO, CSV, TSV, Parquet; gzip too. Told by content.")
        )
        files = st.file_uploader(_("Run files"), accept_multiple_files=True, key="run-files")
        with st.container(horizontal=True):
            order = st.selectbox(_("Order"), ORDERS, index=None, key="order", placeholder=_("as the file says"))
            ties = st.selectbox(_("Ties"), TIES, index=None, key="ties", placeholder=_("refused"))
            chunk_map = st.selectbox(
                _("Chunks, by map"),
                list(loaded.chunk_maps(entry)),
                index=None,
                key="chunk-map",
                placeholder=_("documents"),
            )
            budget = st.number_input(
                _("Chunks taken"), min_value=1, value=None, step=1, key="budget", placeholder=_("all")
            )
        if st.form_submit_button(_("Load runs"), key="load-runs") and files:
            ordering = Ordering(cast("Order | None", order), cast("Ties | None", ties))
            with st.spinner(_("Reading, checking and scoring the runs")):
                _load_each(
                    files,
                    lambda file: uploads.load_run(loaded, entry, file, ordering, chunk_map, budget),
                )
            state.follow_names(loaded, view)
            st.rerun()


def _map_form(loaded: Library, entry: LoadedProtocol) -> None:
    with st.container(key="upload-map"), st.form("map-form"):
        st.markdown(_("**3 · Chunk maps**"))
        st.caption(_("Which document each chunk belongs to: JSON, or a table with the columns chunk_id and doc_id."))
        files = st.file_uploader(_("Chunk map files"), accept_multiple_files=True, key="map-files")
        if st.form_submit_button(_("Load chunk maps"), key="load-maps") and files:
            _load_each(files, lambda file: uploads.load_chunk_map(loaded, entry, file))
            st.rerun()


def _load_each(files: list[UploadedFile], load: Callable[[uploads.File], uploads.Card]) -> None:
    state.add_cards([load(_content(file)) for file in files])


def _content(file: UploadedFile) -> uploads.File:
    return file.name, file.getvalue()


def _report() -> None:
    with st.container(key="upload-report"):
        st.markdown(_("**What became of each file**"))
        if not state.cards():
            nothing = _("Nothing was uploaded yet. Every file gets a card here: accepted, or refused with the reason.")
            st.caption(nothing)
        for card in state.cards():
            with st.container(border=True):
                _card(card)


def _card(card: uploads.Card) -> None:
    if card.refused is None:
        st.html(markup.accepted(card.kind, card.file, card.key[: state.PREFIX], card.facts))
        return
    st.html(markup.refused(card.kind, card.file, card.refused, remedies.remedies(card.refused)))
    faults = frames.fault_frame(card.refused)
    st.dataframe(
        faults,
        hide_index=True,
        placeholder="",
        height=components.table_height(len(faults), 320),
        column_config={column: _(title) for column, title in FAULT_TITLES.items() if column in faults},
    )


def _loaded_runs(loaded: Library, entry: LoadedProtocol) -> None:
    with st.container(key="loaded-runs"):
        st.markdown(_("**Runs of this protocol**"))
        text, number = st.column_config.TextColumn, st.column_config.NumberColumn
        st.dataframe(
            frames.runs_frame(loaded.runs(entry)),
            hide_index=True,
            column_config={
                "name": text(_("Run")),
                "recall": text(f"Recall@{entry.protocol.k}", width=80, alignment="right"),
                "mrr": text(f"MRR@{entry.protocol.k}", width=80, alignment="right"),
                "missing": number(_("Missing"), width=70, help=_("Queries that the run has no entry for, scored as 0")),
                "file": text(_("File")),
                "fingerprint": text(_("Fingerprint")),
            },
        )

"""Data, first part: the three places for files, and a card for each that says what became of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast, get_args

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from rankeval.dashboard import components, data_markup, downloads, frames, markup, remedies, state, uploads
from rankeval.dashboard.data_downloads import buttons, template
from rankeval.dashboard.language import _, mark
from rankeval.dashboard.library import Library, LoadedProtocol
from rankeval.formats import Declared, Ordering
from rankeval.formats.rows import Order, Ties

ORDERS = get_args(Order)
TIES = get_args(Ties)
FAULT_TITLES = {
    "line": mark("line"),
    "query": mark("query"),
    "document": mark("document"),
    "position": mark("position"),
    "rule": mark("rule"),
    "translated": mark("rule, translated"),
    "detail": mark("detail"),
    "file": mark("file"),
}
PLACES = {"protocol": mark("Protocols"), "run": mark("Runs"), "chunk map": mark("Chunk maps")}
PART_LABELS = {"corpus": mark("Corpus"), "queries": mark("Queries"), "qrels": mark("Qrels")}


def part(loaded: Library, view: state.View) -> None:
    """Draw the part."""
    with st.container(key="data-load"):
        sources, results = st.columns([10, 11], gap="large")
        with sources:
            _protocol_form(loaded)
            _runs_form(loaded, view)
            _map_form(loaded, view)
        with results:
            _report(loaded, view)
            _templates()


def _protocol_form(loaded: Library) -> None:
    with st.form("protocol-form"):
        with st.container(key="upload-protocol"):
            st.html(data_markup.title(_("1 · Protocol")))
            st.caption(
                _("A protocol file (JSON) or a zip of a BEIR folder. Split and k come from the file where it has them.")
            )
            files = st.file_uploader(
                _("Protocol files"), accept_multiple_files=True, key="protocol-files", label_visibility="collapsed"
            )
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
    with st.expander(_("Declare what the judgments leave open"), expanded=_declares("protocol")):
        unlisted = st.text_input(
            _("Unlisted pairs are not relevant, because"), key="unlisted", placeholder=_("not declared")
        )
        threshold = st.number_input(
            _("Relevant from label"),
            value=None,
            step=1,
            key="relevant-from",
            placeholder=_("0 and 1 only"),
        )
        left_out = st.text_input(
            _("Queries nobody judged are left out, because"), key="left-out", placeholder=_("not declared")
        )
    return uploads.Settings(split or None, k, Declared(unlisted or None, threshold, left_out or None))


def _runs_form(loaded: Library, view: state.View) -> None:
    entry = view.entry
    with st.container(key="upload-runs"), st.form("runs-form"):
        st.html(data_markup.title(_("2 · Runs")))
        st.caption(
            _("Several at once: JSON, JSON lines, TREC, MS MARCO, CSV, TSV, Parquet; gzip too. Told by content.")
        )
        files = st.file_uploader(
            _("Run files"), accept_multiple_files=True, key="run-files", label_visibility="collapsed"
        )
        declare = st.expander(_("Declare an order, or how chunks become documents"), expanded=_declares("run"))
        with declare, st.container(horizontal=True):
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


def _declares(kind: str) -> bool:
    """Whether a file was refused for what could be declared."""
    return remedies.declarable(kind, [each.refused for each in state.cards() if each.kind == kind and each.refused])


def _map_form(loaded: Library, view: state.View) -> None:
    with st.container(key="upload-map"), st.form("map-form"):
        st.html(data_markup.title(_("3 · Chunk maps")))
        st.caption(_("Which document each chunk belongs to: JSON, or a table with the columns chunk_id and doc_id."))
        files = st.file_uploader(
            _("Chunk map files"), accept_multiple_files=True, key="map-files", label_visibility="collapsed"
        )
        if st.form_submit_button(_("Load chunk maps"), key="load-maps") and files:
            _load_each(files, lambda file: uploads.load_chunk_map(loaded, view.entry, file))
            st.rerun()


def _load_each(files: list[UploadedFile], load: Callable[[uploads.File], uploads.Card]) -> None:
    state.add_cards([load(_content(file)) for file in files])


def _content(file: UploadedFile) -> uploads.File:
    return file.name, file.getvalue()


def _report(loaded: Library, view: state.View) -> None:
    with st.container(key="upload-report"):
        st.html(data_markup.title(_("What became of each file")))
        if not state.cards():
            st.caption(
                _("Nothing was uploaded yet. Every file gets a card here: accepted, or refused with the reason.")
            )
        for card in sorted(state.cards(), key=lambda card: card.question is None):
            with st.container(border=True):
                _card(loaded, card)
        with st.container(horizontal=True):
            if st.button(_("See a refused file"), key="see-refused", help=_("Loads a run that is wrong on purpose")):
                state.add_cards([uploads.refused_example(loaded, view.entry)])
                st.rerun()
            if state.cards():
                st.button(_("Put the cards away"), key="clear-cards", on_click=state.clear_cards, type="tertiary")


def _templates() -> None:
    """Offer small files of every format, which fit each other, to start one's own from."""
    with (
        st.container(key="file-templates"),
        st.expander(_("Files to start from, in every format")),
    ):
        st.caption(_("They are small, and fit each other: load a protocol and two runs, and compare them."))
        for place, found in downloads.of_templates().items():
            st.html(data_markup.title(_(PLACES[place])))
            for each in found:
                template(each)


def _card(loaded: Library, card: uploads.Card) -> None:
    if card.refused is None:
        st.html(markup.accepted(card.kind, card.file, card.key[: state.PREFIX], card.facts))
        return
    if card.question is not None:
        _ask(loaded, card, card.question)
        return
    st.html(markup.refused(card.kind, card.file, card.refused, remedies.remedies(card.refused)))
    faults = frames.fault_frame(card.refused)
    st.dataframe(
        faults,
        hide_index=True,
        placeholder="",
        height=components.table_height(len(faults), 320),
        column_order=[column for column in FAULT_TITLES if column in faults],
        column_config={column: _(title) for column, title in FAULT_TITLES.items() if column in faults},
    )
    buttons(downloads.of_refusal(card.kind, card.file, card.refused))


def _ask(loaded: Library, card: uploads.Card, question: uploads.Question) -> None:
    """Ask for the split or the k that a source does not have; what was uploaded is still here."""
    with st.form(f"question-{card.file}", border=False):
        if card.refused is not None:
            st.html(data_markup.asks(card.file, card.refused, remedies.remedies(card.refused)))
        with st.container(horizontal=True, vertical_alignment="bottom"):
            split = st.text_input(_("Split"), question.settings.split, key=f"split-of-{card.file}")
            k = st.number_input("k", min_value=1, value=question.settings.k, step=1, key=f"k-of-{card.file}")
            answered = st.form_submit_button(_("Freeze it"), key=f"answer-{card.file}")
    if answered:
        with st.spinner(_("Reading and checking the protocol")):
            new, entry = uploads.answer(loaded, question, split or None, k)
            _open([new], entry)

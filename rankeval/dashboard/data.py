"""Data: load protocols, runs and chunk maps, see what is loaded, read the protocol, and take files away."""

from __future__ import annotations

import streamlit as st

from rankeval.dashboard import (
    components,
    data_downloads,
    data_load,
    data_loaded,
    data_markup,
    data_reader,
    state,
)
from rankeval.dashboard.language import _
from rankeval.dashboard.library import Library, LoadedProtocol, library


def page() -> None:
    """Draw the page; of its four parts only the one that is open, so that none slows another."""
    loaded = library()
    view = state.view(loaded)
    components.protocol_bar(loaded, view)
    _open_another(loaded, view)
    load, here, read, downloads = st.tabs(
        [_("Load"), _("What is loaded"), _("Read the protocol"), _("Downloads")], key="data-tabs", on_change="rerun"
    )
    if load.open:
        with load:
            data_load.part(loaded, view)
    if here.open:
        with here:
            data_loaded.part(loaded, view)
    if read.open:
        with read:
            data_reader.part(view.entry)
    if downloads.open:
        with downloads:
            data_downloads.part(loaded, view)


def _open_another(loaded: Library, view: state.View) -> None:
    entries = {_label(entry): entry for entry in loaded.protocols()}

    def then(label: str | None) -> None:
        if label is not None:
            state.open_protocol(entries[label])

    choose, here = st.columns([11, 10], gap="medium", vertical_alignment="bottom")
    with choose:
        st.selectbox(
            _("Protocols loaded here"), **state.choice("select-protocol", list(entries), _label(view.entry), then)
        )
    with here:
        runs, maps = len(loaded.runs(view.entry)), len(loaded.chunk_maps(view.entry))
        st.html(data_markup.what_is_here(len(entries), runs, maps))


def _label(entry: LoadedProtocol) -> str:
    protocol = entry.protocol
    return f"{components.title(entry)} · {protocol.split} · k = {protocol.k} · {entry.key[: state.PREFIX]}"

"""Data, last part: what can be taken away as files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import streamlit as st

from rankeval.dashboard import data_markup, downloads, state
from rankeval.dashboard.language import _
from rankeval.dashboard.library import Library


def part(loaded: Library, view: state.View) -> None:
    """Draw the part."""
    entry = view.entry
    with st.container(key="data-downloads"):
        st.caption(
            _(
                "JSON is exact, every score a fraction. In CSV, an apostrophe stands before whatever a spreadsheet"
                " would take for a formula, and the last column, apostrophe_added, says where."
            )
        )
        if view.a and view.b:
            with st.container(border=True, key="download-comparison"):
                st.html(data_markup.title(_("The comparison")))
                st.html(data_markup.caption(_("{b} against {a}").format(a=view.a.name, b=view.b.name)))
                buttons(downloads.of_comparison(entry, view.a, view.b))
        runs = {run.name: run for run in loaded.all_runs(entry)}
        if runs:
            with st.container(border=True, key="download-runs"):
                st.html(data_markup.title(_("Runs")))
                with st.container(horizontal=True, vertical_alignment="bottom"):
                    name = st.selectbox(_("One run"), list(runs), key="download-run")
                    buttons(downloads.of_run(entry, runs[name]))
                st.html(data_markup.caption(_("All runs of this protocol together")))
                buttons(downloads.of_runs(entry, loaded.runs(entry)))
        with st.container(border=True, key="download-protocol"):
            st.html(data_markup.title(_("The protocol")))
            st.html(
                data_markup.caption(
                    _("With both fingerprints and every declaration in it. Whoever loads it stands on the same.")
                )
            )
            buttons(downloads.of_protocol(entry))


def buttons(found: Sequence[downloads.Download]) -> None:
    """Give a button for each file, which is made when it is clicked."""
    with st.container(horizontal=True):
        for each in found:
            _button(each)


def template(found: downloads.Download) -> None:
    """Give a button for a file, and beside it what the file is."""
    with st.container(horizontal=True, vertical_alignment="center", wrap=False):
        _button(found, width=150)
        st.html(data_markup.caption(found.says), width="stretch")


def _button(found: downloads.Download, width: int | Literal["content"] = "content") -> None:
    st.download_button(
        found.label,
        found.make,
        file_name=found.file,
        mime=found.mime,
        key=f"get-{found.key}",
        on_click="ignore",
        width=width,
    )

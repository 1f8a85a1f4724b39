"""Three short hints for who is new, until they close them: then never again in that browser."""

from __future__ import annotations

import streamlit as st

from rankeval.dashboard import state, uploads
from rankeval.dashboard.language import _
from rankeval.dashboard.library import Library, LoadedProtocol
from rankeval.dashboard.scripts import scripted

_HTML = '<ol class="rk-hints" hidden></ol><button class="rk-hints-close" hidden></button>'


def first_visit() -> None:
    """Show the hints, and the ways on from the sample data."""
    with st.container(key="hints"):
        scripted(__file__, _HTML)(
            key="hints-list",
            data={
                "hints": [
                    _("The line in bold says what became of B against A; beside it, what the means are divided by."),
                    _("The table has what got worse first. A click, or an arrow key, opens a query on the right."),
                    _("This is sample data. Load your own protocol and runs under Data; nothing leaves this machine."),
                ],
                "close": _("Close the hints for good"),
            },
        )


def ways_on(loaded: Library, entry: LoadedProtocol) -> None:
    """Offer to bring own files, or to see how a file is refused."""
    with st.container(horizontal=True, key="ways-on"):
        st.button(_("Use your own files"), key="use-your-own", type="primary", on_click=state.want_page, args=("data",))
        st.button(_("See a refused file"), key="show-refused", on_click=_see_refused, args=(loaded, entry))


def _see_refused(loaded: Library, entry: LoadedProtocol) -> None:
    state.add_cards([uploads.refused_example(loaded, entry)])
    state.want_page("data")

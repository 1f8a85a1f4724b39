"""The pages, the links between them, and what every page has at its top."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import streamlit as st

from rankeval.dashboard import compare, components, data, markup, state, uploads
from rankeval.dashboard.language import _
from rankeval.dashboard.library import library
from rankeval.dashboard.style import STYLE
from rankeval.formats import Ordering


def main(files: Sequence[str] = ()) -> None:
    """Draw the page that the address names.

    Args:
        files: a protocol and runs to open on; none opens the sample data.

    """
    st.set_page_config(page_title="rankeval", page_icon="📏", layout="wide")
    state.begin_with_cards(_open_files(tuple(files)))
    # A default page is served at / only, so a second, hidden page over the same function answers /compare.
    pages = {
        "compare": st.Page(compare.page, title=_("Compare"), default=True),
        "compare-by-name": st.Page(_compare_by_name, title=_("Compare"), url_path="compare", visibility="hidden"),
        "data": st.Page(data.page, title=_("Data"), url_path="data"),
    }
    page = st.navigation(list(pages.values()), position="hidden")
    st.html(STYLE)
    loaded = library()
    view = state.view(loaded)
    with st.container(horizontal=True, vertical_alignment="center", key="navigation"):
        st.html(markup.name(), width="content")
        for name in ("compare", "data"):
            st.page_link(pages[name], query_params=view.params())
        st.space("stretch")
        components.other_samples(loaded, view)
        components.language_switch()
    page.run()


def _compare_by_name() -> None:
    compare.page()


@cache
def _open_files(files: tuple[str, ...]) -> tuple[uploads.Card, ...]:
    """Load, once, the protocol and runs that the server was started with; say what became of each, the last first."""
    if not files:
        return ()
    loaded = library()
    protocol, *runs = files
    content = [(Path(protocol).name, Path(protocol).read_bytes())]
    card, entry = uploads.load_protocol(loaded, content, uploads.Settings())
    cards = [card]
    if entry is not None:
        loaded.open_on(entry)
        for run in runs:
            cards.insert(0, uploads.load_run(loaded, entry, (Path(run).name, Path(run).read_bytes()), Ordering()))
    return tuple(cards)

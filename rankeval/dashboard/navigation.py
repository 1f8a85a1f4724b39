"""The pages, the links between them, and what every page has at its top."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import streamlit as st

from rankeval.dashboard import compare, data, state, uploads
from rankeval.dashboard.library import library
from rankeval.formats import Declared, Ordering

_WIDE = """
<style>
.block-container { padding: 1.1rem 2rem 3rem; max-width: 120rem; }
[data-testid="stHeader"] { display: none; }
</style>
"""


def main(files: Sequence[str] = ()) -> None:
    """Draw the page that the address names.

    Args:
        files: a protocol and runs to open on; none opens the sample data.

    """
    st.set_page_config(page_title="rankeval", page_icon="📏", layout="wide")
    _open_files(tuple(files))
    # A default page is served at / only, so a second, hidden page over the same function answers /compare.
    pages = {
        "compare": st.Page(compare.page, title="Compare", default=True),
        "compare-by-name": st.Page(_compare_by_name, title="Compare", url_path="compare", visibility="hidden"),
        "data": st.Page(data.page, title="Data", url_path="data"),
    }
    page = st.navigation(list(pages.values()), position="hidden")
    st.html(_WIDE)
    params = state.view(library()).params()
    with st.container(horizontal=True, vertical_alignment="center", key="navigation"):
        st.markdown("**rankeval**")
        for name in ("compare", "data"):
            st.page_link(pages[name], query_params=params)
    page.run()


def _compare_by_name() -> None:
    compare.page()


@cache
def _open_files(files: tuple[str, ...]) -> None:
    """Load, once, the protocol and runs that the server was started with."""
    if not files:
        return
    loaded = library()
    protocol, *runs = files
    content = [(Path(protocol).name, Path(protocol).read_bytes())]
    _, entry = uploads.load_protocol(loaded, content, None, None, Declared())
    if entry is not None:
        loaded.open_on(entry)
        for run in runs:
            uploads.load_run(loaded, entry, (Path(run).name, Path(run).read_bytes()), Ordering())

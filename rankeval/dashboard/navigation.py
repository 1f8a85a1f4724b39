"""The pages, the links between them, and what every page has at its top."""

from __future__ import annotations

import streamlit as st

from rankeval.dashboard import (
    budgets,
    come_back,
    compare,
    components,
    data,
    explain,
    figures,
    markup,
    missing,
    overview,
    review,
    review_state,
    state,
)
from rankeval.dashboard.language import _
from rankeval.dashboard.library import library
from rankeval.dashboard.style import STYLE


def main(first: str | None = None) -> None:
    """Draw the page that the address names.

    Args:
        first: the compact fingerprint of the protocol to open on; None opens the sample data.

    """
    st.set_page_config(page_title="rankeval", page_icon="📏", layout="wide")
    if first is not None:
        library().open_on(first)
    # A default page is served at / only, so a second, hidden page over the same function answers /compare.
    pages = {
        "compare": st.Page(compare.page, title=_("Compare"), default=True),
        "overview": st.Page(overview.page, title=_("Overview"), url_path="overview"),
        "missing": st.Page(missing.page, title=_("Missing and null"), url_path="missing"),
        "budgets": st.Page(budgets.page, title=_("Chunk budgets"), url_path="budgets"),
        "review": st.Page(review.page, title=_("Review"), url_path="review"),
        "explain": st.Page(explain.page, title=_("Why different?"), url_path="explain"),
        "data": st.Page(data.page, title=_("Data"), url_path="data"),
    }
    by_name = st.Page(_compare_by_name, title=_("Compare"), url_path="compare", visibility="hidden")
    page = st.navigation([*pages.values(), by_name], position="hidden")
    state.follow_wanted_page(pages)
    st.html(STYLE)
    if review_state.login_wanted():
        components.login()
        return
    if review_state.login() is not None and not come_back.is_here():
        return
    if review_state.round_token() is not None and page.url_path == "review":
        # Annotators see their round, and nothing that would tell them whose columns they read.
        components.log_out()
        page.run()
        return
    loaded = library()
    view = state.view(loaded)
    with st.container(horizontal=True, vertical_alignment="center", key="navigation"):
        st.html(markup.name(), width="content")
        for each in pages.values():
            # The link to the page that is open is marked, under whichever of its two addresses Compare is.
            st.page_link(page if page.title == each.title else each, query_params=view.params())
        st.space("stretch")
        components.other_samples(loaded, view)
        components.language_switch()
        components.log_out()
    page.run()
    figures.make_ready(loaded, view.entry)


def _compare_by_name() -> None:
    compare.page()

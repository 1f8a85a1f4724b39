"""Why different?: the strict score of a run beside what looser scorers would have said, each labelled as wrong."""

from __future__ import annotations

import streamlit as st

from rankeval.core.exhibits import Exhibit
from rankeval.dashboard import components, explain_frames, explain_markup, figures, state
from rankeval.dashboard.language import _
from rankeval.dashboard.library import library


def page() -> None:
    """Draw the page."""
    loaded = library()
    view = state.view(loaded)
    components.protocol_bar(loaded, view)
    if view.a is None or view.b is None:
        components.no_run()
        return
    st.segmented_control(
        _("Run"),
        format_func=lambda each: {"A": _("A, the baseline"), "B": _("B, the candidate")}[each],
        required=True,
        **state.choice("explain-side", ["A", "B"], view.side, lambda each: state.go(side=each)),
    )
    run = view.b if view.side == "B" else view.a
    found = figures.exhibits_of(view.entry, run, loaded.received(view.entry, run.run))
    with st.container(key="explain-steps"):
        st.html(explain_markup.verdict(run.name, found))
        for number, exhibit in enumerate(each for each in found if each.difference):
            with st.container(border=True, key=f"exhibit-{number}"):
                _exhibit(view, exhibit, number)
        with st.container(border=True, key="no-exhibits"):
            st.html(explain_markup.without_effect([each for each in found if not each.difference]))


def _exhibit(view: state.View, exhibit: Exhibit, number: int) -> None:
    words, table = st.columns([11, 10], gap="medium")
    with words:
        st.html(explain_markup.exhibit(exhibit, view.entry.protocol.k))
    if not exhibit.behind:
        return
    queries = [each.query for each in exhibit.behind]
    key = f"behind-{number}"
    text = st.column_config.TextColumn
    with table:
        st.dataframe(
            explain_frames.behind_frame(exhibit, view.entry.protocol),
            key=key,
            hide_index=True,
            height=components.table_height(len(queries), 215),
            selection_mode="single-row",
            on_select=state.query_choice(key, queries),
            column_config={
                "query": text(_("Query"), width="small"),
                "strict": text(_("strict"), width=70, alignment="right"),
                "wrong": text(_("✘ wrong"), width=90, alignment="right"),
                "need": text(_("Information need"), width="large"),
            },
        )

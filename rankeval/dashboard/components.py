"""Parts that several pages show: the protocol bar, tables beside charts, and what to say where there is nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from rankeval.dashboard import come_back, figures, language, markup, review_state, state
from rankeval.dashboard.language import _
from rankeval.dashboard.library import Library, LoadedProtocol, LoadedRun

_ROW = 33
"""The height of a table's rows and header in pixels: Streamlit's 35 at the theme's font size, 15 of 16, rounded."""


def protocol_bar(library: Library, view: state.View) -> None:
    """Show the protocol, and choose A and B."""
    with st.container(key="protocol-bar", border=True):
        about, choices = st.columns([11, 10], gap="medium", vertical_alignment="center")
        comparison = figures.comparison_of(view.entry, view.a, view.b) if view.a and view.b else None
        with about:
            st.html(markup.protocol_bar(title(view.entry), view.entry.protocol, state.PREFIX, comparison))
        if view.a and view.b:
            with about:
                st.html(markup.about_runs(view.a.run, view.b.run))
            with choices, st.container(horizontal=True, vertical_alignment="bottom"):
                runs = library.runs(view.entry)
                _run_choice("a", _("A, the baseline"), runs, view.a)
                st.button(
                    _("⇄ swap"),
                    key="swap",
                    help=_("Compare A with B instead of B with A"),
                    on_click=state.go,
                    kwargs={"a": view.b.key[: state.PREFIX], "b": view.a.key[: state.PREFIX]},
                )
                _run_choice("b", _("B, the candidate"), runs, view.b)
    if view.notices:
        with st.container(key="notices"):
            for notice in view.notices:
                st.text(f"⚠ {notice}")


def no_run() -> None:
    """Say that there is nothing to show yet, and what to do about it."""
    st.info(_("This protocol has no run yet. Load one or more under Data."))


def table_height(rows: int, most: int) -> int:
    """Give the height in pixels of a table that shows all its rows, or of one to scroll in where they are many."""
    return min(most, 2 + _ROW * (1 + max(1, rows)))


def table_of(frame: pd.DataFrame, titles: Mapping[str, str], columns: Sequence[str]) -> None:
    """Show the numbers of a chart as a table, one click away."""
    with st.expander(_("The same as a table")):
        st.dataframe(
            frame[list(columns)],
            hide_index=True,
            column_config={name: st.column_config.Column(title) for name, title in titles.items()},
        )


def _run_choice(side: str, label: str, runs: list[LoadedRun], chosen: LoadedRun) -> None:
    by_name = {run.name: run for run in runs}

    def then(name: str | None) -> None:
        if name is not None:
            state.go(**{side: by_name[name].key[: state.PREFIX]})

    st.selectbox(label, **state.choice(f"select-{side}", list(by_name), chosen.name, then))


def title(entry: LoadedProtocol) -> str:
    """Give a protocol's name; the sample data has one in each language."""
    return _(entry.sample.title) if entry.sample else entry.name


def other_samples(library: Library, view: state.View) -> None:
    """Offer the sample data that is not open, one click away."""
    for entry in library.protocols():
        if entry.sample and entry.key != view.entry.key:
            st.button(
                _("Sample: {title}").format(title=_(entry.sample.title)),
                key=f"open-{entry.key[: state.PREFIX]}",
                on_click=state.open_protocol,
                args=(entry,),
            )


def login() -> None:
    """Ask a visitor to log in, where the server has a login."""
    come_back.keep()
    st.html(markup.name())
    st.text(_("This server is for people who log in."))
    st.button(_("Log in"), key="login", type="primary", on_click=st.login)


def log_out() -> None:
    """Let out again whom the server's login has let in; where it has none, nobody need leave."""
    if review_state.login() is not None:
        st.button(_("Log out"), key="log-out", on_click=st.logout)


def language_switch() -> None:
    """Offer the languages, each by its own name."""
    codes = {name: code for code, name in language.LANGUAGES.items()}

    def then(name: str | None) -> None:
        state.go(lang=codes[name] if name else language.current())

    st.segmented_control(
        _("Language"),
        label_visibility="collapsed",
        **state.choice("language", list(codes), language.LANGUAGES[language.current()], then),
    )

"""Parts that several pages show: the links, the protocol bar, and the pane of one query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

import pandas as pd
import streamlit as st

from rankeval.core.comparison import Comparison
from rankeval.core.side_by_side import side_by_side
from rankeval.dashboard import figures, language, markup, state
from rankeval.dashboard.language import _
from rankeval.dashboard.library import Library, LoadedProtocol, LoadedRun

_ROW = 32.8125
"""The height of a table's rows and header in pixels: Streamlit's 35 at the theme's font size, 15 of 16."""

_BELOW_THE_CUT = 5
"""How many documents past k the pane still shows."""


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
    return min(most, 2 + ceil(_ROW * (1 + max(1, rows))))


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
                _("Sample data: {title}").format(title=_(entry.sample.title)),
                key=f"open-{entry.key[: state.PREFIX]}",
                on_click=state.open_protocol,
                args=(entry,),
            )


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


def query_pane(
    view: state.View, pair: tuple[LoadedRun, LoadedRun], comparison: Comparison, query: str, order: list[str]
) -> None:
    """Show one query: the need, what moved, both rankings, and what neither returned."""
    entry = view.entry
    row = next(each for each in comparison.rows if each.query == query)
    place = order.index(query) if query in order else None
    with st.container(key="query-pane", border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            _step("previous", _("previous"), "ArrowLeft", order, None if place is None else place - 1)
            _step("next", _("next"), "ArrowRight", order, None if place is None else place + 1)
            where = _("{place} of {all} in the table")
            st.caption(where.format(place="–" if place is None else place + 1, all=len(order)))
        metadata = entry.protocol.queries[query]
        facts = [f"· {key}: {value}" for key, value in metadata.items() if key not in {"text", "split", "metadata"}]
        gloss = _gloss(entry)
        st.html(markup.need(query, str(metadata.get("text", "")), gloss["queries"].get(query), facts))
        sides = side_by_side(
            entry.protocol,
            query,
            pair[0].run.rankings.get(query, []),
            pair[1].run.rankings.get(query, []),
            entry.protocol.k + _BELOW_THE_CUT,
        )
        names = (pair[0].name, pair[1].name)
        st.html(markup.rankings(row, sides, names, entry.protocol, gloss["corpus"]))


def _step(key: str, label: str, shortcut: str, order: list[str], target: int | None) -> None:
    there = target is not None and 0 <= target < len(order)
    st.button(
        label,
        key=key,
        shortcut=shortcut,
        disabled=not there,
        on_click=state.go,
        kwargs={"query": order[target] if there and target is not None else None},
    )


def _gloss(entry: LoadedProtocol) -> dict[str, dict[str, str]]:
    """Give the sample's English glosses, to those who read English."""
    given = entry.sample.gloss if entry.sample and language.current() == "en" else None
    return {part: dict(given[part]) if given else {} for part in ("corpus", "queries")}

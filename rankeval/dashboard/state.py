"""What a visitor looks at: read from the address and written to it, so that a link or a reload shows the same.

This module and `review_state` alone touch Streamlit's query parameters and session state; but what has words stands
below them, so `language` reads the parameter `lang` by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from rankeval.core.comparison import Comparison
from rankeval.core.groups import query_fields
from rankeval.core.scoring import Measure
from rankeval.dashboard.frames import FILTERS
from rankeval.dashboard.language import LANGUAGES, _, mark
from rankeval.dashboard.library import Library, LoadedChunkRun, LoadedProtocol, LoadedRun

PREFIX = 12
"""How many digits of a fingerprint stand in an address and on a page."""

_Item = TypeVar("_Item", LoadedProtocol, LoadedRun)


@dataclass(frozen=True, slots=True)
class GroupName:
    """A group of queries: the value that they share, None for those that have none."""

    value: str | None

    @property
    def in_address(self) -> str:
        """How an address names it, so that having no value and having an empty one differ."""
        return "none" if self.value is None else f"is {self.value}"

    @classmethod
    def from_address(cls, said: str) -> GroupName | None:
        """Read it again; None for what names no group."""
        if said == "none":
            return cls(None)
        return cls(said.removeprefix("is ")) if said.startswith("is ") else None


@dataclass(frozen=True, slots=True)
class View:
    """What is looked at.

    Attributes:
        entry: the protocol.
        a: the baseline; None while the protocol has no run.
        b: the candidate; likewise.
        query: the query that the address names, if the split has it.
        shown: the filter of the table.
        measure: what the queries are sorted by and the picture of all of them shows.
        find: what the table is searched for; empty for nothing.
        group: the metadata field that queries are grouped by; None for none.
        where: the group that the table is narrowed to; None for all.
        notices: what the address names and is not here.
        lang: the language that the address names; None where the browser decides.
        side: the side that a page about one run is about, A or B.
        chunks: the chunk run that the address names; None for the first.
        taken: how many chunks of each query it says to take; None for the usual number.

    """

    entry: LoadedProtocol
    a: LoadedRun | None
    b: LoadedRun | None
    query: str | None
    shown: str | None
    measure: Measure
    find: str
    group: str | None
    where: GroupName | None
    notices: tuple[str, ...]
    lang: str | None = None
    side: str = "A"
    chunks: LoadedChunkRun | None = None
    taken: int | None = None

    def params(self) -> dict[str, str]:
        """Give the address of this view, for a link to another page."""
        params = {"protocol": self.entry.key[:PREFIX]}
        if self.a and self.b:
            params |= {"a": self.a.key[:PREFIX], "b": self.b.key[:PREFIX]}
        if self.query is not None:
            params["query"] = self.query
        named = {
            "filter": self.shown,
            "metric": None if self.measure is Measure.RR else str(self.measure),
            "find": self.find or None,
            "group": self.group,
            "where": None if self.where is None else self.where.in_address,
            "lang": self.lang,
            "side": None if self.side == "A" else self.side,
            "chunks": None if self.chunks is None else chunk_run_address(self.chunks),
            "taken": None if self.taken is None else str(self.taken),
        }
        return params | {name: value for name, value in named.items() if value is not None}


def view(library: Library) -> View:
    """Read the address; what it leaves out is what a newcomer would want to see."""
    notices: list[str] = []
    protocols = library.protocols()
    entry = _named("protocol", protocols, notices) or protocols[0]
    every = library.all_runs(entry)
    first, second = _first_pair(entry, [run for run in every if not run.replaced])
    a = _named("a", every, notices) or first
    b = _named("b", every, notices) or second
    notices += [
        _("{name}: an upload has taken its place since.").format(name=run.name)
        for run in (a, b)
        if run and run.replaced
    ]
    notices += [f"{name}: {error}" for name, error in library.damaged.items()]
    query = st.query_params.get("query")
    if query is not None and query not in entry.protocol.split_queries:
        notice = _("The address names query {query!r}, which split {split!r} does not hold.")
        notices.append(notice.format(query=query, split=entry.protocol.split))
        query = None
    shown = st.query_params.get("filter")
    if shown is not None and shown not in FILTERS:
        notice = _("The address names the filter {filter!r}, which there is not; all queries are shown.")
        notices.append(notice.format(filter=shown))
        shown = None
    metric = st.query_params.get("metric", str(Measure.RR))
    if metric not in set(Measure):
        notices.append(
            _("The address names the metric {metric!r}, which there is not; RR is shown.").format(metric=metric)
        )
        metric = str(Measure.RR)
    group = st.query_params.get("group")
    if group is not None and group not in query_fields(entry.protocol):
        notice = _("The address groups queries by {field!r}, which no query of the split has.")
        notices.append(notice.format(field=group))
        group = None
    where = GroupName.from_address(st.query_params.get("where", "")) if group is not None else None
    lang = st.query_params.get("lang")
    if lang is not None and lang not in LANGUAGES:
        notices.append(_("The address names the language {language!r}, which there is not.").format(language=lang))
        lang = None
    find = st.query_params.get("find", "")
    side, chunks, taken = _side(notices), _chunk_run(library, entry, notices), _chunks_taken(notices)
    return View(
        entry, a, b, query, shown, Measure(metric), find, group, where, tuple(notices), lang, side, chunks, taken
    )


_NOT_HERE = {
    "protocol": mark("The address names protocol {prefix}, which is not loaded here; load it under Data."),
    "a": mark("The address names run A {prefix}, which is not loaded here; load it under Data."),
    "b": mark("The address names run B {prefix}, which is not loaded here; load it under Data."),
}


def _named(name: str, items: Sequence[_Item], notices: list[str]) -> _Item | None:
    """Find what a fingerprint's prefix in the address names."""
    prefix = st.query_params.get(name)
    if prefix is None:
        return None
    found = [item for item in items if prefix and item.key.startswith(prefix)]
    if not found:
        notices.append(_(_NOT_HERE[name]).format(prefix=prefix))
        return None
    return found[0]


def _side(notices: list[str]) -> str:
    """Read the side that the address names; A where it names none."""
    side = st.query_params.get("side", "A")
    if side not in {"A", "B"}:
        notices.append(_("The address names the side {side!r}, which there is not; A is shown.").format(side=side))
        return "A"
    return side


def _chunk_run(library: Library, entry: LoadedProtocol, notices: list[str]) -> LoadedChunkRun | None:
    """Find the chunk run that the address names by its fingerprint and its map's."""
    named = st.query_params.get("chunks")
    if named is None:
        return None
    found = next((each for each in library.chunk_runs(entry) if chunk_run_address(each) == named), None)
    if found is None:
        notice = _("The address names chunk run {name}, which is not loaded here; load it under Data.")
        notices.append(notice.format(name=named))
    return found


def _chunks_taken(notices: list[str]) -> int | None:
    """Read how many chunks of each query the address says to take."""
    named = st.query_params.get("taken")
    if named is None:
        return None
    if named.isascii() and named.isdecimal() and len(named) <= _DIGITS and int(named) > 0:
        return int(named)
    notices.append(_("The address says to take {taken!r} chunks, which is no such number.").format(taken=named))
    return None


_DIGITS = 6
"""How long a number of chunks may be: no query receives a million."""


def _first_pair(entry: LoadedProtocol, runs: Sequence[LoadedRun]) -> tuple[LoadedRun | None, LoadedRun | None]:
    """Choose what to compare at first: what the sample set proposes, else the first two runs."""
    by_name = {run.name: run for run in runs}
    if entry.sample and {entry.sample.baseline, entry.sample.candidate} <= by_name.keys():
        return by_name[entry.sample.baseline], by_name[entry.sample.candidate]
    return (runs[0] if runs else None), (runs[1] if len(runs) > 1 else runs[0] if runs else None)


def go(**changes: str | None) -> None:
    """Change the address; None takes a parameter out of it."""
    params = {**st.query_params.to_dict(), **{key: value for key, value in changes.items() if value is not None}}
    st.query_params.from_dict({key: value for key, value in params.items() if changes.get(key, "") is not None})


def open_protocol(entry: LoadedProtocol) -> None:
    """Look at another protocol, from its start."""
    lang = st.query_params.get("lang")
    st.query_params.from_dict({"protocol": entry.key[:PREFIX], **({"lang": lang} if lang else {})})


def follow_names(library: Library, seen: View) -> None:
    """Go on looking at the runs of the same names, after uploads that may have replaced or removed them."""
    by_name = {run.name: run.key[:PREFIX] for run in library.runs(seen.entry)}
    sides = {"a": seen.a, "b": seen.b}
    go(**{side: by_name.get(run.name) if run else None for side, run in sides.items()})


def choice(key: str, options: Sequence[str], chosen: str | None, then: Callable[[str | None], None]) -> dict[str, Any]:
    """Give a choosing widget its key, its state from the address, and what to do with another choice."""
    st.session_state[key] = chosen if chosen in options else None

    def changed() -> None:
        then(st.session_state[key])

    return {"options": options, "key": key, "on_change": changed}


def count(key: str, chosen: int, then: Callable[[int], None]) -> dict[str, Any]:
    """Give a widget of numbers its key, its state from the address, and what to do with another number."""
    st.session_state[key] = chosen

    def changed() -> None:
        then(st.session_state[key])

    return {"key": key, "on_change": changed}


def row_choice(key: str, queries: Sequence[str], chosen: str | None) -> Callable[[], None]:
    """Turn the row that is selected in a table at once into a query in the address: rows move, queries do not.

    The table shows the query of the address as selected, also after another control has changed it.
    """
    rows = [queries.index(chosen)] if chosen in queries else []
    shown = st.session_state[key]["selection"] if key in st.session_state else {"rows": [0], "cells": []}
    if shown["rows"] != rows or shown["cells"]:
        # Telling a table what it shows already would send all its rows again.
        st.session_state[key] = {"selection": {"rows": rows, "columns": [], "cells": []}}

    def selected() -> None:
        selection = st.session_state[key]["selection"]
        cells = [row for row, _ in selection["cells"]]
        for row in (cells or selection["rows"])[:1]:
            go(query=queries[row])

    return selected


def picked(key: str, parameter: str) -> Callable[[], None]:
    """Turn the mark that is clicked in a chart into a query in the address."""

    def selected() -> None:
        for mark_ in st.session_state[key]["selection"][parameter][:1]:
            go(query=mark_["query"])

    return selected


def group_choice(key: str, values: Sequence[str | None], chosen: GroupName | None) -> Callable[[], None]:
    """Turn the row that is selected in a table of groups into the group that the address narrows to."""
    rows = [values.index(chosen.value)] if chosen and chosen.value in values else []
    st.session_state[key] = {"selection": {"rows": rows, "columns": [], "cells": []}}

    def selected() -> None:
        rows = st.session_state[key]["selection"]["rows"]
        go(where=GroupName(values[rows[0]]).in_address if rows else None, query=None)

    return selected


def written(key: str, content: str, then: Callable[[str], None]) -> dict[str, Any]:
    """Give a text field its key, its content from the address, and what to do with another."""
    st.session_state[key] = content

    def changed() -> None:
        then(st.session_state[key])

    return {"key": key, "on_change": changed}


def open_regressions(a: LoadedRun, b: LoadedRun) -> None:
    """Look at the queries of a pair of runs on which the candidate fell, on Compare."""
    go(a=a.key[:PREFIX], b=b.key[:PREFIX], filter="regression", query=None)
    want_page("compare")


def query_choice(
    key: str, queries: Sequence[str], pair: tuple[LoadedRun, LoadedRun] | None = None
) -> Callable[[], None]:
    """Turn the row that is selected in a table of queries into a look at that query on Compare.

    Args:
        key: the table.
        queries: the query of each row.
        pair: the baseline and the candidate that the table is about; None for those that are looked at.

    """
    sides = {} if pair is None else {side: run.key[:PREFIX] for side, run in zip("ab", pair, strict=True)}
    st.session_state[key] = {"selection": {"rows": [], "columns": [], "cells": []}}

    def selected() -> None:
        for row in st.session_state[key]["selection"]["rows"][:1]:
            go(query=queries[row], filter=None, **sides)
            want_page("compare")

    return selected


def want_page(name: str) -> None:
    """Ask for another page, which is then shown with what is looked at."""
    st.session_state["wanted-page"] = name


def chunk_run_address(each: LoadedChunkRun) -> str:
    """Name a chunk run in an address: its content, and the map by which it is collapsed."""
    return f"{each.key[:PREFIX]}.{each.chunk_map.key[:PREFIX]}"


def follow_wanted_page(pages: Mapping[str, StreamlitPage]) -> None:
    """Leave for the page that a click has asked for, if one has, with what is looked at."""
    wanted: str | None = st.session_state.pop("wanted-page", None)
    if wanted is not None:
        st.switch_page(pages[wanted], query_params=st.query_params.to_dict())


def cards() -> list[Any]:
    """Give the cards of what this visitor uploaded, the newest first."""
    kept: list[Any] = st.session_state.setdefault("cards", [])
    return kept


def add_cards(made: Iterable[Any]) -> None:
    """Put new cards before those that are there, refusals first; a file's new card takes the place of its old one."""
    new = sorted(made, key=lambda card: card.refused is None)
    names = {(card.kind, card.file) for card in new}
    st.session_state["cards"] = new + [card for card in cards() if (card.kind, card.file) not in names]


def clear_cards() -> None:
    """Put the cards away; what was accepted stays loaded."""
    st.session_state["cards"] = []


def kept_row(key: str, name: str, ids: Sequence[str]) -> Callable[[], None]:
    """Turn the row that is selected in a table at once into an ID that is kept under a name for this visitor.

    The table shows it as selected wherever it stands, whatever was searched or turned to since.
    """
    chosen = kept(name)
    rows = [ids.index(chosen)] if chosen in ids else []
    st.session_state[key] = {"selection": {"rows": rows, "columns": [], "cells": []}}

    def selected() -> None:
        selection = st.session_state[key]["selection"]
        cells = [row for row, _column in selection["cells"]]
        for row in (cells or selection["rows"])[:1]:
            keep(name, ids[row])

    return selected


def kept_cell(key: str, name: str, rows: Sequence[str], columns: Mapping[str, str]) -> Callable[[], None]:
    """Turn the cell that is selected in a grid at once into a pair of IDs that is kept under a name.

    Args:
        key: the grid.
        name: the name.
        rows: the ID of each row.
        columns: the name of each column that stands for an ID -> that.

    """
    st.session_state[key] = {"selection": {"rows": [], "columns": [], "cells": []}}

    def selected() -> None:
        for row, column in st.session_state[key]["selection"]["cells"][:1]:
            if column in columns:
                keep(name, (rows[row], columns[column]))

    return selected


def keep(name: str, value: object) -> None:
    """Keep something for this visitor until it is taken, or something else is kept under its name."""
    st.session_state[f"{name}-kept"] = value


def kept(name: str) -> Any:
    """Give what was kept; None where nothing was."""
    return st.session_state.get(f"{name}-kept")


def take(name: str) -> Any:
    """Give what was kept, once."""
    return st.session_state.pop(f"{name}-kept", None)


def default_query(comparison: Comparison, in_table: Sequence[str]) -> str | None:
    """Choose the query to show when the address names none: the first of the table, which is the worst."""
    return in_table[0] if in_table else next(iter(row.query for row in comparison.rows), None)

"""Data, third part: the protocol to read - its facts and fingerprints, documents, queries, and every judgment."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from rankeval.core.protocol import Protocol
from rankeval.dashboard import components, data_frames, data_markup, language, reader, state
from rankeval.dashboard.language import _, mark
from rankeval.dashboard.library import LoadedProtocol

DOCUMENTS, QUERIES, JUDGMENTS = "documents", "queries", "judgments"
_PARTS = {DOCUMENTS: mark("Documents"), QUERIES: mark("Queries"), JUDGMENTS: mark("Judgments")}

_Gloss = Mapping[str, Mapping[str, str]]


def part(entry: LoadedProtocol) -> None:
    """Draw the part."""
    with st.container(key="data-reader"):
        about, prints = st.columns([10, 11], gap="medium")
        with about, st.container(border=True, key="protocol-facts"):
            st.html(data_markup.title(_("What it holds")))
            st.html(data_markup.facts(entry))
        with prints, st.container(border=True, key="fingerprints"):
            _fingerprints(entry)
        chosen = st.segmented_control(
            _("What to read"),
            list(_PARTS),
            default=DOCUMENTS,
            required=True,
            format_func=lambda name: _(_PARTS[name]),
            key="read-what",
            label_visibility="collapsed",
        )
        gloss = _gloss(entry)
        if chosen == QUERIES:
            _queries(entry.protocol, gloss)
        elif chosen == JUDGMENTS:
            _judgments(entry.protocol, gloss)
        else:
            _documents(entry.protocol, gloss)


def _fingerprints(entry: LoadedProtocol) -> None:
    st.html(data_markup.title(_("Fingerprints (SHA-256)")))
    found = state.kept("recomputed")
    st.html(data_markup.fingerprints(entry, found if found and found.key == entry.key else None))
    if st.button(_("Compute both again"), key="recompute"):
        bar = st.progress(0.0)
        state.keep("recomputed", reader.recompute(entry, bar.progress))
        st.rerun()


def _documents(protocol: Protocol, gloss: _Gloss) -> None:
    with st.container(key="read-bench"):
        table, pane = st.columns([11, 10], gap="medium")
        with table:
            search = st.text_input(
                _("Search"), key="search-documents", placeholder=_("words of an ID or a text, all of which stand in it")
            )
            found = reader.found_documents(protocol, search)
            page = _page(found, "documents", search, len(protocol.corpus), reader.ROWS)
            key = f"documents-{protocol.compact_sha256[:8]}-{page.number}-{search}"
            with st.container(key="documents-table"):
                st.dataframe(
                    data_frames.documents_frame(protocol, page.ids),
                    key=key,
                    hide_index=True,
                    height=components.table_height(len(page.ids), 640),
                    selection_mode=["single-row-required", "single-cell"],
                    on_select=state.kept_row(key, "read-document", page.ids),
                    column_config={
                        "document": st.column_config.TextColumn(_("Document"), width="small"),
                        "relevant": st.column_config.NumberColumn(
                            _("Relevant to"), width=80, help=_("To how many queries, of all splits, it is relevant")
                        ),
                        "text": st.column_config.TextColumn(_("Text"), width="large"),
                    },
                )
        chosen = _chosen("read-document", page.ids)
        with pane, st.container(border=True, key="read-pane"):
            if chosen is None:
                st.caption(_("No document has all these words."))
            else:
                queries = reader.relevant_to(protocol).get(chosen, ())
                st.html(data_markup.document(protocol, chosen, queries, gloss["corpus"]))


def _queries(protocol: Protocol, gloss: _Gloss) -> None:
    with st.container(key="read-bench"):
        table, pane = st.columns([11, 10], gap="medium")
        with table:
            page = _found_queries(protocol, "queries", reader.ROWS)
            fields = reader.metadata_fields(protocol)
            key = f"queries-{protocol.compact_sha256[:8]}-{page.number}-{page.found}"
            with st.container(key="queries-table"):
                st.dataframe(
                    data_frames.queries_frame(protocol, page.ids, fields),
                    key=key,
                    hide_index=True,
                    height=components.table_height(len(page.ids), 640),
                    selection_mode=["single-row-required", "single-cell"],
                    on_select=state.kept_row(key, "read-query", page.ids),
                    column_config={
                        "query": st.column_config.TextColumn(_("Query"), width="small"),
                        "split": st.column_config.TextColumn(_("Split"), width=60),
                        "relevant": st.column_config.NumberColumn(
                            _("Relevant"), width=70, help=_("How many documents are relevant to it")
                        ),
                        "need": st.column_config.TextColumn(_("Information need"), width="large"),
                        **{f"m{i}": st.column_config.TextColumn(field) for i, field in enumerate(fields)},
                    },
                )
        chosen = _chosen("read-query", page.ids)
        with pane, st.container(border=True, key="read-pane"):
            if chosen is None:
                st.caption(_("No query of the split has all these words."))
            else:
                st.html(data_markup.query(protocol, chosen, gloss))


def _judgments(protocol: Protocol, gloss: _Gloss) -> None:
    page = _found_queries(protocol, "judgments", reader.GRID_ROWS)
    grid = reader.grid_of(protocol, page.ids)
    columns = {f"d{i}": document for i, document in enumerate(grid.documents)}
    st.html(data_markup.legend())
    if grid.others or grid.cut_off:
        st.caption(
            _(
                "Columns: {shown:,} documents that are relevant to one of these queries, the first query's first."
                " {others:,} documents are relevant to none of them, and {cut_off:,} more to one of them: search for"
                " fewer queries to see those."
            ).format(shown=len(grid.documents), others=grid.others, cut_off=grid.cut_off)
            if grid.cut_off
            else _(
                "Columns: the {shown:,} documents that are relevant to any of these queries, the first query's first."
                " The other {others:,} are relevant to none of them."
            ).format(shown=len(grid.documents), others=grid.others)
        )
    key = f"grid-{protocol.compact_sha256[:8]}-{page.number}-{page.found}"
    with st.container(key="judgment-grid"):
        st.dataframe(
            data_frames.grid_frame(protocol, grid),
            key=key,
            hide_index=True,
            height=components.table_height(len(grid.queries), 940),
            selection_mode="single-cell",
            on_select=state.kept_cell(key, "read-pair", grid.queries, columns),
            column_config={
                "query": st.column_config.TextColumn(_("Query"), pinned=True),
                "relevant": st.column_config.NumberColumn(
                    _("Relevant"), width=70, pinned=True, help=_("How many documents are relevant to it")
                ),
                **{
                    name: st.column_config.TextColumn(document, width=70, alignment="center")
                    for name, document in columns.items()
                },
            },
        )
    st.caption(_("Click a cell to read the query beside the document."))
    chosen = state.kept("read-pair")
    if chosen is not None and chosen[0] in protocol.queries and chosen[1] in protocol.corpus:
        with st.container(border=True, key="read-pane"):
            st.html(data_markup.pair(protocol, chosen, reader.disputed(protocol, *chosen), gloss))


def _found_queries(protocol: Protocol, name: str, rows: int) -> reader.Page:
    """Ask for a search and a split, and give the page of what they find."""
    with st.container(horizontal=True):
        search = st.text_input(
            _("Search"), key="search-queries", placeholder=_("words of an ID or a text, all of which stand in it")
        )
        every = _("every split")
        split = st.selectbox(_("Split"), [*reader.splits(protocol), every], key="read-split", width=180)
    of = protocol.queries if split == every else reader.found_queries(protocol, "", split)
    found = reader.found_queries(protocol, search, None if split == every else split)
    return _page(found, name, f"{search}-{split}", len(of), rows)


def _page(found: tuple[str, ...], name: str, narrowed: str, of: int, rows: int) -> reader.Page:
    """Say how many were found, and turn pages where there are several."""
    last = reader.page_of(found, 1, rows).pages
    with st.container(horizontal=True, vertical_alignment="center"):
        number = 1
        if last > 1:
            number = st.number_input(
                _("Page, of {pages}").format(pages=last),
                min_value=1,
                max_value=last,
                key=f"page-{name}-{narrowed}",
                width=140,
            )
        st.caption(_("{count:,} of {of:,} found").format(count=len(found), of=of))
    return reader.page_of(found, number, rows)


def _chosen(name: str, shown: tuple[str, ...]) -> str | None:
    """Give what this visitor selected last, where the table shows it; else the first that it shows."""
    kept = state.kept(name)
    return kept if kept in shown else next(iter(shown), None)


def _gloss(entry: LoadedProtocol) -> _Gloss:
    """Give the sample's English glosses, to those who read English."""
    given = entry.sample.gloss if entry.sample and language.current() == "en" else None
    return {part: given[part] if given else {} for part in ("corpus", "queries")}

"""Data, second part: what is loaded, and what may be changed of it."""

from __future__ import annotations

import streamlit as st

from rankeval.dashboard import changes, components, data_frames, data_markup, reader, state
from rankeval.dashboard.language import _
from rankeval.dashboard.library import Library, LoadedProtocol, LoadedRun


def part(loaded: Library, view: state.View) -> None:
    """Draw the part."""
    with st.container(key="data-loaded"):
        said = state.take("said")
        if said:
            st.text(said)
        tables, forms = st.columns([11, 10], gap="large")
        with tables:
            _runs(loaded, view.entry)
            _maps(loaded, view.entry)
            _protocols(loaded)
        with forms:
            _change_run(loaded, view)
            _change_map(loaded, view.entry)
            _freeze_again(loaded, view.entry)
            _change_protocol(loaded, view.entry)


def _runs(loaded: Library, entry: LoadedProtocol) -> None:
    runs = loaded.all_runs(entry)
    with st.container(key="loaded-runs"):
        st.html(data_markup.title(_("Runs of this protocol")))
        if not runs:
            st.caption(_("There is none yet. Load one or more in the first tab."))
            return
        names = [run.name for run in runs]
        text, number = st.column_config.TextColumn, st.column_config.NumberColumn
        key = f"runs-{entry.key[: state.PREFIX]}"
        st.dataframe(
            data_frames.runs_frame(runs, state.PREFIX),
            key=key,
            hide_index=True,
            height=components.table_height(len(runs), 420),
            selection_mode=["single-row-required", "single-cell"],
            on_select=state.kept_row(key, "managed-run", names),
            column_config={
                "name": text(_("Run")),
                "recall": text(f"Recall@{entry.protocol.k}", width=80, alignment="right"),
                "mrr": text(f"MRR@{entry.protocol.k}", width=80, alignment="right"),
                "missing": number(_("Missing"), width=70, help=_("Queries that the run has no entry for, scored as 0")),
                "recorded": text(_("System"), width=70, help=_("How much is recorded of what made the run")),
                "file": text(_("File")),
                "fingerprint": text(_("Fingerprint")),
            },
        )
        st.caption(_("Click a run to name it, to say what made it, or to remove it."))


def _maps(loaded: Library, entry: LoadedProtocol) -> None:
    maps = list(loaded.chunk_maps(entry).values())
    if not maps:
        return
    with st.container(key="loaded-maps"):
        st.html(data_markup.title(_("Chunk maps of this protocol")))
        key = f"maps-{entry.key[: state.PREFIX]}"
        st.dataframe(
            data_frames.maps_frame(maps, state.PREFIX),
            key=key,
            hide_index=True,
            height=components.table_height(len(maps), 200),
            selection_mode=["single-row-required", "single-cell"],
            on_select=state.kept_row(key, "managed-map", [each.name for each in maps]),
            column_config={
                "name": st.column_config.TextColumn(_("Map")),
                "chunks": st.column_config.NumberColumn(_("Chunks")),
                "documents": st.column_config.NumberColumn(_("Documents")),
                "fingerprint": st.column_config.TextColumn(_("Fingerprint")),
            },
        )
        st.caption(_("Click a chunk map to name it or to remove it."))


def _change_run(loaded: Library, view: state.View) -> None:
    runs = {run.name: run for run in loaded.all_runs(view.entry)}
    if not runs:
        return
    kept = state.kept("managed-run")
    run = runs[kept] if kept in runs else next(iter(runs.values()))
    with st.container(key="change-run", border=True):
        st.html(data_markup.title(run.name))
        if run.kept is None:
            st.caption(_("A run of the sample data: it stays as it is."))
            return
        _describe(loaded, run)
        with st.popover(_("Remove this run …"), key="remove-run"):
            st.text(_("{name} and its numbers go from every page, for everybody.").format(name=run.name))
            if st.button(_("Remove it"), key="really-remove-run"):
                state.keep("said", changes.remove_run(loaded, run) or _("{name} was removed.").format(name=run.name))
                state.follow_names(loaded, view)
                st.rerun()


def _describe(loaded: Library, run: LoadedRun) -> None:
    which = run.kept.id if run.kept else 0
    typed = changes.typed_of(run.run.system)
    with st.form(f"run-form-{which}", border=False):
        name = st.text_input(_("Name"), run.name, key=f"run-name-{which}")
        st.caption(_("What made it, as far as you want to record it. Compare says what is not recorded."))
        left, right = st.columns(2)
        said = {}
        for place, (field, title) in enumerate(data_frames.SYSTEM_TITLES.items()):
            with (left, right)[place % 2]:
                said[field] = st.text_input(_(title), typed[field], key=f"run-{field}-{which}")
        if st.form_submit_button(_("Save"), key=f"save-run-{which}"):
            hindered = changes.change_run(loaded, run, name, said)
            if not hindered:
                state.keep("managed-run", name)
            state.keep("said", hindered or _("Saved."))
            st.rerun()


def _change_map(loaded: Library, entry: LoadedProtocol) -> None:
    maps = loaded.chunk_maps(entry)
    if not maps:
        return
    kept = state.kept("managed-map")
    chunk_map = maps[kept] if kept in maps else next(iter(maps.values()))
    with st.container(key="change-map", border=True):
        st.html(data_markup.title(chunk_map.name))
        if chunk_map.sample:
            st.caption(_("A chunk map of the sample data: it stays as it is."))
            return
        with st.form(f"map-form-{chunk_map.name}", border=False):
            name = st.text_input(_("Name"), chunk_map.name, key=f"map-name-{chunk_map.name}")
            if st.form_submit_button(_("Save"), key="save-map"):
                hindered = changes.change_map(loaded, entry, chunk_map, name)
                if not hindered:
                    state.keep("managed-map", name)
                state.keep("said", hindered or _("Saved."))
                st.rerun()
        with st.popover(_("Remove this chunk map …"), key="remove-map"):
            st.text(_("{name} goes from this list, for everybody; runs made with it stay.").format(name=chunk_map.name))
            if st.button(_("Remove it"), key="really-remove-map"):
                hindered = changes.remove_map(loaded, entry, chunk_map)
                state.keep("said", hindered or _("{name} was removed.").format(name=chunk_map.name))
                st.rerun()


def _protocols(loaded: Library) -> None:
    entries = [(components.title(entry), entry, len(loaded.runs(entry))) for entry in loaded.protocols()]
    with st.container(key="loaded-protocols"):
        st.html(data_markup.title(_("All protocols")))
        number = st.column_config.NumberColumn
        st.dataframe(
            data_frames.protocols_frame(entries, state.PREFIX),
            hide_index=True,
            height=components.table_height(len(entries), 420),
            column_config={
                "name": st.column_config.TextColumn(_("Protocol")),
                "split": st.column_config.TextColumn(_("Split"), width=70),
                "k": number("k", width=50),
                "documents": number(_("Documents"), width=80),
                "queries": number(_("Queries"), width=70, help=_("Queries of the split")),
                "runs": number(_("Runs"), width=60),
                "fingerprint": st.column_config.TextColumn(_("Fingerprint")),
            },
        )


def _freeze_again(loaded: Library, entry: LoadedProtocol) -> None:
    protocol = entry.protocol
    with st.container(key="freeze-again", border=True), st.form(f"freeze-{entry.key[:8]}", border=False):
        st.html(data_markup.title(_("Freeze it again with another split or k")))
        st.caption(_("Same documents, queries and judgments; a protocol of its own, with its own fingerprint."))
        with st.container(horizontal=True):
            split = st.selectbox(_("Split"), reader.splits(protocol), key=f"again-split-{entry.key[:8]}")
            k = st.number_input("k", min_value=1, value=protocol.k, step=1, key=f"again-k-{entry.key[:8]}")
        with_runs = st.checkbox(
            _("Score the same runs on it too"),
            value=True,
            key=f"again-runs-{entry.key[:8]}",
            help=_("Those that hold no query of another split"),
        )
        if st.form_submit_button(_("Freeze again"), key="freeze-again-button"):
            with st.spinner(_("Computing its fingerprints and scoring its runs")):
                hindered, other = changes.freeze_again(loaded, entry, split, k, with_runs=with_runs)
            if other is not None:
                state.open_protocol(other)
            state.keep("said", hindered or _("Frozen, and open now. The other one is still here."))
            st.rerun()


def _change_protocol(loaded: Library, entry: LoadedProtocol) -> None:
    with st.container(key="change-protocol", border=True):
        st.html(data_markup.title(components.title(entry)))
        if entry.sample is not None:
            st.caption(_("Sample data: it stays as it is."))
            return
        key = entry.key[:8]
        with st.form(f"protocol-form-{key}", border=False):
            name = st.text_input(_("Name"), entry.name, key=f"protocol-name-{key}")
            if st.form_submit_button(_("Save"), key="save-protocol"):
                state.keep("said", changes.change_protocol(loaded, entry, name) or _("Saved."))
                st.rerun()
        with st.popover(_("Remove this protocol …"), key="remove-protocol"):
            st.text(_("{name} and all its runs go from every page, for everybody.").format(name=entry.name))
            if st.button(_("Remove it"), key="really-remove-protocol"):
                hindered = changes.remove_protocol(loaded, entry)
                if not hindered:
                    state.open_protocol(loaded.protocols()[0])
                state.keep("said", hindered or _("{name} was removed.").format(name=entry.name))
                st.rerun()

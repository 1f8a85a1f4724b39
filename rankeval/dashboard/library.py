"""What is loaded: protocols, the runs that fit them, and chunk maps, each under its fingerprint.

One library serves every browser that a server has, so that a reload or a colleague's link finds what was loaded.  It
holds objects that were checked when they came in, and never changes one.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from rankeval.core.chunks import adapt_runs, refuse_unsound_chunks
from rankeval.core.protocol import Protocol
from rankeval.core.run import Run
from rankeval.core.scoring import Report, score
from rankeval.formats.samples import SampleSet, sample_sets


@dataclass(frozen=True, slots=True)
class LoadedRun:
    """A run that its protocol has accepted.

    Attributes:
        key: its fingerprint.
        run: the run.
        report: its score.

    """

    key: str
    run: Run
    report: Report

    @property
    def name(self) -> str:
        """What people call it."""
        return self.run.name


@dataclass(frozen=True, slots=True)
class LoadedMap:
    """A chunk map that a protocol's corpus has accepted.

    Attributes:
        key: its fingerprint.
        name: what people call it.
        chunk_to_doc: chunk ID -> document ID.

    """

    key: str
    name: str
    chunk_to_doc: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class LoadedChunkRun:
    """A chunk run as it was received, and the map that it was cut with.

    Attributes:
        key: its fingerprint.
        run: the run of chunk IDs.
        chunk_map: its map.

    """

    key: str
    run: Run
    chunk_map: LoadedMap

    @property
    def name(self) -> str:
        """What people call it."""
        return self.run.name


@dataclass(slots=True)
class LoadedProtocol:
    """A protocol and what was loaded for it.

    Attributes:
        key: its fingerprint over every judgment, by which addresses name it.
        name: what people call it.
        protocol: the protocol.
        sample: the sample set that it belongs to; None for one that somebody brought.
        runs: name -> run; a name has one run at a time, and those of a sample stay.
        chunk_maps: name -> chunk map.
        chunk_runs: name -> chunk run as received.

    """

    key: str
    name: str
    protocol: Protocol
    sample: SampleSet | None = None
    runs: dict[str, LoadedRun] = field(default_factory=dict)
    chunk_maps: dict[str, LoadedMap] = field(default_factory=dict)
    chunk_runs: dict[str, LoadedChunkRun] = field(default_factory=dict)

    @property
    def sample_runs(self) -> set[str]:
        """The names of the runs that came with the sample data."""
        return {run.name for run in self.sample.runs} if self.sample else set()


class Library:
    """All that a server has loaded."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._protocols: dict[str, LoadedProtocol] = {}
        self._reports: dict[tuple[str, str], Report] = {}

    def protocols(self) -> list[LoadedProtocol]:
        """Give every protocol, in the order in which they came."""
        with self._lock:
            return list(self._protocols.values())

    def runs(self, entry: LoadedProtocol) -> list[LoadedRun]:
        """Give the runs of a protocol, in the order in which they came."""
        with self._lock:
            return list(entry.runs.values())

    def chunk_runs(self, entry: LoadedProtocol) -> list[LoadedChunkRun]:
        """Give the chunk runs of a protocol as they were received, in the order in which they came."""
        with self._lock:
            return list(entry.chunk_runs.values())

    def received(self, entry: LoadedProtocol, run: Run) -> LoadedChunkRun | None:
        """Find the chunk run that a run was collapsed from; None for a run of documents."""
        origin = run.from_chunks
        if origin is None:
            return None
        return next(
            (
                each
                for each in self.chunk_runs(entry)
                if (each.key, each.chunk_map.key) == (origin.chunk_run_sha256, origin.adapter_sha256)
            ),
            None,
        )

    def add_chunk_run(self, entry: LoadedProtocol, run: Run, chunk_map: LoadedMap) -> LoadedChunkRun:
        """Check a chunk run as it was received, and keep it; one of its name gives way.

        Raises:
            ChunkError: the chunk run breaks a rule.

        """
        refuse_unsound_chunks(entry.protocol, run, chunk_map.chunk_to_doc)
        loaded = LoadedChunkRun(run.run_sha256, run, chunk_map)
        with self._lock:
            entry.chunk_runs[run.name] = loaded
        return loaded

    def add_protocol(self, name: str, protocol: Protocol, sample: SampleSet | None = None) -> LoadedProtocol:
        """Take a protocol.

        One that is here already keeps its name and its runs, and from now on stands with the declarations that it was
        brought with last: they are in no fingerprint, and what is shown must be what the last reader declared.
        """
        with self._lock:
            entry = self._protocols.get(protocol.compact_sha256)
            if entry is None:
                entry = LoadedProtocol(protocol.protocol_sha256, name, protocol, sample)
                self._protocols[protocol.compact_sha256] = entry
            elif entry.sample is None:
                entry.protocol = protocol
            return entry

    def open_on(self, entry: LoadedProtocol) -> None:
        """Make a protocol the first, which a visitor sees who names none."""
        with self._lock:
            self._protocols = {entry.protocol.compact_sha256: entry, **self._protocols}

    def add_run(self, entry: LoadedProtocol, run: Run) -> LoadedRun:
        """Score a run and take it; what its file or its name stood for before gives way, accepted or not.

        Raises:
            RunError: the protocol refuses it.

        """
        if run.name in entry.runs.keys() & entry.sample_runs:
            run = replace(run, name=f"{run.name} (uploaded)")
        self.drop_file(entry, run.source, run.from_chunks.chunk_run_sha256 if run.from_chunks else None)
        self._drop(entry, {run.name})
        loaded = LoadedRun(run.run_sha256, run, self._report(entry, run))
        with self._lock:
            entry.runs[run.name] = loaded
        return loaded

    def drop_file(self, entry: LoadedProtocol, file: str | None, chunk_run: str | None = None) -> None:
        """Let go of the runs that came from a file: no number may stay that a replaced or refused file gave.

        Args:
            entry: the protocol that they were scored on.
            file: the file's name; None where there was no file.
            chunk_run: the fingerprint of a chunk run; its runs under other budgets stay.

        """
        gone = {
            name
            for name, loaded in entry.runs.copy().items()
            if file is not None
            and loaded.run.source == file
            and (chunk_run is None or not _is_from(loaded.run, chunk_run))
        }
        self._drop(entry, gone)

    def drop_name(self, entry: LoadedProtocol, name: str) -> None:
        """Let go of the run of a name that an upload went by."""
        self._drop(entry, {name, f"{name} (uploaded)"})

    def _drop(self, entry: LoadedProtocol, names: set[str]) -> None:
        with self._lock:
            for name in names - entry.sample_runs:
                entry.runs.pop(name, None)

    def _report(self, entry: LoadedProtocol, run: Run) -> Report:
        """Score a run; the same rankings are scored once, whatever they are called."""
        key = (entry.protocol.compact_sha256, run.run_sha256)
        with self._lock:
            known = self._reports.get(key)
        if known is None:
            known = score(entry.protocol, run)
            with self._lock:
                self._reports[key] = known
        return known

    def add_chunk_map(self, entry: LoadedProtocol, name: str, chunk_map: Mapping[str, str]) -> str:
        """Check a chunk map against a protocol's corpus, take it, and give its fingerprint; one of its name gives way.

        Raises:
            ChunkError: it points outside the corpus.

        """
        with self._lock:
            entry.chunk_maps.pop(name, None)
        protocol = entry.protocol
        adapted = adapt_runs(protocol.corpus, protocol.queries, chunk_map, {}, protocol.split)
        with self._lock:
            entry.chunk_maps[name] = LoadedMap(adapted.adapter_sha256, name, chunk_map)
        return adapted.adapter_sha256


def _is_from(run: Run, chunk_run: str) -> bool:
    return run.from_chunks is not None and run.from_chunks.chunk_run_sha256 == chunk_run


@cache
def library() -> Library:
    """Give the one library of this server, with the sample data in it."""
    made = Library()
    for sample in sample_sets():
        entry = made.add_protocol(sample.title, sample.protocol, sample)
        for run in sample.runs:
            made.add_run(entry, run)
        made.add_chunk_map(entry, "chunk_to_doc", sample.chunk_map)
        for chunk_run in sample.chunk_runs:
            made.add_chunk_run(entry, chunk_run, entry.chunk_maps["chunk_to_doc"])
    return made

"""What is loaded: protocols, the runs that fit them, and chunk maps, each under its fingerprint.

One library serves every browser that a server has, so that a reload or a colleague's link finds what was loaded.  It
holds objects that were checked when they came in, and never changes one.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from rankeval.core.chunks import adapt_runs
from rankeval.core.comparison import Comparison, compare
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


@dataclass(slots=True)
class LoadedProtocol:
    """A protocol and what was loaded for it.

    Attributes:
        key: its fingerprint.
        name: what people call it.
        protocol: the protocol.
        sample: the sample set that it belongs to; None for one that somebody brought.
        runs: name -> run; a name has one run at a time.
        chunk_maps: name -> chunk map.

    """

    key: str
    name: str
    protocol: Protocol
    sample: SampleSet | None = None
    runs: dict[str, LoadedRun] = field(default_factory=dict)
    chunk_maps: dict[str, Mapping[str, str]] = field(default_factory=dict)


class Library:
    """All that a server has loaded."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._protocols: dict[str, LoadedProtocol] = {}
        self._comparisons: dict[tuple[str, str, str], Comparison] = {}

    def protocols(self) -> list[LoadedProtocol]:
        """Give every protocol, in the order in which they came."""
        with self._lock:
            return list(self._protocols.values())

    def runs(self, entry: LoadedProtocol) -> list[LoadedRun]:
        """Give the runs of a protocol, in the order in which they came."""
        with self._lock:
            return list(entry.runs.values())

    def add_protocol(self, name: str, protocol: Protocol, sample: SampleSet | None = None) -> LoadedProtocol:
        """Take a protocol; one that is here already keeps its name and its runs."""
        key = protocol.protocol_sha256
        with self._lock:
            return self._protocols.setdefault(key, LoadedProtocol(key, name, protocol, sample))

    def open_on(self, entry: LoadedProtocol) -> None:
        """Make a protocol the first, which a visitor sees who names none."""
        with self._lock:
            self._protocols = {entry.key: entry, **self._protocols}

    def add_run(self, entry: LoadedProtocol, run: Run) -> LoadedRun:
        """Score a run and take it; an earlier run of its name gives way, whether this one is accepted or not.

        Raises:
            RunError: the protocol refuses it.

        """
        self.drop_run(entry, run.name)
        loaded = LoadedRun(run.run_sha256, run, score(entry.protocol, run))
        with self._lock:
            entry.runs[run.name] = loaded
        return loaded

    def drop_run(self, entry: LoadedProtocol, name: str) -> None:
        """Let go of the run of a name: no number may stay under the name of a file that was replaced or refused."""
        with self._lock:
            entry.runs.pop(name, None)

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
            entry.chunk_maps[name] = chunk_map
        return adapted.adapter_sha256

    def comparison(self, entry: LoadedProtocol, a: LoadedRun, b: LoadedRun) -> Comparison:
        """Compare two runs of a protocol; the same two are compared once."""
        key = (entry.key, a.key, b.key)
        with self._lock:
            known = self._comparisons.get(key)
        if known is None:
            known = compare(a.report, b.report)
            with self._lock:
                self._comparisons[key] = known
        return known


@cache
def library() -> Library:
    """Give the one library of this server, with the sample data in it."""
    made = Library()
    for sample in sample_sets():
        entry = made.add_protocol(sample.title, sample.protocol, sample)
        for run in sample.runs:
            made.add_run(entry, run)
        made.add_chunk_map(entry, "chunk_to_doc", sample.chunk_map)
    return made

"""What is loaded: protocols, the runs that fit them, and chunk maps, each under its fingerprint.

One library serves every browser of a server.  What people bring is kept in the workspace, so that a reload, a restart
or a colleague's link finds it; the sample data is always there.  Names are asked of the workspace each time; objects
are read and scored when somebody looks at them, once, and shared.
"""

from __future__ import annotations

import gc
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from rankeval.core.chunks import adapt_runs, collapse_run
from rankeval.core.contract import ContractError
from rankeval.core.fingerprint import adapter_sha256
from rankeval.core.protocol import Protocol
from rankeval.core.run import FromChunks, Run
from rankeval.core.scoring import Report, score
from rankeval.dashboard.once import Once
from rankeval.formats import Source
from rankeval.formats.samples import SampleSet, sample_sets
from rankeval.workspace import (
    ExposureLedger,
    KeptRun,
    ReviewedRun,
    Reviews,
    Round,
    SplitExposure,
    Workspace,
    WorkspaceError,
    default_workspace,
)
from rankeval.workspace.content import recorded_run, source_of

SAMPLE_MAP = "chunk_to_doc"
"""What the chunk map of a sample set is called."""


@dataclass(frozen=True, slots=True)
class LoadedProtocol:
    """A protocol that is loaded.

    Attributes:
        key: its fingerprint over every judgment, by which addresses name it.
        name: what people call it.
        protocol: the protocol.
        sample: the sample set that it belongs to; None for one that somebody brought.

    """

    key: str
    name: str
    protocol: Protocol
    sample: SampleSet | None = None


@dataclass(frozen=True, slots=True)
class LoadedRun:
    """A run that its protocol has accepted.

    Attributes:
        key: its fingerprint.
        name: what people call it.
        library: where it is; `run` and `report` are read from there when somebody looks at them.
        entry: its protocol.
        kept: what the workspace knows of it; None for a run of a sample.
        sample: the run of a sample.

    """

    key: str
    name: str
    library: Library = field(repr=False)
    entry: LoadedProtocol = field(repr=False)
    kept: KeptRun | None = field(default=None, repr=False)
    sample: Run | None = field(default=None, repr=False)

    @property
    def run(self) -> Run:
        """The run."""
        return self.library.read_run(self)

    @property
    def report(self) -> Report:
        """Its score."""
        return self.library.report(self)

    @property
    def from_chunks(self) -> FromChunks | None:
        """How it came from chunks, which is known without reading it."""
        return self.kept.origin if self.kept else self.run.from_chunks

    @property
    def replaced(self) -> bool:
        """Whether an upload of its name or file has taken its place."""
        return self.kept is not None and self.kept.replaced


@dataclass(frozen=True, slots=True)
class LoadedMap:
    """A chunk map that a protocol's corpus has accepted.

    Attributes:
        key: its fingerprint.
        name: what people call it.
        chunk_to_doc: chunk ID -> document ID.
        sample: whether it is a sample's own, which stays as it is.

    """

    key: str
    name: str
    chunk_to_doc: Mapping[str, str] = field(repr=False)
    sample: bool = False


@dataclass(frozen=True, slots=True)
class LoadedChunkRun:
    """A chunk run as it was received, and the map that it was cut with.

    Attributes:
        key: its fingerprint.
        name: what people call it.
        run: the run of chunk IDs.
        chunk_map: its map.

    """

    key: str
    name: str
    run: Run = field(repr=False)
    chunk_map: LoadedMap


class Library:
    """All that a server has loaded."""

    def __init__(self, workspace: Workspace, samples: tuple[SampleSet, ...] = ()) -> None:
        self._workspace = workspace
        self.reviews = Reviews(workspace.database)
        self.ledger = ExposureLedger(workspace.database)
        self._samples = {
            sample.protocol.compact_sha256: LoadedProtocol(
                sample.protocol.protocol_sha256, sample.title, sample.protocol, sample
            )
            for sample in samples
        }
        self._first: str | None = None
        self._objects = Once(500)
        self._reports = Once(2_000)
        self.damaged: dict[str, ContractError] = {}

    # Protocols.

    def protocols(self) -> list[LoadedProtocol]:
        """Give every protocol, the samples first, or before them the one that the server was opened on."""
        found = dict(self._samples)
        for kept in self._workspace.protocols():
            if kept.compact_sha256 in self._samples:
                continue
            try:
                protocol = self._protocol(kept.compact_sha256)
            except ContractError as error:
                self.damaged[kept.label] = error
                continue
            found[kept.compact_sha256] = LoadedProtocol(kept.protocol_sha256, kept.label, protocol)
        if self._first in found:
            found = {self._first: found[self._first], **found}
        return list(found.values())

    def add_protocol(self, name: str, protocol: Protocol) -> LoadedProtocol:
        """Take a protocol.

        One that is here already keeps its name and its runs, and from now on stands with the declarations that it was
        brought with last: they are in no fingerprint, and what is shown must be what the last reader declared.
        """
        if protocol.compact_sha256 in self._samples:
            return self._samples[protocol.compact_sha256]
        self._workspace.add_protocol(name, protocol)
        self._objects.put(("protocol", protocol.compact_sha256), protocol)
        return next(each for each in self.protocols() if each.protocol == protocol)

    def rename_protocol(self, entry: LoadedProtocol, name: str) -> None:
        """Call a protocol by another name; a sample keeps its own."""
        if entry.sample is None:
            self._workspace.rename_protocol(entry.protocol.compact_sha256, name)

    def remove_protocol(self, entry: LoadedProtocol) -> None:
        """Let go of a protocol with all its runs; of a sample, of the runs that were added to it."""
        self._workspace.remove_protocol(entry.protocol.compact_sha256)

    def open_on(self, compact_sha256: str) -> None:
        """Make a protocol the first, which a visitor sees who names none."""
        self._first = compact_sha256

    def _protocol(self, compact_sha256: str) -> Protocol:
        return self._objects.get(("protocol", compact_sha256), lambda: self._workspace.protocol(compact_sha256))

    # Runs.

    def runs(self, entry: LoadedProtocol) -> list[LoadedRun]:
        """Give the runs of a protocol, in the order in which they came."""
        return [run for run in self.all_runs(entry) if not run.replaced]

    def all_runs(self, entry: LoadedProtocol) -> list[LoadedRun]:
        """Give the runs of a protocol, and after them those whose names an upload has taken."""
        found = [
            LoadedRun(run.run_sha256, run.name, self, entry, sample=run)
            for run in (entry.sample.runs if entry.sample else ())
        ]
        kept = self._workspace.runs(entry.protocol.compact_sha256)
        found += [LoadedRun(each.run_sha256, each.label, self, entry, each) for each in kept]
        return sorted(found, key=lambda run: run.replaced)

    def add_run(self, entry: LoadedProtocol, run: Run, received: Run | None = None) -> LoadedRun:
        """Score a run and take it; what its file or its name stood for before gives way.

        Args:
            entry: the protocol.
            run: the run of documents.
            received: the chunk run that it was made from, whose map has been added.

        Raises:
            RunError: the protocol refuses it.

        """
        if entry.sample and run.name in {each.name for each in entry.sample.runs}:
            run = replace(run, name=f"{run.name} (uploaded)")
        self._reports.get((entry.protocol.compact_sha256, run.run_sha256), lambda: self._scored(entry, run))
        self._keep_sample(entry)
        kept = self._workspace.add_run(entry.protocol.compact_sha256, run, received.rankings if received else None)
        return LoadedRun(kept.run_sha256, kept.label, self, entry, kept)

    def refuse_file(self, entry: LoadedProtocol, file: str, name: str) -> None:
        """Take their names from the runs that a refused file, or its name, stood for before."""
        self._workspace.replace_runs(entry.protocol.compact_sha256, source=file, labels=(name, f"{name} (uploaded)"))

    def rename_run(self, run: LoadedRun, name: str) -> None:
        """Call a run by another name; a sample run keeps its own."""
        if run.kept is not None:
            self._workspace.rename_run(run.kept.id, name)

    def describe_run(self, run: LoadedRun, system: Mapping[str, Any]) -> None:
        """Record what made a run."""
        if run.kept is not None:
            self._workspace.describe_run(run.kept.id, system)

    def remove_run(self, run: LoadedRun) -> None:
        """Let go of a run; those of a sample stay."""
        if run.kept is not None:
            self._workspace.remove_run(run.kept.id)

    def read_run(self, run: LoadedRun) -> Run:
        """Read a run as documents, from its chunks where it was made from such."""
        if run.kept is None:
            assert run.sample is not None
            return run.sample
        kept = run.kept
        if kept.adapter_sha256 is None:
            rankings = self._rankings(kept.received_sha256)
        else:
            made_with = (kept.received_sha256, kept.adapter_sha256, kept.budget)
            rankings = self._objects.get(("collapsed", *made_with), lambda: self._collapsed(run.entry, kept))
        return recorded_run(rankings, run.name, kept.record, kept.origin)

    def report(self, run: LoadedRun) -> Report:
        """Score a run; the same rankings are scored once, whatever they are called."""
        return self._reports.get((run.entry.protocol.compact_sha256, run.key), lambda: self._scored(run.entry, run.run))

    def _scored(self, entry: LoadedProtocol, run: Run) -> Report:
        """Score a run, and remember that its split was looked at; the samples are for looking at."""
        report = score(entry.protocol, run)
        if entry.sample is None:
            try:
                self.ledger.record_exposure(entry.protocol.compact_sha256, entry.protocol.split, [run.run_sha256])
            except WorkspaceError as error:
                self.damaged[entry.name] = error
        return report

    def exposure(self, entry: LoadedProtocol) -> SplitExposure | None:
        """Say with how many runs a protocol's split was looked at, and since when; None for one that was not."""
        found = self.ledger.exposures(entry.protocol.compact_sha256)
        return next((each for each in found if each.split == entry.protocol.split), None)

    # Reviews.

    def begin_round(self, a: LoadedRun, b: LoadedRun, **about: Any) -> Round:
        """Make a review round of two runs of a protocol; `about` is what `Reviews.create_round` asks for besides.

        Raises:
            WorkspaceError: the round is none, or it cannot be written.

        """
        self._keep_sample(a.entry)
        sides = [ReviewedRun(run.key, run.name, run.kept.id if run.kept else None) for run in (a, b)]
        return self.reviews.create_round(
            compact_sha256=a.entry.protocol.compact_sha256, baseline=sides[0], candidate=sides[1], **about
        )

    def reviewed(self, found: Round) -> tuple[LoadedProtocol, LoadedRun, LoadedRun] | None:
        """Give the protocol of a round and its two runs; None where one of them is no longer here."""
        entry = next((each for each in self.protocols() if each.protocol.compact_sha256 == found.compact_sha256), None)
        if entry is None:
            return None
        runs = {run.key: run for run in self.all_runs(entry)}
        a, b = (runs.get(each.run_sha256) for each in (found.baseline, found.candidate))
        return None if a is None or b is None else (entry, a, b)

    def _collapsed(self, entry: LoadedProtocol, kept: KeptRun) -> dict[str, list[str]]:
        assert kept.adapter_sha256 is not None
        chunk_run = Run(self._rankings(kept.received_sha256))
        _, adapted = collapse_run(entry.protocol, chunk_run, self._map(kept.adapter_sha256), kept.budget)
        return adapted.document_runs

    def _rankings(self, received_sha256: str) -> dict[str, list[str]]:
        return self._objects.get(("rankings", received_sha256), lambda: self._workspace.rankings(received_sha256))

    def _keep_sample(self, entry: LoadedProtocol) -> None:
        """Write a sample's protocol into the workspace, where what was added to it needs it."""
        if entry.sample is not None:
            self._workspace.add_protocol(entry.name, entry.protocol)

    # Chunks.

    def chunk_maps(self, entry: LoadedProtocol) -> dict[str, LoadedMap]:
        """Give the chunk maps of a protocol by name, in the order in which they came."""
        found: dict[str, LoadedMap] = {}
        if entry.sample is not None:
            found[SAMPLE_MAP] = self._sample_map(entry.sample)
        for kept in self._workspace.chunk_maps(entry.protocol.compact_sha256):
            found[kept.label] = LoadedMap(kept.adapter_sha256, kept.label, self._map(kept.adapter_sha256))
        return found

    def add_chunk_map(self, entry: LoadedProtocol, name: str, chunk_map: Mapping[str, str]) -> str:
        """Check a chunk map against a protocol's corpus, take it, and give its fingerprint; one of its name gives way.

        Raises:
            ChunkError: it points outside the corpus.

        """
        compact, protocol = entry.protocol.compact_sha256, entry.protocol
        self._workspace.forget_map(compact, name)
        adapted = adapt_runs(protocol.corpus, protocol.queries, chunk_map, {}, protocol.split)
        self._keep_sample(entry)
        self._workspace.add_chunk_map(compact, name, adapted.adapter_sha256, chunk_map)
        return adapted.adapter_sha256

    def rename_map(self, entry: LoadedProtocol, chunk_map: LoadedMap, name: str) -> None:
        """Call a chunk map by another name; a sample's keeps its own."""
        if not chunk_map.sample:
            self._workspace.rename_map(entry.protocol.compact_sha256, chunk_map.name, name)

    def remove_map(self, entry: LoadedProtocol, chunk_map: LoadedMap) -> None:
        """Let go of a chunk map; runs that were made with it stay what they are, and a sample's own stays."""
        if not chunk_map.sample:
            self._workspace.remove_map(entry.protocol.compact_sha256, chunk_map.name)

    def refuse_map(self, entry: LoadedProtocol, name: str) -> None:
        """Take its name from the chunk map that had the name of a refused one."""
        self._workspace.forget_map(entry.protocol.compact_sha256, name)

    def add_chunk_run(
        self, entry: LoadedProtocol, chunk_run: Run, chunk_map: LoadedMap, budget: int | None, name: str
    ) -> LoadedRun:
        """Check a chunk run, collapse it under a budget, score it and take it under a name.

        Raises:
            ChunkError: the chunk run or the budget breaks a rule.

        """
        collapsed, _ = collapse_run(entry.protocol, chunk_run, chunk_map.chunk_to_doc, budget)
        self._keep_sample(entry)
        self._workspace.add_chunk_map(entry.protocol.compact_sha256, None, chunk_map.key, chunk_map.chunk_to_doc)
        return self.add_run(entry, replace(collapsed, name=name), chunk_run)

    def chunk_runs(self, entry: LoadedProtocol) -> list[LoadedChunkRun]:
        """Give the chunk runs of a protocol as they were received, in the order in which they came."""
        found: dict[tuple[str, str], LoadedChunkRun] = {}
        if entry.sample is not None:
            own = self._sample_map(entry.sample)
            for run in entry.sample.chunk_runs:
                found[run.run_sha256, own.key] = LoadedChunkRun(run.run_sha256, run.name, run, own)
        for each in self._workspace.runs(entry.protocol.compact_sha256):
            if each.adapter_sha256 is not None and not each.replaced:
                chunk_map = LoadedMap(each.adapter_sha256, each.adapter_sha256[:8], self._map(each.adapter_sha256))
                # Its label tells the budget as well; what was received has the name of its file.
                source = source_of(each.record)
                name = each.label if source is None else Source(source, b"").stem
                run = recorded_run(self._rankings(each.received_sha256), name, each.record, None)
                found.setdefault(
                    (each.received_sha256, each.adapter_sha256),
                    LoadedChunkRun(each.received_sha256, name, run, chunk_map),
                )
        return list(found.values())

    def received(self, entry: LoadedProtocol, run: Run) -> LoadedChunkRun | None:
        """Find the chunk run that a run was collapsed from; None for a run of documents."""
        origin = run.from_chunks
        wanted = (origin.chunk_run_sha256, origin.adapter_sha256) if origin else None
        return next((each for each in self.chunk_runs(entry) if (each.key, each.chunk_map.key) == wanted), None)

    def _map(self, key: str) -> dict[str, str]:
        return self._objects.get(("map", key), lambda: self._workspace.chunk_map(key))

    def _sample_map(self, sample: SampleSet) -> LoadedMap:
        key = self._objects.get(("sample-map", sample.name), lambda: adapter_sha256(sample.chunk_map))
        return LoadedMap(key, SAMPLE_MAP, sample.chunk_map, sample=True)


_COLLECT_AFTER = 100_000
"""How many new objects Python's collector of cycles waits for.  Rankings and reports are millions of objects without a
cycle; with its usual 700 the collector takes two fifths of the time in which ten runs are read and scored."""


@cache
def library() -> Library:
    """Give the one library of this server: the sample data, and the workspace that the server was started with."""
    gc.set_threshold(_COLLECT_AFTER, *gc.get_threshold()[1:])
    return Library(Workspace(default_workspace()), sample_sets())

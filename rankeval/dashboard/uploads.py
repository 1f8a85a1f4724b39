"""What becomes of uploaded files: each is accepted as a whole, or refused as a whole with a reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from rankeval.core.about import proposed
from rankeval.core.contract import ContractError
from rankeval.core.protocol import Protocol
from rankeval.core.scoring import denominator
from rankeval.dashboard.language import Later, later, later_n
from rankeval.dashboard.library import Library, LoadedProtocol, LoadedRun
from rankeval.dashboard.remedies import asked
from rankeval.formats import (
    Declared,
    Ordering,
    Reading,
    Source,
    read_chunk_map,
    read_collection,
    read_protocol,
    read_run,
)
from rankeval.formats.catalogue import refusal
from rankeval.formats.templates import refused_run
from rankeval.workspace import WorkspaceError

PARTS = ("corpus", "queries", "qrels")


File = tuple[str, bytes]
"""A file's name and its content."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What is said of a protocol source beside the source itself; None and empty where nothing is."""

    split: str | None = None
    k: int | None = None
    declared: Declared = field(default_factory=Declared)


@dataclass(frozen=True, slots=True)
class Question:
    """A protocol source that leaves split or k open, kept until somebody says them.

    Attributes:
        files: what was uploaded, so that it need not be uploaded again.
        settings: what was said of it already.
        in_order: as for `load_protocol`.

    """

    files: tuple[File, ...] = field(repr=False)
    settings: Settings
    in_order: bool


@dataclass(frozen=True, slots=True)
class Card:
    """What became of one file.

    Attributes:
        kind: `protocol`, `run` or `chunk map`.
        file: the file's name.
        facts: what was accepted, a clause each, said in the language of whoever reads it; empty where it was refused.
        key: the fingerprint of what was accepted; empty where it was refused.
        refused: why; None where it was accepted.
        question: what is asked, where the source only leaves something open.

    """

    kind: str
    file: str
    facts: tuple[str, ...] = ()
    key: str = ""
    refused: ContractError | None = None
    question: Question | None = None


def load_protocols(
    library: Library, files: Sequence[File], settings: Settings
) -> tuple[list[Card], LoadedProtocol | None]:
    """Load files as protocols, each on its own, unless their names say that they are parts of one.

    Returns:
        a card for each, the last first, and the protocol that was accepted last.

    """
    if len(files) > 1 and all(any(part in name.casefold() for part in PARTS) for name, _ in files):
        card, entry = load_protocol(library, files, settings)
        return [card], entry
    cards: list[Card] = []
    accepted = None
    for file in files:
        card, entry = load_protocol(library, [file], settings)
        cards.insert(0, card)
        accepted = entry or accepted
    return cards, accepted


def load_protocol(
    library: Library, files: Sequence[File], settings: Settings, *, in_order: bool = False
) -> tuple[Card, LoadedProtocol | None]:
    """Load a protocol from one file, or from corpus, queries and judgments in three.

    Args:
        library: where it goes.
        files: the file or files.
        settings: what is said beside them.
        in_order: whether three files are corpus, queries and judgments in this order, whatever they are called.

    """
    name = ", ".join(file for file, _ in files)
    split, k, declared = settings.split, settings.k, settings.declared
    called = Source(files[0][0], b"").stem if len(files) == 1 else name
    try:
        sources = [Source.upload(file, content) for file, content in files]
        if len(sources) == 1:
            protocol = read_protocol(sources[0], split=split, k=k, declared=declared)
        else:
            corpus, queries, qrels = sources if in_order else _parts(sources)
            protocol = read_collection(corpus, queries, qrels, split=split, k=k, declared=declared)
        return _accept(library, protocol, name, called)
    except WorkspaceError as error:
        return Card("protocol", name, refused=error), None
    except ContractError as error:
        if asked(error):
            return Card("protocol", name, refused=error, question=Question(tuple(files), settings, in_order)), None
        _take_name(library, called, None)
        return Card("protocol", name, refused=error), None


def answer(
    library: Library, question: Question, split: str | None, k: int | None
) -> tuple[Card, LoadedProtocol | None]:
    """Load a source again that left something open, with what was said since."""
    settings = replace(question.settings, split=split, k=k)
    return load_protocol(library, question.files, settings, in_order=question.in_order)


def freeze_again(
    library: Library, entry: LoadedProtocol, split: str, k: int, *, with_runs: bool
) -> tuple[Card, LoadedProtocol]:
    """Freeze the collection and judgments of a protocol with another split or cut-off: a protocol of its own.

    Args:
        library: where both are.
        entry: the protocol that is there already.
        split: one of its queries' splits.
        k: the document cut-off.
        with_runs: whether its runs are scored on the new one too, those that the split does not refuse.

    """
    again = entry.protocol.with_split_and_k(split, k)
    card, other = _accept(library, again, entry.name, entry.name)
    if not with_runs or other.key == entry.key:
        return card, other
    carried = sum(_carry(library, run, other) for run in library.runs(entry))
    fact = later_n("{count} run scored on it too", "{count} runs scored on it too", carried)
    return replace(card, facts=(*card.facts, fact)), other


def _carry(library: Library, run: LoadedRun, other: LoadedProtocol) -> bool:
    """Score a run on another protocol too, and say whether that took it: it refuses queries of another split."""
    if run.name in {each.name for each in library.runs(other)}:
        return False
    received = library.received(run.entry, run.run)
    origin = run.run.from_chunks
    try:
        if received is None or origin is None:
            library.add_run(other, run.run)
        else:
            library.add_chunk_run(other, received.run, received.chunk_map, origin.budget, run.name)
    except ContractError:
        return False
    return True


def _accept(library: Library, protocol: Protocol, file: str, called: str) -> tuple[Card, LoadedProtocol]:
    """Take a protocol under a name, which one of another collection then loses, and say what it holds."""
    _take_name(library, called, protocol)
    entry = library.add_protocol(called, protocol)
    if entry.name == _earlier(called, entry):
        library.rename_protocol(entry, called)
        entry = replace(entry, name=called)
    relevant = sum(map(len, protocol.relevant.values()))
    facts = [
        later_n("{count} document", "{count} documents", len(protocol.corpus)),
        later_n(
            "{count} query, {inside} of them in split {split!r}",
            "{count} queries, {inside} of them in split {split!r}",
            len(protocol.queries),
            inside=len(protocol.split_queries),
            split=protocol.split,
        ),
        f"k = {protocol.k}",
        later_n("{count} relevant pair", "{count} relevant pairs", relevant),
        *(later("declared: {declaration}", declaration=each) for each in protocol.provenance.declarations),
        *(Later(partial(proposed, each)) for each in protocol.provenance.proposals),
        *protocol.provenance.notes,
    ]
    return Card("protocol", file, tuple(facts), entry.key), entry


def _take_name(library: Library, name: str, given: Protocol | None) -> None:
    """Take a name from the protocols that have it and that an upload has replaced, or tried to.

    The same collection with another split or cut-off is not replaced: both keep the name, and stand side by side.
    """
    for entry in library.protocols():
        if entry.sample is None and entry.name == name and not (given and _same_collection(entry.protocol, given)):
            library.rename_protocol(entry, _earlier(name, entry))


def _earlier(name: str, entry: LoadedProtocol) -> str:
    """Give the name of a protocol whose own an upload has taken; it is the same in every language."""
    return f"{name} (earlier, {entry.key[:8]})"


def _same_collection(one: Protocol, other: Protocol) -> bool:
    return (one.relevant, one.queries, one.corpus) == (other.relevant, other.queries, other.corpus)


def load_run(
    library: Library,
    entry: LoadedProtocol,
    file: File,
    ordering: Ordering,
    chunk_map: str | None = None,
    budget: int | None = None,
) -> Card:
    """Load a run onto a protocol; with a chunk map, a chunk run that is collapsed first."""
    name, content = file
    try:
        run = read_run(Source.upload(name, content), ordering=ordering)
        if chunk_map is None:
            loaded = library.add_run(entry, run)
        else:
            named = f"{run.name}, {chunks_taken(budget)}"
            own = library.chunk_maps(entry).get(chunk_map)
            if own is None:
                # Somebody has renamed or removed it since the page was drawn.
                detail = f"{chunk_map}: there is no chunk map of this name any more"
                raise refusal(Reading.OPTION, detail=detail)
            loaded = library.add_chunk_run(entry, run, own, budget, named)
    except ContractError as error:
        library.refuse_file(entry, name, Source(name, b"").stem)
        return Card("run", name, refused=error)
    run = loaded.run
    facts = [
        later("loaded as {name!r}, since the sample has that name", name=loaded.name)
        if loaded.name.endswith("(uploaded)")
        else later("loaded as {name!r}", name=loaded.name),
        later_n("{count} query answered", "{count} queries answered", len(run.rankings)),
        Later(denominator(loaded.report).sentence),
        *(later("declared: {declaration}", declaration=each) for each in run.declarations),
        *run.notes,
    ]
    twins = [each.name for each in library.runs(entry) if each.key == loaded.key and each.name != loaded.name]
    if twins:
        facts += [later("the same rankings as {name!r}", name=name) for name in twins]
    if run.from_chunks and not run.from_chunks.budget_is_known:
        facts.append(later("collapsed from chunks, budget not stated"))
    elif run.from_chunks and run.from_chunks.budget is None:
        facts.append(later("collapsed from chunks, all chunks of each query"))
    elif run.from_chunks and run.from_chunks.budget is not None:
        facts.append(
            later_n(
                "collapsed from chunks, first {count} chunk of each query",
                "collapsed from chunks, first {count} chunks of each query",
                run.from_chunks.budget,
            )
        )
    return Card("run", name, tuple(facts), loaded.key)


def refused_example(library: Library, entry: LoadedProtocol) -> Card:
    """Load a run that is wrong on purpose; a card is all that it leaves."""
    example = refused_run(entry.protocol)
    return load_run(library, entry, (example.name, example.content), Ordering())


def chunks_taken(budget: int | None) -> str:
    """Say in a run's name, which is the same in every language, how many chunks of each query it was made from.

    >>> chunks_taken(1), chunks_taken(2), chunks_taken(None)
    ('first 1 chunk', 'first 2 chunks', 'all chunks')
    """
    return "all chunks" if budget is None else f"first {budget} chunk{'' if budget == 1 else 's'}"


def load_chunk_map(library: Library, entry: LoadedProtocol, file: File) -> Card:
    """Load a chunk map onto a protocol."""
    name, content = file
    source = Source(name, content)
    try:
        chunk_map = read_chunk_map(Source.upload(name, content))
        key = library.add_chunk_map(entry, source.stem, chunk_map)
    except ContractError as error:
        library.refuse_map(entry, source.stem)
        return Card("chunk map", name, refused=error)
    fact = later_n(
        "{count} chunk of {documents} documents",
        "{count} chunks of {documents} documents",
        len(chunk_map),
        documents=len(set(chunk_map.values())),
    )
    return Card("chunk map", name, (fact,), key)


def _parts(sources: Sequence[Source]) -> tuple[Source, Source, Source]:
    """Tell corpus, queries and judgments apart by their names, since a table of texts could be either of two.

    Raises:
        FormatError: the three are not there, or their names do not say which is which.

    """
    found = {part: [source for source in sources if part in source.name.casefold()] for part in PARTS}
    if len(sources) != len(PARTS) or any(len(each) != 1 for each in found.values()):
        there = ", ".join(source.name for source in sources)
        detail = f"{there}: files apart must be three, whose names say corpus, queries and qrels"
        raise refusal(Reading.OPTION, detail=detail)
    return found["corpus"][0], found["queries"][0], found["qrels"][0]

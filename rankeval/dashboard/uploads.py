"""What becomes of uploaded files: each is accepted as a whole, or refused as a whole with a reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rankeval.core.chunks import collapse_run
from rankeval.core.contract import ContractError
from rankeval.core.scoring import denominator
from rankeval.dashboard.library import Library, LoadedProtocol
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

PARTS = ("corpus", "queries", "qrels")


@dataclass(frozen=True, slots=True)
class Card:
    """What became of one file.

    Attributes:
        kind: `protocol`, `run` or `chunk map`.
        file: the file's name.
        facts: what was accepted, a clause each; empty where it was refused.
        key: the fingerprint of what was accepted; empty where it was refused.
        refused: why; None where it was accepted.

    """

    kind: str
    file: str
    facts: tuple[str, ...] = ()
    key: str = ""
    refused: ContractError | None = None


def load_protocol(
    library: Library, files: Sequence[tuple[str, bytes]], split: str | None, k: int | None, declared: Declared
) -> tuple[Card, LoadedProtocol | None]:
    """Load a protocol from one file, or from corpus, queries and judgments in three."""
    name = ", ".join(file for file, _ in files)
    try:
        sources = [Source.upload(file, content) for file, content in files]
        if len(sources) == 1:
            protocol = read_protocol(sources[0], split=split, k=k, declared=declared)
        else:
            corpus, queries, qrels = _parts(sources)
            protocol = read_collection(corpus, queries, qrels, split=split, k=k, declared=declared)
        entry = library.add_protocol(sources[0].stem if len(sources) == 1 else name, protocol)
    except ContractError as error:
        return Card("protocol", name, refused=error), None
    facts = [
        f"{len(protocol.corpus)} documents",
        f"{len(protocol.queries)} queries, {len(protocol.split_queries)} of them in split {protocol.split!r}",
        f"k = {protocol.k}",
        f"{sum(map(len, protocol.relevant.values()))} relevant pairs",
        *(f"declared: {each}" for each in protocol.provenance.declarations),
        *protocol.provenance.notes,
    ]
    return Card("protocol", name, tuple(facts), entry.key), entry


def load_run(
    library: Library,
    entry: LoadedProtocol,
    file: tuple[str, bytes],
    ordering: Ordering,
    chunk_map: str | None = None,
    budget: int | None = None,
) -> Card:
    """Load a run onto a protocol; with a chunk map, a chunk run that is collapsed first."""
    name, content = file
    try:
        run = read_run(Source.upload(name, content), ordering=ordering)
        if chunk_map is not None:
            run, _ = collapse_run(entry.protocol, run, entry.chunk_maps[chunk_map], budget)
        loaded = library.add_run(entry, run)
    except ContractError as error:
        library.drop_run(entry, Source(name, b"").stem)
        return Card("run", name, refused=error)
    facts = [
        f"loaded as {run.name!r}",
        f"{len(run.rankings)} queries answered",
        str(denominator(loaded.report)),
        *(f"declared: {each}" for each in run.declarations),
        *run.notes,
    ]
    if run.from_chunks:
        facts.append(f"collapsed from chunks, {run.from_chunks.budget or 'all received'} chunks a query")
    return Card("run", name, tuple(facts), loaded.key)


def load_chunk_map(library: Library, entry: LoadedProtocol, file: tuple[str, bytes]) -> Card:
    """Load a chunk map onto a protocol."""
    name, content = file
    source = Source(name, content)
    try:
        chunk_map = read_chunk_map(Source.upload(name, content))
        key = library.add_chunk_map(entry, source.stem, chunk_map)
    except ContractError as error:
        return Card("chunk map", name, refused=error)
    documents = len(set(chunk_map.values()))
    return Card("chunk map", name, (f"{len(chunk_map)} chunks of {documents} documents",), key)


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

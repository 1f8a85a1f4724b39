"""A protocol to be read: what a search finds of its documents and queries, a page at a time, and its judgment grid.

Large protocols have tens of thousands of documents, of which a page sends a browser only what it shows.  What takes
long is made once for all visitors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rankeval.core import fingerprint
from rankeval.core.about import document_text
from rankeval.core.protocol import Protocol
from rankeval.dashboard.library import LoadedProtocol
from rankeval.dashboard.once import Once

ROWS = 100
"""How many documents or queries stand on a page."""

GRID_ROWS = 25
"""How many queries stand on a page of the judgment grid."""

GRID_COLUMNS = 120
"""How many documents stand in the judgment grid at most."""

_made = Once(200)


@dataclass(frozen=True, slots=True)
class Page:
    """A part of what a search found.

    Attributes:
        ids: the IDs on this page.
        found: how many there are on all pages.
        number: which page it is, from 1.
        pages: how many there are, at least 1.

    """

    ids: tuple[str, ...]
    found: int
    number: int
    pages: int


@dataclass(frozen=True, slots=True)
class Grid:
    """Queries against documents.

    Attributes:
        queries: the queries, a row each.
        documents: the documents, a column each: all of the corpus, or those relevant to any of the queries, the first
            query's first, so that what is relevant stands together.
        others: how many documents have no column and are relevant to none of the queries.
        cut_off: how many documents have no column although they are relevant to one of the queries.

    """

    queries: tuple[str, ...]
    documents: tuple[str, ...]
    others: int
    cut_off: int


@dataclass(frozen=True, slots=True)
class Recomputed:
    """Both fingerprints of a protocol, computed again from what is loaded.

    Attributes:
        key: the fingerprint over every judgment that it is known by.
        protocol_sha256: the same, computed.
        compact_sha256: the fingerprint over the relevant documents, computed.
        holds: whether both are what they were said to be.

    """

    key: str
    protocol_sha256: str
    compact_sha256: str
    holds: bool


def page_of(ids: Sequence[str], number: int, rows: int = ROWS) -> Page:
    """Give a page of what was found; a number past the last page gives the last.

    >>> page_of(["a", "b", "c"], 9, 2)
    Page(ids=('c',), found=3, number=2, pages=2)
    """
    pages = max(1, -(-len(ids) // rows))
    number = min(max(1, number), pages)
    return Page(tuple(ids[(number - 1) * rows : number * rows]), len(ids), number, pages)


def found_documents(protocol: Protocol, search: str) -> tuple[str, ...]:
    """Find documents whose ID or text has every word of a search, in the protocol's order; case does not count."""
    texts = _made.get(
        ("documents", protocol.compact_sha256),
        lambda: {each: f"{each}\n{document_text(value)}".casefold() for each, value in protocol.corpus.items()},
    )
    return _made.get(("found", protocol.compact_sha256, "documents", search), lambda: _matching(texts, search))


def found_queries(protocol: Protocol, search: str, split: str | None) -> tuple[str, ...]:
    """Find queries of a split, or of all for None, by ID, text or other metadata, in the protocol's order."""

    def find() -> tuple[str, ...]:
        texts = {
            query: "\n".join([query, *map(str, metadata.values())]).casefold()
            for query, metadata in protocol.queries.items()
            if split is None or metadata["split"] == split
        }
        return _matching(texts, search)

    return _made.get(("found", protocol.compact_sha256, "queries", search, split), find)


def splits(protocol: Protocol) -> list[str]:
    """Give the splits that queries of a protocol have, the one that is scored first."""
    return list(dict.fromkeys([protocol.split, *(metadata["split"] for metadata in protocol.queries.values())]))


def metadata_fields(protocol: Protocol) -> list[str]:
    """Give what queries carry beside text and split."""
    fields = dict.fromkeys(field for metadata in protocol.queries.values() for field in metadata)
    return [field for field in fields if field not in {"text", "split"}]


def relevant_to(protocol: Protocol) -> Mapping[str, tuple[str, ...]]:
    """Give, for every document that is relevant to any query, those queries in the protocol's order."""

    def invert() -> dict[str, tuple[str, ...]]:
        queries: dict[str, list[str]] = {}
        for query in protocol.queries:
            for document in protocol.relevant[query]:
                queries.setdefault(document, []).append(query)
        return {document: tuple(own) for document, own in queries.items()}

    return _made.get(("relevant-to", protocol.compact_sha256), invert)


def relevant_of(protocol: Protocol, query: str) -> list[str]:
    """Give the relevant documents of a query in the protocol's order."""
    own = protocol.relevant[query]
    places: dict[str, int] = _made.get(
        ("places", protocol.compact_sha256), lambda: {each: place for place, each in enumerate(protocol.corpus)}
    )
    return sorted(own, key=places.__getitem__)


def grid_of(protocol: Protocol, queries: Sequence[str]) -> Grid:
    """Choose the columns of a grid: the whole corpus where it fits, else what is relevant to any of its queries.

    >>> corpus = {f"d{i}": "" for i in range(200)}
    >>> protocol = Protocol.from_relevant(corpus, {"q": {"split": "test"}}, {"q": ["d150", "d2"]}, "test", 1)
    >>> grid_of(protocol, ["q"])
    Grid(queries=('q',), documents=('d2', 'd150'), others=198, cut_off=0)
    """
    if len(protocol.corpus) <= GRID_COLUMNS:
        return Grid(tuple(queries), tuple(protocol.corpus), 0, 0)
    documents = list(dict.fromkeys(document for query in queries for document in relevant_of(protocol, query)))
    shown = documents[:GRID_COLUMNS]
    return Grid(tuple(queries), tuple(shown), len(protocol.corpus) - len(documents), len(documents) - len(shown))


def disputed(protocol: Protocol, query: str, document: str) -> list[str]:
    """Give the reasons for which the makers of a protocol call a judgment disputed."""
    said = protocol.provenance.statements.get("disputed")
    return [
        str(each.get("reason", ""))
        for each in (said if isinstance(said, list) else [])
        if isinstance(each, Mapping) and (each.get("query"), each.get("document")) == (query, document)
    ]


def recompute(entry: LoadedProtocol, part_done: Callable[[float], object] = lambda _: None) -> Recomputed:
    """Compute both fingerprints again, from every document, query and judgment that is loaded.

    Args:
        entry: the protocol; where its file only stated the full fingerprint, it counts as recomputed from then on.
        part_done: called now and then with the part that is done, from 0 to 1.

    """

    def progress(done: int, of: int) -> None:
        if done * 100 // of != (done - 1) * 100 // of:
            part_done(done / of)

    protocol = entry.protocol
    parts = (protocol.corpus, protocol.queries, protocol.relevant, protocol.split, protocol.k)
    compact = fingerprint.compact_sha256(*parts)
    if protocol.protocol_sha256_verified:
        full = fingerprint.protocol_sha256(*parts, progress)
    else:
        full = protocol.compute_sha256(progress)
    holds = (compact, full) == (protocol.compact_sha256, entry.key)
    return Recomputed(entry.key, full, compact, holds)


def _matching(texts: Mapping[str, str], search: str) -> tuple[str, ...]:
    words: Iterable[str] = search.casefold().split()
    return tuple(each for each, text in texts.items() if all(word in text for word in words))

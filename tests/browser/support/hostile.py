"""A protocol, runs and a chunk run: whatever stands in their IDs and texts looks like markup, a formula or an order."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

import rankeval
from rankeval.core.provenance import Declaration, Provenance
from rankeval.core.review import Finding, Mark, Verdict
from rankeval.dashboard.library import Library, LoadedRun
from rankeval.workspace import Workspace

WORD = (
    "=1+1 <img src=x onerror=window.hacked=1> [a](javascript:alert(1)) ![i](http://example.org/i.png) $x$ :red[x]"
    " `c` **b** &lt; \u202eabc\u202c e\u0301\u0323"
)
"""A formula, HTML, all that Markdown knows, an entity, right-to-left and combining characters."""

QUERIES = [f"{number} {WORD}" for number in range(1, 5)]
DOCUMENTS = [f"{letter} {WORD}" for letter in "abcdef"]
BASELINE, CANDIDATE, CHUNKS = f"{WORD} baseline", f"{WORD} candidate", f"{WORD} chunks"
MAP = f"{WORD} map"
ANNOTATORS = [normalize("NFC", f"{WORD} {name}") for name in ("north", "south")]
"""As they are kept, whichever way a keyboard composes its letters."""


@dataclass(frozen=True, slots=True)
class Hostile:
    """Where the collection is kept, and what its addresses need.

    Attributes:
        workspace: the file.
        address: the query string that opens it.
        round: the token of a review round on it, of the query that falls.

    """

    workspace: Path
    address: str
    round: str


def hostile(folder: Path) -> Hostile:
    """Put the collection into a workspace: of four queries one is null, one falls, one is missing in the candidate."""
    workspace = folder / "hostile.db"
    library = Library(Workspace(workspace))
    relevant = dict(zip(QUERIES, ([DOCUMENTS[0]], [DOCUMENTS[1]], [DOCUMENTS[2]], []), strict=True))
    protocol = rankeval.Protocol(
        {document: {"title": WORD, "text": f"{WORD} {document}"} for document in DOCUMENTS},
        {query: {"text": query, "split": "test", "group": WORD} for query in QUERIES},
        {query: {document: int(document in found) for document in DOCUMENTS} for query, found in relevant.items()},
        "test",
        2,
        provenance=Provenance(declarations=(Declaration("unlisted-nonrelevant", WORD),)),
    )
    entry = library.add_protocol(WORD, protocol)
    a, b, c, d, *_ = DOCUMENTS
    runs = {
        BASELINE: {QUERIES[0]: [a, b], QUERIES[1]: [b, a], QUERIES[2]: [c], QUERIES[3]: [d]},
        CANDIDATE: {QUERIES[0]: [b, a], QUERIES[1]: [a, c, b], QUERIES[3]: [d, a]},
    }
    kept = [library.add_run(entry, rankeval.Run(run, name, system={"model": WORD})) for name, run in runs.items()]
    chunk_to_doc = {f"{document} {part}": document for document in DOCUMENTS for part in "xy"}
    library.add_chunk_map(entry, MAP, chunk_to_doc)
    chunks = {query: [f"{d} x", f"{d} y", f"{a} x", f"{b} y"] for query in QUERIES}
    own = library.chunk_maps(entry)[MAP]
    library.add_chunk_run(entry, rankeval.Run(chunks, CHUNKS), own, None, CHUNKS)
    first, second = (run.key[:12] for run in kept)
    return Hostile(workspace, f"protocol={entry.key[:12]}&a={first}&b={second}", _reviewed(library, *kept))


def _reviewed(library: Library, a: LoadedRun, b: LoadedRun) -> str:
    """Make a review round in which two annotators differ and one disputes a judgment, and that is decided."""
    query = QUERIES[1]
    made = library.begin_round(
        a, b, name=WORD, statuses=["regression"], queries=[query], guidelines=WORD, annotators_per_query=3, blind=True
    )
    for name, verdict in zip(ANNOTATORS, (Verdict.EQUAL, Verdict.JUDGMENT_WRONG), strict=True):
        who = library.reviews.join(made.token, name)
        marks = {DOCUMENTS[2]: Mark.RELEVANT} if verdict is Verdict.JUDGMENT_WRONG else {}
        library.reviews.save_verdict(made.token, who.id, query, verdict, note=f"{name} notes", marks=marks)
    library.reviews.adjudicate(made.token, query, Finding.EQUAL, reason=WORD, who=f"{WORD} lead")
    return made.token

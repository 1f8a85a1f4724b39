"""Files to start from: the smallest that are accepted, in every family of formats, and one that is refused on purpose.

They belong together: every protocol source is one and the same protocol, every run and chunk map fits it, and the two
runs differ, so that whoever loads a few of them has something to compare.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from rankeval.core.language import mark
from rankeval.core.protocol import Protocol

Place = Literal["protocol", "run", "chunk map"]
"""Where a file goes: within each place its format is told by content."""


@dataclass(frozen=True, slots=True)
class FileTemplate:
    """A file to start from.

    Attributes:
        place: where it goes.
        name: what it is called.
        content: its bytes.
        says: what it shows, in one sentence, which is marked for the catalogues.

    """

    place: Place
    name: str
    content: bytes
    says: str


K = 2
"""The document cut-off to give with the sources that have none."""

_CORPUS = (
    ("d1", "Opening hours", "The museum is open from 10 to 18, on Thursdays until 20."),
    ("d2", "Prices", "A visit is 5 euros; under 18 it is free."),
    ("d3", "How to find us", "Take tram 4 to the old harbour."),
)
_QUERIES = (
    ("q1", "When can I visit the museum?", "test"),
    ("q2", "What does a visit cost for a family?", "test"),
    ("q3", "Is there a car park?", "test"),
)
_RELEVANT = {("q1", "d1"), ("q2", "d2")}
_QRELS = tuple(
    (query, document, int((query, document) in _RELEVANT)) for query, *_ in _QUERIES for document, *_ in _CORPUS
)

_FIRST = {"q1": ["d1", "d3"], "q2": ["d3", "d2"], "q3": ["d3"]}
_SECOND = {"q1": ["d3", "d1"], "q2": ["d2", "d1"], "q3": []}

_CHUNKS = {"d1-a": "d1", "d1-b": "d1", "d2-a": "d2", "d3-a": "d3"}
_CHUNK_RUN = {"q1": ["d1-b", "d1-a", "d3-a"], "q2": ["d3-a", "d2-a"], "q3": ["d3-a"]}


def protocol_templates() -> tuple[FileTemplate, ...]:
    """Give sources of a protocol; three that are called corpus, queries and qrels go together."""
    return (
        FileTemplate(
            "protocol",
            "protocol.json",
            _json(
                {
                    "corpus": {key: {"title": title, "text": text} for key, title, text in _CORPUS},
                    "queries": {key: {"text": text, "split": split} for key, text, split in _QUERIES},
                    "qrels": {
                        query: {document: label for own, document, label in _QRELS if own == query}
                        for query, *_ in _QUERIES
                    },
                    "split": "test",
                    "k": K,
                }
            ),
            mark("A whole protocol in one JSON file: documents, queries, a judgment of every pair, split and k."),
        ),
        FileTemplate(
            "protocol",
            "beir.zip",
            _zip(
                {
                    "corpus.jsonl": _corpus_lines(),
                    "queries.jsonl": _lines({"_id": key, "text": text} for key, text, _ in _QUERIES),
                    "qrels/test.tsv": _table(("query-id", "corpus-id", "score"), _QRELS, "\t"),
                }
            ),
            mark("A BEIR folder as a zip file; the name of the judgments is the split, and k is asked for."),
        ),
        FileTemplate(
            "protocol",
            "corpus.jsonl",
            _corpus_lines(),
            mark("Documents, one JSON object a line; it goes together with queries.jsonl and qrels.trec."),
        ),
        FileTemplate(
            "protocol",
            "queries.jsonl",
            _lines({"_id": key, "text": text, "split": split} for key, text, split in _QUERIES),
            mark("Queries, one JSON object a line, each with its split; k is asked for."),
        ),
        FileTemplate(
            "protocol",
            "qrels.trec",
            "".join(f"{query} 0 {document} {label}\n" for query, document, label in _QRELS).encode(),
            mark("Judgments as TREC has them: query, a word that nobody reads, document, label 0 or 1."),
        ),
        FileTemplate(
            "protocol",
            "corpus.csv",
            _table(("doc_id", "title", "text"), _CORPUS),
            mark("Documents as a table; it goes together with queries.csv and qrels.csv."),
        ),
        FileTemplate(
            "protocol",
            "queries.csv",
            _table(("query_id", "text", "split"), _QUERIES),
            mark("Queries as a table, each with its split; k is asked for."),
        ),
        FileTemplate(
            "protocol",
            "qrels.csv",
            _table(("query_id", "doc_id", "label"), _QRELS),
            mark("Judgments as a table: every query with every document, 1 where it is relevant."),
        ),
    )


def run_templates() -> tuple[FileTemplate, ...]:
    """Give runs: the first system in two formats, the second in two others."""
    return (
        FileTemplate(
            "run",
            "first.json",
            _json(_FIRST),
            mark("The first system, as JSON: the documents of each query, best first."),
        ),
        FileTemplate(
            "run",
            "first.jsonl",
            _lines({"query_id": query, "ranking": ranking} for query, ranking in _FIRST.items()),
            mark("The same, a query a line."),
        ),
        FileTemplate(
            "run",
            "second.json",
            _json(
                {
                    "format": "rankeval-run/1",
                    "name": "second",
                    "system": {"description": "titles before texts", "model": "BM25"},
                    "rankings": _SECOND,
                }
            ),
            mark("The second system, with a name and what is known of it; its empty list says that it found nothing."),
        ),
        FileTemplate(
            "run",
            "second.trec",
            "".join(
                f"{query} Q0 {document} {rank} {10 - rank}.5 second\n"
                for query, ranking in _SECOND.items()
                for rank, document in enumerate(ranking, 1)
            ).encode(),
            mark("The second system as TREC has it; rows cannot say that a list is empty, so q3 is missing here."),
        ),
        FileTemplate(
            "run",
            "second.csv",
            _table(
                ("query_id", "doc_id", "rank"),
                [(query, document, rank) for query, own in _SECOND.items() for rank, document in enumerate(own, 1)],
            ),
            mark("The same as a table with named columns, in any order."),
        ),
        FileTemplate(
            "run",
            "chunk-run.json",
            _json(_CHUNK_RUN),
            mark("A run of chunks, best first; load a chunk map before it."),
        ),
    )


def chunk_map_templates() -> tuple[FileTemplate, ...]:
    """Give chunk maps."""
    return (
        FileTemplate(
            "chunk map", "chunk-map.json", _json(_CHUNKS), mark("Which document each chunk belongs to, as JSON.")
        ),
        FileTemplate(
            "chunk map",
            "chunk-map.csv",
            _table(("chunk_id", "doc_id"), _CHUNKS.items()),
            mark("The same as a table of two columns."),
        ),
    )


def refused_run(protocol: Protocol) -> FileTemplate:
    """Give a run that a protocol refuses, for two reasons: a document twice, and one that its corpus does not hold.

    Args:
        protocol: any protocol, such as that of the sample data.

    """
    document = next(iter(protocol.corpus))
    unknown = "no-such-document"
    while unknown in protocol.corpus:
        unknown += "-either"
    return FileTemplate(
        "run",
        "refused.json",
        _json({protocol.split_queries[0]: [document, document, unknown]}),
        mark("Refused on purpose: one document stands twice, and one is not in the corpus."),
    )


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def _lines(records: Iterable[object]) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def _corpus_lines() -> bytes:
    return _lines({"_id": key, "title": title, "text": text} for key, title, text in _CORPUS)


def _table(header: Sequence[str], rows: Iterable[Sequence[object]], delimiter: str = ",") -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows([header, *rows])
    return text.getvalue().encode()


def _zip(files: dict[str, bytes]) -> bytes:
    """Pack files, dated alike, so that they are packed alike on every day."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)
    return buffer.getvalue()

"""Make collections and runs of a given size on disk, the same ones at every call, for the benchmarks of this folder."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

RELEVANT_PER_QUERY = 2
QUERIES_IN_A_ROW_GROUP = 1_000


@dataclass(frozen=True, slots=True)
class Size:
    """How many queries, documents returned for each, and documents in the corpus."""

    queries: int
    depth: int
    documents: int

    def __str__(self) -> str:
        return f"{self.queries} x {self.depth} over {self.documents}"


SMALL = Size(50, 100, 2_000)
MIDDLE = Size(1_000, 100, 2_000)
LARGE = Size(6_980, 1_000, 200_000)


def query_ids(size: Size) -> list[str]:
    """Give the query IDs, numbers like MS MARCO's."""
    return [str(2 + 151 * i) for i in range(size.queries)]


def document_id(number: int) -> str:
    """Give a document's ID."""
    return f"D{number:07d}"


def write_source(folder: Path, size: Size) -> None:
    """Write `corpus.jsonl`, `queries.jsonl` and `qrels.txt` with the relevant documents alone."""
    chance = random.Random(1)
    folder.mkdir(parents=True, exist_ok=True)
    words = [
        "the",
        "of",
        "and",
        "to",
        "in",
        "a",
        "is",
        "that",
        "for",
        "it",
        "as",
        "was",
        "with",
        "be",
        "by",
        "on",
        "not",
        "he",
        "i",
        "this",
        "are",
        "or",
        "his",
        "from",
        "at",
        "which",
    ]
    with (folder / "corpus.jsonl").open("w", encoding="utf-8") as corpus:
        for number in range(size.documents):
            text = " ".join(chance.choices(words, k=12))
            corpus.write(json.dumps({"_id": document_id(number), "title": f"Passage {number}", "text": text}) + "\n")
    with (folder / "queries.jsonl").open("w", encoding="utf-8") as queries:
        for query in query_ids(size):
            queries.write(json.dumps({"_id": query, "text": f"what is {query}", "split": "test"}) + "\n")
    with (folder / "qrels.txt").open("w", encoding="utf-8") as qrels:
        for query, documents in _relevant(size):
            qrels.writelines(f"{query} 0 {document_id(number)} 1\n" for number in documents)


def rankings(size: Size) -> Iterator[tuple[str, list[str]]]:
    """Give a run query by query: random documents, and a relevant one among them for two queries in three."""
    chance = random.Random(2)
    for place, (query, relevant) in enumerate(_relevant(size)):
        documents = chance.sample(range(size.documents), size.depth)
        if place % 3 and relevant[0] not in documents:
            documents[chance.randrange(min(20, size.depth))] = relevant[0]
        yield query, [document_id(number) for number in documents]


def write_trec_run(file: Path, size: Size) -> None:
    """Write the run as TREC text, with scores as a retriever would print them."""
    with file.open("w", encoding="utf-8") as run:
        for query, documents in rankings(size):
            run.writelines(
                f"{query} Q0 {document} {rank} {30 - 20 * rank / size.depth:.6f} bm25\n"
                for rank, document in enumerate(documents, 1)
            )


def write_json_run(file: Path, size: Size) -> None:
    """Write the run as a JSON object of lists."""
    file.write_text(json.dumps(dict(rankings(size))), encoding="utf-8")


def write_parquet_run(file: Path, size: Size) -> None:
    """Write the run as a Parquet table of query, document and rank."""
    import pyarrow as pa  # noqa: PLC0415 - half a second that the other writers do not owe
    from pyarrow import parquet  # noqa: PLC0415

    schema = pa.schema([("query_id", pa.string()), ("doc_id", pa.string()), ("rank", pa.int32())])
    entries = rankings(size)
    with parquet.ParquetWriter(file, schema) as writer:
        while group := list(islice(entries, QUERIES_IN_A_ROW_GROUP)):
            columns = [
                [query for query, documents in group for _ in documents],
                [document for _, documents in group for document in documents],
                [rank for _, documents in group for rank in range(1, len(documents) + 1)],
            ]
            writer.write_table(pa.table(columns, schema=schema))


def _relevant(size: Size) -> Iterator[tuple[str, list[int]]]:
    chance = random.Random(3)
    for query in query_ids(size):
        yield query, chance.sample(range(size.documents), RELEVANT_PER_QUERY)

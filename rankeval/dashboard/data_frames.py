"""Tables of the Data page as pandas frames."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from rankeval.core.about import BADGES, document_text, need_of
from rankeval.core.protocol import Protocol
from rankeval.core.run import SYSTEM_FIELDS
from rankeval.core.words import decimal
from rankeval.dashboard.language import mark
from rankeval.dashboard.library import LoadedMap, LoadedProtocol, LoadedRun
from rankeval.dashboard.reader import Grid, relevant_to

BEGINNING = 200
"""So many characters of a text stand in a table; the whole of it beside."""

SYSTEM_TITLES = {
    "description": mark("Description"),
    "configuration": mark("Configuration"),
    "model": mark("Model"),
    "index_version": mark("Index version"),
    "filters": mark("Filters"),
    "chunker": mark("Chunker"),
}
"""What the fields of `SYSTEM_FIELDS` are called."""


def runs_frame(runs: Sequence[LoadedRun], prefix: int) -> pd.DataFrame:
    """Give the runs of a protocol with their means, and how much is recorded of what made them."""
    return pd.DataFrame(
        {
            "name": [run.name for run in runs],
            "recall": [decimal(run.report.recall_at_k) for run in runs],
            "mrr": [decimal(run.report.mrr_at_k) for run in runs],
            "missing": [len(run.report.missing_queries) for run in runs],
            "recorded": [
                f"{sum(field in run.run.system for field in SYSTEM_FIELDS)}/{len(SYSTEM_FIELDS)}" for run in runs
            ],
            "file": [run.run.source or "" for run in runs],
            "fingerprint": [run.key[:prefix] for run in runs],
        }
    )


def protocols_frame(entries: Sequence[tuple[str, LoadedProtocol, int]], prefix: int) -> pd.DataFrame:
    """Give every protocol by its name, with its size and how many runs it has."""
    return pd.DataFrame(
        {
            "name": [name for name, _entry, _runs in entries],
            "split": [entry.protocol.split for _name, entry, _runs in entries],
            "k": [entry.protocol.k for _name, entry, _runs in entries],
            "documents": [len(entry.protocol.corpus) for _name, entry, _runs in entries],
            "queries": [len(entry.protocol.split_queries) for _name, entry, _runs in entries],
            "runs": [runs for _name, _entry, runs in entries],
            "fingerprint": [entry.key[:prefix] for _name, entry, _runs in entries],
        }
    )


def maps_frame(maps: Sequence[LoadedMap], prefix: int) -> pd.DataFrame:
    """Give the chunk maps of a protocol."""
    return pd.DataFrame(
        {
            "name": [each.name for each in maps],
            "chunks": [len(each.chunk_to_doc) for each in maps],
            "documents": [len(set(each.chunk_to_doc.values())) for each in maps],
            "fingerprint": [each.key[:prefix] for each in maps],
        }
    )


def documents_frame(protocol: Protocol, documents: Sequence[str]) -> pd.DataFrame:
    """Give documents with the beginning of their text, and to how many queries each is relevant."""
    queries = relevant_to(protocol)
    return pd.DataFrame(
        {
            "document": list(documents),
            "relevant": [len(queries.get(document, ())) for document in documents],
            "text": [document_text(protocol.corpus[document])[:BEGINNING] for document in documents],
        }
    )


def queries_frame(protocol: Protocol, queries: Sequence[str], fields: Sequence[str]) -> pd.DataFrame:
    """Give queries with their split, the number of their relevant documents, and what else they carry, `m0` and on."""
    return pd.DataFrame(
        {
            "query": list(queries),
            "split": [str(protocol.queries[query]["split"]) for query in queries],
            "relevant": [len(protocol.relevant[query]) for query in queries],
            "need": [need_of(protocol, query)[:BEGINNING] for query in queries],
            **{
                f"m{i}": [str(protocol.queries[query].get(field, ""))[:BEGINNING] for query in queries]
                for i, field in enumerate(fields)
            },
        }
    )


def grid_frame(protocol: Protocol, grid: Grid) -> pd.DataFrame:
    """Give the judgment grid, a shape for each pair; the documents are the columns `d0` and on."""
    return pd.DataFrame(
        {
            "query": list(grid.queries),
            "relevant": [len(protocol.relevant[query]) for query in grid.queries],
            **{
                f"d{i}": [BADGES[protocol.judgment(query, document)][0] for query in grid.queries]
                for i, document in enumerate(grid.documents)
            },
        }
    )


def _recorded(run: LoadedRun) -> str:
    return f"{sum(field in run.run.system for field in SYSTEM_FIELDS)}/{len(SYSTEM_FIELDS)}"

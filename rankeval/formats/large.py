"""Large runs, read into columns by pyarrow.

Only what is plain beyond doubt is read here.  Whatever is not (a fault, an open tie, two separators in one file) is
left to the readers that go line by line: they decide, and say what is wrong and where.  pyarrow was chosen by
measurement (docs/benchmarks.md); Streamlit brings it along anyway.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyarrow import csv

from rankeval.core.contract import Place
from rankeval.core.run import Locate, Run
from rankeval.formats.columns import ColumnRankings, Ints
from rankeval.formats.json_places import Lines
from rankeval.formats.large_tables import BLOCK, ROWS, read_apart, read_large_table, shares
from rankeval.formats.rows import Ordering
from rankeval.formats.source import BYTE_ORDER_MARK, Source
from rankeval.formats.table_columns import DocumentNumbers, Table, joined_documents

_BLANKS = b" \t\r\n"
_JSON_OPENING = re.compile(rb"[ \t\r\n]*\{")
_JSON_ENTRY = re.compile(rb'[ \t\r\n]*"([^"]*)"[ \t\r\n]*:[ \t\r\n]*\[')
_JSON_AFTER = re.compile(rb"[ \t\r\n]*([,}])")
_CONTROLS = bytes(set(range(32)) - {ord("\n")})


def read_large_run(source: Source, run_format: str, ordering: Ordering) -> Run | None:
    """Read a run whose file is plain beyond doubt; None for any other.

    Args:
        source: the file.
        run_format: what it is in, of `rankeval.formats.runs.RUN_FORMATS`.
        ordering: what is declared of the order of its rows.

    """
    try:
        if run_format == "json":
            return _json_lists(source)
        table = read_large_table(source, run_format)
        return None if table is None else _ordered(table, source, ordering)
    except (pa.ArrowException, OSError, ValueError):
        return None


def _ordered(table: Table, source: Source, ordering: Ordering) -> Run | None:
    """Put rows into the order that DESIGN.md's table gives them; None wherever that table has something to say."""
    by_rank = table.rank is not None and ordering.order != "score"
    if ordering.order == "rank" and not by_rank:
        return None
    key: Any = table.rank if by_rank else None if table.scores is None else -table.scores.number
    if key is None:
        return None
    query: Ints = table.query
    at: npt.NDArray[np.int64] | None = None
    if not _is_in_order(query, key):
        at = np.lexsort((key, query))
        query, key = query[at], key[at]
    starts = np.searchsorted(query, np.arange(len(table.queries) + 1, dtype=query.dtype))
    if by_rank and not _has_no_gap(query, key, starts):
        return None
    if not (by_rank and ordering.order == "rank") and not _scores_agree(table, query, at, ordering, by_rank=by_rank):
        return None
    document = table.document if at is None else table.document[at]
    rankings = ColumnRankings(table.queries, starts, document, table.documents)
    place = _places(source.name, table.queries, starts, at, table.first_line)
    return Run(rankings, "", declarations=ordering.declarations(), notes=table.notes, locate=place)


def _places(
    file: str,
    queries: Sequence[str],
    starts: npt.NDArray[np.int64],
    at: npt.NDArray[np.int64] | None,
    first_line: int | None,
) -> Locate:
    """Give what finds a document's line, or its row in a file that has no lines, and holds nothing else of the file."""
    number = {query: i for i, query in enumerate(queries)}

    def locate(query: str, position: int | None) -> Place | None:
        if query not in number:
            return None
        row = int(starts[number[query]]) + (position or 1) - 1
        row = row if at is None else int(at[row])
        return Place(file, row=row + 1) if first_line is None else Place(file, line=row + first_line)

    return locate


def _is_in_order(query: Ints, key: Any) -> bool:
    """Whether rows stand by query, and within a query by a key that does not fall."""
    same = query[1:] == query[:-1]
    return bool(((query[1:] > query[:-1]) | (same & (key[1:] >= key[:-1]))).all())


def _has_no_gap(query: Ints, rank: Ints, starts: npt.NDArray[np.int64]) -> bool:
    """Whether the ranks of each query run from 0 or 1; rows stand by query and rank."""
    if not np.isin(rank[starts[:-1]], (0, 1)).all():
        return False
    for first in range(1, len(rank), ROWS):
        here, before = slice(first, first + ROWS), slice(first - 1, min(first + ROWS, len(rank)) - 1)
        if not ((query[here] != query[before]) | (rank[here] - rank[before] == 1)).all():
            return False
    return True


def _scores_agree(
    table: Table, query: Ints, at: npt.NDArray[np.int64] | None, ordering: Ordering, *, by_rank: bool
) -> bool:
    """Whether scores do not rise within a query, and are not tied where a tie would leave the order open."""
    if table.scores is None:
        return True
    scores = table.scores.number if at is None else table.scores.number[at]
    within = query[1:] == query[:-1]
    if (within & (scores[1:] > scores[:-1])).any():
        return False
    if not (within & (scores[1:] == scores[:-1])).any():
        return True
    if not by_rank and ordering.ties is None:
        return False
    if table.scores.exact:
        return True
    # What rows one after the other look like says nothing of rows that were sorted together.
    return at is None and (table.scores.falling if by_rank else table.scores.equal)


def _json_lists(source: Source) -> Run | None:
    """Read a JSON object of lists that has no escape in it, so that a quote is always the end of a string."""
    queries: list[str] = []
    lengths: list[int] = []
    bodies: list[bytes] = []
    for query, length, body in _json_entries(source.data.removeprefix(BYTE_ORDER_MARK)):
        queries.append(query.decode())
        lengths.append(length)
        bodies += [body] if length else []
    if len(set(queries)) != len(queries) or not all(query.isprintable() for query in queries):
        return None
    numbered = _numbered_lines(bodies, [length for length in lengths if length])
    if numbered is None:
        return None
    documents, numbers = numbered
    rankings = ColumnRankings(queries, np.concatenate(([0], np.cumsum(lengths))), numbers, documents)

    @cache
    def lines() -> Lines:
        return Lines(source.text())

    def locate(query: str, position: int | None) -> Place:
        return Place(source.name, line=lines().of((query,) if position is None else (query, position)))

    return Run(rankings, "", locate=locate)


def _json_entries(data: bytes) -> Iterator[tuple[bytes, int, bytes]]:
    """Give of each entry the query, how many documents it lists, and these, a line each.

    Raises:
        ValueError: it is not plain beyond doubt.

    """
    opening = _JSON_OPENING.match(data)
    if opening is None or b"\\" in data:
        raise ValueError
    position, last = opening.end(), b","
    while last == b",":
        entry = _JSON_ENTRY.match(data, position)
        if entry is None:
            raise ValueError
        end = data.index(b"]", entry.end())
        yield entry[1], *_json_list(data[entry.end() : end].strip(_BLANKS))
        after = _JSON_AFTER.match(data, end + 1)
        if after is None:
            raise ValueError
        position, last = after.end(), after[1]
    if data[position:].strip(_BLANKS):
        raise ValueError


def _json_list(body: bytes) -> tuple[int, bytes]:
    """Write the IDs of a list a line each; give how many there are, and the lines."""
    if not body:
        return 0, b""
    between = b'", "' if b'", "' in body else b'","'
    lines = body[1:-1].replace(between, b"\n")
    if len(body) < 2 or body[:1] + body[-1:] != b'""' or b'"' in lines or b"[" in lines:  # noqa: PLR2004 - two quotes
        raise ValueError
    return (len(body) - 2 - len(lines)) // (len(between) - 1) + 1, lines


def _numbered_lines(bodies: Sequence[bytes], lengths: Sequence[int]) -> tuple[list[str], Ints] | None:
    """Number document IDs that stand a line each, so many in each body: the distinct ones, and the number of each.

    None where one holds what JSON must escape, or there are not as many as there should be.
    """
    numbered = read_apart(lambda share: _lines(b"\n".join(bodies[share]), sum(lengths[share])), shares(len(bodies)))
    return None if numbered is None else joined_documents(numbered)


def _lines(text: bytes, count: int) -> DocumentNumbers | None:
    """Read and number one document ID a line; None where one holds what JSON must escape, or there are not `count`."""
    # pyarrow would drop a byte-order mark at the start, which is part of the first ID.
    if text.startswith(BYTE_ORDER_MARK):
        return None
    if len(text.translate(None, _CONTROLS)) != len(text) or text.count(b"\n") != count - 1:
        return None
    content = csv.read_csv(
        pa.py_buffer(text),
        read_options=csv.ReadOptions(column_names=["document"], block_size=BLOCK, use_threads=False),
        parse_options=csv.ParseOptions(
            delimiter="\x01", quote_char=False, double_quote=False, escape_char=False, ignore_empty_lines=False
        ),
        convert_options=csv.ConvertOptions(
            column_types={"document": pa.string()}, null_values=[], strings_can_be_null=False
        ),
    )
    if content.num_rows != count:
        return None
    documents = DocumentNumbers()
    documents.add(content["document"])
    documents.close()
    return documents

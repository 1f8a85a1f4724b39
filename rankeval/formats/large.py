"""Large runs, read into columns by pyarrow.

Only what is plain beyond doubt is read here.  Whatever is not (a fault, an open tie, two separators in one file) is
left to the readers that go line by line: they decide, and say what is wrong and where.  pyarrow was chosen by
measurement (docs/benchmarks.md); Streamlit brings it along anyway.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv, parquet

from rankeval.core.contract import Place
from rankeval.core.run import Locate, Run
from rankeval.formats.columns import ColumnRankings, Ints, arrow_numbers, numpy_numbers
from rankeval.formats.json_text import line_of
from rankeval.formats.records import DOCUMENT, QUERY, RANK, SCORE, Records, header_of
from rankeval.formats.rows import RANK_TEXT, SCORE_TEXT, Ordering, compare_scores
from rankeval.formats.source import BYTE_ORDER_MARK, Source
from rankeval.formats.trec import tag_note

_BLOCK = 2 * 2**20
_PIECE = 16 * 2**20
_ROWS = 1_000_000

_HIGHEST_RANK = 2**31
_EXACT_FLOATS = 2**53
"""Below it, every whole number is a float of its own."""

_TREC_COLUMNS = ("query", "iteration", "document", "rank", "score", "tag")
_MSMARCO_COLUMNS = ("query", "document", "rank")

_JSON_ENTRY = re.compile(rb'[ \t\r\n]*"([^"]*)"[ \t\r\n]*:[ \t\r\n]*\[([^\[\]]*)\][ \t\r\n]*([,}])')
_CONTROLS = bytes(set(range(32)) - {ord("\n")})


Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of a run's rows in the order of its file, as floats.

    Rounding to a float keeps the order of scores, but may make two of them equal.

    Attributes:
        number: of each row, the score.
        equal: whether of rows one after the other with the same float, every two were written alike.
        falling: whether of such rows none was written as a higher number than the one before it.
        exact: whether nothing was rounded, so that the same float is the same score wherever it stands.

    """

    number: Floats
    equal: bool = True
    falling: bool = True
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """A run's rows in the order of its file.

    Attributes:
        query: of each row, the number of its query in `queries`.
        queries: the distinct query IDs, in the order of their first rows.
        document: of each row, the number of its document in `documents`.
        documents: the distinct document IDs.
        rank: of each row, the rank; None where the file has none.
        scores: of each row, the score; None where the file has none.
        notes: what stands in the file and is not used.
        first_line: the line of the first row; None for a file that has no lines.

    """

    query: Ints
    queries: list[str]
    document: Ints
    documents: list[str]
    rank: Ints | None
    scores: Scores | None
    notes: tuple[str, ...]
    first_line: int | None


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
        table = _read_table(source, run_format)
        return None if table is None else _ordered(table, source, ordering)
    except (pa.ArrowException, UnicodeDecodeError):
        return None


def _read_table(source: Source, run_format: str) -> Table | None:
    if run_format == "parquet":
        return _parquet_table(source)
    data = source.data.removeprefix(BYTE_ORDER_MARK)
    if b"\r" in data and data.count(b"\r") != data.count(b"\r\n"):
        return None
    if run_format in {"trec", "msmarco"}:
        tabs = b"\t" in data
        if tabs and run_format == "trec" and b" " in data:
            return None
        names = _TREC_COLUMNS if run_format == "trec" else _MSMARCO_COLUMNS
        return _text_table(data, names, dict(zip(names, names, strict=True)), "\t" if tabs else " ", source.name)
    if run_format not in {"csv", "tsv"} or (run_format == "csv" and b'"' in data):
        return None
    header = Records(source.name, "line", header_of(source), ())
    delimiter = "\t" if run_format == "tsv" else ","
    return _text_table(data, header.fields, _roles(header), delimiter, source.name, header)


def _roles(header: Records) -> dict[str, str]:
    """Say which column plays which part."""
    names = {"query": QUERY, "document": DOCUMENT, "rank": RANK, "score": SCORE}
    return {role: name for role, each in names.items() if (name := header.named(each)) is not None}


def _text_table(
    data: bytes,
    names: Sequence[str],
    roles: Mapping[str, str],
    delimiter: str,
    file: str,
    header: Records | None = None,
) -> Table | None:
    """Read separated text; `roles` says which of the named columns plays which part."""
    if len(set(names)) != len(names) or not roles.keys() >= {"query", "document"}:
        return None
    few = pa.dictionary(pa.int32(), pa.string())
    types = {name: pa.string() if role in {"document", "score"} else few for role, name in roles.items()}
    convert = csv.ConvertOptions(
        column_types=types, include_columns=list(types), null_values=[], strings_can_be_null=False
    )
    parse = csv.ParseOptions(delimiter=delimiter, quote_char=False, double_quote=False, escape_char=False)
    columns = _Columns()
    notes = header.others(roles.values()) if header is not None else ()
    view = memoryview(data)
    for start, end in _pieces(data, data.find(b"\n") + 1 if header is not None else 0):
        content = csv.read_csv(
            pa.py_buffer(view[start:end]),
            read_options=csv.ReadOptions(column_names=list(names), block_size=_BLOCK),
            parse_options=parse,
            convert_options=convert,
        )
        lines = data.count(b"\n", start, end) + (data[end - 1] != ord("\n"))
        parts = {role: content[name] for role, name in roles.items()}
        if content.num_rows != lines or not columns.add(parts):
            return None
        if "tag" in parts and not notes:
            notes = (tag_note(file, parts["tag"][0].as_py()),)
    return columns.table(notes, first_line=1 if header is None else 2)


def _pieces(data: bytes, start: int) -> Iterator[tuple[int, int]]:
    """Cut text into pieces of whole lines: what pyarrow makes of a piece is larger than the piece."""
    while start < len(data):
        end = data.find(b"\n", start + _PIECE) + 1 or len(data)
        yield start, end
        start = end


def _parquet_table(source: Source) -> Table | None:
    file = parquet.ParquetFile(pa.BufferReader(source.data))
    header = Records(source.name, "row", tuple(file.schema_arrow.names), ())
    roles = _roles(header)
    if not roles.keys() >= {"query", "document"}:
        return None
    columns = _Columns()
    for batch in file.iter_batches(_ROWS, columns=list(roles.values())):
        if not columns.add({role: pa.chunked_array([batch[name]]) for role, name in roles.items()}):
            return None
    return columns.table(header.others(roles.values()), None)


class _Columns:
    """The columns of a table while its pieces are read: IDs become numbers, so that no string is kept twice."""

    def __init__(self) -> None:
        self._query = _Queries()
        self._document = _Documents()
        self._rank: list[Ints] = []
        self._scores: list[Scores] = []
        self._last_score = ""

    def add(self, parts: Mapping[str, pa.ChunkedArray]) -> bool:
        """Take the next rows; False where they are not plain beyond doubt."""
        if any(column.null_count for column in parts.values()):
            return False
        if any("" in _distinct(parts[role]) for role in {"iteration", "tag"} & parts.keys()):
            return False
        if not (self._query.add(parts["query"]) and self._document.add(parts["document"])):
            return False
        if "rank" in parts:
            ranks = _rank_numbers(parts["rank"])
            if ranks is None:
                return False
            self._rank.append(ranks)
        if "score" in parts:
            scores = _scores(parts["score"], self._last_score)
            if scores is None:
                return False
            self._scores.append(scores)
            self._last_score = parts["score"][-1].as_py()
        return True

    def table(self, notes: tuple[str, ...], first_line: int | None) -> Table | None:
        """Give what was read; None where that is nothing."""
        if not self._query.numbers:
            return None
        return Table(
            query=_joined(self._query.numbers),
            queries=self._query.values(),
            document=_joined(self._document.numbers),
            documents=self._document.values(),
            rank=_joined(self._rank) if self._rank else None,
            scores=self._joined_scores() if self._scores else None,
            notes=notes,
            first_line=first_line,
        )

    def _joined_scores(self) -> Scores:
        return Scores(
            equal=all(each.equal for each in self._scores),
            falling=all(each.falling for each in self._scores),
            exact=all(each.exact for each in self._scores),
            number=_joined([each.number for each in self._scores]),
        )


def _joined(parts: list[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """Join the parts of a column, and let go of them."""
    whole = np.concatenate(parts)
    parts.clear()
    return whole


class _Queries:
    """Numbers for query IDs, in the order in which rows name them first; they are few, and come as dictionaries."""

    def __init__(self) -> None:
        self.numbers: list[Ints] = []
        self._number: dict[str, int] = {}

    def add(self, column: pa.ChunkedArray) -> bool:
        """Number the next rows; False where they are not all nonempty text."""
        if not _is_text(column.type):
            return False
        for chunk in _dictionary_chunks(column):
            values = chunk.dictionary.to_pylist()
            local = numpy_numbers(chunk.indices, np.int32)
            for at in _by_first_row(local, len(values)):
                self._number.setdefault(values[at], len(self._number))
            known = np.array([self._number.get(value, -1) for value in values], np.int32)
            self.numbers.append(known[local])
        return "" not in self._number

    def values(self) -> list[str]:
        """Give the distinct queries in the order of their numbers."""
        return list(self._number)


class _Documents:
    """Numbers for document IDs, which are many: Arrow looks them up, and they stay in it."""

    def __init__(self) -> None:
        self.numbers: list[Ints] = []
        self._known = pa.LargeStringArray.from_buffers(0, pa.py_buffer(np.zeros(1, np.int64)), pa.py_buffer(b""))

    def add(self, column: pa.ChunkedArray) -> bool:
        """Number the next rows; False where they are not all text."""
        if not _is_text(column.type):
            return False
        texts = column.cast(pa.large_string())
        numbers = pc.index_in(texts, value_set=self._known)
        if numbers.null_count:
            self._known = pa.concat_arrays([self._known, pc.unique(texts.filter(pc.is_null(numbers)))])
            numbers = pc.index_in(texts, value_set=self._known)
        self.numbers.append(numpy_numbers(numbers, np.int32))
        return True

    def values(self) -> list[str]:
        """Give the distinct documents in the order of their numbers."""
        listed: list[str] = self._known.to_pylist()
        return listed


def _dictionary_chunks(column: pa.ChunkedArray) -> list[pa.DictionaryArray]:
    """Give a column of text as dictionary arrays."""
    return list((column if pa.types.is_dictionary(column.type) else column.dictionary_encode()).chunks)


def _by_first_row(rows: Ints, values: int) -> Iterable[int]:
    """Give the values 0 to `values` - 1 in the order of the rows that have them first, without those that none has."""
    highest = np.maximum.accumulate(rows)
    if rows[0] == 0 and highest[-1] == values - 1 and (np.diff(highest) <= 1).all():
        return range(values)
    used, first = np.unique(rows, return_index=True)
    in_order: list[int] = used[np.argsort(first)].tolist()
    return in_order


def _distinct(column: pa.ChunkedArray) -> set[str]:
    return {value for chunk in column.chunks for value in chunk.dictionary.to_pylist()}


def _is_text(arrow_type: pa.DataType) -> bool:
    plain = arrow_type.value_type if pa.types.is_dictionary(arrow_type) else arrow_type
    return bool(pa.types.is_string(plain) or pa.types.is_large_string(plain))


def _rank_numbers(column: pa.ChunkedArray) -> Ints | None:
    if pa.types.is_integer(column.type):
        return numpy_numbers(column, np.int32)
    if not _is_text(column.type):
        return None
    parts: list[Ints] = []
    for chunk in _dictionary_chunks(column):
        texts = chunk.dictionary.to_pylist()
        if not all(RANK_TEXT.fullmatch(text) and int(text) < _HIGHEST_RANK for text in texts):
            return None
        parts.append(np.array([int(text) for text in texts], np.int32)[numpy_numbers(chunk.indices, np.int32)])
    return np.concatenate(parts)


def _scores(column: pa.ChunkedArray, last: str) -> Scores | None:
    """Read scores; None where one is not finite, or not plainly written.  `last` is the text of the row before them."""
    if pa.types.is_floating(column.type):
        scores = Scores(numpy_numbers(column, np.float64))
    elif pa.types.is_integer(column.type):
        whole = numpy_numbers(column, np.int64)
        if np.abs(whole).max() >= _EXACT_FLOATS:
            return None
        scores = Scores(whole.astype(np.float64))
    elif pa.types.is_string(column.type) and _are_scores(column):
        texts = column.combine_chunks()
        number = numpy_numbers(texts, np.float64)
        tied = np.flatnonzero(number[1:] == number[:-1]).astype(np.int32)
        before, after = texts.take(arrow_numbers(tied)), texts.take(arrow_numbers(tied + 1))
        unlike = pc.filter(pa.table({"before": before, "after": after}), pc.not_equal(before, after))
        pairs = list(zip(unlike["before"].to_pylist(), unlike["after"].to_pylist(), strict=True))
        if last and last != texts[0].as_py() and float(last) == number[0]:
            pairs.append((last, texts[0].as_py()))
        falling = all(compare_scores(*pair) >= 0 for pair in pairs)
        scores = Scores(number, equal=not pairs, falling=falling, exact=False)
    else:
        return None
    return scores if np.isfinite(scores.number).all() else None


def _are_scores(column: pa.ChunkedArray) -> bool:
    """Whether all texts are written as scores are; digits, points and signs alone leave the rest to the conversion."""
    if all(not bytes(chunk.buffers()[2]).translate(None, b"0123456789.-") for chunk in column.chunks):
        return True
    return bool(pc.all(pc.match_substring_regex(column, f"^(?:{SCORE_TEXT.pattern})$")).as_py())


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
    starts = np.searchsorted(query, np.arange(len(table.queries) + 1))
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
    first = rank[starts[:-1]]
    if not np.isin(first, (0, 1)).all():
        return False
    ahead = (first - starts[:-1]).astype(np.int32)
    return bool((rank - np.arange(len(rank), dtype=np.int32) == ahead[query]).all())


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
    data = source.data.removeprefix(BYTE_ORDER_MARK)
    opening = re.match(rb"[ \t\r\n]*\{", data)
    if opening is None or b"\\" in data:
        return None
    queries: list[str] = []
    lengths: list[int] = []
    bodies: list[bytes] = []
    position, last = opening.end(), b","
    while last == b",":
        entry = _JSON_ENTRY.match(data, position)
        if entry is None:
            return None
        query, body, last = entry.groups()
        if body:
            between = b'", "' if b'", "' in body else b'","'
            length = body.count(between) + 1
            if body.count(b'"') != 2 * length or not (body.startswith(b'"') and body.endswith(b'"')):
                return None
            bodies.append(body[1:-1].replace(between, b"\n"))
        else:
            length = 0
        queries.append(query.decode())
        lengths.append(length)
        position = entry.end()
    if data[position:].strip(b" \t\r\n") or len(set(queries)) != len(queries):
        return None
    documents = _lines(b"\n".join(bodies), sum(lengths))
    if documents is None or not all(query.isprintable() for query in queries):
        return None
    rankings = ColumnRankings(queries, np.concatenate(([0], np.cumsum(lengths))), *documents)

    def locate(query: str, position: int | None) -> Place:
        return Place(source.name, line=line_of(source.text(), (query,) if position is None else (query, position)))

    return Run(rankings, "", locate=locate)


def _lines(text: bytes, count: int) -> tuple[Ints, list[str]] | None:
    """Read and number one document ID a line; None where one holds what JSON must escape, or there are not `count`."""
    if len(text.translate(None, _CONTROLS)) != len(text) or text.count(b"\n") != max(0, count - 1):
        return None
    if not count:
        return np.empty(0, np.int32), []
    content = csv.read_csv(
        pa.py_buffer(text),
        read_options=csv.ReadOptions(column_names=["document"], block_size=_BLOCK),
        parse_options=csv.ParseOptions(
            delimiter="\x01", quote_char=False, double_quote=False, escape_char=False, ignore_empty_lines=False
        ),
        convert_options=csv.ConvertOptions(
            column_types={"document": pa.string()}, null_values=[], strings_can_be_null=False
        ),
    )
    if content.num_rows != count:
        return None
    documents = _Documents()
    documents.add(content["document"])
    return documents.numbers[0], documents.values()

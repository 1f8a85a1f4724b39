"""A large run's columns while its file is read piece by piece: IDs become numbers, so that no string is kept twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankeval.formats.columns import Floats, Ints, arrow_numbers, numpy_numbers
from rankeval.formats.rows import RANK_TEXT, SCORE_TEXT, compare_scores
from rankeval.formats.text_numbers import number_texts

_Part = TypeVar("_Part")

_HIGHEST_RANK = 2**31
_EXACT_FLOATS = 2**53
"""Below it, every whole number is a float of its own."""


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of a run's rows in the order of its file, as floats.

    Rounding to a float keeps the order of scores, but may make two of them equal.

    Attributes:
        number: of each row, the score.
        ends: how the first and the last were written; None where they came as numbers.
        equal: whether of rows one after the other with the same float, every two were written alike.
        falling: whether of such rows none was written as a higher number than the one before it.

    """

    number: Floats
    ends: tuple[str, str] | None = None
    equal: bool = True
    falling: bool = True

    @property
    def exact(self) -> bool:
        """Whether nothing was rounded, so that the same float is the same score wherever it stands."""
        return self.ends is None

    @classmethod
    def joined(cls, parts: Sequence[Scores]) -> Scores:
        """Join the scores of stretches of a file, in its order."""
        meetings = [
            (one.ends[1], other.ends[0])
            for one, other in pairwise(parts)
            if one.ends and other.ends and one.number[-1] == other.number[0]
        ]
        first, last = parts[0].ends, parts[-1].ends
        return cls(
            number=np.concatenate([each.number for each in parts]),
            ends=(first[0], last[1]) if first and last else None,
            equal=all(each.equal for each in parts) and all(one == other for one, other in meetings),
            falling=all(each.falling for each in parts) and all(compare_scores(*each) >= 0 for each in meetings),
        )


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


class TableColumns:
    """The columns of a stretch of a table while its pieces are read."""

    def __init__(self) -> None:
        self._query = QueryNumbers()
        self._document = DocumentNumbers()
        self._rank: list[Ints] = []
        self._scores: list[Scores] = []

    def add(self, parts: Mapping[str, pa.ChunkedArray]) -> bool:
        """Take the next rows; False where they are not plain beyond doubt."""
        if any(column.null_count for column in parts.values()):
            return False
        if not all(pc.min(pc.binary_length(parts[role])).as_py() for role in {"iteration", "tag"} & parts.keys()):
            return False
        if not (self._query.add(parts["query"]) and self._document.add(parts["document"])):
            return False
        if "rank" in parts:
            ranks = _rank_numbers(parts["rank"])
            if ranks is None:
                return False
            self._rank.append(ranks)
        if "score" in parts:
            scores = _scores(parts["score"])
            if scores is None:
                return False
            self._scores.append(scores)
        return True

    def close(self) -> None:
        """Number the documents, now that all have come."""
        self._document.close()

    @staticmethod
    def table(stretches: Sequence[TableColumns], notes: tuple[str, ...], first_line: int | None) -> Table | None:
        """Join the columns of stretches of one file, in its order; None where there is nothing in them.

        A column's stretches are let go of once they are joined, so that never all columns are held twice.
        """
        queries, query = joined_queries([each._query for each in stretches])  # noqa: SLF001 - of its own class
        documents, document = joined_documents([each._document for each in stretches])  # noqa: SLF001 - likewise
        rank = _whole(_taken([each._rank for each in stretches]))  # noqa: SLF001 - likewise
        scores = _taken([each._scores for each in stretches])  # noqa: SLF001 - likewise
        if not queries:
            return None
        return Table(
            query=query,
            queries=queries,
            document=document,
            documents=documents,
            rank=rank if len(rank) else None,
            scores=Scores.joined(scores) if scores else None,
            notes=notes,
            first_line=first_line,
        )


class QueryNumbers:
    """Numbers for query IDs, in the order in which rows name them first; they are few, and come as dictionaries.

    Attributes:
        rows: the number of each row.
        number: the distinct queries -> their numbers.

    """

    def __init__(self) -> None:
        self.rows: list[Ints] = []
        self.number: dict[str, int] = {}

    def add(self, column: pa.ChunkedArray) -> bool:
        """Number the next rows; False where they are not all nonempty text."""
        if not _is_text(column.type):
            return False
        for chunk in _dictionary_chunks(column):
            values = chunk.dictionary.to_pylist()
            local = numpy_numbers(chunk.indices, np.int32)
            for at in _by_first_row(local, len(values)):
                self.number.setdefault(values[at], len(self.number))
            known = np.array([self.number.get(value, -1) for value in values], np.int32)
            self.rows.append(known[local])
        return "" not in self.number


class DocumentNumbers:
    """Numbers for document IDs, which are many, and are numbered all at once, when the last has come.

    Attributes:
        rows: the number of each row.
        values: the distinct documents in the order of their numbers.

    """

    def __init__(self) -> None:
        self.rows: list[Ints] = []
        self.values: pa.Array = pa.nulls(0, pa.string())
        self._chunks: list[pa.Array] = []

    def add(self, column: pa.ChunkedArray) -> bool:
        """Take the next rows; False where they are not all text."""
        self._chunks += column.chunks
        return _is_text(column.type)

    def close(self) -> None:
        """Number all the rows."""
        if not self._chunks:
            return
        whole = pa.chunked_array(self._chunks)
        self._chunks.clear()
        if pa.types.is_dictionary(whole.type):
            self.rows, self.values = _number_dictionary(whole)
        else:
            self.rows, self.values = number_texts(whole)


def joined_queries(stretches: Sequence[QueryNumbers]) -> tuple[list[str], Ints]:
    """Give the queries of stretches of a file one numbering: the distinct ones, and the number of each row."""
    number: dict[str, int] = {}
    known = [np.array([number.setdefault(query, len(number)) for query in each.number], np.int32) for each in stretches]
    return list(number), _renumbered([each.rows for each in stretches], known)


def joined_documents(stretches: Sequence[DocumentNumbers]) -> tuple[list[str], Ints]:
    """Give the documents of stretches of a file one numbering: the distinct ones, and the number of each row."""
    some = [each for each in stretches if each.rows]
    if not some:
        return [], _whole([])
    numbers, values = number_texts(pa.chunked_array([each.values for each in some]))
    return values.to_pylist(), _renumbered([each.rows for each in some], numbers)


def _renumbered(stretches: Sequence[list[Ints]], known: Sequence[Ints]) -> Ints:
    """Join the rows of stretches; `known` says what each stretch's numbers are called in the whole."""
    ends = list(accumulate(sum(map(len, rows)) for rows in stretches))
    whole = np.empty(ends[-1] if ends else 0, np.int32)

    def write(rows: list[Ints], called: Ints, end: int) -> None:
        start = end - sum(map(len, rows))
        for own in _taken([rows]):
            # Written where it stays: to touch the memory of a copy costs more than the copying.  None is out of bounds.
            np.take(called, own, out=whole[start : start + len(own)], mode="clip")
            start += len(own)

    with ThreadPoolExecutor(max(1, len(stretches))) as threads:
        list(threads.map(write, stretches, known, ends))
    return whole


def _taken(stretches: Sequence[list[_Part]]) -> list[_Part]:
    """Take the parts out of stretches, which hold them no longer."""
    parts = [part for each in stretches for part in each]
    for each in stretches:
        each.clear()
    return parts


def _whole(parts: Sequence[Ints]) -> Ints:
    return np.concatenate(parts) if parts else np.empty(0, np.int32)


def _number_dictionary(column: pa.ChunkedArray) -> tuple[list[Ints], pa.Array]:
    """Number texts that a file numbered itself: the number of each row, and the distinct texts."""
    chunks = column.unify_dictionaries().chunks
    values = chunks[-1].dictionary
    numbers = [numpy_numbers(chunk.indices, np.int32) for chunk in chunks]
    # A file's own dictionary may hold what no row has.
    used = np.zeros(len(values), np.bool_)
    for own in numbers:
        used[own] = True
    if not used.all():
        number = np.cumsum(used, dtype=np.int32) - 1
        numbers = [number[own] for own in numbers]
        values = values.take(arrow_numbers(np.flatnonzero(used)))
    return numbers, values


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


def _is_text(arrow_type: pa.DataType) -> bool:
    plain = arrow_type.value_type if pa.types.is_dictionary(arrow_type) else arrow_type
    return bool(pa.types.is_string(plain) or pa.types.is_large_string(plain))


def _rank_numbers(column: pa.ChunkedArray) -> Ints | None:
    if pa.types.is_integer(column.type):
        return numpy_numbers(column, np.int32)
    if not _is_text(column.type):
        return None
    if not pa.types.is_dictionary(column.type) and _are_of(b"0123456789", column) and _are_short(column):
        return numpy_numbers(column, np.int32)  # which refuses what is empty or too high
    parts: list[Ints] = []
    for chunk in _dictionary_chunks(column):
        texts = chunk.dictionary.to_pylist()
        if not all(RANK_TEXT.fullmatch(text) and int(text) < _HIGHEST_RANK for text in texts):
            return None
        parts.append(np.array([int(text) for text in texts], np.int32)[numpy_numbers(chunk.indices, np.int32)])
    return np.concatenate(parts)


def _scores(column: pa.ChunkedArray) -> Scores | None:
    """Read scores; None where one is not finite, or not plainly written."""
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
        falling = all(compare_scores(*pair) >= 0 for pair in pairs)
        scores = Scores(number, (texts[0].as_py(), texts[-1].as_py()), equal=not pairs, falling=falling)
    else:
        return None
    return scores if np.isfinite(scores.number).all() else None


def _are_scores(column: pa.ChunkedArray) -> bool:
    """Whether all texts are written as scores are; digits, points and signs alone leave the rest to the conversion."""
    if _are_of(b"0123456789.-", column):
        return True
    return bool(pc.all(pc.match_substring_regex(column, f"^(?:{SCORE_TEXT.pattern})$")).as_py())


def _are_of(characters: bytes, column: pa.ChunkedArray) -> bool:
    """Whether texts hold no other characters; what their memory holds beside them counts too."""
    return all(not bytes(chunk.buffers()[2] or b"").translate(None, characters) for chunk in column.chunks)


def _are_short(column: pa.ChunkedArray) -> bool:
    """Whether texts have no more digits than the highest rank: a conversion passes over any number of zeros."""
    return bool(pc.max(pc.binary_length(column)).as_py() <= len(str(_HIGHEST_RANK)))

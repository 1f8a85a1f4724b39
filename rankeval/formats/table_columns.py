"""A large run's columns while its file is read piece by piece: IDs become numbers, so that no string is kept twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rankeval.formats.columns import Floats, Ints, arrow_numbers, arrow_texts, numpy_numbers
from rankeval.formats.rows import RANK_TEXT, SCORE_TEXT, compare_scores

_HIGHEST_RANK = 2**31
_EXACT_FLOATS = 2**53
"""Below it, every whole number is a float of its own."""


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


class TableColumns:
    """The columns of a table while its pieces are read: IDs become numbers, so that no string is kept twice."""

    def __init__(self) -> None:
        self._query = QueryNumbers()
        self._document = DocumentNumbers()
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


class QueryNumbers:
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


class DocumentNumbers:
    """Numbers for document IDs, which are many: Arrow looks them up, and they stay in it."""

    def __init__(self) -> None:
        self.numbers: list[Ints] = []
        self._known = arrow_texts([])

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

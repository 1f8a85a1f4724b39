"""Rankings of a large run as one column of document numbers: checked and fingerprinted as a whole, never as lists."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankeval.core.fingerprint import canonical_json
from rankeval.core.run import QuickRankings

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

_lines = json.JSONEncoder(ensure_ascii=False, separators=("\n", ":"))

_Number = TypeVar("_Number", np.int32, np.int64, np.float64)


class ColumnRankings(QuickRankings):
    """Rankings as one long column of documents, in which each query has a stretch."""

    def __init__(
        self, queries: Sequence[str], starts: npt.NDArray[np.int64], numbers: Ints, documents: Sequence[str]
    ) -> None:
        """Take the documents of all queries, one after the other.

        Args:
            queries: the query IDs.
            starts: where in `numbers` each query's stretch begins, and at last where the last one ends.
            numbers: in the order of the rankings, the number of each document in `documents`.
            documents: the distinct document IDs.

        """
        self._stretch = {query: (int(starts[i]), int(starts[i + 1])) for i, query in enumerate(queries)}
        self._numbers = numbers
        self._documents = documents
        self._sha256: str | None = None

    def __getitem__(self, query: str) -> list[str]:
        start, end = self._stretch[query]
        return [self._documents[number] for number in self._numbers[start:end].tolist()]

    def __iter__(self) -> Iterator[str]:
        return iter(self._stretch)

    def __len__(self) -> int:
        return len(self._stretch)

    def __contains__(self, query: object) -> bool:
        return query in self._stretch

    def returned(self, query: str) -> int:
        """Give the length of a query's ranking."""
        start, end = self._stretch[query]
        return end - start

    def top(self, query: str, k: int) -> list[str]:
        """Give the first k documents of a query's ranking."""
        start, end = self._stretch[query]
        return [self._documents[number] for number in self._numbers[start : min(start + k, end)].tolist()]

    def are_sound(self, corpus: Mapping[str, object]) -> bool:
        """Whether every ranking holds documents of the corpus alone, and none twice."""
        if not corpus.keys() >= set(self._documents):
            return False
        for start, end in self._stretch.values():
            stretch = np.sort(self._numbers[start:end])
            if (stretch[1:] == stretch[:-1]).any():
                return False
        return True

    def sha256(self) -> str:
        """Give what `fingerprint.run_sha256` gives; computed when first asked for."""
        if self._sha256 is None:
            self._sha256 = self._computed_sha256()
        return self._sha256

    def _computed_sha256(self) -> str:
        """Write the JSON of each document once, and take it wherever it stands."""
        # All at once, a line each (no JSON string has a raw line end in it): a call each would take ten times as long.
        lines = _lines.encode(list(self._documents))[1:-1].split("\n")
        texts = arrow_texts([f"{line}," for line in lines])
        digest = hashlib.sha256()
        opening = "{"
        queries = sorted(self._stretch)
        for first in range(0, len(queries), _QUERIES_AT_A_TIME):
            some = queries[first : first + _QUERIES_AT_A_TIME]
            stretches = [self._numbers[slice(*self._stretch[query])] for query in some]
            written = texts.take(arrow_numbers(np.concatenate(stretches)))
            offsets = np.frombuffer(written.buffers()[1], np.int64)
            text = memoryview(written.buffers()[2] or b"")
            start = 0
            for query, stretch in zip(some, stretches, strict=True):
                digest.update(f"{opening}{canonical_json(query)}:[".encode())
                end = start + len(stretch)
                if start < end:
                    digest.update(text[offsets[start] : offsets[end] - 1])
                digest.update(b"]")
                start, opening = end, ","
        digest.update(b"{}" if opening == "{" else b"}")
        return digest.hexdigest()


_QUERIES_AT_A_TIME = 200
"""What is written of so many rankings of a thousand documents stays in the processor's cache."""

# pyarrow's own ways between lists, NumPy and Arrow import pandas, to see whether they are given one of its series:
# a third of the time that a middling run takes.  These three go by the buffers.


def arrow_texts(texts: list[str]) -> pa.LargeStringArray:
    """Make an Arrow array of strings."""
    joined = "".join(texts)
    data = joined.encode()
    lengths = map(len, texts) if len(data) == len(joined) else (len(text.encode()) for text in texts)
    offsets = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(np.fromiter(lengths, np.int64, len(texts)), out=offsets[1:])
    return pa.LargeStringArray.from_buffers(len(texts), pa.py_buffer(offsets), pa.py_buffer(data))


def arrow_numbers(numbers: npt.NDArray[np.int32] | npt.NDArray[np.int64]) -> pa.Array:
    """Make an Arrow array of numbers, on the same memory."""
    data = pa.py_buffer(np.ascontiguousarray(numbers))
    return pa.Array.from_buffers(pa.from_numpy_dtype(numbers.dtype), len(numbers), [None, data])


def numpy_numbers(column: pa.ChunkedArray | pa.Array, dtype: type[_Number]) -> npt.NDArray[_Number]:
    """Make a NumPy array of a column of numbers that has no null, on the same memory where that can be."""
    target = pa.from_numpy_dtype(dtype)
    whole = column.cast(target)
    if isinstance(whole, pa.ChunkedArray):
        whole = whole.combine_chunks()
    return np.frombuffer(whole.buffers()[1], dtype)[whole.offset : whole.offset + len(whole)]

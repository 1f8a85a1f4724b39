"""Numbers for texts that are many: the document IDs of a large run.

Arrow numbers eight bytes four times as fast as it numbers text of any length, so texts are numbered by a key of eight
bytes each: a text that is no longer is its own key, and of longer ones it is checked afterwards that a key stood for
one text alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rankeval.formats.columns import Ints, arrow_numbers, numpy_numbers

Words = npt.NDArray[np.uint64]

_BYTES = 8
_MOST_WORDS = 8
"""IDs of up to 64 bytes are numbered by their keys; a few longer ones make the whole file go the slower way."""

_KEPT = np.array([(1 << 8 * count) - 1 for count in range(_BYTES + 1)], np.uint64)
"""What is kept of a word of which so many bytes belong to the text."""

_FACTORS = np.array([0x9E3779B97F4A7C15**power % 2**64 for power in range(_MOST_WORDS)], np.uint64)
"""Odd, so that two texts that differ in one word only never have one key."""


def number_texts(column: pa.ChunkedArray) -> tuple[list[Ints], pa.Array]:
    """Number texts in the order in which they come first.

    Args:
        column: strings, none of them null.

    Returns:
        The number of each row, an array for each chunk that has rows, and the distinct texts.

    """
    rows = pa.chunked_array([chunk for chunk in column.chunks if len(chunk)], type=column.type)
    if not len(rows):
        return [], pa.nulls(0, column.type)
    keyed = _by_key(rows)
    if keyed is not None:
        return keyed
    chunks = rows.dictionary_encode().chunks
    return [numpy_numbers(chunk.indices, np.int32) for chunk in chunks], chunks[-1].dictionary


def _by_key(column: pa.ChunkedArray) -> tuple[list[Ints], pa.Array] | None:
    """Number texts by their keys; None where some are too long, hold zero bytes, or have one key between them."""
    words = -(-pc.max(pc.binary_length(column)).as_py() // _BYTES) or 1
    if words > _MOST_WORDS:
        return None
    # Each chunk is taken apart when it is needed, and again: of all at once this would be most of what a run takes.
    keys: list[pa.Array] = []
    for chunk in column.chunks:
        texts = _Texts(chunk)
        if texts.has_zero_byte:
            return None
        keys.append(arrow_numbers(texts.keys(words).view(np.int64)))
    encoded = pa.chunked_array(keys).dictionary_encode().chunks
    numbers = [numpy_numbers(chunk.indices, np.int32) for chunk in encoded]
    firsts = list(_first_rows(numbers))
    if words > 1:
        chunks = list(zip(column.chunks, numbers, firsts, strict=True))
        known = np.concatenate([_Texts(chunk).words(words)[:, rows] for chunk, _, rows in chunks], axis=1)
        if not all(np.array_equal(_Texts(chunk).words(words), known[:, number]) for chunk, number, _ in chunks):
            return None
    named = zip(column.chunks, firsts, strict=True)
    return numbers, pa.concat_arrays([chunk.take(arrow_numbers(rows)) for chunk, rows in named])


def _first_rows(numbers: Sequence[Ints]) -> Iterator[npt.NDArray[np.int64]]:
    """Say of each piece which of its rows have a number that no row before them has; numbers rise as they come."""
    known = 0
    for number in numbers:
        highest = np.maximum.accumulate(np.concatenate((np.array([known - 1], np.int32), number)))
        yield np.flatnonzero(highest[1:] > highest[:-1])
        known = int(highest[-1]) + 1


class _Texts:
    """An Arrow array of strings by the bytes of its buffers."""

    def __init__(self, chunk: Any) -> None:
        offset_type = np.int64 if pa.types.is_large_string(chunk.type) else np.int32
        _, offsets, data = chunk.buffers()
        offset = np.frombuffer(offsets, offset_type)[chunk.offset : chunk.offset + len(chunk) + 1]
        self._starts = offset[:-1] - offset[0]
        self.lengths = np.diff(offset)
        # Eight bytes can be read wherever a text begins, and at the very end.
        self._data = bytes(data or b"")[offset[0] : offset[-1]] + bytes(_BYTES)

    @property
    def has_zero_byte(self) -> bool:
        """Whether a zero byte stands in a text, which could not be told from what a short one is filled up with."""
        return self._data.find(b"\0", 0, -_BYTES) >= 0

    def words(self, count: int) -> Words:
        """Give each text's bytes, eight in a number, as `count` rows of such numbers; short texts end in zeros."""
        last = len(self._data) - _BYTES
        anywhere = np.ndarray((last + 1,), "<u8", self._data, strides=(1,))
        words = np.empty((count, len(self.lengths)), np.uint64)
        for i in range(count):
            at = np.minimum(self._starts + i * _BYTES, last)
            words[i] = anywhere[at] & _KEPT[np.clip(self.lengths - i * _BYTES, 0, _BYTES)]
        return words

    def keys(self, count: int) -> Words:
        """Give one number for each text, its own where a text is one word."""
        words = self.words(count)
        if count == 1:
            only: Words = words[0]
            return only
        keys: Words = (words * _FACTORS[:count, None]).sum(axis=0, dtype=np.uint64)
        return keys

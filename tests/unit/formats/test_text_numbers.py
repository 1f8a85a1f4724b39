"""Texts are numbered in the order in which they come first, whatever their length and however they are cut up."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.formats import text_numbers
from rankeval.formats.text_numbers import number_texts

IDS = st.text(max_size=20) | st.text(alphabet="ab\0", max_size=90)


def numbered_by_hand(texts: list[str]) -> tuple[list[int], list[str]]:
    distinct = list(dict.fromkeys(texts))
    return [distinct.index(text) for text in texts], distinct


@given(
    chunks=st.lists(st.lists(IDS, max_size=8), min_size=1, max_size=4), kind=st.sampled_from(["string", "large_string"])
)
def test_numbers_are_those_of_first_occurrences(chunks: list[list[str]], kind: str) -> None:
    column = pa.chunked_array(chunks, type=pa.string() if kind == "string" else pa.large_string())
    numbers, distinct = number_texts(column)
    texts = distinct.to_pylist()
    flat = [text for chunk in chunks for text in chunk]
    assert ([i for number in numbers for i in number.tolist()], texts) == numbered_by_hand(flat)


def test_a_slice_of_a_column_is_numbered_by_its_own_rows() -> None:
    column = pa.chunked_array([pa.array(["a", "bc", "a long identifier", "bc", "d"]).slice(1, 3)])
    numbers, texts = number_texts(column)
    assert ([each.tolist() for each in numbers], texts.to_pylist()) == ([[0, 1, 0]], ["bc", "a long identifier"])


def test_texts_with_one_key_between_them_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_numbers, "_FACTORS", text_numbers._FACTORS * 0)
    texts = ["the first of two", "another of these", "the first of two"]
    numbers, distinct = number_texts(pa.chunked_array([texts]))
    assert ([each.tolist() for each in numbers], distinct.to_pylist()) == ([[0, 1, 0]], texts[:2])

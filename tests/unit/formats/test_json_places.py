from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.formats.json_places import Lines, line_of_word, places

TEXT = '{"a": ["x",\n {"b": []}], "c\\n": {}\n, "d": [[1]],\n"e": 5}'

PLACES = [
    (("a",), 1),
    (("a", 1), 1),
    (("a", 2), 2),
    (("a", 2, "b"), 2),
    (("c\n",), 2),
    (("d",), 3),
    (("d", 1), 3),
    (("d", 1, 1), 3),
    (("e",), 4),
]

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def ways(value: Any, way: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Give the way to every key and list entry, in the order of the text."""
    entries = value.items() if isinstance(value, dict) else enumerate(value, 1) if isinstance(value, list) else ()
    return [each for key, inner in entries for each in ((*way, key), *ways(inner, (*way, key)))]


class TestPlaces:
    def test_every_key_and_entry(self) -> None:
        assert list(places(TEXT)) == PLACES

    def test_what_follows_the_value_is_not_looked_at(self) -> None:
        assert list(places('[1]]\n} {x: "')) == [((1,), 1)]

    @given(JSON_VALUES)
    def test_are_all_there_is_in_the_value(self, value: Any) -> None:
        assert [path for path, _ in places(json.dumps(value))] == ways(value)

    @given(JSON_VALUES)
    def test_each_stands_on_its_own_line_where_json_is_written_so(self, value: Any) -> None:
        text = json.dumps(value, indent=1)

        for path, line in places(text):
            there = text.split("\n")[line - 1].strip()
            key = path[-1]
            assert there.startswith(json.dumps(key)) if isinstance(key, str) else there not in {"", "]", "}"}

    @given(st.text(alphabet='{}[],:"\\ \n1x'))
    def test_of_what_is_no_json_there_is_some_end(self, text: str) -> None:
        assert len(list(places(text))) <= len(text)


class TestLines:
    def test_are_those_of_the_places(self) -> None:
        lines = Lines(TEXT)

        assert [(path, lines.of(path)) for path, _ in PLACES] == PLACES

    @pytest.mark.parametrize("path", [("z",), ("a", 3), ("a", 1, 1), ("e", "f"), ("z", "z")])
    def test_what_is_not_there_has_none(self, path: tuple[str | int, ...]) -> None:
        assert Lines(TEXT).of(path) is None

    @given(JSON_VALUES)
    def test_are_those_of_the_places_in_any_json(self, value: Any) -> None:
        text = json.dumps(value, indent=1)
        lines = Lines(text)

        assert all(lines.of(path) == line for path, line in places(text))


class TestLineOfWord:
    def test_is_where_the_word_stands_and_not_where_it_is_quoted(self) -> None:
        assert line_of_word('["NaN",\n"a\\"NaN",\n[NaN]]', "NaN".__eq__) == 3

    def test_is_the_first_where_there_is_no_such_word(self) -> None:
        assert line_of_word("\n[]", "NaN".__eq__) == 1

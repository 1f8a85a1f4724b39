from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval.formats.csv_text import csv_header, csv_rows

FIELDS = st.lists(st.lists(st.text(alphabet='ab",\r\n é'), min_size=2, max_size=3), max_size=4)


def rows(text: str) -> list[tuple[int, list[str]]]:
    return list(csv_rows(text, "f.csv"))


class TestRows:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("", []),
            ("\n\r\n", []),
            ("a,b", [(1, ["a", "b"])]),
            ("a,b\r\n\r\nc,d\n", [(1, ["a", "b"]), (3, ["c", "d"])]),
            (" a, b \n", [(1, [" a", " b "])]),
            (",\n", [(1, ["", ""])]),
            ('""\n', [(1, [""])]),
            ('"a,b",c\n', [(1, ["a,b", "c"])]),
            ('"a""b",""""\n', [(1, ['a"b', '"'])]),
            ('"a\nb\r\n",c\r\nd,"e"', [(1, ["a\nb\r\n", "c"]), (4, ["d", "e"])]),
            ('"\r",x\n', [(1, ["\r", "x"])]),
            ("a\u2028b\x0bc\x85,d\n", [(1, ["a\u2028b\x0bc\x85", "d"])]),
        ],
    )
    def test_are_those_of_rfc_4180(self, text: str, expected: list[tuple[int, list[str]]]) -> None:
        assert rows(text) == expected

    @pytest.mark.parametrize(
        ("text", "line", "words"),
        [
            ('a\n"b,c\n', 2, "is not closed"),
            ('a\n\n"b"c,d\n', 3, "goes on after its closing quote"),
            ('a,b"c\n', 1, "a quote stands in an unquoted field"),
            ('a,"b" \n', 1, "goes on after its closing quote"),
            ("a\rb,c\n", 1, "a carriage return"),
            ("a,b\r", 1, "a carriage return"),
            ('"a",b\rc\n', 1, "a carriage return"),
        ],
    )
    def test_quotes_and_carriage_returns_out_of_place(self, text: str, line: int, words: str) -> None:
        with pytest.raises(rankeval.FormatError) as refusal:
            rows(text)

        assert (refusal.value.faults[0].file, refusal.value.faults[0].line) == ("f.csv", line)
        assert words in str(refusal.value)

    def test_a_field_may_be_longer_than_any_limit(self) -> None:
        assert rows(f'x,"{"y" * 200_000}"\n') == [(1, ["x", "y" * 200_000])]

    @given(FIELDS)
    def test_what_is_written_with_quotes_is_read_back(self, fields: list[list[str]]) -> None:
        buffer = io.StringIO()
        csv.writer(buffer, quoting=csv.QUOTE_ALL).writerows(fields)

        assert [row for _, row in rows(buffer.getvalue())] == fields

    @given(st.text(alphabet='"\n,'))
    def test_quotes_take_time_in_proportion_to_the_text(self, text: str) -> None:
        with pytest.raises(rankeval.FormatError):
            rows('x,"' + '""' * 100_000 + text.replace('"', ""))


class TestHeader:
    @pytest.mark.parametrize(("line", "fields"), [('a,"b"', ("a", "b")), ("", ()), ('a,"b', ()), ("a\rb", ())])
    def test_is_a_row_of_its_own_or_nothing(self, line: str, fields: tuple[str, ...]) -> None:
        assert csv_header(line) == fields

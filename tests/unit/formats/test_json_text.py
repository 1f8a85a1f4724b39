from __future__ import annotations

import pytest

import rankeval
from rankeval.formats.json_text import parse_json


class TestParse:
    @pytest.mark.parametrize(
        ("text", "rule"),
        [
            ("{", "the file is not JSON"),
            ("{}x", "the file is not JSON"),
            ("'a'", "the file is not JSON"),
            ('{"a": 1' + "0" * 5_000 + "}", "the file is not JSON"),
            ('{"a": NaN}', "NaN and Infinity are not JSON"),
            ("[-Infinity]", "NaN and Infinity are not JSON"),
            ("[1e999]", "NaN and Infinity are not JSON"),
            ("[" * 100_000, "the JSON is nested too deeply"),
            ('{"a": 1, "a": 1}', "a JSON object holds the same key twice"),
            ('[{"b": {"a": 1, "\\u0061": 2}}]', "a JSON object holds the same key twice"),
        ],
    )
    def test_what_is_refused(self, text: str, rule: str) -> None:
        with pytest.raises(rankeval.FormatError) as refusal:
            parse_json(text, "f.json")

        assert refusal.value.rule == rule

    def test_a_repeated_key_is_named_with_both_lines(self) -> None:
        with pytest.raises(rankeval.FormatError) as refusal:
            parse_json('{"a": {"x": 1,\n"x": 2},\n"b": 1, "b": {"x": 1, "x": 1}}', "f.json")

        assert [(fault.line, fault.detail) for fault in refusal.value.faults] == [
            (2, "key 'x' within 'a', first on line 1"),
            (3, "key 'b', first on line 3"),
        ]

    def test_a_number_keeps_its_digits(self) -> None:
        (number,) = parse_json("[0.12345678901234567890123]", "f")

        assert (number, number.text) == (0.12345678901234568, "0.12345678901234567890123")

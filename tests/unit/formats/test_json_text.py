from __future__ import annotations

import pytest

import rankeval
from rankeval.formats import Declared, Source, read_collection, read_protocol, read_run
from rankeval.formats.json_text import _refuse_half_characters, parse_json


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
            ("[NaNo]", "NaN and Infinity are not JSON"),
            ("-Infinity0", "NaN and Infinity are not JSON"),
            ('{"a":1e999x', "NaN and Infinity are not JSON"),
            ("[1e999NaN", "NaN and Infinity are not JSON"),
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

    def test_every_number_that_is_none_is_named(self) -> None:
        text = '{"NaN": [1.5, NaN,\n1e400, 1' + "0" * 400 + '],\n"a": [-Infinity, -1.5E999, "1e999"]}'
        with pytest.raises(rankeval.FormatError) as refusal:
            parse_json(text, "f.json", first_line=5)

        assert [(fault.line, fault.detail) for fault in refusal.value.faults] == [
            (5, "NaN stands there"),
            (6, "1e400 stands there"),
            (7, "-Infinity stands there"),
            (7, "-1.5E999 stands there"),
        ]

    def test_a_number_keeps_its_digits(self) -> None:
        (number,) = parse_json("[0.12345678901234567890123]", "f")

        assert (number, number.text) == (0.12345678901234568, "0.12345678901234567890123")

    @pytest.mark.parametrize("depth", range(880, 1_001, 3))
    @pytest.mark.parametrize(("opening", "closing"), [('{"a": ', "}"), ("[", "]")])
    def test_what_is_nearly_too_deep_is_read_or_refused(self, opening: str, closing: str, depth: int) -> None:
        """Whoever writes it again goes as deep as it does, and may come from deeper."""
        corpus = '{"d": ' + opening * depth + '"\\ud83d\\ude00"' + closing * depth + "}"
        text = f'{{"corpus": {corpus}, "queries": {{"q": {{"split": "s"}}}}, "qrels": {{"q": {{"d": 1}}}}, "k": 1}}'
        parts = (corpus, '{"q": {"split": "s"}}', '{"q": {"d": 1}}')
        for read in (
            lambda: parse_json(corpus, "f"),
            lambda: read_run(Source("f", corpus.encode())),
            lambda: read_protocol(Source("f", text.encode())),
            lambda: read_protocol(Source("f", text.encode()), declared=Declared("w")),
            lambda: read_collection(*(Source("f", part.encode()) for part in parts), k=1),
        ):
            try:
                read()
            except rankeval.ContractError as refusal:
                assert str(refusal)  # noqa: PT017 - either is right

    def test_what_cannot_be_written_again_is_too_deep(self) -> None:
        value: list[object] = []
        for _ in range(100_000):
            value = [value]

        with pytest.raises(rankeval.FormatError, match="nested too deeply"):
            _refuse_half_characters(value, "", "f", 1)

from __future__ import annotations

import pytest

import rankeval
from rankeval.formats import Source, read_run
from rankeval.formats.json_records import is_json_lines, is_record, json_array, json_lines
from rankeval.formats.source import HEAD

QUERY = ("query", "qid")


class TestTold:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ('{"a": 1}\n{"a": 1}\n', True),
            ('\n \n{"a": 1}\r\n\n{"a": 1}', True),
            ('{"a": 1}\n', False),
            ('{"a":\n1}\n', False),
            ("[1]\n[2]\n", False),
            ('{"a": 1, "a": 1}\n{}\n', True),
            ('{"a": 1\n{}\n', False),
        ],
    )
    def test_lines_by_a_first_one_that_is_an_object(self, text: str, expected: bool) -> None:  # noqa: FBT001 - likewise
        assert is_json_lines(Source("f", text.encode())) is expected

    @pytest.mark.parametrize(
        ("after", "expected"),
        [(b"", False), (b"\n", False), (b"\n \n", False), (b'\n{"a": 1}', True), (b"\n\nx", True)],
    )
    @pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf", b"\n"])
    def test_also_where_the_first_is_longer_than_what_is_looked_at(
        self,
        before: bytes,
        after: bytes,
        expected: bool,  # noqa: FBT001 - what is expected
    ) -> None:
        first = b'{"a": "' + b"x" * HEAD + b'"}'

        assert is_json_lines(Source("f", before + first + after)) is expected

    def test_a_lone_record_by_its_plain_fields(self) -> None:
        assert is_record({"qid": "q", "ranking": []}, QUERY)
        assert not is_record({"qid": ["d"], "q2": "d"}, QUERY)
        assert not is_record({"q": "x"}, QUERY)


class TestLines:
    def test_blank_ones_are_none(self) -> None:
        content = json_lines(Source("f", b' \n{"a": 1}\n\t\n{"a": 2}\n'))

        assert list(content) == [(2, {"a": 1}), (4, {"a": 2})]

    def test_all_that_are_damaged_are_collected(self) -> None:
        content = json_lines(Source("f", b'{"a": 1}\n{"a"}\n[1]\n{"a": 1, "a": 2}\n{"a": NaN}\n{"a": "\\ud800"}\n'))

        assert [where for where, _ in content] == [1]
        assert [(fault.line, str(fault.rule)) for fault in content.faults.kept] == [
            (2, "the file is not JSON"),
            (3, "the JSON is not of the expected shape"),
            (4, "a JSON object holds the same key twice"),
            (5, "NaN and Infinity are not JSON"),
            (6, "the file is not text in UTF-8"),
        ]

    def test_a_first_one_that_is_damaged(self) -> None:
        with pytest.raises(rankeval.FormatError, match="f, line 2: one JSON object a line"):
            json_lines(Source("f", b"\n[1]\n"))


class TestArray:
    def test_entries_that_are_no_objects_are_all_named(self) -> None:
        with pytest.raises(rankeval.FormatError) as refusal:
            json_array([{}, 5, {}, None], "f")

        assert [(fault.row, fault.detail) for fault in refusal.value.faults] == [
            (2, "5, and an object was expected"),
            (4, "null, and an object was expected"),
        ]


class TestRuns:
    """One record or many, in a list or a line each: the same run."""

    @pytest.mark.parametrize(
        "text",
        [
            '{"query_id": "q", "ranking": ["b", "a"]}',
            '{"query_id": "q",\n"ranking": ["b", "a"]}',
            '[{"query_id": "q", "ranking": ["b", "a"]}]',
            '{"qid": "q", "doc": "b", "rank": 1}\n{"qid": "q", "doc": "a", "rank": 2}',
            '[{"qid": "q", "doc": "b", "rank": "1"},\n{"qid": "q", "doc": "a", "rank": "2"}]',
        ],
    )
    def test_are_read(self, text: str) -> None:
        run = read_run(Source("f", text.encode()))
        assert run.locate is not None

        assert run.rankings == {"q": ["b", "a"]}
        assert run.locate("q", 1) is not None

    def test_a_query_may_be_called_like_a_column(self) -> None:
        run = read_run(Source("f", b'{"query": ["d"], "doc": [], "format": ["e"]}'))

        assert run.rankings == {"query": ["d"], "doc": [], "format": ["e"]}

    def test_a_list_longer_than_a_megabyte(self) -> None:
        documents = ", ".join(f'"d{i}"' for i in range(150_000))

        assert len(read_run(Source("f", f'{{"qid": "q", "ranking": [{documents}]}}'.encode())).rankings["q"]) == 150_000

    @pytest.mark.parametrize(
        ("text", "detail"),
        [
            ('[{"qid": "q", "ranking": []}, {"qid": "q", "ranking": []}]', "first on row 1"),
            ('{"qid": "q", "ranking": []}\n\n{"qid": "q", "ranking": []}', "first on line 1"),
            ('[{"qid": "q", "ranking": [1]}]', "the entry is 1, which is no text"),
            ('[{"qid": "q", "ranking": []}, {"qid": "r"}]', "null stands in place of a list"),
        ],
    )
    def test_are_refused_in_their_own_terms(self, text: str, detail: str) -> None:
        with pytest.raises(rankeval.FormatError) as refusal:
            read_run(Source("f", text.encode()))

        assert refusal.value.faults[0].detail == detail

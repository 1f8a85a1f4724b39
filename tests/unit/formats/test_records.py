from __future__ import annotations

from typing import Any

import pytest

import rankeval
from rankeval.formats.json_records import json_array
from rankeval.formats.json_text import parse_json
from rankeval.formats.records import QUERY, RANK, Records, id_fault, names_columns, shown


def refusal_of(call: Any, *arguments: Any) -> str:
    with pytest.raises(rankeval.FormatError) as refusal:
        call(*arguments)
    return str(refusal.value)


class TestFields:
    content = Records("f", "line", ("Query_ID", "rank", "lang"), ())

    def test_are_found_by_their_usual_names_in_any_case(self) -> None:
        assert (self.content.named(QUERY), self.content.needed(RANK), self.content.called("lang")) == (
            "Query_ID",
            "rank",
            "lang",
        )

    def test_that_are_not_there(self) -> None:
        assert self.content.named(("score",)) is None
        assert self.content.called("text") == "text"
        assert "no score column (score); the header has 'Query_ID', 'rank', 'lang'" in refusal_of(
            self.content.needed, ("score",)
        )

    def test_two_for_one_part(self) -> None:
        content = Records("f", "line", ("qid", "topic"), ())

        assert "'qid' and 'topic' could both be the query" in refusal_of(content.named, QUERY)

    def test_ids_that_are_numbers_by_declaration(self) -> None:
        content = Records("f", "row", ("qid",), (), {"qid": "int64"})

        assert "column 'qid' holds int64; write the IDs as text" in refusal_of(content.needed_id, QUERY)

    def test_names_that_go_before_others(self) -> None:
        content = Records("f", "line", ("qid", "_id"), ())

        assert content.needed_id(QUERY, rather=("_id", "id")) == "_id"

    def test_that_are_not_used_are_noted(self) -> None:
        assert self.content.others(["Query_ID", None]) == ("f: not used: rank, lang",)
        assert self.content.others(self.content.fields) == ()


class TestLaterFields:
    """Fields that a record has, and the first one has not."""

    def read(self, *values: dict[str, Any]) -> Records:
        content = json_array(list(values), "f")
        content.needed_id(QUERY)
        content.named(RANK)
        assert len(list(content)) == len(values)
        return content

    def test_are_noted_once(self) -> None:
        content = self.read({"qid": "q"}, {"qid": "r", "lang": "en"}, {"qid": "s", "lang": "en"})

        assert content.others(["qid"]) == ("f: not used: lang",)
        assert content.faults.total == 0

    @pytest.mark.parametrize("name", ["topic", "rank", "RANK"])
    def test_must_not_play_a_part(self, name: str) -> None:
        content = self.read({"qid": "q"}, {"qid": "r", name: 1})

        assert [str(fault) for fault in content.faults.kept] == [
            f"f, row 2: {name!r} stands here, and not in the first record"
        ]


class TestIds:
    @pytest.mark.parametrize(
        ("value", "said"),
        [
            ("", "qid is empty"),
            (5, "qid is 5 and must be text"),
            (None, "qid is null and must be text"),
            (True, "qid is true and must be text"),
            ([1], "qid is a list and must be text"),
        ],
    )
    def test_are_text(self, value: object, said: str) -> None:
        fault = id_fault(value, "qid", {"file": "f", "line": 3})

        assert str(fault) == f"f, line 3: {said}"

    @pytest.mark.parametrize("value", [" ", "0", "null", "é"])
    def test_may_be_any_text(self, value: str) -> None:
        assert id_fault(value, "qid", {}) is None


class TestShown:
    @pytest.mark.parametrize("text", ["1.50", "1e3", "null", "true", "7"])
    def test_is_what_the_file_says(self, text: str) -> None:
        assert shown(parse_json(text, "f")) == text

    def test_is_that_it_is_an_object_or_a_list(self) -> None:
        assert (shown(["x"] * 1_000), shown({})) == ("a list", "an object")


class TestNamesColumns:
    @pytest.mark.parametrize(
        ("fields", "expected"), [(["QID", "rank"], True), (["qid"], False), (["qid ", "rank"], False)]
    )
    def test_tells_a_header(self, fields: list[str], expected: bool) -> None:  # noqa: FBT001 - what is expected
        assert names_columns(fields, QUERY, RANK) is expected

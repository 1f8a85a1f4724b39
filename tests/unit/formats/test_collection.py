from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest

import rankeval
from rankeval.formats import Source
from rankeval.formats.collection import read_corpus, read_qrels, read_queries
from rankeval.formats.json_text import parse_json
from rankeval.formats.judgments import shown_label

HARD_IDS = [
    *("001", "1", "1e5", "NA", "null", "nan", "None", "12345678901234567890", " a", "a ", "#7", 'a"b', "\U0001f600"),
    *("x" * 300, "caf\u00e9", "cafe\u0301", "a\u00a0b", "a\u2028b", "a\x0bb", "q1"),
]


def source(content: str | bytes) -> Source:
    return Source("part", content.encode() if isinstance(content, str) else content)


def refusal_of(call: Any, content: str | bytes) -> rankeval.FormatError:
    with pytest.raises(rankeval.FormatError) as refusal:
        call(source(content))
    return refusal.value


class TestCorpus:
    @pytest.mark.parametrize(
        "content",
        [
            '{"d1": {"title": "t", "text": ""}, "d2": "x"}',
            '{"_id": "d1", "title": "t", "text": ""}\n{"_id": "d2", "text": "x"}\n',
            '[{"doc_id": "d1", "title": "t", "text": ""}, {"doc_id": "d2", "title": null, "text": "x"}]',
            "ID,Title,Text\nd1,t,\nd2,,x\n",
            "docno\ttext\ttitle\nd1\t\tt\nd2\tx\t\n",
            pd.DataFrame({"id": ["d1", "d2"], "title": ["t", None], "text": ["", "x"]}).to_parquet(),
        ],
    )
    def test_one_in_every_format(self, content: str | bytes) -> None:
        assert read_corpus(source(content)).content == {"d1": {"title": "t", "text": ""}, "d2": "x"}

    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            ('{"_id": "d", "text": "x"}', {"d": "x"}),
            ('{"doc": "x", "d2": "y"}', {"doc": "x", "d2": "y"}),
            ('{"id": {"text": "x"}, "text": {"text": "y"}}', {"id": {"text": "x"}, "text": {"text": "y"}}),
        ],
    )
    def test_a_lone_object_is_a_record_if_it_has_an_id_and_a_text(self, content: str, expected: Any) -> None:
        assert read_corpus(source(content)).content == expected

    def test_other_fields_are_noted_also_those_of_later_records(self) -> None:
        part = read_corpus(source('{"_id": "d", "text": "x", "url": "u"}\n{"_id": "e", "text": "x", "metadata": {}}\n'))

        assert part.notes == ("part: not used: url, metadata",)

    def test_all_faults_together(self) -> None:
        content = '{"_id": 3, "text": "x"}\n{"_id": "d", "text": "x"}\n{"_id": "d", "text": "x"}\n'
        content += (
            '{"_id": "e", "text": null}\n{"_id": "", "text": "x"}\n{"_id": "f", "text": "x", "title": 5}\n{"_id"\n'
        )
        refusal = refusal_of(read_corpus, content)

        assert [(fault.line, fault.detail) for fault in refusal.faults] == [
            (1, "_id is 3 and must be text"),
            (3, "'d', first on line 2"),
            (4, "text is null and must be text"),
            (5, "_id is empty"),
            (6, "title is 5 and must be text"),
            (7, "column 7: Expecting ':' delimiter"),
        ]

    def test_a_column_of_numbers_as_ids(self) -> None:
        content = pd.DataFrame({"_id": [1], "text": ["x"]}).to_parquet()

        assert "column '_id' holds int64" in str(refusal_of(read_corpus, content))

    @pytest.mark.parametrize("hard", HARD_IDS)
    def test_ids_are_text(self, hard: str) -> None:
        record = {"_id": hard, "text": "x"}
        frame = pd.DataFrame([record])
        for content in (
            json.dumps({hard: "x"}),
            json.dumps(record),
            json.dumps([record]),
            frame.to_csv(index=False),
            frame.to_parquet(),
        ):
            assert read_corpus(source(content)).content == {hard: "x"}

    def test_a_text_of_any_length(self) -> None:
        content = pd.DataFrame({"_id": ["d"], "text": ["x, " * 100_000]}).to_csv(index=False)

        assert len(read_corpus(source(content)).content["d"]) == 300_000


class TestQueries:
    @pytest.mark.parametrize(
        "content",
        [
            '{"_id": "q", "text": "a", "metadata": {"split": "dev"}, "group": "g"}\n',
            '{"q": {"text": "a", "group": "g", "split": "dev"}}',
            "query_id,text,split,group\nq,a,dev,g\n",
            pd.DataFrame({"qid": ["q"], "text": ["a"], "metadata": [{"split": "dev"}], "group": ["g"]}).to_parquet(),
        ],
    )
    def test_one_in_every_format(self, content: str | bytes) -> None:
        part = read_queries(source(content))

        assert part.splits == {"q": ("dev",)}
        assert {"text": "a", "group": "g"}.items() <= part.content["q"].items()

    def test_empty_cells_state_nothing(self) -> None:
        part = read_queries(source("qid,text,split,group\nq,a,,\n"))

        assert (part.content, part.splits) == ({"q": {"text": "a"}}, {"q": ()})

    def test_both_splits_that_are_stated(self) -> None:
        part = read_queries(source('{"_id": "q", "text": "a", "split": "dev", "metadata": {"split": "test"}}'))

        assert part.splits == {"q": ("dev", "test")}

    def test_metadata_that_states_nothing_is_noted_as_a_whole(self) -> None:
        part = read_queries(source("_id,text,split,metadata\nq,a,dev,new\n"))

        assert (part.splits, part.notes) == ({"q": ("dev",)}, ("part: not used: metadata",))

    def test_other_fields_are_noted_also_those_of_the_metadata(self) -> None:
        part = read_queries(source('{"_id": "q", "text": "a", "lang": "en", "metadata": {"split": "dev", "url": "u"}}'))

        assert part.notes == ("part: not used: lang", "part: not used: metadata.url")


class TestQrels:
    @pytest.mark.parametrize(
        "content",
        [
            '{"q": {"d": 1, "e": -2}}',
            '{"qid": "q", "doc": "d", "rel": 1}\n{"qid": "q", "doc": "e", "rel": -2}\n',
            '[{"qid": "q", "doc": "d", "rel": 1}, {"qid": "q", "doc": "e", "rel": -2}]',
            "q 0 d 1\nq 0 e -2\n",
            "query-id\tcorpus-id\tscore\nq\td\t1\nq\te\t-2\n",
            "grade,topic,pid\n1,q,d\n-2,q,e\n",
            pd.DataFrame({"query": ["q", "q"], "doc": ["d", "e"], "label": [1, -2]}).to_parquet(),
        ],
    )
    def test_one_in_every_format(self, content: str | bytes) -> None:
        assert read_qrels(source(content)).labels == {"q": {"d": 1, "e": -2}}

    def test_a_single_record(self) -> None:
        assert read_qrels(source('{"qid": "q", "doc": "d", "rel": 1}')).labels == {"q": {"d": 1}}

    @pytest.mark.parametrize("query", ["{q", "[q]", '{"q":'])
    def test_a_query_that_begins_like_json(self, query: str) -> None:
        assert read_qrels(source(f"{query} 0 d 1\n")).labels == {query: {"d": 1}}

    def test_json_whose_first_line_looks_like_trec(self) -> None:
        assert read_qrels(source('{ "q": {"d": 1\n}}')).labels == {"q": {"d": 1}}

    def test_other_columns_are_noted(self) -> None:
        assert read_qrels(source("qid,doc,rel,by\nq,d,1,me\n")).notes == ("part: not used: by",)

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            ("query-id\tcorpus-id\nq\td\n", "no label column"),
            ("q,d,1\n", "a header row must name the columns"),
            ("q 0 d\nq 0 e 1\n", "line 1: 3 fields, 4 expected"),
            ("qid,doc,rel,grade\n", "'rel' and 'grade' could both be the label"),
            ("qid,doc,rel\nq,d,1\nq,d,1\n", "line 3, query 'q', document 'd': first on line 2"),
            ('{"q":\n{"d": 1,\n"e": 2.0}}', "line 3, query 'q', document 'e': the label is 2.0"),
            ('{"q":\n{"d": "1"}}', """line 2, query 'q', document 'd': the label is "1\""""),
            ('{"q": {"d": 1},\n"r": 5}', "line 2, query 'r': its judgments are an object: document -> label"),
            ("[]", "the header has nothing"),
            ('{"": {"d": 1}}', "the query or the document is empty"),
            ('{"q": {"": 1}}', "the query or the document is empty"),
            (pd.DataFrame({"qid": ["q"], "doc": ["d"], "rel": [1.0]}).to_parquet(), "row 1"),
            (pd.DataFrame({"qid": ["q"], "doc": ["d"], "rel": [True]}).to_parquet(), "the label is true"),
        ],
    )
    def test_what_is_refused(self, content: str | bytes, words: str) -> None:
        assert words in str(refusal_of(read_qrels, content))

    def test_many_faults_in_json_take_one_walk(self) -> None:
        labels = {f"q{i}": {f"d{j}": "x" for j in range(100)} for i in range(100)}

        assert refusal_of(read_qrels, json.dumps(labels, indent=1)).total == 10_000


class TestShownLabel:
    @pytest.mark.parametrize("text", ["1.0", '"1"', '"\u00e9"', "true", "null", "1e2"])
    def test_is_what_the_file_says(self, text: str) -> None:
        assert shown_label(parse_json(text, "f")) == text

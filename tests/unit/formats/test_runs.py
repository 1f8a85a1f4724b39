from __future__ import annotations

import gzip
import io
import json
from typing import Any

import pandas as pd
import pytest

import rankeval
from rankeval.formats import Ordering, Source
from rankeval.formats.runs import read_run

HARD_IDS = [
    "001",
    "1",
    "1e5",
    "NA",
    "null",
    "nan",
    "None",
    "12345678901234567890",
    "#7",
    'a"b',
    "'",
    "😀",
    "x" * 300,
    "caf\u00e9",
    "cafe\u0301",
    "q1",
    "true",
    "-1",
    "1.0",
]


def read(content: str | bytes, name: str = "run.txt", **options: Any) -> rankeval.Run:
    data = content if isinstance(content, bytes) else content.encode()
    return read_run(Source.upload(name, data), **options)


def refusal_of(content: str | bytes, **options: Any) -> rankeval.FormatError:
    with pytest.raises(rankeval.FormatError) as refusal:
        read(content, **options)
    return refusal.value


SAME_RUN = {
    "lists": '{"q1": ["d2", "d1"], "q2": ["d1"]}',
    "named": '{"format": "rankeval-run/1", "rankings": {"q1": ["d2", "d1"], "q2": ["d1"]}}',
    "JSON lines of lists": '{"query_id": "q1", "ranking": ["d2", "d1"]}\n{"query_id": "q2", "ranking": ["d1"]}\n',
    "JSON lines of rows": '{"qid": "q1", "docno": "d2", "rank": 1}\n{"qid": "q1", "docno": "d1", "rank": 2}\n'
    '{"qid": "q2", "docno": "d1", "rank": 1}',
    "JSON array of rows": '[{"query": "q1", "doc": "d2", "score": 2.5}, {"query": "q1", "doc": "d1", "score": 1},'
    ' {"query": "q2", "doc": "d1", "score": 0}]',
    "scores": '{"q1": {"d1": 1, "d2": 2.5}, "q2": {"d1": -3}}',
    "TREC": "q1 Q0 d2 1 9.5 x\nq1 Q0 d1 2 9.25 x\nq2 Q0 d1 1 3 x\n",
    "TREC with tabs, many spaces, from 0": "q1\tQ0\td2  0 9.5 x\r\nq1 Q0 d1 1 9.25 x\r\nq2 Q0 d1 0 3 x",
    "TREC with the lines of queries mixed": "q1 Q0 d1 2 1 x\nq2 Q0 d1 1 3 x\nq1 Q0 d2 1 2 x\n",
    "MS MARCO": "q1\td2\t1\nq1\td1\t2\nq2\td1\t1\n",
    "CSV": "rank,doc_id,query_id\n1,d2,q1\n2,d1,q1\n1,d1,q2\n",
    "CSV with a BOM and quotes": '\ufeffQuery,Document,Score\n"q1","d1",1\nq1,d2,2\nq2,d1,3\n',
    "TSV with a trailing tab": "topic\tpid\tsim\nq1\td2\t2\t\nq1\td1\t1\nq2\td1\t1",
}


class TestFormats:
    @pytest.mark.parametrize("name", SAME_RUN)
    def test_one_run_in_every_format(self, name: str) -> None:
        assert read(SAME_RUN[name]).rankings == {"q1": ["d2", "d1"], "q2": ["d1"]}

    @pytest.mark.parametrize("name", SAME_RUN)
    def test_gzip(self, name: str) -> None:
        assert read(gzip.compress(SAME_RUN[name].encode())).rankings == {"q1": ["d2", "d1"], "q2": ["d1"]}

    def test_parquet(self) -> None:
        frame = pd.DataFrame({"query_id": ["q1", "q1", "q2"], "doc_id": ["d1", "d2", "d1"], "score": [1.0, 2.0, 1.0]})
        frame["query_id"] = frame["query_id"].astype("category")

        assert read(frame.to_parquet()).rankings == {"q1": ["d2", "d1"], "q2": ["d1"]}

    @pytest.mark.parametrize("lines", [True, False])
    def test_pandas_json(self, lines: bool) -> None:  # noqa: FBT001 - a parameter of the test
        frame = pd.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["007", "d2"], "rank": [2, 1]})

        assert read(frame.to_json(orient="records", lines=lines)).rankings == {"q1": ["d2", "007"]}

    def test_pandas_csv(self) -> None:
        frame = pd.DataFrame({"query_id": HARD_IDS, "doc_id": HARD_IDS, "score": 1.5})

        assert read(frame.to_csv(index=False)).rankings == {each: [each] for each in HARD_IDS}

    def test_an_empty_run(self) -> None:
        assert read("{}").rankings == {}
        assert read("query_id,doc_id,rank\n").rankings == {}

    def test_an_empty_list_is_not_a_missing_query(self) -> None:
        assert read('{"q1": [], "q2": {}}'.replace("{}", "[]")).rankings == {"q1": [], "q2": []}
        assert read('{"q1": {}}').rankings == {"q1": []}

    @pytest.mark.parametrize(
        ("content", "rule"),
        [
            ("q1,d1,1\nq1,d2,2\n", "a header row must name the columns"),
            ("q1\td1\t0.5\n", "a header row must name the columns"),
            ("query_id,doc_id\nq1,d1\n", "the file has neither rank nor score, so it has no order"),
            ("query,qid,doc,rank\n", "a header row must name the columns"),
            ("query,query,doc,rank\n", "a header row must name the columns"),
            ("q1 d1\n", "a line has the wrong number of fields"),
            ("q1 Q0 d1 1 0.5 x\nq1 Q0 d2 2\n", "a line has the wrong number of fields"),
            ("query_id,doc_id,rank\nq1,d1\n", "a line has the wrong number of fields"),
            ('query_id,doc_id,rank\nq1,"d1,1\n', "a quoted field is not closed, or goes on after its closing quote"),
            ('query_id,doc_id,rank\nq1,d"1,1\n', "a quoted field is not closed, or goes on after its closing quote"),
            ('query_id,doc_id,rank\nq1,"d"1,1\n', "a quoted field is not closed, or goes on after its closing quote"),
            ("query_id,doc_id,rank\nq1,d\r1,1\n", "a quoted field is not closed, or goes on after its closing quote"),
            ("query_id,doc_id,rank\n,d1,1\n", "an ID must not be empty"),
            ("q1\t\t1\n", "an ID must not be empty"),
            ('{"q1": [1]}', "IDs must be text, not numbers"),
            ('{"q1": [null]}', "ranking must be a list of document IDs"),
            ('{"q1": "d1"}', "ranking must be a list of document IDs"),
            ('{"q1": ["d1"], "q2": {"d1": 1}}', "ranking must be a list of document IDs"),
            ('{"q1": ["\\ud800"]}', "the file is not text in UTF-8"),
            ('{"q1": {"d1": "1"}}', "a score must be a finite decimal number"),
            ('{"q1": {"d1": true}}', "a score must be a finite decimal number"),
            ('{"query_id": 1, "ranking": []}\n', "IDs must be text, not numbers"),
            ('{"query_id": "q", "ranking": []}\n{"query_id": "q", "ranking": []}', "an ID stands twice"),
            (
                '{"query_id": "q", "ranking": 5}\n{"query_id": "r", "ranking": []}',
                "ranking must be a list of document IDs",
            ),
            ('{"query_id": "q", "ranking": []}\n[]', "the JSON is not of the expected shape"),
            ("[1]", "the JSON is not of the expected shape"),
            ('"x"', "a line has the wrong number of fields"),
            ("query,doc\rrank,x\n", "a header row must name the columns"),
            ('{"format": "other"}', "the format of the file is not known here"),
            ('{"format": "rankeval-run/1"}', "the JSON is not of the expected shape"),
            ('{"format": "rankeval-run/1", "rankings": {}, "name": 5}', "the JSON is not of the expected shape"),
            (
                '{"format": "rankeval-run/1", "rankings": {}, "declarations": 5}',
                "the JSON is not of the expected shape",
            ),
            (
                '{"format": "rankeval-run/1", "rankings": {}, "run_sha256": "00"}',
                "a stated fingerprint does not match the content",
            ),
            (b"PAR1\x15\x00 and nothing more", "the format of the file is not known here"),
        ],
    )
    def test_what_is_refused(self, content: str | bytes, rule: str) -> None:
        assert refusal_of(content).rule == rule

    def test_where_a_line_was_refused_a_gap_in_the_ranks_says_no_more(self) -> None:
        refusal = refusal_of("q Q0 d1 1 3 x\nq Q0 d2 2\nq Q0 d3 3 1 x\n")

        assert [(fault.line, fault.detail) for fault in refusal.faults] == [(2, "4 fields, 6 expected")]

    @pytest.mark.parametrize("named", ["csv", "tsv", "parquet"])
    @pytest.mark.parametrize("written", ["csv", "tsv", "parquet"])
    def test_a_table_is_read_as_what_it_is_named(self, named: str, written: str) -> None:
        frame = pd.DataFrame({"query": ["q"], "doc": ["d"], "rank": ["1"]})
        data = {
            "csv": frame.to_csv(index=False).encode(),
            "tsv": frame.to_csv(index=False, sep="\t").encode(),
            "parquet": frame.to_parquet(),
        }[written]
        if named == written:
            assert read_run(Source("f", data), input_format=named).rankings == {"q": ["d"]}
        else:
            with pytest.raises(rankeval.FormatError):
                read_run(Source("f", data), input_format=named)

    def test_a_tab_in_the_header_of_named_csv(self) -> None:
        data = b'query,doc,rank,"a\tb"\nq,d,1,x\n'

        assert read_run(Source("f", data), input_format="csv").rankings == {"q": ["d"]}

    def test_a_format_that_there_is_not(self) -> None:
        assert refusal_of("{}", input_format="xml").rule == "an option does not fit the file"

    def test_a_parquet_file_with_numbers_as_ids(self) -> None:
        frame = pd.DataFrame({"query_id": ["q1"], "doc_id": [7], "rank": [1]})

        assert "column 'doc_id' holds int64" in str(refusal_of(frame.to_parquet()))

    def test_all_faults_in_one_pass(self) -> None:
        lines = [f"q{i} Q0 d1 1 nan x" if i % 2 else f"q{i} d1" for i in range(30)]
        refusal = refusal_of("q0 Q0 d 1 1 x\n" + "\n".join(lines))

        assert refusal.total == 30
        assert (refusal.faults[0].line, refusal.faults[0].detail) == (2, "2 fields, 6 expected")

    @pytest.mark.parametrize(
        ("content", "places"),
        [
            ("q Q0 d1 1 2 t x\nq Q0 d2 2 1 t\nq d3\n", [(1, "7 fields, 6 expected"), (3, "2 fields, 6 expected")]),
            ("q,d1,1\nq\td2\t2\nq\td3\n", [(1, "1 fields, 3 expected"), (3, "2 fields, 3 expected")]),
        ],
    )
    def test_a_fault_of_the_first_line_hides_no_other(self, content: str, places: list[tuple[int, str]]) -> None:
        assert [(fault.line, fault.detail) for fault in refusal_of(content).faults] == places

    def test_the_first_line_of_json_lines_is_a_line_like_any_other(self) -> None:
        lines = ['{"qid": "q", "qid": "r"}', '{"qid": "q", "ranking": []}', '{"qid": NaN}', "[]"]

        assert [(fault.rule, fault.line) for fault in refusal_of("\n".join(lines)).faults] == [
            ("a JSON object holds the same key twice", 1),
            ("NaN and Infinity are not JSON", 3),
            ("the JSON is not of the expected shape", 4),
        ]

    def test_json_lines_of_which_none_can_be_read(self) -> None:
        assert [fault.line for fault in refusal_of('{"qid": NaN}\n{"qid": NaN}\n').faults] == [1, 2]

    def test_places_are_looked_for_as_long_as_faults_are_kept(self) -> None:
        refusal = refusal_of('{"q": {' + ",\n".join(f'"d{i}": "x"' for i in range(1_500)) + "}}")

        assert (refusal.total, refusal.faults[-1].line) == (1_500, 1_000)


class TestIds:
    @pytest.mark.parametrize("hard", HARD_IDS)
    def test_are_text_from_the_first_byte_to_the_last(self, hard: str) -> None:
        quoted = '"' + hard.replace('"', '""') + '"'
        for content in (
            json.dumps({hard: [hard]}),
            json.dumps({hard: {hard: 1}}),
            json.dumps({"query_id": hard, "doc_id": hard, "rank": 1}),
            f"{hard} Q0 {hard} 1 1.5 tag\n",
            f"{hard}\t{hard}\t1\n",
            f"query_id\tdoc_id\trank\n{hard}\t{hard}\t1\n",
            f"query_id,doc_id,rank\n{quoted},{quoted},1\n",
            pd.DataFrame({"query_id": [hard], "doc_id": [hard], "rank": [1]}).to_parquet(),
        ):
            assert read(content).rankings == {hard: [hard]}

    @pytest.mark.parametrize("hard", [" a", "a ", "a b", "\u00a0", "a\u2028b", "a\x0bb"])
    def test_blanks_stay_where_the_format_can_carry_them(self, hard: str) -> None:
        for content in (json.dumps({hard: [hard]}), f"query_id,doc_id,rank\n{hard},{hard},1\n", f"{hard}\t{hard}\t1\n"):
            assert read(content).rankings == {hard: [hard]}

    def test_line_ends_in_a_quoted_field_stay_as_they_are(self) -> None:
        content = 'query_id,doc_id,rank\r\nq1,"a\r\nb",1\r\nq1,"c\nd",2\r\n'

        assert read(content).rankings == {"q1": ["a\r\nb", "c\nd"]}


class TestOrder:
    """The table of DESIGN.md's "Files", row by row."""

    def trec(self, *rows: tuple[str, str, str]) -> str:
        return "".join(f"q Q0 {document} {rank} {score} x\n" for document, rank, score in rows)

    @pytest.mark.parametrize("ranks", ["1 2 3", "0 1 2", "3 1 2", "2 0 1"])
    def test_rank(self, ranks: str) -> None:
        at = ranks.split()
        content = "query,doc,rank\n" + "".join(f"q,d{rank},{rank}\n" for rank in at)

        assert read(content).rankings["q"] == [f"d{rank}" for rank in sorted(at)]

    @pytest.mark.parametrize("ranks", ["2 3", "1 3", "1 1 2", "0 0", "0 2", "-1 0", "1 2.0", "x 1", "\uff11 2", "1 +2"])
    @pytest.mark.parametrize("order", [None, "rank"])
    def test_a_rank_that_is_none(self, ranks: str, order: Any) -> None:
        content = "query,doc,rank\n" + "".join(f"q,d{i},{rank}\n" for i, rank in enumerate(ranks.split()))
        refusal = refusal_of(content, ordering=Ordering(order))

        assert refusal.rule == "ranks must start at 1 or 0 and have no gap and no repeat within a query"

    def test_rank_and_score_agree_also_where_scores_are_equal(self) -> None:
        assert read(self.trec(("b", "2", "1.0"), ("a", "1", "1.00"))).rankings == {"q": ["a", "b"]}

    @pytest.mark.parametrize(
        ("first", "second"), [("1", "2"), ("0.1", "0.10000000000000000000001"), ("-2", "-1.5"), ("1e3", "1001")]
    )
    def test_rank_and_score_disagree(self, first: str, second: str) -> None:
        content = self.trec(("a", "1", first), ("b", "2", second))
        refusal = refusal_of(content)

        assert refusal.rule == "rank and score disagree; declare which of them is the order"
        assert refusal.faults[0].line == 2
        assert read(content, ordering=Ordering("rank")).rankings == {"q": ["a", "b"]}
        assert read(content, ordering=Ordering("score")).rankings == {"q": ["b", "a"]}

    def test_order_score_does_not_look_at_the_rank(self) -> None:
        content = self.trec(("a", "x", "1"), ("b", "7", "2"))

        assert read(content, ordering=Ordering("score")).rankings == {"q": ["b", "a"]}

    def test_a_tie_leaves_the_order_open(self) -> None:
        content = "query,doc,score\nq,b,1.0\nq,a,2\nq,c,1\n"
        refusal = refusal_of(content)

        assert refusal.rule == "a tie: equal scores within a query leave the order open"
        assert refusal.faults[0].line == 4
        assert read(content, ordering=Ordering(ties="file-order")).rankings == {"q": ["a", "b", "c"]}

    def test_scores_are_compared_in_full_precision(self) -> None:
        content = "query,doc,score\nq,a,0.12345678901234567891\nq,b,0.12345678901234567892\n"

        assert read(content).rankings == {"q": ["b", "a"]}
        assert read('{"q": {"a": 0.12345678901234567891, "b": 0.12345678901234567892}}').rankings == {"q": ["b", "a"]}

    def test_scores_beyond_floats_are_numbers_too(self) -> None:
        assert read("query,doc,score\nq,a,1e999\nq,b,1e1000\nq,c,-1e999\n").rankings == {"q": ["b", "a", "c"]}

    @pytest.mark.parametrize("score", ["nan", "inf", "-Infinity", "1_000", "", "abc", "\uff11", "0x1", "1e", "."])
    @pytest.mark.parametrize("order", [None, "rank", "score"])
    def test_a_score_that_is_none_refuses_whatever_decides_the_order(self, score: str, order: Any) -> None:
        content = f"query,doc,rank,score\nq,a,1,{score}\n"

        assert refusal_of(content, ordering=Ordering(order)).rule == "a score must be a finite decimal number"

    def test_a_declared_column_that_is_not_there(self) -> None:
        assert refusal_of("q\td\t1\n", ordering=Ordering("score")).rule == "an option does not fit the file"
        assert refusal_of('{"q": {"d": 1}}', ordering=Ordering("rank")).rule == "an option does not fit the file"

    def test_a_declared_choice_is_recorded(self) -> None:
        run = read(self.trec(("a", "1", "1")), ordering=Ordering("rank", "file-order"))

        assert [str(each) for each in run.declarations] == ["--order rank", "--ties file-order"]


class TestNamesAndNotes:
    @pytest.mark.parametrize(
        ("file", "name"),
        [("bm25.trec", "bm25"), ("bm25.v2.json.gz", "bm25.v2"), ("run", "run"), (".json", ".json"), ("a.b", "a.b")],
    )
    def test_a_run_is_called_by_its_file(self, file: str, name: str) -> None:
        assert read("{}", file).name == name

    def test_or_by_its_own_name(self) -> None:
        assert read('{"format": "rankeval-run/1", "name": "mine", "rankings": {}}').name == "mine"

    def test_or_as_somebody_says(self) -> None:
        assert read("{}", name="mine.json").name == "mine"

    def test_what_is_recorded_of_the_system(self) -> None:
        content = {
            "format": "rankeval-run/1",
            "rankings": {},
            "system": {"model": "m", "filters": None, "colour": "red"},
            "declarations": [{"option": "order", "value": "score", "effect": ""}],
            "extra": 1,
        }
        run = read(json.dumps(content), "f.json")

        assert run.system == {"model": "m"}
        assert run.notes == ("f.json: not used: extra, colour",)
        assert [str(each) for each in run.declarations] == ["--order score"]

    def test_a_trec_tag_is_only_noted(self) -> None:
        run = read("q Q0 d 1 1 bm25\n", "x.trec")

        assert (run.name, run.notes) == ("x", ("x.trec: the TREC tag is 'bm25'",))

    def test_other_columns_are_noted(self) -> None:
        assert read("query,doc,rank,lang\nq,d,1,en\n", "f.csv").notes == ("f.csv: not used: lang",)


class TestPlaces:
    @pytest.mark.parametrize(
        ("content", "place"),
        [
            ("q1 Q0 d2 2 1 x\nq1 Q0 d1 1 2 x\n", ("f", 1, None)),
            ("query,doc,rank\nq1,d1,1\nq1,d2,2\n", ("f", 3, None)),
            ('{"q1": ["d1",\n"d2"]}', ("f", 2, None)),
            ('{"q1": {"d1": 2,\n\n"d2": 1}}', ("f", 3, None)),
            ('{"query_id": "q0", "ranking": []}\n{"query_id": "q1", "ranking": ["d1", "d2"]}', ("f", 2, None)),
        ],
    )
    def test_a_document_is_found_again(self, content: str, place: tuple[Any, ...]) -> None:
        run = read(content, "f")
        assert run.locate is not None
        found = run.locate("q1", 2)

        assert found is not None
        assert (found.file, found.line, found.row) == place

    def test_a_row_of_parquet(self) -> None:
        buffer = io.BytesIO()
        pd.DataFrame({"query_id": ["q", "q"], "doc_id": ["b", "a"], "rank": [2, 1]}).to_parquet(buffer)
        run = read(buffer.getvalue(), "f")
        assert run.locate is not None
        found = run.locate("q", 1)

        assert found is not None
        assert (found.line, found.row) == (None, 2)

    def test_an_unknown_document_is_named_with_its_line(self, protocol: rankeval.Protocol) -> None:
        with pytest.raises(rankeval.RunError, match=r"run\.txt, line 2, query 'q2', document 'd9', position 2"):
            protocol.score(read("q2 Q0 d3 1 2 x\nq2 Q0 d9 2 1 x\n"))


class TestTold:
    """The format is told by content; what fits two is refused until one is named."""

    @pytest.mark.parametrize(
        ("content", "formats", "read_as"),
        [
            (
                "query,doc,rank,x Q0 d 1 0.5 tag\n",
                "trec or csv",
                {"trec": {"query,doc,rank,x": ["d"]}, "csv": {}},
            ),
            (
                '{"q1": ["x z 1 2 y"]}',
                "trec or json",
                {"trec": {'{"q1":': ["z"]}, "json": {"q1": ["x z 1 2 y"]}},
            ),
        ],
    )
    def test_what_fits_two(self, content: str, formats: str, read_as: Any) -> None:
        refusal = refusal_of(content)

        assert refusal.rule == "the file fits two formats; name the one it is in"
        assert f"--input-format {formats}" in str(refusal)
        assert {each: dict(read(content, input_format=each).rankings) for each in formats.split(" or ")} == read_as

    @pytest.mark.parametrize("query", ["[", "{", '{"q":', "[CLS]", "{}"])
    @pytest.mark.parametrize("row", ["{} Q0 d 1 0.5 tag\n", "{} Q0 d 1 0.5 {{\n", "{}\td\t1\n"])
    def test_a_query_that_begins_like_json(self, query: str, row: str) -> None:
        assert read(row.format(query)).rankings == {query: ["d"]}

    @pytest.mark.parametrize(
        ("content", "rule"),
        [
            ('{"q": ["d"', "the file is not JSON"),
            ('{"a a 1 1 b": NaN}', "NaN and Infinity are not JSON"),
            ("query_id;doc_id;rank\nq;d;1\n", "a header row must name the columns"),
            ("q Q0 d one 0.5 x\n", "ranks must start at 1 or 0 and have no gap and no repeat within a query"),
            ("q Q0 d 1 high x\n", "a score must be a finite decimal number"),
            ("query_id,doc_id,rank\rq,d,1\r", "a header row must name the columns"),
            ("\ufeff", "the file is empty"),
            ("caf\xe9 Q0 d 1 1 x\n".encode("latin-1"), "the file is not text in UTF-8"),
            ("quéry,doc,rank\nq,d,1\n".encode("latin-1"), "the file is not text in UTF-8"),
        ],
    )
    def test_what_fits_none_is_refused_by_the_nearest(self, content: str | bytes, rule: str) -> None:
        assert refusal_of(content).rule == rule

    @pytest.mark.parametrize("text", ["q1 Q0 d1 1 2.5 t\n", '{"q1": ["d1"]}', "query,doc,rank\nq1,d1,1\n", "q"])
    @pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"])
    def test_what_is_in_another_encoding_is_refused_as_that(self, text: str, encoding: str) -> None:
        assert refusal_of(text.encode(encoding)).rule == "the file is not text in UTF-8"

    def test_a_list_of_nothing_is_no_run(self) -> None:
        with pytest.raises(rankeval.FormatError, match=r"an empty list names no query; a run that .* is \{\}"):
            read("[]")


class TestJson:
    def test_the_output_of_collapse(self) -> None:
        content = {"adapter_sha256": "ab", "document_runs": {"q": ["d", "e"], "r": []}, "evidence": {}}
        run = read(json.dumps(content, indent=1), "c.json")

        assert run.rankings == {"q": ["d", "e"], "r": []}
        assert run.from_chunks is not None
        assert (run.from_chunks.adapter_sha256, run.from_chunks.budget) == ("ab", None)
        assert "does not say of which run" in run.notes[0]
        assert run.locate is not None
        found = run.locate("q", 2)
        assert found is not None
        assert found.line == 6

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            ('{"q":\n["d",\n7]}', "f.json, line 3, query 'q', position 2: the entry is 7, which is no text"),
            ('{"q": ["d", 1.50]}', "the entry is 1.50, which is no text"),
            ('{"q": [],\n"r": 5}', "f.json, line 2, query 'r': 5 stands in place of a list"),
            ('{"q": ["d"], "r": {"d": [' + "1," * 500 + "1]}}", "query 'r': an object stands in place of a list"),
            ('{"q": {"d": 1,\n"e": null}}', "f.json, line 2, query 'q', document 'e': the score is null"),
            ('{"q": {"d": 1,\n"e": 1e999}}', "f.json, line 2: 1e999 stands there"),
            ('{"q": {"d": ' + "1" * 5_000 + "}}", "a number of thousands of digits"),
            ('{"q":\n["\\udc00"]}', "f.json, line 2: '\\udc00' is half a character"),
            ('{"format": "rankeval-run/1", "rankings": {"q": ["\\ud800"]}, "run_sha256": "0"}', "half a character"),
            ('{"format": "rankeval-run/1", "rankings": {}, "system": 0}', "system an object"),
        ],
    )
    def test_what_is_refused_is_named_with_its_place(self, content: str, words: str) -> None:
        with pytest.raises(rankeval.FormatError) as refusal:
            read(content, "f.json")

        assert words in str(refusal.value)
        assert len(str(refusal.value)) < 500

    def test_whole_characters_may_be_escaped(self) -> None:
        assert read('{"\\ud83d\\ude00": ["\\u00e9", "\\\\ud800"]}').rankings == {"\U0001f600": ["\u00e9", "\\ud800"]}

    def test_equal_query_and_document_ids(self) -> None:
        assert read('{"a": ["a"]}').rankings == {"a": ["a"]}

    def test_many_faults_take_one_walk(self) -> None:
        content = json.dumps({f"q{i}": list(range(50)) for i in range(200)}, indent=1)

        assert refusal_of(content).total == 10_000

    def test_many_unknown_documents_are_found_soon(self, protocol: rankeval.Protocol) -> None:
        content = json.dumps({"q2": [f"x{i}" for i in range(20_000)]}, indent=1)
        with pytest.raises(rankeval.RunError) as refusal:
            protocol.score(read(content, "f.json"))

        assert refusal.value.total == 20_000
        assert refusal.value.faults[999].line == 1_002


class TestWhatADeclarationDoesNotTouch:
    def test_lists_are_in_their_own_order_and_record_nothing(self) -> None:
        run = read_run(Source("run.json", b'{"q": ["b", "a"]}'), ordering=Ordering("score", "file-order"))

        assert (dict(run.rankings), run.declarations) == ({"q": ["b", "a"]}, ())


class TestScoresPastADouble:
    def test_are_read_exactly_in_text(self) -> None:
        run = read_run(Source("run.txt", b"q Q0 a 1 1e999 t\nq Q0 b 2 9e998 t\n"))

        assert run.rankings["q"] == ["a", "b"]

    def test_are_refused_in_json_which_others_read_as_infinity(self) -> None:
        with pytest.raises(rankeval.FormatError, match="1e999"):
            read_run(Source("run.json", b'{"q": {"a": 1e999}}'))

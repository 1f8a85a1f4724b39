from __future__ import annotations

import pytest

import rankeval
from rankeval.formats import Ordering, Source
from rankeval.formats.trec import fields_of, looks_like_msmarco_run, read_msmarco_run, read_trec_qrels, read_trec_run


def source(text: str) -> Source:
    return Source("run.txt", text.encode())


def faults_of(call: object, *arguments: object) -> list[tuple[int | None, str]]:
    with pytest.raises(rankeval.FormatError) as refusal:
        call(*arguments)  # type: ignore[operator]
    return [(fault.line, fault.detail) for fault in refusal.value.faults]


class TestFields:
    @pytest.mark.parametrize(
        ("line", "fields"),
        [
            ("a b", ["a", "b"]),
            ("  a \t b\t", ["a", "b"]),
            ("\t ", []),
            ("a\u00a0b c", ["a\u00a0b", "c"]),
            ("a\u2028b\x0bc\x0cd\x85e\u3000f\rg", ["a\u2028b\x0bc\x0cd\x85e\u3000f\rg"]),
        ],
    )
    def test_are_separated_by_spaces_and_tabs_only(self, line: str, fields: list[str]) -> None:
        assert fields_of(line) == fields


class TestRun:
    def test_blank_lines_are_none(self) -> None:
        ordered, tag = read_trec_run(source(" \nq Q0 d 1 5 bm25\n\t\n\r\nq Q0 e 2 4 other\n"), Ordering())

        assert (ordered.rankings, tag) == ({"q": ["d", "e"]}, "bm25")

    def test_lines_of_another_length_are_all_named(self) -> None:
        text = "q Q0 d 1 5 x\nq Q0 annual report.pdf 2 4 x\nq Q0 e\n"

        assert faults_of(read_trec_run, source(text), Ordering()) == [
            (2, "7 fields, 6 expected"),
            (3, "3 fields, 6 expected"),
        ]

    def test_a_carriage_return_that_ends_no_line_is_a_character(self) -> None:
        ordered, tag = read_trec_run(source("q Q0 d\re 1 5 x\r"), Ordering())

        assert (ordered.rankings, tag) == ({"q": ["d\re"]}, "x\r")


class TestMsmarco:
    @pytest.mark.parametrize(
        "text",
        ["q\td 1\t1\nq\te\t2\n", "q\td 1\t1\t\nq\te\t2", "\n q\td 1\t1\n\t\n q\te\t2\r\n".replace("\n q", "\nq")],
    )
    def test_ids_between_tabs_may_have_spaces(self, text: str) -> None:
        assert read_msmarco_run(source(text), Ordering()).rankings == {"q": ["d 1", "e"]}

    def test_between_spaces_there_may_be_many(self) -> None:
        assert read_msmarco_run(source("q  d   1\n\nq\te 2"), Ordering()).rankings == {"q": ["d", "e"]}

    def test_a_line_without_tabs_among_those_with_tabs(self) -> None:
        assert faults_of(read_msmarco_run, source("q\td\t1\nq e 2\n"), Ordering()) == [(2, "1 fields, 3 expected")]

    def test_empty_ids(self) -> None:
        found = faults_of(read_msmarco_run, source("q\t\t1\n\te\t2\n"), Ordering())

        assert found == [(1, "the query or the document is empty"), (2, "the query or the document is empty")]

    @pytest.mark.parametrize("line", ["q\td 1\t7", "q d 7", "q\td\t7\t"])
    def test_is_told_by_its_third_field(self, line: str) -> None:
        assert looks_like_msmarco_run(line)
        assert not looks_like_msmarco_run(line.replace("7", "x"))


class TestQrels:
    def test_labels_of_every_sign(self) -> None:
        judgments = read_trec_qrels(source("q 0 d 1\n \t\nq 0 e -2\r\nr\t0\td\t0"))

        assert judgments.labels == {"q": {"d": 1, "e": -2}, "r": {"d": 0}}
        assert judgments.where["q"]["e"] == 3

    def test_all_faults_together(self) -> None:
        text = "q 0 d 1\nq d 1\nq 0 d 0\nq 0 e +1\nq 0 f 1.0\nq 0 g \u0661\nq 0 d 1\n"

        assert faults_of(read_trec_qrels, source(text)) == [
            (2, "3 fields, 4 expected"),
            (3, "first on line 1"),
            (4, "the label is '+1'"),
            (5, "the label is '1.0'"),
            (6, "the label is '\u0661'"),
            (7, "first on line 1"),
        ]

from __future__ import annotations

import csv
import io
import json

import pytest

import rankeval
from rankeval.core.review import Answer, Mark, Reason, Side, Sides, Verdict
from rankeval.formats.review_exports import answers_jsonl, answers_sheet
from rankeval.formats.spreadsheet import spreadsheet_csv

B_FIRST = Sides(x=Side.B)

FINAL = Answer(
    *("Bo", "q2", 2, Verdict.X_BETTER, B_FIRST, Reason.OUTDATED, '=1+1 "quoted"\nü'),
    marks={"d3": Mark.NOT_RELEVANT, "d1": Mark.RELEVANT, "d2": Mark.RELEVANT},
)
ANSWERS = [
    FINAL,
    Answer("Bo", "q2", 1, Verdict.CANNOT_TELL, B_FIRST),
    Answer("Ann", "q2", 1, Verdict.EQUAL, Sides(x=Side.A)),
    Answer("Ann", "q2", 2, None, Sides(x=Side.A)),
]

LAST_LINE = {
    "query": "q2",
    "annotator": "Bo",
    "revision": 2,
    "final": True,
    "verdict": "x_better",
    "x": "b",
    "finding": "candidate_better",
    "reason": "outdated",
    "note": '=1+1 "quoted"\nü',
    "marks": {"d3": "not_relevant", "d1": "relevant", "d2": "relevant"},
}


class TestJsonLines:
    def test_every_revision_in_order(self) -> None:
        lines = [json.loads(line) for line in answers_jsonl(ANSWERS).splitlines()]

        assert [(line["annotator"], line["revision"], line["final"]) for line in lines] == [
            ("Ann", 1, False),
            ("Ann", 2, False),
            ("Bo", 1, False),
            ("Bo", 2, True),
        ]

    def test_a_line_in_full(self) -> None:
        line = answers_jsonl(ANSWERS).decode().splitlines()[-1]

        assert json.loads(line) == LAST_LINE
        assert list(json.loads(line)) == list(LAST_LINE)
        assert "ü" in line

    def test_an_answer_taken_back(self) -> None:
        line = json.loads(answers_jsonl(ANSWERS[3:]))

        assert (line["verdict"], line["finding"], line["reason"], line["marks"]) == (None, None, None, {})

    def test_of_no_answer(self) -> None:
        assert answers_jsonl([]) == b""


class TestSheet:
    @pytest.fixture
    def rows(self, protocol: rankeval.Protocol) -> list[dict[str, str]]:
        text = spreadsheet_csv(answers_sheet(ANSWERS, protocol)).decode("utf-8-sig")
        return list(csv.DictReader(io.StringIO(text, newline="")))

    def test_every_revision_in_order(self, rows: list[dict[str, str]]) -> None:
        assert [(row["annotator"], row["revision"], row["final"], row["verdict"]) for row in rows] == [
            ("Ann", "1", "no", "equal"),
            ("Ann", "2", "no", ""),
            ("Bo", "1", "no", "cannot_tell"),
            ("Bo", "2", "yes", "x_better"),
        ]

    def test_a_row_in_full_from_which_no_formula_starts(
        self, rows: list[dict[str, str]], protocol: rankeval.Protocol
    ) -> None:
        assert rows[-1] == {
            "query": "q2",
            "need": protocol.queries["q2"]["text"],
            "annotator": "Bo",
            "revision": "2",
            "final": "yes",
            "verdict": "x_better",
            "x": "b",
            "finding": "candidate_better",
            "reason": "outdated",
            "note": '\'=1+1 "quoted"\nü',
            "relevant": "d1\nd2",
            "not_relevant": "d3",
            "apostrophe_added": "note",
        }

    def test_a_query_without_text(self) -> None:
        protocol = rankeval.Protocol({"d": ""}, {"q": {"split": "test"}}, {"q": {"d": 1}}, "test", 1)
        answer = Answer("Ann", "q", 1, Verdict.EQUAL, B_FIRST)

        assert answers_sheet([answer], protocol).rows[0][:2] == ("q", "")

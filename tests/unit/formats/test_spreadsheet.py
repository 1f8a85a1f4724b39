from __future__ import annotations

import csv
import io
import re
import unicodedata
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval.formats.spreadsheet import Sheet, comparison_sheet, escaped_cells, safe_text, score_sheet, spreadsheet_csv

NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
STARTERS = "=+-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋−"  # noqa: RUF001 - that some look like others is what they are here for


def table(sheet: Sheet) -> list[dict[str, str]]:
    """Read a table as a program does that knows nothing of us."""
    text = spreadsheet_csv(sheet).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def first_seen(cell: str) -> str:
    """Give the first character that is no blank and no control, as its plain form."""
    seen = [each for each in cell if unicodedata.category(each)[0] not in "CMZ"]
    return unicodedata.normalize("NFKC", seen[0])[0] if seen else ""


class TestSafeText:
    @pytest.mark.parametrize("starter", STARTERS)
    def test_nothing_can_start_a_formula(self, starter: str) -> None:
        assert safe_text(f"{starter}1+1") == f"'{starter}1+1"

    @pytest.mark.parametrize("unseen", [" ", "   ", "\u00a0", "\u3000", "\ufeff", "\u200b", "\x00", "\x0b", "\u202e"])
    def test_nor_behind_what_cannot_be_seen(self, unseen: str) -> None:
        assert safe_text(f"{unseen}=1+1") == f"{unseen}'=1+1"

    @pytest.mark.parametrize("separator", [";", "\t", "\r", "\n", "\r\n", "; "])
    def test_nor_in_a_cell_that_another_separator_would_begin(self, separator: str) -> None:
        assert safe_text(f"a{separator}=1+1") == f"a{separator}'=1+1"

    @pytest.mark.parametrize("control", ["\t", "\r", "\n"])
    def test_a_tab_or_a_line_end_is_not_first(self, control: str) -> None:
        assert safe_text(f"{control}a") == f"'{control}a"

    @pytest.mark.parametrize(
        "text", ["", "a", "1-2", "a=b", "a, -b", "'=1", '"=1"', "001", "q@host", "é", "?", "(-1)", ";a", " a"]
    )
    def test_other_text_stays_as_it_is(self, text: str) -> None:
        assert safe_text(text) == text

    @given(st.lists(st.sampled_from([*STARTERS, *" \t\r\n;,\"'\ufeffa1"])).map("".join) | st.text())
    def test_however_a_text_is_cut_into_cells_none_starts_a_formula(self, text: str) -> None:
        cells = re.split("[;\t\r\n]", safe_text(text))

        assert not any(first_seen(cell) in {"=", "+", "-", "@", "\u2212"} for cell in cells)

    @given(st.text())
    def test_nothing_but_apostrophes_is_added(self, text: str) -> None:
        assert safe_text(text).replace("'", "") == text.replace("'", "")


class TestCsv:
    def test_is_utf_8_with_a_byte_order_mark_and_rfc_4180(self) -> None:
        sheet = Sheet(("query", "need"), (('a,"b"', "é\r\nf"),))

        assert spreadsheet_csv(sheet) == (
            b"\xef\xbb\xbfquery,need,apostrophe_added\r\n" + '"a,""b""","é\r\nf",\r\n'.encode()
        )

    def test_numbers_are_numbers(self) -> None:
        row = (7, -7, Fraction(5, 6), Fraction(-1, 2), Fraction(1), None)
        (written,) = table(Sheet(tuple("abcdef"), (row,)))

        assert list(written.values()) == ["7", "-7", "0.833333", "-0.500000", "1.000000", "", ""]

    def test_text_that_looks_like_a_number_is_text(self) -> None:
        (written,) = table(Sheet(("query", "delta"), (("-1", -1),)))

        assert written == {"query": "'-1", "delta": "-1", "apostrophe_added": "query"}

    def test_every_change_is_said_in_its_row(self) -> None:
        rows = table(Sheet(("query", "need"), (("q1", "what?"), ("@q2", "=A1"), ("q3", "+1"))))

        assert [row["apostrophe_added"] for row in rows] == ["", "query, need", "need"]

    def test_an_apostrophe_of_its_own_is_no_change(self) -> None:
        (written,) = table(Sheet(("query",), (("'=1",),)))

        assert written == {"query": "'=1", "apostrophe_added": ""}

    @given(st.lists(st.tuples(st.text(), st.text(), st.integers(), st.fractions()), max_size=3))
    def test_no_cell_starts_a_formula(self, rows: list[tuple[Any, ...]]) -> None:
        for row in table(Sheet(("a", "b", "c", "d"), tuple(rows))):
            for cell in row.values():
                assert NUMBER.fullmatch(cell) or first_seen(cell) not in {"=", "+", "-", "@"}


@pytest.fixture
def report_a(protocol: rankeval.Protocol, fixture_a: dict[str, list[str]]) -> rankeval.Report:
    return protocol.score(fixture_a)


@pytest.fixture
def report_b(protocol: rankeval.Protocol, fixture_b: dict[str, list[str]]) -> rankeval.Report:
    return protocol.score(fixture_b)


class TestReport:
    def test_the_published_example_in_the_order_of_its_protocol(
        self, protocol: rankeval.Protocol, report_a: rankeval.Report
    ) -> None:
        rows = table(score_sheet([("A", report_a)], protocol))

        assert [
            (row["query"], row["missing"], row["hits"], row["relevant"], row["recall"], row["rr"]) for row in rows
        ] == [
            ("q2", "no", "1", "2", "0.500000", "1.000000"),
            ("q3", "no", "1", "1", "1.000000", "0.500000"),
            ("q4", "yes", "0", "1", "0.000000", "0.000000"),
            ("q5", "no", "0", "0", "", ""),
        ]

    def test_its_columns(self, protocol: rankeval.Protocol, report_a: rankeval.Report) -> None:
        assert list(table(score_sheet([("A", report_a)], protocol))[0]) == [
            "run",
            "query",
            "need",
            "missing",
            "returned",
            "relevant",
            "hits",
            "first_relevant_rank",
            "recall",
            "rr",
            "apostrophe_added",
        ]

    def test_whole_numbers_hold_every_score_exactly(
        self, protocol: rankeval.Protocol, report_a: rankeval.Report
    ) -> None:
        for written, row in zip(table(score_sheet([("A", report_a)], protocol)), report_a.rows, strict=True):
            relevant, rank = int(written["relevant"]), written["first_relevant_rank"]

            assert row.recall == (Fraction(int(written["hits"]), relevant) if relevant else None)
            assert row.rr == ((Fraction(1, int(rank)) if rank else 0) if relevant else None)

    def test_a_query_that_is_a_formula(self, parts: dict[str, Any]) -> None:
        parts["queries"]["q2"]["text"] = '=HYPERLINK("http://localhost/"&A1)'
        protocol = rankeval.Protocol(**parts)
        row = table(score_sheet([("A", protocol.score({}))], protocol))[0]

        assert (row["need"][:2], row["apostrophe_added"]) == ("'=", "need")

    def test_a_query_without_text(self, parts: dict[str, Any]) -> None:
        del parts["queries"]["q2"]["text"]
        protocol = rankeval.Protocol(**parts)

        assert table(score_sheet([("A", protocol.score({}))], protocol))[0]["need"] == ""

    def test_several_runs_one_after_the_other(
        self, protocol: rankeval.Protocol, report_a: rankeval.Report, report_b: rankeval.Report
    ) -> None:
        sheet = score_sheet([("=A", report_a), ("B", report_b)], protocol)
        rows = table(sheet)

        assert [row["run"] for row in rows] == ["'=A"] * 4 + ["B"] * 4
        assert escaped_cells(sheet) == 4


class TestComparison:
    def test_the_published_example_worst_first(
        self, protocol: rankeval.Protocol, report_a: rankeval.Report, report_b: rankeval.Report
    ) -> None:
        rows = table(comparison_sheet(rankeval.compare(report_a, report_b), protocol))

        assert [(row["query"], row["status"], row["rank_delta"], row["rr_delta"]) for row in rows] == [
            ("q2", "worse", "1", "-0.500000"),
            ("q3", "better", "-1", "0.500000"),
            ("q4", "entered", "", "1.000000"),
            ("q5", "null", "", ""),
        ]

    def test_both_sides_of_a_row(
        self, protocol: rankeval.Protocol, report_a: rankeval.Report, report_b: rankeval.Report
    ) -> None:
        row = table(comparison_sheet(rankeval.compare(report_a, report_b), protocol))[2]
        del row["need"]

        assert row == {
            "query": "q4",
            "status": "entered",
            "missing_a": "yes",
            "missing_b": "no",
            "relevant": "1",
            "hits_a": "0",
            "hits_b": "1",
            "first_relevant_rank_a": "",
            "first_relevant_rank_b": "1",
            "rank_delta": "",
            "recall_a": "0.000000",
            "recall_b": "1.000000",
            "recall_delta": "1.000000",
            "rr_a": "0.000000",
            "rr_b": "1.000000",
            "rr_delta": "1.000000",
            "apostrophe_added": "",
        }

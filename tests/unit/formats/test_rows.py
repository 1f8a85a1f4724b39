from __future__ import annotations

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval.formats import Ordering, Source, read_run
from rankeval.formats.rows import SCORE_TEXT, Rows, compare_scores

FINITE = st.decimals(allow_nan=False, allow_infinity=False).map(str)


def refusal_of(text: str, ordering: Ordering | None = None) -> rankeval.FormatError:
    with pytest.raises(rankeval.FormatError) as refusal:
        read_run(Source("run.txt", text.encode()), ordering=ordering or Ordering())
    return refusal.value


class TestFaults:
    def test_a_gap_is_no_fault_of_its_own_where_a_row_was_refused(self) -> None:
        refusal = refusal_of("q Q0 a 1 9 x\nq Q0 b c 2 8 x\nq Q0 d 3 7 x\nr Q0 a 1 9 x\nr Q0 b 1 8 x\n")

        assert [(fault.line, fault.detail) for fault in refusal.faults] == [
            (2, "7 fields, 6 expected"),
            (5, "rank 1 is repeated; or declare --order score"),
        ]

    def test_of_all_kinds_come_together(self) -> None:
        refusal = refusal_of("qid,doc,score\nq,a,1\nq,b\n,c,2\nr,a,nan\ns,a,5\ns,b,5.0\n")

        assert [str(fault) for fault in refusal.faults] == [
            "run.txt, line 3: 2 fields, 3 expected",
            "run.txt, line 4: qid is empty",
            "run.txt, line 5, query 'r', document 'a': the score is 'nan'",
            "run.txt, line 7, query 's', document 'b': score 5.0, like document 'a'; or declare --ties file-order",
        ]

    def test_are_counted_past_those_that_are_kept(self) -> None:
        refusal = refusal_of("q Q0 a 1 9 x\n" + "q d\n" * 1_500)

        assert (refusal.total, len(refusal.faults)) == (1_500, 1_000)
        assert "1500 faults in all, the first 20 shown" in str(refusal)
        assert str(refusal).count("run.txt, line") == 20

    def test_the_way_out_of_a_rank_is_the_score_if_there_is_one(self) -> None:
        assert "--order score" in str(refusal_of("q Q0 a 0 9 x\nq Q0 b 0 8 x\n"))
        assert "--order" not in str(refusal_of("q\ta\t1\nq\tb\t3\n"))
        assert "--order" not in str(refusal_of("q Q0 a 0 9 x\nq Q0 b 0 8 x\n", Ordering("rank")))


class TestPlaces:
    def test_of_a_query_is_its_first_row(self) -> None:
        run = read_run(Source("f", b"q Q0 b 2 1 x\nr Q0 a 1 1 x\nq Q0 a 1 2 x\n"))
        assert run.locate is not None
        found = run.locate("q", None)

        assert found is not None
        assert found.line == 3

    def test_are_none_where_nothing_finds_them(self) -> None:
        rows = Rows("f", "row", has_rank=False, has_score=True)
        rows.of("q")
        place = rows.ordered(Ordering()).locate("q", None)

        assert place is not None
        assert (place.file, place.row) == ("f", None)


class TestScores:
    @given(FINITE, FINITE)
    def test_are_compared_as_decimal_numbers(self, a: str, b: str) -> None:
        expected = (Decimal(a) > Decimal(b)) - (Decimal(a) < Decimal(b))

        assert compare_scores(a, b) == expected

    @pytest.mark.parametrize(
        ("a", "b"),
        [
            ("1.00000000000000000001", "1"),
            ("1e999", "1e998"),
            ("-1e998", "-1e999"),
            ("1e-999", "0"),
            ("123456789012345678901", "123456789012345678900"),
            ("1e99999999999999999", "9e99999999999999998"),
        ],
    )
    def test_beyond_what_a_float_tells_apart(self, a: str, b: str) -> None:
        assert (compare_scores(a, b), compare_scores(b, a), compare_scores(a, a)) == (1, -1, 0)

    @given(FINITE)
    def test_are_decimal_numbers_as_they_are_written(self, text: str) -> None:
        assert SCORE_TEXT.fullmatch(text)

    @given(st.text(alphabet="0123456789+-.eE_ \u0661naif", max_size=6))
    def test_are_nothing_else(self, text: str) -> None:
        number = re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", text, re.ASCII)

        assert bool(SCORE_TEXT.fullmatch(text)) == bool(number)

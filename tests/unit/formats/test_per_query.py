from __future__ import annotations

import io
from fractions import Fraction
from typing import Any

import pandas as pd
import pytest
from pyarrow import parquet

import rankeval
from rankeval.formats.per_query import per_query_parquet
from rankeval.formats.spreadsheet import Sheet, comparison_sheet, score_sheet


def read(sheet: Sheet) -> pd.DataFrame:
    """Read a table as a notebook does that knows nothing of us."""
    return pd.read_parquet(io.BytesIO(per_query_parquet(sheet)))


def values(column: pd.Series) -> list[Any]:
    return [None if pd.isna(value) else value for value in column]


@pytest.fixture
def moved(protocol: rankeval.Protocol, comparison: rankeval.Comparison) -> pd.DataFrame:
    return read(comparison_sheet(comparison, protocol))


class TestComparison:
    def test_worst_first_with_exact_scores_and_decimals(self, moved: pd.DataFrame) -> None:
        assert values(moved["query"]) == ["q2", "q3", "q4", "q5"]
        assert values(moved["status"]) == ["worse", "better", "entered", "null"]
        assert values(moved["rr_a"]) == ["1", "1/2", "0", None]
        assert values(moved["rr_b"]) == ["1/2", "1", "1", None]
        assert values(moved["rr_delta"]) == ["-1/2", "1/2", "1", None]
        assert values(moved["rr_delta_decimal"]) == [-0.5, 0.5, 1.0, None]
        assert values(moved["recall_delta"]) == ["0", "0", "1", None]

    def test_ranks_are_whole_numbers_or_nothing(self, moved: pd.DataFrame) -> None:
        assert values(moved["first_relevant_rank_a"]) == [1, 2, None, None]
        assert values(moved["rank_delta"]) == [1, -1, None, None]
        assert {str(moved[name].dtype) for name in ("first_relevant_rank_a", "rank_delta", "hits_b")} == {"Int64"}

    def test_missing_is_a_yes_or_no(self, moved: pd.DataFrame) -> None:
        assert moved["missing_a"].tolist() == [False, False, True, False]
        assert str(moved["missing_a"].dtype) == "bool"

    def test_types_stand_in_the_file(self, protocol: rankeval.Protocol, comparison: rankeval.Comparison) -> None:
        """Whatever the rows are: a column of nothing but nothing has its type too."""
        null_alone = rankeval.Comparison(comparison.baseline, comparison.candidate, None, None, comparison.rows[-1:])
        schemas = [
            parquet.read_schema(io.BytesIO(per_query_parquet(comparison_sheet(each, protocol))))
            for each in (comparison, null_alone)
        ]
        types = {field.name: str(field.type).removeprefix("large_") for field in schemas[0]}

        assert [str(field.type) for field in schemas[0]] == [str(field.type) for field in schemas[1]]
        assert types["query"] == types["need"] == types["recall_a"] == types["rr_delta"] == "string"
        assert types["recall_a_decimal"] == types["rr_delta_decimal"] == "double"
        assert types["rank_delta"] == types["relevant"] == "int64"
        assert types["missing_b"] == "bool"


class TestReport:
    def test_every_run_query_by_query(self, protocol: rankeval.Protocol, comparison: rankeval.Comparison) -> None:
        frame = read(score_sheet([("A", comparison.baseline), ("B", comparison.candidate)], protocol))

        assert values(frame["run"]) == ["A"] * 4 + ["B"] * 4
        assert values(frame["recall"]) == ["1/2", "1", "0", None, "1/2", "1", "1", None]
        assert values(frame["returned"]) == [3, 2, 0, 0, 3, 2, 1, 0]
        assert values(frame["missing"]) == [False, False, True, False, False, False, False, False]

    def test_a_decimal_is_the_nearest_number(self) -> None:
        frame = read(Sheet(("query", "recall"), (("q", Fraction(1, 3)),)))

        assert frame["recall_decimal"].tolist() == [1 / 3]


class TestText:
    @pytest.mark.parametrize(
        "text", ["001", "1e5", "NA", "null", "nan", "", "=1+1", " a", "\u00e9", "e\u0301", "😀", "\x00", "a\r\nb"]
    )
    def test_ids_and_texts_come_back_as_they_were(self, text: str) -> None:
        frame = read(Sheet(("query", "need"), ((text, text),)))

        assert frame["query"].tolist() == frame["need"].tolist() == [text]


class TestColumns:
    def test_an_unknown_one_is_no_guess(self) -> None:
        with pytest.raises(KeyError, match="score"):
            per_query_parquet(Sheet(("query", "score"), (("q", 1),)))

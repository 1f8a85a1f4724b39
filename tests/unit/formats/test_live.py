from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval.core.contract import Place
from rankeval.core.provenance import Declaration
from rankeval.formats import Ordering, Source, read_run
from rankeval.formats.live import run_from_frame, run_from_ranx, run_from_scores

HARD_IDS = ["001", "1", "1e5", "NA", "null", "nan", "12345678901234567890", " a", "caf\u00e9", "cafe\u0301", "😀"]
ids = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)


def refusal_of(make: Any, *given: Any, **options: Any) -> rankeval.FormatError:
    with pytest.raises(rankeval.FormatError) as refusal:
        make(*given, **options)
    return refusal.value


def frame(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame({"query_id": ["q1", "q1", "q2"], "doc_id": ["d1", "d2", "d1"], **columns})


class TestScores:
    def test_the_higher_score_comes_first(self) -> None:
        run = run_from_scores({"q1": {"d1": 0.5, "d2": 1.25}, "q2": {"d3": -1}}, name="bm25")

        assert (run.rankings, run.name, run.source) == ({"q1": ["d2", "d1"], "q2": ["d3"]}, "bm25", None)

    def test_a_query_without_documents_is_empty_and_not_missing(self) -> None:
        assert run_from_scores({"q1": {}}).rankings == {"q1": []}
        assert run_from_scores({}).rankings == {}

    @given(st.dictionaries(ids, st.dictionaries(ids, st.floats(allow_nan=False, allow_infinity=False)), max_size=3))
    def test_it_is_the_run_that_a_json_file_of_the_scores_is(self, scores: dict[str, dict[str, float]]) -> None:
        ordering = Ordering(ties="file-order")
        data = json.dumps(scores).encode()

        assert run_from_scores(scores, ordering=ordering).run_sha256 == (
            read_run(Source("run.json", data), ordering=ordering).run_sha256
        )

    @pytest.mark.parametrize(
        ("lower", "higher"),
        [
            (1, 2.5),
            (np.float32(0.25), np.float64(0.5)),
            (np.int64(2**53), np.int64(2**53 + 1)),
            (2**60, 2**60 + 1),
            (Decimal("0.10000000000000000001"), Decimal("0.10000000000000000002")),
            (Fraction(1, 4), Fraction(1, 2)),
            (-1e-300, 0),
            (9.9, Decimal("1E+1")),
        ],
    )
    def test_numbers_of_many_types_keep_all_their_digits(self, lower: Any, higher: Any) -> None:
        assert run_from_scores({"q": {"a": lower, "b": higher}}).rankings == {"q": ["b", "a"]}

    def test_equal_scores_are_refused_until_their_order_is_declared(self) -> None:
        scores = {"q": {"b": 1, "a": 1.0}}
        run = run_from_scores(scores, ordering=Ordering(ties="file-order"))

        assert refusal_of(run_from_scores, scores).rule == "a tie: equal scores within a query leave the order open"
        assert run.rankings == {"q": ["b", "a"]}
        assert run.declarations == (Declaration("ties", "file-order"),)

    @pytest.mark.parametrize(
        "score",
        [
            float("nan"),
            float("inf"),
            np.float64("nan"),
            np.float32("inf"),
            Decimal("NaN"),
            True,
            np.bool_(True),  # noqa: FBT003 - a value, no switch
            "1.5",
            None,
            1j,
            Fraction(1, 3),
            Fraction(10**400),
            10**5000,
            np.array(1.5),
        ],
        ids=lambda score: type(score).__name__,
    )
    def test_a_score_that_is_no_finite_decimal_number(self, score: Any) -> None:
        refusal = refusal_of(run_from_scores, {"q": {"d": score}})

        assert refusal.rule == "a score must be a finite decimal number"
        assert (refusal.faults[0].query, refusal.faults[0].document) == ("q", "d")

    @pytest.mark.parametrize(
        ("scores", "rule", "detail"),
        [
            ({7: {"d": 1}}, "IDs must be text, not numbers", "the query is 7, of type int, and must be text"),
            ({"q": {7: 1}}, "IDs must be text, not numbers", "the document is 7, of type int, and must be text"),
            (
                {"q": {np.int64(7): 1}},
                "IDs must be text, not numbers",
                "the document is np.int64(7), of type int64, and must be text",
            ),
            ({"": {"d": 1}}, "an ID must not be empty", "the query is empty"),
            ({"q": {"": 1}}, "an ID must not be empty", "the document is empty"),
            (
                {"q": {"\ud800": 1}},
                "the file is not text in UTF-8",
                "the document is '\\ud800', which holds half a character",
            ),
            (
                {"q": ["d"]},
                "ranking must be a list of document IDs",
                "document -> score was expected, and it is of type list",
            ),
            (
                [("q", "d", 1)],
                "nonempty corpus and queries, mapping run required",
                "query -> document -> score was expected, and it is of type list",
            ),
        ],
    )
    def test_what_is_refused(self, scores: Any, rule: str, detail: str) -> None:
        refusal = refusal_of(run_from_scores, scores)

        assert (refusal.rule, refusal.faults[0].detail) == (rule, detail)

    def test_all_faults_in_one_pass(self) -> None:
        assert refusal_of(run_from_scores, {"q": {1: 1, "d": "x"}, 2: {}, "r": 3}).total == 4

    def test_text_of_numpy_becomes_plain_text(self) -> None:
        run = run_from_scores({np.str_("q"): {np.str_("d"): 1}})

        assert [type(each) for each in (*run.rankings, *run.rankings["q"])] == [str, str]

    def test_there_is_no_line_to_be_found(self) -> None:
        assert run_from_scores({"q": {"d": 1}}).locate is None


class TestRanx:
    """Against ranx itself: test_peers.py."""

    def test_its_scores_and_its_name_are_taken(self) -> None:
        run = run_from_ranx(SimpleNamespace(run={"q": {"d1": 1.0, "d2": 2.0}}, name="bm25"))

        assert (run.rankings, run.name) == ({"q": ["d2", "d1"]}, "bm25")

    def test_a_name_given_goes_before_its_own(self) -> None:
        assert run_from_ranx(SimpleNamespace(run={}, name="bm25"), name="mine").name == "mine"

    def test_one_without_a_name_is_called_run(self) -> None:
        assert run_from_ranx(SimpleNamespace(run={}, name=None)).name == "run"

    def test_ties_are_as_for_scores(self) -> None:
        tied = SimpleNamespace(run={"q": {"d1": 1.0, "d2": 1.0}}, name=None)

        assert refusal_of(run_from_ranx, tied).rule == "a tie: equal scores within a query leave the order open"
        assert run_from_ranx(tied, ordering=Ordering(ties="file-order")).rankings == {"q": ["d1", "d2"]}

    @pytest.mark.parametrize("other", [{"q": {"d": 1}}, SimpleNamespace(run=[1]), None])
    def test_what_is_no_ranx_run(self, other: Any) -> None:
        assert "a ranx run, with its scores in .run, was expected" in str(refusal_of(run_from_ranx, other))


class TestFrame:
    @pytest.mark.parametrize(
        "columns",
        [
            {"rank": [2, 1, 1]},
            {"rank": [1, 0, 0]},
            {"score": [0.5, 1.5, -1.0]},
            {"score": pd.array([1, 2, 3], dtype="Int64")},
            {"rank": [2, 1, 1], "score": [0.5, 1.5, 0.5]},
            {"SIM": np.array([0.5, 1.5, 1], dtype=np.float32)},
        ],
        ids="+".join,
    )
    def test_rank_and_score_settle_the_order(self, columns: dict[str, Any]) -> None:
        assert run_from_frame(frame(**columns)).rankings == {"q1": ["d2", "d1"], "q2": ["d1"]}

    @pytest.mark.parametrize(
        "dtype", ["object", "str", "string", "category", "string[python]", "string[pyarrow]", "large_string[pyarrow]"]
    )
    def test_every_type_of_text_is_text(self, dtype: str) -> None:
        given = pd.DataFrame({"query": HARD_IDS, "doc": HARD_IDS, "score": 1.5}).astype({"query": dtype, "doc": dtype})

        assert run_from_frame(given).rankings == {each: [each] for each in HARD_IDS}

    @pytest.mark.parametrize(
        ("doc_id", "dtype"),
        [
            ([1, 2, 3], "int64"),
            ([1.0, 2.0, 3.0], "float64"),
            (pd.array([1, 2, None], dtype="Int64"), "Int64"),
            (pd.Categorical([1, 2, 1]), "category"),
            (pd.to_datetime(["2026-01-01"] * 3), "datetime64"),
            ([True, False, True], "bool"),
        ],
    )
    def test_a_column_of_ids_of_another_type_is_refused_by_its_type(self, doc_id: Any, dtype: str) -> None:
        refusal = refusal_of(run_from_frame, frame(doc_id=doc_id, rank=[1, 2, 1]))

        assert refusal.rule == "IDs must be text, not numbers"
        assert refusal.faults[0].detail.startswith(f"column 'doc_id' holds {dtype}")

    @pytest.mark.parametrize(
        ("value", "dtype"),
        [(7, "object"), (None, "object"), (float("nan"), "object"), (None, "str"), (None, "category")],
    )
    def test_a_value_that_is_no_text_is_refused_with_its_row(self, value: Any, dtype: str) -> None:
        doc_id = pd.Series(["d1", value, "d1"], dtype=dtype)
        (fault,) = refusal_of(run_from_frame, frame(doc_id=doc_id, score=[1, 2, 3])).faults

        assert (fault.rule, fault.file, fault.row) == ("IDs must be text, not numbers", "data frame", 2)

    @pytest.mark.parametrize(
        ("columns", "rule"),
        [
            ({}, "the file has neither rank nor score, so it has no order"),
            ({"score": [1, float("nan"), 1]}, "a score must be a finite decimal number"),
            ({"score": [1, 1, 1]}, "a tie: equal scores within a query leave the order open"),
            ({"rank": [1, 1, 1]}, "ranks must start at 1 or 0 and have no gap and no repeat within a query"),
            ({"rank": [1.0, 2.0, 1.0]}, "ranks must start at 1 or 0 and have no gap and no repeat within a query"),
            ({"rank": [1, 2, 1], "score": [1, 2, 1]}, "rank and score disagree; declare which of them is the order"),
            ({"rank": [1, 2, 1], "qid": ["a", "b", "c"]}, "a header row must name the columns"),
            ({"rank": [1, 2, 1], "doc_id": ["a", "", "c"]}, "an ID must not be empty"),
            (
                {"rank": [1, 2, 1], "doc_id": pd.Series(["a", "\ud800", "c"], dtype=object)},
                "the file is not text in UTF-8",
            ),
        ],
    )
    def test_what_is_refused(self, columns: dict[str, Any], rule: str) -> None:
        assert refusal_of(run_from_frame, frame(**columns)).rule == rule

    def test_two_columns_of_one_name(self) -> None:
        twice = pd.DataFrame([["q", "d1", "d2", 1]], columns=["query", "doc", "doc", "rank"])

        assert refusal_of(run_from_frame, twice).rule == "a header row must name the columns"

    def test_a_frame_whose_columns_have_no_names(self) -> None:
        assert "the header has '0', '1', '2'" in str(refusal_of(run_from_frame, pd.DataFrame([["q", "d", 1]])))

    @pytest.mark.parametrize("other", [{"q": ["d"]}, [("q", "d", 1)], None])
    def test_what_is_no_frame(self, other: Any) -> None:
        assert "a pandas data frame was expected, and it is of type" in str(refusal_of(run_from_frame, other))

    def test_declarations_are_recorded(self) -> None:
        run = run_from_frame(frame(rank=[1, 2, 1], score=[1, 2, 1]), ordering=Ordering(order="score"))

        assert (run.rankings["q1"], run.declarations) == (["d2", "d1"], (Declaration("order", "score"),))

    def test_what_is_not_used_is_noted(self) -> None:
        assert run_from_frame(frame(rank=[1, 2, 1], text="x")).notes == ("data frame: not used: text",)

    def test_the_row_of_a_document_is_found_again(self) -> None:
        locate = run_from_frame(frame(score=[1, 2, 3])).locate

        assert locate is not None
        assert locate("q1", 1) == Place("data frame", row=2)

    def test_an_empty_frame_is_a_run_that_answers_nothing(self) -> None:
        assert run_from_frame(frame(rank=[1, 2, 1]).head(0)).rankings == {}

    def test_the_frame_stays_as_it_was(self) -> None:
        given = frame(score=[1, 2, 3])
        before = given.copy(deep=True)
        run_from_frame(given)

        pd.testing.assert_frame_equal(given, before)

    def test_the_index_is_not_looked_at(self) -> None:
        assert run_from_frame(frame(rank=[2, 1, 1]).set_index(pd.Index([5, 5, 5]))).rankings["q1"] == ["d2", "d1"]

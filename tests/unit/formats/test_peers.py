"""Runs as other tools write them are read right, and what is written here is read right by them."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import ir_measures
import pandas as pd
import pytest
import pytrec_eval
from ir_measures.util import RunConverter

import rankeval
from rankeval.formats import Ordering, read_run, run_bytes
from rankeval.formats.live import run_from_frame, run_from_ranx, run_from_scores

SCORES = {
    "q1": {"d1": 0.25, "007": 1.5, "NA": -3.0},
    "001": {"d1": 12.125, "1e5": 12.1250000001},
    "null": {"#7": 1e-05, "caf\u00e9": 1e22, "cafe\u0301": 0.0},
}
RANKINGS = {"q1": ["007", "d1", "NA"], "001": ["1e5", "d1"], "null": ["caf\u00e9", "#7", "cafe\u0301"]}
ROWS = [(query, document, score) for query, own in SCORES.items() for document, score in own.items()]


@pytest.fixture
def frame() -> pd.DataFrame:
    return pd.DataFrame(ROWS, columns=["query_id", "doc_id", "score"])


@pytest.fixture(scope="module")
def ranx() -> Any:
    """Give ranx, which compiles itself for some seconds when it makes its first run."""
    import ranx  # noqa: PLC0415 - its import alone takes longer than all other tests here

    return ranx


@pytest.fixture(scope="module")
def ranx_run(ranx: Any) -> Any:
    return ranx.Run(SCORES, name="bm25")


class TestPandas:
    @pytest.mark.parametrize(
        "options",
        [
            {"index": False},
            {"index": True},
            {"index": False, "sep": "\t"},
            {"index": False, "quoting": csv.QUOTE_ALL},
            {"index": False, "quoting": csv.QUOTE_NONNUMERIC},
            {"index": False, "lineterminator": "\r\n"},
            {"index": False, "encoding": "utf-8-sig"},
            {"index": False, "compression": "gzip"},
            {"index": False, "columns": ["score", "doc_id", "query_id"]},
        ],
        ids=str,
    )
    def test_to_csv(self, frame: pd.DataFrame, tmp_path: Path, options: dict[str, Any]) -> None:
        frame.to_csv(tmp_path / "run.csv", **options)

        assert read_run(tmp_path / "run.csv").rankings == RANKINGS

    def test_to_csv_of_ids_with_everything_in_them(self, tmp_path: Path) -> None:
        ids = [" a", 'a"b', "a,b", "a\nb", "a\r\nb", "'", "\u2028", "é"]
        pd.DataFrame({"qid": ids, "docno": ids, "rank": 1}).to_csv(tmp_path / "run.csv", index=False)

        assert read_run(tmp_path / "run.csv").rankings == {each: [each] for each in ids}

    def test_a_carriage_return_that_pandas_did_not_quote_is_refused(self, tmp_path: Path) -> None:
        pd.DataFrame({"qid": ["q"], "docno": ["a\rb"], "rank": 1}).to_csv(tmp_path / "run.csv", index=False)

        with pytest.raises(rankeval.FormatError, match="a carriage return stands in it, without quotes"):
            read_run(tmp_path / "run.csv")

    def test_an_id_that_pandas_lost_is_refused(self, frame: pd.DataFrame, tmp_path: Path) -> None:
        frame["doc_id"] = frame["doc_id"].replace({"NA": None})
        frame.to_csv(tmp_path / "run.csv", index=False)

        with pytest.raises(rankeval.FormatError, match="an ID must not be empty"):
            read_run(tmp_path / "run.csv")

    @pytest.mark.parametrize("compression", ["snappy", "gzip", "zstd", None])
    def test_to_parquet(self, frame: pd.DataFrame, tmp_path: Path, compression: Any) -> None:
        frame.to_parquet(tmp_path / "run.parquet", compression=compression)

        assert read_run(tmp_path / "run.parquet").rankings == RANKINGS

    @pytest.mark.parametrize("index", [True, False])
    def test_to_parquet_of_categories(self, frame: pd.DataFrame, tmp_path: Path, index: bool) -> None:  # noqa: FBT001
        frame.astype({"query_id": "category", "doc_id": "category"}).to_parquet(tmp_path / "run.parquet", index=index)

        assert read_run(tmp_path / "run.parquet").rankings == RANKINGS

    @pytest.mark.parametrize("lines", [True, False])
    def test_to_json_of_records(self, frame: pd.DataFrame, tmp_path: Path, lines: bool) -> None:  # noqa: FBT001
        frame.to_json(tmp_path / "run.json", orient="records", lines=lines)

        assert read_run(tmp_path / "run.json").rankings == RANKINGS

    @pytest.mark.parametrize("orient", ["columns", "index", "split", "table", "values"])
    def test_to_json_in_another_shape_is_refused_and_not_misread(
        self, frame: pd.DataFrame, tmp_path: Path, orient: Any
    ) -> None:
        frame.to_json(tmp_path / "run.json", orient=orient)

        with pytest.raises(rankeval.FormatError):
            read_run(tmp_path / "run.json")

    def test_the_frame_itself(self, frame: pd.DataFrame) -> None:
        assert run_from_frame(frame).rankings == RANKINGS

    @pytest.mark.parametrize("to", ["csv", "parquet"])
    def test_what_is_written_here(self, to: str) -> None:
        content = io.BytesIO(run_bytes(rankeval.Run(RANKINGS), to))
        read = pd.read_parquet(content) if to == "parquet" else pd.read_csv(content, dtype=str, keep_default_na=False)

        assert {query: list(own["doc_id"]) for query, own in read.groupby("query_id", sort=False)} == RANKINGS


class TestPytrecEval:
    def test_its_run_as_json(self, tmp_path: Path) -> None:
        trec = [f"{query} Q0 {document} 1 {score} tag" for query, document, score in ROWS]
        (tmp_path / "run.json").write_text(json.dumps(pytrec_eval.parse_run(trec)), encoding="utf-8")

        assert read_run(tmp_path / "run.json").rankings == RANKINGS

    def test_its_run_itself(self) -> None:
        trec = [f"{query} Q0 {document} 1 {score} tag" for query, document, score in ROWS]

        assert run_from_scores(pytrec_eval.parse_run(trec)).rankings == RANKINGS

    def test_what_is_written_here(self) -> None:
        read = pytrec_eval.parse_run(run_bytes(rankeval.Run(RANKINGS), "trec").decode().splitlines())

        assert {query: sorted(own, key=own.get, reverse=True) for query, own in read.items()} == RANKINGS


class TestIrMeasures:
    """Its own writer ranks documents as they come, from 0; so the documents of a query must come best first."""

    SORTED = tuple(
        ir_measures.ScoredDoc(query, each, SCORES[query][each]) for query in RANKINGS for each in RANKINGS[query]
    )
    UNSORTED = tuple(ir_measures.ScoredDoc(*row) for row in ROWS)

    def test_its_trec_file(self, tmp_path: Path) -> None:
        with RunConverter(self.SORTED).as_tmp_file() as file:
            (tmp_path / "run.trec").write_text(file.read(), encoding="utf-8")

        assert read_run(tmp_path / "run.trec").rankings == RANKINGS

    def test_its_trec_file_of_unsorted_documents_waits_for_a_declaration(self, tmp_path: Path) -> None:
        with RunConverter(self.UNSORTED).as_tmp_file() as file:
            (tmp_path / "run.trec").write_text(file.read(), encoding="utf-8")

        with pytest.raises(rankeval.FormatError, match="rank and score disagree"):
            read_run(tmp_path / "run.trec")
        assert read_run(tmp_path / "run.trec", ordering=Ordering(order="score")).rankings == RANKINGS

    def test_its_documents_as_a_frame(self) -> None:
        assert run_from_frame(RunConverter(self.UNSORTED).as_pd_dataframe()).rankings == RANKINGS

    def test_its_documents_as_scores(self) -> None:
        assert run_from_scores(RunConverter(self.UNSORTED).as_dict_of_dict()).rankings == RANKINGS

    def test_what_is_written_here(self) -> None:
        read: dict[str, list[str]] = defaultdict(list)
        for each in ir_measures.read_trec_run(run_bytes(rankeval.Run(RANKINGS), "trec").decode()):
            read[each.query_id].append(each.doc_id)

        assert read == RANKINGS


class TestRanx:
    @pytest.mark.parametrize("ending", ["json", "trec", "txt", "parquet"])
    def test_its_files(self, ranx_run: Any, tmp_path: Path, ending: str) -> None:
        ranx_run.save(str(tmp_path / f"run.{ending}"))

        assert read_run(tmp_path / f"run.{ending}").rankings == RANKINGS

    def test_its_run_itself(self, ranx_run: Any) -> None:
        read = run_from_ranx(ranx_run)

        assert (read.rankings, read.name) == (RANKINGS, "bm25")

    def test_its_run_as_a_frame(self, ranx_run: Any) -> None:
        assert run_from_frame(ranx_run.to_dataframe()).rankings == RANKINGS

    def test_its_empty_run(self, ranx: Any) -> None:
        read = run_from_ranx(ranx.Run())

        assert (read.rankings, read.name) == ({}, "run")

    def test_its_ties_are_refused_as_scores_and_ranked_in_its_file(self, ranx: Any, tmp_path: Path) -> None:
        """Its file states a rank for each of them, which is an order; its run does not."""
        tied = ranx.Run({"q1": {"d1": 1.0, "d2": 1.0}})
        tied.save(str(tmp_path / "run.trec"))

        with pytest.raises(rankeval.FormatError, match="a tie"):
            run_from_ranx(tied)
        assert read_run(tmp_path / "run.trec").rankings == {"q1": list(tied.to_dict()["q1"])}

    def test_what_is_written_here(self, ranx: Any, tmp_path: Path) -> None:
        (tmp_path / "run.trec").write_bytes(run_bytes(rankeval.Run(RANKINGS), "trec"))
        read = ranx.Run.from_file(str(tmp_path / "run.trec")).to_dict()

        assert {query: list(own) for query, own in read.items()} == RANKINGS

from __future__ import annotations

from fractions import Fraction

import pytest

import rankeval
from rankeval.core.chunks import collapse_run, cut_chunks, evidence_of, score_budgets
from rankeval.core.run import FromChunks, Run

ADAPTER_SHA256 = "d6706e72c8476072541a9ff6ec1ea1c86c4b7c58057b587db56acac24102cd12"

Rankings = dict[str, list[str]]


class TestCutChunks:
    def test_keeps_the_first_of_each_query(self, chunk_run: Rankings) -> None:
        assert cut_chunks(chunk_run, 2) == {"q2": ["d3a", "d3b"], "q3": ["d1a", "d1b"], "q5": []}

    def test_one_chunk(self, chunk_run: Rankings) -> None:
        assert cut_chunks(chunk_run, 1) == {"q2": ["d3a"], "q3": ["d1a"], "q5": []}

    def test_none_keeps_all(self, chunk_run: Rankings) -> None:
        assert cut_chunks(chunk_run, None) == chunk_run

    @pytest.mark.parametrize("budget", [0, -1, True, 1.5, "2"])
    def test_no_other_budget(self, chunk_run: Rankings, budget: int) -> None:
        with pytest.raises(rankeval.ChunkError, match="a chunk budget must be a positive integer"):
            cut_chunks(chunk_run, budget)


class TestCollapseRun:
    def test_the_run_says_where_it_comes_from(
        self, protocol: rankeval.Protocol, chunk_run: Rankings, chunk_to_doc: dict[str, str]
    ) -> None:
        chunked = Run(chunk_run, "chunks", system={"chunker": "by hand"}, locate=lambda _query, _position: None)
        run, adapted = collapse_run(protocol, chunked, chunk_to_doc, 2)

        assert run.rankings == {"q2": ["d3"], "q3": ["d1"], "q5": []}
        assert run.from_chunks == FromChunks(chunked.run_sha256, ADAPTER_SHA256, 2)
        assert (run.name, run.system) == ("chunks", {"chunker": "by hand"})
        assert run.locate is None
        assert adapted.evidence["q2"]["received_chunks"] == 2

    def test_everything_is_checked_before_it_is_cut(
        self, protocol: rankeval.Protocol, chunk_to_doc: dict[str, str]
    ) -> None:
        with pytest.raises(rankeval.ChunkError, match="unknown or invalid chunk ID"):
            collapse_run(protocol, Run({"q2": ["d3a", "zz"]}), chunk_to_doc, 1)


class TestEvidenceOf:
    def test_one_query_alone(self, chunk_to_doc: dict[str, str]) -> None:
        assert evidence_of(["d3a", "d4a", "d3b"], chunk_to_doc) == {
            "received_chunks": 3,
            "distinct_documents": 2,
            "documents": [
                {"document_id": "d3", "first_chunk_id": "d3a", "first_chunk_rank": 1, "chunk_ranks": [1, 3]},
                {"document_id": "d4", "first_chunk_id": "d4a", "first_chunk_rank": 2, "chunk_ranks": [2]},
            ],
        }


class TestScoreBudgets:
    def test_the_published_figures(
        self, protocol: rankeval.Protocol, chunk_run: Rankings, chunk_to_doc: dict[str, str]
    ) -> None:
        reports = score_budgets(protocol, Run(chunk_run), chunk_to_doc, [2])

        assert {name: (report.recall_at_k, report.mrr_at_k) for name, report in reports.items()} == {
            "2": (Fraction(1, 6), Fraction(1, 3)),
            "all": (Fraction(2, 3), Fraction(1, 2)),
        }

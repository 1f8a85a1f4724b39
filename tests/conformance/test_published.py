"""The published figures, byte for byte, from the shared vectors where they are and from the sample data."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import rankeval
from rankeval.core import controls
from rankeval.core.chunks import cut_chunks

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "conformance"
SAMPLE = ROOT / "sample_data" / "tutorial"

PROTOCOL_SHA256 = "9dd1a576cc830736a0884e847845f31f2390843c27a250abf3bafaf8fa72cadb"
ADAPTER_SHA256 = "d6706e72c8476072541a9ff6ec1ea1c86c4b7c58057b587db56acac24102cd12"


class Vectors:
    """The published example as one of two places has it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.protocol = rankeval.Protocol(**self.read("protocol.json"))
        self.chunk_to_doc: dict[str, str] = self.read("chunk_to_doc.json")
        if folder == SHARED:
            self.runs: dict[str, Any] = self.read("runs.json")
            self.chunk_run: dict[str, list[str]] = self.read("chunk_run.json")
        else:
            self.runs = {name: self.read(f"runs/{name}.json") for name in ("fixture_A", "fixture_B", "all_empty")}
            self.chunk_run = self.read("chunk_runs/chunk_run.json")

    def read(self, name: str) -> Any:
        return json.loads((self.folder / name).read_text(encoding="utf-8"))


@pytest.fixture(params=["shared", "sample"])
def vectors(request: pytest.FixtureRequest) -> Vectors:
    if request.param == "sample":
        return Vectors(SAMPLE)
    if not SHARED.is_dir():
        pytest.skip("needs ../shared/conformance, which is not beside this checkout; the sample data has the same")
    return Vectors(SHARED)


class TestPublishedFiles:
    def test_expected_json_byte_for_byte(self, vectors: Vectors) -> None:
        computed = controls.published_example(vectors.protocol, vectors.runs)

        text = json.dumps(computed, indent=2, ensure_ascii=False) + "\n"
        assert text.encode() == (vectors.folder / "expected.json").read_bytes()

    def test_expected_chunk_json_as_json(self, vectors: Vectors) -> None:
        computed = controls.published_chunk_example(vectors.protocol, vectors.chunk_to_doc, vectors.chunk_run)

        assert computed == vectors.read("expected-chunk.json")

    def test_protocol_fingerprint(self, vectors: Vectors) -> None:
        assert vectors.protocol.protocol_sha256 == PROTOCOL_SHA256

    def test_adapter_fingerprint(self, vectors: Vectors) -> None:
        parts = vectors.protocol
        adapted = rankeval.adapt_runs(parts.corpus, parts.queries, vectors.chunk_to_doc, vectors.chunk_run, "test")

        assert adapted.adapter_sha256 == ADAPTER_SHA256

    @pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared/conformance")
    @pytest.mark.parametrize("name", ["protocol.json", "chunk_to_doc.json", "expected.json", "expected-chunk.json"])
    def test_the_sample_data_has_the_same_bytes(self, name: str) -> None:
        assert (SAMPLE / name).read_bytes() == (SHARED / name).read_bytes()

    @pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared/conformance")
    def test_the_sample_data_has_the_same_runs(self) -> None:
        assert Vectors(SAMPLE).runs == Vectors(SHARED).runs
        assert Vectors(SAMPLE).chunk_run == Vectors(SHARED).chunk_run


class TestLastTable:
    """SPEC.md, "Figures that must come out"."""

    @pytest.mark.parametrize(
        ("run", "recall", "mrr"),
        [
            ("fixture_A", Fraction(1, 2), Fraction(1, 2)),
            ("fixture_B", Fraction(5, 6), Fraction(5, 6)),
            ("all_empty", Fraction(0), Fraction(0)),
        ],
    )
    def test_runs(self, vectors: Vectors, run: str, recall: Fraction, mrr: Fraction) -> None:
        report = vectors.protocol.score(vectors.runs[run])

        assert (report.recall_at_k, report.mrr_at_k) == (recall, mrr)

    @pytest.mark.parametrize(
        ("budget", "recall", "mrr"),
        [(None, Fraction(2, 3), Fraction(1, 2)), (2, Fraction(1, 6), Fraction(1, 3))],
    )
    def test_chunk_runs(self, vectors: Vectors, budget: int | None, recall: Fraction, mrr: Fraction) -> None:
        parts = vectors.protocol
        chunks = cut_chunks(vectors.chunk_run, budget)
        adapted = rankeval.adapt_runs(parts.corpus, parts.queries, vectors.chunk_to_doc, chunks, "test")
        report = parts.score(adapted.document_runs)

        assert (report.recall_at_k, report.mrr_at_k) == (recall, mrr)

    def test_query_counts(self, vectors: Vectors) -> None:
        report = vectors.protocol.score(vectors.runs["fixture_A"])

        assert (report.total_queries, report.eligible_queries) == (4, 3)
        assert report.no_relevant_queries == ("q5",)
        assert report.missing_queries == ("q4",)

    def test_q2_falls_from_rank_1_to_rank_2(self, vectors: Vectors) -> None:
        a, b = (vectors.protocol.score(vectors.runs[run]) for run in ("fixture_A", "fixture_B"))
        row = rankeval.compare(a, b).rows[0]

        assert (row.query, row.first_relevant_rank, row.rank_delta) == ("q2", (1, 2), 1)

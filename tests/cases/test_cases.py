"""Real faults of other people's files: the small inputs of ../shared/cases, each with the right outcome beside it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import rankeval
from rankeval.cli import main
from rankeval.core.chunks import collapse_run
from rankeval.formats import Declared, Ordering
from rankeval.formats.declared import NOTHING
from rankeval.formats.rows import UNDECLARED

CASES = Path(__file__).parents[3] / "shared" / "cases"

pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="needs ../shared/cases, which is not beside this checkout")


@dataclass(frozen=True)
class Step:
    """One thing that a case asks to be done.

    Attributes:
        case: the folder's name.
        run: the run file, relative to the folder; None where the protocol alone is refused.
        accept: which of the acceptable outcomes must come out.
        protocol: a protocol file or folder; None for corpus, queries and judgments apart.
        qrels: the judgments, where they are apart.
        declared: what is declared of the protocol.
        ordering: what is declared of the run.
        step: which of an outcome's steps it is.

    """

    case: str
    run: str | None
    accept: int = 0
    protocol: str | None = None
    qrels: str = "qrels.txt"
    declared: Declared = NOTHING
    ordering: Ordering = UNDECLARED
    step: int | None = None


STEPS = [
    Step("b01-leading-zeros", "run.txt", declared=Declared("listed are all")),
    Step("b02-na-like-ids-csv", "run.csv", qrels="qrels.csv", declared=Declared("listed are all")),
    Step("b03-integer-ids-json", None, 0, protocol="beir"),
    Step("b03-integer-ids-json", "run.json", 1, protocol="protocol.json"),
    Step("b04-beir-qrels-without-header", None, protocol="."),
    Step("b05-crlf-trec", "run.txt", declared=Declared("listed are all")),
    Step("b06-space-in-docid-trec", "run.txt", qrels="qrels.csv", declared=Declared("listed are all")),
    Step("b07-tied-scores", "run1.txt", declared=Declared("listed are all")),
    Step("b07-tied-scores", "run2.txt", declared=Declared("listed are all")),
    Step("b08-every-rank-zero", "run.txt", declared=Declared("listed are all")),
    Step("b08-every-rank-zero", "run.txt", 1, declared=Declared("listed are all"), ordering=Ordering("score")),
    Step("b09-ranks-from-zero", "run.txt", declared=Declared("listed are all")),
    Step("b10-duplicate-in-top-k", "run.json", protocol="protocol.json"),
    Step("b11-missing-queries", "runA.json", 0, protocol="protocol.json"),
    Step("b11-missing-queries", "runB.json", 0, protocol="protocol.json"),
    Step("b12-empty-or-cut-off-run", "empty.txt", 0, protocol="protocol.json"),
    Step("b12-empty-or-cut-off-run", "cut.txt", 1, protocol="protocol.json"),
    Step("b13-query-without-relevant", "run.json", protocol="protocol.json"),
    Step("b14-query-id-suffix", "run.txt", declared=Declared("listed are all")),
    Step("b15-query-of-another-split", "run.json", protocol=".", declared=Declared("listed are all")),
    Step("b16-judged-document-not-in-corpus", None, protocol=".", declared=Declared("listed are all")),
    Step("b17-sparse-qrels", "run.txt", 0),
    Step("b17-sparse-qrels", "run.txt", 1, declared=Declared("the pool was deep")),
    Step("b18-graded-labels", None, declared=Declared("listed are all")),
    Step("b19-negative-labels", None, declared=Declared("listed are all")),
    Step("b20-duplicate-json-keys-run", "run.json", protocol="protocol.json"),
    Step("b21-byte-order-mark", "run.csv", qrels="qrels.csv", declared=Declared("listed are all")),
    Step("b21-byte-order-mark", "run.json", protocol="protocol.json"),
    Step("b22-hash-in-ids", "run.txt", declared=Declared("listed are all")),
    Step("b23-parquet-integer-ids", "run.parquet", protocol="protocol.json"),
    Step("b24-chunk-collapse", "run.json", protocol="protocol.json"),
    Step("b25-recall-definition", "run.json", protocol="protocol.json"),
    Step("b26-reciprocal-rank-cutoff", "run.json", protocol="protocol.json"),
    Step("b27-upload-again-same-name", "first/run.json", protocol="protocol.json", step=0),
    Step("b27-upload-again-same-name", "second/run.json", protocol="protocol.json", step=1),
    Step("b28-unknown-document-after-k", "run.json", protocol="protocol.json"),
    Step("b29-nan-score-in-run", "run.txt", protocol="protocol.json"),
    Step("b30-large-files", "run.txt"),
]


def read_protocol(folder: Path, step: Step, expected: dict[str, Any]) -> rankeval.Protocol:
    split, k = expected["split"], expected["k"]
    if step.protocol is not None:
        return rankeval.read_protocol(folder / step.protocol, split=split, k=k, declared=step.declared)
    parts = [folder / name for name in ("corpus.jsonl", "queries.jsonl", step.qrels)]
    return rankeval.read_collection(*parts, split=split, k=k, declared=step.declared)


def score(folder: Path, step: Step, expected: dict[str, Any]) -> tuple[rankeval.Report, Any]:
    protocol = read_protocol(folder, step, expected)
    assert step.run is not None
    run = rankeval.read_run(folder / step.run, ordering=step.ordering)
    if (folder / "chunks.json").exists():
        run, _ = collapse_run(protocol, run, rankeval.read_chunk_map(folder / "chunks.json"))
    return protocol.score(run), run.rankings


def outcome_of(step: Step, expected: dict[str, Any]) -> dict[str, Any]:
    outcome: dict[str, Any] = expected["accept"][step.accept]
    if "runs" in outcome:
        outcome = outcome["runs"][step.run]
    return outcome if step.step is None else outcome["steps"][step.step]


def exact(value: Any) -> str | None:
    return None if value is None else str(value)


def prepared(step: Step, tmp_path: Path) -> tuple[Path, dict[str, Any], dict[str, Any]]:
    """Give a case's folder, what it expects, and the outcome of this step."""
    folder = CASES / step.case
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    if (folder / "make_input.py").exists():
        subprocess.run([sys.executable, str(folder / "make_input.py"), str(tmp_path)], check=True)
        folder = tmp_path
    return folder, expected, outcome_of(step, expected)


def in_a_shell(folder: Path, step: Step, expected: dict[str, Any], tmp_path: Path) -> int:
    """Do what a step asks with the command line alone: freeze what lies apart or has no run, else score."""
    chosen = ["--split", expected["split"], "--k", str(expected["k"])]
    if step.declared.unlisted_nonrelevant is not None:
        chosen += ["--unlisted-nonrelevant", step.declared.unlisted_nonrelevant]
    protocol = str(folder / (step.protocol or ""))
    if step.protocol is None or step.run is None:
        files = {"--corpus": "corpus.jsonl", "--queries": "queries.jsonl", "--qrels": step.qrels}
        apart = [word for option, file in files.items() for word in (option, str(folder / file))]
        frozen = str(tmp_path / "frozen.json")
        code = main(["freeze", *(apart if step.protocol is None else [protocol]), *chosen, "-o", frozen])
        if code or step.run is None:
            return code
        protocol, chosen = frozen, []
    order = ["--order", step.ordering.order] if step.ordering.order else []
    chunks = ["--map", str(folder / "chunks.json")] if (folder / "chunks.json").exists() else []
    return main(["score", protocol, str(folder / step.run), *chosen, *order, *chunks, "--format", "json"])


class TestCases:
    def test_every_case_is_here(self) -> None:
        folders = {folder.name for folder in CASES.iterdir() if folder.is_dir()}

        assert {step.case for step in STEPS} == folders

    @pytest.mark.parametrize("step", STEPS, ids=lambda step: f"{step.case}-{step.run}-{step.accept}")
    def test_the_right_outcome(self, step: Step, tmp_path: Path) -> None:
        folder, expected, outcome = prepared(step, tmp_path)
        if outcome["outcome"] == "error":
            with pytest.raises(rankeval.ContractError) as refusal:
                score(folder, step, expected) if step.run else read_protocol(folder, step, expected)
            message = str(refusal.value)
            assert [word for word in outcome["must_name"] if word not in message] == [], message
            return

        report, rankings = score(folder, step, expected)
        if "collapsed" in outcome:
            assert rankings == outcome["collapsed"]
        assert {"recall": exact(report.recall_at_k), "rr": exact(report.mrr_at_k)} == outcome["mean"]
        found = {row.query: {"recall": exact(row.recall), "rr": exact(row.rr)} for row in report.rows}
        for query, values in outcome.get("per_query", {}).items():
            assert found[query] == values
        for name in ("missing_queries", "no_relevant_queries"):
            if name in outcome:
                assert list(getattr(report, name)) == outcome[name]

    @pytest.mark.parametrize("step", STEPS, ids=lambda step: f"{step.case}-{step.run}-{step.accept}")
    def test_is_the_same_in_a_shell(self, step: Step, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        folder, expected, outcome = prepared(step, tmp_path)
        code = in_a_shell(folder, step, expected, tmp_path)
        out, said = capsys.readouterr()
        if outcome["outcome"] == "error":
            assert code == 2
            assert [word for word in outcome["must_name"] if word not in said] == [], said
            assert "results" not in out
            return

        (report,) = json.loads(out[out.index('{\n  "results"') :])["results"].values()
        assert (code, {"recall": report["recall_at_k"], "rr": report["mrr_at_k"]}) == (0, outcome["mean"])
        if step.declared.unlisted_nonrelevant is not None:
            assert f"declared --unlisted-nonrelevant {step.declared.unlisted_nonrelevant}" in said

    def test_two_runs_are_compared_over_the_same_queries(self) -> None:
        folder = CASES / "b11-missing-queries"
        (outcome,) = json.loads((folder / "expected.json").read_text(encoding="utf-8"))["accept"]
        protocol = rankeval.read_protocol(folder / "protocol.json")
        reports = [protocol.score(rankeval.read_run(folder / name)) for name in ("runA.json", "runB.json")]
        compared = rankeval.compare(*reports)

        assert {"recall": str(compared.recall_delta), "rr": str(compared.mrr_delta)} == outcome["delta_B_minus_A"]

    def test_large_files_take_less_than_a_minute_and_a_gibibyte(self, tmp_path: Path) -> None:
        step = next(step for step in STEPS if step.case == "b30-large-files")
        folder, expected, _ = prepared(step, tmp_path)
        program = (
            "import resource, sys, rankeval; from rankeval.formats import Declared;"
            "parts = [f'{sys.argv[1]}/{name}' for name in ('corpus.jsonl', 'queries.jsonl', 'qrels.txt')];"
            "made = rankeval.read_collection(*parts, split=sys.argv[2], k=int(sys.argv[3]));"
            "print(made.score(rankeval.read_run(f'{sys.argv[1]}/run.txt')).recall_at_k,"
            " resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        words = [sys.executable, "-c", program, str(folder), expected["split"], str(expected["k"])]
        recall, kibibytes = subprocess.run(words, check=True, capture_output=True, text=True, timeout=60).stdout.split()

        assert (recall, int(kibibytes) < 2**20) == ("3/10", True)

"""Six faults planted on purpose, each caught by the test that is there for it.

A catch is that test failing by its assertion.  An import, syntax or collection error is none, and a plant whose anchor
is gone fails here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = "tests/conformance/test_behaviours.py"


@dataclass(frozen=True)
class Plant:
    """One fault: what is replaced in which module, and the test that must notice."""

    module: str
    anchor: str
    replacement: str
    test: str


PLANTS = {
    "documents sorted": Plant(
        "chunks.py",
        '[row["document_id"] for row in own["documents"]]',
        'sorted(row["document_id"] for row in own["documents"])',
        f"{TESTS}::TestChunks::test_first_occurrence_and_not_sorted_order",
    ),
    "input truncated before validation": Plant(
        "run.py",
        "    for query, ranking in rankings.items():\n        if not is_sound_ranking(ranking, corpus):",
        "    for query, ranking in rankings.items():\n        ranking = ranking[:2]\n"
        "        if not is_sound_ranking(ranking, corpus):",
        f"{TESTS}::TestRefusals::test_runs[run3-unknown document ID]",
    ),
    "duplicate chunk allowed": Plant(
        "chunks.py",
        "        if not is_sound_ranking(chunks, chunk_to_doc):\n",
        "        if not is_sound_ranking(list(dict.fromkeys(chunks)), chunk_to_doc):\n",
        f"{TESTS}::TestChunks::test_duplicate_chunk_past_any_cut",
    ),
    "unused bad mapping ignored": Plant(
        "chunks.py",
        "        if is_id(document) and document not in corpus:",
        "        if False and document not in corpus:",
        f"{TESTS}::TestChunks::test_unused_mapping_outside_the_corpus",
    ),
    "missing query fabricated": Plant(
        "chunks.py",
        "    evidence = {query: evidence_of(chunks, chunk_to_doc) for query, chunks in chunk_runs.items()}\n",
        "    chunk_runs = dict.fromkeys(('q2', 'q3', 'q4', 'q5'), []) | chunk_runs\n"
        "    evidence = {query: evidence_of(chunks, chunk_to_doc) for query, chunks in chunk_runs.items()}\n",
        f"{TESTS}::TestChunks::test_missing_stays_missing",
    ),
    "first occurrence overwritten": Plant(
        "chunks.py",
        'documents.setdefault(document, first)["chunk_ranks"].append(rank)',
        'documents[document] = first | {"chunk_ranks": documents.get(document, first)["chunk_ranks"] + [rank]}',
        f"{TESTS}::TestChunks::test_evidence_keeps_every_contributing_rank",
    ),
}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package and its tests, which the installed package does not shadow."""
    for folder in ("rankeval", "tests", "sample_data"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def outcome(copy: Path, test: str) -> tuple[str, str]:
    """Run one test in the copy: `passed`, `failed` or `error`, and the message."""
    report = copy / "report.xml"
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", test],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1", "COVERAGE_PROCESS_START": ""},
        capture_output=True,
        check=False,
    )
    (case,) = ET.parse(report).getroot().iter("testcase")  # noqa: S314 - pytest wrote it just now
    for kind in ("error", "failure"):
        if (found := case.find(kind)) is not None:
            return kind, f"{found.get('message')}\n{found.text}"
    return "passed", ""


class TestPlants:
    @pytest.mark.parametrize("name", PLANTS)
    def test_is_caught_by_its_test_and_by_an_assertion(self, copy: Path, name: str) -> None:
        plant = PLANTS[name]
        module = copy / "rankeval" / "core" / plant.module
        text = module.read_text(encoding="utf-8")
        assert text.count(plant.anchor) == 1, f"the anchor of {name!r} is gone"
        assert outcome(copy, plant.test) == ("passed", "")
        module.write_text(text.replace(plant.anchor, plant.replacement), encoding="utf-8")
        kind, message = outcome(copy, plant.test)

        assert kind == "failure", message
        assert message.startswith(("AssertionError", "assert ", "Failed: DID NOT RAISE")), message

"""What several tests need: the published vectors, the shared data, and small protocols."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import rankeval

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
CRANFIELD = SHARED / "data" / "cranfield"
TUTORIAL = ROOT / "sample_data" / "tutorial"

# What the pages load in a test is kept in memory, not in the folder that the tests are run from.
os.environ["RANKEVAL_WORKSPACE"] = "sqlite://"

# The mutation tool runs a test several times in one process, which Hypothesis would take for a mistake.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.differing_executors])
settings.load_profile("default")


@pytest.fixture
def parts() -> dict[str, Any]:
    """The parts of the published example's protocol, to be changed at will."""
    content: dict[str, Any] = json.loads((TUTORIAL / "protocol.json").read_text(encoding="utf-8"))
    return copy.deepcopy(content)


@pytest.fixture
def protocol(parts: dict[str, Any]) -> rankeval.Protocol:
    """The published example's protocol."""
    return rankeval.Protocol(**parts)


@pytest.fixture
def fixture_a() -> dict[str, list[str]]:
    """The published example's fixture_A."""
    return {"q2": ["d3", "d1", "d4"], "q3": ["d2", "d5"], "q5": []}


@pytest.fixture
def fixture_b() -> dict[str, list[str]]:
    """The published example's fixture_B."""
    return {"q2": ["d1", "d3", "d4"], "q3": ["d5", "d2"], "q4": ["d6"], "q5": []}


@pytest.fixture
def comparison(
    protocol: rankeval.Protocol, fixture_a: dict[str, list[str]], fixture_b: dict[str, list[str]]
) -> rankeval.Comparison:
    """The published example's fixture_A, the baseline, and its fixture_B side by side."""
    return rankeval.compare(protocol.score(fixture_a), protocol.score(fixture_b))


@pytest.fixture
def chunk_to_doc() -> dict[str, str]:
    """The published example's chunk map."""
    return {"d3a": "d3", "d3b": "d3", "d4a": "d4", "d1a": "d1", "d1b": "d1", "d5a": "d5", "d6a": "d6"}


@pytest.fixture
def chunk_run() -> dict[str, list[str]]:
    """The published example's chunk run."""
    return {"q2": ["d3a", "d3b", "d4a"], "q3": ["d1a", "d1b", "d5a"], "q5": []}


@pytest.fixture
def adapt(parts: dict[str, Any], chunk_to_doc: dict[str, str]) -> Any:
    """A function that turns chunk runs into document runs, on the published example but for what it is given."""

    def adapt(runs: Any, mapping: Any = chunk_to_doc, **changed: Any) -> rankeval.AdaptedRuns:
        given = {"corpus": parts["corpus"], "queries": parts["queries"], "split": "test"} | changed
        return rankeval.adapt_runs(given["corpus"], given["queries"], mapping, runs, given["split"])

    return adapt


@pytest.fixture
def cranfield() -> Path:
    """The Cranfield collection, which lies beside a checkout and not in it."""
    if not CRANFIELD.is_dir():
        pytest.skip("needs ../shared/data/cranfield, which is not beside this checkout")
    return CRANFIELD

"""What the tests of pages need: a server that nothing was loaded into, and protocols that are not the sample's."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import rankeval
from rankeval.dashboard.library import Library, LoadedProtocol, library
from rankeval.formats import Declared


@pytest.fixture(autouse=True)
def main_module() -> Iterator[None]:
    """Put back the main module, which AppTest replaces: a process that is spawned later would run the page instead."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


@pytest.fixture
def loaded() -> Iterator[Library]:
    """A new server's library: what one test loads, the next does not find."""
    library.cache_clear()
    yield library()
    library.cache_clear()


@pytest.fixture
def tutorial(loaded: Library) -> LoadedProtocol:
    """The published example, as a new server has it."""
    return loaded.protocols()[0]


@pytest.fixture(scope="session")
def cranfield_protocol() -> rankeval.Protocol:
    """Cranfield's test split at 10, every pair that is not listed declared not relevant."""
    folder = Path(__file__).parents[4] / "shared" / "data" / "cranfield"
    if not folder.is_dir():
        pytest.skip("needs ../shared/data/cranfield, which is not beside this checkout")
    return rankeval.read_protocol(folder, split="test", k=10, declared=Declared("all 1400 documents were judged", 1))


@pytest.fixture
def cranfield_entry(
    loaded: Library, cranfield: Path, cranfield_protocol: rankeval.Protocol
) -> tuple[LoadedProtocol, dict[str, rankeval.Run]]:
    """Cranfield with its four runs loaded, and the runs as the reader gives them."""
    entry = loaded.add_protocol("cranfield", cranfield_protocol)
    runs = {
        name: rankeval.read_run(cranfield / "runs" / f"{name}.trec")
        for name in ("bm25", "tfidf", "minilm", "bm25_crashed")
    }
    for run in runs.values():
        loaded.add_run(entry, run)
    return entry, runs

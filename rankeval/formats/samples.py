"""The sample data that comes with the package: the published example, and a larger invented set."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import rankeval
from rankeval.core.protocol import Protocol
from rankeval.core.run import Run
from rankeval.formats.chunk_maps import read_chunk_map
from rankeval.formats.protocols import read_protocol
from rankeval.formats.runs import read_run

SETS = ("tutorial", "help_centre")


@dataclass(frozen=True, slots=True)
class SampleSet:
    """One set of sample data.

    Attributes:
        name: the name of its folder.
        title: what people call it.
        summary: what it is, in a sentence or two.
        limits: what it does not show, a sentence each.
        protocol: its protocol.
        runs: its runs, in the order in which they are offered.
        baseline: the name of the run to start from.
        candidate: the name of the run to compare with it.
        chunk_map: chunk ID -> document ID.
        chunk_runs: its chunk runs.
        gloss: `{"corpus": {document: text}, "queries": {query: text}}` in English, for a set in another language.

    """

    name: str
    title: str
    summary: str
    limits: tuple[str, ...]
    protocol: Protocol
    runs: tuple[Run, ...]
    baseline: str
    candidate: str
    chunk_map: dict[str, str]
    chunk_runs: tuple[Run, ...]
    gloss: Mapping[str, Mapping[str, str]] | None


def samples_folder() -> Path:
    """Give the folder of the sample data: inside the installed package, or beside it in a checkout."""
    package = Path(rankeval.__file__).parent
    inside = package / "sample_data"
    return inside if inside.is_dir() else package.parent / "sample_data"


def sample_sets() -> tuple[SampleSet, ...]:
    """Give every sample set; the first is what a newcomer sees first."""
    return tuple(map(sample_set, SETS))


@cache
def sample_set(name: str) -> SampleSet:
    """Read one sample set by the name of its folder."""
    folder = samples_folder() / name
    about: dict[str, Any] = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    gloss = folder / "gloss.json"
    return SampleSet(
        name=name,
        title=about["title"],
        summary=about["summary"],
        limits=tuple(about["limits"]),
        protocol=read_protocol(folder / about["protocol"]),
        runs=tuple(read_run(folder / run) for run in about["runs"]),
        baseline=about["baseline"],
        candidate=about["candidate"],
        chunk_map=read_chunk_map(folder / about["chunk_map"]),
        chunk_runs=tuple(read_run(folder / run) for run in about["chunk_runs"]),
        gloss=json.loads(gloss.read_text(encoding="utf-8")) if gloss.exists() else None,
    )

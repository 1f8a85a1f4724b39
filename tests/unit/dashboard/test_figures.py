"""Figures are computed by the core, once, and some of them before anybody asks."""

from __future__ import annotations

from typing import Any

import pytest

import rankeval
from rankeval.dashboard import figures
from rankeval.dashboard.library import Library, LoadedProtocol
from rankeval.dashboard.once import Once
from rankeval.workspace.errors import WorkspaceError


@pytest.fixture(autouse=True)
def nothing_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "_figures", Once(100))


def of_thread(entry: LoadedProtocol, runs: list[Any]) -> Any:
    """Give the thread that makes these runs ready."""
    key = ("ready", entry.key, tuple(run.key for run in runs))
    return figures._figures.get(key, lambda: pytest.fail("none was started"))


class TestMakeReady:
    def test_every_run_is_scored_before_it_is_looked_at(
        self, loaded: Library, tutorial: LoadedProtocol, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        runs = loaded.runs(tutorial)
        figures.make_ready(tutorial, runs)
        of_thread(tutorial, runs).join(timeout=20)
        monkeypatch.setattr(figures, "curves", None)

        ends = [figures.curves_of(tutorial, run).points[-1] for run in runs]

        assert [str(end.recall) for end in ends] == ["1/2", "5/6", "0"]

    def test_a_run_that_cannot_be_read_keeps_no_other_waiting(self, loaded: Library, tutorial: LoadedProtocol) -> None:
        class Damaged:
            key = "damaged"

            @property
            def report(self) -> rankeval.Report:
                raise WorkspaceError.damaged("run", "0" * 64)

        runs: list[Any] = [Damaged(), *loaded.runs(tutorial)]
        figures.make_ready(tutorial, runs)
        of_thread(tutorial, runs).join(timeout=20)

        assert not of_thread(tutorial, runs).is_alive()
        assert figures._figures.get(("gaps", tutorial.key, runs[-1].key), lambda: None) is not None

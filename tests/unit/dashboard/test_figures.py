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
        figures.make_ready(loaded, tutorial)
        of_thread(tutorial, runs).join(timeout=20)
        monkeypatch.setattr(figures, "curves", None)

        ends = [figures.curves_of(tutorial, run).points[-1] for run in runs]

        assert [str(end.recall) for end in ends] == ["1/2", "5/6", "0"]

    def test_a_run_that_cannot_be_read_keeps_no_other_waiting(
        self, loaded: Library, tutorial: LoadedProtocol, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Damaged:
            key = "damaged"

            @property
            def report(self) -> rankeval.Report:
                raise WorkspaceError.damaged("run", "0" * 64)

        runs: list[Any] = [Damaged(), *loaded.runs(tutorial)]
        monkeypatch.setattr(loaded, "runs", lambda _entry: runs)
        figures.make_ready(loaded, tutorial)
        of_thread(tutorial, runs).join(timeout=20)

        assert not of_thread(tutorial, runs).is_alive()
        assert figures._figures.get(("gaps", tutorial.key, runs[-1].key), lambda: None) is not None

    def test_so_are_chunks_under_the_usual_budget(
        self, loaded: Library, tutorial: LoadedProtocol, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        figures.make_ready(loaded, tutorial)
        of_thread(tutorial, loaded.runs(tutorial)).join(timeout=20)
        for computing in ("cut", "budget_curve"):
            monkeypatch.setattr(figures, computing, lambda *_: pytest.fail("it was not computed before"))
        chosen = loaded.chunk_runs(tutorial)[0]

        cuts = figures.two_cuts_of(tutorial, chosen, figures.USUAL_BUDGET)
        curves = figures.budget_curves_of(tutorial, loaded.chunk_runs(tutorial), chosen, figures.USUAL_BUDGET)

        # The published figures: all chunks collapsed and cut at k, against the first two chunks collapsed.
        assert (str(cuts.collapse_then_cut.recall_at_k), str(cuts.cut_then_collapse.recall_at_k)) == ("2/3", "1/6")
        assert [str(point.recall_at_k) for point in curves[0][1] if point.budget in {2, None}] == ["1/6", "2/3"]

"""Twenty annotators at once, and writers that are killed: nothing lost, doubled, misfiled or handed out too often."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import kill_reviews

from rankeval.core.review import Verdict
from rankeval.core.review_queue import State
from rankeval.workspace import Reviews, Round, Workspace, WorkspaceError
from rankeval.workspace.checks import verify

ANNOTATORS = 20
NEEDED = 3
QUERIES = tuple(f"q{number}" for number in range(1, 15))


class TestTwentyAnnotators:
    def test_each_query_is_answered_by_as_many_as_it_needs(
        self, where: str, opened: Callable[..., Workspace], make: Callable[..., Round]
    ) -> None:
        token = make(queries=QUERIES, annotators_per_query=NEEDED).token
        start = threading.Barrier(ANNOTATORS)
        written: list[tuple[str, str, str]] = []
        failed: list[WorkspaceError] = []

        def annotate(number: int) -> None:
            # Each has a workspace of their own, as servers side by side would.
            reviews = Reviews(opened(where).database)
            start.wait()
            try:
                who = reviews.join(token, f"annotator {number}")
                turn = 0
                while (query := reviews.hand_out(token, who.id)) is not None:
                    turn += 1
                    if turn == 1 and number % 5 == 0:
                        reviews.release(token, who.id, query)
                        continue
                    note = f"{who.name} on {query}"
                    for _ in range(2):  # as a browser would that has had no answer
                        reviews.save_verdict(token, who.id, query, Verdict.EQUAL, note=note, client_token=f"act {turn}")
                    written.append((who.name, query, note))
            except WorkspaceError as error:
                failed.append(error)

        threads = [threading.Thread(target=annotate, args=(number,)) for number in range(ANNOTATORS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        workspace = opened(where)
        reviews = Reviews(workspace.database)
        kept = [(each.answer.annotator, each.answer.query, each.answer.note) for each in reviews.history(token)]
        assert failed == []
        assert sorted(kept) == sorted(written)
        assert Counter(query for _, query, _ in kept) == dict.fromkeys(QUERIES, NEEDED)
        held = Counter(each.query for each in reviews.assignments(token) if each.state is not State.SKIPPED)
        assert held == dict.fromkeys(QUERIES, NEEDED)
        assert verify(workspace.database)["verdicts"] == len(QUERIES) * NEEDED


class TestKilledWriters:
    def test_nothing_that_was_acknowledged_is_lost(self, tmp_path: Path) -> None:
        acknowledged, missing = kill_reviews.kill(5, tmp_path)

        assert missing == 0
        assert acknowledged > 0

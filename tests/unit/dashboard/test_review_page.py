"""The Review page without a browser: what annotators see and do not see, and that nothing they type is lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from shown import words_of
from sqlalchemy import event
from streamlit.testing.v1 import AppTest

import rankeval
from rankeval.core.contract import ContractError
from rankeval.core.review import Mark, Reason, Verdict, sides
from rankeval.dashboard.library import Library, LoadedProtocol
from rankeval.workspace import ReviewedRun, Round, database

A, B = "fixture_A", "fixture_B"
KEPT = "What you typed is still on this page."
LONG_NOTE = "Both answer it; the second names the menu. " * 500
"""Longer than what is left of a page of SQLite's, so that keeping it takes room on the disk."""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The workspace's file, whose writers give up soon."""
    path = tmp_path / "rankeval.db"
    monkeypatch.setenv("RANKEVAL_WORKSPACE", str(path))
    monkeypatch.setattr(database, "_PATIENCE_MS", 100)
    return path


@pytest.fixture
def kept(file: Path, loaded: Library) -> Library:
    """A server whose workspace is a file."""
    assert file.exists()
    return loaded


def review_page() -> None:
    from rankeval.dashboard import review  # noqa: PLC0415 - AppTest runs the function as a script of its own

    review.page()


def opened(**address: str) -> AppTest:
    app = AppTest.from_function(review_page, default_timeout=60)
    for name, value in address.items():
        app.query_params[name] = value
    return app.run()


def made(loaded: Library, entry: LoadedProtocol | None = None, **changed: Any) -> Round:
    """Make a round of a protocol's first two runs."""
    entry = entry or loaded.protocols()[0]
    a, b = loaded.runs(entry)[:2]
    about = {"name": "spring", "statuses": ["worse"], "queries": ["q2", "q3", "q4"], "guidelines": "Need first."}
    return loaded.begin_round(a, b, **about | changed)


def joined(found: Round, name: str = "Ada", **address: str) -> AppTest:
    app = opened(round=found.token, **address)
    app.text_input(key="annotator-name").set_value(name)
    return app.button(key="begin").click().run()


def draft(found: Round, part: str, query: str) -> str:
    return f"draft-{found.token[:8]}-{part}-{query}"


def filled(app: AppTest, found: Round, query: str = "q2", note: str = LONG_NOTE) -> AppTest:
    """Choose and type all that can be said of a query."""
    app.selectbox(key=draft(found, "reason", query)).set_value(list(Reason)[1])
    app.text_area(key=draft(found, "note", query)).set_value(note)
    app.multiselect(key=draft(found, str(Mark.RELEVANT), query)).set_value(["d3"])
    app.multiselect(key=draft(found, str(Mark.NOT_RELEVANT), query)).set_value(["d1"])
    return app.button(key=f"verdict-{Verdict.X_BETTER}").click().run()


def typed(app: AppTest, found: Round, query: str = "q2") -> tuple[object, ...]:
    """Give what stands in the fields of a query."""
    return (
        app.selectbox(key=draft(found, "reason", query)).value,
        app.text_area(key=draft(found, "note", query)).value,
        app.multiselect(key=draft(found, str(Mark.RELEVANT), query)).value,
        app.multiselect(key=draft(found, str(Mark.NOT_RELEVANT), query)).value,
        [str(each) for each in Verdict if app.button(key=f"verdict-{each}").proto.type == "primary"],
    )


ALL_TYPED = (list(Reason)[1], LONG_NOTE, ["d3"], ["d1"], [str(Verdict.X_BETTER)])


def rendered(app: AppTest) -> str:
    """Give every element that was sent to the browser, whole, as one text."""
    assert not app.exception
    return "\n".join(str(getattr(each, "proto", "")) for each in _walk(app._tree))


def _walk(block: Any) -> Iterator[Any]:
    for each in getattr(block, "children", {}).values():
        yield each
        yield from _walk(each)


@pytest.mark.parametrize("fault", ["locked", "read-only", "full"])
class TestFaults:
    """Each fault is a real one of SQLite's own; the connections of the server meet it as they would in use."""

    def broken(self, fault: str, file: Path, kept: Library) -> Any:
        """Bring a fault about, and give what ends it."""
        if fault == "locked":
            other = sqlite3.connect(file, isolation_level=None)
            other.execute("BEGIN EXCLUSIVE")
            return other.close
        pragmas = {"read-only": ["query_only=ON"], "full": ["max_page_count=1"]}[fault]
        engine = kept.reviews._database._engine

        def spoil(connection: sqlite3.Connection, _record: object) -> None:
            for pragma in pragmas:
                connection.execute(f"PRAGMA {pragma}")

        event.listen(engine, "connect", spoil)
        return lambda: event.remove(engine, "connect", spoil)

    SAID: ClassVar = {
        "locked": "another program holds it; wait for it to finish and try again",
        "read-only": "it can only be read, and nothing was saved; allow writing and save again",
        "full": "the disk is full and nothing was saved; make room and save again",
    }

    def test_it_is_said_and_what_was_typed_stays_until_it_is_saved(self, fault: str, file: Path, kept: Library) -> None:
        found = made(kept)
        app = filled(joined(found), found)
        mended = self.broken(fault, file, kept)
        app.button(key="save").click().run()
        shown = words_of(app)

        assert self.SAID[fault] in shown
        assert KEPT in shown
        assert "Saved" not in shown
        assert typed(app, found) == ALL_TYPED
        assert kept.reviews.history(found.token) == []

        app.button(key="save").click().run()

        assert typed(app, found) == ALL_TYPED

        mended()
        app.button(key="save").click().run()
        (saved,) = kept.reviews.history(found.token)

        assert "Saved: query q2" in words_of(app)
        assert (saved.answer.reason, saved.answer.note) == (list(Reason)[1], LONG_NOTE)
        assert saved.answer.verdict is Verdict.X_BETTER
        assert saved.answer.marks == {"d3": Mark.RELEVANT, "d1": Mark.NOT_RELEVANT}

    def test_who_comes_then_is_told(self, fault: str, file: Path, kept: Library) -> None:
        found = made(kept)
        mended = self.broken(fault, file, kept)
        try:
            # A full disk has room for a name, so a long one is given that takes the last of it.
            app = joined(found)
        finally:
            mended()

        if fault != "full":
            assert self.SAID[fault] in words_of(app)
        assert not app.exception


class TestSaving:
    def test_what_is_sent_twice_is_there_once(self, loaded: Library) -> None:
        """A browser that loses its connection after sending sends the same act again, under the same name."""
        found = made(loaded)
        app = filled(joined(found), found)
        name = app.session_state[draft(found, "client-token", "q2")]
        ada = loaded.reviews.join(found.token, "Ada")
        loaded.reviews.save_verdict(found.token, ada.id, "q2", Verdict.X_BETTER, client_token=name)
        app.button(key="save").click().run()

        assert [each.answer.revision for each in loaded.reviews.history(found.token)] == [1]
        assert "Saved: query q2" in words_of(app)

    def test_each_act_has_a_name_of_its_own(self, loaded: Library) -> None:
        found = made(loaded)
        app = filled(joined(found), found)
        app.button(key="save").click().run()
        app.selectbox(key="revise").set_value("q2").run()
        app.button(key=f"verdict-{Verdict.EQUAL}").click().run()
        app.button(key="save").click().run()

        assert [each.answer.verdict for each in loaded.reviews.history(found.token)] == [
            Verdict.X_BETTER,
            Verdict.EQUAL,
        ]


class TestBlind:
    def test_before_the_verdict_nothing_tells_whose_columns_they_are(self, loaded: Library) -> None:
        found = made(loaded, queries=["q2"], annotators_per_query=3)
        for name in ("Bela", "Chen"):
            other = joined(found, name)
            filled(other, found, note=f"{name} thinks otherwise")
            other.button(key="save").click().run()
        app = joined(found)
        sent = rendered(app)

        assert "d3" in sent  # what the columns hold is there
        for hidden in (A, B, "fixture", "Recall", "MRR", "Bela", "Chen", "otherwise", found.seed):
            assert hidden not in sent

    def test_after_it_the_names_are_told(self, loaded: Library) -> None:
        found = made(loaded)
        app = filled(joined(found), found)
        app.button(key="save").click().run()
        names = {"a": A, "b": B}
        drawn = sides(found.seed, "Ada", "q2")

        assert f"X was {names[drawn.x]} , Y was {names[drawn.y]} ." in words_of(app)

    def test_a_query_that_a_run_has_nothing_for_does_not_tell_which_run(self, loaded: Library) -> None:
        """fixture_A misses q4; that it is missing, and not empty, would tell the engineer's run from the other."""
        sent = rendered(joined(made(loaded, queries=["q4"])))

        assert "missing" not in sent.lower()

    @pytest.mark.parametrize("name", ["Ada", "Bela", "Chen", "Dov", "Eva", "Femi"])
    def test_sides_come_from_the_stored_seed_and_stay(self, loaded: Library, name: str) -> None:
        """Of q2 the run A has d3 first, and B d1; these six do not all draw the same."""
        found = made(loaded, seed="a stored seed", annotators_per_query=6)
        first = {"a": "d3", "b": "d1"}[sides("a stored seed", name, "q2").x]
        once, again = joined(found, name), joined(found, name)

        for app in (once, again, once.run()):
            words = words_of(app)
            card = words[words.index("X") :]
            assert min(("d1", "d3"), key=card.index) == first


class TestGone:
    def test_an_address_that_is_cut_short_is_refused(self, loaded: Library) -> None:
        app = opened(round=made(loaded).token[:-1])

        assert "the address may be cut short; ask for it again" in words_of(app)
        assert KEPT not in words_of(app)
        assert not app.text_input

    @pytest.mark.parametrize("page", ["annotator", "lead"])
    def test_a_run_under_review_stays(self, loaded: Library, page: str) -> None:
        """It is refused to remove it, and an upload under its name takes only the name."""
        tutorial = loaded.protocols()[0]
        a, b = (loaded.add_run(tutorial, rankeval.Run({"q2": [first]}, first)) for first in ("d1", "d3"))
        found = loaded.begin_round(a, b, name="spring", statuses=["worse"], queries=["q2"], guidelines="Need first.")
        with pytest.raises(ContractError, match="a review round stands on it, so it stays"):
            loaded.remove_run(a)
        loaded.add_run(tutorial, rankeval.Run({"q2": ["d4"]}, "d1"))
        shown = words_of(joined(found) if page == "annotator" else opened())

        assert "no longer loaded" not in shown
        assert ("d1" if page == "annotator" else "0 of 1 queries are complete") in shown

    @pytest.mark.parametrize("page", ["annotator", "lead"])
    def test_a_round_whose_run_is_not_here_says_so(self, loaded: Library, page: str) -> None:
        """A round of a sample's runs may come with a workspace to a server whose sample data is another."""
        tutorial = loaded.protocols()[0]
        made(loaded)
        found = loaded.reviews.create_round(
            name="winter",
            compact_sha256=tutorial.protocol.compact_sha256,
            baseline=ReviewedRun("0" * 64, "of another release"),
            candidate=ReviewedRun(loaded.runs(tutorial)[1].key, B),
            statuses=["worse"],
            queries=["q2"],
            guidelines="Need first.",
        )
        shown = words_of(opened(round=found.token) if page == "annotator" else opened())

        assert "The runs of this round are no longer loaded here." in shown


class TestDrafts:
    def test_what_is_typed_of_one_query_waits_while_another_is_read(self, loaded: Library) -> None:
        found = made(loaded)
        app = filled(joined(found), found)
        app.button(key="save").click().run()
        app.text_area(key=draft(found, "note", "q3")).set_value("half a thought").run()
        app.selectbox(key="revise").set_value("q2").run()
        app.run()
        app.button(key="leave").click().run()

        assert app.text_area(key=draft(found, "note", "q3")).value == "half a thought"

    def test_what_was_to_be_left_as_it_was_is(self, loaded: Library) -> None:
        found = made(loaded)
        app = filled(joined(found), found, note="as saved")
        app.button(key="save").click().run()
        app.selectbox(key="revise").set_value("q2").run()
        app.text_area(key=draft(found, "note", "q2")).set_value("not meant").run()
        app.button(key="leave").click().run()
        app.selectbox(key="revise").set_value("q2").run()

        assert app.text_area(key=draft(found, "note", "q2")).value == "as saved"

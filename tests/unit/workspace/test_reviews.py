from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

import rankeval
from rankeval.core.review import Answer, Finding, Mark, Reason, Side, Sides, Verdict
from rankeval.core.review_queue import Assignment, State
from rankeval.workspace import ReviewedRun, Reviews, Round, Workspace, WorkspaceError

NINE = datetime(2026, 3, 3, 9, tzinfo=UTC)
QUERIES = ("q2", "q3", "q4")


@pytest.fixture
def token(make: Callable[..., Round]) -> str:
    return make().token


@pytest.fixture
def ada(reviews: Reviews, token: str) -> int:
    return reviews.join(token, "Ada").id


@pytest.fixture
def ben(reviews: Reviews, token: str) -> int:
    return reviews.join(token, "Ben").id


class TestRounds:
    def test_come_back_as_they_were_made(self, reviews: Reviews, make: Callable[..., Round]) -> None:
        made = make(annotators_per_query=2, blind=False)

        assert reviews.round_by_token(made.token) == made
        assert (made.queries, made.statuses) == (QUERIES, ("worse", "left"))
        assert (made.baseline.name, made.candidate.name) == ("a", "b")
        assert (made.annotators_per_query, made.blind) == (2, False)
        assert made.created_at == NINE + timedelta(minutes=1)

    def test_have_addresses_and_seeds_of_their_own(self, make: Callable[..., Round]) -> None:
        one, two = make(), make()

        # 192 random bits, in signs that neither a mail program nor a command line takes for its own.
        assert len(one.token) == 48
        assert set(one.token) <= set("0123456789abcdef")
        assert one.token != two.token
        assert one.seed != two.seed

    def test_are_listed_by_protocol(
        self, reviews: Reviews, workspace: Workspace, make: Callable[..., Round], protocol: rankeval.Protocol
    ) -> None:
        other = protocol.with_split_and_k(k=1)
        workspace.add_protocol("k = 1", other)
        made = [make(name="one"), make(name="two", compact_sha256=other.compact_sha256), make(name="three")]

        assert [each.name for each in reviews.rounds()] == ["one", "two", "three"]
        assert reviews.rounds(protocol.compact_sha256) == [made[0], made[2]]

    def test_of_sample_runs_need_no_kept_run(self, reviews: Reviews, make: Callable[..., Round]) -> None:
        sample = ReviewedRun("a" * 64, "fixture_A")
        made = make(baseline=sample)

        assert reviews.round_by_token(made.token).baseline == sample

    @pytest.mark.parametrize("changed", [{"name": " "}, {"queries": ()}, {"annotators_per_query": 0}])
    def test_that_nobody_could_answer_are_refused(self, make: Callable[..., Round], changed: Any) -> None:
        with pytest.raises(WorkspaceError, match="a review round needs"):
            make(**changed)

    def test_an_unknown_address_is_refused(self, reviews: Reviews) -> None:
        with pytest.raises(WorkspaceError, match="there is no review round at this address"):
            reviews.round_by_token("x")

    def test_what_they_stand_on_stays(
        self, workspace: Workspace, make: Callable[..., Round], protocol: rankeval.Protocol
    ) -> None:
        made = make()
        assert made.candidate.run is not None

        with pytest.raises(WorkspaceError, match="a review round stands on it"):
            workspace.remove_run(made.candidate.run)
        with pytest.raises(WorkspaceError, match="the round is 'the fall of q2'"):
            workspace.remove_protocol(protocol.compact_sha256)
        assert len(workspace.runs(protocol.compact_sha256)) == 2

    def test_sides_are_drawn_where_it_is_blind(self, make: Callable[..., Round]) -> None:
        # SHA-256 of '["0","Ada","q2"]' begins with the byte ad, of '["0","Ada","q3"]' with 32.
        blind, seen = make(seed="0"), make(seed="0", blind=False)

        assert [blind.sides("Ada", query) for query in ("q2", "q3")] == [Sides(x=Side.B), Sides(x=Side.A)]
        assert [seen.sides("Ada", query) for query in ("q2", "q3")] == [Sides(x=Side.A)] * 2


class TestAnnotators:
    def test_whoever_gives_a_name_again_is_the_same(self, reviews: Reviews, token: str) -> None:
        first = reviews.join(token, "Zo\u00eb  K.")
        again = reviews.join(token, " ZOE\u0308 k.")

        assert first == again
        assert first.name == "Zo\u00eb K."
        assert reviews.annotators(token) == [first]

    def test_a_login_is_known_whatever_name_it_gives(self, reviews: Reviews, token: str) -> None:
        first = reviews.join(token, "Ada", "sub-1")

        assert reviews.join(token, "Countess", "sub-1") == first

    @pytest.mark.parametrize("subject", ["sub-2", None])
    def test_nobody_takes_the_name_of_another_login(self, reviews: Reviews, token: str, subject: str | None) -> None:
        reviews.join(token, "Ada", "sub-1")

        with pytest.raises(WorkspaceError, match="'Ada' takes part already, under another login"):
            reviews.join(token, "ada", subject)

    def test_a_login_does_not_take_over_a_bare_name(self, reviews: Reviews, token: str) -> None:
        reviews.join(token, "Ada")

        with pytest.raises(WorkspaceError, match="'Ada' takes part already"):
            reviews.join(token, "Ada", "sub-1")

    @pytest.mark.parametrize("name", ["", " \n", "x" * 201])
    def test_a_name_is_neither_empty_nor_endless(self, reviews: Reviews, token: str, name: str) -> None:
        with pytest.raises(WorkspaceError, match="an annotator needs a name"):
            reviews.join(token, name)

    def test_belong_to_their_round_alone(self, reviews: Reviews, make: Callable[..., Round], ada: int) -> None:
        other = make().token

        assert reviews.annotators(other) == []
        with pytest.raises(WorkspaceError, match="this annotator takes no part in it"):
            reviews.hand_out(other, ada)
        with pytest.raises(WorkspaceError, match="this annotator takes no part in it"):
            reviews.save_verdict(other, ada, "q2", Verdict.EQUAL)


class TestHandingOut:
    def test_the_worst_comes_first_and_stays_until_it_is_answered(self, reviews: Reviews, token: str, ada: int) -> None:
        assert [reviews.hand_out(token, ada) for _ in range(2)] == ["q2", "q2"]
        reviews.save_verdict(token, ada, "q2", Verdict.EQUAL)
        assert reviews.hand_out(token, ada) == "q3"

    def test_nobody_is_handed_what_others_have(self, reviews: Reviews, token: str, ada: int, ben: int) -> None:
        handed = [reviews.hand_out(token, ada), reviews.hand_out(token, ben)]
        reviews.save_verdict(token, ada, "q2", Verdict.EQUAL)
        handed.append(reviews.hand_out(token, ada))
        reviews.save_verdict(token, ada, "q4", Verdict.EQUAL)

        assert handed == ["q2", "q3", "q4"]
        assert reviews.hand_out(token, ada) is None

    def test_a_query_goes_to_as_many_as_it_needs(self, reviews: Reviews, make: Callable[..., Round]) -> None:
        token = make(annotators_per_query=2, queries=("q2",)).token
        three = [reviews.join(token, name).id for name in ("Ada", "Ben", "Cy")]

        assert [reviews.hand_out(token, each) for each in three] == ["q2", "q2", None]

    def test_what_is_skipped_goes_to_others_and_comes_back_last(
        self, reviews: Reviews, token: str, ada: int, ben: int
    ) -> None:
        reviews.hand_out(token, ada)
        reviews.release(token, ada, "q2")

        assert reviews.hand_out(token, ada) == "q3"
        assert reviews.hand_out(token, ben) == "q2"

    def test_what_was_answered_cannot_be_skipped(self, reviews: Reviews, token: str, ada: int) -> None:
        reviews.save_verdict(token, ada, "q2", Verdict.EQUAL)
        reviews.release(token, ada, "q2")

        assert reviews.assignments(token) == [Assignment("Ada", "q2", State.ANSWERED)]

    def test_what_was_abandoned_for_a_day_goes_to_others(
        self, reviews: Reviews, clock: Any, make: Callable[..., Round]
    ) -> None:
        token = make(queries=("q2",)).token
        ada, ben = (reviews.join(token, name).id for name in ("Ada", "Ben"))
        reviews.hand_out(token, ada)
        clock.time += timedelta(hours=23, minutes=58)
        handed = [reviews.hand_out(token, ben)]
        clock.time += timedelta(minutes=1)
        handed.append(reviews.hand_out(token, ben))

        assert handed == [None, "q2"]
        assert set(reviews.assignments(token)) == {
            Assignment("Ada", "q2", State.SKIPPED),
            Assignment("Ben", "q2", State.OPEN),
        }

    def test_another_rule_may_choose(self, workspace: Workspace, token: str, ada: int) -> None:
        last = Reviews(workspace.database, choose=lambda queries, _assigned, _who, _each: queries[-1])

        assert last.hand_out(token, ada) == "q4"


class TestVerdicts:
    def test_come_back_as_they_were_given(self, reviews: Reviews, make: Callable[..., Round]) -> None:
        token = make(seed="0").token
        ada = reviews.join(token, "Ada").id
        saved = reviews.save_verdict(
            token,
            ada,
            "q2",
            Verdict.X_BETTER,
            reason=Reason.OUTDATED,
            note="<b>old</b>\n\u4e2d\u6587 '",
            marks={"d1": Mark.NOT_RELEVANT, "d3": Mark.RELEVANT},
        )

        assert saved.answer == Answer(
            "Ada",
            "q2",
            1,
            Verdict.X_BETTER,
            Sides(x=Side.B),
            Reason.OUTDATED,
            "<b>old</b>\n\u4e2d\u6587 '",
            {"d1": Mark.NOT_RELEVANT, "d3": Mark.RELEVANT},
        )
        assert saved.answer.finding is Finding.CANDIDATE_BETTER
        assert reviews.history(token) == [saved]

    def test_a_revision_stands_beside_the_old_one(self, reviews: Reviews, token: str, ada: int) -> None:
        first = reviews.save_verdict(token, ada, "q2", Verdict.EQUAL, note="first")
        second = reviews.save_verdict(token, ada, "q2", Verdict.CANNOT_TELL, note="second")

        assert reviews.history(token) == [first, second]
        assert reviews.verdicts(token) == [second]
        assert (first.answer.revision, second.answer.revision) == (1, 2)
        assert first.saved_at < second.saved_at

    def test_of_others_and_of_other_queries_are_told_apart(self, reviews: Reviews, make: Callable[..., Round]) -> None:
        token = make(annotators_per_query=2).token
        ada, ben = (reviews.join(token, name).id for name in ("Ada", "Ben"))
        for who, query in ((ada, "q2"), (ben, "q2"), (ada, "q3")):
            reviews.save_verdict(token, who, query, Verdict.EQUAL)

        def given(*of: Any) -> list[tuple[str, str]]:
            return [(each.answer.annotator, each.answer.query) for each in reviews.history(token, *of)]

        assert given() == [("Ada", "q2"), ("Ben", "q2"), ("Ada", "q3")]
        assert given(ada) == [("Ada", "q2"), ("Ada", "q3")]
        assert given(None, "q2") == [("Ada", "q2"), ("Ben", "q2")]
        assert given(ben, "q3") == []

    def test_one_that_is_sent_twice_is_there_once(self, reviews: Reviews, token: str, ada: int) -> None:
        sent = [reviews.save_verdict(token, ada, "q2", Verdict.EQUAL, client_token="1") for _ in range(2)]

        assert sent[0] == sent[1]
        assert reviews.history(token) == sent[:1]

    def test_the_name_of_an_act_names_no_other(self, reviews: Reviews, token: str, ada: int, ben: int) -> None:
        reviews.save_verdict(token, ada, "q2", Verdict.EQUAL, client_token="1")

        with pytest.raises(WorkspaceError, match="what was sent again is not what was sent before"):
            reviews.save_verdict(token, ada, "q3", Verdict.EQUAL, client_token="1")
        with pytest.raises(WorkspaceError, match="what was sent again is not what was sent before"):
            reviews.undo(token, ada, "q2", client_token="1")
        assert reviews.save_verdict(token, ben, "q3", Verdict.EQUAL, client_token="1").answer.annotator == "Ben"

    def test_a_query_of_no_such_round_is_refused(self, reviews: Reviews, token: str, ada: int) -> None:
        with pytest.raises(WorkspaceError, match="it has no query 'q5'"):
            reviews.save_verdict(token, ada, "q5", Verdict.EQUAL)

    def test_what_others_have_and_one_never_had_is_refused(
        self, reviews: Reviews, token: str, ada: int, ben: int
    ) -> None:
        reviews.hand_out(token, ada)

        with pytest.raises(WorkspaceError, match="in the hands of as many others as it needs"):
            reviews.save_verdict(token, ben, "q2", Verdict.EQUAL)

    def test_what_was_handed_on_meanwhile_is_kept_all_the_same(
        self, reviews: Reviews, token: str, ada: int, ben: int
    ) -> None:
        reviews.hand_out(token, ada)
        reviews.release(token, ada, "q2")
        reviews.hand_out(token, ben)
        reviews.save_verdict(token, ada, "q2", Verdict.EQUAL)

        assert [each.answer.annotator for each in reviews.verdicts(token)] == ["Ada"]


class TestUndo:
    def test_the_only_verdict_is_withdrawn_and_the_query_back_in_hand(
        self, reviews: Reviews, token: str, ada: int
    ) -> None:
        reviews.save_verdict(token, ada, "q2", Verdict.EQUAL, note="n", marks={"d1": Mark.RELEVANT})
        undone = reviews.undo(token, ada, "q2")

        assert undone.answer == Answer("Ada", "q2", 2, None, undone.answer.shown)
        assert undone.undoes == 1
        assert reviews.verdicts(token) == []
        assert [each.answer.note for each in reviews.history(token)] == ["n", ""]
        assert reviews.hand_out(token, ada) == "q2"

    def test_what_was_said_before_counts_again(self, reviews: Reviews, token: str, ada: int) -> None:
        reviews.save_verdict(token, ada, "q2", Verdict.EQUAL, reason=Reason.OTHER, note="first")
        reviews.save_verdict(token, ada, "q2", Verdict.CANNOT_TELL, note="second")
        reviews.undo(token, ada, "q2")
        (counts,) = reviews.verdicts(token)

        assert (counts.answer.verdict, counts.answer.reason, counts.answer.note) == (
            Verdict.EQUAL,
            Reason.OTHER,
            "first",
        )
        assert (counts.answer.revision, counts.undoes) == (3, 2)
        assert reviews.hand_out(token, ada) == "q3"

    def test_twice_goes_two_steps_back(self, reviews: Reviews, token: str, ada: int) -> None:
        for verdict in (Verdict.EQUAL, Verdict.CANNOT_TELL):
            reviews.save_verdict(token, ada, "q2", verdict)
        for _ in range(2):
            reviews.undo(token, ada, "q2")

        assert [each.undoes for each in reviews.history(token)] == [None, None, 2, 1]
        assert reviews.verdicts(token) == []
        with pytest.raises(WorkspaceError, match="there is nothing to take back"):
            reviews.undo(token, ada, "q2")

    def test_one_that_is_sent_twice_goes_one_step_back(self, reviews: Reviews, token: str, ada: int) -> None:
        for verdict in (Verdict.EQUAL, Verdict.CANNOT_TELL):
            reviews.save_verdict(token, ada, "q2", verdict)
        undone = [reviews.undo(token, ada, "q2", client_token="u") for _ in range(2)]

        assert undone[0] == undone[1]
        assert [each.answer.verdict for each in reviews.verdicts(token)] == [Verdict.EQUAL]

    def test_a_new_verdict_after_it_is_a_revision(self, reviews: Reviews, token: str, ada: int) -> None:
        reviews.save_verdict(token, ada, "q2", Verdict.EQUAL)
        reviews.undo(token, ada, "q2")
        again = reviews.save_verdict(token, ada, "q2", Verdict.QUERY_UNCLEAR)

        assert again.answer.revision == 3
        assert reviews.undo(token, ada, "q2").answer.verdict is None


class TestAdjudication:
    def test_decisions_are_added_and_keep_their_reasons(self, reviews: Reviews, token: str) -> None:
        made = [
            reviews.adjudicate(token, "q2", Finding.EQUAL, reason="both show it", who="Lead"),
            reviews.adjudicate(token, "q3", Finding.JUDGMENT_WRONG, reason="d5", who="Lead"),
            reviews.adjudicate(token, "q2", None, reason="too early", who="Lead"),
        ]

        assert reviews.adjudications(token) == made
        assert [(each.adjudication.query, each.adjudication.revision) for each in made] == [
            ("q2", 1),
            ("q3", 1),
            ("q2", 2),
        ]
        assert [each.adjudication.finding for each in made] == [Finding.EQUAL, Finding.JUDGMENT_WRONG, None]

    def test_a_query_of_no_such_round_is_refused(self, reviews: Reviews, token: str) -> None:
        with pytest.raises(WorkspaceError, match="it has no query 'q5'"):
            reviews.adjudicate(token, "q5", Finding.EQUAL, reason="", who="Lead")

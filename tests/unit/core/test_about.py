from __future__ import annotations

from gettext import NullTranslations

import pytest

import rankeval
from rankeval.core.about import beginning_and_rest, document_text, gaps_said, need_of, origin, proposed, system
from rankeval.core.provenance import LabelChange, Proposal
from rankeval.core.run import FromChunks

ADAPTER = "d6706e72c8476072541a9ff6ec1ea1c86c4b7c58057b587db56acac24102cd12"


class TestOrigin:
    @pytest.mark.parametrize(
        ("budget", "said"),
        [
            (None, "collapsed from all received chunks, map d6706e72c847"),
            (1, "collapsed from the first 1 chunk of each query, map d6706e72c847"),
            (2, "collapsed from the first 2 chunks of each query, map d6706e72c847"),
        ],
    )
    def test_the_budget_is_said(self, budget: int | None, said: str) -> None:
        assert origin(FromChunks("c" * 64, ADAPTER, budget)) == said

    def test_a_budget_that_nothing_states_is_not_said_to_be_all(self) -> None:
        assert origin(FromChunks(None, ADAPTER, None)) == ("collapsed from chunks, budget not stated, map d6706e72c847")


class TestProposed:
    def test_what_a_translator_is_asked_for(self, asked: NullTranslations) -> None:
        changes = tuple(LabelChange("q2", "d2", 1, who, "it helps") for who in ("Ann", "Bo"))

        assert "Ann[between names|, ]Bo" in proposed(Proposal("0a" * 32, "1b" * 32, changes), asked)

    def test_how_much_and_by_whom_each_once(self) -> None:
        by_ann = LabelChange("q2", "d2", 1, "Ann", "it helps")
        by_bo = LabelChange("q2", "d4", 0, "Bo", "no")

        assert proposed(Proposal("0a" * 32, "1b" * 32, (by_ann, by_bo, by_ann))) == (
            "proposed from 0a0a0a0a0a0a (3 judgments changed by Ann, Bo)"
        )


class TestSystem:
    def test_what_a_translator_is_asked_for(self, asked: NullTranslations) -> None:
        said = system(rankeval.Run({}, system={"model": "m", "chunker": "c"}), asked)

        assert said.startswith("[system|model] m[between clauses|; ][system|chunker] c. ")
        assert "[system|description][between names|, ][system|configuration]" in said

    def test_nothing_is_recorded(self) -> None:
        assert system(rankeval.Run({})).startswith("nothing is recorded. Not recorded: description, ")

    def test_everything_is_recorded(self) -> None:
        names = ("description", "configuration", "model", "index_version", "filters", "chunker")
        recorded = {name: str(number) for number, name in enumerate(names)}

        assert system(rankeval.Run({}, system=recorded), written=lambda value: f"<{value}>") == (
            "description <0>; configuration <1>; model <2>; index version <3>; filters <4>; chunker <5>."
        )


class TestGaps:
    def test_of_the_published_example(self, protocol: rankeval.Protocol, fixture_a: dict[str, list[str]]) -> None:
        assert gaps_said(protocol.score(fixture_a)) == "1 missing, 1 empty, 0 short of k of 4 queries"


class TestBeginning:
    @pytest.mark.parametrize(
        ("content", "cut"),
        [
            ("x" * 9, ("x" * 9, "")),
            ("x" * 10, ("x" * 9, "x")),
            ("one two three", ("one two", " three")),
            (" " + "x" * 9, (" " + "x" * 8, "x")),
            ("one two t", ("one two t", "")),
            ("one two three four", ("one two", " three four")),
            ("a bcdefghij", ("a", " bcdefghij")),
        ],
    )
    def test_a_text_is_cut_between_words_where_it_can(self, content: str, cut: tuple[str, str]) -> None:
        assert beginning_and_rest(content, 9) == cut


class TestDocumentText:
    @pytest.mark.parametrize(
        ("document", "shown"),
        [
            ("text", "text"),
            ({"title": "Title", "text": "text"}, "Title. text"),
            ({"title": "Title.", "text": "text"}, "Title. text"),
            ({"title": "MAX", "text": "text"}, "MAX. text"),
            ({"title": "", "text": "text"}, "text"),
            (5, "5"),
        ],
    )
    def test_title_and_text(self, document: object, shown: str) -> None:
        assert document_text(document) == shown


class TestNeed:
    def test_a_query_without_text_has_none(self) -> None:
        queries = {"q1": {"text": "what?", "split": "s"}, "q2": {"split": "s"}}
        protocol = rankeval.Protocol.from_relevant({"d": ""}, queries, {"q1": [], "q2": []}, "s", 1)

        assert [need_of(protocol, query) for query in queries] == ["what?", ""]

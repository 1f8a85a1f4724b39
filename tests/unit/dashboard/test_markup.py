from __future__ import annotations

from fractions import Fraction

import pytest
from markup_reader import Reader

import rankeval
from rankeval.core.chunks import DocumentEvidence
from rankeval.core.proposal import propose
from rankeval.core.provenance import Declaration, LabelChange
from rankeval.core.run import FromChunks
from rankeval.core.side_by_side import side_by_side
from rankeval.dashboard import markup, pane_markup
from rankeval.formats.catalogue import refusal

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</bdi></div><script>alert(1)</script>",
    "\" onmouseover='alert(1)'",
    "[a](javascript:alert(1))",
    "$x$ :red[x] **b** `c`",
    "=1+1",
    "\u202egnirts \u0301\u0301",
    "&lt;b&gt;",
]


def everything(word: str) -> str:
    """Every piece of markup, with one word wherever text can come from outside."""
    protocol = rankeval.Protocol(
        corpus={word: {"title": word, "text": word * 60}, f"{word}2": word},
        queries={word: {"text": word, "split": word}},
        qrels={word: {word: 1, f"{word}2": 1}},
        split=word,
        k=1,
    )
    protocol = propose(protocol, [LabelChange(word, f"{word}2", 0, word, word)])
    a, b = protocol.score({word: [word]}), protocol.score({})
    comparison = rankeval.compare(a, b)
    sides = side_by_side(protocol, word, [word], [], 5)
    chunks = {word: DocumentEvidence(document_id=word, first_chunk_id=word, first_chunk_rank=1, chunk_ranks=[1, 2])}
    pair = (pane_markup.Side("A", "B", word, chunks), pane_markup.Side("B", "A", word, {}))
    run = rankeval.Run(
        {}, word, system={"model": word}, declarations=(Declaration(word, word),), from_chunks=FromChunks(None, "a", 1)
    )
    error = refusal(word, detail=word)
    return "".join(
        [
            markup.protocol_bar(word, protocol, 12, comparison),
            markup.about_runs(run, rankeval.Run({}, word)),
            markup.accepted("run", word, word, [word]),
            markup.refused("run", word, error, [word]),
            markup.headline(word, word, comparison, (FromChunks(None, word, None), None)),
            markup.means(comparison),
            markup.denominators(comparison),
            pane_markup.need(word, word, word, [word]),
            pane_markup.moved(comparison.rows[0], sides, 1),
            pane_markup.ways(sides, 1),
            pane_markup.rankings(comparison.rows[0].missing, sides, pair, protocol, {word: word}),
        ]
    )


class TestText:
    @pytest.mark.parametrize("word", HOSTILE)
    def test_hostile_text_adds_no_element_and_no_attribute(self, word: str) -> None:
        plain, hostile = Reader(everything("plain")), Reader(everything(word))

        assert hostile.tags == plain.tags
        assert hostile.attributes == plain.attributes

    @pytest.mark.parametrize("word", HOSTILE)
    def test_hostile_text_shows_as_it_is_written(self, word: str) -> None:
        assert Reader(everything(word)).shown.count(word) >= 10


class TestAboutRuns:
    def test_what_was_declared_and_what_is_not_recorded(self) -> None:
        run = rankeval.Run({}, "x", system={"model": "m1"}, declarations=(Declaration("ties", "file-order"),))
        shown = Reader(markup.about_runs(run, rankeval.Run({}, "y"))).shown

        assert "A x, declared: --ties file-order" in shown
        assert "model m1. Not recorded: description, configuration, index version, filters, chunker." in shown
        assert "B y: nothing is recorded." in shown


class TestFolded:
    def test_a_short_text_is_shown_whole(self) -> None:
        assert markup.folded("short") == "<bdi>short</bdi>"

    @pytest.mark.parametrize("text", ["word " * 100, "x" * 500])
    def test_a_long_text_loses_nothing(self, text: str) -> None:
        folded = Reader(markup.folded(text))

        assert {"details", "summary"} <= folded.tags
        assert folded.shown.replace(" …", "") == text


class TestWords:
    def test_what_is_missing_comes_first(self, protocol: rankeval.Protocol, fixture_a: dict[str, list[str]]) -> None:
        report = protocol.score(fixture_a)
        shown = Reader(markup.headline("x", "y", rankeval.compare(report, report), (None, None))).shown

        assert shown.startswith("A x: 1 missing, 1 empty, 0 short of k of 4 queries")

    def test_exact_and_decimal(self, protocol: rankeval.Protocol, fixture_b: dict[str, list[str]]) -> None:
        comparison = rankeval.compare(protocol.score({}), protocol.score(fixture_b))

        assert "A 0.0000 = 0 → B 0.8333 = 5/6" in Reader(markup.means(comparison)).shown
        assert comparison.recall_delta == Fraction(5, 6)

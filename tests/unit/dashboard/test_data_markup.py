from __future__ import annotations

from html.parser import HTMLParser

import pytest

import rankeval
from rankeval.core.contract import Fault
from rankeval.core.provenance import Declaration, Provenance
from rankeval.dashboard import data_markup
from rankeval.dashboard.library import LoadedProtocol
from rankeval.dashboard.reader import Recomputed, recompute
from rankeval.formats import FormatError, Reading

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    '"><script>alert(1)</script>',
    "' onmouseover='alert(1)",
    "&lt;b&gt;",
    "[a](javascript:alert(1)) $x$ :red[x]",
]


class Reader(HTMLParser):
    """What a browser makes of markup: elements with their attributes, and text."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, tuple[str, ...]]] = []
        self.shown = ""
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, tuple(name for name, _ in attrs)))

    def handle_data(self, data: str) -> None:
        self.shown += data


def entry(word: str) -> LoadedProtocol:
    """A protocol with one word wherever a file can have text."""
    protocol = rankeval.Protocol(
        corpus={word: {"title": word, "text": word}, f"{word}2": word},
        queries={
            word: {"text": word, "split": word, "group": word, word: word},
            f"{word}2": {"text": "", "split": f"{word}2", "group": word},
        },
        qrels={word: {word: 1, f"{word}2": 0}, f"{word}2": {word: 0, f"{word}2": 0}},
        split=word,
        k=1,
        provenance=Provenance(
            declarations=(Declaration(word, word, word),),
            statements={"criterion": word, "disputed": [{"query": word, "document": word, "reason": word}]},
            notes=(word,),
        ),
    )
    return LoadedProtocol(protocol.protocol_sha256, word, protocol)


def everything(word: str) -> str:
    loaded = entry(word)
    protocol = loaded.protocol
    gloss = {"corpus": {word: word}, "queries": {word: word}}
    return "".join(
        [
            data_markup.caption(word),
            data_markup.title(word),
            data_markup.asks(word, FormatError([Fault(Reading.SPLIT_OPEN, detail=word)]), [word]),
            data_markup.facts(loaded),
            data_markup.fingerprints(loaded, Recomputed(loaded.key, word, word, holds=False)),
            data_markup.document(protocol, word, [word], gloss["corpus"]),
            data_markup.query(protocol, word, gloss),
            data_markup.pair(protocol, (word, word), [word], gloss),
        ]
    )


class TestText:
    @pytest.mark.parametrize("word", HOSTILE)
    def test_hostile_text_adds_no_element_and_shows_as_it_is_written(self, word: str) -> None:
        plain, hostile = Reader(everything("plain")), Reader(everything(word))

        assert hostile.elements == plain.elements
        assert hostile.shown.count(word) == plain.shown.count("plain")


class TestFacts:
    def test_a_protocol_in_figures(self, protocol: rankeval.Protocol) -> None:
        shown = Reader(data_markup.facts(LoadedProtocol(protocol.protocol_sha256, "p", protocol))).shown

        for figure in ("6documents", "4queries of split test", "5queries of all splits", "30pairs judged, of 30"):
            assert figure in shown
        assert "Nothing was declared for it." in shown

    def test_what_was_declared_and_what_its_makers_say(self) -> None:
        shown = Reader(data_markup.facts(entry("w"))).shown

        assert "declared: --w w (w)" in shown
        assert "criterion: w" in shown
        assert "1 judgment is marked disputed" in shown
        assert "group w stands in more than one split: w, w2" in shown


class TestFingerprints:
    def test_a_protocol_that_is_not_what_it_is_called_is_not_to_be_trusted(self, protocol: rankeval.Protocol) -> None:
        loaded = LoadedProtocol("0" * 64, "p", protocol)
        shown = Reader(data_markup.fingerprints(loaded, recompute(loaded))).shown

        assert "✘ Computed again, they are others: 9dd1a576cc83" in shown
        assert "Do not trust this protocol." in shown

    def test_one_that_was_only_stated_says_so(self, protocol: rankeval.Protocol) -> None:
        stated = rankeval.Protocol.from_relevant(
            protocol.corpus, protocol.queries, protocol.relevant, "test", 2, recorded_sha256="0" * 64
        )
        shown = Reader(data_markup.fingerprints(LoadedProtocol("0" * 64, "p", stated), None)).shown

        assert "Not recomputed yet" in shown


class TestQuery:
    def test_one_to_which_nothing_is_relevant_is_null(self, protocol: rankeval.Protocol) -> None:
        shown = Reader(data_markup.query(protocol, "q5", {"corpus": {}, "queries": {}})).shown

        assert "No document is relevant: its Recall and RR are null." in shown

from __future__ import annotations

import html
import re
from datetime import UTC, datetime
from gettext import NullTranslations
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment
from markupsafe import escape

import rankeval
from rankeval.core import words
from rankeval.core.proposal import propose
from rankeval.core.provenance import Declaration, LabelChange, Provenance
from rankeval.core.run import FromChunks
from rankeval.formats import html_report
from rankeval.formats.html_report import comparison_html
from rankeval.formats.samples import sample_set

LAYOUTS = Path(html_report.__file__).parent / "html"
VOID = {"meta", "input", "wbr"}
INLINE = {"b", "bdi", "a", "wbr"}

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</bdi></title></style><script>alert(1)</script>",
    "\" onmouseover='alert(1)'",
    "[a](javascript:alert(1))",
    "$x$ :red[x] **b** `c`",
    "{{ 7 * 7 }} {% raw %} {0} {name}",
    "=1+1",
    "http://example.org/x url(x)",
    "\u202egnirts \u0301\u0301 \u05d0\u05d1",
    "&lt;b&gt;",
    "two  blanks",
]


class Reader(HTMLParser):
    """Reads a page as a browser would: which elements there are, with which attributes, and what text they show."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.elements: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.shown = ""
        self.texts: list[str] = []
        self.rows: list[list[str]] = []
        self._open: list[str] = []
        self.feed(page.decode())
        self.shown = " ".join("".join(self.texts).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, tuple(attrs)))
        if tag not in VOID:
            self._open.append(tag)
        if tag not in INLINE:
            self.texts.append(" ")
        if tag == "tr":
            self.rows.append([])
        if tag in {"td", "th"}:
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" in self._open:
            return
        self.texts.append(data)
        if {"td", "th"} & {*self._open}:
            self.rows[-1][-1] += data

    def row(self, first: str) -> list[str]:
        """The cells of the one row that begins so."""
        (row,) = (row for row in self.rows if row and row[0].startswith(first))
        return [cell.replace("\u00a0", " ").strip() for cell in row]


@pytest.fixture
def runs(fixture_a: dict[str, list[str]], fixture_b: dict[str, list[str]]) -> tuple[rankeval.Run, rankeval.Run]:
    return rankeval.Run(fixture_a, "fixture_A"), rankeval.Run(fixture_b, "fixture_B")


@pytest.fixture
def page(
    protocol: rankeval.Protocol, runs: tuple[rankeval.Run, rankeval.Run], comparison: rankeval.Comparison
) -> Reader:
    return Reader(comparison_html(protocol, runs, comparison, name="tutorial"))


def compared(protocol: rankeval.Protocol, a: rankeval.Run, b: rankeval.Run, **asked: Any) -> Reader:
    found = rankeval.compare(protocol.score(a), protocol.score(b))
    return Reader(comparison_html(protocol, (a, b), found, name="x", **asked))


class TestPublishedExample:
    def test_the_verdict(self, page: Reader) -> None:
        assert (
            "fixture_B against fixture_A: 1 better, 1 worse, 1 entered; Recall +1/3, MRR +1/3;"
            " q4 is missing in A; 1 null"
        ) in page.shown

    def test_both_means_exact_and_decimal_with_their_difference(self, page: Reader) -> None:
        means = ["0.5000 = 1/2", "0.8333 = 5/6", "▲ +0.3333 = +1/3"]

        assert page.row("Recall@2") == ["Recall@2", *means]
        assert page.row("MRR@2") == ["MRR@2", *means]

    def test_what_the_means_are_divided_by(self, page: Reader) -> None:
        assert "A: 3 scored = 2 with results + 0 empty as 0 + 1 missing as 0; 1 null, left out" in page.shown
        assert "B: 3 scored = 3 with results + 0 empty as 0 + 0 missing as 0; 1 null, left out" in page.shown

    def test_every_query_worst_first_with_exact_figures(self, page: Reader) -> None:
        queries = [row for row in page.rows if len(row) == 11 and row[0][:1] == "q"]

        assert [row[0][:2] for row in queries] == ["q2", "q3", "q4", "q5"]
        assert [row[1:] for row in queries] == [
            ["▼ worse", "1", "2", "+1", "1", "1/2", "-1/2", "1/2", "1/2", "0"],
            ["▲ better", "2", "1", "-1", "1/2", "1", "+1/2", "1", "1", "0"],
            ["⇥ entered · missing in A", "–", "1", "", "0", "1", "+1", "0", "1", "+1"],
            ["– null", "–", "–", "", "null", "null", "null", "null", "null", "null"],
        ]

    def test_both_fingerprints_of_the_protocol(self, page: Reader, protocol: rankeval.Protocol) -> None:
        assert "9dd1a576cc830736a0884e847845f31f2390843c27a250abf3bafaf8fa72cadb" in page.shown
        assert protocol.compact_sha256 in page.shown

    def test_the_worst_query_is_told_with_both_rankings(self, page: Reader) -> None:
        assert "▼ worse q2 d3 fell from 1 to 2" in page.shown
        assert "1 d3 ● Relevant B: 2" in page.shown
        assert "1 d1 ○ Not relevant (judged) A: 2" in page.shown
        assert "k = 2 3 d4 ● Relevant B: 3" in page.shown

    def test_counts_and_pictures(self, page: Reader) -> None:
        for said in ("4 in all", "▲ 1 better", "▼ 1 worse", "1 regression", "2 improvement", "1 missing in A"):
            assert said in page.shown
        assert "Δ RR@2 ▼ 1 fell, 0 stayed, ▲ 2 rose" in page.shown
        assert "Δ Recall@2 ▼ 0 fell, 2 stayed, ▲ 1 rose" in page.shown
        assert "q2: -1/2" in page.shown

    def test_the_limits_stand_in_full(self, page: Reader) -> None:
        for said in (words.LIMITS, *words.NOT_VERIFIED, words.PASSAGE_NOTE, words.NULL_NOTE):
            assert said in page.shown

    def test_what_is_missing_is_said_before_the_verdict(self, page: Reader) -> None:
        gaps = page.shown.index("1 missing, 1 empty, 0 short of k of 4 queries")

        assert gaps < page.shown.index("fixture_B against fixture_A: 1 better")


class TestProposed:
    def test_from_which_protocol_and_by_whom(self, protocol: rankeval.Protocol) -> None:
        proposed = propose(protocol, [LabelChange("q2", "d1", 1, "<Ann>", "it answers")])
        page = compared(proposed, rankeval.Run({}), rankeval.Run({}))

        assert f"proposed from {protocol.protocol_sha256[:12]} (1 judgment changed by <Ann>)" in page.shown


class TestAQuery:
    def test_relevant_documents_that_neither_side_has(self, protocol: rankeval.Protocol) -> None:
        page = compared(protocol, rankeval.Run({"q3": ["d5"]}), rankeval.Run({"q3": ["d1"]}))
        d5 = "Relevant, returned by neither"

        assert d5 not in page.shown
        assert d5 in compared(protocol, rankeval.Run({"q2": ["d3"]}), rankeval.Run({"q2": []})).shown

    def test_a_first_relevant_document_past_k_is_named(self, protocol: rankeval.Protocol) -> None:
        page = compared(protocol, rankeval.Run({"q4": ["d6"]}), rankeval.Run({"q4": ["d1", "d2", "d6", "d5"]}))

        assert "B: first relevant beyond k: d6 at 3, scored as none" in page.shown
        assert "and 1 more" in page.shown

    @pytest.mark.parametrize(
        ("b", "said"),
        [
            ({}, "The run has no entry for this query: missing, scored as 0"),
            ({"q4": []}, "The run has an empty list for this query, scored as 0"),
        ],
    )
    def test_missing_is_told_from_empty(self, protocol: rankeval.Protocol, b: dict[str, list[str]], said: str) -> None:
        assert said in compared(protocol, rankeval.Run({"q4": ["d6"]}), rankeval.Run(b)).shown

    def test_declared_zeros_are_told_from_judged_ones(self, parts: dict[str, Any]) -> None:
        judged_zero = {query: frozenset({"d1"}) for query in parts["queries"]}
        protocol = rankeval.Protocol(**parts, provenance=Provenance(judged_zero=judged_zero))
        page = compared(protocol, rankeval.Run({"q4": ["d6"]}), rankeval.Run({"q4": ["d1", "d2"]}))

        assert "1 d1 ○ Not relevant (judged)" in page.shown
        assert "2 d2 ◌ Not relevant (declared)" in page.shown

    def test_only_as_many_as_asked_for_and_the_number_is_said(self, protocol: rankeval.Protocol) -> None:
        a = rankeval.Run({"q2": ["d3"], "q3": ["d5"], "q4": ["d6"]})
        page = compared(protocol, a, rankeval.Run({}), panes=2)

        assert "The worst 2 of 3 queries on which Recall or RR fell." in page.shown
        assert sum(tag == "details" for tag, _ in page.elements) == 2

    def test_none_fell(self, protocol: rankeval.Protocol) -> None:
        run = rankeval.Run({"q4": ["d6"]})

        assert "Neither Recall nor RR fell on any query." in compared(protocol, run, run).shown

    def test_a_long_text_is_folded_and_a_very_long_one_cut_which_is_said(self) -> None:
        protocol = rankeval.Protocol(
            corpus={"d1": "x" * 1_600, "d2": ""},
            queries={"q": {"text": "n" * 500, "split": "test"}},
            qrels={"q": {"d1": 1, "d2": 0}},
            split="test",
            k=1,
        )
        page = compared(protocol, rankeval.Run({"q": ["d1"]}), rankeval.Run({"q": ["d2"]}))

        assert "… and 100 more characters" in page.shown
        assert max(map(len, page.shown.split())) == 1_500 - 220
        assert f"{'n' * 220} …" in page.row("q")[0]

    def test_texts_stop_at_rank_20_but_for_relevant_documents(self) -> None:
        corpus = {f"d{rank:02}": f"text{rank:02}" for rank in range(1, 31)}
        relevant = {"q": ["d25"]}
        protocol = rankeval.Protocol.from_relevant(corpus, {"q": {"text": "", "split": "s"}}, relevant, "s", 30)
        page = compared(protocol, rankeval.Run({"q": ["d25"]}), rankeval.Run({"q": list(corpus)}))

        assert {word for word in page.shown.split() if word.startswith("text")} - {"text."} == {
            f"text{rank:02}" for rank in (*range(1, 21), 25)
        }
        assert "Past rank 20, only relevant documents are given with their text." in page.shown


class TestWhatItStandsOn:
    def test_what_is_recorded_declared_and_not_recorded(self, protocol: rankeval.Protocol) -> None:
        a = rankeval.Run(
            {},
            "x",
            "x.trec",
            {"model": "m1", "filters": {"year": 1}},
            (Declaration("ties", "file-order", "2 ties"),),
            notes=("the tag is bm25",),
        )
        page = compared(protocol, a, rankeval.Run({}, "y"))

        assert "A x, declared: --ties file-order (2 ties)" in page.shown
        assert 'model m1 filters {"year": 1} Not recorded description, configuration, index version' in page.shown
        assert "Noted the tag is bm25" in page.shown
        assert page.shown.count(a.run_sha256) == 2

    def test_two_budgets_are_two_experiments_and_nothing_else_is(self, protocol: rankeval.Protocol) -> None:
        two, every = (rankeval.Run({}, "x", from_chunks=FromChunks("c" * 64, "a" * 64, each)) for each in (2, None))
        page = compared(protocol, two, every)

        assert "two experiments, not one: A takes the first 2 chunks, map aaaaaaaa" in page.shown
        assert "A x, collapsed from the first 2 chunks of each query, map aaaaaaaaaaaa" in page.shown
        assert "c" * 64 in page.shown
        assert "two experiments" not in compared(protocol, two, two).shown

    def test_what_was_declared_and_stated_of_the_protocol(self, parts: dict[str, Any]) -> None:
        provenance = Provenance(
            (Declaration("relevant-from", "2"),),
            statements={"criterion": "supports the action", "disputed": [{"q": 1}]},
        )
        run = rankeval.Run({})
        page = compared(rankeval.Protocol(**parts, provenance=provenance), run, run)

        assert page.shown.count("--relevant-from 2") == 2
        assert "criterion supports the action" in page.shown
        assert 'disputed [{"q": 1}]' in page.shown

    def test_a_fingerprint_that_was_not_recomputed_is_called_so(self, parts: dict[str, Any]) -> None:
        relevant = {query: [] for query in parts["queries"]}
        protocol = rankeval.Protocol.from_relevant(
            parts["corpus"], parts["queries"], relevant, "test", 2, recorded_sha256="9" * 64
        )
        page = compared(protocol, rankeval.Run({}), rankeval.Run({}))

        assert f"{'9' * 64}, as its file states it; not recomputed" in page.shown

    def test_no_clock_is_read(self, protocol: rankeval.Protocol) -> None:
        run = rankeval.Run({})
        plain = compared(protocol, run, run).texts

        assert compared(protocol, run, run).texts == plain
        assert compared(protocol, run, run, made_at=datetime(2031, 2, 3, 4, 5, tzinfo=UTC)).shown.endswith(
            f"rankeval {html_report.program_version()} · 2031-02-03 04:05 UTC"
        )


def with_everywhere(word: str) -> bytes:
    """A page with one word wherever text can come from outside."""
    protocol = rankeval.Protocol(
        corpus={word: {"title": word, "text": f"{word} {'x' * 300}"}, f"{word}2": word, f"{word}3": word},
        queries={word: {"text": word, "split": word, "group": word}},
        qrels={word: {word: 1, f"{word}2": 1, f"{word}3": 0}},
        split=word,
        k=1,
        provenance=Provenance((Declaration(word, word, word),), statements={word: word}),
    )
    a = rankeval.Run(
        {word: [word]},
        word,
        word,
        {"model": word},
        (Declaration(word, word),),
        from_chunks=FromChunks(word, "a" * 64, 1),
    )
    b = rankeval.Run({word: [f"{word}3", f"{word}2"]}, f"{word}b")
    found = rankeval.compare(protocol.score(a), protocol.score(b))
    return comparison_html(protocol, (a, b), found, name=word)


class TestText:
    @pytest.mark.parametrize("word", HOSTILE)
    def test_hostile_text_adds_no_element_and_no_attribute(self, word: str) -> None:
        plain, hostile = Reader(with_everywhere("plain")), Reader(with_everywhere(word))

        assert [tag for tag, _ in hostile.elements] == [tag for tag, _ in plain.elements]
        assert [[name for name, _ in own] for _, own in hostile.elements] == [
            [name for name, _ in own] for _, own in plain.elements
        ]

    @pytest.mark.parametrize("word", HOSTILE)
    def test_hostile_text_shows_as_it_is_written(self, word: str) -> None:
        plain, hostile = ("".join(Reader(with_everywhere(each)).texts).count(each) for each in ("plain", word))

        assert hostile == plain
        assert plain > 40

    @pytest.mark.parametrize("word", HOSTILE)
    def test_every_piece_of_it_keeps_its_direction_to_itself(self, word: str) -> None:
        page = with_everywhere(word).decode()
        outside = re.sub(r"(?s)<title>.*?</title>|<svg.*?</svg>|<bdi>.*?</bdi>", "", page)

        assert html.escape(word) not in outside
        assert str(escape(word)) not in outside


class TestSelfContained:
    @pytest.mark.parametrize("word", ["plain", *HOSTILE])
    def test_it_refers_to_nothing_but_itself(self, word: str) -> None:
        page = Reader(with_everywhere(word))
        references = [
            value
            for _, own in page.elements
            for name, value in own
            if name in {"href", "src", "srcset", "data", "action", "background", "poster", "xlink:href", "style"}
        ]
        targets = {value for _, own in page.elements for name, value in own if name == "id"}

        assert {reference[1:] for reference in references if reference} <= targets
        assert all(reference and reference.startswith("#") for reference in references)
        assert not {"script", "link", "img", "iframe", "object", "form", "base"} & {tag for tag, _ in page.elements}
        assert not [name for _, own in page.elements for name, _ in own if name.startswith("on")]

    def test_its_style_asks_for_nothing(self) -> None:
        style = (LAYOUTS / "report.css").read_text(encoding="utf-8")

        assert not re.search(r"url\(|@import|@font-face|image-set", style)

    def test_its_policy_allows_its_own_style_and_nothing_else(self) -> None:
        policies = [
            dict(own)["content"]
            for tag, own in Reader(with_everywhere("plain")).elements
            if tag == "meta" and dict(own).get("http-equiv") == "Content-Security-Policy"
        ]

        (policy,) = policies
        assert re.fullmatch(
            r"default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'; form-action 'none'",
            policy or "",
        )


class TestSize:
    def test_2000_queries_are_under_3_mb(self) -> None:
        text = "what progress has been made in research on the matter that this query is about, and by whom " * 3
        corpus = {f"document-{number}": text * 4 for number in range(300)}
        queries = {f"query-{number}": {"text": f"{number} {text}", "split": "test"} for number in range(2_000)}
        relevant = {query: [f"document-{number % 300}"] for number, query in enumerate(queries)}
        protocol = rankeval.Protocol.from_relevant(corpus, queries, relevant, "test", 10)
        documents = list(corpus)
        a = rankeval.Run({query: documents[number % 280 :][:20] for number, query in enumerate(queries)}, "a")
        b = rankeval.Run({query: documents[number % 277 :][:20] for number, query in enumerate(queries)}, "b")
        compared = rankeval.compare(protocol.score(a), protocol.score(b))
        page = comparison_html(protocol, (a, b), compared, name="large")

        assert page.count(b'<th scope="row">') == 2_000 + 2
        assert len(page) < 3_000_000


class Bracketed(NullTranslations):
    """Puts whatever goes through the catalogue between brackets."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"⟦{msgid1 if n == 1 else msgid2}⟧"

    def pgettext(self, context: str, message: str) -> str:  # noqa: ARG002 - gettext's
        return f"⟦{message}⟧"


class TestLanguages:
    def test_every_word_goes_through_the_catalogue(self) -> None:
        protocol = rankeval.Protocol(
            corpus={"d1": "7" * 2_000, "d2": "8", "d3": "9", "d4": "9"},
            queries={"q1": {"text": "1", "split": "s1"}, "q2": {"text": "2", "split": "s1"}},
            qrels={"q1": {"d1": 1, "d2": 0, "d3": 1, "d4": 1}, "q2": dict.fromkeys(["d1", "d2", "d3", "d4"], 0)},
            split="s1",
            k=21,
            provenance=Provenance((Declaration("o1", "v1"),)),
        )
        a = rankeval.Run({"q1": ["d1", "d2"]}, "r1", from_chunks=FromChunks(None, "7" * 64, 2))
        b = rankeval.Run({"q1": ["d2", "d1"], "q2": []}, "r2")
        found = rankeval.compare(protocol.score(a), protocol.score(b))
        page = comparison_html(protocol, (a, b), found, name="n1", language=("zh-Hans", Bracketed()))
        shown, before = Reader(page).shown, ""
        while shown != before:
            shown, before = re.sub("⟦[^⟦⟧]*⟧", " ", shown), shown
        for fingerprint in (protocol.protocol_sha256, protocol.compact_sha256, a.run_sha256, b.run_sha256):
            shown = shown.replace(fingerprint, " ").replace(fingerprint[:12], " ")
        kept = {"rankeval", "unknown", "RR", "Recall", "MRR", "null"}
        fields = {"protocol_sha256", "compact_sha256", "run_sha256", "adapter_sha256", "chunk_run_sha256"}

        assert set(re.findall(r"[^\W\d_]{2,}\w*", shown)) - kept == fields
        assert page.startswith(b'<!DOCTYPE html>\n<html lang="zh-Hans">')

    @pytest.mark.parametrize("layout", sorted(LAYOUTS.glob("*.html")), ids=lambda file: file.stem)
    def test_no_layout_holds_a_word_of_its_own(self, layout: Path) -> None:
        source = layout.read_text(encoding="utf-8")
        bare = re.sub(r"(?s)\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", "", source)
        shown = re.sub(r"(?s)<[^>]*>|&\w+;", " ", bare)
        attributes = re.findall(r'(?:title|alt|aria-label|placeholder)="([^"]*)"', bare)

        assert set(re.findall(r"[^\W\d_]{2,}", shown + " ".join(attributes))) <= {"rankeval", "RR", "Recall"}

    def test_the_layouts_are_jinja(self) -> None:
        for layout in LAYOUTS.glob("*.html"):
            Environment(autoescape=True).parse(layout.read_text(encoding="utf-8"))


class TestSamples:
    @pytest.mark.parametrize("name", ["tutorial", "help_centre"])
    def test_they_are_reported(self, name: str) -> None:
        sample = sample_set(name)
        runs = {run.name: run for run in sample.runs}
        page = compared(sample.protocol, runs[sample.baseline], runs[sample.candidate])

        assert f"{sample.candidate} against {sample.baseline}" in page.shown

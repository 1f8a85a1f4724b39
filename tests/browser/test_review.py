"""Review in a browser: a whole round, two annotators in two browsers, up to decisions, a proposal and files."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import pytest
from annotator import begin, choose, choose_reason, column, mark, note, pick, query_of, save, skip
from playwright.sync_api import Browser, BrowserContext, Page, expect
from visitor import open_page, rows_of, settle, tick_row

from rankeval.dashboard.library import Library
from rankeval.formats.samples import sample_sets
from rankeval.workspace import Workspace

pytestmark = pytest.mark.browser

BASELINE, CANDIDATE = "bm25", "stemmed_fields"
FIRST = {
    "t19": "remove-member",
    "t24": "offline-notebooks",
    "t09": "roles",
    "t03": "suspicious-email",
}
"""The regressions of the pair, worst first, and what the baseline returned first for each, as its file has it."""

DIGITS = "3 of 5 are from 2024,\n  1 is not"
HOSTILE = "=1+1 <img src=x onerror=window.hacked=1> [a](javascript:alert(1)) :red[x] $x$"
SCORED = 26
"""Queries of the help centre's split that have a relevant document; 3 of its 29 have none."""

SHOWN = """() => {
    const saved = document.querySelector('.st-key-review-saved')?.innerText ?? '';
    return document.querySelector('.stApp').innerText.replace(saved, '');
}"""
"""Gives the text of a page without what it says of the verdict before."""

EQUAL, WRONG, UNCLEAR = 2, 4, 5
"""The keys of verdicts that are the same whichever side is X."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round as its lead sees it: the page of results, and the address that is sent to annotators."""

    results: str
    address: str


@pytest.fixture(scope="module")
def help_centre(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The part of an address that opens the help centre on the two runs."""
    library = Library(Workspace(tmp_path_factory.mktemp("samples") / "samples.db"), sample_sets())
    entry = next(each for each in library.protocols() if each.name == "A help centre")
    keys = {run.name: run.key[:12] for run in library.runs(entry)}
    return f"protocol={entry.key[:12]}&a={keys[BASELINE]}&b={keys[CANDIDATE]}"


@pytest.fixture(scope="module")
def lead(chromium: Browser, address: str) -> Iterator[Page]:
    """Who leads the rounds."""
    context = chromium.new_context(viewport={"width": 1400, "height": 1000}, base_url=address, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(20_000)
    yield page
    assert page.evaluate("window.hacked") is None
    context.close()


def make_round(lead: Page, help_centre: str, name: str, annotators: int = 2) -> Round:
    """Make a round of the regressions and give its addresses."""
    open_page(lead, f"/review?{help_centre}", "protocol-bar")
    form = lead.get_by_test_id("stExpander")
    if not lead.locator(".st-key-make button").is_visible():
        form.locator("summary").click()
    lead.locator(".st-key-round-name input").fill(name)
    lead.locator(".st-key-round-annotators input").fill(str(annotators))
    lead.locator(".st-key-make button").click()
    expect(lead.locator(".st-key-review-rounds")).to_be_visible()
    expect(lead).to_have_url(re.compile("lead="))
    settle(lead)
    address = lead.locator(".st-key-review-address code").inner_text().strip()
    return Round(lead.url, address)


@pytest.fixture
def visitors(chromium: Browser, address: str) -> Iterator[list[BrowserContext]]:
    """Two browsers that share nothing."""
    contexts = [
        chromium.new_context(viewport={"width": 1400, "height": 1000}, base_url=address, locale="en-GB")
        for _ in range(2)
    ]
    for each in contexts:
        each.set_default_timeout(20_000)
    yield contexts
    for each in contexts:
        each.close()


def baseline_is(page: Page) -> str:
    """Say which column is the baseline's, by what it returned first."""
    return "X" if column(page, "X")[0] == FIRST[query_of(page)] else "Y"


def key_for(page: Page, side: str) -> int:
    """Give the key that says that the baseline's or the candidate's column is better."""
    is_x = (baseline_is(page) == "X") == (side == BASELINE)
    return 1 if is_x else 3


def expect_blind(page: Page, *hidden: str) -> None:
    """Nothing on the page or behind it tells whose a column is, or what others said.

    What was saved of the query before does name the runs, and is left out.
    """
    words = (BASELINE, CANDIDATE, "missing", "empty", *hidden)
    card = page.locator(".st-key-review-card").inner_html()
    shown = page.evaluate(SHOWN)
    for word in words:
        assert not re.search(rf"\b{re.escape(word)}\b", shown), word
        assert word not in card, word
    if page.locator(".st-key-review-saved").count() == 0:
        source = page.content()
        for word in set(words) - {"missing", "empty"}:  # which the page's own scripts and styles speak of
            assert word not in source, word


def test_a_round_from_its_making_to_what_comes_of_it(
    lead: Page, help_centre: str, visitors: list[BrowserContext]
) -> None:
    """What each says: t19 baseline, baseline; t24 baseline, candidate; t09 equal, equal; t03 judgment, unclear.

    Two of four agree.  The first says baseline 2, equal 1, judgment 1, the second baseline, candidate, equal and
    unclear 1 each, so chance would agree on (2 x 1 + 1 x 1) / 16 = 3/16, and kappa is (1/2 - 3/16) / (1 - 3/16) = 5/13.
    """
    made = make_round(lead, help_centre, "Regressions")
    north, south = (context.new_page() for context in visitors)
    _north(north, made)
    _south(south, made)

    _results(lead, made)
    _decision(lead)
    _files(lead)
    _proposal(lead)
    _compare(lead, made)


def test_an_address_reaches_its_round_and_nothing_else(
    lead: Page, help_centre: str, visitors: list[BrowserContext]
) -> None:
    made = make_round(lead, help_centre, "Nothing else")
    page = visitors[0].new_page()
    begin(page, made.address, "East")

    assert page.locator(".st-key-navigation, .st-key-protocol-bar, .st-key-review-rounds").count() == 0
    assert page.locator(".stApp a[href]:not([href^='#'])").count() == 0
    assert page.get_by_test_id("stSidebar").count() == 0
    # What stands in the lead's address names the round there, and opens it for nobody else.
    led = re.search("lead=([0-9a-f]+)", made.results)
    assert led
    page.goto(f"/review?round={led[1]}")
    expect(page.locator(".stApp")).to_contain_text("there is no review round at this address")
    settle(page)
    assert page.locator(".st-key-navigation, .st-key-review-card, .stApp a[href]:not([href^='#'])").count() == 0


def test_a_note_shows_as_written_where_it_is_read(lead: Page, help_centre: str, visitors: list[BrowserContext]) -> None:
    made = make_round(lead, help_centre, "As written")
    for context, name, key, said in zip(visitors, ("East", "West"), (EQUAL, UNCLEAR), (HOSTILE, DIGITS), strict=True):
        page = context.new_page()
        begin(page, made.address, name)
        while query_of(page) != "t19":  # who comes second is given first what nobody has yet
            skip(page)
        choose(page, key)
        note(page, said)
        save(page, "t19")
        assert page.evaluate("window.hacked") is None

    lead.goto(made.results)
    notes = lead.locator(".st-key-review-disagreements .rk-said .rk-text")
    expect(notes).to_have_count(2)
    settle(lead)
    assert notes.all_inner_texts() == [HOSTILE, DIGITS]
    cells = [cell for row in rows_of(lead, "review-verdicts") for cell in row]
    assert HOSTILE in cells
    markup = lead.locator(".stApp").locator("img, iframe, .katex, [href^='javascript:'], [style*='color: red']")
    assert markup.count() == 0
    assert lead.evaluate("window.hacked") is None


def _north(page: Page, made: Round) -> None:
    begin(page, made.address, "North")
    expect(page.locator(".st-key-review-progress")).to_contain_text("North: 4 queries, 0 done")
    assert page.locator(".stApp a[href]:not([href^='#'])").count() == 0
    assert query_of(page) == "t19"
    expect_blind(page)

    # A digit in the note is no verdict, and the note is kept as typed.
    note(page, DIGITS)
    assert page.locator(".st-key-verdicts button[kind=primary]").count() == 0
    page.locator(".st-key-review-card .rk-need").click()
    expect(page.get_by_role("textbox", name="Note")).to_have_value(DIGITS)
    settle(page)
    whose = {True: f"X was {BASELINE}, Y was {CANDIDATE}.", False: f"X was {CANDIDATE}, Y was {BASELINE}."}
    baseline_was_x = baseline_is(page) == "X"
    choose(page, key_for(page, BASELINE))
    choose_reason(page, "shares words with the query, and not its meaning")
    expect_blind(page)
    assert whose[baseline_was_x] in save(page, "t19")

    # A reload finds the same annotator and the same query.
    assert query_of(page) == "t24"
    page.reload()
    expect(page.locator(".st-key-review-progress")).to_contain_text("North: 4 queries, 1 done")
    settle(page)
    assert query_of(page) == "t24"
    expect_blind(page)

    skip(page)
    assert query_of(page) == "t09"
    choose(page, 6)
    save(page, "t09")
    assert query_of(page) == "t03"
    choose(page, WRONG)
    mark(page, "Relevant, I think", "backup-automatic")
    save(page, "t03")

    # Undo gives the query back; going back revises.
    page.locator(".st-key-undo button").click()
    expect(page.locator(".st-key-review-saved")).to_contain_text("Taken back: query t03.")
    expect(page.locator(".st-key-review-card")).to_contain_text("query t03")
    settle(page)
    choose(page, WRONG)
    mark(page, "Relevant, I think", "backup-automatic")
    save(page, "t03")
    pick(page, "Go back to a query that you answered", "t09")
    expect(page.locator(".st-key-review-card")).to_contain_text("query t09")
    settle(page)
    expect(page.locator(".st-key-verdicts button").nth(5)).to_have_attribute("kind", "primary")
    choose(page, EQUAL)
    save(page, "t09")

    # What was skipped comes last.
    assert query_of(page) == "t24"
    choose(page, key_for(page, BASELINE))
    page.locator(".st-key-save button").click()
    expect(page.locator(".stApp")).to_contain_text("Nothing is left for you: 4 verdicts saved. Thank you.")


def _south(page: Page, made: Round) -> None:
    begin(page, made.address, "South")
    for _ in range(len(FIRST)):
        query = query_of(page)
        expect_blind(page, "North", "2024")
        keys = {"t19": BASELINE, "t24": CANDIDATE, "t09": EQUAL, "t03": UNCLEAR}
        meant = keys[query]
        choose(page, key_for(page, meant) if isinstance(meant, str) else meant)
        if query == "t24":
            note(page, HOSTILE)
        page.locator(".st-key-save button").click()
        expect(page.locator(".st-key-review-saved")).to_contain_text(f"Saved: query {query}, ")
        settle(page)
    expect(page.locator(".stApp")).to_contain_text("Nothing is left for you: 4 verdicts saved. Thank you.")


def _results(lead: Page, made: Round) -> None:
    lead.goto(made.results)
    expect(lead.locator(".st-key-review-agreement")).to_be_visible()
    settle(lead)
    expect(lead.locator(".st-key-review-progress")).to_contain_text("4 of 4 queries are complete; 8 of 8 verdicts.")
    assert rows_of(lead, "review-progress") == [["North", "4", "0", "0"], ["South", "4", "0", "0"]]
    agreement = lead.locator(".st-key-review-agreement")
    expect(agreement).to_contain_text("2 of 4 pairs of verdicts on one query agree: 0.5000 = 1/2.")
    expect(agreement).to_contain_text("0.3846 = 5/13")
    differ = lead.locator(".st-key-review-disagreements .rk-null")
    expect(differ).to_have_count(2)
    expect(differ.nth(0)).to_contain_text("query t24")
    expect(differ.nth(0)).to_contain_text("A, the baseline, is clearly better")
    expect(differ.nth(0)).to_contain_text("B, the candidate, is clearly better")
    expect(differ.nth(1)).to_contain_text("a judgment looks wrong")
    table = lead.locator(".st-key-review-verdicts canvas table[role=grid]")
    expect(table).to_contain_text("shares words with the query, and not its meaning")
    expect(lead.locator(".st-key-review-causes canvas table[role=grid]")).to_contain_text(
        "shares words with the query, and not its meaning"
    )


def _compare(lead: Page, made: Round) -> None:
    """A verdict leads to the query on Compare, with the round's runs on the round's sides, whoever was looked at."""
    swapped, found = re.subn("a=([0-9a-f]+)&b=([0-9a-f]+)", r"a=\2&b=\1", made.results)
    assert found == 1
    lead.goto(swapped)
    expect(lead.locator(".st-key-review-verdicts canvas table[role=grid]")).to_contain_text("t19")
    settle(lead)
    tick_row(lead, "review-verdicts", 0)
    expect(lead.locator(".st-key-query-pane")).to_contain_text("query t19")
    expect(lead.locator(".st-key-verdict")).to_contain_text(f"{CANDIDATE} against {BASELINE}: ")


def _decision(lead: Page) -> None:
    lead.locator(".st-key-decide button").click()
    expect(lead.locator(".stApp")).to_contain_text("A decision needs what it comes to, who decides, and why.")
    settle(lead)
    lead.get_by_role("combobox", name="Decision").click()
    lead.get_by_role("option", name="A, the baseline, is clearly better", exact=True).click()
    lead.get_by_role("textbox", name="Who decides").fill("Lead")
    lead.locator(".st-key-decision-reason input").fill("the handbook page is what they need")
    lead.locator(".st-key-decide button").click()
    expect(lead.locator(".st-key-review-disagreements")).to_contain_text(
        "decided by Lead: A, the baseline, is clearly better, because the handbook page is what they need"
    )
    settle(lead)


def _downloaded(lead: Page, name: str) -> str:
    with lead.expect_download() as download:
        lead.get_by_role("button", name=name).click()
    return download.value.path().read_text(encoding="utf-8-sig")


def _files(lead: Page) -> None:
    lines = [json.loads(line) for line in _downloaded(lead, "Verdicts (JSON lines)").splitlines()]
    final = {(line["query"], line["annotator"]): line for line in lines if line["final"]}
    assert {key: line["finding"] for key, line in final.items()} == {
        ("t19", "North"): "baseline_better",
        ("t19", "South"): "baseline_better",
        ("t24", "North"): "baseline_better",
        ("t24", "South"): "candidate_better",
        ("t09", "North"): "equal",
        ("t09", "South"): "equal",
        ("t03", "North"): "judgment_wrong",
        ("t03", "South"): "query_unclear",
    }
    assert final["t19", "North"]["note"] == DIGITS
    assert final["t19", "North"]["reason"] == "words_only"
    assert final["t24", "South"]["note"] == HOSTILE
    assert final["t03", "North"]["marks"] == {"backup-automatic": "relevant"}
    revised = [line["verdict"] for line in lines if (line["query"], line["annotator"]) == ("t09", "North")]
    assert revised == ["cannot_tell", "equal"]
    undone = [line["verdict"] for line in lines if (line["query"], line["annotator"]) == ("t03", "North")]
    assert undone == ["judgment_wrong", None, "judgment_wrong"]

    rows = list(csv.DictReader(io.StringIO(_downloaded(lead, "Verdicts (CSV)"))))
    assert len(rows) == len(lines)
    hostile = next(row for row in rows if row["query"] == "t24" and row["annotator"] == "South")
    assert not hostile["note"].startswith("=")
    assert hostile["note"].endswith(HOSTILE)


def _proposal(lead: Page) -> None:
    """With `backup-automatic` relevant to t03 the candidate, which does not return it, has 1/3 there and not 1/2."""
    standing = lead.locator(".st-key-protocol-bar").inner_text()
    assert rows_of(lead, "review-disputes") == [["t03", "backup-automatic", "0", "North", ""]]
    lead.get_by_role("combobox", name="Judgments to change").click()
    lead.get_by_role("option", name="t03 · backup-automatic", exact=True).click()
    lead.keyboard.press("Escape")
    lead.locator(".st-key-proposed-why input").fill("it says how to take all notes along")
    lead.locator(".st-key-propose button").click()
    panel = lead.locator(".st-key-review-disputes")
    expect(panel).to_contain_text("is a protocol of its own, made from")
    settle(lead)
    shown = panel.locator("canvas table[role=grid]").nth(1).locator("tbody tr")
    expect(shown).to_have_count(4)
    rows = [row.locator("td").all_text_contents() for row in shown.all()]
    (run_a, old, recall_a, *_), (_, new, recall_a_new, *_), (run_b, old_b, recall_b, *_), (_, _, recall_b_new, *_) = (
        rows
    )
    exact = [Fraction(each.split(" = ")[1]) for each in (recall_a, recall_a_new, recall_b, recall_b_new)]

    assert (run_a, run_b) == (BASELINE, CANDIDATE)
    assert old == old_b != new
    assert exact[0] == exact[1]
    assert exact[2] - exact[3] == Fraction(1, 6) / SCORED
    assert lead.locator(".st-key-protocol-bar").inner_text() == standing

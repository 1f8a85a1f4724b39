"""Twenty annotators in twenty browsers answer one round on one server at once; nothing that they say may go astray.

    .venv/bin/python tests/benchmarks/twenty_annotators.py [--annotators 20] [--reading 10]

Each gives their name, reads each query for a while, and answers or skips what they are handed until nothing is left for
them; their note says who they are and which query they read.  Some click twice on Save.  Then the workspace must hold
every verdict that a page said is saved, once, under the name of who gave it, and as many on each query as it needs.  A
time is from the click on Save until the page says that it is saved and shows what comes next; twenty browsers share the
processors with the server.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from playwright.async_api import Browser, Error, Page, async_playwright, expect

sys.path.insert(0, str(Path(__file__).parents[1] / "browser" / "support"))
from chromium import QUIET
from server import serving

from rankeval.core.review import Verdict
from rankeval.core.review_queue import State
from rankeval.dashboard.library import Library
from rankeval.formats.samples import sample_sets
from rankeval.workspace import Reviews, Workspace
from rankeval.workspace.checks import verify

ANNOTATORS, QUERIES, NEEDED = 20, 10, 5
READING_S = 10
"""How long at most an annotator reads a query; how long is drawn for each."""

SKIPS_EVERY, TWICE_EVERY = 5, 3
"""Who skips their first query, and which of their saves each clicks twice."""

PATIENCE_S, LONGEST_S = 60, 160
"""How long a page may take for anything, and how long all annotators have."""

Said = tuple[str, str, str, str]
"""Annotator, query, verdict and note."""


@dataclass
class Kept:
    """What the pages said: verdicts that are saved, how long that took, and what was handed to whom.

    Attributes:
        said: each verdict that a page said is saved.
        shown: query -> who was handed it and did not skip it.
        opened: seconds from the address to the name's field, for each annotator.
        saved: seconds of each save.
        stuck: whose page did not come to what was waited for, with why.

    """

    said: list[Said] = field(default_factory=list)
    shown: dict[str, set[str]] = field(default_factory=dict)
    opened: list[float] = field(default_factory=list)
    saved: list[float] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)


def make_round(file: Path) -> str:
    """Make a workspace with a round of the help centre's queries, and give the round's address."""
    library = Library(Workspace(file), sample_sets())
    entry = next(each for each in library.protocols() if each.name == "A help centre")
    runs = {run.name: run for run in library.runs(entry)}
    made = library.begin_round(
        runs["bm25"],
        runs["stemmed_fields"],
        name="Twenty at once",
        statuses=["same"],
        queries=entry.protocol.split_queries[:QUERIES],
        guidelines="",
        annotators_per_query=NEEDED,
        blind=True,
    )
    return made.token


async def annotate(browser: Browser, address: str, number: int, reading_s: float, kept: Kept) -> None:
    """Be one annotator in a browser context of their own."""
    context = await browser.new_context(viewport={"width": 1000, "height": 900}, locale="en-GB")
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    try:
        await answer_all(page, address, number, reading_s, kept)
    except (AssertionError, Error) as error:
        kept.stuck.append(f"annotator {number} is stuck: {str(error)[:2000]}")
    await context.close()


async def answer_all(page: Page, address: str, number: int, reading_s: float, kept: Kept) -> None:
    """Go from the address to the thanks."""
    chance = random.Random(number)
    name = f"annotator {number}"
    began = time.perf_counter()
    await page.goto(address)
    await page.locator(".st-key-annotator-name input").fill(name)
    kept.opened.append(time.perf_counter() - began)
    await page.locator(".st-key-begin button").click()
    turn = 0
    while (query := await next_query(page)) is not None:
        turn += 1
        await page.wait_for_timeout(chance.uniform(0, reading_s) * 1000)
        if turn == 1 and number % SKIPS_EVERY == 0:
            await page.locator(".st-key-skip button").click()
            await gone(page, query)
            continue
        kept.shown.setdefault(query, set()).add(name)
        verdict = chance.choice(list(Verdict))
        note = f"{name} on {query}"
        button = page.locator(f".st-key-verdict-{verdict} button")
        await button.click()
        await expect(button).to_have_attribute("kind", "primary")
        await page.get_by_role("textbox", name="Note").fill(note)
        save = page.locator(".st-key-save button")
        began = time.perf_counter()
        await save.click(click_count=2 if turn % TWICE_EVERY == 0 else 1)
        await expect(page.locator(".st-key-review-saved")).to_contain_text(f"Saved: query {query}, ")
        kept.said.append((name, query, str(verdict), note))
        await gone(page, query)
        kept.saved.append(time.perf_counter() - began)


async def next_query(page: Page) -> str | None:
    """Wait for what comes next: the query on the card, or None when there is nothing left."""
    card, thanks = page.locator(".st-key-review-card .rk-need .quiet"), page.get_by_text("Nothing is left for you")
    await expect(card.or_(thanks)).to_be_visible()
    if await thanks.count():
        return None
    return (await card.inner_text()).removeprefix("query ")


async def gone(page: Page, query: str) -> None:
    """Wait until a query is no longer on the card, and the page is idle."""
    card = page.locator(".st-key-review-card .rk-need .quiet")
    await expect(card.filter(has_text=re.compile(rf"query {re.escape(query)}$"))).to_have_count(0)
    await page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')


async def annotate_together(address: str, annotators: int, reading_s: float) -> Kept:
    """Let all annotate at once, each in a browser context of their own, and give what their pages said."""
    expect.set_options(timeout=PATIENCE_S * 1000)
    kept = Kept()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        everybody = (annotate(browser, address, number, reading_s, kept) for number in range(1, annotators + 1))
        try:
            await asyncio.wait_for(asyncio.gather(*everybody), LONGEST_S)
        except TimeoutError:
            kept.stuck.append(f"not all are done after {LONGEST_S} s")
        await browser.close()
    return kept


def violations(file: Path, token: str, kept: Kept) -> Iterator[str]:
    """Read the workspace, and say what is not as the pages said or handed out too often."""
    workspace = Workspace(file)
    reviews = Reviews(workspace.database)
    there = Counter(
        (each.answer.annotator, each.answer.query, str(each.answer.verdict), each.answer.note)
        for each in reviews.history(token)
    )
    said = Counter(kept.said)
    yield from kept.stuck
    yield from (f"lost: {each}" for each in said - there)
    yield from (f"under another name or query: {each}" for each in there if each[3] != f"{each[0]} on {each[1]}")
    pairs = Counter(each[:2] for each in there.elements())
    yield from (f"saved {count} times: {each}" for each, count in pairs.items() if count > 1)
    given = Counter(query for _, query in pairs.elements())
    held = Counter(each.query for each in reviews.assignments(token) if each.state is not State.SKIPPED)
    for query in reviews.round_by_token(token).queries:
        counts = {"verdicts": given[query], "holders": held[query], "readers": len(kept.shown.get(query, ()))}
        # Where somebody did not come to the end, queries lack verdicts; too many there may be at no time.
        wrong = {what: count for what, count in counts.items() if count > NEEDED or (count < NEEDED and not kept.stuck)}
        yield from (f"{query}: {count} {what} of {NEEDED}" for what, count in wrong.items())
    if not kept.stuck:
        yield from (f"saved, and no page said so: {each}" for each in there - said)
    if verify(workspace.database)["verdicts"] != there.total():
        yield "the workspace's own check counts other verdicts"


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--annotators", type=int, default=ANNOTATORS, metavar="N", help=f"how many ({ANNOTATORS})")
    parser.add_argument(
        "--reading", type=float, default=READING_S, metavar="S", help=f"seconds that one reads at most ({READING_S})"
    )
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rankeval.db"
        token = make_round(file)
        with serving(Path(folder), workspace=file) as address:
            page = f"{address}/review?round={token}"
            kept = asyncio.run(annotate_together(page, options.annotators, options.reading))
        found = list(violations(file, token, kept))
        if found:
            print((Path(folder) / "server.log").read_text()[-4000:])
    print(
        f"{options.annotators} annotators, {QUERIES} queries for {NEEDED} each, {len(kept.said)} verdicts,"
        f" {time.monotonic() - began:.0f} s"
    )
    for what, times in (("open", kept.opened), ("save", kept.saved)):
        if times:
            print(f"{what}: median {statistics.median(times):.2f} s, worst {max(times):.2f} s")
    print(*found or ["nothing lost, doubled, misfiled or handed out too often"], sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    raise SystemExit(main())

"""How long each click of a visit takes on a large protocol, in a browser, and how much memory the server needs.

    python tests/benchmarks/visit.py FOLDER [--visits 3]

2,000 queries, 20,000 documents, 10 runs and one chunk run of 100 each, kept in a workspace in FOLDER, which is made at
the first call.  A time is from the press of the mouse until the page is idle: its script has ended, nothing on it is
stale, its charts are drawn, and nothing fades in any more.  The first visit computes what later ones find computed;
each reads its first page for some seconds.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "browser" / "support"))
from chromium import QUIET
from server import serving
from visitor import settle, tick_row

import rankeval
from rankeval.dashboard.library import Library
from rankeval.workspace import Workspace

QUERIES, DOCUMENTS, RUNS, DEPTH, K = 2_000, 20_000, 10, 100, 10
CHUNKS_PER_DOCUMENT = 3
READING = 4
"""For how many seconds the visitor reads the first page, while the server scores the other runs behind it."""
NULL_EVERY, MISSING_EVERY, SHORT_EVERY = 50, 40, 30
WORDS = ["wing", "flow", "heat", "shock", "layer", "plate", "speed", "drag", "lift", "pressure", "nozzle", "theory"]


def prepared(folder: Path) -> Path:
    """Make the workspace, unless it is there."""
    workspace = folder / "visit.db"
    if workspace.exists():
        return workspace
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(1)
    documents = [f"D{number:06d}" for number in range(DOCUMENTS)]
    queries = [f"Q{number:05d}" for number in range(QUERIES)]
    relevant = {
        query: frozenset() if place % NULL_EVERY == 0 else frozenset(chance.sample(documents, chance.randint(1, 5)))
        for place, query in enumerate(queries)
    }
    protocol = rankeval.Protocol.from_relevant(
        {each: {"title": f"Report {each}", "text": " ".join(chance.choices(WORDS, k=80))} for each in documents},
        {
            each: {"text": f"what is known of {' '.join(chance.choices(WORDS, k=6))}", "split": "test"}
            for each in queries
        },
        relevant,
        "test",
        K,
    )
    library = Library(Workspace(workspace))
    entry = library.add_protocol("visit", protocol)
    for number in range(RUNS):
        library.add_run(entry, rankeval.Run(dict(_rankings(number, queries, documents, relevant)), f"run {number}"))
    chunk_to_doc = {f"{each}#{part}": each for each in documents for part in range(CHUNKS_PER_DOCUMENT)}
    library.add_chunk_map(entry, "map", chunk_to_doc)
    chunks = {
        query: [f"{document}#{part}" for document in ranking[: DEPTH // 2] for part in chance.sample(range(3), 2)]
        for query, ranking in _rankings(99, queries, documents, relevant)
    }
    own = library.chunk_maps(entry)["map"]
    library.add_chunk_run(entry, rankeval.Run(chunks, "chunks"), own, None, "chunks, all chunks")
    return workspace


def _rankings(
    number: int, queries: list[str], documents: list[str], relevant: dict[str, frozenset[str]]
) -> Iterator[tuple[str, list[str]]]:
    """Give random rankings with relevant documents among the first twenty, some short, some queries missing."""
    chance = random.Random(number)
    for place, query in enumerate(queries, number):
        if place % MISSING_EVERY == 0:
            continue
        ranking = chance.sample(documents, DEPTH)
        for document in sorted(relevant[query]):
            if document not in ranking and chance.random() < 0.5 + number / 40:
                ranking[chance.randrange(20)] = document
        ranking = list(dict.fromkeys(ranking))
        yield query, ranking[:5] if place % SHORT_EVERY == 0 else ranking


@dataclass
class Clock:
    """Times of clicks by their names, over all visits, in seconds."""

    page: Page
    times: dict[str, list[float]] = field(default_factory=dict)

    def click(self, name: str, act: Callable[[], object], until: str) -> None:
        """Act, wait until an expression of the page holds and the page is idle, and keep how long that took."""
        act()
        self.page.wait_for_function(until, timeout=120_000)
        settle(self.page)
        self.page.wait_for_function(
            """[...document.querySelectorAll('[data-testid=stVegaLiteChart]')]
                .every(chart => chart.querySelector('svg, canvas'))"""
        )
        taken = self.page.evaluate("performance.now() - (window.pressed ?? 0)") / 1000
        self.times.setdefault(name, []).append(taken)
        self.page.wait_for_timeout(300)


PRESSES = "addEventListener('pointerdown', () => { window.pressed = performance.now() }, {capture: true})"
"""What notes in a page when the mouse was pressed last; before that, time counts from the opening of the page."""


def text_of(selector: str) -> str:
    """Give an expression for the text of an element, empty where there is none."""
    return f"(document.querySelector('{selector}')?.innerText ?? '')"


def visit(clock: Clock, address: str) -> None:
    """Open every page, and do on it what people do."""
    page = clock.page
    there = "document.querySelector('.st-key-{}')"
    clock.click("first page", lambda: page.goto(address), there.format("query-pane"))
    page.wait_for_timeout(READING * 1000)

    clock.click("row", lambda: tick_row(page, "compare-table", 4), "location.search.includes('query=')")
    before = page.evaluate("location.search")
    bar = page.locator(".st-key-glance canvas")
    clock.click("bar", lambda: bar.click(position={"x": 500, "y": 30}), f"location.search !== '{before}'")
    before = page.evaluate("location.search")
    clock.click("next", page.locator(".st-key-next button").first.click, f"location.search !== '{before}'")
    pills = page.locator(".st-key-count-pills button")
    clock.click("filter pill", lambda: pills.nth(1).click(), "location.search.includes('filter=')")
    clock.click("filter off", lambda: pills.nth(1).click(), "!location.search.includes('filter=')")
    verdict = text_of(".st-key-verdict .rk-verdict")
    swapped = f"{verdict}.startsWith('run 0 against run 1')"
    clock.click("swap", page.locator(".st-key-swap button").first.click, swapped)
    page.locator(".st-key-select-b input").click()
    option = page.get_by_role("option", name="run 7")
    clock.click("choose B", option.click, f"{verdict}.startsWith('run 7 against')")

    links = page.locator(".st-key-navigation")
    for name, container in (
        ("Overview", "curve-mrr"),
        ("Missing and null", "missing-runs"),
        ("Chunk budgets", "provenance-table"),
        ("Why different?", "no-exhibits"),
        ("Data", "upload-report"),
    ):
        clock.click(f"open {name}", links.get_by_role("link", name=name).click, there.format(container))
        if name == "Overview":
            baseline = text_of(".st-key-overview-verdict")
            swap = page.locator(".st-key-swap button").first
            clock.click("swap on Overview", swap.click, f"{baseline}.includes('baseline run 7')")
            cell = "location.search.includes('filter=regression') && document.querySelector('.st-key-query-pane')"
            clock.click("matrix cell", page.locator(".rk-cell").nth(24).click, cell)
        if name == "Missing and null":
            row = "location.search.includes('query=') && document.querySelector('.st-key-query-pane')"
            clock.click("row on Missing", lambda: tick_row(page, "missing-rows", 3), row)
        if name == "Chunk budgets":
            more = page.locator(".st-key-chunks-taken").get_by_test_id("stNumberInputStepUp")
            clock.click("one more chunk", more.click, "location.search.includes('taken=3')")
        if name == "Why different?":
            side = page.locator(".st-key-explain-side").get_by_text("A, the baseline")
            page.wait_for_timeout(100)
            other = page.locator(".st-key-explain-side").get_by_text("B, the candidate")
            clock.click("side B", other.click, "location.search.includes('side=B')")
            clock.click("side A", side.click, "location.search.includes('side=A')")
        if name == "Data":
            for tab, part in (("What is loaded", "loaded-runs"), ("Read the protocol", "read-bench")):
                clock.click(tab, page.get_by_role("tab", name=tab).click, there.format(part))
    clock.click("open Compare", links.get_by_role("link", name="Compare").click, there.format("query-pane"))


@contextmanager
def visitor(address: str) -> Iterator[Page]:
    """Give a page of a new browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        page = browser.new_context(viewport={"width": 1400, "height": 1000}, base_url=address).new_page()
        page.set_default_timeout(120_000)
        page.add_init_script(PRESSES)
        yield page
        browser.close()


def peak_of_server() -> float:
    """Give the greatest memory in MiB that the server, a child of this process, has had."""
    children = Path(f"/proc/self/task/{next(Path('/proc/self/task').iterdir()).name}/children").read_text().split()
    server = next(each for each in children if b"rankeval" in Path(f"/proc/{each}/cmdline").read_bytes())
    status = Path(f"/proc/{server}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024


def main() -> None:
    """Print the first, the median and the worst time of each click, and the server's memory."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--visits", type=int, default=3)
    options = parser.parse_args()
    start = time.perf_counter()
    workspace = prepared(options.folder)
    print(f"workspace ready after {time.perf_counter() - start:.1f} s")
    with serving(options.folder, workspace=workspace) as address:
        key = Workspace(workspace).protocols()[0].protocol_sha256[:12]
        times: dict[str, list[float]] = {}
        for _ in range(options.visits):
            with visitor(address) as page:
                visit(Clock(page, times), f"/?protocol={key}")
        print(f"{'click':<26}{'first':>8}{'median':>8}{'worst':>8}")
        for name, taken in times.items():
            print(f"{name:<26}{taken[0]:8.2f}{statistics.median(taken):8.2f}{max(taken):8.2f}")
        clicks = [each for name, taken in times.items() if name != "first page" for each in taken]
        print(f"{'all but the first page':<26}{'':8}{statistics.median(clicks):8.2f}{max(clicks):8.2f}")
        print(f"server's peak: {peak_of_server():.0f} MiB")


if __name__ == "__main__":
    main()

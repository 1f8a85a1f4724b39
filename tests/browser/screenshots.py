"""Take a picture of every page, in both themes and languages, at every width, to be looked at one by one.

    python tests/browser/screenshots.py FOLDER [--widths 800,1280,1920] [--pages compare,data] [ADDRESS]

Without an address it starts a dashboard of its own on sample data with a review round, and adds the pages that need
one: `results`, which who leads it reads, and `annotator`.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parent / "support"))
from annotator import begin, choose
from chromium import QUIET
from reviewed import VISITOR, reviewed
from server import serving
from visitor import settle

PAGES = {
    "compare": "/compare",
    "overview": "/overview",
    "missing": "/missing",
    "budgets": "/budgets",
    "explain": "/explain",
    "data": "/data",
    "review": "/review",
}
THEMES = ("light", "dark")
LANGUAGES = {"en": "en-GB", "zh": "zh-CN"}


def main() -> None:
    """Write PAGE-LANGUAGE-THEME-WIDTH.png for each, and -1, -2 ... for each further tab of a page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("address", nargs="?")
    parser.add_argument("--widths", default="800,1280,1920")
    parser.add_argument("--pages")
    parser.add_argument("--themes", default=",".join(THEMES))
    parser.add_argument("--languages", default=",".join(LANGUAGES))
    parser.add_argument("--query", default="", help="what else stands in the address, such as protocol=...")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with _address(options.address) as (address, pages), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        for language in options.languages.split(","):
            for theme in options.themes.split(","):
                for width in map(int, options.widths.split(",")):
                    for page in options.pages.split(",") if options.pages else pages:
                        name = f"{page}-{language}-{theme}-{width}.png"
                        path = f"{address}{pages[page]}{'&' if '?' in pages[page] else '?'}{options.query}"
                        _shoot(browser, path, language, theme, width, options.folder / name)
        browser.close()


def _shoot(browser: Browser, address: str, language: str, theme: str, width: int, file: Path) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 1000},
        color_scheme="dark" if theme == "dark" else "light",
        locale=LANGUAGES[language],
    )
    page = context.new_page()
    if file.name.startswith("annotator"):
        begin(page, address, VISITOR)
        choose(page, 2)
    else:
        page.goto(address)
        page.wait_for_selector(".st-key-protocol-bar")
    settle(page)
    page.wait_for_timeout(600)  # charts are drawn after the script has ended
    _picture(page, width, file)
    tabs = page.get_by_role("tab")
    for tab in range(1, tabs.count()):
        tabs.nth(tab).click()
        page.wait_for_timeout(600)
        settle(page)
        _picture(page, width, file.with_stem(f"{file.stem}-{tab}"))
    context.close()


def _picture(page: Page, width: int, file: Path) -> None:
    """Take a picture of the whole page, however long it is."""
    page.set_viewport_size({"width": width, "height": 1000})
    page.evaluate("document.activeElement.blur()")  # no picture is of where the focus is
    for _ in range(2):  # what comes into sight for the first time may still grow
        height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
        page.set_viewport_size({"width": width, "height": min(4000, max(1000, height))})
        page.wait_for_timeout(400)
    page.screenshot(path=str(file))


@contextmanager
def _address(given: str | None) -> Iterator[tuple[str, dict[str, str]]]:
    """Give the address of a dashboard and the paths of its pages."""
    if given is not None:
        yield given, PAGES
        return
    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder) / "reviewed.db"
        pages = PAGES | reviewed(workspace)
        with serving(Path(folder), workspace=workspace) as address:
            yield address, pages


if __name__ == "__main__":
    main()

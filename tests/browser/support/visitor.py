"""What a visitor does on a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page, expect


def settle(page: Page) -> None:
    """Wait until the script has run, our style is there, and nothing is stale, yet to be drawn or fading in.

    What is expected must be waited for before.
    """
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')
    page.wait_for_function("document.querySelectorAll('[data-stale=\"true\"]').length === 0")
    page.wait_for_selector('[data-testid="stHeader"]', state="hidden")
    page.wait_for_function("document.querySelectorAll('[data-testid=\"stSkeleton\"]').length === 0")
    page.wait_for_function(
        "document.getAnimations().every(each => each.playState !== 'running'"
        " || each.effect?.getTiming().iterations === Infinity)"
    )


def open_compare(page: Page, path: str = "/") -> None:
    page.goto(path)
    expect(page.locator(".st-key-verdict")).to_contain_text("against")
    expect(page.locator(".st-key-next button")).to_be_enabled()
    settle(page)


def verdict(page: Page) -> str:
    return page.locator(".rk-verdict").inner_text()


def upload(page: Page, place: str, button: str, files: Sequence[Path | str], says: str) -> None:
    """Put files into one of the three places, load them, and wait for what the page says of it."""
    chooser = page.locator(f'.st-key-{place} [data-testid="stFileUploaderDropzoneInput"]')
    chooser.set_input_files([str(file) for file in files])
    for file in files:
        expect(page.locator(f".st-key-{place}")).to_contain_text(Path(file).name)
    page.locator(f".st-key-{button} button").click()
    expect(page.locator(".st-key-upload-report")).to_contain_text(says)
    settle(page)


def select_row(page: Page, row: int) -> None:
    """Tick the box of a row of the table of queries, from 0."""
    tick_row(page, "compare-table", row)


def table_rows(page: Page) -> list[list[str]]:
    """Give the cells of the rows that the table shows, from its accessible twin."""
    rows = page.locator(".st-key-compare-table canvas table[role=grid] tbody tr")
    expect(rows.first).to_be_attached()
    return [row.locator("td").all_text_contents() for row in rows.all()]


def expect_selected(page: Page, row: int) -> None:
    """Wait until the table shows a row as selected, from 0; its accessible twin follows a little later."""
    rows = page.locator(".st-key-compare-table canvas table[role=grid] tbody tr")
    expect(rows.nth(row)).to_have_attribute("aria-selected", "true")


def open_page(page: Page, path: str, container: str) -> None:
    """Open a page, and wait until a container of it is there."""
    page.goto(path)
    expect(page.locator(f".st-key-{container}").first).to_be_visible()
    settle(page)


def rows_of(page: Page, key: str) -> list[list[str]]:
    """Give the cells that a keyed table shows, row by row, from its accessible twin."""
    rows = page.locator(f".st-key-{key} canvas table[role=grid] tbody tr")
    expect(rows.first).to_be_attached()
    return [row.locator("td").all_text_contents() for row in rows.all()]


def tick_row(page: Page, key: str, row: int) -> None:
    """Tick the box of a keyed table's row, from 0."""
    click_row(page, key, row, 17)


def click_row(page: Page, key: str, row: int, x: float) -> None:
    """Click into a keyed table's row, from 0, however far down it stands; -1 is the header.

    All rows and the header have one height, which is measured: the theme's font size decides it.
    """
    grid = page.locator(f".st-key-{key} .dvn-scroller")
    table = page.locator(f".st-key-{key} canvas table[role=grid]")
    expect(table).to_be_attached()
    lines = int(table.get_attribute("aria-rowcount") or 0)
    height = grid.evaluate("each => each.firstElementChild.getBoundingClientRect().height") / lines
    scrolled = grid.evaluate(
        """(each, [top, height]) => {
            each.scrollTop = top + height > each.clientHeight ? top + height - each.clientHeight : 0;
            return each.scrollTop;
        }""",
        [height * (row + 1), height],
    )
    grid.click(position={"x": x, "y": height * (row + 1.5) - scrolled})

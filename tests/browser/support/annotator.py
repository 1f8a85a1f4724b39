"""What an annotator does on the page of a review round."""

from __future__ import annotations

import re
from unicodedata import normalize

from playwright.sync_api import Page, expect
from visitor import settle


def begin(page: Page, address: str, name: str) -> None:
    """Open a round's address for the first time and say who one is; names are kept in NFC."""
    page.goto(address)
    page.locator(".st-key-annotator-name input").fill(name)
    page.locator(".st-key-begin button").click()
    expect(page.locator(".st-key-review-progress")).to_contain_text(normalize("NFC", name))
    settle(page)


def query_of(page: Page) -> str:
    """Give the query that is on the card."""
    said = page.locator(".st-key-review-card .rk-need .quiet").first.inner_text()
    return said.removeprefix("query ")


def skip(page: Page) -> None:
    """Skip the query that is on the card."""
    before = query_of(page)
    page.locator(".st-key-skip button").click()
    expect(page.locator(".st-key-review-card .rk-need .quiet").first).not_to_have_text(f"query {before}")
    settle(page)


def column(page: Page, letter: str) -> list[str]:
    """Give the documents of column X or Y from the top."""
    columns = page.locator(".st-key-review-card .rk-two > div")
    return columns.nth("XY".index(letter)).locator(".rk-doc b.doc").all_inner_texts()


def choose(page: Page, key: int) -> None:
    """Press the key of a verdict, and wait until it is chosen."""
    page.locator(".st-key-review-card .rk-need").click()  # keys do nothing while a field has the focus
    page.keyboard.press(str(key))
    button = page.locator(".st-key-verdicts button").nth(key - 1)
    expect(button).to_have_attribute("kind", "primary")
    settle(page)


def options_of(page: Page, label: str) -> list[str]:
    """Open a list and give what can be chosen; a page that is still being drawn may close the list again."""
    options = page.get_by_role("option")
    for _ in range(5):
        page.get_by_role("combobox", name=label, exact=True).click()
        page.wait_for_timeout(500)
        if options.count():
            break
    return options.all_inner_texts()


def pick(page: Page, label: str, option: str) -> None:
    """Open a list and choose from it."""
    options_of(page, label)
    page.get_by_role("option", name=option, exact=True).click()


def choose_reason(page: Page, reason: str) -> None:
    """Open the list of reasons and choose one."""
    pick(page, "Reason", reason)
    settle(page)


def mark(page: Page, label: str, document: str) -> None:
    """Mark a document as relevant or not."""
    pick(page, label, document)
    page.keyboard.press("Escape")
    marked = page.get_by_test_id("stMultiSelect").filter(has=page.get_by_role("combobox", name=label, exact=True))
    expect(marked).to_contain_text(document)
    settle(page)


def note(page: Page, words: str) -> None:
    """Type a note, key by key."""
    page.get_by_role("textbox", name="Note").press_sequentially(words)


def save(page: Page, query: str) -> str:
    """Save, and give what the page says of it."""
    page.locator(".st-key-save button").click()
    saved = page.locator(".st-key-review-saved")
    expect(saved).to_contain_text(re.compile(rf"Saved: query {re.escape(query)}, "))
    settle(page)
    return saved.locator(".rk").inner_text()

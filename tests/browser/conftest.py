"""A server for each module, and Debian's Chromium to visit it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from chromium import QUIET
from playwright.sync_api import Browser, Page, expect, sync_playwright
from server import serving

expect.set_options(timeout=20_000)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A dashboard started as a user starts it, from an empty folder."""
    with serving(tmp_path_factory.mktemp("server")) as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium; its absence is a failure, since the test command installs it."""
    executable = shutil.which("chromium")
    assert executable, "Debian's chromium is not installed; bash tests/run.sh installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A visitor of their own, who is watched: no request may leave the machine.

    They prefer English, or the language that a test gives as the fixture's parameter.
    """
    locale = getattr(request, "param", "en-GB")
    context = chromium.new_context(viewport={"width": 1400, "height": 1000}, base_url=address, locale=locale)
    outside: list[str] = []
    context.on(
        "request",
        lambda request: (
            None
            if request.url.startswith((address, "data:", "blob:", "ws://127.0.0.1"))
            else outside.append(request.url)
        ),
    )
    page = context.new_page()
    page.set_default_timeout(20_000)
    yield page
    context.close()
    assert outside == []

"""A server for each module, and Debian's Chromium to visit it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

expect.set_options(timeout=20_000)

QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A dashboard started as a user starts it, from an empty folder."""
    folder = tmp_path_factory.mktemp("server")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with (folder / "server.log").open("wb") as log:
        # Not a pipe: when nobody reads it any more, the server would hang at its end.
        server = subprocess.Popen(
            [sys.executable, "-m", "rankeval", "serve", "--port", str(port)],
            cwd=folder,
            stdout=log,
            stderr=log,
            env={**os.environ, "NO_COLOR": "1"},
        )
    try:
        _wait_for(port, folder / "server.log")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(timeout=20)


def _wait_for(port: int, log: Path) -> None:
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    pytest.fail(f"the server did not start: {log.read_text()}")


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

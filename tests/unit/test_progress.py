from __future__ import annotations

import pytest

from rankeval.progress import Progress


class Terminal:
    """What a terminal would have shown."""

    def __init__(self, *, is_terminal: bool) -> None:
        self.shown = ""
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal

    def write(self, text: str) -> None:
        self.shown += text

    def flush(self) -> None:
        pass


class TestProgress:
    def test_is_said_on_a_terminal_and_wiped_away(self, monkeypatch: pytest.MonkeyPatch) -> None:
        terminal = Terminal(is_terminal=True)
        monkeypatch.setattr("sys.stderr", terminal)
        with Progress("freezing", patience=0) as progress:
            progress(1, 4)
            progress(2, 4)

        assert terminal.shown == "\rfreezing: 25 %\r\033[K"

    def test_is_not_said_of_short_work(self, monkeypatch: pytest.MonkeyPatch) -> None:
        terminal = Terminal(is_terminal=True)
        monkeypatch.setattr("sys.stderr", terminal)
        with Progress("freezing") as progress:
            progress(1, 4)

        assert terminal.shown == ""

    def test_is_not_said_elsewhere(self, monkeypatch: pytest.MonkeyPatch) -> None:
        terminal = Terminal(is_terminal=False)
        monkeypatch.setattr("sys.stderr", terminal)
        with Progress("freezing", patience=0) as progress:
            progress(1, 4)

        assert terminal.shown == ""

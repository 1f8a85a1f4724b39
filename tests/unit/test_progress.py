from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from pathlib import Path

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

    def waits_for(self, text: str) -> bool:
        """Whether a text is shown within ten seconds."""
        until = time.monotonic() + 10
        while text not in self.shown and time.monotonic() < until:
            time.sleep(0.01)
        return text in self.shown


class TestProgress:
    def test_how_far_it_is_is_said_on_a_terminal_and_wiped_away(self, monkeypatch: pytest.MonkeyPatch) -> None:
        terminal = Terminal(is_terminal=True)
        monkeypatch.setattr("sys.stderr", terminal)
        with Progress("freezing", patience=0.05) as progress:
            progress(1, 4)
            assert terminal.waits_for("\r\033[Kfreezing: 25 %")

        assert terminal.shown.endswith("\r\033[K")

    def test_how_long_it_takes_is_said_where_nothing_else_is_known(self, monkeypatch: pytest.MonkeyPatch) -> None:
        terminal = Terminal(is_terminal=True)
        monkeypatch.setattr("sys.stderr", terminal)
        with Progress("reading", patience=0):
            assert terminal.waits_for("\r\033[Kreading: 0 s")

    def test_is_not_said_of_short_work(self, monkeypatch: pytest.MonkeyPatch) -> None:
        terminal = Terminal(is_terminal=True)
        monkeypatch.setattr("sys.stderr", terminal)
        with Progress("freezing", patience=60) as progress:
            progress(1, 4)

        assert terminal.shown == ""

    @pytest.mark.parametrize("stream", [Terminal(is_terminal=False), None])
    def test_is_not_said_elsewhere(self, monkeypatch: pytest.MonkeyPatch, stream: Terminal | None) -> None:
        monkeypatch.setattr("sys.stderr", stream)
        with Progress("freezing", patience=0) as progress:
            progress(1, 4)
            time.sleep(0.05)

        assert stream is None or stream.shown == ""


class TestCommands:
    @pytest.mark.parametrize(
        ("command", "word"),
        [
            (["score", "protocol.json", "run.json"], "reading"),
            (["compare", "protocol.json", "run.json", "b=run.json"], "reading"),
            (["collapse", "protocol.json", "run.json", "--map", "map.json"], "reading"),
            (["budgets", "protocol.json", "run.json", "--map", "map.json"], "reading"),
            (["convert", "run.json", "--to", "csv", "-o", "out.csv"], "reading"),
            (["freeze", "protocol.json", "-o", "out.json"], "reading"),
            (["verify", "protocol.json"], "protocol.json"),
        ],
    )
    def test_say_on_a_terminal_what_they_wait_for(self, tmp_path: Path, command: list[str], word: str) -> None:
        """Every command reads here from a pipe that says nothing for longer than a second."""
        for name in {"protocol.json", "run.json", "map.json"} & {*command}:
            os.mkfifo(tmp_path / name)
        ours, its = pty.openpty()
        with subprocess.Popen(
            [sys.executable, "-m", "rankeval", *command], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=its
        ) as process:
            shown = os.read(ours, 1_000).decode()
            process.kill()
        os.close(its)
        os.close(ours)

        assert shown.startswith(f"\r\033[K{word}: 1 s")

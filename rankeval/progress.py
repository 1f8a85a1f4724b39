"""Progress on a terminal, for work that takes longer than a second."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from threading import Thread

_PAUSE = 0.2
"""Seconds between two words."""


class Progress:
    """Says on standard error what is being done, if that is a terminal and it takes longer than a second.

    It says how far that is where it is told, and else for how many seconds it has been going on.

    >>> with Progress("fingerprint") as progress:
    ...     progress(1, 2)
    """

    def __init__(self, what: str, patience: float = 1.0) -> None:
        """Begin; `patience` is how many seconds pass before anything is said."""
        self._what = what
        self._patience = patience
        self._began = time.monotonic()
        self._percent: int | None = None
        self._said = False
        self._thread: Thread | None = None

    def __enter__(self) -> Self:
        if sys.stderr is not None and sys.stderr.isatty():
            from threading import Event, Thread  # noqa: PLC0415 - only a terminal needs them

            # Whoever works may be busy for long in code that is not ours, so that somebody else has to do the talking.
            self._over = Event()
            self._thread = Thread(target=self._talk, daemon=True)
            self._thread.start()
        return self

    def __call__(self, done: int, total: int) -> None:
        """Take note that `done` of `total` is done."""
        self._percent = 100 * done // max(1, total)

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        if self._thread is None:
            return
        self._over.set()
        self._thread.join()
        if self._said:
            self._write("\r\033[K")

    def _talk(self) -> None:
        pause = self._patience
        while not self._over.wait(pause):
            seconds = int(time.monotonic() - self._began)
            far = f"{seconds} s" if self._percent is None else f"{self._percent} %"
            self._said = True
            self._write(f"\r\033[K{self._what}: {far}")
            pause = _PAUSE

    def _write(self, text: str) -> None:
        with suppress(OSError):
            print(text, end="", file=sys.stderr, flush=True)

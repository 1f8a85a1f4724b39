"""Progress on a terminal, for work that takes longer than a second."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self


class Progress:
    """Says on standard error how far something is, if that is a terminal and it takes longer than a second.

    >>> with Progress("fingerprint") as progress:
    ...     progress(1, 2)
    """

    def __init__(self, what: str, patience: float = 1.0) -> None:
        """Begin; `patience` is how many seconds pass before anything is said."""
        self._what = what
        self._next = time.monotonic() + patience
        self._said = False

    def __enter__(self) -> Self:
        return self

    def __call__(self, done: int, total: int) -> None:
        """Say that `done` of `total` is done, not more than five times a second."""
        if not sys.stderr.isatty() or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + 0.2
        self._said = True
        print(f"\r{self._what}: {100 * done // max(1, total)} %", end="", file=sys.stderr, flush=True)

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        if self._said:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

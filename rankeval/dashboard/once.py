"""Results that are computed once for all visitors of a server."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any, TypeVar

_Result = TypeVar("_Result")


class Once:
    """Results by what they were computed from: fingerprints, never names, so that none can go stale.

    Who asks while another visitor's script computes a result waits for that one; nobody waits for any other.
    """

    def __init__(self, most: int) -> None:
        """Keep at most so many results; the one that nobody has asked for longest goes first."""
        self._most = most
        self._lock = threading.Lock()
        self._known: OrderedDict[Hashable, Future[Any]] = OrderedDict()

    def put(self, key: Hashable, result: object) -> None:
        """Take a result that is known, in place of one that was."""
        known: Future[object] = Future()
        known.set_result(result)
        with self._lock:
            self._known[key] = known

    def get(self, key: Hashable, compute: Callable[[], _Result]) -> _Result:
        """Give a result, computed by whoever asks first; what a computation raises is raised, and not kept."""
        with self._lock:
            known: Future[_Result] | None = self._known.get(key)
            if known is None:
                asked: Future[_Result] = Future()
                self._known[key] = asked
                while len(self._known) > self._most:
                    self._known.popitem(last=False)
            else:
                self._known.move_to_end(key)
        if known is not None:
            return known.result()
        try:
            asked.set_result(compute())
        except BaseException as error:
            with self._lock:
                self._known.pop(key, None)
            asked.set_exception(error)
            raise
        return asked.result()

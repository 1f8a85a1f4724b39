"""Point out the known ID that an unknown one was probably meant to be.

IDs are exact strings and are never repaired; this only helps the person who reads the refusal.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

# What an ID loses or gains on its way through spreadsheets, number parsers and editors.
_INVISIBLE = dict.fromkeys(map(ord, "\ufeff\u200b\u200c\u200d\u2060\u00ad"))
_POINT_NOUGHT = re.compile(r"(?<=.)\.0+\Z")
_LEADING_ZEROS = re.compile(r"(?<![0-9.])0+(?=[0-9])")


def _skeleton(identifier: str) -> str:
    """Reduce an ID to what is left when white space, case, Unicode form, `.0`, leading zeros and marks are ignored."""
    text = unicodedata.normalize("NFKC", identifier).translate(_INVISIBLE).casefold()
    return _LEADING_ZEROS.sub("", _POINT_NOUGHT.sub("", "".join(text.split())))


class NearMisses:
    """The known IDs of one kind, looked up by what an unknown one looks like; built at the first question."""

    __slots__ = ("_by_skeleton", "_known")

    def __init__(self, known: Iterable[object]) -> None:
        self._known = known
        self._by_skeleton: dict[str, str] | None = None

    def hint(self, unknown: object) -> str:
        """Say which known ID differs from `unknown` only in ways that are easily overlooked, or say nothing."""
        if not isinstance(unknown, str):
            return ""
        if self._by_skeleton is None:
            self._by_skeleton = {}
            for known in self._known:
                if isinstance(known, str):
                    self._by_skeleton.setdefault(_skeleton(known), known)
        near = self._by_skeleton.get(_skeleton(unknown))
        return "" if near is None else f"near miss: {unknown!a} is not {near!a}"

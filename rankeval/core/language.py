"""In which language sentences are made: in English, unless a catalogue of another is given.

The command line speaks English.  Who speaks another language passes a gettext catalogue in; the core holds none.
"""

from __future__ import annotations

from gettext import NullTranslations

ENGLISH = NullTranslations()
"""The catalogue that leaves every message as it is written in the code."""


def mark(message: str) -> str:
    """Mark a message for the catalogues where it is written down, and leave it to be translated where it is shown."""
    return message

"""What several tests of the core need."""

from __future__ import annotations

from gettext import NullTranslations

import pytest


class Asked(NullTranslations):
    """A catalogue that answers with what it was asked for: the context, or both forms and the count."""

    def pgettext(self, context: str, message: str) -> str:
        return f"[{context}|{message}]"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"<{msgid1}|{msgid2}|{n}>"


@pytest.fixture
def asked() -> Asked:
    """Such a catalogue."""
    return Asked()

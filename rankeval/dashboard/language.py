"""The language of a visit: English, or one that a gettext catalogue beside this module holds.

The language is looked up from the visit that is being drawn each time, so that two visitors never see each other's.
"""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path

import streamlit as st

ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "zh_CN": "中文"}
"""What can be chosen, each under its own name."""

_CATALOGUES = Path(__file__).parent / "locale"


def mark(message: str) -> str:
    """Mark a message of a table of them for translation; whoever shows it translates it."""
    return message


def language() -> str:
    """Give the language of this visit: the address's, else the browser's, else English."""
    chosen = st.query_params.get("lang")
    if chosen in LANGUAGES:
        return chosen
    return "zh_CN" if (st.context.locale or "").lower().startswith("zh") else ENGLISH


def words() -> gettext.NullTranslations:
    """Give the catalogue of this visit's language, for sentences that the core makes."""
    return _catalogue(language())


def _(message: str) -> str:
    """Translate a message."""
    return words().gettext(message)


def n_(one: str, many: str, count: int) -> str:
    """Translate a message that counts something, and put the count in its place `{count}`."""
    return words().ngettext(one, many, count).format(count=count)


@cache
def _catalogue(name: str) -> gettext.NullTranslations:
    return gettext.translation("rankeval", _CATALOGUES, languages=[name], fallback=True)

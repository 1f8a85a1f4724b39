"""In which language the pages speak to a visitor, and the gettext catalogues behind it (docs/translating.md).

A visitor reads the language that the address names (`lang`), else the one that their browser prefers.  It is looked up
each time for the visitor whose page is being made, never kept: many visitors are served at once.  State is what writes
the address; only its `lang` is read here, below everything that has words.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Self

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from rankeval.core.language import ENGLISH, mark

__all__ = ["LANGUAGES", "Later", "_", "beside", "catalogue", "current", "later", "later_n", "mark", "n_", "p_", "shown"]

LANGUAGES = {"en": "English", "zh": "中文"}
"""What stands in an address -> what people who speak it call the language."""

_LOCALES = {"zh": "zh_CN"}
_FOLDER = Path(__file__).parent / "locale"
_TRADITIONAL = {"hant", "tw", "hk", "mo"}


def current() -> str:
    """Give the language of the visitor whose page is being made; English where there is no visitor."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return "en"
    named = st.query_params.get("lang")
    return named if named in LANGUAGES else preferred(st.context.locale)


def preferred(locale: str | None) -> str:
    """Give the language that is there for what a browser prefers.

    >>> [preferred(locale) for locale in ("zh", "zh-CN", "zh-Hans-SG", "zh-TW", "de-CH", None)]
    ['zh', 'zh', 'zh', 'en', 'en', 'en']
    """
    tags = (locale or "").casefold().replace("_", "-").split("-")
    return "zh" if tags[0] == "zh" and not _TRADITIONAL & set(tags) else "en"


@cache
def _catalogue(language: str) -> NullTranslations:
    return translation("rankeval", _FOLDER, [_LOCALES[language]]) if language in _LOCALES else ENGLISH


def catalogue() -> NullTranslations:
    """Give the catalogue of the visitor's language, for the core's sentences and for long tables."""
    return _catalogue(current())


def _(message: str) -> str:
    """Translate a message; figures and names are put into its fields afterwards."""
    return catalogue().gettext(message) if message else ""


def n_(one: str, many: str, count: int, **fields: object) -> str:
    """Translate a message in the form that a count asks for, and fill its fields; the count's is `count`."""
    return catalogue().ngettext(one, many, count).format(count=count, **fields)


def p_(context: str, message: str) -> str:
    """Translate a word that means something else elsewhere."""
    return catalogue().pgettext(context, message)


def beside(sentence: str) -> str:
    """Give the translation that stands beside a sentence that stays in English; empty where the page is in English."""
    translated = _(sentence)
    return "" if translated == sentence else translated


class Later(str):
    """A sentence in English that can be said in the language of whoever reads it, who need not have caused it.

    Attributes:
        say: makes the sentence from a catalogue.

    """

    __slots__ = ("say",)
    say: Callable[[NullTranslations], str]

    def __new__(cls, say: Callable[[NullTranslations], str]) -> Self:
        """Make the English sentence, and keep how to make others."""
        made = super().__new__(cls, say(ENGLISH))
        made.say = say
        return made


def later(message: str, **fields: object) -> Later:
    """Keep a message and what goes into its fields."""
    return Later(lambda words: words.gettext(message).format(**fields))


def later_n(one: str, many: str, count: int, **fields: object) -> Later:
    """Keep a message with its count, the field `count`."""
    return Later(lambda words: words.ngettext(one, many, count).format(count=count, **fields))


def shown(sentence: str) -> str:
    """Say a sentence in the visitor's language where it can be, and as it is where not."""
    return sentence.say(catalogue()) if isinstance(sentence, Later) else sentence

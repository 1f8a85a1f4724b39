"""An annotator's name, kept by their own browser, so that a reload does not ask for it again."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

_SCRIPT = Path(__file__).with_suffix(".js")


def name(token: str) -> str | None:
    """Give the name that this browser gave in a round before; None while it has not said."""
    found = _component()(key=f"remembered-{token[:8]}", data={"round": token, "name": ""}, on_name_change=_ignore)
    return found.get("name") or None


def keep(token: str, name: str) -> None:
    """Let this browser remember a name."""
    _component()(key=f"remember-{token[:8]}", data={"round": token, "name": name}, on_name_change=_ignore)


def _component() -> ComponentRenderer:
    return st.components.v2.component("rankeval_remember", js=_SCRIPT.read_text(encoding="utf-8"))


def _ignore() -> None:
    """Take the change; the page is drawn again anyway."""

"""The way back from a login: it ends on the first page, and who came for another must not lose that, or see more."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

_SCRIPT = Path(__file__).with_suffix(".js")


def keep() -> None:
    """Let this tab remember its address while its visitor logs in elsewhere."""
    _component()(key="before-login", data={"leaving": True}, on_here_change=_ignore)


def is_here() -> bool:
    """Say whether the page may be drawn: the tab has been asked whether it was elsewhere before, and stays here.

    A login ends on an address without parameters, so what has any is drawn at once.
    """
    if st.query_params:
        return True
    found = _component()(key="after-login", data={"leaving": False}, on_here_change=_ignore)
    return bool(found.get("here"))


def _component() -> ComponentRenderer:
    return st.components.v2.component("rankeval_come_back", js=_SCRIPT.read_text(encoding="utf-8"))


def _ignore() -> None:
    """Take the change; the page is drawn again anyway."""

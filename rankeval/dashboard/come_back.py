"""The way back from a login: it ends on the first page, and who came for another must not lose that, or see more."""

from __future__ import annotations

import streamlit as st

from rankeval.dashboard.scripts import redraw, scripted


def keep() -> None:
    """Let this tab remember its address while its visitor logs in elsewhere."""
    scripted(__file__)(key="before-login", data={"leaving": True}, on_here_change=redraw)


def is_here() -> bool:
    """Say whether the page may be drawn: the tab has been asked whether it was elsewhere before, and stays here.

    A login ends on an address without parameters, so what has any is drawn at once.
    """
    if st.query_params:
        return True
    found = scripted(__file__)(key="after-login", data={"leaving": False}, on_here_change=redraw)
    return bool(found.get("here"))

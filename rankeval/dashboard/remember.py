"""An annotator's name, kept by their own browser, so that a reload does not ask for it again."""

from __future__ import annotations

from rankeval.dashboard.scripts import redraw, scripted


def name(token: str) -> str | None:
    """Give the name that this browser gave in a round before; None while it has not said."""
    found = scripted(__file__)(key=f"remembered-{token[:8]}", data={"round": token, "name": ""}, on_name_change=redraw)
    return found.get("name") or None


def keep(token: str, name: str) -> None:
    """Let this browser remember a name."""
    scripted(__file__)(key=f"remember-{token[:8]}", data={"round": token, "name": name}, on_name_change=redraw)

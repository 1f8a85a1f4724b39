"""Elements of our own whose script stands beside the module that draws them."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer


def scripted(module: str, html: str | None = None) -> ComponentRenderer:
    """Give what draws an element.

    Args:
        module: the file of the module that draws it; its script is called like it, with `.js` at the end.
        html: what the script finds in the page; our own style holds for it.  None where it draws nothing.

    """
    script = Path(module).with_suffix(".js")
    return st.components.v2.component(
        f"rankeval_{script.stem}", html=html, js=script.read_text(encoding="utf-8"), isolate_styles=html is None
    )


def redraw() -> None:
    """Take what a script says: the page is drawn again anyway."""

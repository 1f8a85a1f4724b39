"""What a page shows, found in Streamlit's AppTest by the keys that DESIGN.md and the pages give their containers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pandas as pd
from streamlit.testing.v1 import AppTest


def html_of(app: AppTest) -> str:
    """Give the HTML of a page that raised nothing."""
    assert not app.exception
    return " ".join(str(each.proto.body) for each in app.get("html"))


def words_of(app: AppTest) -> str:
    """Give the words that the HTML of a page comes to, with single spaces."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", html_of(app)))).strip()


def table_in(app: AppTest, key: str) -> pd.DataFrame:
    """Give the table of a keyed container, or the table of that key."""
    (table,) = (each for each in _within(app, key) if each.type == "dataframe")
    frame: pd.DataFrame = table.value
    return frame


def chart_in(app: AppTest, key: str) -> dict[str, Any]:
    """Give the Vega-Lite specification of a keyed container's chart."""
    (chart,) = (each for each in _within(app, key) if each.type == "vega_lite_chart")
    spec: dict[str, Any] = json.loads(chart.proto.spec)
    return spec


def component_in(app: AppTest, key: str) -> dict[str, Any]:
    """Give what a keyed container's own component was given to show."""
    (component,) = (each for each in _within(app, key) if each.type == "bidi_component")
    given: dict[str, Any] = json.loads(component.proto.json)
    return given


def record(frame: pd.DataFrame, row: int) -> dict[str, Any]:
    """Give a row of a table, an empty cell as None."""
    return {name: None if pd.isna(value) else value for name, value in frame.iloc[row].to_dict().items()}


def _within(app: AppTest, key: str) -> list[Any]:
    found = [each for each in _walk(app.main) if str(getattr(each.proto, "id", "")).endswith(f"-{key}")]
    assert found, f"nothing on the page has the key {key}"
    return [within for each in found for within in (each, *_walk(each))]


def _walk(block: Any) -> Iterator[Any]:
    for each in getattr(block, "children", {}).values():
        yield each
        yield from _walk(each)

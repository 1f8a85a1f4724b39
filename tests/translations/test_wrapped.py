"""No page says a sentence that a catalogue could not translate."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from translations import KEYWORDS, ROOT

FOLDER = ROOT / "rankeval" / "dashboard"
MODULES = sorted(file for file in FOLDER.glob("*.py") if file.name != "style.py")  # style.py holds CSS alone

SHOWN = {"label", "help", "placeholder", "title", "text", "body", "caption", "tooltip"}
"""Arguments by which a widget, a column or a chart is given words."""

KEYED = {"form", "space"}
"""Elements whose first argument is a key or a size."""

UNCHANGED = {
    "rankeval": "the product's name",
    "chunk map": "no words: a kind of file, and a key",
    "wide": "no words: how wide the page is",
    "small": "no words: how wide a column is",
    "large": "no words: how wide a column is",
    "k": "a symbol, the same in every language",
    "Recall@{}": "a measure's name, the same in every language",
    "MRR@{}": "a measure's name, the same in every language",
    "Δ RR@{}": "a measure's name, the same in every language",
    "Δ RR": "a measure's name, the same in every language",
    "Δ MRR": "a measure's name, the same in every language",
    "± Recall@{}": "a measure's name, the same in every language",
    "± MRR@{}": "a measure's name, the same in every language",
    "name:N": "no words: a field of a chart and its type",
    "run:N": "no words: a field of a chart and its type",
    "Δ Recall": "a measure's name, the same in every language",
    "RR A": "a measure's name, the same in every language",
    "RR B": "a measure's name, the same in every language",
    "Recall A": "a measure's name, the same in every language",
    "Recall B": "a measure's name, the same in every language",
    "k = {}": "symbols, the same in every language",
    "all chunks": "part of a run's name, which is the same in every language",
    "first {} chunk{}": "part of a run's name, which is the same in every language",
    "{}: files apart must be three, whose names say corpus, queries and qrels": "the detail of a fault, in English",
    "{}: there is no chunk map of this name any more": "the detail of a fault, in English",
}
"""What is said as it is in every language -> why."""

_TAG = re.compile(r"<[^>]*>|&\w+;")
_WORD = re.compile(r"[^\W\d_]{2,}")
_SENTENCE = re.compile(r"[^\W\d_]{2,}[,;:.]? [^\W\d_]{2,}")


def written(node: ast.expr) -> str | None:
    """A literal as its reader sees it: an f-string with `{}` for what is put in."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(written(part) or "{}" for part in node.values)
    return None


def name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def docstrings(tree: ast.AST) -> set[ast.expr]:
    return {
        node.value for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def unwrapped(source: str) -> Iterator[str]:
    """Give the literals that a visitor would read and no catalogue has seen.

    Those are words anywhere in markup, two words in a row anywhere else, and any word that a widget is given.
    """
    tree = ast.parse(source)
    wrapped = docstrings(tree)
    given: set[ast.expr] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            wrapped.update(node.values)
        if isinstance(node, ast.Call) and name_of(node) in KEYWORDS:
            wrapped.update(node.args)
        elif isinstance(node, ast.Call):
            given.update(each.value for each in node.keywords if each.arg in SHOWN)
            if ast.unparse(node.func) == f"st.{name_of(node)}" and name_of(node) not in KEYED:
                given.update(node.args[:1])
            elif name_of(node) in {"text", "number", "figure"}:
                given.update(node.args[:2])
    for node in ast.walk(tree):
        said = written(node) if isinstance(node, ast.expr) and node not in wrapped else None
        if said is None:
            continue
        shown = _TAG.sub("", said)
        looked_for = _WORD if node in given or shown != said else _SENTENCE
        if shown not in UNCHANGED and looked_for.search(shown):
            yield said


class TestPages:
    @pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
    def test_every_sentence_goes_through_the_catalogue(self, module: Path) -> None:
        assert list(unwrapped(module.read_text(encoding="utf-8"))) == []

    def test_every_exception_is_still_needed(self) -> None:
        said = {
            _TAG.sub("", written(node) or "")
            for module in MODULES
            for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
            if isinstance(node, ast.expr)
        }

        assert UNCHANGED.keys() - said == set()


class TestUnwrapped:
    @pytest.mark.parametrize(
        "source",
        [
            'st.button("swap")',
            'st.button(f"swap {a}")',
            'st.button(_("swap"), help="Compare B with A")',
            'text("Query", width="small")',
            """f'<div class="quiet">query {text(query)}</div>'""",
            'parts.append("no run yet")',
            'alt.X("k", title="documents")',
        ],
    )
    def test_words_that_a_visitor_would_read_are_found(self, source: str) -> None:
        assert len(list(unwrapped(source))) == 1

    @pytest.mark.parametrize(
        "source",
        [
            '"""A docstring is for readers of code."""',
            'st.button(_("swap"), key="swap")',
            """f'<div class="quiet rk-small">{_("query {query}").format(query=text(query))}</div>'""",
            'mark("no run yet")',
            'rows["query"]',
        ],
    )
    def test_others_are_not(self, source: str) -> None:
        assert list(unwrapped(source)) == []

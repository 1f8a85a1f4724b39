"""Brings the catalogues up to date with the code: `python tests/translations/translations.py` (docs/translating.md)."""

from __future__ import annotations

import ast
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

from rankeval.core.comparison import Status
from rankeval.core.contract import Rule
from rankeval.core.run import SYSTEM_FIELDS
from rankeval.formats.catalogue import Reading
from rankeval.formats.samples import SETS

ROOT = Path(__file__).parents[2]
LOCALES = ROOT / "rankeval" / "dashboard" / "locale"
SOURCES = ("rankeval/core", "rankeval/formats", "rankeval/dashboard")
LAYOUTS = "rankeval/formats/html"

KEYWORDS = {
    **dict.fromkeys(("_", "gettext", "mark", "later"), ("one",)),
    **dict.fromkeys(("n_", "ngettext", "later_n"), ("one", "many")),
    **dict.fromkeys(("p_", "pgettext"), ("context", "one")),
}
"""What the code calls with messages -> what its first arguments are."""

Message = tuple[str | tuple[str, str], str | None, str]
"""A message or its two forms, its context, and where it stands."""


def messages() -> Iterator[Message]:
    """Give every message that a page can show."""
    for folder in SOURCES:
        for file in sorted((ROOT / folder).rglob("*.py")):
            yield from _of_module(file)
    for layout in sorted((ROOT / LAYOUTS).glob("*.html")):
        yield from _of_layout(layout)
    # What is a table of its own is translated whole: rules, statuses, recorded fields, and the sample data's words.
    yield from ((str(rule), None, "rankeval/core/contract.py") for rule in Rule)
    yield from ((str(rule), None, "rankeval/formats/catalogue.py") for rule in Reading)
    yield from ((str(status), "status", "rankeval/core/comparison.py") for status in Status)
    yield from ((name.replace("_", " "), "system", "rankeval/core/run.py") for name in SYSTEM_FIELDS)
    for name in SETS:
        about = f"sample_data/{name}/about.json"
        words = json.loads((ROOT / about).read_text(encoding="utf-8"))
        yield from ((words, None, about) for words in (words["title"], words["summary"], *words["limits"]))


def _of_module(file: Path) -> Iterator[Message]:
    """Read calls from the syntax tree, which also sees into f-strings."""
    place = file.relative_to(ROOT).as_posix()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        arguments = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
        given = dict(zip(KEYWORDS.get(name, ()), map(str, arguments), strict=False))
        if "many" in given:
            yield (given["one"], given["many"]), None, place
        elif "one" in given:
            yield given["one"], given.get("context"), place


def _of_layout(file: Path) -> Iterator[Message]:
    """Read the calls of a Jinja layout, which has whole sentences alone: no counts and no contexts."""
    with file.open("rb") as layout:
        for _, _, message, _ in babel_extract(layout, ("_",), (), {"trimmed": "true"}):
            assert isinstance(message, str), message
            yield message, None, file.relative_to(ROOT).as_posix()


def template() -> Catalog:
    """Give a catalogue of every message, without translations."""
    made = Catalog(charset="utf-8", project="rankeval", fuzzy=False)
    for message, context, place in messages():
        made.add(message, context=context, locations=[(place, 1)])
    return made


def committed(locale: str) -> Catalog:
    """Read a locale's catalogue as it stands; dated alike, so that it compiles alike on every day."""
    catalogue = read_po(io.BytesIO(source(locale).read_bytes()), locale=locale)
    catalogue.creation_date = catalogue.revision_date = datetime(2000, 1, 1, tzinfo=UTC)
    return catalogue


def source(locale: str) -> Path:
    """Name a locale's catalogue."""
    return LOCALES / locale / "LC_MESSAGES" / "rankeval.po"


def as_po(catalogue: Catalog) -> bytes:
    """Write a catalogue as text: a message a line and sorted, so that two changes to it seldom meet."""
    written = io.BytesIO()
    write_po(written, catalogue, width=0, sort_output=True, include_lineno=False, omit_header=True)
    return HEADER.format(plurals=catalogue.plural_forms).encode() + written.getvalue()


HEADER = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: {plurals}\\n"

"""
"""No dates and no names, which would change when nothing else does."""


def as_mo(catalogue: Catalog) -> bytes:
    """Compile a catalogue."""
    written = io.BytesIO()
    write_mo(written, catalogue)
    return written.getvalue()


def bring_up_to_date(locale: str) -> list[str]:
    """Write a locale's catalogue again, with what the code says now, and compile it; give what is untranslated."""
    catalogue = committed(locale)
    catalogue.update(template(), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    source(locale).write_bytes(as_po(catalogue))
    source(locale).with_suffix(".mo").write_bytes(as_mo(committed(locale)))
    return [str(message.id) for message in catalogue if message.id and not all(forms(message.string))]


def forms(string: object) -> list[str]:
    """Give the forms of a message or of a translation, one or several; an empty one where there is none."""
    return [str(form or "") for form in string] if isinstance(string, list | tuple) else [str(string or "")]


if __name__ == "__main__":
    for folder in sorted(LOCALES.iterdir()):
        for missing in bring_up_to_date(folder.name):
            print(f"{folder.name}: not translated: {missing}")

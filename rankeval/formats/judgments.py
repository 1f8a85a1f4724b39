"""Judgments as a file states them, before anything is declared or frozen."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rankeval.core.contract import Fault, Faults, Rule
from rankeval.formats.catalogue import Reading
from rankeval.formats.records import shown
from rankeval.formats.rows import Unit

_LABEL = re.compile(r"-?[0-9]{1,18}")


@dataclass(slots=True)
class Judgments:
    """What one file judges.

    Attributes:
        file: its name.
        unit: what its places are counted in.
        labels: query ID -> document ID -> label, any whole number.
        where: query ID -> document ID -> line or row; empty for a file whose places are found when somebody asks.
        find: finds the line of a judgment, or of a query, in such a file.
        faults: what is wrong with single judgments.
        notes: which of its fields are not used.

    """

    file: str
    unit: Unit
    labels: dict[str, dict[str, int]] = field(default_factory=dict)
    where: dict[str, dict[str, int]] = field(default_factory=dict)
    find: Callable[[str, str | None], int | None] | None = None
    faults: Faults = field(default_factory=Faults)
    notes: tuple[str, ...] = ()

    def add_text(self, query: str, document: str, label: str, where: int) -> None:
        """Take a judgment from a text file, where a label is an optional minus sign and ASCII digits."""
        if _LABEL.fullmatch(label):
            self.add(query, document, int(label), where)
        else:
            self.fault(Reading.LABEL, query, document, f"the label is {label!r}", where)

    def add(self, query: str, document: str, label: Any, where: int | None) -> None:
        """Take a judgment whose label has a type of its own, which must be an integer's."""
        if not (query and document):
            self.fault(Reading.EMPTY_ID, query, document, "the query or the document is empty", where)
        elif type(label) is not int:
            self.fault(Rule.LABELS, query, document, f"the label is {shown_label(label)}", where)
        elif document in self.labels.setdefault(query, {}):
            first = f"first on {self.unit} {self.where[query][document]}"
            self.fault(Reading.JUDGED_TWICE, query, document, first, where)
        else:
            self.labels[query][document] = label
            if where is not None:
                self.where.setdefault(query, {})[document] = where

    def fault(self, rule: str, query: str, document: str | None, detail: str, where: int | None = None) -> None:
        """Note a fault of a judgment."""
        self.faults.add(self.placed(rule, query, document, detail, where))

    def placed(self, rule: str, query: str, document: str | None, detail: str, where: int | None = None) -> Fault:
        """Make a fault of a judgment, or of all of a query's, with its place."""
        if where is None:
            own = self.where.get(query, {})
            where = next(iter(own.values()), None) if document is None else own.get(document)
        if where is None and self.find is not None:
            where = self.find(query, document)
        line, row = (where, None) if self.unit == "line" else (None, where)
        return Fault(rule, query, document, file=self.file, line=line, row=row, detail=detail)


def shown_label(label: object) -> str:
    """Write a label as its file would, text in quotes; of an object or a list, that it is one."""
    return json.dumps(label, ensure_ascii=False) if isinstance(label, str) else shown(label)

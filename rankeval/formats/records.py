"""Records of a file, whatever its format; and what their fields are called."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rankeval.core.contract import Fault, Faults
from rankeval.formats.catalogue import Reading, refusal
from rankeval.formats.csv_text import csv_header
from rankeval.formats.json_text import ExactNumber
from rankeval.formats.rows import Unit
from rankeval.formats.source import Source

QUERY = ("query", "query_id", "qid", "q_id", "query-id", "topic")
DOCUMENT = ("doc", "doc_id", "docid", "docno", "document", "document_id", "corpus-id", "corpus_id", "pid")
LABEL = ("label", "relevance", "rel", "grade", "score")
RANK = ("rank",)
SCORE = ("score", "sim")
CHUNK = ("chunk", "chunk_id")
OWN_ID = ("_id", "id")

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Records:
    """The records of a file, to be gone through once.

    Attributes:
        file: its name.
        unit: what its places are counted in.
        fields: the names of the fields; of JSON those of the first record.
        rows: line or row from 1, and the record there.
        not_text: the fields that the file declares to be of another type than text, and that type.
        typed: whether values have types of their own; where they have not, all are text.
        faults: what is wrong with single records, from the file and from whoever reads it.

    """

    file: str
    unit: Unit
    fields: tuple[str, ...]
    rows: Iterable[tuple[int, Record]]
    not_text: Mapping[str, str] = field(default_factory=dict)
    typed: bool = True
    faults: Faults = field(default_factory=Faults)
    _asked: set[str] = field(default_factory=set)
    _later: list[str] = field(default_factory=list)

    def __iter__(self) -> Iterator[tuple[int, Record]]:
        """Go through the records; a field that the first one lacks must not play a part that is taken, or was open."""
        known = set(self.fields)
        for where, record in self.rows:
            if self.typed and not record.keys() <= known:
                for name in record:
                    if name not in known:
                        known.add(name)
                        self._later.append(name)
                        if name.casefold() in self._asked:
                            detail = f"{name!r} stands here, and not in the first record"
                            self.faults.add(Fault(Reading.HEADER, detail=detail, **self.place(where)))
            yield where, record

    def called(self, name: str) -> str:
        """Find the field of a certain name, upper or lower case; where there is none, it would be called just that."""
        return next((each for each in self.fields if each.casefold() == name), name)

    def named(self, names: Sequence[str]) -> str | None:
        """Find the field that goes by one of several names, upper or lower case; None where there is none.

        Raises:
            FormatError: two fields go by those names.

        """
        self._asked.update(names)
        found = [name for name in self.fields if name.casefold() in names]
        if len(found) > 1:
            detail = f"{' and '.join(map(repr, found))} could both be the {names[0]}"
            raise refusal(Reading.HEADER, file=self.file, detail=detail)
        return found[0] if found else None

    def needed(self, names: Sequence[str]) -> str:
        """Find a field like `named`, and refuse the file where there is none.

        Raises:
            FormatError: none or two fields go by those names.

        """
        name = self.named(names)
        if name is None:
            there = ", ".join(map(repr, self.fields)) or "nothing"
            detail = f"no {names[0]} column ({', '.join(names)}); the header has {there}"
            raise refusal(Reading.HEADER, file=self.file, detail=detail)
        return name

    def needed_id(self, names: Sequence[str], rather: Sequence[str] = ()) -> str:
        """Find a field of IDs like `needed`, and refuse a file that declares it to be of another type than text.

        Args:
            names: what it may be called.
            rather: names that go before those.

        Raises:
            FormatError: none or two fields go by those names, or the field is not text.

        """
        name = self.named(rather) or self.needed(names)
        if name in self.not_text:
            detail = f"column {name!r} holds {self.not_text[name]}; write the IDs as text"
            raise refusal(Reading.NUMBER_AS_ID, file=self.file, detail=detail)
        return name

    def others(self, used: Iterable[str | None]) -> tuple[str, ...]:
        """Say which of the fields seen so far are not used, as notes."""
        taken = set(used)
        unused = [name for name in (*self.fields, *self._later) if name not in taken]
        return (f"{self.file}: not used: {', '.join(unused)}",) if unused else ()

    def place(self, where: int) -> dict[str, Any]:
        """Give a line or row as a fault takes it."""
        return {"file": self.file, self.unit: where}


def id_fault(value: object, name: str, place: Mapping[str, Any]) -> Fault | None:
    """Say why a value cannot be an ID: it must be text, and not empty."""
    if isinstance(value, str):
        return None if value else Fault(Reading.EMPTY_ID, detail=f"{name} is empty", **place)
    return Fault(Reading.NUMBER_AS_ID, detail=f"{name} is {shown(value)} and must be text", **place)


def shown(value: object) -> str:
    """Write a value as its file would; of an object or a list, that it is one."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return value.text if isinstance(value, ExactNumber) else str(value)


def header_of(source: Source) -> tuple[str, ...]:
    """Give the fields of a file's first line, as a table would have them; nothing for one that is not well-formed."""
    line = source.head(1)[0]
    return tuple(line.removesuffix("\t").split("\t")) if "\t" in line else csv_header(line)


def names_columns(fields: Iterable[str], *roles: Sequence[str]) -> bool:
    """Whether some field goes by a name of each role: what tells a header from a first row."""
    lower = {field.casefold() for field in fields}
    return all(not lower.isdisjoint(role) for role in roles)

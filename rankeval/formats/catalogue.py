"""What readers refuse, one fixed sentence a kind; the core's own rules are in `rankeval.core.contract`."""

from __future__ import annotations

from enum import StrEnum

from rankeval.core.contract import ContractError, Fault


class Reading(StrEnum):
    """The sentences by which a file is refused before the core ever sees it."""

    UNREADABLE = "the file cannot be read"
    UNWRITABLE = "the file cannot be written"
    EMPTY = "the file is empty"
    ENCODING = "the file is not text in UTF-8"
    COMPRESSION = "the compressed file is damaged, or expands beyond all measure"
    ARCHIVE = "the archive is damaged, or holds what an archive may not"
    FORMAT = "the format of the file is not known here"
    TWO_FORMATS = "the file fits two formats; name the one it is in"
    JSON = "the file is not JSON"
    REPEATED_KEY = "a JSON object holds the same key twice"
    NOT_FINITE = "NaN and Infinity are not JSON"
    TOO_DEEP = "the JSON is nested too deeply"
    SHAPE = "the JSON is not of the expected shape"
    NUMBER_AS_ID = "IDs must be text, not numbers"
    EMPTY_ID = "an ID must not be empty"
    HEADER = "a header row must name the columns"
    FIELD_COUNT = "a line has the wrong number of fields"
    QUOTING = "a quoted field is not closed, or goes on after its closing quote"
    RANK = "ranks must start at 1 or 0 and have no gap and no repeat within a query"
    RANK_AGAINST_SCORE = "rank and score disagree; declare which of them is the order"
    TIE = "a tie: equal scores within a query leave the order open"
    SCORE = "a score must be a finite decimal number"
    NO_ORDER = "the file has neither rank nor score, so it has no order"
    LABEL = "a label must be a whole number"
    JUDGED_TWICE = "a query-document pair is judged twice"
    REPEATED_ID = "an ID stands twice"
    SPLIT_OF_QUERY = "the split of a query is not stated, or is stated twice and differently"
    UNJUDGED_QUERIES = "queries that no file judges"
    SPLIT_OPEN = "the source does not state the split to score; choose one"
    K_OPEN = "the source does not state k; choose one"
    FINGERPRINT = "a stated fingerprint does not match the content"
    OPTION = "an option does not fit the file"
    CANNOT_HOLD = "the target format cannot hold this run"


class FormatError(ContractError):
    """A file that cannot be read for exactly what it says."""


def refusal(
    rule: str,
    *,
    file: str | None = None,
    line: int | None = None,
    row: int | None = None,
    query: str | None = None,
    document: str | None = None,
    detail: str = "",
) -> FormatError:
    """Make the refusal of a file for a single fault."""
    return FormatError([Fault(rule, query, document, file=file, line=line, row=row, detail=detail)])

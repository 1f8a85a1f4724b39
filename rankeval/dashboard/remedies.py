"""What to do about a refusal, in terms of the Data page: which field answers it, or that the file must change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rankeval.core.contract import ContractError, Rule
from rankeval.dashboard.language import _, mark
from rankeval.formats.catalogue import Reading
from rankeval.workspace import WorkspaceError

ASKED: Mapping[str, str] = {
    Reading.SPLIT_OPEN: "split",
    Reading.K_OPEN: "k",
}
"""Rules by which a source leaves something open that the page can ask for -> the field that answers it."""

DECLARED: Mapping[str, frozenset[str]] = {
    "protocol": frozenset({Reading.UNJUDGED_QUERIES, Rule.UNJUDGED, Rule.LABELS}),
    "run": frozenset({Reading.TIE, Reading.RANK, Reading.RANK_AGAINST_SCORE}),
}
"""A kind of file -> the rules that a declaration on the page may settle."""

_REMEDIES: Mapping[str, str] = {
    Reading.SPLIT_OPEN: mark("Say the split below; the file need not be uploaded again."),
    Reading.K_OPEN: mark(
        "Say k below, the number of documents that the next step receives; the file need not be uploaded again."
    ),
    Reading.UNJUDGED_QUERIES: mark(
        "Judge them, or say why they may be left out in “Queries nobody judged are left out, because” and load again."
    ),
    Reading.TIE: mark("Break the ties in the file, or set “Ties” to file-order under Runs and load again."),
    Reading.RANK: mark(
        "Correct the ranks; or set “Order” to score under Runs, if the score is the order, and load again."
    ),
    Reading.RANK_AGAINST_SCORE: mark("Set “Order” under Runs to the one that holds, rank or score, and load again."),
    Reading.TWO_FORMATS: mark("Write the file in a form that can be only one of the two, and load it again."),
    Reading.HEADER: mark("Give the file a header row with the columns' names, and load it again."),
    Reading.NUMBER_AS_ID: mark(
        "Write IDs as text, in quotation marks or a text column: a number may have lost its zeros."
    ),
    Reading.ENCODING: mark("Save the file as UTF-8, and load it again."),
    Rule.UNJUDGED: mark(
        "Judge every document, or say in “Unlisted pairs are not relevant, because” why unlisted pairs are 0, and load"
        " again."
    ),
    Rule.LABELS: mark("Write labels as 0 and 1; or fill in “Relevant from label” under Protocol and load again."),
    Rule.UNKNOWN_QUERY: mark("Score the run on the protocol and split that it was made for: open that protocol first."),
    Rule.UNKNOWN_DOCUMENT: mark(
        "Check that the run was made on this corpus; for a chunk run, choose its map under Runs."
    ),
    Rule.DUPLICATE_DOCUMENT: mark("Decide upstream which of the places counts, and write the document once."),
    Rule.UNKNOWN_CHUNK: mark("Choose the map that the chunks were cut with."),
    Rule.CHUNK_OUTSIDE: mark("Make the map from the corpus of this protocol, or open the protocol that it belongs to."),
}

_OTHERWISE = mark("Correct the file at the places below, and load it again.")
_WORKSPACE = mark("The file is not at fault. Mend what the workspace says below, and load the file again.")


def remedies(error: ContractError) -> list[str]:
    """Give what to do about each rule that a refusal names, in the order of its faults."""
    otherwise = _WORKSPACE if isinstance(error, WorkspaceError) else _OTHERWISE
    rules = dict.fromkeys(str(fault.rule) for fault in error.faults)
    return list(dict.fromkeys(_(_REMEDIES.get(rule, otherwise)) for rule in rules))


def asked(error: ContractError) -> list[str]:
    """Give the fields that would answer a refusal, where the source only leaves something open."""
    return list(dict.fromkeys(ASKED[str(fault.rule)] for fault in error.faults if str(fault.rule) in ASKED))


def declarable(kind: str, errors: Iterable[ContractError]) -> bool:
    """Whether a declaration may settle one of the refusals of a kind of file, so that its fields should be open."""
    return any(str(fault.rule) in DECLARED[kind] for error in errors for fault in error.faults)

"""From corpus, queries and judgments to a protocol: what the source leaves open is declared, or refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankeval.core.collection import splits_of
from rankeval.core.contract import Fault, Faults, Rule, is_id
from rankeval.core.near_miss import NearMisses
from rankeval.core.protocol import Protocol
from rankeval.core.provenance import Declaration, Provenance
from rankeval.formats.catalogue import FormatError, Reading, refusal
from rankeval.formats.collection import Part
from rankeval.formats.declared import Declared
from rankeval.formats.judgments import Judgments
from rankeval.formats.records import shown


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything that a source holds, before anything is declared.

    Attributes:
        corpus: the documents.
        queries: the queries.
        judgments: each file of judgments, with the split that its name states, None where it states none.

    """

    corpus: Part
    queries: Part
    judgments: Sequence[tuple[str | None, Judgments]]


def assemble(parts: Parts, split: str | None, k: int | None, declared: Declared) -> Protocol:
    """Make a protocol of what a source holds and of what is declared of it.

    Args:
        parts: what it holds.
        split: the split to score; the only one of the queries, where there is only one.
        k: the document cut-off.
        declared: what is declared of it.

    Raises:
        FormatError: the source leaves something open, or contradicts itself.
        ProtocolError: what it says is no protocol.

    """
    _refuse_empty_reasons(declared)
    faults = Faults()
    labels = _labels(faults, parts)
    queries, left_out = _judged_queries(faults, parts, labels, declared)
    queries = _with_splits(faults, parts, queries)
    _check_documents(faults, parts)
    unlisted = _check_unlisted(faults, parts.corpus, labels, queries, declared)
    _check_labels(faults, parts, declared)
    faults.refuse(FormatError)
    threshold = 1 if declared.relevant_from is None else declared.relevant_from
    relevant = {
        query: [document for document, label in labels.get(query, {}).items() if label >= threshold]
        for query in queries
    }
    judged = sum(map(len, labels.values()))
    zeros = {
        query: frozenset(document for document, label in labels.get(query, {}).items() if label < threshold)
        for query in queries
    }
    provenance = Provenance(
        declarations=tuple(
            _declarations(declared, labels, unlisted, len(queries) * len(parts.corpus.content), left_out)
        ),
        judged_pairs=judged if unlisted else None,
        judged_zero=zeros if unlisted else None,
        notes=(
            *parts.corpus.notes,
            *parts.queries.notes,
            *(note for _, each in parts.judgments for note in each.notes),
        ),
    )
    split = chosen_split(parts.queries.file, list(splits_of(queries).values()), split)
    k = chosen_k(parts.queries.file, k)
    try:
        return Protocol.from_relevant(parts.corpus.content, queries, relevant, split, k, provenance=provenance)
    except RecursionError:
        raise refusal(Reading.TOO_DEEP, file=f"{parts.corpus.file} or {parts.queries.file}") from None


def _refuse_empty_reasons(declared: Declared) -> None:
    for option, reason in (
        ("unlisted-nonrelevant", declared.unlisted_nonrelevant),
        ("leave-out-unjudged-queries", declared.leave_out_unjudged_queries),
    ):
        if reason is not None and not reason.strip():
            raise refusal(Reading.OPTION, detail=f"--{option} needs a reason, in words")


def chosen_split(file: str, stated: Sequence[str], split: str | None) -> str:
    """Give the split to score: the one chosen, or the only one that the queries state.

    Raises:
        FormatError: none is chosen, and the queries state several.

    """
    if split is not None:
        return split
    there = list(dict.fromkeys(stated))
    if len(there) != 1:
        raise refusal(Reading.SPLIT_OPEN, file=file, detail=f"--split {' or '.join(map(str, there)) or 'S'}")
    return there[0]


def chosen_k(file: str, k: int | None) -> int:
    """Give the cut-off chosen.

    Raises:
        FormatError: none is.

    """
    if k is None:
        detail = "--k N, the number of documents that the next step really receives"
        raise refusal(Reading.K_OPEN, file=file, detail=detail)
    return k


def _labels(faults: Faults, parts: Parts) -> dict[str, dict[str, int]]:
    """Join the judgments of all files; a query judged in two of them would stand in two splits."""
    joined: dict[str, dict[str, int]] = {}
    first: dict[str, str] = {}
    for _, judgments in parts.judgments:
        for query, labels in judgments.labels.items():
            if query in joined:
                detail = f"it is judged in {first[query]} too"
                faults.add(judgments.placed(Reading.SPLIT_OF_QUERY, query, None, detail))
            joined[query] = labels
            first[query] = judgments.file
    return joined


def _judged_queries(
    faults: Faults, parts: Parts, labels: Mapping[str, Mapping[str, int]], declared: Declared
) -> tuple[dict[str, Any], int]:
    """Give the queries that are judged, and how many are left out by declaration."""
    queries = parts.queries.content
    near = NearMisses(queries)
    for _, judgments in parts.judgments:
        for query in judgments.labels:
            if query not in queries:
                detail = "; ".join(filter(None, (f"judged, but not in {parts.queries.file}", near.hint(query))))
                faults.add(judgments.placed(Rule.QRELS_COVER, query, None, detail))
    unjudged = [query for query in queries if query not in labels]
    if not unjudged:
        return dict(queries), 0
    if declared.leave_out_unjudged_queries is None:
        way_out = f"{len(unjudged)} of {len(queries)}; or declare --leave-out-unjudged-queries WHY"
        faults.add_many(
            len(unjudged),
            (
                Fault(Reading.UNJUDGED_QUERIES, query, file=parts.queries.file, detail="" if i else way_out)
                for i, query in enumerate(unjudged)
            ),
        )
    return {query: metadata for query, metadata in queries.items() if query in labels}, len(unjudged)


def _with_splits(faults: Faults, parts: Parts, queries: dict[str, Any]) -> dict[str, Any]:
    """Give every query the one split that is stated for it."""
    by_file: dict[str, str] = {}
    for split, judgments in parts.judgments:
        if split is not None:
            by_file |= dict.fromkeys(judgments.labels, split)
    with_splits: dict[str, Any] = {}
    for query, metadata in queries.items():
        stated = list(parts.queries.splits.get(query, ()))
        if query in by_file:
            stated.append(by_file[query])
        if not stated or any(split != stated[0] for split in stated):
            detail = "none is stated" if not stated else f"stated are {' and '.join(map(repr, stated))}"
            faults.add(Fault(Reading.SPLIT_OF_QUERY, query, file=parts.queries.file, detail=detail))
        elif not is_id(stated[0]):
            faults.add(Fault(Rule.QUERY_SPLIT, query, file=parts.queries.file, detail=f"split is {shown(stated[0])}"))
        elif isinstance(metadata, dict):
            with_splits[query] = _text_and_split_first(metadata, stated[0])
        else:
            with_splits[query] = metadata
    return with_splits


def _text_and_split_first(metadata: dict[str, Any], split: Any) -> dict[str, Any]:
    """Set the split where people look for it."""
    head = {"text": metadata["text"]} if "text" in metadata else {}
    return {**head, "split": split} | {key: value for key, value in metadata.items() if key != "split"}


def _check_documents(faults: Faults, parts: Parts) -> None:
    near = NearMisses(parts.corpus.content)
    for _, judgments in parts.judgments:
        for query, labels in judgments.labels.items():
            for document in labels:
                if document not in parts.corpus.content:
                    detail = f"judged, but not in {parts.corpus.file}"
                    detail = "; ".join(filter(None, (detail, near.hint(document))))
                    faults.add(judgments.placed(Rule.UNJUDGED, query, document, detail))


def _check_unlisted(
    faults: Faults,
    corpus: Part,
    labels: Mapping[str, Mapping[str, int]],
    queries: Mapping[str, Any],
    declared: Declared,
) -> int:
    """Count the pairs that nobody judged; without a declaration they are faults, the first of them named."""
    documents = corpus.content
    unlisted = {
        query: len(documents) - sum(document in documents for document in labels.get(query, ())) for query in queries
    }
    count = sum(unlisted.values())
    if count and declared.unlisted_nonrelevant is None:
        of = f"{count} of {len(queries) * len(documents)} pairs are unjudged; or declare --unlisted-nonrelevant WHY"
        graded = sum(label not in {0, 1} for own in labels.values() for label in own.values())
        if graded and declared.relevant_from is None:
            of += f"; {graded} labels are not 0 or 1, so declare --relevant-from N too"
        pairs = (
            (query, document)
            for query, missing in unlisted.items()
            if missing
            for document in documents
            if document not in labels.get(query, ())
        )
        faults.add_many(
            count,
            (
                Fault(Rule.UNJUDGED, query, document, file=corpus.file, detail="unjudged" if i else of)
                for i, (query, document) in enumerate(pairs)
            ),
        )
    return count


def _check_labels(faults: Faults, parts: Parts, declared: Declared) -> None:
    if declared.relevant_from is not None:
        return
    for _, judgments in parts.judgments:
        for query, labels in judgments.labels.items():
            for document, label in labels.items():
                if label not in {0, 1}:
                    detail = f"the label is {label}; or declare --relevant-from N"
                    faults.add(judgments.placed(Rule.LABELS, query, document, detail))


def _declarations(
    declared: Declared, labels: Mapping[str, Mapping[str, int]], unlisted: int, pairs: int, left_out: int
) -> list[Declaration]:
    said: list[Declaration] = []
    if declared.unlisted_nonrelevant is not None:
        effect = f"{unlisted} of {pairs} pairs are unlisted and count as not relevant"
        said.append(Declaration("unlisted-nonrelevant", declared.unlisted_nonrelevant, effect))
    if declared.relevant_from is not None:
        every = [label for own in labels.values() for label in own.values()]
        below = sum(label < declared.relevant_from for label in every)
        negative = sum(label < 0 for label in every)
        effect = f"{len(every) - below} labels count as 1, {below} as 0, of which {negative} are negative"
        said.append(Declaration("relevant-from", str(declared.relevant_from), effect))
    if declared.leave_out_unjudged_queries is not None:
        effect = f"{left_out} queries are left out"
        said.append(Declaration("leave-out-unjudged-queries", declared.leave_out_unjudged_queries, effect))
    return said

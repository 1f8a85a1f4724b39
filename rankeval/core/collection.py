"""What makes corpus, queries, judgments, split and k a protocol: every check, in the order of SPEC.md's table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Any, TypeGuard

from rankeval.core.contract import Fault, Faults, Rule, is_filled_mapping, is_id, kind_of, shown_id
from rankeval.core.near_miss import NearMisses

_TEXT = frozenset({str})

_DOCUMENTS_AT_A_TIME = 1_000


def check_protocol(
    faults: Faults,
    corpus: object,
    queries: object,
    qrels: object,
    split: object,
    k: object,
    rankings: object = MappingProxyType({}),
) -> None:
    """Collect every fault of a protocol, in the order of SPEC.md's table.

    Args:
        faults: where they go.
        corpus: as for `Protocol`, of any type.
        queries: likewise.
        qrels: likewise.
        split: likewise.
        k: likewise.
        rankings: a run that is to be scored with it; only whether it is a mapping is looked at, since that ranks here.

    """
    check_collection(faults, corpus, queries, split, k, rankings)
    if isinstance(queries, Mapping):
        _check_cover(faults, queries, qrels)
        check_split_has_queries(faults, queries, split)
    if isinstance(corpus, Mapping) and isinstance(queries, Mapping) and isinstance(qrels, Mapping):
        _check_judgments(faults, corpus, queries, qrels)


def check_relevant(
    faults: Faults,
    corpus: Mapping[str, object],
    queries: Mapping[str, object],
    relevant: Mapping[str, Iterable[str]],
    split: object,
) -> None:
    """Collect the faults of judgments that name the relevant documents alone."""
    _check_cover(faults, queries, relevant)
    check_split_has_queries(faults, queries, split)
    near = NearMisses(corpus)
    for query in queries:
        for document in relevant.get(query, ()):
            if document not in corpus:
                faults.add(_judged_outside(query, document, near))


def check_collection(
    faults: Faults,
    corpus: object,
    queries: object,
    split: object,
    k: object,
    rankings: object = MappingProxyType({}),
    *,
    just_parsed: bool = False,
) -> None:
    """Collect the faults of k, corpus, queries and split.

    The arguments are those of `check_protocol`; what was `just_parsed` from JSON is not asked whether JSON holds it.
    """
    if type(k) is not int or k < 1:
        faults.add(Fault(Rule.K, detail=f"k is {k!r}"))
    for name, value in (("corpus", corpus), ("queries", queries)):
        if not is_filled_mapping(value):
            faults.add(Fault(Rule.MAPPINGS, detail=f"{name} is {kind_of(value)}"))
    if not isinstance(rankings, Mapping):
        faults.add(Fault(Rule.MAPPINGS, detail=f"the run is {kind_of(rankings)}"))
    if isinstance(corpus, Mapping):
        check_document_ids(faults, corpus)
    if isinstance(queries, Mapping):
        check_query_metadata(faults, queries)
    check_split(faults, split)
    if just_parsed:
        return
    if isinstance(corpus, Mapping):
        check_json_documents(faults, corpus)
    if isinstance(queries, Mapping):
        check_json_queries(faults, queries)


def check_json_documents(faults: Faults, corpus: Mapping[Any, object]) -> None:
    """Collect documents that canonical JSON in UTF-8 cannot hold, by their ID or their value."""
    documents = iter(corpus.items())
    while some := list(islice(documents, _DOCUMENTS_AT_A_TIME)):
        if _are_plain(some):
            continue
        for document, value in some:
            if not (is_utf8(document) and is_json(value)):
                faults.add(Fault(Rule.JSON_VALUES, document=shown_id(document)))


def _are_plain(documents: Iterable[tuple[object, object]]) -> bool:
    """Whether documents are text or objects of nothing but text, all in UTF-8: the quick answer for the many that are.

    All their texts are looked at as one; to ask `is_json` of each takes three times as long.
    """
    texts: list[Any] = []
    for document, value in documents:
        texts.append(document)
        if type(value) is str:
            texts.append(value)
        elif type(value) is dict:
            texts += value
            texts += value.values()
        else:
            return False
    return _TEXT.issuperset(map(type, texts)) and is_utf8("".join(texts))


def check_json_queries(faults: Faults, queries: Mapping[Any, object]) -> None:
    """Collect queries that canonical JSON in UTF-8 cannot hold; whether metadata is a mapping is another rule."""
    for query, metadata in queries.items():
        if not is_utf8(query) or (isinstance(metadata, Mapping) and not is_json(dict(metadata))):
            faults.add(Fault(Rule.JSON_VALUES, query=shown_id(query)))


def check_document_ids(faults: Faults, corpus: Mapping[Any, object]) -> None:
    """Collect document IDs that are no nonempty strings."""
    for document in corpus:
        if not is_id(document):
            faults.add(Fault(Rule.CORPUS_IDS, document=shown_id(document)))


def check_query_metadata(faults: Faults, queries: Mapping[Any, object]) -> None:
    """Collect queries whose ID or metadata is of the wrong type, then those without a proper split."""
    for query, metadata in queries.items():
        if not is_id(query) or not isinstance(metadata, Mapping):
            faults.add(Fault(Rule.QUERY_METADATA, query=shown_id(query)))
    for query, metadata in queries.items():
        if isinstance(metadata, Mapping) and not is_id(metadata.get("split")):
            faults.add(Fault(Rule.QUERY_SPLIT, query=shown_id(query), detail=f"split is {metadata.get('split')!r}"))


def check_split(faults: Faults, split: object) -> None:
    """Collect a chosen split that is no nonempty string."""
    if not is_id(split):
        faults.add(Fault(Rule.SPLIT, detail=f"split is {split!r}"))


def check_split_has_queries(faults: Faults, queries: Mapping[Any, object], split: object) -> None:
    """Collect a chosen split that no query carries."""
    splits = set(splits_of(queries).values())
    if is_id(split) and split not in splits:
        there = ", ".join(sorted(map(repr, splits))) or "none"
        faults.add(Fault(Rule.SPLIT_EMPTY, detail=f"split is {split!r}; the queries have {there}"))


def splits_of(queries: Mapping[Any, object]) -> dict[Any, str]:
    """Give the split of every query that states one properly."""
    return {
        query: metadata["split"]
        for query, metadata in queries.items()
        if isinstance(metadata, Mapping) and is_id(metadata.get("split"))
    }


def _check_cover(faults: Faults, queries: Mapping[Any, object], qrels: object) -> None:
    if not isinstance(qrels, Mapping):
        faults.add(Fault(Rule.QRELS_COVER, detail=f"the qrels are {kind_of(qrels)}"))
        return
    for query in queries:
        if query not in qrels:
            faults.add(Fault(Rule.QRELS_COVER, query=shown_id(query), detail="not judged"))
    near = NearMisses(queries)
    for query in qrels:
        if query not in queries:
            detail = "; ".join(filter(None, ["judged, but not among the queries", near.hint(query)]))
            faults.add(Fault(Rule.QRELS_COVER, query=shown_id(query), detail=detail))


def _check_judgments(
    faults: Faults, corpus: Mapping[Any, object], queries: Mapping[Any, object], qrels: Mapping[Any, object]
) -> None:
    near = NearMisses(corpus)
    for query in queries:
        if query not in qrels:
            continue
        judged = qrels[query]
        if not isinstance(judged, Mapping):
            detail = f"the judgments are {kind_of(judged)}"
            faults.add(Fault(Rule.UNJUDGED, query=shown_id(query), detail=detail))
            continue
        if judged.keys() != corpus.keys():
            absent = [document for document in corpus if document not in judged]
            unjudged = (Fault(Rule.UNJUDGED, shown_id(query), shown_id(each), detail="unjudged") for each in absent)
            faults.add_many(len(absent), unjudged)
            for document in judged:
                if document not in corpus:
                    faults.add(_judged_outside(query, document, near))
        for document, label in judged.items():
            if type(label) is not int or label not in {0, 1}:
                fault = Fault(Rule.LABELS, shown_id(query), shown_id(document), detail=f"the label is {label!r}")
                faults.add(fault)


def _judged_outside(query: object, document: object, near: NearMisses) -> Fault:
    detail = "; ".join(filter(None, ["judged, but not in the corpus", near.hint(document)]))
    return Fault(Rule.UNJUDGED, shown_id(query), shown_id(document), detail=detail)


def is_utf8(value: object) -> bool:
    """Whether a string can be written in UTF-8, which a lone surrogate cannot; other types have rules of their own."""
    if isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            return False
    return True


def is_json(value: object) -> bool:
    """Whether JSON holds a value as it is: what is read back is what was written."""
    if isinstance(value, str):
        return is_utf8(value)
    if is_flat_text(value):
        return is_utf8("".join((*value, *value.values())))
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode()
        return bool(json.loads(text) == value)
    except (TypeError, ValueError, RecursionError):
        return False


def is_flat_text(value: object) -> TypeGuard[dict[str, str]]:
    """Whether a value is a plain object of nothing but text, as most documents are: the case that has to be quick."""
    return type(value) is dict and _TEXT.issuperset(map(type, value)) and _TEXT.issuperset(map(type, value.values()))

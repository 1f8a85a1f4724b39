"""Protocols from files: bare or frozen JSON, a BEIR folder or zip, or three files apart; and the frozen file itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from rankeval.core.collection import splits_of
from rankeval.core.contract import SHOWN_FAULTS, ContractError, Fault
from rankeval.core.fingerprint import Progress
from rankeval.core.protocol import Protocol
from rankeval.core.provenance import Provenance
from rankeval.formats import beir
from rankeval.formats.assembly import Parts, assemble, chosen_k, chosen_split
from rankeval.formats.catalogue import Reading, refusal
from rankeval.formats.collection import (
    Part,
    judged_object,
    queries_object,
)
from rankeval.formats.declared import NOTHING, Declared
from rankeval.formats.json_places import places
from rankeval.formats.json_text import may_hold_half_characters, parse_json
from rankeval.formats.recorded import hold_to, provenance_from, provenance_json, stated_sha256
from rankeval.formats.source import Source

PROTOCOL_FORMAT = "rankeval-protocol/1"

_NOT_FROZEN = "only a frozen protocol has fingerprints to verify; what a run states is checked whenever it is read"

FULL_CHECK = 20_000_000
"""Up to this many judged pairs, the full fingerprint of a frozen file is recomputed when it is loaded."""


def read_protocol(
    given: Source | str | Path,
    *,
    split: str | None = None,
    k: int | None = None,
    declared: Declared = NOTHING,
    input_format: str | None = None,
) -> Protocol:
    """Read a protocol from a file, or from a BEIR folder or a zip of one.

    Args:
        given: a path, `-` for standard input, or a `Source`.
        split: the split to score, where the source states none or another one.
        k: the document cut-off, likewise.
        declared: what is declared of a source that leaves something open.
        input_format: `json` or `beir`, where somebody wants to be sure.

    Raises:
        FormatError: the source cannot be read for exactly what it says, or leaves something open.
        ProtocolError: what it says is no protocol.

    """
    if isinstance(given, str | Path) and _is_folder(given):
        _refuse_other_format(input_format, "beir", str(given))
        return assemble(beir.read_beir_folder(Path(given)), split, k, declared)
    source = Source.of(given)
    if source.data.startswith(beir.ZIP):
        _refuse_other_format(input_format, "beir", source.name)
        return assemble(beir.read_beir_zip(source), split, k, declared)
    _refuse_other_format(input_format, "json", source.name)
    return _from_json(source, split, k, declared)


def read_collection(
    corpus: Source | str | Path,
    queries: Source | str | Path,
    qrels: Source | str | Path,
    *,
    split: str | None = None,
    k: int | None = None,
    declared: Declared = NOTHING,
) -> Protocol:
    """Freeze a protocol from corpus, queries and judgments in three files apart.

    Args:
        corpus: JSON, JSONL, CSV, TSV or Parquet.
        queries: the same; a query states its split in `split` or `metadata.split`.
        qrels: the same, or TREC qrels; one that is called qrels/<split>.tsv states the split, as in a BEIR folder.
        split: the split to score; the only one of the queries, where there is only one.
        k: the document cut-off.
        declared: what is declared of the source.

    Raises:
        FormatError: a file cannot be read for exactly what it says, or the source leaves something open.
        ProtocolError: what the files say is no protocol.

    """
    judgments = [(beir.split_of(qrels), partial(Source.of, qrels))]
    parts = beir.read_parts(partial(Source.of, corpus), partial(Source.of, queries), judgments)
    return assemble(parts, split, k, declared)


def verify(given: Source | str | Path, progress: Progress | None = None) -> Protocol:
    """Read a frozen protocol and recompute both its fingerprints, however many judgments it has.

    Args:
        given: a path, `-` for standard input, or a `Source`.
        progress: called with the queries done and the queries in all.

    Raises:
        FormatError: a fingerprint does not match, or the file states none.

    """
    source = Source.of(given)
    value = _object(source)
    if value.get("format") != PROTOCOL_FORMAT:
        raise refusal(Reading.FORMAT, file=source.name, detail=_NOT_FROZEN)
    _refuse_absent(value, ("protocol_sha256", "compact_sha256"), source)
    try:
        protocol = _frozen(value, source)
    except ContractError as error:
        raise _in_file(error, source) from None
    except RecursionError:
        raise refusal(Reading.TOO_DEEP, file=source.name) from None
    hold_to(protocol.compute_sha256(progress), "protocol_sha256", value, source.name)
    return protocol


def frozen_protocol_json(protocol: Protocol) -> Iterator[str]:
    """Write a frozen protocol file piece by piece, a document or a query a line, its judgments compactly."""
    yield f'{{"format": {_json(PROTOCOL_FORMAT)},\n"protocol_sha256": {_json(protocol.protocol_sha256)},\n'
    yield f'"compact_sha256": {_json(protocol.compact_sha256)},\n"split": {_json(protocol.split)},\n'
    yield f'"k": {protocol.k},\n"provenance": {_json(provenance_json(protocol.provenance))},\n"corpus": {{'
    yield from _entries(protocol.corpus)
    yield '},\n"queries": {'
    yield from _entries(protocol.queries)
    yield '},\n"judgments": {"all_others": 0, "relevant": {'
    yield from _entries({query: sorted(documents) for query, documents in protocol.relevant.items()})
    yield "}}}\n"


def _from_json(source: Source, split: str | None, k: int | None, declared: Declared) -> Protocol:
    value = _object(source)
    if value.get("format", PROTOCOL_FORMAT) != PROTOCOL_FORMAT:
        detail = f"format is {value['format']!r}; a protocol is {PROTOCOL_FORMAT!r}, or states none"
        raise refusal(Reading.FORMAT, file=source.name, detail=detail)
    try:
        protocol = _frozen(value, source) if "format" in value else _bare(value, source, split, k, declared)
    except ContractError as error:
        raise _in_file(error, source) from None
    except RecursionError:
        raise refusal(Reading.TOO_DEEP, file=source.name) from None
    if "format" in value and declared != NOTHING:
        detail = "a frozen protocol has its declarations in it; declare others when you freeze the source again"
        raise refusal(Reading.OPTION, file=source.name, detail=detail)
    if split in {None, protocol.split} and k in {None, protocol.k}:
        return protocol
    return protocol.with_split_and_k(split, k)


def _bare(value: dict[str, Any], source: Source, split: str | None, k: int | None, declared: Declared) -> Protocol:
    """Make the protocol of a bare file: its judgments are exhaustive, or declared to be taken so."""
    _refuse_absent(value, ("corpus", "queries", "qrels"), source)
    corpus, queries, qrels = value["corpus"], value["queries"], value["qrels"]
    split = value.get("split") if split is None else split
    k = value.get("k") if k is None else k
    unused = [key for key in value if key not in {"corpus", "queries", "qrels", "split", "k"}]
    said = ", ".join(unused).encode(errors="backslashreplace").decode()  # a key may be half a character
    notes = (f"{source.name}: not used: {said}",) if unused else ()
    if declared != NOTHING and isinstance(corpus, dict) and isinstance(queries, dict):
        judgments = judged_object(qrels, source.text(), source.name, ("qrels",))
        parts = Parts(Part(source.name, corpus, notes), queries_object(queries, source.name), [(None, judgments)])
        return assemble(parts, split, k, declared)
    if "split" not in value and isinstance(queries, dict):
        split = chosen_split(source.name, list(splits_of(queries).values()), split)
    if "k" not in value:
        k = chosen_k(source.name, k)
    # The core refuses whatever is no split and no k, with the sentences made for it.
    return Protocol(corpus, queries, qrels, cast("str", split), cast("int", k), provenance=Provenance(notes=notes))


def _frozen(value: dict[str, Any], source: Source) -> Protocol:
    """Make the protocol of a frozen file, and hold it to the fingerprints that it states."""
    _refuse_absent(value, ("corpus", "queries", "split", "k", "protocol_sha256", "compact_sha256"), source)
    if ("qrels" in value) == ("judgments" in value):
        raise refusal(Reading.SHAPE, file=source.name, detail="a frozen protocol has qrels, or judgments, and not both")
    provenance = provenance_from(value.get("provenance", {}), source.name)
    parts = (value["corpus"], value["queries"])
    if "qrels" in value:
        protocol = Protocol(*parts, value["qrels"], value["split"], value["k"], provenance=provenance)
    else:
        relevant = _relevant_from(value["judgments"], source.name)
        protocol = Protocol.from_relevant(
            *parts,
            relevant,
            value["split"],
            value["k"],
            provenance=provenance,
            recorded_sha256=stated_sha256(value, "protocol_sha256", source.name),
            just_parsed=not may_hold_half_characters(source.text()),
        )
    hold_to(protocol.compact_sha256, "compact_sha256", value, source.name)
    if protocol.judged_pairs <= FULL_CHECK:
        hold_to(protocol.compute_sha256(), "protocol_sha256", value, source.name)
    return protocol


def _relevant_from(judgments: object, file: str) -> dict[str, list[str]]:
    """Read compact judgments."""
    if isinstance(judgments, dict) and isinstance(judgments.get("relevant"), dict):
        relevant: dict[str, Any] = judgments["relevant"]
        lists = all(isinstance(each, list) and all(isinstance(d, str) for d in each) for each in relevant.values())
        zero = judgments.get("all_others")
        if lists and type(zero) is int and zero == 0:
            repeated = next((query for query, each in relevant.items() if len(set(each)) != len(each)), None)
            if repeated is not None:
                raise refusal(Reading.JUDGED_TWICE, file=file, query=repeated)
            return relevant
    detail = 'judgments are {"relevant": {query: [document, ...]}, "all_others": 0}'
    raise refusal(Reading.SHAPE, file=file, detail=detail)


def _refuse_absent(value: Mapping[str, Any], keys: tuple[str, ...], source: Source) -> None:
    absent = [key for key in keys if key not in value]
    if absent:
        detail = f"a protocol has {', '.join(keys)}, and this file lacks {', '.join(absent)}"
        raise refusal(Reading.SHAPE, file=source.name, detail=detail)


def _object(source: Source) -> dict[str, Any]:
    # Half a character in a document is the core's matter, whose rule says more.
    value = parse_json(source.text(), source.name, surrogates=True)
    if not isinstance(value, dict):
        raise refusal(Reading.SHAPE, file=source.name, detail="a protocol is an object with corpus, queries and qrels")
    return value


def _is_folder(given: str | Path) -> bool:
    try:
        return Path(given).is_dir()
    except (OSError, ValueError):
        return False  # what cannot even be looked at is refused when it is read


def _refuse_other_format(named: str | None, found: str, file: str) -> None:
    if named not in {None, found}:
        raise refusal(Reading.OPTION, file=file, detail=f"--input-format {named}, and the protocol is {found}")


def _in_file(error: ContractError, source: Source) -> ContractError:
    """Add to the faults of a refusal the file, and to those that are shown the line."""
    if any(fault.file for fault in error.faults):
        return error
    paths = [_path_of(fault) for fault in error.faults[:SHOWN_FAULTS]]
    wanted = {path for path in paths if path}
    lines = {path: line for path, line in places(source.text()) if path in wanted} if wanted else {}
    found = [lines.get(path) for path in paths] + [None] * len(error.faults)
    faults = (replace(fault, file=source.name, line=line) for fault, line in zip(error.faults, found, strict=False))
    return type(error)(faults, error.total)


def _path_of(fault: Fault) -> tuple[str, ...]:
    """Give the way to what a fault of a bare protocol is about; nothing where it is about something that is absent."""
    if fault.query is not None and fault.document is not None:
        return ("qrels", fault.query, fault.document)
    if fault.document is not None:
        return ("corpus", fault.document)
    return ("queries", fault.query) if fault.query is not None else ()


def _entries(mapping: Mapping[str, Any]) -> Iterator[str]:
    separator = "\n"
    for key, value in mapping.items():
        yield f"{separator}{_json(key)}: {_json(value)}"
        separator = ",\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)

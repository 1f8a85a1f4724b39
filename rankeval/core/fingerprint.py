"""Canonical JSON and SHA-256: the names of protocols, runs and chunk maps (SPEC.md, section "Fingerprints").

Everything is hashed as a stream of canonical JSON, so that a protocol of a thousand million judgments needs no more
memory than one row of them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

ADAPTER = "first-occurrence-document-v1"

Progress = Callable[[int, int], None]
"""Called with how much is done, and of how much."""

_ENTRIES_AT_A_TIME = 1_000

_encoder = json.JSONEncoder(sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def canonical_json(value: object) -> str:
    """Write a value as canonical JSON: sorted keys, no white space, no escapes that are not needed.

    Raises:
        TypeError, ValueError, RecursionError: the value is not JSON.

    """
    return _encoder.encode(value)


def _object(mapping: Mapping[str, object]) -> Iterator[bytes]:
    """Stream a JSON object, many entries at a time: to encode each on its own would take four times as long."""
    keys = sorted(mapping)
    yield b"{"
    for start in range(0, len(keys), _ENTRIES_AT_A_TIME):
        entries = canonical_json({key: mapping[key] for key in keys[start : start + _ENTRIES_AT_A_TIME]})[1:-1]
        yield (f",{entries}" if start else entries).encode()
    yield b"}"


def _sha256(pieces: Iterable[bytes | bytearray]) -> str:
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


def _judgments(
    documents: Iterable[str],
    queries: Iterable[str],
    relevant: Mapping[str, Iterable[str]],
    progress: Progress | None,
) -> Iterator[bytes | bytearray]:
    """Stream every query's judgments of the whole corpus as JSON.

    All rows are alike but for the few ones in them, so one row of zeros is built, and its ones are set and taken back:
    a row is good until the next one is asked for, which is long enough to hash it.
    """
    row = bytearray(b"{")
    label_at: dict[str, int] = {}
    for document in sorted(documents):
        row += f"{canonical_json(document)}:0,".encode()
        label_at[document] = len(row) - 2
    row[-1:] = b"}"
    opening = "{"
    ordered = sorted(queries)
    for done, query in enumerate(ordered, 1):
        yield f"{opening}{canonical_json(query)}:".encode()
        ones = [label_at[document] for document in relevant[query]]
        for at in ones:
            row[at] = ord("1")
        yield row
        for at in ones:
            row[at] = ord("0")
        opening = ","
        if progress is not None:
            progress(done, len(ordered))
    yield b"}"


def protocol_sha256(
    corpus: Mapping[str, object],
    queries: Mapping[str, object],
    relevant: Mapping[str, Iterable[str]],
    split: str,
    k: int,
    progress: Progress | None = None,
) -> str:
    """Fingerprint a protocol with every single judgment of it.

    Args:
        corpus: document ID -> document.
        queries: query ID -> metadata.
        relevant: every query ID -> its relevant documents; all other documents of the corpus are judged 0.
        split: the split.
        k: the cut-off.
        progress: called with the queries done and the queries in all.

    """

    def pieces() -> Iterator[bytes | bytearray]:
        yield b'{"corpus":'
        yield from _object(corpus)
        yield f',"k":{k},"qrels":'.encode()
        yield from _judgments(corpus, queries, relevant, progress)
        yield b',"queries":'
        yield from _object(queries)
        yield f',"split":{canonical_json(split)}}}'.encode()

    return _sha256(pieces())


def compact_sha256(
    corpus: Mapping[str, object],
    queries: Mapping[str, object],
    relevant: Mapping[str, Iterable[str]],
    split: str,
    k: int,
) -> str:
    """Fingerprint a protocol by its relevant documents alone; the arguments are those of `protocol_sha256`."""

    def pieces() -> Iterator[bytes]:
        yield b'{"corpus":'
        yield from _object(corpus)
        yield f',"k":{k},"queries":'.encode()
        yield from _object(queries)
        yield b',"relevant":'
        yield from _object({query: sorted(relevant[query]) for query in queries})
        yield f',"split":{canonical_json(split)}}}'.encode()

    return _sha256(pieces())


def run_sha256(rankings: Mapping[str, Sequence[str]]) -> str:
    """Fingerprint a run, or a chunk run: query ID -> list of IDs, best first; missing queries are absent."""
    return _sha256(_object(rankings))


def adapter_sha256(chunk_to_doc: Mapping[str, str]) -> str:
    """Fingerprint a chunk map together with the rule by which chunks become documents."""

    def pieces() -> Iterator[bytes]:
        yield f'{{"adapter":{canonical_json(ADAPTER)},"chunk_to_doc":'.encode()
        yield from _object(chunk_to_doc)
        yield b"}"

    return _sha256(pieces())

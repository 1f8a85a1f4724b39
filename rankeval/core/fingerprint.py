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

_encoder = json.JSONEncoder(sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def canonical_json(value: object) -> str:
    """Write a value as canonical JSON: sorted keys, no white space, no escapes that are not needed.

    Raises:
        TypeError, ValueError, RecursionError: the value is not JSON.

    """
    return _encoder.encode(value)


def _object(pairs: Iterable[tuple[str, bytes | bytearray]]) -> Iterator[bytes | bytearray]:
    """Stream a JSON object from its key-sorted pairs of key and encoded value."""
    opening = "{"
    for key, value in pairs:
        yield f"{opening}{canonical_json(key)}:".encode()
        yield value
        opening = ","
    yield b"{}" if opening == "{" else b"}"


def _encoded(mapping: Mapping[str, object]) -> Iterator[tuple[str, bytes | bytearray]]:
    for key in sorted(mapping):
        yield key, canonical_json(mapping[key]).encode()


def _sha256(pieces: Iterable[bytes | bytearray]) -> str:
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


def _judgment_rows(
    documents: Iterable[str], queries: Iterable[str], relevant: Mapping[str, Iterable[str]]
) -> Iterator[tuple[str, bytearray]]:
    """Give each query's judgments of the whole corpus as JSON.

    All rows are alike but for the few ones in them, so one row of zeros is built, and its ones are set and taken back:
    a row is good until the next one is asked for, which is long enough to hash it.
    """
    row = bytearray(b"{")
    label_at: dict[str, int] = {}
    for document in sorted(documents):
        row += f"{canonical_json(document)}:0,".encode()
        label_at[document] = len(row) - 2
    row[-1:] = b"}"
    for query in sorted(queries):
        ones = [label_at[document] for document in relevant[query]]
        for at in ones:
            row[at] = ord("1")
        yield query, row
        for at in ones:
            row[at] = ord("0")


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
        yield from _object(_encoded(corpus))
        yield f',"k":{k},"qrels":'.encode()
        yield from _object(counted(_judgment_rows(corpus, queries, relevant)))
        yield b',"queries":'
        yield from _object(_encoded(queries))
        yield f',"split":{canonical_json(split)}}}'.encode()

    def counted(rows: Iterable[tuple[str, bytearray]]) -> Iterator[tuple[str, bytearray]]:
        for done, row in enumerate(rows, 1):
            yield row
            if progress is not None:
                progress(done, len(queries))

    return _sha256(pieces())


def compact_sha256(
    corpus: Mapping[str, object],
    queries: Mapping[str, object],
    relevant: Mapping[str, Iterable[str]],
    split: str,
    k: int,
) -> str:
    """Fingerprint a protocol by its relevant documents alone; the arguments are those of `protocol_sha256`."""

    def pieces() -> Iterator[bytes | bytearray]:
        yield b'{"corpus":'
        yield from _object(_encoded(corpus))
        yield f',"k":{k},"queries":'.encode()
        yield from _object(_encoded(queries))
        yield b',"relevant":'
        yield from _object((query, canonical_json(sorted(relevant[query])).encode()) for query in sorted(queries))
        yield f',"split":{canonical_json(split)}}}'.encode()

    return _sha256(pieces())


def run_sha256(rankings: Mapping[str, Sequence[str]]) -> str:
    """Fingerprint a run, or a chunk run: query ID -> list of IDs, best first; missing queries are absent."""
    return _sha256(_object(_encoded(rankings)))


def adapter_sha256(chunk_to_doc: Mapping[str, str]) -> str:
    """Fingerprint a chunk map together with the rule by which chunks become documents."""

    def pieces() -> Iterator[bytes | bytearray]:
        yield f'{{"adapter":{canonical_json(ADAPTER)},"chunk_to_doc":'.encode()
        yield from _object(_encoded(chunk_to_doc))
        yield b"}"

    return _sha256(pieces())

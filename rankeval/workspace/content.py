"""Core objects as bytes, and back, held to their fingerprints: what is damaged is refused, never shown."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rankeval.core import fingerprint
from rankeval.core.contract import ContractError
from rankeval.core.protocol import Protocol
from rankeval.core.run import FromChunks, Run
from rankeval.formats import Source, frozen_protocol_json, read_protocol
from rankeval.formats.recorded import declarations_from
from rankeval.workspace.errors import WorkspaceError

Rankings = dict[str, list[str]]


def protocol_bytes(protocol: Protocol) -> bytes:
    """Write a protocol as the frozen file of it, compressed."""
    return _packed("".join(frozen_protocol_json(protocol)))


def protocol_value(content: bytes, compact_sha256: str) -> Any:
    """Give the frozen file of a protocol as a JSON value."""
    return _json(content, "protocol", compact_sha256)


def packed_json(value: object) -> bytes:
    """Write a JSON value as content is kept: what `protocol_value` and its like give is kept as it was."""
    return _packed(json.dumps(value, ensure_ascii=False))


def protocol_from(content: bytes, compact_sha256: str) -> Protocol:
    """Read a protocol, and hold it to its fingerprint.

    Raises:
        WorkspaceError: it is damaged.

    """
    try:
        protocol = read_protocol(Source("protocol", _unpacked(content)))
    except (ContractError, zlib.error, ValueError) as error:
        raise WorkspaceError.damaged("protocol", compact_sha256) from error
    _hold(protocol.compact_sha256, compact_sha256, "protocol")
    return protocol


def rankings_bytes(rankings: Mapping[str, list[str]]) -> bytes:
    """Write rankings, compressed, in their own order."""
    return packed_json({query: rankings[query] for query in rankings})


def rankings_value(content: bytes, run_sha256: str) -> Any:
    """Give rankings as a JSON value, not held to their fingerprint."""
    return _json(content, "run", run_sha256)


def rankings_from(content: bytes, run_sha256: str) -> Rankings:
    """Read rankings, and hold them to their fingerprint.

    Raises:
        WorkspaceError: they are damaged.

    """
    rankings: Rankings = _json(content, "run", run_sha256)
    _hold(fingerprint.run_sha256(rankings), run_sha256, "run")
    return rankings


def map_bytes(chunk_to_doc: Mapping[str, str]) -> bytes:
    """Write a chunk map, compressed."""
    return packed_json(dict(chunk_to_doc))


def chunk_map_value(content: bytes, adapter_sha256: str) -> Any:
    """Give a chunk map as a JSON value, not held to its fingerprint."""
    return _json(content, "chunk map", adapter_sha256)


def map_from(content: bytes, adapter_sha256: str) -> dict[str, str]:
    """Read a chunk map, and hold it to its fingerprint.

    Raises:
        WorkspaceError: it is damaged.

    """
    chunk_to_doc: dict[str, str] = _json(content, "chunk map", adapter_sha256)
    _hold(fingerprint.adapter_sha256(chunk_to_doc), adapter_sha256, "chunk map")
    return chunk_to_doc


def record_json(run: Run) -> str:
    """Write what is known of a run beside its rankings and its name."""
    return json.dumps(
        {
            "source": run.source,
            "system": dict(run.system),
            "declarations": [each.as_dict() for each in run.declarations],
            "notes": list(run.notes),
            "from_chunks": None if run.from_chunks is None else asdict(run.from_chunks),
        },
        ensure_ascii=False,
    )


def recorded_run(rankings: Mapping[str, list[str]], name: str, record: str, origin: FromChunks | None) -> Run:
    """Make a run of its rankings and what was written of it."""
    known: dict[str, Any] = json.loads(record)
    return Run(
        rankings,
        name,
        source=known["source"],
        system=known["system"],
        declarations=declarations_from(known["declarations"], name),
        notes=tuple(known["notes"]),
        from_chunks=origin,
    )


def stated_origin(record: str) -> FromChunks | None:
    """Give what a run's file says of the chunks that it was made from; a record of before has nothing of it."""
    known: dict[str, Any] | None = json.loads(record).get("from_chunks")
    return None if known is None else FromChunks(**known)


def source_of(record: str) -> str | None:
    """Give the file that a run came from."""
    source: str | None = json.loads(record)["source"]
    return source


def with_system(record: str, system: Mapping[str, Any]) -> str:
    """Give a record with another description of the system."""
    return json.dumps({**json.loads(record), "system": dict(system)}, ensure_ascii=False)


def _json(content: bytes, what: str, sha256: str) -> Any:
    try:
        return json.loads(_unpacked(content))
    except (zlib.error, ValueError) as error:
        raise WorkspaceError.damaged(what, sha256) from error


def _hold(computed: str, stated: str, what: str) -> None:
    if computed != stated:
        raise WorkspaceError.damaged(what, stated)


def _packed(text: str) -> bytes:
    return zlib.compress(text.encode(), level=3)


def _unpacked(content: bytes) -> bytes:
    return zlib.decompress(content)

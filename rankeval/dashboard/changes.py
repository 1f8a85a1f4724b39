"""What may be changed of what is loaded: names, and what is recorded beside a run.  Each says what hindered it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from rankeval.core.contract import ContractError
from rankeval.core.run import SYSTEM_FIELDS
from rankeval.dashboard import uploads
from rankeval.dashboard.language import _
from rankeval.dashboard.library import Library, LoadedMap, LoadedProtocol, LoadedRun


def change_run(library: Library, run: LoadedRun, name: str, typed: Mapping[str, str]) -> str:
    """Name a run, and record what made it; give a sentence that says why not, empty where it was done.

    Args:
        library: where the run is.
        run: the run.
        name: its name from now on; no other run of its protocol has it.
        typed: what was typed in for each of `SYSTEM_FIELDS`.

    """
    if not name.strip():
        return _("A run needs a name.")
    if name in {each.name for each in library.all_runs(run.entry) if each != run}:
        return _("Another run of this protocol has that name.")
    system = system_of(run.run.system, typed)

    def change() -> None:
        library.rename_run(run, name)
        library.describe_run(run, system)

    return _tried(change)


def change_protocol(library: Library, entry: LoadedProtocol, name: str) -> str:
    """Name a protocol; give a sentence that says why not, empty where it was done."""
    if not name.strip():
        return _("A protocol needs a name.")
    return _tried(lambda: library.rename_protocol(entry, name))


def freeze_again(
    library: Library, entry: LoadedProtocol, split: str, k: int, *, with_runs: bool
) -> tuple[str, LoadedProtocol | None]:
    """Freeze a protocol again as `uploads.freeze_again` does; give what hindered it, and the protocol that it made."""
    if (split, k) == (entry.protocol.split, entry.protocol.k):
        return _("That is this protocol. Choose another split or another k."), None
    try:
        _card, other = uploads.freeze_again(library, entry, split, k, with_runs=with_runs)
    except ContractError as error:
        return str(error), None
    return "", other


def remove_run(library: Library, run: LoadedRun) -> str:
    """Let go of a run; give a sentence that says why not, empty where it was done."""
    return _tried(lambda: library.remove_run(run))


def change_map(library: Library, entry: LoadedProtocol, chunk_map: LoadedMap, name: str) -> str:
    """Name a chunk map; give a sentence that says why not, empty where it was done."""
    if not name.strip():
        return _("A chunk map needs a name.")
    if name != chunk_map.name and name in library.chunk_maps(entry):
        return _("Another chunk map of this protocol has that name.")
    return _tried(lambda: library.rename_map(entry, chunk_map, name))


def remove_map(library: Library, entry: LoadedProtocol, chunk_map: LoadedMap) -> str:
    """Let go of a chunk map; give a sentence that says why not, empty where it was done."""
    return _tried(lambda: library.remove_map(entry, chunk_map))


def remove_protocol(library: Library, entry: LoadedProtocol) -> str:
    """Let go of a protocol and its runs; give a sentence that says why not, empty where it was done."""
    return _tried(lambda: library.remove_protocol(entry))


def typed_of(system: Mapping[str, Any]) -> dict[str, str]:
    """Give what stands in the fields for what is recorded of a system; a file may have recorded more than text.

    >>> typed_of({"model": "e5", "configuration": {"k1": 0.9}})["configuration"]
    '{"k1": 0.9}'
    """
    return {field: _typed(system.get(field)) for field in SYSTEM_FIELDS}


def system_of(system: Mapping[str, Any], typed: Mapping[str, str]) -> dict[str, Any]:
    """Give what is recorded of a system after its fields were filled in: what was left as it was stays what it was.

    >>> system_of({"model": "e5", "configuration": {"k1": 0.9}}, {"model": "", "configuration": '{"k1": 0.9}'})
    {'configuration': {'k1': 0.9}}
    """
    shown = typed_of(system)
    said: dict[str, Any] = {}
    for field in {**dict.fromkeys(SYSTEM_FIELDS), **system}:
        if typed.get(field, shown.get(field)) == shown.get(field):
            said |= {field: system[field]} if field in system else {}
        elif typed[field]:
            said[field] = typed[field]
    return said


def _typed(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _tried(change: Callable[[], None]) -> str:
    try:
        change()
    except ContractError as error:
        return str(error)
    return ""

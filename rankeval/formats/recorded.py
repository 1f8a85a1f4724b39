"""What our own files record beside their content: declarations, provenance, fingerprints."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from rankeval.core.provenance import Declaration, LabelChange, Proposal, Provenance
from rankeval.formats.catalogue import FormatError, Reading, refusal

_STATEMENTS = ("criterion", "granularity", "deduplication", "disputed")
_SHA256 = re.compile("[0-9a-f]{64}")


def hold_to(computed: str, name: str, value: Mapping[str, Any], file: str) -> None:
    """Refuse a file whose content has another fingerprint than it states under a name.

    Raises:
        FormatError: it has.

    """
    if value[name] != computed:
        detail = f"{name} is {_shown_hash(value[name])}, and the content has {_shown_hash(computed)}"
        raise refusal(Reading.FINGERPRINT, file=file, detail=f"{detail}; the file was altered afterwards")


def stated_sha256(value: Mapping[str, Any], name: str, file: str) -> str:
    """Give a fingerprint that a file states, which may be too costly to recompute.

    Raises:
        FormatError: it cannot be one.

    """
    stated = value[name]
    if not (isinstance(stated, str) and _SHA256.fullmatch(stated)):
        raise refusal(Reading.FINGERPRINT, file=file, detail=f"{name} is {_shown_hash(stated)}, which is no SHA-256")
    return stated


def declarations_from(value: object, file: str) -> tuple[Declaration, ...]:
    """Read declarations.

    Raises:
        FormatError: they are not as we write them.

    """
    if value is None:
        return ()
    if isinstance(value, list) and all(_is_declaration(each) for each in value):
        return tuple(Declaration(**each) for each in value)
    raise _misshapen(file, "declarations must be a list of option, value and effect")


def _is_declaration(value: object) -> bool:
    if not isinstance(value, dict) or not {"option", "value"} <= value.keys() <= {"option", "value", "effect"}:
        return False
    return all(isinstance(each, str) for each in value.values())


def provenance_json(provenance: Provenance) -> dict[str, Any]:
    """Give provenance as plain JSON."""
    zeros = provenance.judged_zero
    return {
        "declarations": [each.as_dict() for each in provenance.declarations],
        "judged_pairs": provenance.judged_pairs,
        "judged_zero": None if zeros is None else {query: sorted(documents) for query, documents in zeros.items()},
        "notes": list(provenance.notes),
        **provenance.statements,
        **({"proposals": [each.as_dict() for each in provenance.proposals]} if provenance.proposals else {}),
    }


def provenance_from(value: object, file: str) -> Provenance:
    """Read provenance.

    Raises:
        FormatError: it is not as we write it.

    """
    if not isinstance(value, dict):
        raise _misshapen(file, "provenance must be an object")
    _refuse_half_characters(value, file)
    judged, zeros, notes = value.get("judged_pairs"), value.get("judged_zero"), value.get("notes", [])
    if judged is not None and not (type(judged) is int and judged >= 0):
        raise _misshapen(file, "judged_pairs must be a whole number")
    if zeros is not None and not (isinstance(zeros, dict) and all(map(_is_texts, zeros.values()))):
        raise _misshapen(file, "judged_zero must be an object: query -> list of documents")
    if not _is_texts(notes):
        raise _misshapen(file, "notes must be a list of texts")
    return Provenance(
        declarations=declarations_from(value.get("declarations"), file),
        judged_pairs=judged,
        judged_zero=None if zeros is None else {query: frozenset(each) for query, each in zeros.items()},
        statements={key: value[key] for key in _STATEMENTS if key in value},
        notes=tuple(notes),
        proposals=_proposals_from(value.get("proposals", []), file),
    )


def _proposals_from(value: object, file: str) -> tuple[Proposal, ...]:
    if isinstance(value, list) and all(_is_proposal(each) for each in value):
        return tuple(
            Proposal(**{**each, "changes": tuple(LabelChange(**change) for change in each["changes"])})
            for each in value
        )
    detail = "proposals must be a list of parent_protocol_sha256, parent_compact_sha256 and changes"
    raise _misshapen(file, f"{detail}, a change of query, document, label, who and why")


def _is_proposal(value: object) -> bool:
    if not isinstance(value, dict) or value.keys() != {"parent_protocol_sha256", "parent_compact_sha256", "changes"}:
        return False
    parents = (value["parent_protocol_sha256"], value["parent_compact_sha256"])
    changes = value["changes"]
    return (
        all(isinstance(each, str) and _SHA256.fullmatch(each) for each in parents)
        and isinstance(changes, list)
        and len(changes) > 0
        and all(map(_is_change, changes))
    )


def _is_change(value: object) -> bool:
    if not isinstance(value, dict) or value.keys() != {"query", "document", "label", "who", "why"}:
        return False
    label = value["label"]
    texts = (value[each] for each in ("query", "document", "who", "why"))
    return type(label) is int and label in {0, 1} and all(isinstance(each, str) for each in texts)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _refuse_half_characters(value: object, file: str) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise refusal(Reading.ENCODING, file=file, detail="half a character stands in the provenance") from None
    except RecursionError:
        raise refusal(Reading.TOO_DEEP, file=file) from None


def _misshapen(file: str, detail: str) -> FormatError:
    return refusal(Reading.SHAPE, file=file, detail=detail)


def _shown_hash(stated: object) -> str:
    return f"{stated[:12]}..." if isinstance(stated, str) else repr(stated)

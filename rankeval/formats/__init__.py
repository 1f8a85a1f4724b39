"""Files to core objects, and back: one module a family of formats, every file told by its content."""

from rankeval.formats.catalogue import FormatError, Reading
from rankeval.formats.chunk_maps import read_chunk_map
from rankeval.formats.declared import Declared
from rankeval.formats.label_changes import read_label_changes
from rankeval.formats.protocols import frozen_protocol_json, read_collection, read_protocol, verify
from rankeval.formats.rows import Ordering
from rankeval.formats.runs import RUN_FORMATS, read_run
from rankeval.formats.source import Source
from rankeval.formats.writers import WRITERS, run_bytes, run_pieces

__all__ = [
    "RUN_FORMATS",
    "WRITERS",
    "Declared",
    "FormatError",
    "Ordering",
    "Reading",
    "Source",
    "frozen_protocol_json",
    "read_chunk_map",
    "read_collection",
    "read_label_changes",
    "read_protocol",
    "read_run",
    "run_bytes",
    "run_pieces",
    "verify",
]

"""rankeval: an exact scorer for retrieval on frozen protocols, and the dashboard that stands on it.

import rankeval

protocol = rankeval.read_protocol("protocol.json")
report = protocol.score(rankeval.read_run("run.json"))
report.recall_at_k          # a Fraction, or None
"""

from rankeval.core.chunks import AdaptedRuns, adapt_runs
from rankeval.core.comparison import Comparison, compare
from rankeval.core.contract import ChunkError, ComparisonError, ContractError, Fault, ProtocolError, RunError
from rankeval.core.proposal import ProposalError, propose, what_if
from rankeval.core.protocol import Protocol
from rankeval.core.provenance import LabelChange
from rankeval.core.run import Run
from rankeval.core.scoring import Report, Row, evaluate
from rankeval.formats import (
    Declared,
    FormatError,
    Ordering,
    read_chunk_map,
    read_collection,
    read_label_changes,
    read_protocol,
    read_run,
)
from rankeval.formats.live import run_from_frame, run_from_ranx, run_from_scores

Run.from_scores = staticmethod(run_from_scores)
Run.from_frame = staticmethod(run_from_frame)
Run.from_ranx = staticmethod(run_from_ranx)

__all__ = [
    "AdaptedRuns",
    "ChunkError",
    "Comparison",
    "ComparisonError",
    "ContractError",
    "Declared",
    "Fault",
    "FormatError",
    "LabelChange",
    "Ordering",
    "ProposalError",
    "Protocol",
    "ProtocolError",
    "Report",
    "Row",
    "Run",
    "RunError",
    "adapt_runs",
    "compare",
    "evaluate",
    "propose",
    "read_chunk_map",
    "read_collection",
    "read_label_changes",
    "read_protocol",
    "read_run",
    "what_if",
]

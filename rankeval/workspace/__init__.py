"""What is kept: protocols, runs, chunk maps and reviews, in one SQLite file or any database."""

from rankeval.workspace.errors import WorkspaceError
from rankeval.workspace.exposure import Exposure, ExposureLedger, SplitExposure
from rankeval.workspace.reviews import Reviews
from rankeval.workspace.rounds import Annotator, ReviewedRun, Round, SavedAdjudication, SavedVerdict
from rankeval.workspace.store import VARIABLE, KeptMap, KeptProtocol, KeptRun, Workspace, default_workspace

__all__ = [
    "VARIABLE",
    "Annotator",
    "Exposure",
    "ExposureLedger",
    "KeptMap",
    "KeptProtocol",
    "KeptRun",
    "ReviewedRun",
    "Reviews",
    "Round",
    "SavedAdjudication",
    "SavedVerdict",
    "SplitExposure",
    "Workspace",
    "WorkspaceError",
    "default_workspace",
]

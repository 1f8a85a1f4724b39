"""What is kept: protocols, runs and chunk maps under their fingerprints, in one SQLite file or any database."""

from rankeval.workspace.errors import WorkspaceError
from rankeval.workspace.store import VARIABLE, KeptMap, KeptProtocol, KeptRun, Workspace, default_workspace

__all__ = ["VARIABLE", "KeptMap", "KeptProtocol", "KeptRun", "Workspace", "WorkspaceError", "default_workspace"]

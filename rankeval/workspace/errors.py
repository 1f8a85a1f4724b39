"""What can go wrong with a workspace, each in one sentence."""

from __future__ import annotations

from rankeval.core.contract import ContractError, Fault

CANNOT_OPEN = "the workspace cannot be opened"
CANNOT_WRITE = "the workspace cannot be written"
NO_WORKSPACE = "this is no workspace"
OTHER_VERSION = "the workspace was written by another version of rankeval"
DAMAGED = "what the workspace holds does not match its fingerprint"
GONE = "the workspace no longer holds it"
IN_REVIEW = "a review round stands on it, so it stays"


class WorkspaceError(ContractError):
    """A workspace that cannot be used, or something in it that cannot be trusted."""

    @classmethod
    def of(cls, rule: str, file: str, detail: str) -> WorkspaceError:
        """Make the refusal of a workspace."""
        return cls([Fault(rule, file=file, detail=detail)])

    @classmethod
    def damaged(cls, what: str, sha256: str) -> WorkspaceError:
        """Make the refusal of something that was kept."""
        return cls([Fault(DAMAGED, detail=f"{what} {sha256[:12]} is not shown; load its file again")])

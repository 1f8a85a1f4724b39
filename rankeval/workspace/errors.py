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
NO_EXPORT = "this is no whole export of a workspace"
DIFFERS = "the workspace holds something else under the same name"
NO_ROUND = "there is no review round at this address"
ROUND = "a review round needs a name, queries, and at least one annotator for each"
NAME = "an annotator needs a name of their own"
NOT_IN_ROUND = "the review round does not know it"
IN_OTHER_HANDS = "the query is in the hands of as many others as it needs"
NOTHING_TO_UNDO = "there is nothing to take back"
SENT_TWICE = "what was sent again is not what was sent before"


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

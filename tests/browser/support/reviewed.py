"""A workspace in which two annotators have answered a part of a blind round, differ, and dispute a judgment."""

from __future__ import annotations

from pathlib import Path

from rankeval.core.review import GUIDELINES, REGRESSION, Finding, Mark, Reason, Side, Verdict, select_queries
from rankeval.dashboard import figures
from rankeval.dashboard.library import Library
from rankeval.formats.samples import sample_sets
from rankeval.workspace import Round, Workspace

VISITOR = "Visitor"
"""Who opens the annotators' page: to them the round hands out what only one, or nobody, has answered."""

SAID = {
    "t19": {"North": Finding.BASELINE_BETTER, "South": Finding.EQUAL},
    "t24": {"North": Finding.EQUAL, "South": Finding.EQUAL},
    "t09": {"North": Finding.JUDGMENT_WRONG, "South": Finding.QUERY_UNCLEAR},
}
"""What is said of all but the last query of the round."""

REASONS = {("t19", "North"): Reason.WORDS_ONLY, ("t09", "North"): Reason.JUDGMENT_MISSING}
NOTES = {
    ("t19", "North"): "One side opens with the page they need.",
    ("t19", "South"): "Both have it among the first two,\nwhich is enough here.",
    ("t09", "North"): "They may want out of the account for good.",
}
MARKS = {("t09", "North"): {"delete-account": Mark.RELEVANT}}


def reviewed(file: Path) -> dict[str, str]:
    """Make the workspace, and give the paths of the Review pages: of who makes a round, reads it, or annotates."""
    library = Library(Workspace(file), sample_sets())
    entry = next(each for each in library.protocols() if each.name == "A help centre")
    runs = {run.name: run for run in library.runs(entry)}
    a, b = runs["bm25"], runs["stemmed_fields"]
    made = library.begin_round(
        a,
        b,
        name="Regressions of the new field weights",
        statuses=[REGRESSION],
        queries=select_queries(figures.comparison_of(entry, a, b), [REGRESSION]),
        guidelines=GUIDELINES,
        annotators_per_query=2,
        blind=True,
    )
    for name in ("North", "South"):
        annotator = library.reviews.join(made.token, name).id
        for query, found in SAID.items():
            library.reviews.save_verdict(
                made.token,
                annotator,
                query,
                _verdict(made, name, query, found[name]),
                reason=REASONS.get((query, name)),
                note=NOTES.get((query, name), ""),
                marks=MARKS.get((query, name)),
            )
    library.reviews.adjudicate(made.token, "t19", Finding.EQUAL, reason="both are found at a glance", who="Lead")
    return {
        "review": "/review",
        "results": f"/review?protocol={entry.key[:12]}&a={a.key[:12]}&b={b.key[:12]}",
        "annotator": f"/review?round={made.token}",
    }


def _verdict(made: Round, name: str, query: str, finding: Finding) -> Verdict:
    """Give the verdict by which an annotator, whose columns were drawn for them, says this."""
    if finding is Finding.BASELINE_BETTER:
        return Verdict.X_BETTER if made.sides(name, query).x is Side.A else Verdict.Y_BETTER
    return Verdict(finding)

"""Comparisons in words: the verdict line, the marks of statuses, and figures as people read them.

The command line and the dashboard say the same thing, so it is worded once.  Every sentence is made in English, or from
the gettext catalogue that is passed as `words`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from gettext import NullTranslations

from rankeval.core.comparison import Comparison, ComparisonRow, Status
from rankeval.core.language import ENGLISH, mark
from rankeval.core.run import FromChunks

MARKS = {
    Status.BETTER: "▲",
    Status.WORSE: "▼",
    Status.SAME: "＝",
    Status.ENTERED: "⇥",
    Status.LEFT: "⇤",
    Status.NEITHER: "∅",
    Status.NULL: "–",
}
"""A shape for each status, so that it is never told by colour alone."""

LIMITS = mark(
    "These numbers are arithmetic on fixed rankings under fixed labels. They do not verify the judgments, nor how well"
    " the queries stand for traffic, nor that a difference would hold on other queries."
)
"""What a total does not say, in a line for a screen."""

NOT_VERIFIED = (
    mark("the retrieval model"),
    mark("how well the queries stand for traffic"),
    mark("agreement of judges"),
    mark("statistical generalisation"),
    mark("answers generated downstream"),
    mark("the chunking itself"),
    mark("paging and back-fill"),
    mark("permission filters"),
    mark("behaviour in production"),
    mark("equality with other metric libraries"),
)
"""The same in full, for whoever has nothing but the report (SPEC.md, "What the numbers do not say")."""

PASSAGE_NOTE = mark(
    "A relevant document does not mean that its chunk holds the answer; that needs chunk-level judgments and reading."
)

FINGERPRINT_NOTE = mark(
    "A fingerprint shows that something changed; it proves neither where a thing came from nor that nobody saw the"
    " test set."
)

NULL_NOTE = mark(
    "Null is not a pass: nothing relevant exists, so Recall and RR are undefined; whether the system rightly holds back"
    " needs an evaluation of its own."
)

Origins = tuple[FromChunks | None, FromChunks | None]
"""How the baseline and the candidate came from chunks; None for a run of documents."""

_NAMED = 3
"""How many queries a sentence names before it gives their number instead."""


def status_word(status: Status, words: NullTranslations = ENGLISH) -> str:
    """Name a status."""
    return words.pgettext("status", str(status))


def verdict(
    name_a: str,
    name_b: str,
    comparison: Comparison,
    words: NullTranslations = ENGLISH,
    origins: Origins = (None, None),
) -> str:
    """Say in one line what became of B against A, and where they are no one experiment, that they are two.

    Args:
        name_a: what the baseline is called.
        name_b: what the candidate is called.
        comparison: of the two.
        words: the catalogue of the sentence's language.
        origins: how each run came from chunks.

    For the published example: `fixture_B against fixture_A: 1 better, 1 worse, 1 entered; Recall +1/3, MRR +1/3; q4 is
    missing in A; 1 null`.
    """
    counts = comparison.counts
    moved = [
        counted(status, counts[status], words)
        for status in (Status.BETTER, Status.WORSE, Status.ENTERED, Status.LEFT)
        if counts[status]
    ]
    deltas = {"recall": signed(comparison.recall_delta), "mrr": signed(comparison.mrr_delta)}
    parts = [
        words.pgettext("between counts", ", ").join(moved) or words.gettext("no first relevant rank moved"),
        words.gettext("Recall {recall}, MRR {mrr}").format(**deltas),
    ]
    for side, index in (("A", 0), ("B", 1)):
        missing = [row.query for row in comparison.rows if row.missing[index]]
        if missing:
            parts.append(_are_missing(missing, side, words))
    if counts[Status.NULL]:
        parts.append(counted(Status.NULL, counts[Status.NULL], words))
    if not one_experiment(*origins):
        parts.append(_two_experiments(origins, words))
    said = words.pgettext("between clauses", "; ").join(parts)
    return words.gettext("{b} against {a}: {said}").format(a=name_a, b=name_b, said=said)


def _two_experiments(origins: Origins, words: NullTranslations) -> str:
    a, b = (_made_from(origin, words) for origin in origins)
    if one_experiment(*origins) is None:
        return words.gettext("perhaps two experiments, not one: A {a}, B {b}").format(a=a, b=b)
    return words.gettext("two experiments, not one: A {a}, B {b}").format(a=a, b=b)


def one_experiment(a: FromChunks | None, b: FromChunks | None) -> bool | None:
    """Whether the numbers of two runs belong to one experiment: of one chunk map, and of one number of chunks.

    Returns:
        None where a number that is not stated leaves it open.

    """
    if a is None or b is None:
        return a is b
    if a.adapter_sha256 != b.adapter_sha256:
        return False
    return a.budget == b.budget if a.budget_is_known and b.budget_is_known else None


def _made_from(origin: FromChunks | None, words: NullTranslations) -> str:
    if origin is None:
        return words.gettext("ranks documents")
    if not origin.budget_is_known:
        message = words.gettext("takes a number of chunks that is not stated, map {fingerprint}")
    elif origin.budget is None:
        message = words.gettext("takes all received chunks, map {fingerprint}")
    else:
        message = words.ngettext(
            "takes the first {count} chunk, map {fingerprint}",
            "takes the first {count} chunks, map {fingerprint}",
            origin.budget,
        )
    return message.format(count=origin.budget, fingerprint=origin.adapter_sha256[:8])


def counted(status: Status, count: int, words: NullTranslations = ENGLISH) -> str:
    """Say how many queries have a status: `2 worse`."""
    return words.gettext("{count} {status}").format(count=count, status=status_word(status, words))


def marked_status(row: ComparisonRow, words: NullTranslations = ENGLISH) -> str:
    """Name the status of a query by shape and word, and the side on which it is missing."""
    status = f"{MARKS[row.status]} {status_word(row.status, words)}"
    match row.missing:
        case (True, True):
            return words.gettext("{status} · missing in A and B").format(status=status)
        case (True, False):
            return words.gettext("{status} · missing in A").format(status=status)
        case (False, True):
            return words.gettext("{status} · missing in B").format(status=status)
        case _:
            return status


_COUNTS = {
    "missing_a": mark("{count} missing in A"),
    "missing_b": mark("{count} missing in B"),
}


def count_said(name: str, count: int, words: NullTranslations = ENGLISH) -> str:
    """Say one of a comparison's counts, by shape and word where it is that of a status.

    >>> count_said("worse", 2), count_said("missing_a", 1)
    ('▼ 2 worse', '1 missing in A')
    """
    if name == "regression":
        return words.ngettext("{count} regression", "{count} regressions", count).format(count=count)
    if name == "improvement":
        return words.ngettext("{count} improvement", "{count} improvements", count).format(count=count)
    if name in _COUNTS:
        return words.gettext(_COUNTS[name]).format(count=count)
    return f"{MARKS[Status(name)]} {counted(Status(name), count, words)}"


def movement(row: ComparisonRow, documents: tuple[str | None, str | None], words: NullTranslations = ENGLISH) -> str:
    """Say in one sentence what moved on a query.

    Args:
        row: the query in both reports.
        documents: the first relevant document of each side within k, None where there is none.
        words: the catalogue of the sentence's language.

    The published example's q2 gives `d3 fell from 1 to 2`.
    """
    (rank_a, rank_b), (document_a, document_b) = row.first_relevant_rank, documents
    return _recall_too(
        row,
        _moved(row.status, document_a == document_b, words).format(
            document_a=document_a, document_b=document_b, rank_a=rank_a, rank_b=rank_b
        ),
        words,
    )


def _moved(status: Status, same_document: bool, words: NullTranslations) -> str:  # noqa: FBT001, PLR0911 - a sentence each
    match status:
        case Status.NULL:
            return words.gettext("no document is relevant to this query, so there is nothing to find")
        case Status.NEITHER:
            return words.gettext("neither side has a relevant document within the cut-off")
        case Status.ENTERED:
            return words.gettext("{document_b} entered at {rank_b}; A had no relevant document within the cut-off")
        case Status.LEFT:
            return words.gettext("{document_a} stood at {rank_a}; B has no relevant document within the cut-off")
        case _ if not same_document:
            return words.gettext(
                "the first relevant document was {document_a} at {rank_a}, and is {document_b} at {rank_b}"
            )
        case Status.SAME:
            return words.gettext("{document_a} stayed at {rank_a}")
        case Status.WORSE:
            return words.gettext("{document_a} fell from {rank_a} to {rank_b}")
        case _:
            return words.gettext("{document_a} rose from {rank_a} to {rank_b}")


def signed_rank(delta: int | None) -> str:
    """Write a difference of ranks with its sign; nothing where there is none.

    >>> signed_rank(1), signed_rank(-2), signed_rank(0), signed_rank(None)
    ('+1', '-2', '0', '')
    """
    return "" if delta is None else f"{delta:+d}" if delta else "0"


def signed(value: Fraction | None) -> str:
    """Write a difference with its sign: exactly where that is short, else as a decimal; `null` where there is none.

    >>> signed(Fraction(1, 3)), signed(Fraction(-1, 2)), signed(Fraction(0)), signed(None)
    ('+1/3', '-1/2', '0', 'null')
    >>> signed(Fraction(102913, 1000003))
    '+0.1029'
    """
    if value is None:
        return "null"
    if value == 0 or value.denominator >= _LONG_DENOMINATOR:
        return signed_decimal(value)
    return f"{'+' if value > 0 else '-'}{abs(value)}"


def signed_exactly(value: Fraction | None) -> str:
    """Write a difference with its sign and all its digits; `null` where there is none.

    >>> signed_exactly(Fraction(102913, 1000003)), signed_exactly(Fraction(-1, 2)), signed_exactly(Fraction(0))
    ('+102913/1000003', '-1/2', '0')
    """
    if value is None:
        return "null"
    return f"+{value}" if value > 0 else str(value)


_LONG_DENOMINATOR = 1_000
_SMALLEST_SHOWN = Fraction(1, 10_000)


def signed_decimal(value: Fraction | None) -> str:
    """Write a difference as a decimal with its sign; `null` where there is none.

    >>> signed_decimal(Fraction(1, 3)), signed_decimal(Fraction(-1, 2)), signed_decimal(Fraction(0))
    ('+0.3333', '-0.5000', '0')
    >>> signed_decimal(Fraction(1, 100_000)), signed_decimal(None)
    ('+<0.0001', 'null')
    """
    if not value:
        return "null" if value is None else "0"
    sign = "+" if value > 0 else "-"
    return f"{sign}<0.0001" if abs(value) < _SMALLEST_SHOWN else f"{sign}{decimal(abs(value))}"


def decimal(value: Fraction | None, digits: int = 4) -> str:
    """Write a score as a decimal, rounded half to even from the exact value; `null` where there is none.

    >>> decimal(Fraction(5, 6)), decimal(Fraction(1)), decimal(None)
    ('0.8333', '1.0000', 'null')
    """
    if value is None:
        return "null"
    scaled = round(value * 10**digits)
    sign = "-" if scaled < 0 else ""
    whole, rest = divmod(abs(scaled), 10**digits)
    return f"{sign}{whole}.{rest:0{digits}d}"


def _are_missing(queries: Sequence[str], side: str, words: NullTranslations) -> str:
    if len(queries) > _NAMED:
        message = words.ngettext(
            "{count} query is missing in {side}", "{count} queries are missing in {side}", len(queries)
        )
        return message.format(count=len(queries), side=side)
    if len(queries) == 1:
        return words.gettext("{query} is missing in {side}").format(query=queries[0], side=side)
    return words.gettext("{queries} and {last} are missing in {side}").format(
        queries=words.pgettext("between names", ", ").join(queries[:-1]), last=queries[-1], side=side
    )


def _recall_too(row: ComparisonRow, sentence: str, words: NullTranslations) -> str:
    """Add what Recall did, where the first relevant rank does not tell it."""
    if not row.recall_delta or row.status in {Status.ENTERED, Status.LEFT}:
        return sentence
    message = (
        words.gettext("{sentence}; Recall rose from {a} to {b}")
        if row.recall_delta > 0
        else words.gettext("{sentence}; Recall fell from {a} to {b}")
    )
    return message.format(sentence=sentence, a=row.recall[0], b=row.recall[1])

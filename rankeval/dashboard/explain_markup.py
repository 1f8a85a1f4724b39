"""HTML of the page Why different?."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rankeval.core.exhibits import Exhibit
from rankeval.core.scoring import Measure, exact
from rankeval.core.words import decimal, signed
from rankeval.dashboard.language import _, n_
from rankeval.dashboard.markup import text

_NAMES = {Measure.RECALL: "Recall", Measure.RR: "MRR"}


def verdict(name: str, exhibits: Sequence[Exhibit]) -> str:
    """Say how many looser scorers would have given this run another number."""
    differ = sum(bool(each.difference) for each in exhibits)
    said = _("{name}: {scorers} would have said another number. The strict one is right; each of the others is wrong.")
    line = said.format(name=name, scorers=n_("{count} looser scorer", "{count} looser scorers", differ))
    return f'<div class="rk rk-verdict">{text(line)}</div>'


def exhibit(each: Exhibit, k: int) -> str:
    """Give one wrong way: what it does, and its number beside the strict one."""
    return (
        f'<div class="rk"><div><b>{text(_(each.title))}</b></div>'
        f'<div class="quiet rk-small">{text(_(each.explanation))}</div>'
        f'<div class="rk-versus"><span>{_NAMES[each.measure]}@{k}</span>'
        f"<span>✔ {text(_('strict'))} {_both(each.strict)}</span>"
        f'<span class="down">✘ {text(_("wrong"))} {_both(each.wrong)}</span>'
        f'<span class="quiet">{signed(each.difference)}</span></div></div>'
    )


def without_effect(exhibits: Sequence[Exhibit]) -> str:
    """Give the wrong ways that say the same of this run, or that cannot be tried on it, and why."""
    # One that is tried on both measures and says the same of both is said once.
    said = {(each.title, each.reason): each for each in exhibits}.values()
    lines = "".join(
        f'<div class="absent"><b>{text(_(each.title))}</b>'
        f'<div class="quiet rk-small">{text(_(each.explanation))} {text(_why(each))}</div></div>'
        for each in said
    )
    title = _("These would have said the same of this run, or cannot be tried on it")
    return f'<div class="rk">{text(title)}{lines}</div>'


def _why(each: Exhibit) -> str:
    if each.reason is None:
        return _("Here it changes nothing.")
    return _(each.reason).format(**each.figures)


def _both(value: Fraction | None) -> str:
    return f"<b>{decimal(value)}</b> = {text(exact(value))}"

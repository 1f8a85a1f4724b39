from __future__ import annotations

import pytest

from rankeval.core.contract import Fault, Rule
from rankeval.dashboard.remedies import asked, declarable, remedies
from rankeval.formats import FormatError, Reading
from rankeval.workspace import WorkspaceError
from rankeval.workspace.errors import CANNOT_WRITE


class TestRemedies:
    @pytest.mark.parametrize("rule", [*Rule, *Reading])
    def test_every_refusal_says_what_to_do(self, rule: str) -> None:
        (way,) = remedies(FormatError([Fault(rule)]))

        assert way.endswith((".", "again."))

    def test_each_way_is_said_once(self) -> None:
        ways = remedies(FormatError([Fault(Reading.TIE, "q1"), Fault(Reading.TIE, "q2"), Fault(Rule.LABELS)]))

        assert ["Ties" in way for way in ways] == [True, False]

    def test_a_file_is_not_blamed_for_the_workspace(self) -> None:
        (way,) = remedies(WorkspaceError.of(CANNOT_WRITE, "rankeval.db", "database is locked"))

        assert way.startswith("The file is not at fault.")


class TestAsked:
    def test_only_what_the_source_leaves_open_is_asked_for(self) -> None:
        assert asked(FormatError([Fault(Reading.SPLIT_OPEN)])) == ["split"]
        assert asked(FormatError([Fault(Reading.K_OPEN)])) == ["k"]
        assert asked(FormatError([Fault(Reading.JSON)])) == []


class TestDeclarable:
    @pytest.mark.parametrize(
        ("kind", "rule", "may"),
        [
            ("protocol", Rule.LABELS, True),
            ("protocol", Rule.UNJUDGED, True),
            ("protocol", Reading.JSON, False),
            ("run", Reading.TIE, True),
            ("run", Rule.LABELS, False),
        ],
    )
    def test_only_what_a_field_of_that_form_settles(self, kind: str, rule: str, may: bool) -> None:  # noqa: FBT001
        assert declarable(kind, [FormatError([Fault(rule)])]) is may

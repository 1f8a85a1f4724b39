"""Exports read back: whole, held to their fingerprints, all or nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

import rankeval
from rankeval.core.chunks import collapse_run
from rankeval.core.fingerprint import adapter_sha256
from rankeval.core.provenance import Declaration
from rankeval.core.review import Finding, Mark, Reason, Verdict
from rankeval.workspace import ExposureLedger, Reviews, Round, Workspace, WorkspaceError
from rankeval.workspace.checks import facts, verify
from rankeval.workspace.content import rankings_bytes
from rankeval.workspace.exporting import export_lines
from rankeval.workspace.importing import Imported, import_lines
from rankeval.workspace.schema import RankingsRow, RunRow, VerdictRow

Opened = Callable[..., Workspace]


@pytest.fixture
def full(
    workspace: Workspace,
    reviews: Reviews,
    make: Callable[..., Round],
    clock: Any,
    protocol: rankeval.Protocol,
    fixture_a: Any,
    chunk_run: Any,
    chunk_to_doc: Any,
) -> Workspace:
    """A workspace that holds something of every kind, and not all in the order of its numbers."""
    compact = protocol.compact_sha256
    other = protocol.with_split_and_k(k=1)
    workspace.add_protocol("k = 1", other)
    gone = workspace.add_run(other.compact_sha256, rankeval.Run(fixture_a, "gone"), fixture_a)
    workspace.add_chunk_map(compact, "map", adapter_sha256(chunk_to_doc), chunk_to_doc)
    for budget in (None, 2):
        run, _ = collapse_run(protocol, rankeval.Run(chunk_run, f"chunks {budget}"), chunk_to_doc, budget)
        workspace.add_run(compact, run, chunk_run)
    made = make(annotators_per_query=2, name="round <1>")
    workspace.remove_run(gone.id)
    for rankings in ({"q2": ["d4"]}, {"q2": ["d4"]}, {"q2": ["d6"]}):
        run = rankeval.Run(rankings, "again", source="x", declarations=(Declaration("ties", "file-order", "2"),))
        workspace.add_run(compact, run, rankings)
    ada, ben = (reviews.join(made.token, name, subject).id for name, subject in (("Ada", None), ("Ben", "sub")))
    for who in (ada, ben):
        reviews.hand_out(made.token, who)
    reviews.save_verdict(
        made.token, ada, "q2", Verdict.X_BETTER, reason=Reason.OTHER, note="\u4e2d\n'", marks={"d1": Mark.RELEVANT}
    )
    reviews.save_verdict(made.token, ada, "q2", Verdict.EQUAL, client_token="1")
    reviews.undo(made.token, ada, "q2")
    reviews.release(made.token, ben, "q2")
    reviews.adjudicate(made.token, "q2", Finding.EQUAL, reason="both", who="Lead")
    make(name="another")
    ledger = ExposureLedger(workspace.database, now=clock)
    ledger.record_exposure(compact, "test", [replace(run).run_sha256, "a" * 64])
    return workspace


def exported(workspace: Workspace) -> list[bytes]:
    return list(export_lines(workspace.database))


def brought(workspace: Workspace, lines: Iterable[bytes]) -> Imported:
    return import_lines(workspace.database, "e.jsonl", lines)


def ended(lines: list[bytes]) -> list[bytes]:
    """Put the right last line under lines that were altered."""
    end = {"kind": "end", "lines": len(lines), "sha256": hashlib.sha256(b"".join(lines)).hexdigest()}
    return [*lines, json.dumps(end).encode()]


def altered(lines: list[bytes], kind: str, /, **changed: Any) -> list[bytes]:
    """Change fields of the first line of a kind, and the last line with it."""
    values = [json.loads(line) for line in lines[:-1]]
    next(each for each in values if each["kind"] == kind).update(changed)
    return ended([json.dumps(each).encode() + b"\n" for each in values])


class TestRoundTrip:
    def test_what_is_imported_is_exported_as_the_same_bytes(self, full: Workspace, opened: Opened) -> None:
        lines = exported(full)
        copy = opened("sqlite://")
        brought(copy, lines)

        assert exported(copy) == lines
        kinds = {json.loads(line)["kind"] for line in lines}
        assert kinds == {
            "workspace", "protocol", "rankings", "chunk_map", "chunk_map_of_protocol", "run", "review_round",
            "annotator", "assignment", "verdict", "adjudication", "exposure", "end",
        }  # fmt: skip

    def test_from_a_file_to_postgresql_too(self, full: Workspace, opened: Opened, postgresql_url: str) -> None:
        lines = exported(full)
        copy = opened(postgresql_url)
        brought(copy, lines)

        assert exported(copy) == lines

    def test_what_was_kept_is_as_it_was(
        self, full: Workspace, opened: Opened, reviews: Reviews, protocol: rankeval.Protocol
    ) -> None:
        copy = opened("sqlite://")
        brought(copy, exported(full))
        there = Reviews(copy.database)
        (token, _) = (each.token for each in reviews.rounds())

        assert copy.protocol(protocol.compact_sha256) == protocol
        assert there.history(token) == reviews.history(token)
        assert there.adjudications(token) == reviews.adjudications(token)
        assert there.assignments(token) == reviews.assignments(token)
        named = {each.id: each.label for each in copy.runs(protocol.compact_sha256)}
        of_round = there.round_by_token(token)
        assert [named[each.run or 0] for each in (of_round.baseline, of_round.candidate)] == ["a", "b"]

    def test_it_is_plain_text(self, full: Workspace) -> None:
        (verdict, *_) = [line for line in exported(full) if b'"kind":"verdict"' in line]

        assert '"note":"\u4e2d\\n\'","marks":{"d1":"relevant"},"undoes":null'.encode() in verdict
        assert b'"saved_at":"2026-03-03T09:' in verdict


class TestMerging:
    def test_the_same_again_changes_nothing(self, full: Workspace) -> None:
        lines = exported(full)
        done = brought(full, lines)

        assert exported(full) == lines
        assert done.added.total() == 0
        assert done.already_there.total() == len(lines) - 2

    def test_what_was_said_since_is_added(self, full: Workspace, opened: Opened, reviews: Reviews) -> None:
        copy = opened("sqlite://")
        brought(copy, exported(full))
        (token, _) = (each.token for each in reviews.rounds())
        reviews.save_verdict(token, reviews.join(token, "Cy").id, "q3", Verdict.EQUAL)
        later = exported(full)
        done = brought(copy, later)

        assert done.added == {"annotator": 1, "assignment": 1, "verdict": 1}
        assert exported(copy) == later

    def test_another_run_of_the_same_name_is_told_apart(
        self, full: Workspace, opened: Opened, protocol: rankeval.Protocol
    ) -> None:
        copy = opened("sqlite://")
        copy.add_protocol("mine", protocol)
        mine = rankeval.Run({"q2": ["d6"]}, "a")
        copy.add_run(protocol.compact_sha256, mine, mine.rankings)
        brought(copy, exported(full))

        labels = [each.label for each in copy.runs(protocol.compact_sha256)]
        assert (labels[0], labels.count("a")) == ("a", 1)
        assert "a (imported, a197ae73)" in labels
        assert copy.protocols()[0].label == "mine"

    def test_verdicts_that_went_different_ways_are_refused(
        self, full: Workspace, opened: Opened, reviews: Reviews
    ) -> None:
        copy = opened("sqlite://")
        brought(copy, exported(full))
        (token, _) = (each.token for each in reviews.rounds())
        ben = next(each.id for each in reviews.annotators(token) if each.name == "Ben")
        reviews.save_verdict(token, ben, "q2", Verdict.EQUAL)
        there = Reviews(copy.database)
        ben = next(each.id for each in there.annotators(token) if each.name == "Ben")
        there.save_verdict(token, ben, "q2", Verdict.CANNOT_TELL)
        before = exported(copy)

        with pytest.raises(WorkspaceError, match=r"under the same name\n.*verdict of 'Ben' on query 'q2'"):
            brought(copy, exported(full))
        assert exported(copy) == before


class TestRefused:
    @pytest.fixture
    def where(self) -> str:
        return "sqlite://"

    @pytest.mark.parametrize(
        ("kind", "changed", "said"),
        [
            (
                "protocol",
                {"compact_sha256": "a" * 64},
                "does not match its fingerprint\n.*line 2: .*protocol aaaaaaaaaaaa",
            ),
            ("protocol", {"protocol_sha256": "a" * 64}, "does not match its fingerprint"),
            ("protocol", {"content": {}}, "does not match its fingerprint"),
            ("rankings", {"rankings": {"q2": ["d3"]}}, "does not match its fingerprint"),
            ("chunk_map", {"chunk_to_doc": {}}, "does not match its fingerprint"),
            ("run", {"run_sha256": "a" * 64}, "does not match its fingerprint\n.*run aaaaaaaaaaaa"),
            ("run", {"budget": 0}, "a budget counts chunks, and the run has no map"),
            ("run", {"label": 1}, "no whole export of a workspace\n.*run: label is 1"),
            ("run", {"record": {}}, "no whole export"),
            ("review_round", {"blind": "no"}, "no whole export"),
            ("review_round", {"compact_sha256": "a" * 64}, "it refers to what is not there"),
            ("assignment", {"query": "q5"}, "it refers to what is not there"),
            ("assignment", {"annotator": "Nobody"}, "is missing, or is nothing known"),
            ("verdict", {"verdict": "splendid"}, "verdict: 'splendid'"),
            ("verdict", {"marks": {"d1": "great"}}, "verdict: 'great'"),
            ("verdict", {"revision": 2}, "revision 1 of the verdict of 'Ada' on query 'q2' is missing"),
            ("verdict", {"undoes": 1}, "revision 1 cannot undo 1"),
            ("verdict", {"saved_at": "2026-03-03T09:00:00"}, "has no time zone"),
            ("exposure", {"times": "1"}, "'1' is no whole number"),
            ("exposure", {"kind": "novelty"}, "novelty: 'novelty' is missing, or is nothing known"),
        ],
    )
    def test_what_does_not_verify(
        self, full: Workspace, opened: Opened, kind: str, changed: dict[str, Any], said: str
    ) -> None:
        copy = opened("sqlite://")
        empty = exported(copy)

        with pytest.raises(rankeval.ContractError, match=said):
            brought(copy, altered(exported(full), kind, **changed))
        assert exported(copy) == empty

    def test_what_was_cut_short_or_altered(self, full: Workspace, opened: Opened) -> None:
        lines, copy = exported(full), opened("sqlite://")

        for damaged in (
            [],
            lines[:-1],
            [*lines[:-2], lines[-1]],
            [*lines[:3], lines[3].replace(b"d", b"D", 1), *lines[4:]],
            [*lines, b"{}"],
            [*lines, lines[-1]],
            lines[1:],
            [b"\xff\n"],
            [b"[]\n"],
            [b'{"kind": 1}\n'],
        ):
            with pytest.raises(rankeval.ContractError):
                brought(copy, damaged)
        assert facts(copy.database)["protocols"] == 0

    def test_what_is_no_json_is_said_with_its_line(self, full: Workspace, opened: Opened) -> None:
        with pytest.raises(rankeval.ContractError, match=r"e\.jsonl, line 2"):
            brought(opened("sqlite://"), [exported(full)[0], b'{"kind": \n'])


class TestVerify:
    def test_what_is_sound_is_counted(self, full: Workspace) -> None:
        checked = verify(full.database)

        assert (checked["protocols"], checked["review_rounds"], checked["verdicts"]) == (2, 2, 3)
        assert checked["fingerprints"] == "ok"
        assert checked["size_bytes"] > 0

    def test_all_that_is_damaged_is_said(self, full: Workspace) -> None:
        with full.database.writing() as session:
            session.execute(update(RankingsRow).values(content=rankings_bytes({"q2": ["d3"]})))

        with pytest.raises(WorkspaceError) as refused:
            verify(full.database)
        # Five rankings, and each of the six runs that stands on one of them.
        assert refused.value.total == 5 + 6

    def test_a_run_that_its_chunks_do_not_make(self, full: Workspace) -> None:
        with full.database.writing() as session:
            session.execute(update(RunRow).where(RunRow.budget == 2).values(budget=3))

        with pytest.raises(WorkspaceError, match="does not match its fingerprint") as refused:
            verify(full.database)
        assert refused.value.total == 1

    def test_a_verdict_that_is_gone(self, full: Workspace) -> None:
        with full.database.writing() as session:
            session.execute(VerdictRow.__table__.delete().where(VerdictRow.revision == 2))

        with pytest.raises(WorkspaceError, match="1 of 3 verdicts on query 'q2' are gone"):
            verify(full.database)

    def test_a_file_that_is_damaged(self, file: Path, protocol: rankeval.Protocol) -> None:
        Workspace(file).add_protocol("one", protocol)
        damaged = bytearray(file.read_bytes())
        page = 4096 * 3
        damaged[page : page + 200] = b"\xaa" * 200
        file.write_bytes(damaged)

        with pytest.raises(WorkspaceError, match=r"integrity_check says|malformed"):
            verify(Workspace(file).database)

    def test_a_row_that_belongs_to_nothing(self, file: Path, protocol: rankeval.Protocol) -> None:
        workspace = Workspace(file)
        workspace.add_protocol("one", protocol)
        with workspace.database.sqlite_connection() as connection:
            connection.execute("PRAGMA foreign_keys=OFF")
            connection.execute("INSERT INTO review_item VALUES (7, 'q2', 1)")

        with pytest.raises(WorkspaceError, match=r"row .* of review_item belongs to no row of review_round"):
            verify(workspace.database)

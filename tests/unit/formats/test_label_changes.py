from __future__ import annotations

import gzip
import io

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval.core.provenance import LabelChange
from rankeval.formats import Source, read_label_changes
from rankeval.formats.label_changes import label_changes_jsonl

ADD = LabelChange("q2", "d2", 1, "Ann", "it helps, too")
TAKE = LabelChange("q2", "d4", 0, "Bo", "another product")

JSON_LINES = (
    b'{"query": "q2", "document": "d2", "label": 1, "annotator": "Ann", "reason": "it helps, too"}\n'
    b'{"query": "q2", "document": "d4", "label": 0, "annotator": "Bo", "reason": "another product"}\n'
)
CSV = b'query,document,label,who,why\nq2,d2,1,Ann,"it helps, too"\nq2,d4,0,Bo,another product\n'
FRAME = pd.DataFrame(
    {
        "query_id": ["q2", "q2"],
        "doc_id": ["d2", "d4"],
        "label": [1, 0],
        "who": ["Ann", "Bo"],
        "why": ["it helps, too", "another product"],
    }
)


def refusal_of(content: bytes) -> rankeval.FormatError:
    with pytest.raises(rankeval.FormatError) as refusal:
        read_label_changes(Source.upload("changes", content))
    return refusal.value


class TestLabelChanges:
    @pytest.mark.parametrize(
        "content",
        [
            JSON_LINES,
            b"[" + JSON_LINES.strip().replace(b"\n", b",\n") + b"]",
            CSV,
            CSV.replace(b"\n", b"\r\n"),
            b"who\tpid\tReason\tqid\tgrade\nAnn\td2\tit helps, too\tq2\t1\nBo\td4\tanother product\tq2\t0\n",
            FRAME.to_parquet(),
            gzip.compress(JSON_LINES),
        ],
    )
    def test_the_same_changes_in_every_format(self, content: bytes) -> None:
        assert read_label_changes(Source.upload("changes", content)) == (ADD, TAKE)

    def test_one_alone(self) -> None:
        assert read_label_changes(Source("changes", JSON_LINES.splitlines()[0])) == (ADD,)

    def test_none(self) -> None:
        assert read_label_changes(Source("changes", CSV.splitlines()[0])) == ()

    def test_other_fields_are_left_aside(self) -> None:
        content = (
            CSV.replace(b"why\n", b"why,note\n").replace(b'too"\n', b'too",n\n').replace(b"product\n", b"product,\n")
        )

        assert read_label_changes(Source("changes", content)) == (ADD, TAKE)

    def test_they_know_their_places(self) -> None:
        lines = [change.place for change in read_label_changes(Source("changes", CSV))]
        rows = [change.place for change in read_label_changes(Source("changes", FRAME.to_parquet()))]

        assert [(place.file, place.line, place.row) for place in lines] == [("changes", 2, None), ("changes", 3, None)]
        assert [(place.file, place.line, place.row) for place in rows] == [("changes", None, 1), ("changes", None, 2)]


texts = st.text(st.characters(exclude_categories=["Cs"]))
ids = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


class TestWritten:
    @given(st.lists(st.builds(LabelChange, ids, ids, st.integers(0, 1), texts, texts), min_size=1))
    def test_what_is_written_reads_back(self, changes: list[LabelChange]) -> None:
        assert read_label_changes(Source("changes", label_changes_jsonl(changes))) == tuple(changes)

    def test_a_change_a_line(self) -> None:
        assert label_changes_jsonl([ADD, TAKE]).splitlines()[1] == (
            b'{"query": "q2", "document": "d4", "label": 0, "who": "Bo", "why": "another product"}'
        )


class TestRefusals:
    @pytest.mark.parametrize("column", ["query", "document", "label", "who", "why"])
    def test_a_column_that_is_not_there(self, column: str) -> None:
        refusal = refusal_of(CSV.replace(column.encode(), b"x", 1))

        assert refusal.rule == "a header row must name the columns"
        assert f"no {column if column != 'document' else 'doc'} column" in str(refusal)

    @pytest.mark.parametrize("label", ["2", "-1", "01", "1.0", "", "true", "\uff11"])
    def test_a_label_in_text(self, label: str) -> None:
        refusal = refusal_of(CSV.replace(b"d2,1,", f"d2,{label},".encode()))

        assert refusal.rule == "qrels labels must be integer 0 or 1"
        assert str(refusal.faults[0]) == f'changes, line 2: the label is "{label}"'

    @pytest.mark.parametrize("label", ["2", '"1"', "true", "1.0", "null", "[1]"])
    def test_a_label_in_json(self, label: str) -> None:
        refusal = refusal_of(JSON_LINES.replace(b'"label": 1', f'"label": {label}'.encode()))

        assert refusal.rule == "qrels labels must be integer 0 or 1"
        assert (refusal.total, refusal.faults[0].line) == (1, 1)

    @pytest.mark.parametrize(
        ("given", "instead", "rule", "detail"),
        [
            (b'"q2"', b"2", "IDs must be text, not numbers", "query is 2 and must be text"),
            (b'"d2"', b'""', "an ID must not be empty", "document is empty"),
            (b'"Ann"', b"7", "the JSON is not of the expected shape", "annotator is 7 and must be text"),
            (b'"it helps, too"', b"null", "the JSON is not of the expected shape", "reason is null and must be text"),
        ],
    )
    def test_what_must_be_text(self, given: bytes, instead: bytes, rule: str, detail: str) -> None:
        refusal = refusal_of(JSON_LINES.replace(given, instead, 1))

        assert (refusal.rule, refusal.total, refusal.faults[0].detail) == (rule, 1, detail)

    def test_numbers_as_ids_in_parquet(self) -> None:
        written = io.BytesIO()
        FRAME.assign(query_id=[2, 2]).to_parquet(written)

        assert refusal_of(written.getvalue()).rule == "IDs must be text, not numbers"

    def test_all_faults_at_once(self) -> None:
        refusal = refusal_of(CSV.replace(b"d2,1,Ann", b",5,Ann").replace(b"q2,d4,0", b"q2,d4"))

        assert [(fault.rule, fault.line) for fault in refusal.faults] == [
            ("an ID must not be empty", 2),
            ("qrels labels must be integer 0 or 1", 2),
            ("a line has the wrong number of fields", 3),
        ]

    @pytest.mark.parametrize("column", ["query", "document"])
    def test_an_id_that_was_changed_for_a_spreadsheet(self, column: str) -> None:
        """As our own tables for spreadsheets say in their last column."""
        content = f"query,document,label,who,why,apostrophe_added\nq2,d2,1,Ann,x,\n'=q,'=d,1,Ann,x,\"who, {column}\"\n"
        refusal = refusal_of(content.encode())

        assert (refusal.total, refusal.faults[0].line) == (1, 3)
        assert f"{column} was changed for a spreadsheet" in refusal.faults[0].detail

    def test_a_reason_that_was_changed_for_a_spreadsheet_is_a_reason(self) -> None:
        content = b"query,document,label,who,why,apostrophe_added\nq2,d2,1,Ann,'- too,why\n"

        assert read_label_changes(Source("changes", content)) == (LabelChange("q2", "d2", 1, "Ann", "'- too"),)

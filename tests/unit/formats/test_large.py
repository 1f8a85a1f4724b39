"""The columnar readers and rankings: whatever they take, they take exactly as the readers that go by line."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval.formats import Ordering, Source, large, large_tables, runs
from rankeval.formats.columns import ColumnRankings
from rankeval.formats.large import read_large_run
from rankeval.formats.runs import RUN_FORMATS, read_run

ids = st.text(st.sampled_from('ab1é"#,\\ \t\ufeff'), min_size=1, max_size=3)
scores = st.sampled_from(["3", "2", "2.0", "1.5", "-1", "1e3", "nan", "+2", "0.1", "0.10000000000000000000001"])
ranks = st.sampled_from(["0", "1", "2", "3", "03", "0" * 18 + "1", "x"])
rows = st.lists(st.tuples(ids, ids, ranks, scores), max_size=6)
orderings = st.builds(Ordering, st.sampled_from([None, "rank", "score"]), st.sampled_from([None, "file-order"]))


@pytest.fixture(autouse=True, scope="module")
def small_pieces() -> Iterator[None]:
    """Cut even these small files into stretches and pieces, so that what meets at a cut is tried too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(large_tables, "_PIECE", 24)
        patch.setattr(large_tables, "_THREADS", 3)
        patch.setattr(large_tables, "ROWS", 2)
        patch.setattr(large, "ROWS", 2)
        yield


def by_line(source: Source, found: str, ordering: Ordering) -> Any:
    try:
        run = RUN_FORMATS[found](source, ordering)
    except rankeval.FormatError:
        return None
    return run


def check(source: Source, found: str, ordering: Ordering) -> bool:
    """Hold the two readers to each other, and say whether the columnar one took the file."""
    quick = read_large_run(source, found, ordering)
    if quick is None:
        return False
    slow = by_line(source, found, ordering)
    assert slow is not None, "a file that is refused was read"
    assert {query: quick.rankings[query] for query in quick.rankings} == dict(slow.rankings)
    assert list(quick.rankings) == list(slow.rankings)
    assert quick.run_sha256 == slow.run_sha256
    assert (quick.declarations, quick.notes) == (slow.declarations, slow.notes)
    for query in slow.rankings:
        for position in range(1, len(slow.rankings[query]) + 1):
            assert quick.locate(query, position) == slow.locate(query, position)  # type: ignore[misc]
    return True


class TestEqualTheReadersByLine:
    @given(rows, st.sampled_from([" ", "\t"]), st.sampled_from(["\n", "\r\n", "\n\n"]), orderings)
    def test_trec(self, made: Any, separator: str, end: str, ordering: Ordering) -> None:
        text = "".join(separator.join((q, "Q0", d, rank, score, "tag")) + end for q, d, rank, score in made)

        check(Source("run", text.encode()), "trec", ordering)

    @given(rows, orderings)
    def test_msmarco(self, made: Any, ordering: Ordering) -> None:
        text = "".join(f"{q}\t{d}\t{rank}\n" for q, d, rank, _ in made)

        check(Source("run", text.encode()), "msmarco", ordering)

    @given(rows, st.sampled_from([",", "\t"]), orderings)
    def test_tables(self, made: Any, separator: str, ordering: Ordering) -> None:
        text = "".join(separator.join(row) + "\n" for row in [("query", "doc", "rank", "score"), *made])

        check(Source("run", text.encode()), "csv" if separator == "," else "tsv", ordering)

    @given(st.dictionaries(ids, st.lists(ids, max_size=4), max_size=4), st.sampled_from([None, (",", ":"), 1]))
    def test_json(self, rankings: Any, style: Any) -> None:
        options = {"indent": style} if style == 1 else {"separators": style}
        text = json.dumps(rankings, ensure_ascii=False, **options)

        check(Source("run", text.encode()), "json", Ordering())

    @given(
        st.lists(st.tuples(ids, ids, st.integers(0, 3), st.sampled_from([3.0, 2.0, 1.5, float("nan")])), min_size=1),
        orderings,
        st.sets(st.sampled_from(["query_id", "doc_id"])),
        st.sampled_from([1, 2, 100]),
    )
    def test_parquet(self, made: Any, ordering: Ordering, categories: set[str], row_group: int) -> None:
        frame = pd.DataFrame(made, columns=["query_id", "doc_id", "rank", "score"])
        for column in categories:
            frame[column] = pd.Categorical(frame[column], categories=[*frame[column].unique(), "no row has it"])
        buffer = io.BytesIO()
        frame.to_parquet(buffer, row_group_size=row_group)

        check(Source("run", buffer.getvalue()), "parquet", ordering)


class TestTaken:
    """Plain files are read in columns: else the test above would prove nothing."""

    @pytest.mark.parametrize(
        ("found", "text"),
        [
            ("trec", "q1 Q0 b 1 2 x\nq1 Q0 a 2 2.0 x\nq2 Q0 a 1 5 x\n"),
            ("trec", "q1 Q0 a 2 1 x\nq2 Q0 a 1 5 x\nq1 Q0 b 1 2 x\n"),
            ("msmarco", "q1\tb\t1\nq1\ta\t2\nq2\ta\t1\n"),
            ("csv", "query,doc,score\nq1,a,1\nq1,b,1e3\nq2,a,1\n"),
            ("tsv", "doc\tquery\trank\tlang\nb\tq1\t0\ten\na\tq1\t1\ten\na\tq2\t0\ten\n"),
            ("json", '{"q1": ["b", "a"], "q2": ["a"]}'),
            ("json", '\ufeff{"q1":["b","a"],\n"q2":["a"],"q3":[]}'),
        ],
    )
    def test_plain_text(self, found: str, text: str) -> None:
        assert check(Source("run", text.encode()), found, Ordering())

    @pytest.mark.parametrize(
        ("found", "text"),
        [
            ("csv", "query,doc,rank\n\ufeffq,d,1\n"),
            ("trec", "\ufeff\ufeffq Q0 d 1 1 x\n"),
            ("json", '{"q": ["\ufeffd"]}'),
        ],
    )
    def test_a_byte_order_mark_in_an_id_is_part_of_it(self, found: str, text: str) -> None:
        source = Source("run", text.encode())

        assert not check(source, found, Ordering())
        rankings = by_line(source, found, Ordering()).rankings
        assert [each for query in rankings for each in (query, *rankings[query]) if each.startswith("\ufeff")]

    def test_a_declared_tie(self) -> None:
        source = Source("run", b"query,doc,score\nq1,a,1\nq1,b,1\n")

        assert not check(source, "csv", Ordering())
        assert check(source, "csv", Ordering(ties="file-order"))

    def test_a_tie_where_two_stretches_meet(self) -> None:
        longer = "0.10000000000000000000001"
        source = Source("run", f"q Q0 a 1 {longer} xxxxxxxxxx\nq Q0 b 2 0.1 xxxxxxxxxxxxxxxxxxxxxx\n".encode())

        assert len(source.stretches(3)) == 2
        assert check(source, "trec", Ordering())
        assert not check(source, "trec", Ordering(order="score"))

    def test_parquet(self) -> None:
        frame = pd.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [1, 2]})

        assert check(Source("run", frame.to_parquet()), "parquet", Ordering())

    def test_parquet_of_categories_of_which_no_row_has_one(self) -> None:
        frame = pd.DataFrame({"query_id": ["q", "q"], "doc_id": pd.Categorical(["a", "b"], ["b", "c", "a"])})
        frame["rank"] = [1, 2]
        buffer = io.BytesIO()
        frame.to_parquet(buffer, row_group_size=1)
        source = Source("run", buffer.getvalue())
        rankings = read_large_run(source, "parquet", Ordering()).rankings  # type: ignore[union-attr]

        assert check(source, "parquet", Ordering())
        assert isinstance(rankings, ColumnRankings)
        assert rankings.are_sound({"a": "", "b": ""})

    def test_a_large_file_is_read_in_columns(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(runs, "LARGE", 1)

        assert isinstance(read_run(Source("r", b"q Q0 d 1 1 x\n")).rankings, ColumnRankings)
        assert not isinstance(read_run(Source("r", b"q  Q0 d 1 1 x\n")).rankings, ColumnRankings)

    @pytest.mark.parametrize("run_format", ["trec", "json", "parquet"])
    def test_pandas_is_not_loaded_for_it(self, tmp_path: Path, run_format: str) -> None:
        frame = pd.DataFrame({"query_id": ["q", "q"], "doc_id": pd.Categorical(["a", "b"], ["b", "c", "a"])})
        frame["rank"] = [1, 2]
        frame.to_parquet(tmp_path / "parquet")
        (tmp_path / "trec").write_text("q Q0 a 1 2.5 x\nq Q0 b 2 1.5 x\n")
        (tmp_path / "json").write_text('{"q": ["a", "b"]}')
        script = (
            "import sys; from rankeval.formats import Ordering, Source;"
            " from rankeval.formats.large import read_large_run;"
            " run = read_large_run(Source.of(sys.argv[1]), sys.argv[2], Ordering()); run.rankings.sha256();"
            " print(run.rankings['q'], 'pandas' in sys.modules)"
        )

        done = subprocess.run(
            [sys.executable, "-c", script, str(tmp_path / run_format), run_format],
            capture_output=True,
            text=True,
            check=False,
        )

        assert done.stdout == "['a', 'b'] False\n", done.stderr

    def test_parquet_of_any_size_is(self) -> None:
        data = pd.DataFrame({"query_id": ["q"], "doc_id": ["a"], "rank": [1]}).to_parquet()

        assert isinstance(read_run(Source("r", data)).rankings, ColumnRankings)

    def test_damaged_parquet_is_not(self) -> None:
        data = pd.DataFrame({"query_id": ["q"], "doc_id": ["a"], "rank": [1]}).to_parquet()
        for at in range(4, len(data)):
            read_large_run(Source("r", data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]), "parquet", Ordering())

    @pytest.mark.parametrize("place", [1, 2, 3, 4, 5, 6])
    def test_a_gap_in_the_ranks_is_not_wherever_it_stands(self, place: int) -> None:
        ranks = [rank + (rank > place) for rank in range(1, 8)]
        text = "".join(f"q Q0 d{rank} {rank} {9 - rank} t\n" for rank in ranks)

        assert not check(Source("run", text.encode()), "trec", Ordering())

    def test_a_rank_of_more_digits_than_a_rank_may_have_is_not(self) -> None:
        text = f"q1 Q0 d1 {'0' * 18}1 2 t\nq1 Q0 d2 2 1 t\n"

        assert not check(Source("run", text.encode()), "trec", Ordering())

    def test_jsonl_is_not(self) -> None:
        assert read_large_run(Source("r", b'{"query_id": "q", "ranking": []}'), "jsonl", Ordering()) is None


class TestScores:
    @pytest.mark.parametrize(
        "lines",
        [
            "q2 Q0 d3 1 2 x\nq2 Q0 d1 2 1 x\nq3 Q0 d5 1 1 x\n",
            "q2 Q0 d3 1 2 x\nq2 Q0 d9 2 1 x\n",
            "q2 Q0 d3 1 2 x\nq2 Q0 d3 2 1 x\n",
        ],
    )
    def test_the_same_report_or_the_same_refusal(
        self, protocol: rankeval.Protocol, monkeypatch: pytest.MonkeyPatch, lines: str
    ) -> None:
        def outcome() -> Any:
            try:
                return protocol.score(read_run(Source("run", lines.encode())))
            except rankeval.RunError as refusal:
                return str(refusal)

        plain = outcome()
        monkeypatch.setattr(runs, "LARGE", 1)

        assert outcome() == plain

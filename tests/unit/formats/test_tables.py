from __future__ import annotations

import io
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

import rankeval
from rankeval.formats import Source, read_run
from rankeval.formats.records import Records
from rankeval.formats.tables import is_parquet, table


def read(content: str | bytes) -> Records:
    return table(Source("t", content.encode() if isinstance(content, str) else content))


def rows(content: str | bytes) -> list[tuple[int, dict[str, Any]]]:
    return [(where, dict(record)) for where, record in read(content)]


def refusal_of(content: str | bytes) -> rankeval.FormatError:
    with pytest.raises(rankeval.FormatError) as refusal:
        rows(content)
    return refusal.value


def parquet_of(columns: dict[str, Any]) -> bytes:
    buffer = io.BytesIO()
    parquet.write_table(pa.table(columns), buffer)
    return buffer.getvalue()


class TestText:
    @pytest.mark.parametrize(
        "content",
        [
            "a\tb\n1\t2\n",
            "a\tb\t\n1\t2\t\n",
            "a\tb\r\n1\t2",
            "a,b\n1,2\n",
            "\ufeffa,b\n1,2\n",
            '"a","b"\r\n"1","2"\r\n',
        ],
    )
    def test_one_table_in_every_dress(self, content: str) -> None:
        assert rows(content) == [(2, {"a": "1", "b": "2"})]

    @pytest.mark.parametrize("content", ["\n \na\tb\n1\t2\n", "\n  \na,b\n1,2\n"])
    def test_blank_lines_before_the_header_are_none(self, content: str) -> None:
        assert rows(content) == [(4, {"a": "1", "b": "2"})]

    def test_quotes_in_tsv_are_ordinary(self) -> None:
        assert rows('a\tb\n"1\t2"\n') == [(2, {"a": '"1', "b": '2"'})]

    @pytest.mark.parametrize("content", ["a,b,a\n1,2,3\n", "a\ta\n", parquet_of({"a": ["x"]})])
    def test_two_columns_of_one_name(self, content: str | bytes) -> None:
        if isinstance(content, bytes):
            buffer = io.BytesIO()
            parquet.write_table(pa.Table.from_arrays([pa.array(["x"]), pa.array(["y"])], names=["a", "a"]), buffer)
            content = buffer.getvalue()

        assert "two columns are called 'a'" in str(refusal_of(content))

    def test_rows_of_another_length_are_all_collected(self) -> None:
        content = read("a,b\n1\n1,2\n1,2,3\n")

        assert [where for where, _ in content] == [3]
        assert [(fault.line, fault.detail) for fault in content.faults.kept] == [
            (2, "1 fields, 2 expected"),
            (4, "3 fields, 2 expected"),
        ]

    def test_a_header_alone(self) -> None:
        assert rows("a,b\n") == []


class TestParquet:
    def test_is_told_by_what_no_text_begins_with(self) -> None:
        run = read_run(Source("run", b"PAR1 Q0 d 1 1 PAR1"))

        assert not is_parquet(Source("run", b"PAR1 Q0 d 1 1 PAR1"))
        assert run.rankings == {"PAR1": ["d"]}

    def test_values_keep_their_types(self) -> None:
        data = parquet_of({"a": ["01", None], "b": pa.array(["x", "y"]).dictionary_encode(), "c": [1, 2]})
        content = read(data)

        assert list(content) == [(1, {"a": "01", "b": "x", "c": 1}), (2, {"a": None, "b": "y", "c": 2})]
        assert content.not_text == {"c": "int64"}

    def test_times_are_seen_and_left_aside(self) -> None:
        data = parquet_of({"a": ["x"], "t": pa.array([1], pa.timestamp("ns")), "d": pa.array([2**40], pa.date64())})
        content = read(data)

        assert list(content) == [(1, {"a": "x"})]
        assert content.others(["a"]) == ("t: not used: t, d",)

    def test_a_value_that_python_cannot_hold(self) -> None:
        nested = pa.array([{"t": 2**60}], pa.struct([("t", pa.timestamp("ms"))]))

        assert refusal_of(parquet_of({"a": nested})).rule == "the format of the file is not known here"

    def test_text_that_is_not_utf8(self) -> None:
        data = parquet_of({"a": ["abcdef"]})

        assert refusal_of(data.replace(b"abcdef", b"abc\xffef")).rule == "the format of the file is not known here"

    def test_more_rows_than_so_few_bytes_can_mean(self) -> None:
        data = parquet_of({"a": pa.nulls(2_000_000, pa.string())})

        assert refusal_of(data).rule == "the compressed file is damaged, or expands beyond all measure"

    @pytest.mark.parametrize("kept", ["as a dictionary", "plainly"])
    def test_more_text_than_so_few_bytes_can_mean(self, kept: str) -> None:
        """A long text that every row has is stored once, however many rows there are."""
        long = pa.DictionaryArray.from_arrays(pa.array([0] * 100, pa.int32()), ["x" * 2**20])
        column = long if kept == "as a dictionary" else long.cast(pa.string())

        assert refusal_of(parquet_of({"a": column})).rule == (
            "the compressed file is damaged, or expands beyond all measure"
        )

    @pytest.mark.parametrize("cut", [slice(0, 200), slice(0, -20), slice(0, 5)])
    def test_a_damaged_file(self, cut: slice) -> None:
        data = pd.DataFrame({"query": ["q"], "doc": ["d"], "rank": [1]}).to_parquet()

        assert refusal_of(data[cut]).rule == "the format of the file is not known here"

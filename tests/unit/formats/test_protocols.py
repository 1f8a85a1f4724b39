from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import rankeval
from rankeval.core.protocol import Judgment
from rankeval.formats import Declared, Source, frozen_protocol_json, read_collection, read_protocol, verify

Parts = dict[str, Any]
Files = dict[str, str]

SPLIT_RULE = "the split of a query is not stated, or is stated twice and differently"


@pytest.fixture
def files() -> Files:
    """A small BEIR folder: graded, sparse judgments in two splits."""
    return {
        "corpus.jsonl": '{"_id": "d1", "title": "One", "text": "x"}\n{"_id": "d2", "title": "", "text": "y"}\n',
        "queries.jsonl": '{"_id": "q2", "text": "b", "metadata": {"split": "test"}}\n{"_id": "q1", "text": "a"}\n',
        "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq2\td1\t2\nq2\td2\t-1\n",
        "qrels/dev.tsv": "query-id\tcorpus-id\tscore\nq1\td2\t1\n",
    }


def folder_of(tmp_path: Path, files: Files) -> Path:
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    return tmp_path


def zip_of(files: Files, inside: str = "") -> Source:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(inside + name, content)
    return Source("folder.zip", buffer.getvalue())


def source_of(value: Any, name: str = "p.json") -> Source:
    return Source(name, json.dumps(value).encode())


def frozen(protocol: rankeval.Protocol) -> Any:
    return json.loads("".join(frozen_protocol_json(protocol)))


def refusal_of(call: Any, *arguments: Any, **named: Any) -> rankeval.ContractError:
    with pytest.raises(rankeval.ContractError) as refusal:
        call(*arguments, **named)
    return refusal.value


ALL = Declared("the pool was deep", 1)


class TestBare:
    def test_is_the_protocol_that_it_says(self, parts: Parts, protocol: rankeval.Protocol) -> None:
        assert read_protocol(source_of(parts)).protocol_sha256 == protocol.protocol_sha256

    def test_gzip(self, parts: Parts, protocol: rankeval.Protocol) -> None:
        data = gzip.compress(json.dumps(parts).encode())

        assert read_protocol(Source.upload("p.json.gz", data)) == protocol

    def test_a_fault_of_the_core_is_named_with_file_and_line(self, parts: Parts) -> None:
        parts["qrels"]["q2"]["d3"] = True
        text = json.dumps(parts, indent=1)
        refusal = refusal_of(read_protocol, Source("p.json", text.encode()))

        assert refusal.rule == "qrels labels must be integer 0 or 1"
        assert refusal.faults[0].file == "p.json"
        assert text.splitlines()[(refusal.faults[0].line or 0) - 1].strip() == '"d3": true,'

    @pytest.mark.parametrize("part", ["corpus", "queries", "qrels"])
    def test_a_part_that_is_not_there(self, parts: Parts, part: str) -> None:
        del parts[part]

        assert refusal_of(read_protocol, source_of(parts)).rule == "the JSON is not of the expected shape"

    def test_a_split_that_is_open(self, parts: Parts) -> None:
        del parts["split"]

        assert "--split dev or test" in str(refusal_of(read_protocol, source_of(parts)))
        assert read_protocol(source_of(parts), split="dev").split_queries == ("q1",)

    def test_the_only_split_is_the_split(self, parts: Parts) -> None:
        parts["queries"]["q1"]["split"] = "test"
        del parts["split"]

        assert read_protocol(source_of(parts)).split == "test"

    def test_a_k_that_is_open(self, parts: Parts) -> None:
        del parts["k"]

        assert refusal_of(read_protocol, source_of(parts)).rule == "the source does not state k; choose one"

    def test_half_a_character_is_refused_by_the_rule_of_the_core(self, parts: Parts) -> None:
        parts["corpus"]["d1"] = "\ud800"

        assert refusal_of(read_protocol, source_of(parts)).rule == "corpus and queries must be JSON values in UTF-8"

    def test_what_else_stands_there_is_noted(self, parts: Parts) -> None:
        assert read_protocol(source_of(parts | {"author": "x"})).provenance.notes == ("p.json: not used: author",)

    def test_sparse_judgments_may_be_declared(self, parts: Parts, protocol: rankeval.Protocol) -> None:
        parts["qrels"] = {q: {d: v for d, v in own.items() if v} for q, own in parts["qrels"].items()}
        made = read_protocol(source_of(parts), declared=Declared("nothing else was relevant"))

        assert made == protocol
        assert str(made.provenance.declarations[0]) == (
            "--unlisted-nonrelevant nothing else was relevant (25 of 30 pairs are unlisted and count as not relevant)"
        )

    @pytest.mark.parametrize("value", [[], "x", {"format": "other"}])
    def test_what_is_no_protocol(self, value: Any) -> None:
        refusal_of(read_protocol, source_of(value))


class TestFrozen:
    @pytest.mark.parametrize("part", ["corpus", "queries"])
    def test_half_a_character_is_refused_by_the_rule_of_the_core(self, parts: Parts, part: str) -> None:
        value = frozen(rankeval.Protocol(**parts))
        first = next(iter(value[part]))
        value[part][first] = {**value[part][first], "note": "\ud800"} if part == "queries" else "\ud800"

        assert refusal_of(read_protocol, source_of(value)).rule == "corpus and queries must be JSON values in UTF-8"

    def test_deep_nesting_in_a_document_is_refused(self, parts: Parts) -> None:
        text = json.dumps(frozen(rankeval.Protocol(**parts)))
        first = json.dumps(parts["corpus"][next(iter(parts["corpus"]))])

        for depth in (500, 900, 5_000):
            deep = text.replace(first, "[" * depth + "]" * depth, 1)
            with pytest.raises(rankeval.ContractError):
                read_protocol(Source("p.json", deep.encode()))

    def test_reads_back_as_the_same(self, parts: Parts) -> None:
        protocol = rankeval.Protocol(**parts)
        again = read_protocol(source_of(frozen(protocol)))

        assert again.protocol_sha256 == protocol.protocol_sha256
        assert again.protocol_sha256_verified
        assert list(again.queries) == list(parts["queries"])

    def test_provenance_is_kept(self, files: Files, tmp_path: Path) -> None:
        protocol = read_protocol(folder_of(tmp_path, files), split="test", k=1, declared=ALL)
        again = read_protocol(source_of(frozen(protocol)))

        assert again.provenance == protocol.provenance
        assert again.judgment("q2", "d2") is Judgment.NOT_RELEVANT_JUDGED
        assert again.judgment("q1", "d1") is Judgment.NOT_RELEVANT_DECLARED

    @pytest.mark.parametrize("name", ["protocol_sha256", "compact_sha256"])
    def test_a_stated_fingerprint_that_does_not_match(self, protocol: rankeval.Protocol, name: str) -> None:
        value = frozen(protocol) | {name: "0" * 64}

        assert refusal_of(read_protocol, source_of(value)).rule == "a stated fingerprint does not match the content"

    def test_an_altered_text(self, protocol: rankeval.Protocol) -> None:
        value = frozen(protocol)
        value["corpus"]["d1"] += "."

        assert refusal_of(read_protocol, source_of(value)).rule == "a stated fingerprint does not match the content"

    def test_judgments_in_full_are_the_same(self, parts: Parts, protocol: rankeval.Protocol) -> None:
        value = frozen(protocol)
        del value["judgments"]

        assert read_protocol(source_of(value | {"qrels": parts["qrels"]})) == protocol

    @pytest.mark.parametrize(
        "judgments",
        [[], {}, {"relevant": {}, "all_others": 1}, {"relevant": {"q1": "d1"}, "all_others": 0}, {"relevant": {}}],
    )
    def test_judgments_of_another_shape(self, protocol: rankeval.Protocol, judgments: Any) -> None:
        value = frozen(protocol) | {"judgments": judgments}

        assert refusal_of(read_protocol, source_of(value)).rule == "the JSON is not of the expected shape"

    def test_a_relevant_document_named_twice(self, protocol: rankeval.Protocol) -> None:
        value = frozen(protocol)
        value["judgments"]["relevant"]["q1"] *= 2

        assert refusal_of(read_protocol, source_of(value)).rule == "a query-document pair is judged twice"

    def test_qrels_and_judgments(self, parts: Parts, protocol: rankeval.Protocol) -> None:
        refusal_of(read_protocol, source_of(frozen(protocol) | {"qrels": parts["qrels"]}))

    def test_nothing_more_is_declared_of_it(self, protocol: rankeval.Protocol) -> None:
        refusal = refusal_of(read_protocol, source_of(frozen(protocol)), declared=ALL)

        assert refusal.rule == "an option does not fit the file"

    def test_another_k_is_another_protocol(self, protocol: rankeval.Protocol) -> None:
        assert read_protocol(source_of(frozen(protocol)), k=3).k == 3

    def test_verify(self, parts: Parts, protocol: rankeval.Protocol) -> None:
        assert verify(source_of(frozen(protocol))).protocol_sha256_verified
        assert refusal_of(verify, source_of(parts)).rule == "the format of the file is not known here"


class TestPlaces:
    """Faults of a protocol file are named with its lines."""

    @pytest.mark.parametrize(
        ("way", "value", "words"),
        [
            (("corpus", "d1"), "\ud800", '"d1": "\\ud800"'),
            (("queries", "q1", "split"), "", '"q1": {'),
            (("qrels", "q1", "d2"), 2, '"d2": 2'),
        ],
    )
    def test_in_each_part(self, parts: Parts, way: tuple[str, ...], value: Any, words: str) -> None:
        inner = parts
        for key in way[:-1]:
            inner = inner[key]
        inner[way[-1]] = value
        text = json.dumps(parts, indent=1)
        fault = refusal_of(read_protocol, Source("p.json", text.encode())).faults[0]

        assert fault.file == "p.json"
        assert words in text.split("\n")[(fault.line or 0) - 1]

    def test_of_a_frozen_file_also_when_it_is_verified(self, protocol: rankeval.Protocol) -> None:
        value = frozen(protocol)
        value["judgments"]["relevant"]["q1"].append("d99")
        for read in (read_protocol, verify):
            assert refusal_of(read, source_of(value, "f.json")).faults[0].file == "f.json"

    @pytest.mark.parametrize("read", [read_protocol, verify])
    def test_of_what_is_too_deep_to_be_hashed(
        self, protocol: rankeval.Protocol, monkeypatch: pytest.MonkeyPatch, read: Any
    ) -> None:
        def too_deep(*_: object) -> None:
            raise RecursionError

        source = source_of(frozen(protocol))
        monkeypatch.setattr("rankeval.core.fingerprint.compact_sha256", too_deep)

        assert refusal_of(read, source).rule == "the JSON is nested too deeply"


class TestOptions:
    def test_a_format_that_it_is_not_in(self, parts: Parts) -> None:
        refusal = refusal_of(read_protocol, source_of(parts), input_format="beir")

        assert "--input-format beir, and the protocol is json" in str(refusal)
        assert read_protocol(source_of(parts), input_format="json").k == parts["k"]

    def test_a_path_that_cannot_even_be_looked_at(self) -> None:
        assert refusal_of(read_protocol, "x" * 300).rule == "the file cannot be read"
        assert refusal_of(read_protocol, "a\0b").rule == "the file cannot be read"

    def test_judgments_that_are_none(self, parts: Parts) -> None:
        refusal = refusal_of(read_protocol, source_of(parts | {"qrels": []}), declared=ALL)

        assert "judgments are an object" in str(refusal)

    def test_notes_are_kept_where_something_is_declared(self, parts: Parts) -> None:
        made = read_protocol(source_of(parts | {"author": 1, "\ud800": 2}), declared=ALL)

        assert made.provenance.notes == ("p.json: not used: author, \\ud800",)

    def test_metadata_of_another_shape(self, tmp_path: Path) -> None:
        (tmp_path / "qrels").mkdir()
        (tmp_path / "qrels" / "test.tsv").write_text("qid\tdoc\trel\nq\td\t1\n", encoding="utf-8")
        qrels = tmp_path / "qrels" / "test.tsv"
        refusal = refusal_of(read_collection, source_of({"d": "x"}), source_of({"q": 5}), qrels, split="test", k=1)

        assert refusal.rule == "query IDs and metadata are invalid"


class TestLarge:
    """Above a number of judged pairs, only the compact fingerprint is recomputed when a frozen file is read."""

    @pytest.fixture(autouse=True)
    def few(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("rankeval.formats.protocols.FULL_CHECK", 29)

    def test_the_full_fingerprint_is_taken_at_its_word(self, protocol: rankeval.Protocol) -> None:
        value = frozen(protocol) | {"protocol_sha256": "0" * 64}
        again = read_protocol(source_of(value))

        assert (again.protocol_sha256, again.protocol_sha256_verified) == ("0" * 64, False)
        assert again == protocol
        assert refusal_of(verify, source_of(value)).rule == "a stated fingerprint does not match the content"

    @pytest.mark.parametrize("stated", [5, "", "0" * 63, "x" * 64])
    def test_but_it_must_be_one(self, protocol: rankeval.Protocol, stated: Any) -> None:
        value = frozen(protocol) | {"protocol_sha256": stated}

        assert refusal_of(read_protocol, source_of(value)).rule == "a stated fingerprint does not match the content"

    def test_an_altered_judgment_is_found_all_the_same(self, protocol: rankeval.Protocol) -> None:
        value = frozen(protocol)
        value["judgments"]["relevant"]["q5"] = ["d1"]

        assert refusal_of(read_protocol, source_of(value)).rule == "a stated fingerprint does not match the content"


class TestBeir:
    def test_a_folder(self, files: Files, tmp_path: Path) -> None:
        protocol = read_protocol(folder_of(tmp_path, files), split="test", k=1, declared=ALL)

        assert dict(protocol.corpus) == {"d1": {"title": "One", "text": "x"}, "d2": "y"}
        assert dict(protocol.queries) == {"q2": {"text": "b", "split": "test"}, "q1": {"text": "a", "split": "dev"}}
        assert dict(protocol.relevant) == {"q2": {"d1"}, "q1": {"d2"}}
        assert [each.effect for each in protocol.provenance.declarations] == [
            "1 of 4 pairs are unlisted and count as not relevant",
            "2 labels count as 1, 1 as 0, of which 1 are negative",
        ]

    @pytest.mark.parametrize("inside", ["", "folder/"])
    def test_a_zip_of_one(self, files: Files, tmp_path: Path, inside: str) -> None:
        protocol = read_protocol(zip_of(files, inside), split="test", k=1, declared=ALL)

        assert protocol == read_protocol(folder_of(tmp_path, files), split="test", k=1, declared=ALL)

    @pytest.mark.parametrize("name", ["../corpus.jsonl", "/corpus.jsonl", "a\\..\\b"])
    def test_a_path_that_climbs_out(self, files: Files, name: str) -> None:
        refusal = refusal_of(read_protocol, zip_of(files | {name: "x"}))

        assert refusal.rule == "the archive is damaged, or holds what an archive may not"

    def test_a_zip_that_expands_beyond_all_measure(self, files: Files) -> None:
        refusal = refusal_of(read_protocol, zip_of(files | {"big": "0" * (65 * 2**20)}))

        assert refusal.rule == "the compressed file is damaged, or expands beyond all measure"

    @pytest.mark.parametrize("damage", [slice(0, 30), slice(0, -30)])
    def test_a_cut_off_zip(self, files: Files, damage: slice) -> None:
        refusal_of(read_protocol, Source("z", zip_of(files).data[damage]))

    def test_a_zip_with_a_file_without_a_name(self, files: Files) -> None:
        """A name ends at its first NUL; 46 bytes into the archive's list stands the name of its first file."""
        data = zip_of({"a": "", **files}).data
        name = data.index(b"PK\x01\x02") + 46
        assert data[name : name + 1] == b"a"
        refusal = refusal_of(read_protocol, Source("z", data[:name] + b"\0" + data[name + 1 :]))

        assert refusal.rule == "the archive is damaged, or holds what an archive may not"

    def test_a_zip_with_any_byte_damaged(self, files: Files) -> None:
        data = zip_of(files).data
        for at in range(len(data)):
            damaged = data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]
            try:
                read_protocol(Source("z", damaged), split="test", k=1, declared=ALL)
            except rankeval.ContractError:
                continue

    @pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl"])
    def test_a_file_that_is_not_there(self, files: Files, tmp_path: Path, name: str) -> None:
        del files[name]

        refusal_of(read_protocol, folder_of(tmp_path, files))
        refusal_of(read_protocol, zip_of(files))

    def test_no_judgments(self, files: Files, tmp_path: Path) -> None:
        files = {name: content for name, content in files.items() if "/" not in name}

        assert "qrels/<split>.tsv" in str(refusal_of(read_protocol, folder_of(tmp_path, files)))

    def test_sparse_judgments_are_counted(self, files: Files, tmp_path: Path) -> None:
        refusal = refusal_of(read_protocol, folder_of(tmp_path, files), split="test", k=1, declared=Declared(None, 1))

        assert refusal.rule == "unjudged or unknown documents: exhaustive qrels required"
        assert [(fault.query, fault.document) for fault in refusal.faults] == [("q1", "d1")]
        assert "1 of 4 pairs are unjudged" in str(refusal)

    def test_graded_labels_are_named(self, files: Files, tmp_path: Path) -> None:
        refusal = refusal_of(read_protocol, folder_of(tmp_path, files), split="test", k=1, declared=Declared("x"))

        assert [(fault.file, fault.line, fault.query, fault.document) for fault in refusal.faults] == [
            ("test.tsv", 2, "q2", "d1"),
            ("test.tsv", 3, "q2", "d2"),
        ]

    @pytest.mark.parametrize("declared", [Declared(" ", 1), Declared("x", 1, "")])
    def test_a_declaration_without_a_reason(self, files: Files, tmp_path: Path, declared: Declared) -> None:
        refusal = refusal_of(read_protocol, folder_of(tmp_path, files), split="test", k=1, declared=declared)

        assert "needs a reason, in words" in str(refusal)

    def test_splits_that_disagree(self, files: Files, tmp_path: Path) -> None:
        files["qrels/dev.tsv"] += "q2\td1\t1\n"

        assert refusal_of(read_protocol, folder_of(tmp_path, files), declared=ALL).rule == SPLIT_RULE

    def test_a_split_that_the_judgments_contradict(self, files: Files, tmp_path: Path) -> None:
        files["queries.jsonl"] = files["queries.jsonl"].replace('"split": "test"', '"split": "dev"')

        assert refusal_of(read_protocol, folder_of(tmp_path, files), declared=ALL).rule == SPLIT_RULE

    def test_queries_that_nobody_judges(self, files: Files, tmp_path: Path) -> None:
        files["queries.jsonl"] += '{"_id": "q3", "text": "c"}\n'
        folder = folder_of(tmp_path, files)
        refusal = refusal_of(read_protocol, folder, split="test", k=1, declared=ALL)
        left_out = read_protocol(folder, split="test", k=1, declared=Declared("x", 1, "not of this year"))

        assert (refusal.rule, refusal.faults[0].query) == ("queries that no file judges", "q3")
        assert list(left_out.queries) == ["q2", "q1"]
        assert left_out.provenance.declarations[-1].effect == "1 queries are left out"

    def test_judged_ids_that_are_not_there(self, files: Files, tmp_path: Path) -> None:
        files["qrels/dev.tsv"] += "Q1\td1\t1\nq1\tD1\t1\n"
        refusal = refusal_of(read_protocol, folder_of(tmp_path, files), split="test", k=1, declared=ALL)

        assert [(str(fault.rule)[:20], fault.line, fault.detail) for fault in refusal.faults] == [
            ("qrels must cover eve", 3, "judged, but not in queries.jsonl; near miss: 'Q1' is not 'q1'"),
            ("unjudged or unknown ", 4, "judged, but not in corpus.jsonl; near miss: 'D1' is not 'd1'"),
        ]


class TestApart:
    """Corpus, queries and judgments in three files, each in any format."""

    CORPUS = ({"_id": "007", "title": "", "text": "x"}, {"_id": "NA", "title": "t", "text": "y"})
    QUERIES = ({"query_id": "1e5", "text": "a", "split": "test", "group": "g"},)
    QRELS = ({"qid": "1e5", "docid": "007", "label": 1}, {"qid": "1e5", "docid": "NA", "label": 0})

    def written(self, records: Any, form: str) -> Source:
        frame = pd.DataFrame(records)
        content = {
            "jsonl": lambda: frame.to_json(orient="records", lines=True).encode(),
            "array": lambda: frame.to_json(orient="records").encode(),
            "csv": lambda: frame.to_csv(index=False).encode(),
            "tsv": lambda: frame.to_csv(index=False, sep="\t").encode(),
            "parquet": frame.to_parquet,
        }[form]()
        return Source(f"file.{form}", content)

    @pytest.mark.parametrize("form", ["jsonl", "array", "csv", "tsv", "parquet"])
    def test_one_protocol_in_every_format(self, form: str) -> None:
        parts = [self.written(records, form) for records in (self.CORPUS, self.QUERIES, self.QRELS)]
        expected = rankeval.Protocol(
            {"007": "x", "NA": {"title": "t", "text": "y"}},
            {"1e5": {"text": "a", "split": "test", "group": "g"}},
            {"1e5": {"007": 1, "NA": 0}},
            "test",
            1,
        )

        assert read_collection(*parts, k=1) == expected

    def test_json_objects_and_trec_judgments(self) -> None:
        corpus, queries = (
            source_of({"d": "x"}),
            source_of({"q": {"text": "a", "split": "test"}, "r": {"split": "test"}}),
        )
        qrels = Source("qrels.txt", b"q 0 d 1\nr 0 d 0\n")

        assert dict(read_collection(corpus, queries, qrels, k=1).relevant) == {"q": {"d"}, "r": frozenset()}

    @pytest.mark.parametrize(
        ("part", "content", "rule"),
        [
            (0, '{"_id": 1, "text": "x"}', "IDs must be text, not numbers"),
            (0, '{"_id": "d", "text": 5}', "the JSON is not of the expected shape"),
            (0, '{"_id": "d", "text": "x"}\n{"_id": "d", "text": "x"}', "an ID stands twice"),
            (0, "_id,title\nd,x\n", "a header row must name the columns"),
            (0, "name,text\nd,x\n", "a header row must name the columns"),
            (1, '{"_id": "q", "text": "a"}', SPLIT_RULE),
            (1, '{"_id": "q", "text": "a", "split": "dev", "metadata": {"split": "test"}}', SPLIT_RULE),
            (2, "q 0 d x\n", "a label must be a whole number"),
            (2, "q 0 d 0.5\n", "a label must be a whole number"),
            (2, "q 0 d\n", "a header row must name the columns"),
            (2, "q 0 d 1\nq d 1\n", "a line has the wrong number of fields"),
            (2, "q 0 d 1\nq 0 d 1\n", "a query-document pair is judged twice"),
            (2, "q\td\t1\n", "a header row must name the columns"),
            (2, "qid,docid,rel\nq,,1\n", "an ID must not be empty"),
            (2, '{"q": {"d": "1"}}', "qrels labels must be integer 0 or 1"),
            (2, '{"q": {"d": 1.0}}', "qrels labels must be integer 0 or 1"),
            (2, '{"q": {"d": 1, "d": 1}}', "a JSON object holds the same key twice"),
            (2, '{"q": 5}', "the JSON is not of the expected shape"),
            (2, '{"qid": "q", "docid": "d", "label": true}', "qrels labels must be integer 0 or 1"),
            (2, '{"qid": 1, "docid": "d", "label": 1}', "IDs must be text, not numbers"),
        ],
    )
    def test_what_is_refused(self, part: int, content: str, rule: str) -> None:
        parts = ['{"d": "x"}', '{"q": {"text": "a", "split": "test"}}', '{"q": {"d": 1}}']
        parts[part] = content
        sources = [Source(f"part{i}", text.encode()) for i, text in enumerate(parts)]

        assert refusal_of(read_collection, *sources, k=1).rule == rule

    def test_both_lines_of_a_pair_judged_twice(self) -> None:
        sources = [source_of({"d": "x"}), source_of({"q": {"split": "test"}}), Source("r", b"q 0 d 1\n\nq 0 d 1\n")]
        fault = refusal_of(read_collection, *sources, k=1).faults[0]

        assert (fault.line, fault.detail) == (3, "first on line 1")


class TestCranfield:
    def test_one_protocol_from_all_its_forms(self, cranfield: Path, tmp_path: Path) -> None:
        made = read_protocol(cranfield, split="test", k=10, declared=ALL)
        names = [path.relative_to(cranfield) for path in cranfield.rglob("*") if path.suffix in {".jsonl", ".tsv"}]
        zipped = zip_of({str(name): (cranfield / name).read_text(encoding="utf-8") for name in names})
        apart = [cranfield / name for name in ("corpus.jsonl", "queries.jsonl", "qrels.trec")]
        (tmp_path / "frozen.json").write_text("".join(frozen_protocol_json(made)), encoding="utf-8")

        assert read_protocol(zipped, split="test", k=10, declared=ALL).protocol_sha256 == made.protocol_sha256
        assert read_collection(*apart, split="test", k=10, declared=ALL).protocol_sha256 == made.protocol_sha256
        assert read_protocol(tmp_path / "frozen.json").protocol_sha256 == made.protocol_sha256

"""BEIR folders, and zip files of one: corpus.jsonl, queries.jsonl, qrels/<split>.tsv."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from rankeval.formats.assembly import Parts
from rankeval.formats.catalogue import FormatError, Reading, refusal
from rankeval.formats.collection import read_corpus, read_qrels, read_queries
from rankeval.formats.source import FREE_EXPANSION, MAX_BYTES, MAX_RATIO, Source

ZIP = b"PK\x03\x04"

_MAX_MEMBERS = 1_000


def read_beir_folder(folder: Path) -> Parts:
    """Read a BEIR folder.

    Raises:
        FormatError: a file of it is not there, or cannot be read for exactly what it says.

    """
    try:
        qrels = sorted(path.name for path in (folder / "qrels").iterdir() if _is_qrels(path.name))
    except OSError:
        qrels = []
    return _read(str(folder), qrels, lambda name: Source.of(folder / name), lambda name: (folder / name).is_file())


def read_beir_zip(source: Source) -> Parts:
    """Read a zip file of a BEIR folder, the folder itself or what is in it.

    Raises:
        FormatError: it is damaged, expands beyond all measure, has a path that climbs out of it, or is no such folder.

    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(source.data))
        members = _members(archive, source)
        root = _root(members, source)

        def read(name: str) -> Source:
            info = members[root / name]
            with archive.open(info) as content:
                data = content.read(info.file_size + 1)
            return Source.upload(PurePosixPath(name).name, data)

        qrels = sorted(path.name for path in members if path.parent == root / "qrels" and _is_qrels(path.name))
        return _read(source.name, qrels, read, lambda name: root / name in members)
    except FormatError:
        raise
    except (zipfile.BadZipFile, zlib.error, RuntimeError, ValueError, EOFError, OSError) as error:
        raise refusal(Reading.ARCHIVE, file=source.name, detail=str(error)) from error


def _read(name: str, qrels: list[str], read: Callable[[str], Source], there: Callable[[str], bool]) -> Parts:
    absent = [part for part in ("corpus.jsonl", "queries.jsonl") if not there(part)]
    if not qrels:
        absent.append("qrels/<split>.tsv")
    if absent:
        raise refusal(
            Reading.UNREADABLE, file=name, detail=f"a BEIR folder has {', '.join(absent)}, and this one has not"
        )
    return Parts(
        corpus=read_corpus(read("corpus.jsonl")),
        queries=read_queries(read("queries.jsonl")),
        judgments=[(file.removesuffix(".tsv"), read_qrels(read(f"qrels/{file}"))) for file in qrels],
    )


def _is_qrels(name: str) -> bool:
    return name.endswith(".tsv") and not name.startswith(".")


def _members(archive: zipfile.ZipFile, source: Source) -> dict[PurePosixPath, zipfile.ZipInfo]:
    """Give the files of an archive by path, after looking at what it says of all of them."""
    infos = archive.infolist()
    size = sum(info.file_size for info in infos)
    if len(infos) > _MAX_MEMBERS or size > min(MAX_BYTES, max(FREE_EXPANSION, MAX_RATIO * len(source.data))):
        raise refusal(Reading.COMPRESSION, file=source.name, detail=f"{len(infos)} files of {size} bytes")
    members: dict[PurePosixPath, zipfile.ZipInfo] = {}
    for info in infos:
        path = PurePosixPath(info.filename)
        if not info.filename or path.is_absolute() or ".." in path.parts or "\\" in info.filename:
            detail = f"the path {info.filename!r} is none, or climbs out of it"
            raise refusal(Reading.ARCHIVE, file=source.name, detail=detail)
        if path in members:
            raise refusal(Reading.ARCHIVE, file=source.name, detail=f"{info.filename!r} stands in it twice")
        if not info.is_dir():
            members[path] = info
    return members


def _root(members: dict[PurePosixPath, zipfile.ZipInfo], source: Source) -> PurePosixPath:
    """Find the folder that holds corpus.jsonl: the archive's top, or the one folder in it."""
    roots = [path.parent for path in members if path.name == "corpus.jsonl" and "__MACOSX" not in path.parts]
    if len(roots) != 1:
        detail = f"corpus.jsonl stands in it {len(roots)} times; a BEIR folder has one"
        raise refusal(Reading.ARCHIVE, file=source.name, detail=detail)
    return roots[0]

"""BEIR folders, and zip files of one: corpus.jsonl, queries.jsonl, qrels/<split>.tsv."""

from __future__ import annotations

import io
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from rankeval.core.contract import every
from rankeval.formats.assembly import Parts
from rankeval.formats.catalogue import FormatError, Reading, refusal
from rankeval.formats.collection import read_corpus, read_qrels, read_queries
from rankeval.formats.judgments import Judgments
from rankeval.formats.source import Source

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
"""How a zip file begins, and an empty one."""

_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    RuntimeError,  # a member that is encrypted, or compressed in a way not known here
    ValueError,  # a name or a number that cannot be one
    struct.error,
    OverflowError,
)
"""What Python's zipfile raises, over the years and the kinds of damage."""

_MAX_MEMBERS = 1_000

_QRELS = re.compile(r"qrels/(?P<split>[^./][^/]*)\.tsv(?:\.gz)?", re.DOTALL)


def read_beir_folder(folder: Path) -> Parts:
    """Read a BEIR folder.

    Raises:
        FormatError: a file of it is not there, or cannot be read for exactly what it says.

    """
    try:
        names = [path.name for path in folder.iterdir()]
        names += [f"qrels/{path.name}" for path in (folder / "qrels").iterdir()]
    except OSError:
        names = []
    return _read(str(folder), names, lambda name: Source.of(folder / name))


def read_beir_zip(source: Source) -> Parts:
    """Read a zip file of a BEIR folder, the folder itself or what is in it.

    Raises:
        FormatError: it is damaged, expands beyond all measure, has a path that climbs out of it, or is no such folder.

    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(source.data))
        members = _members(archive, source)
        root = _root(members, source)
        # All that is compressed in it shares one limit, or the smallest archive could hold as much as it liked.
        room = source.limit - sum(info.file_size for info in members.values())

        def read(name: str) -> Source:
            nonlocal room
            info = members[root / name]
            with archive.open(info) as content:
                data = content.read(info.file_size + 1)
            unpacked = Source.upload(PurePosixPath(name).name, data, room + len(data))
            room -= unpacked.size - len(data)
            return unpacked

        inside = [str(path.relative_to(root)) for path in members if path.is_relative_to(root)]
        return _read(source.name, inside, read)
    except FormatError:
        raise
    except _DAMAGE as error:
        raise refusal(Reading.ARCHIVE, file=source.name, detail=str(error)) from error


def split_of(qrels: object) -> str | None:
    """Give the split that a file of judgments states by its path, qrels/<split>.tsv; None for any other."""
    if not isinstance(qrels, str | Path):
        return None
    stated = _QRELS.fullmatch("/".join(Path(qrels).parts[-2:]))
    return stated["split"] if stated else None


def _read(name: str, files: Iterable[str], read: Callable[[str], Source]) -> Parts:
    """Read the parts of a folder, any of which may be compressed and say so in its name.

    Args:
        name: what to call the folder.
        files: the paths of all files in it.
        read: reads one of them.

    """
    there = sorted(files)
    parts = {
        part: [file for file in there if file in {part, f"{part}.gz"}] for part in ("corpus.jsonl", "queries.jsonl")
    }
    qrels = {file: stated["split"] for file in there if (stated := _QRELS.fullmatch(file))}
    absent = [part for part, found in parts.items() if not found] + ([] if qrels else ["qrels/<split>.tsv"])
    if absent:
        detail = f"a BEIR folder has {', '.join(absent)}, and this one has not"
        raise refusal(Reading.UNREADABLE, file=name, detail=detail)
    if twice := [part for part, found in parts.items() if len(found) > 1]:
        raise refusal(Reading.UNREADABLE, file=name, detail=f"{twice[0]} stands there as it is and compressed")
    (corpus,), (queries,) = parts.values()
    return read_parts(
        lambda: read(corpus), lambda: read(queries), [(split, partial(read, file)) for file, split in qrels.items()]
    )


def read_parts(
    corpus: Callable[[], Source],
    queries: Callable[[], Source],
    qrels: Sequence[tuple[str | None, Callable[[], Source]]],
) -> Parts:
    """Read the parts of a protocol's source; the faults of all of them are told at once.

    Args:
        corpus: gives the file of the documents.
        queries: gives the file of the queries.
        qrels: for each file of judgments the split that its name states, None where it states none, and what gives it.

    Raises:
        FormatError: a file cannot be read for exactly what it says.

    """
    read: list[Any] = every(
        FormatError,
        [
            lambda: read_corpus(corpus()),
            lambda: read_queries(queries()),
            *(partial(_judgments_of, source) for _, source in qrels),
        ],
    )
    return Parts(read[0], read[1], list(zip((split for split, _ in qrels), read[2:], strict=True)))


def _judgments_of(source: Callable[[], Source]) -> Judgments:
    return read_qrels(source())


def _members(archive: zipfile.ZipFile, source: Source) -> dict[PurePosixPath, zipfile.ZipInfo]:
    """Give the files of an archive by path, after looking at what it says of all of them."""
    infos = archive.infolist()
    size = sum(info.file_size for info in infos)
    if len(infos) > _MAX_MEMBERS or size > source.limit:
        raise refusal(Reading.COMPRESSION, file=source.name, detail=f"{len(infos)} files of {size} bytes")
    members: dict[PurePosixPath, zipfile.ZipInfo] = {}
    for info in infos:
        path = PurePosixPath(info.filename)
        if not info.filename or path.is_absolute() or ".." in path.parts or "\\" in info.filename:
            detail = f"the path {info.filename!r} is none, or climbs out of it"
            raise refusal(Reading.ARCHIVE, file=source.name, detail=detail)
        if path in members:
            raise refusal(Reading.ARCHIVE, file=source.name, detail=f"{info.filename!r} stands in it twice")
        if not info.filename.endswith("/"):
            members[path] = info
    return members


def _root(members: dict[PurePosixPath, zipfile.ZipInfo], source: Source) -> PurePosixPath:
    """Find the folder that holds corpus.jsonl: the archive's top, or the one folder in it."""
    roots = [
        path.parent
        for path in members
        if path.name in {"corpus.jsonl", "corpus.jsonl.gz"} and "__MACOSX" not in path.parts
    ]
    if len(roots) != 1:
        detail = f"corpus.jsonl stands in it {len(roots)} times; a BEIR folder has one"
        raise refusal(Reading.ARCHIVE, file=source.name, detail=detail)
    return roots[0]

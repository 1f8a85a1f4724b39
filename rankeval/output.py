"""Files that commands write: each as a whole or not at all, and never in place of a device, a pipe or a folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from rankeval.formats.catalogue import Reading, refusal


def checked_target(given: str, inputs: Iterable[str] = ()) -> Path:
    """Give the path of a file to write; it is asked for before the work begins, so that nobody waits for a refusal.

    Args:
        given: the path.
        inputs: files that are read, and that it may not overwrite.

    Raises:
        FormatError: no file can be written there.

    """
    path = Path(given)
    if not given:
        why = "it has no name; name a file to write"
    elif given == "-":
        why = "- is standard input; name a file to write"
    elif path.is_dir():
        why = "it is a folder; name a file to write"
    elif not path.parent.is_dir():
        why = f"there is no folder {str(path.parent)!r}"
    elif path.is_file() and any(_is_same(path, each) for each in inputs):
        why = "it is one of the files that are read"
    else:
        return path
    raise refusal(Reading.UNWRITABLE, file=given, detail=why)


def write_file(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file as a whole or not at all; what is there and is no file, such as a pipe, is written into.

    Raises:
        FormatError: it cannot be written.

    """
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as device:
                device.writelines(pieces)
        else:
            # A link stays one: it is the file it leads to that is written.
            _replace(path.resolve(), pieces)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise refusal(Reading.UNWRITABLE, file=str(path), detail=error.strerror or str(error)) from error


def _replace(path: Path, pieces: Iterable[bytes]) -> None:
    """Write beside a file what is then put in its place."""
    import tempfile  # noqa: PLC0415 - only who writes needs it

    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o666 & ~_umask()
    with tempfile.NamedTemporaryFile("wb", dir=path.parent, prefix=".rankeval.", delete=False) as temporary:
        beside = Path(temporary.name)
        try:
            temporary.writelines(pieces)
            temporary.close()
            beside.chmod(mode)
            beside.replace(path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise


def _is_same(path: Path, given: str) -> bool:
    try:
        return path.samefile(given)
    except (OSError, ValueError):
        return False  # what is not there is said by whoever reads it


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask

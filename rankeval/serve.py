"""Start the dashboard: Streamlit, on this machine alone, with nothing sent anywhere."""

from __future__ import annotations

import os
import socket
import sys
import tomllib
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from rankeval.formats import read_protocol, read_run
from rankeval.formats.catalogue import Reading, refusal
from rankeval.progress import Progress

FIRST_PORT = 8501
_PORTS_TRIED = 50
_EVERYWHERE = {"0.0.0.0", "::"}  # noqa: S104 - named to be told apart

_DASHBOARD = Path(__file__).parent / "dashboard" / "__main__.py"


def serve(
    files: Sequence[str], host: str, port: int | None, workspace: str | None = None, *, anonymous: bool = False
) -> int:
    """Open the dashboard on a protocol and runs, or on the sample data.

    Args:
        files: a protocol file and run files, which are put into the workspace; none opens the sample data.
        host: the address to listen on.
        port: the port; None takes the first free one from 8501 on.
        workspace: a SQLite file or a SQLAlchemy URL; None takes RANKEVAL_WORKSPACE, else rankeval.db in this folder.
        anonymous: whether an address that others reach may be served without a login.

    Raises:
        ContractError: a file is refused, before anything is started or kept.
        FormatError: the port is taken, or others reach the address and there is neither a login nor leave for none.
        WorkspaceError: the workspace cannot be opened or written.

    """
    from rankeval.workspace import VARIABLE, Workspace, default_workspace  # noqa: PLC0415 - only here is it needed

    refuse_open_door(host, anonymous=anonymous)
    with Progress("reading"):
        protocol = read_protocol(files[0]) if files else None
        runs = [read_run(file) for file in files[1:]]
        for run in runs:
            assert protocol is not None
            protocol.score(run)
    chosen = free_port(host, port)
    where = workspace or default_workspace()
    kept = Workspace(where)
    if protocol is not None:
        kept.add_protocol(Path(files[0]).stem, protocol)
        for run in runs:
            kept.add_run(protocol.compact_sha256, run)
    os.environ[VARIABLE] = where
    from streamlit.web import cli  # noqa: PLC0415 - half a second that refusals need not wait for

    print(f"rankeval: http://{host}:{chosen}  (workspace {kept.name})", file=sys.stderr, flush=True)
    opened = [] if protocol is None else [protocol.compact_sha256]
    sys.argv = ["streamlit", "run", str(_DASHBOARD), *options(host, chosen), "--", *opened]
    code: int = cli.main(standalone_mode=False) or 0
    return code


def refuse_open_door(host: str, *, anonymous: bool) -> None:
    """Refuse to listen where others reach the server, unless they log in or were let in without, said out loud.

    Raises:
        FormatError: they would come in unseen, or a login is set up and what it is made with is not installed.

    """
    has_login = any(map(_has_login, SECRETS))
    if has_login and not all(map(find_spec, _LOGIN_NEEDS)):
        raise refusal(Reading.OPTION, detail="a login needs Authlib and httpx: pip install 'rankeval-dashboard[login]'")
    if not (has_login or anonymous or _is_loopback(host)):
        way = f"set up a login ([auth] in {SECRETS[0]}), or let everybody in with --allow-anonymous"
        raise refusal(Reading.OPTION, detail=f"--host {host} is reached by others: {way}")


_LOGIN_NEEDS = ("authlib", "httpx")
"""What Streamlit's login is made with."""

SECRETS = (Path(".streamlit/secrets.toml"), Path.home() / ".streamlit" / "secrets.toml")
"""Where Streamlit looks for the server's login."""


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _has_login(secrets: Path) -> bool:
    try:
        return "auth" in tomllib.loads(secrets.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False


def options(host: str, port: int) -> list[str]:
    """Give Streamlit's options: those of our own `config.toml`, and where to listen.

    They are passed as flags, since a `.streamlit/config.toml` in the folder where the user stands would win over ours.
    """
    settings = dict(_flat(tomllib.loads(settings_file().read_text(encoding="utf-8"))))
    settings |= {"server.address": host, "server.port": port}
    if host in _EVERYWHERE:
        # Whoever listens to the network is reached under names that nobody here can know.
        del settings["server.allowedHosts"]
    else:
        settings["server.allowedHosts"] = [*settings["server.allowedHosts"], host]
    return [
        f"--{name}={_flag(each)}"
        for name, value in settings.items()
        for each in (value if isinstance(value, list) else [value])
    ]


def settings_file() -> Path:
    """Give our Streamlit settings: inside the installed package, or beside it in a checkout."""
    inside = _DASHBOARD.parent / "config.toml"
    return inside if inside.is_file() else _DASHBOARD.parents[2] / ".streamlit" / "config.toml"


def _flat(table: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _flag(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def free_port(host: str, port: int | None) -> int:
    """Find a port that can be listened on.

    Raises:
        FormatError: it is taken, or all that were tried are.

    """
    tried = [port] if port is not None else range(FIRST_PORT, FIRST_PORT + _PORTS_TRIED)
    for each in tried:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, each))
            except OSError as error:
                reason = error.strerror
            else:
                return each
    raise refusal(Reading.OPTION, detail=f"--port {tried[-1]} on {host}: {reason}")

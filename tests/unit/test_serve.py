from __future__ import annotations

import socket
from pathlib import Path

import pytest

import rankeval
from rankeval import serve
from rankeval.serve import free_port, options, refuse_open_door


class TestFreePort:
    def test_a_port_that_is_taken_is_refused_when_it_was_named(self) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]

            with pytest.raises(rankeval.FormatError, match=f"--port {port} on 127.0.0.1"):
                free_port("127.0.0.1", port)

    def test_a_free_port_is_taken(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]

        assert free_port("127.0.0.1", port) == port

    def test_some_port_is_found_where_none_is_named(self) -> None:
        assert 8501 <= free_port("127.0.0.1", None) < 8551


class TestOpenDoor:
    @pytest.mark.parametrize("host", ["127.0.0.1", "127.3.2.1", "::1", "localhost"])
    def test_this_machine_needs_no_login(self, host: str) -> None:
        refuse_open_door(host, anonymous=False)

    @pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "review.example"])  # noqa: S104 - what is tested
    def test_others_need_a_login_or_leave(self, host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(serve, "SECRETS", (tmp_path / "secrets.toml",))
        with pytest.raises(rankeval.FormatError, match=f"--host {host} is reached by others.*--allow-anonymous"):
            refuse_open_door(host, anonymous=False)

        refuse_open_door(host, anonymous=True)

    def test_a_login_is_found_and_needs_its_library(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        secrets = tmp_path / "secrets.toml"
        secrets.write_text('[auth]\nclient_id = "rankeval"\n', encoding="utf-8")
        monkeypatch.setattr(serve, "SECRETS", (secrets,))
        monkeypatch.setattr(serve, "find_spec", lambda _name: None)
        for host in ("192.0.2.7", "127.0.0.1"):
            with pytest.raises(rankeval.FormatError, match="a login needs Authlib"):
                refuse_open_door(host, anonymous=False)
        monkeypatch.setattr(serve, "find_spec", lambda _name: object())

        refuse_open_door("192.0.2.7", anonymous=False)

    def test_secrets_without_a_login_let_nobody_in(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        secrets = tmp_path / "secrets.toml"
        monkeypatch.setattr(serve, "SECRETS", (secrets,))
        for content in ("[other]\n", "this is no TOML"):
            secrets.write_text(content, encoding="utf-8")
            with pytest.raises(rankeval.FormatError, match="--host"):
                refuse_open_door("192.0.2.7", anonymous=False)


class TestOptions:
    def test_this_machine_alone_and_nothing_sent(self) -> None:
        given = options("127.0.0.1", 8501)

        assert "--server.address=127.0.0.1" in given
        assert "--server.enableXsrfProtection=true" in given
        assert "--browser.gatherUsageStats=false" in given
        assert "--client.showErrorLinks=false" in given
        assert "--server.allowedHosts=localhost" in given
        assert "--theme.light.backgroundColor=#ffffff" in given

    def test_who_listens_to_the_network_is_reached_under_any_name(self) -> None:
        assert not [flag for flag in options("0.0.0.0", 8501) if "allowedHosts" in flag]  # noqa: S104 - what is tested

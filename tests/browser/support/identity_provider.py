"""An OpenID Connect provider on this machine, which lets in whoever it is told to, without asking."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT = "rankeval"


@dataclass(slots=True)
class Provider:
    """Who comes in next, and what the provider remembers of those who did.

    Attributes:
        address: where it listens.
        claims: what it says of whoever comes next: `sub`, `name`, `email`.
        asked: the code that was given out -> the nonce that the answer must hold, and what is said of the visitor.

    """

    address: str = ""
    claims: dict[str, str] = field(default_factory=dict)
    asked: dict[str, tuple[str, dict[str, str]]] = field(default_factory=dict)


@contextmanager
def providing() -> Iterator[Provider]:
    """Run a provider."""
    provider, key = Provider(), RSAKey.generate_key(2048, {"kid": "one"}, private=True)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            if asked.path == "/.well-known/openid-configuration":
                places = {
                    "authorization_endpoint": "authorize",
                    "token_endpoint": "token",
                    "jwks_uri": "keys",
                }
                self._say(
                    {
                        "issuer": provider.address,
                        **{name: f"{provider.address}/{path}" for name, path in places.items()},
                        "id_token_signing_alg_values_supported": ["RS256"],
                        "response_types_supported": ["code"],
                        "subject_types_supported": ["public"],
                    }
                )
            elif asked.path == "/keys":
                self._say({"keys": [key.as_dict(private=False)]})
            else:
                query = {name: values[0] for name, values in parse_qs(asked.query).items()}
                code = f"code-{len(provider.asked)}"
                provider.asked[code] = (query["nonce"], dict(provider.claims))
                back = urlencode({"code": code, "state": query["state"]})
                self.send_response(302)
                self.send_header("Location", f"{query['redirect_uri']}?{back}")
                self.end_headers()

        def do_POST(self) -> None:
            body = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
            nonce, claims = provider.asked.pop(body["code"][0])
            now = int(time.time())
            said = {"iss": provider.address, "aud": CLIENT, "iat": now, "exp": now + 600, "nonce": nonce, **claims}
            signed = jwt.encode({"alg": "RS256", "kid": "one"}, said, key)
            self._say({"access_token": "any", "token_type": "Bearer", "id_token": signed})

        def _say(self, value: Any) -> None:
            content = json.dumps(value).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_arguments: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.address = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()


def settings(provider: Provider, address: str) -> str:
    """Give what `.streamlit/secrets.toml` says of a login by the provider, for a dashboard at an address."""
    values = {
        "redirect_uri": f"{address}/oauth2callback",
        "cookie_secret": "for a test",
        "client_id": CLIENT,
        "client_secret": "for a test",
        "server_metadata_url": f"{provider.address}/.well-known/openid-configuration",
    }
    return "\n".join(["[auth]", *(f'{name} = "{value}"' for name, value in values.items()), ""])

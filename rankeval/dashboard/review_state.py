"""What a visitor of the Review page is in the middle of: who they are, what they have typed, and what was saved last.

The round stands in the address, and what was saved in the workspace; only what is not saved yet is kept here.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from rankeval.core.contract import ContractError
from rankeval.core.review import Answer, Mark, Reason, Verdict
from rankeval.workspace import Annotator, Round

ROUND, LEAD = "round", "lead"
"""The address of an annotator's round, and of the round whose results are read."""


@dataclass(frozen=True, slots=True)
class Login:
    """Who a visitor is to the server's login.

    Attributes:
        name: theirs.
        subject: what tells them apart from all others.

    """

    name: str
    subject: str


def login() -> Login | None:
    """Say who is logged in; None where the server has no login, or nobody is."""
    user = st.user
    if not getattr(user, "is_logged_in", False):
        return None
    about: dict[str, Any] = user.to_dict()
    name = about.get("name") or about.get("email") or about["sub"]
    return Login(str(name), str(about["sub"]))


def login_wanted() -> bool:
    """Say whether the server has a login and this visitor has yet to use it."""
    return bool(st.secrets.load_if_toml_exists()) and "auth" in st.secrets and login() is None


def round_token() -> str | None:
    """Give the round that the address reaches."""
    return st.query_params.get(ROUND)


def led(rounds: Sequence[Round]) -> Round | None:
    """Give the round whose results the address names; the newest where it names none."""
    named = st.query_params.get(LEAD)
    newest = rounds[-1] if rounds else None
    return next((each for each in rounds if name_of(each) == named), newest)


def name_of(found: Round) -> str:
    """Name a round in the address of who leads it; annotators' addresses cannot be told from this."""
    return sha256(found.token.encode()).hexdigest()[:12]


def lead(found: Round) -> None:
    """Look at the results of a round."""
    st.query_params[LEAD] = name_of(found)


def round_choice(key: str, rounds: Sequence[Round], chosen: Round | None) -> Callable[[], None]:
    """Turn the row that is selected in a table of rounds into the round that the address names."""
    rows = [rounds.index(chosen)] if chosen in rounds else []
    st.session_state[key] = {"selection": {"rows": rows, "columns": [], "cells": []}}

    def selected() -> None:
        for row in st.session_state[key]["selection"]["rows"][:1]:
            lead(rounds[row])

    return selected


def address_of(found: Round) -> str:
    """Give the address that is sent to annotators."""
    here = urlsplit(st.context.url or "")
    return f"{here.scheme}://{here.netloc}/review?{ROUND}={found.token}"


def proposed(standing: str) -> str | None:
    """Give the protocol that this visitor proposed last in place of another."""
    found: str | None = st.session_state.get(f"proposed-{standing}")
    return found


def set_proposed(standing: str, key: str) -> None:
    """Remember which protocol was proposed in place of another."""
    st.session_state[f"proposed-{standing}"] = key


def annotator(token: str) -> Annotator | None:
    """Give who this visitor is in a round."""
    known: Annotator | None = st.session_state.get(f"annotator-{token}")
    return known


def set_annotator(token: str, who: Annotator) -> None:
    """Remember who this visitor is in a round."""
    st.session_state[f"annotator-{token}"] = who


def chosen(own: Collection[str]) -> str | None:
    """Give the query that the address goes back to, if it is one of those given."""
    query = st.query_params.get("query")
    return query if query in own else None


def last_saved(token: str) -> Answer | None:
    """Give what was saved last in a round."""
    saved: Answer | None = st.session_state.get(f"saved-{token}")
    return saved


def done(token: str, saved: Answer | None) -> None:
    """Remember what was saved, and forget what could not be."""
    st.session_state[f"saved-{token}"] = saved
    st.session_state.pop("review-error", None)


def failed(error: ContractError) -> None:
    """Remember why something was not done, for the page that comes now."""
    st.session_state["review-error"] = error


def error() -> ContractError | None:
    """Give, once, why the last thing was not done."""
    found: ContractError | None = st.session_state.pop("review-error", None)
    return found


@dataclass(frozen=True, slots=True)
class Draft:
    """What is typed of a query and not yet saved.

    Attributes:
        token: the round.
        query: the query.

    """

    token: str
    query: str

    @classmethod
    def begin(cls, token: str, query: str, before: Answer | None) -> Draft:
        """Take up a draft, or begin one with what was said before."""
        draft = cls(token, query)
        draft._keep("verdict", before.verdict if before else None)
        draft._keep("client-token", secrets.token_hex(16))
        draft._keep("reason", before.reason if before else None)
        draft._keep("note", before.note if before else "")
        for mark in Mark:
            marked = [document for document, said in before.marks.items() if said is mark] if before else []
            draft._keep(str(mark), marked)
        return draft

    def key(self, part: str) -> str:
        """Name a part in this visitor's session; widgets write to it."""
        return f"{_drafts(self.token)}{part}-{self.query}"

    @property
    def verdict(self) -> Verdict | None:
        """What was chosen; None also of a draft that was let go of."""
        found: Verdict | None = st.session_state.get(self.key("verdict"))
        return found

    @property
    def reason(self) -> Reason | None:
        """The reason that was chosen."""
        found: Reason | None = st.session_state[self.key("reason")]
        return found

    @property
    def note(self) -> str:
        """The note as typed."""
        return str(st.session_state[self.key("note")])

    @property
    def marks(self) -> dict[str, Mark]:
        """The documents that were marked; one marked both ways counts as marked last, not relevant."""
        return {document: mark for mark in Mark for document in st.session_state[self.key(str(mark))]}

    @property
    def client_token(self) -> str:
        """What this act of saving is called, so that a second click saves nothing twice."""
        return str(st.session_state[self.key("client-token")])

    def choose(self, verdict: Verdict) -> None:
        """Choose a verdict."""
        st.session_state[self.key("verdict")] = verdict

    def keys(self) -> list[str]:
        """Name all parts of the draft in this visitor's session."""
        return [self.key(part) for part in ("verdict", "client-token", "reason", "note", *map(str, Mark))]

    def forget(self) -> None:
        """Let go of a draft that was saved, or is not wanted."""
        for key in self.keys():
            st.session_state.pop(key, None)

    def _keep(self, part: str, content: Any) -> None:
        st.session_state.setdefault(self.key(part), content)


def keep_drafts(token: str, drawn: str | None) -> None:
    """Keep what is typed of queries that are not on the page: Streamlit forgets what a page does not draw.

    Args:
        token: the round.
        drawn: the query that was drawn; None where none was.

    """
    on_page = [] if drawn is None else Draft(token, drawn).keys()
    for key, content in st.session_state.to_dict().items():
        if str(key).startswith(_drafts(token)) and key not in on_page:
            st.session_state[key] = content


def _drafts(token: str) -> str:
    return f"draft-{token[:8]}-"

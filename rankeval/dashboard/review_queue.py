"""The annotators' page: one query at a time, two columns whose owners are not told, and what they say of them.

Whoever has the address of a round sees that round and nothing else.  What is typed stays on the page until the
workspace has written it to the disk; only then the page says that it is saved.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from rankeval.core.contract import ContractError
from rankeval.core.review import REASONS, VERDICTS, Answer, Mark, Reason, Verdict
from rankeval.core.review_queue import OwnProgress, own_progress
from rankeval.dashboard import components, remember, review_markup, review_state, state
from rankeval.dashboard.language import _
from rankeval.dashboard.library import Library
from rankeval.dashboard.review_state import Draft
from rankeval.workspace import Annotator, Round


def page(loaded: Library, token: str) -> None:
    """Draw the page."""
    drawn: str | None = None
    try:
        drawn = _page(loaded, token)
    except ContractError as error:
        st.html(review_markup.refused(error, typed=False))
    review_state.keep_drafts(token, drawn)


def _page(loaded: Library, token: str) -> str | None:
    """Draw the page, and give the query that is on it."""
    found = loaded.reviews.round_by_token(token)
    with st.container(horizontal=True, vertical_alignment="center", key="review-head"):
        st.html(review_markup.round_name(found.name), width="content")
        with st.popover(_("Guidelines")):
            st.text(_(found.guidelines))
        st.space("stretch")
        components.language_switch()
    reviewed = loaded.reviewed(found)
    if reviewed is None:
        st.html(review_markup.gone())
        return None
    who = _annotator(loaded, found)
    return None if who is None else _review(loaded, found, who)


def _annotator(loaded: Library, found: Round) -> Annotator | None:
    """Say who is here: by login where the server has one, else by the name that they give."""
    known = review_state.annotator(found.token)
    if known is not None:
        return known
    login = review_state.login()
    if login is not None:
        return _join(loaded, found, login.name, login.subject)
    remembered = remember.name(found.token)
    if remembered:
        return _join(loaded, found, remembered, None)
    st.html(review_markup.welcome(len(found.queries), blind=found.blind))
    with st.form("join"):
        name = st.text_input(_("Your name, as it will stand beside your verdicts"), key="annotator-name")
        if st.form_submit_button(_("Begin"), key="begin", type="primary") and name.strip():
            who = _join(loaded, found, name, None)
            if who is not None:
                st.rerun()
    return None


def _join(loaded: Library, found: Round, name: str, subject: str | None) -> Annotator | None:
    try:
        who = loaded.reviews.join(found.token, name, subject)
    except ContractError as error:
        st.html(review_markup.refused(error))
        return None
    review_state.set_annotator(found.token, who)
    return who


def _review(loaded: Library, found: Round, who: Annotator) -> str | None:
    if review_state.login() is None:
        remember.keep(found.token, who.name)
    assignments = loaded.reviews.assignments(found.token)
    mine = own_progress(found.queries, assignments, who.name, found.annotators_per_query)
    _progress(who, mine)
    error = review_state.error()
    if error is not None:
        st.html(review_markup.refused(error))
    own = {each.answer.query: each.answer for each in loaded.reviews.verdicts(found.token, who.id)}
    with st.container(horizontal=True, vertical_alignment="bottom", key="review-before"):
        _last(loaded, found, who)
        _back(list(own))
    # What they took back is in their hands again, beside what they were handed since; the address says which they read.
    query = review_state.chosen({each.query for each in assignments if each.annotator == who.name})
    if query is None:
        query = loaded.reviews.hand_out(found.token, who.id)
    if query is None:
        st.html(review_markup.finished(mine.done))
    else:
        _card(loaded, found, who, query, own.get(query))
    return query


def _progress(who: Annotator, mine: OwnProgress) -> None:
    with st.container(key="review-progress", gap="xxsmall"):
        st.html(review_markup.progress(who.name, mine))
        st.progress(mine.done / mine.queries if mine.queries else 1.0)


def _last(loaded: Library, found: Round, who: Annotator) -> None:
    """Say what was saved last, whose the columns were, and offer to take it back."""
    saved = review_state.last_saved(found.token)
    if saved is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", width="content", key="review-saved"):
        names = {"a": found.baseline.name, "b": found.candidate.name}
        st.html(review_markup.saved(saved, names, blind=found.blind), width="content")
        if saved.verdict is not None:
            st.button(_("Undo"), key="undo", on_click=_undo, args=(loaded, found, who, saved.query))


def _undo(loaded: Library, found: Round, who: Annotator, query: str) -> None:
    _try(found.token, lambda: loaded.reviews.undo(found.token, who.id, query).answer)
    state.go(query=query)


def _back(own: list[str]) -> None:
    """Offer to go back to what was answered."""
    if own:
        st.selectbox(
            _("Go back to a query that you answered"),
            placeholder=_("the next query"),
            index=None,
            width=320,
            **state.choice("revise", own, review_state.chosen(own), lambda query: state.go(query=query)),
        )


def _card(loaded: Library, found: Round, who: Annotator, query: str, before: Answer | None) -> None:
    reviewed = loaded.reviewed(found)
    assert reviewed is not None
    entry, a, b = reviewed
    protocol = entry.protocol
    k = protocol.k
    sides = found.sides(who.name, query)
    columns = sides.columns(a.run.rankings.get(query, [])[:k], b.run.rankings.get(query, [])[:k])
    draft = Draft.begin(found.token, query, before)
    with st.container(key="review-card", border=True):
        st.html(review_markup.card(entry, query, columns))
        with st.container(horizontal=True, key="verdicts"):
            for verdict in Verdict:
                st.button(
                    _(VERDICTS[verdict]),
                    key=f"verdict-{verdict}",
                    shortcut=verdict.key,
                    type="primary" if draft.verdict is verdict else "secondary",
                    on_click=draft.choose,
                    args=(verdict,),
                )
        _why(draft, list(dict.fromkeys([*columns[0], *columns[1]])))
        with st.container(horizontal=True, vertical_alignment="center", key="save-or-skip"):
            st.button(
                _("Save and next"),
                key="save",
                shortcut="S",
                type="primary",
                disabled=draft.verdict is None,
                on_click=_save,
                args=(loaded, found, who, draft),
            )
            if before is None:
                st.button(_("Skip"), key="skip", shortcut="K", on_click=_skip, args=(loaded, found, who, query))
            else:
                st.button(_("Leave it as it was"), key="leave", on_click=_leave, args=(draft,))
            if draft.verdict is None:
                st.caption(_("Say first what you think: keys 1 to 6."))


def _why(draft: Draft, documents: list[str]) -> None:
    """Ask for a reason, a note and marked documents, none of which anybody has to give."""
    left, right = st.columns(2, gap="medium")
    with left:
        st.selectbox(
            _("Reason"),
            list(Reason),
            index=None,
            placeholder=_("none given"),
            format_func=lambda reason: _(REASONS[reason]),
            key=draft.key("reason"),
        )
        st.text_area(_("Note"), key=draft.key("note"), height=100)
    with right:
        for mark, title in ((Mark.RELEVANT, _("Relevant, I think")), (Mark.NOT_RELEVANT, _("Not relevant, I think"))):
            st.multiselect(title, documents, key=draft.key(str(mark)), placeholder=_("no document"))


def _save(loaded: Library, found: Round, who: Annotator, draft: Draft) -> None:
    verdict = draft.verdict
    if verdict is None:  # a second click, which came when the first had saved the draft and let go of it
        return
    saved = _try(
        found.token,
        lambda: (
            loaded.reviews.save_verdict(
                found.token,
                who.id,
                draft.query,
                verdict,
                reason=draft.reason,
                note=draft.note,
                marks=draft.marks,
                client_token=draft.client_token,
            ).answer
        ),
    )
    if saved:
        draft.forget()
        state.go(query=None)


def _skip(loaded: Library, found: Round, who: Annotator, query: str) -> None:
    _try(found.token, lambda: loaded.reviews.release(found.token, who.id, query))


def _leave(draft: Draft) -> None:
    draft.forget()
    state.go(query=None)


def _try(token: str, act: Callable[[], Answer | None]) -> bool:
    """Do what changes the workspace; where it cannot be done, keep what was typed and say why."""
    try:
        review_state.done(token, act())
    except ContractError as error:
        review_state.failed(error)
        return False
    return True

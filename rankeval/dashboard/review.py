"""Review: annotators say which of two rankings serves the need; who leads makes rounds and reads what came of them."""

from __future__ import annotations

from rankeval.dashboard import components, review_lead, review_queue, review_state, state
from rankeval.dashboard.library import library


def page() -> None:
    """Draw the annotators' page where the address names a round, else that of who leads."""
    loaded = library()
    token = review_state.round_token()
    if token is not None:
        review_queue.page(loaded, token)
        return
    view = state.view(loaded)
    components.protocol_bar(loaded, view)
    review_lead.page(loaded, view)

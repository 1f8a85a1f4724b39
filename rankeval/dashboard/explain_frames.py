"""Tables of the page Why different? as pandas frames."""

from __future__ import annotations

import pandas as pd

from rankeval.core.about import need_of
from rankeval.core.exhibits import Exhibit
from rankeval.core.protocol import Protocol
from rankeval.dashboard.language import _


def behind_frame(exhibit: Exhibit, protocol: Protocol) -> pd.DataFrame:
    """Give the queries behind a difference, the greatest first; exact."""
    return pd.DataFrame(
        {
            "query": [each.query for each in exhibit.behind],
            "strict": [str(each.strict) for each in exhibit.behind],
            "wrong": [_("left out") if each.wrong is None else str(each.wrong) for each in exhibit.behind],
            "need": [need_of(protocol, each.query) for each in exhibit.behind],
        }
    )

"""A file that is wrong on purpose, so that a newcomer sees a refusal before their own file meets one."""

from __future__ import annotations

REFUSED_RUN = (
    "refused_example.json",
    b'{\n  "q2": ["d3", "d1", "d3"],\n  "q3": ["d2 ", "d5"],\n  "q9": ["d6"]\n}\n',
)
"""A run on the published example: a document twice, one with a blank too much, and a query that there is not."""

"""The colours of charts, the same for the same thing on every page; told apart by people who see few colours too.

Blue and orange differ for every kind of colour blindness (Okabe and Ito), and each stands out from a white and from a
dark page by 3 to 1 at least.  A word or a shape always says the same.
"""

from __future__ import annotations

A = "#c8641b"
"""The baseline, and what fell."""

B = "#3b82d6"
"""The candidate, and what rose."""

QUIET = "#8793a3"
"""Whatever is neither."""

MARK = "#9356c8"
"""The one that is looked at."""

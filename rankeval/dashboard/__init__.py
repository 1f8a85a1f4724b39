"""The dashboard: pages that show what the core has computed, and compute nothing."""

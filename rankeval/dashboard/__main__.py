"""The Streamlit entry of an installed package; `rankeval serve` runs it, and names the protocol to open on."""

import sys

from rankeval.dashboard.navigation import main

main(*sys.argv[1:])

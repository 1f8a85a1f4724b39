"""The Streamlit entry of an installed package; `rankeval serve` runs it, with the files to open on as arguments."""

import sys

from rankeval.dashboard.navigation import main

main(sys.argv[1:])

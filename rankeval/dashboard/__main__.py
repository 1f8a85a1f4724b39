"""The Streamlit entry of an installed package; `rankeval serve` runs it."""

from rankeval.dashboard.navigation import main

main()

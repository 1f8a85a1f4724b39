"""The Streamlit entry of a checkout: `streamlit run app.py`."""

from rankeval.dashboard.navigation import main

main()

"""Every change of the tables, as Alembic runs them; `rankeval.workspace.opening` decides when."""

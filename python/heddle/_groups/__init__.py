"""Search, unique values, and rows by group."""

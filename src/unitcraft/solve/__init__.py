"""Solvers of path conditions: one improvement for each file, one readable chain."""

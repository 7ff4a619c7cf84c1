"""Elements by a condition, and runs of equal neighbours.

elements.py has compress, nonzero and their kin, runs.py run lengths and what is folded or scanned by key.
"""

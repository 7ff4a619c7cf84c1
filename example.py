"""The README's example: a sum, running totals and a histogram, with the same bits in every run.

    python3 -m venv v && v/bin/pip install . && v/bin/python example.py
"""
import numpy as np
import heddle as hd

x = 1 / np.arange(1, 10_000_001, dtype=np.float32)  # 1, 1/2, 1/3, ...
for threads in 1, 2, 7:
    total = hd.sum(x, threads=threads)
    print(f"{threads} threads: {total:.9g} {float(total).hex()}")
running = hd.cumsum(x)
print("the last running total is that sum, bit for bit:", running[-1] == total)
counts, edges = hd.histogram(x, bins=[0, 1e-6, 1e-4, 1e-2, 1])
print("how many lie between", edges, "are", counts)

"""Figures of bench/python/run.py as lines and as a part of docs/performance.md."""
ANY = "<!-- What follows is written by "
MARK = "<!-- What follows is written by bench/python/run.py. -->"
HUNT_MARK = "<!-- What follows is written by bench/python/run.py --hunt. -->"
HUNT_ISA_MARK = "<!-- What follows is written by bench/python/run.py --hunt --isa. -->"
FRAMES_MARK = "<!-- What follows is written by bench/python/run.py --frames. -->"
SORTS_MARK = "<!-- What follows is written by bench/python/run.py --sorts. -->"
SELECTS_MARK = "<!-- What follows is written by bench/python/run.py --selects. -->"
RANKS_MARK = "<!-- What follows is written by bench/python/run.py --ranks. -->"
TABLES_MARK = "<!-- What follows is written by bench/python/run.py --tables. -->"
TENSORS_MARK = "<!-- What follows is written by bench/python/run.py --device. -->"
SCATTERS_MARK = "<!-- What follows is written by bench/python/run.py --scatters. -->"
NEXT = "<!-- What follows is written by bench/gpu/run.py. -->"


def met(row):
    """Ahead of every peer; at 1,000 elements and fewer not more than 1 us behind."""
    behind = row["seconds"]["heddle"] - row["seconds"][row["best"]]
    return row["ratio"] >= 1 or (row["elements"] <= 1000 and behind <= 1e-6)


def duration(value):
    for limit, factor, unit in ((1e-3, 1e6, "us"), (10, 1e3, "ms")):
        if value < limit:
            return f"{value * factor:.3g} {unit}"
    return f"{value:.3g} s"


def line(row):
    peers = ", ".join(f"{who} {duration(value)}" for who, value in row["seconds"].items())
    return (f"{row['work']:30} {row['dtype']:8} {row['elements']:11,} {row['threads']} thread(s) "
            f"{row['ratio']:6.2f} x {row['best']}: {peers}{'' if met(row) else '  BEHIND'}")


def section(rows, calls, bare, machine, rounds):
    import numpy as np
    short = ", ".join(f"{name} {value * 1e6:.2f}" for name, value in calls.items())
    out = ["## From Python", "",
           "Measured by `bench/python/run.py`: ours and the peers in turn in one process, results",
           "compared first. A ratio is the fastest peer's time divided by ours, the median of the pairs.",
           "One thread is `threads=1`, two is `threads=2`, which NumPy and fast-histogram do not have.",
           "",
           f"Machine: {machine}; NumPy {np.__version__}; {rounds} pairs a row (a third of that at 10^8).",
           "",
           f"A call on 10 elements, in us: {short}. The sum of 128 MiB has {bare:.3f} of the speed of the",
           "C call.", "",
           "| work | dtype | elements | threads | heddle | numpy | fast-histogram | boost-histogram | "
           "ratio | ahead |", "|---|---|---|---|---|---|---|---|---|---|"]
    for row in rows:
        times = [duration(row["seconds"][who]) if who in row["seconds"] else ""
                 for who in ("heddle", "numpy", "fast-histogram", "boost-histogram")]
        out.append(f"| {row['work']} | {row['dtype']} | {row['elements']:,} | {row['threads']} | "
                   f"{' | '.join(times)} | {row['ratio']:.2f} | {'yes' if met(row) else '**no**'} |")
    return "\n".join(out) + "\n"


def write(path, mark, text):
    """Puts a section in its place, from its mark to the next one; a new one goes before the GPU's."""
    old = path.read_text()
    if mark not in old:
        old = old.replace(NEXT, f"{mark}\n\n{NEXT}") if NEXT in old else f"{old}\n{mark}\n"
    ahead, _, rest = old.partition(mark)
    _, other, behind = rest.partition(ANY)
    new = f"{ahead}{mark}\n\n{text}" + (f"\n{other}{behind}" if other else "")
    temporary = path.with_suffix(".new")
    temporary.write_text(new)
    temporary.replace(path)

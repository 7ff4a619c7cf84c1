"""Looks for what NumPy does faster: cases of cases.py, each compared and then timed in turn.

Method   The result of ours is compared with NumPy's, exactly for integers, bools and extremes; a
         float sum, mean, variance or product with what NumPy gives in float64, within the error
         of the type that is added in: NumPy's own float16 sums are no measure. Then both run in turn
         in this process, and the least CPU time of the thread counts (with more threads: the least
         wall time). A case ends after BUDGET seconds or MOST_ROUNDS pairs, but not before the third.
"""
import collections
import json
import platform
import time
import warnings

import numpy as np

import cases
import heddle as hd

BUDGET, LEAST_ROUNDS, MOST_ROUNDS = 0.16, 3, 40
SHORT = 1e-4  # seconds: shorter work is repeated, so that reading the clock, up to 1 us, takes no part in it
CALLS = 3  # whose least tells how often: the first call is longer, and of one library more than of the other
BEHIND, LEVEL = 0.9, 1.0
WORST = 40


def calls(case, x):
    """Ours and NumPy's, as a user writes them."""
    theirs = np.maximum.accumulate if case.function == "maximum_accumulate" else \
        getattr(np, case.function)
    ours = getattr(hd, case.function)
    axis = case.axis
    if axis is None:
        return lambda: ours(x), lambda: theirs(x)
    return lambda: ours(x, axis=axis), lambda: theirs(x, axis=axis)


# ---- results --------------------------------------------------------------------------------------


def difference(case, x, ours, theirs):
    """What is wrong with a result; "" if nothing is."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return f"{ours.dtype} {ours.shape}, not {theirs.dtype} {theirs.shape}"
    if ours.dtype.kind != "f" or case.function in ("min", "max", "maximum_accumulate"):
        return "" if np.array_equal(ours, theirs, equal_nan=ours.dtype.kind == "f") else "values"
    want = getattr(np, case.function)(x, axis=case.axis, dtype=np.float64)
    bound = error_bound(case, x, want, ours.dtype)
    with np.errstate(invalid="ignore"):
        apart = np.abs(ours.astype(np.float64) - want)
    if (apart <= bound).all() or np.array_equal(ours, want.astype(ours.dtype), equal_nan=True):
        return ""
    return f"values, by {np.nanmax(apart - bound):.3g} more than they may"


def error_bound(case, x, want, dtype):
    """How far a float result may be from that in float64: rounding of the result and of sums."""
    rounded = np.finfo(dtype).eps * np.abs(want) + float(np.finfo(dtype).smallest_subnormal)
    inner = 2.0**-50 if np.dtype(case.dtype) == np.float64 or x.dtype.kind != "f" else 2.0**-22
    length = x.size if case.axis is None else np.prod(np.take(x.shape, case.axis))
    if case.function == "prod":
        return rounded + inner * np.abs(want) * length
    if case.function == "var":
        return rounded + (2.0**-40 + length * 2.0**-53) * np.abs(want)  # NumPy adds line on line
    total = getattr(np, case.function)(np.abs(x), axis=case.axis, dtype=np.float64)
    return rounded + inner * (2 + np.log2(max(length, 2))) * total


# ---- times ----------------------------------------------------------------------------------------


def least_times(ours, theirs, clock):
    """The least seconds of each, run in turn."""
    def once(work, times):
        start = clock()
        for _ in range(times):
            work()
        return (clock() - start) / times

    first = [min(once(work, 1) for _ in range(CALLS)) for work in (ours, theirs)]
    times = [max(1, int(SHORT / max(t, 1e-7))) for t in first]
    least, began, rounds = list(first), time.perf_counter(), 0
    while rounds < LEAST_ROUNDS or \
            rounds < MOST_ROUNDS and time.perf_counter() - began < BUDGET:
        for i, work in enumerate((ours, theirs)):
            least[i] = min(least[i], once(work, times[i]))
        rounds += 1
    return least


def hunt(seed, count, threads, machine):
    """All rows, and what they were made with."""
    arrays, rows, different = cases.Arrays(seed), [], []
    clock = time.thread_time if threads == 1 else time.perf_counter
    began = time.perf_counter()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for case in cases.draw(seed, count):
            x = arrays.of(case)
            ours, theirs = calls(case, x)
            wrong = difference(case, x, ours(), theirs())
            if wrong:
                different.append(f"{case}: {wrong}")
                print(f"DIFFERENT: {case}: {wrong}", flush=True)
                continue
            mine, numpys = least_times(ours, theirs, clock)
            rows.append({"case": str(case), **vars(case), "ours": mine, "numpy": numpys,
                         "ratio": numpys / mine})
    from heddle._context import context
    return {"seed": seed, "cases": count, "threads": threads, "isa": context("cpu").isa,
            "machine": machine, "numpy_version": np.__version__, "python": platform.python_version(),
            "heddle": hd.__version__, "took": time.perf_counter() - began, "different": different,
            "rows": rows}


# ---- tables ---------------------------------------------------------------------------------------


def figures(rows):
    """(rows, least, 5th percentile, median, under 0.9, under 1.0) of some rows' ratios."""
    ratios = np.array([row["ratio"] for row in rows])
    return (len(rows), ratios.min(), np.percentile(ratios, 5), np.median(ratios),
            int((ratios < BEHIND).sum()), int((ratios < LEVEL).sum()))


def groups(rows):
    """(title, its rows) by kind of shape, axis, function, dtype and layout."""
    for key in ("kind", "axis", "function", "dtype", "layout"):
        found = collections.defaultdict(list)
        for row in rows:
            name = row[key] if key != "dtype" else np.dtype(row[key]).name
            if key == "axis":
                name = "all axes" if name is None else "several axes" if isinstance(name, tuple) \
                    else "the last axis" if name % len(row["shape"]) == len(row["shape"]) - 1 \
                    else "another axis"
            found[name].append(row)
        yield key, sorted(found.items(), key=lambda item: figures(item[1])[3])


def total(found):
    count, least, fifth, median, behind, under = figures(found["rows"])
    return (f"{count} cases, seed {found['seed']}, {found['threads']} thread(s), {found['isa']}: "
            f"least {least:.2f}, 5th percentile {fifth:.2f}, median {median:.2f}; "
            f"{behind} under {BEHIND}, {under} under {LEVEL} ({under / count:.1%})")


def show(found):
    """The tables as text."""
    rows = found["rows"]
    if rows:
        for key, parts in groups(rows):
            print(f"\n{'by ' + key:24} rows  least    5%  median  <{BEHIND}  <{LEVEL}")
            for name, some in parts:
                count, least, fifth, median, behind, under = figures(some)
                print(f"{name:24} {count:4} {least:6.2f} {fifth:5.2f} {median:7.2f} {behind:5} "
                      f"{under:5}")
        print(f"\nthe worst {WORST} (NumPy's time / ours, NumPy's, ours)")
        for row in sorted(rows, key=lambda row: row["ratio"])[:WORST]:
            print(f"{row['ratio']:6.2f} {row['numpy'] * 1e6:10.1f} us {row['ours'] * 1e6:10.1f} us  "
                  f"{row['kind']}: {row['case']}")
        print(f"\n{total(found)}")
    print(f"{len(found['different'])} results differ; {found['took']:.0f} s")


def keep(found, path):
    """All rows as JSON."""
    path.write_text(json.dumps(found, indent=1, default=str) + "\n")


def section(found):
    """The part of docs/performance.md."""
    asked = found.get("asked")
    title, option = (f", {asked} alone", f" --isa {asked}") if asked else ("", "")
    out = [f"## Any shape, from Python{title}", "",
           f"Written by `bench/python/run.py --hunt --seed {found['seed']} --cases {found['cases']}",
           f"--threads {found['threads']}{option}`: cases drawn by a seed, results compared first,",
           "ours and NumPy in turn in one process, the least CPU time of the thread. A ratio is",
           "NumPy's time divided by ours.",
           "", f"Machine: {found['machine']}, {found['isa']}; NumPy {found['numpy_version']}.", "",
           f"{total(found)}.", "",
           f"| | cases | least | 5th percentile | median | under {BEHIND} | under {LEVEL} |",
           "|---|---|---|---|---|---|---|"]
    for key, parts in groups(found["rows"]):
        for name, some in parts:
            count, least, fifth, median, behind, under = figures(some)
            out.append(f"| {key} {name} | {count} | {least:.2f} | {fifth:.2f} | {median:.2f} | "
                       f"{behind} | {under} |")
    return "\n".join(out) + "\n"

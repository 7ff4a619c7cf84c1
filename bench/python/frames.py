"""Ours against bottleneck, pandas, Polars and fast-histogram: each function that both have.

A row is a function of one peer, on an array of some dtype, content and size, whole or along an axis.
Method   Results are compared first, exactly where they are integers, else to the rounding of the type
         that is added in. Then ours and the peer run in turn in this process (hunt.py), and the least CPU
         time of the process counts: Polars works on a thread of its own, of which run.py allows one.
Limits   One thread. Calls are of one meaning: pandas and bottleneck leave out NaN, and so does ours.
"""
import collections
import dataclasses
import importlib.metadata
import json
import platform
import time
import warnings

import bottleneck as bn
import fast_histogram
import numpy as np
import pandas as pd
import polars as pl

import heddle as hd
import hunt

SIZES = (1_000, 100_000, 10_000_000)
DTYPES = ("f4", "f8", "i8")
COLUMNS = 8  # of a data frame
BINS = 100
FEW = 1_000  # elements: rows of no more are not named in the page
PEERS = {"bottleneck": "Bottleneck", "pandas": "pandas", "polars": "polars",
         "fast-histogram": "fast-histogram"}


@dataclasses.dataclass(frozen=True)
class Row:
    """One comparison: what is called, on what; `form` is its kind of object."""

    peer: str
    function: str
    form: str
    shape: tuple
    axis: object
    dtype: str
    content: str

    def __str__(self):
        shape = " x ".join(f"{n:,}" for n in self.shape)
        axis = f" axis={self.axis}" if len(self.shape) > 1 else ""
        content = "" if self.content == "plain" else f", {self.content}"
        return (f"{self.peer} {self.function} {self.form} {np.dtype(self.dtype).name} "
                f"{shape}{axis}{content}")


# ---- data -----------------------------------------------------------------------------------------


def numbers(dtype, count, content, near_one=False):
    """A line of numbers: "NaN" has them at one place in ten, "wide" has 40 powers of ten."""
    rng = np.random.default_rng(count)
    if dtype == "i8":
        return rng.integers(-10**5, 10**5, count)
    x = rng.standard_normal(count)
    if near_one:  # a product that stays in the range of any type
        x = np.copysign(1 + x / 4096, x)
    if content == "wide":
        x *= 10.0 ** rng.integers(-20, 20, count)
    x = x.astype(dtype)
    if content == "NaN":
        x[rng.random(count) < 0.1] = np.nan
    return x


def null_places(count):
    return np.random.default_rng(count + 1).random(count) < 0.1


def contents(dtype, *more):
    return ("plain", *more) if dtype != "i8" else ("plain", *(m for m in more if m == "nulls"))


# ---- rows: (Row, ours, theirs), both functions of nothing -------------------------------------------


def bottleneck_rows(count):
    ours = {"nansum": hd.nansum, "nanmean": hd.nanmean, "nanvar": hd.nanvar, "nanstd": hd.nanstd,
            "nanmin": hd.nanmin, "nanmax": hd.nanmax, "nanargmin": hd.nanargmin,
            "nanargmax": hd.nanargmax, "ss": hd.sum_squares}
    side = int((count / 1.6) ** 0.5)
    for dtype in DTYPES:
        for content in contents(dtype, "NaN"):
            line = numbers(dtype, count, content)
            table = line[:side * (count // side)].reshape(side, -1)
            for x, axis in ((line, None), (table, None), (table, 0), (table, 1)):
                for name, work in ours.items():
                    if name == "ss" and content == "NaN":
                        continue  # which does not leave them out
                    yield (Row("bottleneck", name, "array", x.shape, axis, dtype, content),
                           lambda f=work, x=x, axis=axis: f(x, axis=axis),
                           lambda f=getattr(bn, name), x=x, axis=axis: f(x, axis=axis))


def pandas_series(dtype, count, content, near_one):
    x = numbers(dtype, count, content, near_one)
    if content == "nulls":
        made = pd.arrays.IntegerArray if dtype == "i8" else pd.arrays.FloatingArray
        return pd.Series(made(x, null_places(count)))
    return pd.Series(x)


def pandas_calls(function, x):
    """Ours and pandas' of a function that leaves out NaN; nulls are left out in any case."""
    theirs = getattr(x, function)
    options = {} if function == "argmax" and not isinstance(x.dtype, np.dtype) else {"skipna": True}
    if function in ("var", "std"):
        options["ddof"] = 1
    ours = getattr(hd, function)
    return lambda: ours(x, **options), theirs


def pandas_rows(count):
    running = {"cumsum": hd.cumsum, "cumprod": hd.cumprod, "cummax": hd.maximum_accumulate}
    for dtype in DTYPES:
        for content in contents(dtype, "NaN", "nulls"):
            for function in ("sum", "mean", "min", "max", "std", "var", "argmax", "prod"):
                if function == "argmax" and content == "nulls":
                    continue  # of which pandas says nothing that ours does
                x = pandas_series(dtype, count, content, function == "prod")
                yield (Row("pandas", function, "Series", x.shape, None, dtype, content),
                       *pandas_calls(function, x))
            for function, ours in running.items():
                if content == "NaN":
                    continue  # where pandas' have NaN, and ours the total so far
                x = pandas_series(dtype, count, content, function == "cumprod")
                yield (Row("pandas", function, "Series", x.shape, None, dtype, content),
                       lambda f=ours, x=x: f(x), getattr(x, function))
        yield from frame_rows(dtype, count)


def frame_rows(dtype, count):
    """A data frame along both axes: of columns from a dictionary, as most are made."""
    for content in contents(dtype, "NaN"):
        x = numbers(dtype, count, content).reshape(COLUMNS, -1)
        frame = pd.DataFrame({f"c{i}": column for i, column in enumerate(x)})
        for axis in (0, 1):
            for function in ("sum", "mean", "min", "max", "var"):
                options = {"axis": axis, **({"ddof": 1} if function == "var" else {})}
                yield (Row("pandas", function, "DataFrame", frame.shape, axis, dtype, content),
                       lambda f=getattr(hd, function), x=frame, o=options: f(x, skipna=True, **o),
                       lambda f=getattr(frame, function), o=options: f(**o))


def polars_series(dtype, count, content, near_one):
    if content == "slice":
        return pl.Series(numbers(dtype, count + 7, content, near_one)).slice(7)
    x = pl.Series(numbers(dtype, count, content, near_one))
    return x.set(pl.Series(null_places(count)), None) if content == "nulls" else x


def polars_rows(count):
    ours = {"sum": hd.sum, "mean": hd.mean, "min": hd.min, "max": hd.max, "arg_max": hd.argmax,
            "product": hd.prod, "cum_sum": hd.cumsum, "cum_prod": hd.cumprod,
            "cum_max": hd.maximum_accumulate, "std": lambda x: hd.std(x, ddof=1),
            "var": lambda x: hd.var(x, ddof=1)}
    for dtype in DTYPES:
        for content in contents(dtype, "nulls", "wide", "slice"):
            for function, work in ours.items():
                is_product = function in ("product", "cum_prod")
                if is_product and content == "wide":
                    continue
                x = polars_series(dtype, count, content, is_product)
                yield (Row("polars", function, "Series", x.shape, None, dtype, content),
                       lambda f=work, x=x: f(x), getattr(x, function))


def histogram_rows(count):
    rng = np.random.default_rng(count)
    for dtype in ("f4", "f8"):
        x = np.minimum(rng.random(count), 0.999).astype(dtype)
        weights = rng.random(count).astype(dtype)
        for function, w in (("histogram", None), ("histogram, weights", weights)):
            yield (Row("fast-histogram", function, "array", x.shape, None, dtype, "plain"),
                   lambda x=x, w=w: hd.histogram(x, BINS, (0.0, 1.0), weights=w)[0],
                   lambda x=x, w=w: fast_histogram.histogram1d(x, BINS, (0.0, 1.0), w))
        i = rng.integers(0, 1000, count, np.int32 if dtype == "f4" else np.int64)
        i[0] = 999
        yield (Row("fast-histogram", "bincount, weights", "array", x.shape, None, dtype, "plain"),
               lambda i=i, w=weights: hd.bincount(i, w),
               lambda i=i, w=weights: fast_histogram.histogram1d(i, 1000, (0, 1000), w))


def rows(sizes):
    for count in sizes:
        for made in (bottleneck_rows, pandas_rows, polars_rows, histogram_rows):
            yield from made(count)


# ---- results ----------------------------------------------------------------------------------------


def as_array(x):
    """Numbers of NumPy; nulls are NaN."""
    if isinstance(x, pd.Series) and not isinstance(x.dtype, np.dtype):
        return x.to_numpy(dtype=np.float64, na_value=np.nan)
    return np.asarray(x.to_numpy() if hasattr(x, "to_numpy") else x)


def difference(row, ours, theirs):
    """What is wrong with a result; "" if nothing is."""
    ours, theirs = as_array(ours), as_array(theirs)
    if ours.shape != theirs.shape:
        return f"{ours.shape}, not {theirs.shape}"
    if ours.dtype.kind in "iu" and theirs.dtype.kind in "iu":
        return "" if np.array_equal(ours, theirs) else "integers"
    ours, theirs = ours.astype(np.float64), theirs.astype(np.float64)
    known = theirs[np.isfinite(theirs)]
    scale = max(1.0, float(np.abs(known).max(initial=0)))
    # A peer may add or multiply float32 one after the other, and be off by a tenth at 10 million.
    close = 2e-3 + 1e-8 * np.prod(row.shape) if row.dtype == "f4" else 1e-9
    apart = ~np.isclose(ours, theirs, rtol=close, atol=close * scale, equal_nan=True)
    return f"{np.count_nonzero(apart)} of {apart.size} values" if apart.any() else ""


def measure(sizes, machine):
    """All rows, and what they were made with."""
    found, different, began = [], [], time.perf_counter()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for row, ours, theirs in rows(sizes):
            wrong = difference(row, ours(), theirs())
            if wrong:
                different.append(f"{row}: {wrong}")
                print(f"DIFFERENT: {row}: {wrong}", flush=True)
                continue
            mine, peers = hunt.least_times(ours, theirs, time.process_time)
            found.append({"case": str(row), **vars(row), "ours": mine, "theirs": peers,
                          "ratio": peers / mine})
    from heddle._context import context
    versions = {"NumPy": np.__version__,
                **{peer: importlib.metadata.version(name) for peer, name in PEERS.items()}}
    return {"isa": context("cpu").isa, "machine": machine, "versions": versions,
            "python": platform.python_version(), "took": time.perf_counter() - began,
            "different": different, "rows": found}


# ---- tables -----------------------------------------------------------------------------------------


def groups(rows):
    """(title, its rows): by peer, and by peer and function, form, dtype, size and content."""
    found = collections.defaultdict(list)
    for row in rows:
        found[row["peer"]].append(row)
    for key in ("form", "function", "dtype", "content"):
        for row in rows:
            value = row[key] if key != "dtype" else np.dtype(row[key]).name
            found[f"{row['peer']} {value}"].append(row)
    for row in rows:
        found[f"{row['peer']} {10 ** round(np.log10(np.prod(row['shape']))):,} elements"].append(row)
    order = list(PEERS)
    return sorted(found.items(), key=lambda item: order.index(item[1][0]["peer"]))


def behind(found):
    return sorted((row for row in found["rows"] if row["ratio"] < hunt.BEHIND),
                  key=lambda row: row["ratio"])


def total(found):
    count, least, fifth, median, under, below = hunt.figures(found["rows"])
    return (f"{count} rows, 1 thread, {found['isa']}: least {least:.2f}, 5th percentile {fifth:.2f}, "
            f"median {median:.2f}; {under} under {hunt.BEHIND}, {below} under {hunt.LEVEL} "
            f"({below / count:.1%})")


def line(row):
    return (f"{row['ratio']:6.2f} {row['theirs'] * 1e6:10.2f} us {row['ours'] * 1e6:10.2f} us  "
            f"{row['case']}")


def show(found):
    """The tables as text."""
    print(f"\n{'':34} rows  least    5%  median  <{hunt.BEHIND}  <{hunt.LEVEL}")
    for name, some in groups(found["rows"]):
        count, least, fifth, median, under, below = hunt.figures(some)
        print(f"{name:34} {count:4} {least:6.2f} {fifth:5.2f} {median:7.2f} {under:5} {below:5}")
    print(f"\nunder {hunt.BEHIND} (the peer's time / ours, the peer's, ours)")
    for row in behind(found):
        print(line(row))
    print(f"\n{total(found)}\n{len(found['different'])} results differ; {found['took']:.0f} s")


def keep(found, path):
    """All rows as JSON."""
    path.write_text(json.dumps(found, indent=1, default=str) + "\n")


def section(found):
    """The part of docs/performance.md."""
    versions = ", ".join(f"{name} {version}" for name, version in found["versions"].items())
    out = ["## Data frames and bottleneck, from Python", "",
           "Written by `bench/python/run.py --frames`: each function that ours and a peer both have,",
           "results compared first, ours and the peer in turn in one process, the least CPU time; one",
           "thread. A ratio is the peer's time divided by ours.", "",
           f"Machine: {found['machine']}, {found['isa']}; {versions}.", "", f"{total(found)}.", "",
           f"| | rows | least | 5th percentile | median | under {hunt.BEHIND} | under {hunt.LEVEL} |",
           "|---|---|---|---|---|---|---|"]
    for name, some in groups(found["rows"]):
        count, least, fifth, median, under, below = hunt.figures(some)
        out.append(f"| {name} | {count} | {least:.2f} | {fifth:.2f} | {median:.2f} | {under} | "
                   f"{below} |")
    short = [row for row in behind(found) if np.prod(row["shape"]) > FEW]
    if short:
        out += ["", f"Under {hunt.BEHIND}, of more than {FEW:,} elements; of fewer, what a call costs by",
                "itself decides.", "", "| row | ratio | peer | ours |", "|---|---|---|---|"]
    for row in short:
        out.append(f"| {row['case']} | {row['ratio']:.2f} | {row['theirs'] * 1e6:.2f} us | "
                   f"{row['ours'] * 1e6:.2f} us |")
    return "\n".join(out) + "\n"

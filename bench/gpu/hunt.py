"""Looks for what CUB, PyTorch or CuPy do faster: jobs drawn at random, verified, and timed in turn.

A draw is a function, a type, a distribution, a number of elements from 2^8 to 2^27, and how many elements
the array, and a scan's results, lie behind an aligned address. The seed gives the same draws again.
"""
import collections
import json

import numpy as np

import rows as table

BLOCK = 1 << 22  # elements of a file
BEHIND = 0.97
WORST = 10
TYPES = {"sum": "f32 f64 i32 i64 u8", "min": "f32 f64 i32 i64", "max": "f32 f64 i32 i64",
         "dot": "f32 f64", "scan": "f32 f64 i32 i64", "before": "f32 f64 i32 i64",
         "even": "f32 f64 i32", "integer": "i32 i64 u8", "edges": "f32 f64", "weights": "f32 i64",
         "rows": "f32", "columns": "f32"}
DISTRIBUTIONS = ("uniform", "constant", "sorted", "u^4", "wide", "holes", "few")
LEAST, MOST = 8, 27  # bits of a number of elements
MOST_OFFSET = 64


def draw(rng):
    """One job, as rows.py writes them."""
    what = str(rng.choice(list(TYPES)))
    kind = str(rng.choice(TYPES[what].split()))
    n = int(2 ** rng.uniform(LEAST, MOST))
    dist = str(rng.choice(DISTRIBUTIONS if kind != "u8" else ("uniform", "constant", "log skew")))
    more = {}
    if what in ("even", "integer", "edges", "weights"):
        bins = int(2 ** rng.uniform(1, 12 if what == "edges" else 20))
        more = {"bins": bins, "lo": 0, "hi": 1 if kind[0] == "f" else 1 << 20}
        if what == "integer" or (what == "weights" and kind[0] == "i"):
            more |= {"kind": "integer", "bins": 256 if kind == "u8" else 1 << int(rng.integers(4, 21))}
        if what == "edges":
            more |= {"kind": "edges", "edges": bins}
    if what in ("rows", "columns"):
        more["row"] = int(2 ** rng.uniform(0, min(14, np.log2(n))))
        n -= n % more["row"]
    if rng.random() < 0.5:
        more["offset"] = int(rng.integers(1, MOST_OFFSET))
    if what in ("scan", "before") and rng.random() < 0.5:
        more["out_offset"] = int(rng.integers(1, MOST_OFFSET))
    name = "hist" if what in ("even", "integer", "edges") else what
    return table.job(name, kind, n, dist, **more, reps=15)


def name_of(job):
    said = " ".join(f"{k} {v}" for k, v in job.items()
                    if k not in ("what", "type", "n", "dist", "reps", "lo", "hi", "edges"))
    return f"{job['what']} {job['type']} {job['n']:,} {job['dist']} {said}"


def compared(job, said, heddle, peers):
    """One line of the hunt: ours, the fastest peer, and how many times faster we are."""
    ours = heddle.ask(said)
    theirs = {name: answer["ms"] for name, peer in peers.items()
              if peer and (answer := peer.ask(said))}
    best = min(theirs, key=theirs.get) if theirs else None
    ratio = theirs[best] / ours["ms"] if ours and best else None
    return {"job": job, "name": name_of(job), "ours": ours, "peers": theirs, "best": best,
            "ratio": ratio}


def summary(found, seed):
    """The ten worst, what of it is wrong, and how many are behind."""
    wrong = [f for f in found if not (f["ours"] or {}).get("verified")]
    told = sorted((f for f in found if f["ratio"] and f not in wrong), key=lambda f: f["ratio"])
    lines = [f"seed {seed}: {len(found)} draws, {len(told)} with a peer"]
    for f in told[:WORST]:
        lines.append(f"{f['ratio']:7.2f}  {f['ours']['ms'] * 1e3:10.1f} us  "
                     f"{f['best']} {f['peers'][f['best']] * 1e3:10.1f} us  {f['name']}")
    ratios = [f["ratio"] for f in told]
    if ratios:
        behind = collections.Counter(f["job"]["what"] for f in told if f["ratio"] < BEHIND)
        lines.append(f"behind by more than 3%: {sum(behind.values())} {dict(behind)}; "
                     f"median {np.median(ratios):.2f}")
    lines += [f"NOT VERIFIED: {f['name']}: {(f['ours'] or {}).get('why', 'no answer')}" for f in wrong]
    return lines


def hunt(arguments, heddle, peers, data):
    """True if a result was wrong."""
    rng = np.random.default_rng(arguments.seed)
    found = []
    for _ in range(arguments.draws):
        job = draw(rng)
        found.append(compared(job, data.of(job, BLOCK), heddle, peers))
        if arguments.results:
            arguments.results.write_text(json.dumps(found, indent=1))
    print("\n".join(summary(found, arguments.seed)))
    return any(not (f["ours"] or {}).get("verified") for f in found)

"""heddle.torch's scatters and ranks on a GPU beside PyTorch's own, and its deterministic ones.

Results are compared first: with PyTorch's to rounding, and of ours two runs to the bit. Ours, PyTorch's,
and PyTorch's under torch.use_deterministic_algorithms, run in turn; figures are medians by the device's clock.
"""
import json
import statistics
import time

GROUPS = 1 << 20
VALUES = 1 << 26


def cases(torch, ht, device, values):
    """(work, ours, theirs, whether PyTorch has a deterministic one)."""
    for width in (1, 16, 64, 256):
        count = values // width
        shape = (width,) if width > 1 else ()
        ids = torch.randint(0, GROUPS, (count,), device=device)
        src, x = torch.randn(count, *shape, device=device), torch.zeros(GROUPS, *shape, device=device)
        yield (f"index_add of {count:,} rows of {width} into {GROUPS:,}", lambda: ht.index_add(x, 0, ids, src),
               lambda: x.index_add(0, ids, src), True)
    few, src = torch.zeros(1000, device=device), torch.randn(values // 4, device=device)
    ids = torch.randint(0, 1000, (values // 4,), device=device)
    yield (f"scatter_add of {values // 4:,} into 1,000", lambda: ht.scatter_add(few, 0, ids, src),
           lambda: few.scatter_add(0, ids, src), True)
    yield (f"scatter_reduce, amax, of {values // 4:,} into 1,000",
           lambda: ht.scatter_reduce(few, 0, ids, src, "amax"),
           lambda: few.scatter_reduce(0, ids, src, "amax"), True)
    short, some = src[:1000], ids[:1000]
    yield ("index_add of 1,000 into 1,000", lambda: ht.index_add(few, 0, some, short),
           lambda: few.index_add(0, some, short), True)
    y = torch.randn(values, device=device)
    rows = y.reshape(-1, 1024)
    yield f"topk, 1,024 of {values:,}", lambda: ht.topk(y, 1024)[0], lambda: torch.topk(y, 1024)[0], False
    yield (f"topk, 16 of each of {len(rows):,} rows of 1,024", lambda: ht.topk(rows, 16)[0],
           lambda: torch.topk(rows, 16)[0], False)
    yield f"median of {values:,}", lambda: ht.median(y), lambda: torch.median(y), False
    yield (f"median of each of {len(rows):,} rows of 1,024", lambda: ht.median(rows, 1)[0],
           lambda: torch.median(rows, 1)[0], False)
    yield (f"sort of {values:,} with positions", lambda: ht.sort(y)[0],
           lambda: torch.sort(y, stable=True)[0], False)


def timed(torch, call):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    call()
    end.record()
    torch.cuda.synchronize()
    return begin.elapsed_time(end)


def deterministic(torch, call):
    torch.use_deterministic_algorithms(True)
    try:
        return timed(torch, call)
    finally:
        torch.use_deterministic_algorithms(False)


def measure(device, largest, rounds):
    import torch

    import heddle.torch as ht
    found = {"gpu": torch.cuda.get_device_name(), "torch": torch.__version__, "date": time.strftime("%Y-%m-%d"),
             "rows": [], "different": 0}
    for work, ours, theirs, has_deterministic in cases(torch, ht, torch.device(device), min(VALUES, largest)):
        first, again, wanted = ours(), ours(), theirs()
        same = torch.equal(first, again) and torch.allclose(first, wanted, atol=1e-3, rtol=1e-5)
        found["different"] += not same
        times = {"heddle": [], "torch": [], "deterministic": []}
        for _ in range(rounds + 2):
            times["heddle"].append(timed(torch, ours))
            times["torch"].append(timed(torch, theirs))
            if has_deterministic:
                times["deterministic"].append(deterministic(torch, theirs))
        found["rows"].append({"work": work, "same": same,
                              "ms": {who: statistics.median(t[2:]) for who, t in times.items() if t}})
    return found


def cells(row):
    ms = row["ms"]
    peer = ms.get("deterministic", ms["torch"])
    shown = [f"{ms[who]:.3f}" if who in ms else "" for who in ("heddle", "torch", "deterministic")]
    return [row["work"], *shown, f"{peer / ms['heddle']:.2f}"]


def show(found):
    for row in found["rows"]:
        print("{:58} heddle {:>8} ms, torch {:>8}, deterministic {:>8}: {} x".format(*cells(row)),
              "" if row["same"] else "DIFFERENT", flush=True)


def keep(found, path):
    path.write_text(json.dumps(found, indent=1))


def section(found):
    out = ["## Scatters and ranks of PyTorch tensors", "",
           "Measured by `bench/python/run.py --scatters --device cuda` on one "
           f"{found['gpu']}, {found['date']}: `heddle.torch`,", f"PyTorch {found['torch']}, and PyTorch under "
           "`torch.use_deterministic_algorithms(True)`, in turn, in ms. What PyTorch adds",
           "atomically has other bits on every run. A ratio is PyTorch's time, the deterministic one where",
           "there is one, divided by ours. float32; our results have the same bits on every run.", "",
           "| work | heddle | PyTorch | deterministic | ratio |", "|---|---|---|---|---|"]
    return "\n".join(out + [f"| {' | '.join(cells(row))} |" for row in found["rows"]]) + "\n"

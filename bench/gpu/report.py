"""Figures of bench/gpu/run.py as lines and as the GPU's part of docs/performance.md."""
MARK = "<!-- What follows is written by bench/gpu/run.py. -->"
NAMES = {"cub": "CUB", "torch": "PyTorch", "cupy": "CuPy"}


def speed(entry, who):
    """GB/s of a program, or None."""
    answer = entry.get(who)
    return entry["moved"] / answer["ms"] / 1e6 if answer and answer["ms"] and entry["moved"] else None


def is_short(entry):
    return any(kind in ("launch", "time", "ms") for kind, _ in entry["targets"]) or \
        (entry.get("heddle") or {}).get("ms", 1) < 0.05


def figure(entry, who):
    answer = entry.get(who)
    if not answer or not answer["ms"]:
        return ""
    if entry["group"] == "first call":
        return f"{answer['ms']:.0f} ms"
    return f"{answer['ms'] * 1e3:.1f} us" if is_short(entry) else f"{speed(entry, who):,.0f}"


def reached(entry, target, ceilings):
    """(what is reached, what is asked for, met) of a target; None where it cannot be told."""
    kind, number = target
    ours, cub = entry.get("heddle"), entry.get("cub")
    if not ours or not ours["ms"]:
        return None
    if kind in ("read", "copy", "upload"):
        if kind not in ceilings:
            return None
        share = speed(entry, "heddle") * 1e9 / ceilings[kind]
        return f"{share:.3f} of {kind}", f"{number}", share >= number
    if kind == "ms":
        return f"{ours['ms']:.1f} ms", f"{number} ms", ours["ms"] <= number
    if not cub:
        return None
    if kind == "cub":
        return f"{cub['ms'] / ours['ms']:.1f} x CUB", f"{number} x", cub["ms"] / ours["ms"] >= number
    most = number * cub["ms"]
    if kind == "launch":
        most = max(most, ceilings.get("empty_ms", 0) + 0.0015)
    return (f"{ours['ms'] / cub['ms']:.2f} of CUB's time", f"{most * 1e3:.1f} us", ours["ms"] <= most)


def one_line(entry, ceilings):
    told = [reached(entry, t, ceilings) for t in entry["targets"]]
    marks = ", ".join(f"{t[0]} ({'met' if t[2] else 'MISSED, asked ' + t[1]})" for t in told if t)
    ours = entry.get("heddle") or {}
    state = "" if ours.get("verified") else f"  NOT VERIFIED: {ours.get('why', 'no answer')}"
    peers = "  ".join(f"{name} {figure(entry, who)}" for who, name in NAMES.items()
                      if figure(entry, who))
    return f"{entry['group']:20} {entry['name']:46} {figure(entry, 'heddle'):>10}  {peers}  {marks}{state}"


def table(entries, ceilings):
    out = ["| work | Heddle | CUB | PyTorch | CuPy | to CUB | reached | asked | met |",
           "|---|---|---|---|---|---|---|---|---|"]
    for entry in entries:
        told = [t for t in (reached(entry, t, ceilings) for t in entry["targets"]) if t]
        ours, cub = entry.get("heddle"), entry.get("cub")
        ratio = f"{cub['ms'] / ours['ms']:.2f}" if ours and cub and ours["ms"] else ""
        met = "" if not told else "yes" if all(t[2] for t in told) else "**no**"
        if not (ours or {}).get("verified"):
            met = f"**wrong: {(ours or {}).get('why', 'no answer')}**"
        cells = [entry["name"], *(figure(entry, w) for w in ("heddle", *NAMES)), ratio,
                 "; ".join(t[0] for t in told), "; ".join(t[1] for t in told), met]
        out.append("| " + " | ".join(cells) + " |")
    return out


def notes(results):
    """Spread over distributions, and how many results CUB's scans gave."""
    out, spreads = [], {}
    for entry in results["rows"]:
        if entry["spread"] and speed(entry, "heddle"):
            spreads.setdefault(entry["spread"], []).append(speed(entry, "heddle"))
    for name, speeds in spreads.items():
        out.append(f"Distributions of {name}: the slowest has {min(speeds) / max(speeds):.3f} of the "
                   "fastest's speed.")
    several = [(e["name"], e["cub"]["results"]) for e in results["rows"]
               if (e.get("cub") or {}).get("results", 1) > 1]
    out += [f"CUB's {name}: {count} different results in 40 runs; Heddle's: one." for name, count in
            several]
    return out


def markdown(results):
    c = results["ceilings"]
    said = [f"{what} {c[key] / 1e9:,.0f} GB/s" for key, what in
            (("read", "reading"), ("copy", "a copy on the device, read and written,"),
             ("upload", "a copy from pinned memory")) if key in c]
    if "empty_ms" in c:
        said.append(f"an empty launch {c['empty_ms'] * 1e3:.1f} us")
    out = [MARK, "", "## On a GPU", "",
           f"Measured by `bench/gpu/run.py` on one {results['gpu']}, {results['date']}: Heddle and",
           f"{', '.join(results['peers'].values()) or 'no peer'} in turn, row by row, on the same data,",
           "medians by the device's own clock. GB/s unless another unit is given. Every result of",
           "Heddle was verified first: counts are exact, everything else has the bits that a CPU",
           "gives, scans 40 times out of 40.", "",
           f"Ceilings of the same run: {'; '.join(said)}.", ""]
    groups = []
    for entry in results["rows"]:
        if entry["group"] not in groups:
            groups.append(entry["group"])
    for group in groups:
        out += [f"### {group}", ""]
        out += table([e for e in results["rows"] if e["group"] == group], c) + [""]
    for line in notes(results):
        out += [line, ""]
    return "\n".join(out)


def write(path, text):
    """Puts the text in place of what was there from its mark on."""
    before = path.read_text().partition(MARK)[0].rstrip("\n")
    temporary = path.with_suffix(".new")
    temporary.write_text(before + "\n\n" + text)
    temporary.replace(path)

"""Every figure of the README's speed tables is one of docs/performance.md, of one run and the right row.

What is printed by a benchmark goes to docs/performance.md; the README repeats some of it by hand.
"""
import re

import tree

GPU = "## On a GPU\n"


def cells(text):
    """The rows of every table in a text, as lists of cells."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()
            if line.startswith("|")]
    return [row for row in rows if not set("".join(row)) <= set("-")]


def tables():
    """The README's rows: on a CPU, on a GPU."""
    part = tree.read("README.md").split("\n## Speed\n")[1].split("\n## ")[0]
    rows = cells(part)
    starts = [index for index, row in enumerate(rows) if row[0] == "work"]
    return rows[starts[0] + 1:starts[1]], rows[starts[1] + 1:]


def measured():
    """docs/performance.md's rows: all, and those of the run on the GPU with its ceilings."""
    text = tree.read("docs/performance.md")
    run = text.split("\n" + GPU)[1].split("\n## ")[0]
    return cells(text.split("\n" + GPU)[0]), cells(run), run


def rounded(measurement, figure):
    """A figure is a measured one, "5.86 (5.70 to 5.90)", with fewer digits; a half goes either way."""
    unit = 10.0 ** -len(figure.partition(".")[2])
    return abs(float(measurement.split()[0]) - float(figure)) <= unit / 2 + 1e-9


def on_a_cpu(row, rows):
    """What is wrong with a README's row of one and two threads."""
    for threads, cell in zip("12", row[1:3]):
        peers = [r for r in rows if len(r) == 8 and r[2] == threads]
        figures = [float(figure) for figure in re.findall(r"\d+(?:\.\d+)?", cell.replace("GB/s", ""))]
        if "GB/s" in cell:
            ratio = cell.split(", ")[1].removesuffix(" x")
            fits = [r for r in peers if r[3] == f"{figures[0]} GB/s" and rounded(r[5], ratio)]
            if not fits:
                yield f"{row[0]}, {threads} threads: {cell}"
        else:
            said = sorted(r[5] for r in peers if r[4] == "numpy.loadtxt")
            if len(said) != 2 or not all(rounded(*pair) for pair in zip(said, map(str, figures))):
                yield f"{row[0]}, {threads} threads: {cell}, measured {said}"


def on_a_gpu(row, rows, run):
    """What is wrong with a README's row of a GPU: four times or speeds, and the share of the ceiling."""
    peers = [r for r in rows if [c for c in r[1:5]] == row[1:5]]
    if len(peers) != 1:
        yield f"{row[0]}: {row[1:5]} are in {len(peers)} rows"
    share = re.match(r"(\d\.\d\d) of (reading|a copy)$", row[5])
    if share:
        ceiling = re.search({"reading": r"reading ([\d,]+) GB/s", "a copy": r"read and written, ([\d,]+) GB/s"}[
            share[2]], run)[1]
        reached = float(row[1].replace(",", "")) / float(ceiling.replace(",", ""))
        if abs(reached - float(share[1])) > 0.0051:
            yield f"{row[0]}: {row[5]}, measured {reached:.3f}"
    elif row[5] and f"an empty launch {re.search(r'[0-9.]+ us', row[5])[0]}" not in run:
        yield f"{row[0]}: {row[5]}"


def test_the_figures_of_the_readme_are_measured():
    (cpu, gpu), (rows, gpu_rows, run) = tables(), measured()
    wrong = [fault for row in cpu for fault in on_a_cpu(row, rows)]
    wrong += [fault for row in gpu for fault in on_a_gpu(row, gpu_rows, run)]
    assert len(cpu) >= 7 and len(gpu) >= 10 and not wrong, "\n".join(wrong)


def test_a_figure_that_nobody_measured_is_seen():
    (cpu, gpu), (rows, gpu_rows, run) = tables(), measured()
    assert list(on_a_cpu([cpu[0][0], "17.2 GB/s, 1.01 x", *cpu[0][2:]], rows))
    assert list(on_a_cpu([cpu[-1][0], "3.3 to 6.2 x", *cpu[-1][2:]], rows))
    assert list(on_a_gpu([*gpu[0][:2], "4,599", *gpu[0][3:]], gpu_rows, run))
    assert list(on_a_gpu([*gpu[0][:5], "1.03 of reading"], gpu_rows, run))

"""hist2d: counts and edges equal to NumPy's, and what is drawn of them."""

import csv
import io
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from conftest import TYPES


@pytest.fixture
def points():
    rng = np.random.default_rng(2)
    x, y = rng.standard_normal((2, 20_003))
    return x, 3 * y + x


def check(got, counts, x_edges, y_edges):
    assert got["counts"] == counts.astype(int).tolist()
    assert got["x_edges"] == x_edges.tolist() and got["y_edges"] == y_edges.tolist()


@pytest.mark.parametrize("name", TYPES)
def test_two_files(heddle, tmp_path, name):
    rng = np.random.default_rng(1)
    x, y = (rng.integers(0, 50, 5_003).astype(TYPES[name]) for _ in "xy")
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "y.npy", y)
    got = heddle.json("hist2d", "--bins", "7,5", "--x-range", 3, 45, "--y-range", 0, 40,
                      tmp_path / "x.npy", tmp_path / "y.npy")
    check(got, *np.histogram2d(x.astype(float), y.astype(float), (7, 5), ((3, 45), (0, 40))))
    assert got["x"] == {"under": int((x < 3).sum()), "over": int((x > 45).sum()), "nan": 0}
    assert got["count"] == x.size


def table(path, x, y):
    path.write_text("a,id,b\n" + "".join(f"{p!r},0,{q!r}\n" for p, q in
                                         zip(x.tolist(), y.tolist())))
    return path


def test_columns_of_a_table(heddle, tmp_path, points):
    path = table(tmp_path / "t.csv", *points)
    check(heddle.json("hist2d", "-c", "a,b", path), *np.histogram2d(*points))
    check(heddle.json("hist2d", "-c", "b,a", "--bins", 4, path), *np.histogram2d(*points[::-1], 4))
    piped = heddle.json("hist2d", "-c", "a,b", "-", stdin=path.read_bytes())
    check(piped, *np.histogram2d(*points))


def test_every_block_is_added(heddle, tmp_path):
    np.tile(np.arange(256, dtype=np.uint8), 160_000).tofile(tmp_path / "x.raw")  # three blocks
    got = heddle.json("hist2d", "--bytes", "--bins", 16, *[tmp_path / "x.raw"] * 2)
    assert got["counts"] == (np.eye(16, dtype=int) * 16 * 160_000).tolist()
    assert got["count"] == 256 * 160_000


def test_what_is_not_finite_is_outside(heddle, tmp_path):
    path = tmp_path / "t.txt"
    path.write_text("0 0\nnan 1\n1 inf\n2 2\n")
    got = heddle.json("hist2d", "-c", "1,2", "--bins", 2, path)
    assert got["counts"] == [[1, 0], [0, 1]] and got["count"] == 4
    assert got["x"]["nan"] == 1 and got["y"]["over"] == 1


def test_no_points(heddle, tmp_path):
    np.save(tmp_path / "x.npy", np.empty(0))
    got = heddle.json("hist2d", "--bins", "1,2", *[tmp_path / "x.npy"] * 2)
    assert got["counts"] == [[0, 0]] and got["x_edges"] == [0, 1]
    assert "0 points" in heddle.text("hist2d", *[tmp_path / "x.npy"] * 2)


def test_csv_npy_and_density(heddle, tmp_path, points):
    path = table(tmp_path / "t.csv", *points)
    counts, x, y = np.histogram2d(*points, (6, 3))
    density = np.histogram2d(*points, (6, 3), density=True)[0]
    rows = list(csv.DictReader(io.StringIO(
        heddle.text("hist2d", "-c", "a,b", "--bins", "6,3", "--density", "--csv", path))))
    assert [int(r["count"]) for r in rows] == counts.astype(int).ravel().tolist()
    assert [float(r["x_lo"]) for r in rows] == np.repeat(x[:-1], 3).tolist()
    assert [float(r["y_hi"]) for r in rows] == np.tile(y[1:], 6).tolist()
    np.testing.assert_allclose([float(r["density"]) for r in rows], density.ravel(), rtol=1e-14)
    out = tmp_path / "h.npy"
    heddle("hist2d", "-c", "a,b", "--bins", "6,3", path, "-o", out)
    np.testing.assert_array_equal(np.load(out), counts)
    heddle("hist2d", "-c", "a,b", "--bins", "6,3", "--density", path, "-o", out)
    np.testing.assert_allclose(np.load(out), density, rtol=1e-14)


def diagonal(tmp_path, n):
    path = tmp_path / "d.txt"
    path.write_text("".join(f"{i} {i}\n" for i in range(n)))
    return path


def test_the_map_has_a_shade_a_cell(heddle, tmp_path):
    out = heddle.text("hist2d", "-c", "1,2", "--bins", 4, "--ascii", "--plot-width", 60,
                      "--title", "A line", diagonal(tmp_path, 4))
    lines = out.splitlines()
    assert lines[0] == "A line"
    rows = [line.split("|")[1] for line in lines if "|" in line]
    assert len(rows) % 4 == 0 and len(set(map(len, rows))) == 1
    high, wide = len(rows) // 4, len(rows[0]) // 4
    for row, text in enumerate(rows):
        at = 3 - row // high
        assert text == " " * wide * at + "@" * wide + " " * wide * (3 - at)
    assert lines[1].split()[0] == "3" and "4 points" in lines[-1]


def test_many_bins_share_cells(heddle, tmp_path):
    out = heddle.text("hist2d", "-c", "1,2", "--bins", "500,300", "--plot-width", 70,
                      diagonal(tmp_path, 1_000))
    rows = [line for line in out.splitlines() if "\u2502" in line]
    assert len(rows) <= 24 and all(len(row) <= 70 for row in rows)
    assert "bins a cell" in out


def test_the_picture(heddle, tmp_path):
    svg = tmp_path / "m.svg"
    heddle("hist2d", "-c", "1,2", "--bins", 4, "--title", "a < b", diagonal(tmp_path, 4), "-o", svg)
    root = ET.parse(svg).getroot()
    space = "{http://www.w3.org/2000/svg}"
    cells = [r for r in root.iter(f"{space}rect") if r.find(f"{space}title") is not None]
    assert len(cells) == 4
    xs, ys = zip(*((float(c.get("x")), float(c.get("y"))) for c in cells))
    assert list(xs) == sorted(xs) and list(ys) == sorted(ys, reverse=True)
    assert root.find(f"{space}title").text == "a < b"


@pytest.mark.parametrize("arguments, said", [
    (["--bins", "0"], "--bins"), (["--bins", "3,"], "--bins"), (["--bins", "3,4,5"], "--bins"),
    (["--bins", "100000"], "268435456"), (["--x-range", "2", "1"], "--x-range"),
    (["--y-range", "0", "inf"], "--y-range"), ([], "two of its columns")])
def test_refusals(heddle, tmp_path, arguments, said):
    columns = ["-c", "1,2"] if arguments else []
    assert said in heddle.error("hist2d", *columns, *arguments, diagonal(tmp_path, 4), code=2)


def test_files_of_two_lengths_or_types(heddle, tmp_path):
    for name, x in (("x", np.zeros(3)), ("y", np.zeros(4)), ("z", np.zeros(3, "f4"))):
        np.save(tmp_path / f"{name}.npy", x)
    ends = ["--x-range", 0, 1, "--y-range", 0, 1]
    for other in "yz":
        heddle.error("hist2d", *ends, tmp_path / "x.npy", tmp_path / f"{other}.npy", code=1)

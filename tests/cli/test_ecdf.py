"""ecdf: the steps of NumPy's sorted elements, of all ranks or some."""

import csv
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from conftest import TYPES


@pytest.mark.parametrize("name", ["u8", "i16", "u64", "f16", "f32", "f64"])
def test_every_step_of_few_elements(heddle, save, name):
    x = np.random.default_rng(1).integers(0, 90, 999).astype(TYPES[name])
    values, counts = np.unique(x, return_counts=True)
    got = heddle.json("ecdf", save(x))
    assert got["values"] == values.tolist() and got["ranks"] == counts.cumsum().tolist()
    assert got["shares"] == (counts.cumsum() / len(x)).tolist()
    assert (got["count"], got["nan"]) == (999, 0)


@pytest.mark.parametrize("points", [1, 7, 100, 1001])
def test_some_ranks_of_many_elements(heddle, save, points):
    x = np.random.default_rng(points).standard_normal(20_003)
    x[5] = np.nan
    n = len(x) - 1
    ranks = [-(-k * n // points) for k in range(1, points + 1)]
    rows = list(csv.reader(heddle.text("ecdf", "--points", points, "--csv", save(x)).splitlines()))
    assert rows[0] == ["value", "share", "rank"]
    assert [int(row[2]) for row in rows[1:]] == ranks
    assert [float(row[0]) for row in rows[1:]] == np.sort(x)[np.array(ranks) - 1].tolist()
    assert [float(row[1]) for row in rows[1:]] == [rank / n for rank in ranks]


def test_rows_of_a_table(heddle):
    table = b"kind,price\na,3\nb,9\na,-0\na,\na,0\na,inf\n"
    got = heddle.json("ecdf", "-c", "price", "--where", 'kind == "a"', stdin=table)
    assert got == {"values": [0, 3, "inf"], "shares": [0.5, 0.75, 1], "ranks": [2, 3, 4], "nan": 1,
                   "count": 5}


def test_plot_and_picture(heddle, save, tmp_path):
    path, out = save(np.array([1, 2, 2, 5.0])), tmp_path / "e.svg"
    lines = heddle.text("ecdf", "--svg", out, "--title", "a < b", "--plot-width", 51, path).splitlines()
    assert lines[0] == "a < b" and lines[-1] == "4 elements" and max(map(len, lines)) <= 51
    # The share is 1 at the greatest alone.
    assert lines[1].startswith("       1 ┤") and lines[1].count("█") == 1
    assert lines[9].count("█") == 31  # three quarters from 2 on, of 40 columns from 1 to 5
    bars = [node for node in ElementTree.parse(out).getroot().iter() if node.get("class") == "bar"]
    assert [node[0].text for node in bars] == ["[1, 2): 0.25", "[2, 5): 0.75", "[5, 5.08]: 1"]
    heights = np.array([float(node.get("height")) for node in bars])
    np.testing.assert_allclose(heights / heights[2], [0.25, 0.75, 1], atol=1e-3)
    for x in ([3.0, 3, 3], [-np.inf, 0, np.inf], [-1e308, 1e308], np.arange(3000.0)):
        heddle("ecdf", "-o", out, save(np.array(x)))
        ElementTree.parse(out)
        assert "█" in heddle.text("ecdf", save(np.array(x)))


def test_what_has_no_distribution(heddle, save):
    assert "all are NaN" in heddle.error("ecdf", save(np.array([np.nan])), code=1)
    assert "no values" in heddle.error("ecdf", save(np.array([])), code=1)
    assert "infinite" in heddle.error("ecdf", save(np.array([np.inf])), code=1)
    assert "--points" in heddle.error("ecdf", "--points", 65537, save(np.array([1.0])), code=2)
    assert "one column" in heddle.error("ecdf", "-c", "1,2", stdin=b"1,2\n", code=2)

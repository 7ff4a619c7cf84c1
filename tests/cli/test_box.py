"""box: NumPy's quartiles, whiskers and outliers counted by hand; of columns and of groups."""

import csv
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from conftest import TYPES


def box(x):
    """Tukey's, of values as they are."""
    x = np.asarray(x, np.float64)
    values = x[~np.isnan(x)]
    q1, median, q3 = np.quantile(values, [0.25, 0.5, 0.75])
    low, high = q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)
    return {"min": values.min(), "whisker_low": min(values[values >= low].min(), q1), "q1": q1,
            "median": median, "q3": q3, "whisker_high": max(values[values <= high].max(), q3),
            "max": values.max(), "count": len(x), "nan": int(np.isnan(x).sum()),
            "outliers": int(((values < low) | (values > high)).sum())}


@pytest.mark.parametrize("name", ["u8", "i32", "f32", "f64"])
def test_a_box_of_an_array(heddle, save, name):
    x = (50 + 12 * np.random.default_rng(1).standard_normal(9001)).astype(TYPES[name])
    path = save(x)
    got, = heddle.json("box", path)
    assert got == {"column": str(path), **box(x)} and got["outliers"] > 10
    for few in (x[:1], x[:2], x[:5]):
        assert heddle.json("box", save(few))[0].items() >= box(few).items()


def test_whiskers_do_not_end_inside_the_box(heddle, save):
    """The least value within reach may lie above a quartile that is between two values."""
    for x in ([-100.0, 0, 0, 0], [0, 0, 0, 100.0]):
        want = box(x)
        assert want["outliers"] == 1 and (want["whisker_low"], want["whisker_high"]) == (want["q1"], want["q3"])
        assert heddle.json("box", save(np.array(x)))[0].items() >= want.items()


def table(path):
    rng = np.random.default_rng(2)
    cities = ("Oslo", "Rome", "\"a, b\"")
    rows = [(cities[i % 3], i % 2, v) for i, v in enumerate(rng.exponential(3, 600).tolist())]
    path.write_text("city,year,price,cost\n" + "".join(
        f"{city},{year},{'' if i % 50 == 7 else repr(v)},{i}\n" for i, (city, year, v) in enumerate(rows)))
    return [(city, year, np.nan if i % 50 == 7 else v) for i, (city, year, v) in enumerate(rows)]


def test_boxes_of_columns_and_of_groups(heddle, tmp_path):
    path = tmp_path / "t.csv"
    rows = table(path)
    got = heddle.json("box", "-c", "cost,price", path)
    assert got == [{"column": "cost", **box(np.arange(600))}, {"column": "price", **box([r[2] for r in rows])}]
    got = heddle.json("box", "-c", "price", "--by", "city", path)
    assert got == [{"group": city.strip('"'), **box([r[2] for r in rows if r[0] == city])}
                   for city in ('Oslo', 'Rome', '"a, b"')]
    lines = list(csv.reader(heddle.text("box", "-c", "price", "--by", "year,city", "--where", "cost < 300",
                                        "--csv", path).splitlines()))
    assert [line[0] for line in lines] == ["group", "0, Oslo", "0, Rome", "0, a, b",
                                          "1, Oslo", "1, Rome", "1, a, b"]
    want = box([r[2] for r in rows[:300] if r[:2] == ("Rome", 1)])
    assert {name: float(text) for name, text in zip(lines[0][1:], lines[5][1:])} == want


def test_plot_and_picture(heddle, tmp_path):
    path, out = tmp_path / "t.csv", tmp_path / "b.svg"
    path.write_text("city,x\n" + "".join(f"a<b,{v}\n" for v in (0, 1, 2, 3, 4, 20, 40)) + "none,\n")
    by = ["box", "-c", "x", "--by", "city", "--plot-width", 59, path]
    text = heddle.text(*by, "--svg", out, "--title", "T & t")
    lines = text.splitlines()
    assert lines[0] == "T & t" and lines[1].startswith("a<b   ├") and lines[1].endswith("·  1 outlier")
    assert lines[2:] == ["none  no values", "      0" + " " * 38 + " 40"] and len(lines[1]) == 59
    line = heddle.text(*by, "--ascii").splitlines()[0]
    assert line.startswith("a<b   ") and line.endswith("1 outlier") and line[6:48].count("o") == 1
    assert line[6] == "|" and line[6 + 3] == "#" and line[6 + 21] == "|" and line[47] == "o"
    tree = ElementTree.parse(out).getroot()
    x = [float(node.get("x")) for node in tree.iter() if node.get("class") == "box"]
    assert len(x) == 1 and x[0] == pytest.approx(144 + 1.5 / 40 * 592, abs=0.01)
    assert sum(node.get("class") == "outlier" for node in tree.iter()) == 1


def test_what_has_no_box(heddle, save, tmp_path):
    assert "no values" in heddle.error("box", save(np.array([])), code=1)
    assert "no finite values" in heddle.error("box", save(np.array([np.nan, np.inf])), code=1)
    got, = heddle.json("box", save(np.array([np.nan])))
    assert got["median"] == "nan" and (got["count"], got["nan"], got["outliers"]) == (1, 1, 0)
    path = tmp_path / "t.csv"
    table(path)
    assert "-c COLUMN" in heddle.error("box", "--by", "city", path, code=2)
    assert "--memory" in heddle.error("box", "--by", "cost", "-c", "price", "-S", "4K", path, code=1)

"""describe of whole tables: numbers with quartiles, texts with the most frequent."""

import collections
import csv
import gzip
import io

import numpy as np
import pytest

FIGURES = ["count", "missing", "mean", "std", "min", "p25", "p50", "p75", "max"]


def expected(column, ddof=0):
    there = [field for field in column if field not in ("", "nan")]
    try:
        x = np.array([float(field) for field in there])
    except ValueError:
        counts = collections.Counter(field for field in column if field)
        top = min(counts, key=lambda text: (-counts[text], text.encode()))
        return {"type": "text", "count": sum(counts.values()), "missing": len(column) - sum(counts.values()),
                "distinct": len(counts), "top": top, "frequency": counts[top]}
    quartiles = np.quantile(x, [0.25, 0.5, 0.75])
    return {"type": "number", "count": len(x), "missing": len(column) - len(x), "mean": x.mean(),
            "std": x.std(ddof=ddof), "min": x.min(), "max": x.max(),
            **dict(zip(("p25", "p50", "p75"), quartiles, strict=True))}


def check(rows, columns, **options):
    assert [row["column"] for row in rows] == list(columns)
    for row in rows:
        for name, value in expected(columns[row["column"]], **options).items():
            same = row[name] == value
            close = name in ("mean", "std") and row[name] == pytest.approx(value, rel=1e-12)
            assert same or close, (row["column"], name, row[name], value)


def table(columns):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return out.getvalue().encode()


@pytest.fixture(scope="module")
def goods():
    rng = np.random.default_rng(1)
    n = 3000
    return {"price": [f"{x:.2f}" if x > 5 else "" for x in rng.uniform(0, 100, n)],
            "qty": [str(x) for x in rng.integers(-5, 5, n)],
            "town": [("Oslo", "Bergen, West", "", 'the "Hague"')[i] for i in rng.integers(0, 4, n)],
            "code": ["1"] * (n - 1) + ["1a"], "one": ["7"] * n,
            "signed": [("0.0", "-0.0", "nan", "inf")[i] for i in rng.integers(0, 3, n)]}


def test_columns_of_both_kinds(heddle, goods, tmp_path):
    data, path = table(goods), tmp_path / "goods.csv"
    path.write_bytes(data)
    rows = heddle.json("describe", path)
    check(rows, goods)
    assert heddle.json("describe", stdin=data) == rows
    assert heddle.json("describe", stdin=gzip.compress(data)) == rows
    assert heddle.json("describe", "--threads", "1", path) == rows
    check(heddle.json("describe", "--ddof", "1", path), goods, ddof=1)
    chosen = heddle.json("describe", "-c", "qty,one", "--ddof", "1", path)
    assert [row["stddev"] for row in chosen] == [
        row["std"] for row in heddle.json("describe", "--ddof", "1", path) if row["column"] in ("qty", "one")]


def test_forms(heddle, goods, tmp_path):
    data, path = table(goods), tmp_path / "goods.csv"
    path.write_bytes(data)
    lines = heddle.text("describe", path).splitlines()
    assert lines[0].split() == ["column", *FIGURES] and lines[1].split()[0] == "price"
    assert lines[6].split() == ["column", "count", "missing", "distinct", "frequency", "top"]
    rows = list(csv.DictReader(io.StringIO(heddle.text("describe", "--csv", path))))
    found = heddle.json("describe", path)
    assert [(r["column"], r["type"], r["top"], r["distinct"]) for r in rows] == [
        (r["column"], r["type"], r.get("top", ""), str(r.get("distinct", ""))) for r in found]
    two = heddle.json("describe", path, path)
    assert [(row["file"], row["column"]) for row in two] == [(str(path), name) for name in goods] * 2
    one = tmp_path / "one.txt"
    one.write_text("1\n2\n")
    assert heddle.json("describe", one)["count"] == 2
    assert heddle.json("describe", stdin=b"1\n2\n")["sum"] == 3
    assert "apart" in heddle.error("describe", path, one, code=2)
    assert "axis" in heddle.error("describe", "--ddof", "1", "--axis", "0", path, code=2)


def test_little_memory(heddle, goods):
    """Quartiles by passes; distinct texts as far as they fit."""
    more = {**goods, "many": [f"text {i}" for i in range(3000)]}
    rows = heddle.json("describe", "-S", "4K", stdin=table(more))
    check(rows[:2], {name: more[name] for name in ("price", "qty")})
    assert rows[-1]["exact"] is False and rows[-1]["distinct"] < 3000 and rows[-1]["count"] == 3000
    assert ">" in heddle.text("describe", "-S", "4K", stdin=table(more)).splitlines()[-1]
    check(heddle.json("describe", stdin=table(more)), more)


def test_many_columns(heddle):
    wide = {f"c{i}": [str(i * k) for k in range(5)] if i % 3 else [f"t{k}" for k in range(5)] for i in range(40)}
    check(heddle.json("describe", stdin=table(wide)), wide)
    numbered = heddle.json("describe", "--no-header", stdin=b"3,x\n4,y\n")
    assert [(row["column"], row["type"]) for row in numbered] == [("1", "number"), ("2", "text")]


def test_samples(heddle, tmp_path):
    """A file of more than 4 MiB: quartiles between values of a sample, and where it misleads."""
    rng = np.random.default_rng(2)
    n = 150000
    columns = {"random": rng.integers(0, 10**9, n), "sorted": np.arange(n) * 1000, "ties": rng.integers(0, 3, n),
               "clusters": np.repeat(rng.integers(0, 10**6, n // 1000), 1000), "zeros": np.zeros(n, np.int64)}
    columns["outlier"] = columns["zeros"] - (np.arange(n) == 77)
    columns = {name: [str(x) for x in values] for name, values in columns.items()}
    path = tmp_path / "large.csv"
    path.write_bytes(table(columns))
    assert path.stat().st_size > 4 << 20
    check(heddle.json("describe", path), columns)


def test_integers_beyond_f64(heddle):
    for data, told in ((b"a,b\n9007199254740993,x\n", True), (b"a,b\n9007199254740994,x\n", False),
                       (b"a,b\n9223372036854775807,x\n", True), (b"a,b\n-9223372036854775808,x\n", False),
                       (b"a,b\n9007199254740993,x\n0.5,y\n", True)):
        assert (b"column 1 were rounded" in heddle("describe", stdin=data).stderr) == told, data


def test_what_is_wrong(heddle):
    assert ":3:" in heddle.error("describe", stdin=b"a,b\n1,2\n3\n", code=1)
    rows = heddle.json("describe", "--skip-bad", "-q", stdin=b"a,b\n1,2\n3\n")
    assert [row["count"] for row in rows] == [1, 1]
    rows = heddle.json("describe", "--na", "NA,-", stdin=b"a,b\n1,x\nNA,-\n")
    assert [(row["count"], row["missing"]) for row in rows] == [(1, 1), (1, 1)]
    assert heddle.json("describe", "--header", stdin=b"a,b\n")[0]["mean"] == "nan"
    assert "choose by --column" in heddle.error("describe", "--count", "3", stdin=b"a,b\n1,2\n", code=2)

"""Parquet by another program: a fake one that sends what it has, and Python with pyarrow or polars where they are."""

import stat
import sys

import numpy as np
import pytest

SEEDS = __import__("pathlib").Path(__file__).resolve().parents[1] / "fuzz" / "corpus" / "arrow"


@pytest.fixture
def fake(tmp_path):
    """A python3 that answers with one file and sends another; what it was told is in `told`."""
    def make(answer, data, status=0, words=""):
        program = tmp_path / "bin" / "python3"
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"""#!{sys.executable}
import os, sys
assert sys.argv[1] == "-c" and os.pread(3, 4, 0) == b"PAR1"
sys.stderr.write({words!r})
if {status}: sys.exit({status})
sys.stdout.buffer.write(open({str(answer)!r}, "rb").read())
sys.stdout.flush()
os.close(1)
told = sys.stdin.read()
open(4, "wb").write(open({str(data)!r}, "rb").read() if told else b"")
assert told in ("", "0\\n"), told
""")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return {"PATH": f"{program.parent}:/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}
    return make


@pytest.fixture
def parquet(tmp_path):
    path = tmp_path / "t; touch broken.parquet"
    path.write_bytes(b"PAR1" + bytes(40) + b"PAR1")
    return path


def test_what_the_program_sends(heddle, tmp_path, fake, parquet):
    env = fake(SEEDS / "numbers", SEEDS / "numbers")
    assert heddle.text("sum", "-c", "x", parquet, env=env) == "4\n"
    assert heddle.text("sum", parquet, env=env) == "4\n"
    assert heddle.text("median", "-c", "x", stdin=parquet.read_bytes(), env=env) == "2\n"
    assert heddle.text("select", "x > 2", parquet, env=env) == "x\n2.5\n"
    assert "has no column 'y'" in heddle.error("sum", "-c", "y", parquet, env=env, code=2)
    assert not (tmp_path / "broken.parquet").exists()


def test_what_goes_wrong(heddle, tmp_path, fake, parquet):
    def says(env):
        return heddle.error("sum", "-c", "x", parquet, env=env, code=1)

    assert "failed: no such thing" in says(fake(SEEDS / "numbers", SEEDS / "numbers", 3, "a\nno such thing\n"))
    empty = tmp_path / "empty"
    empty.write_bytes(b"")
    assert "begin without a schema" in says(fake(empty, empty))
    assert "begin without a schema" in says(fake(SEEDS / "numbers", empty))
    assert "other columns" in says(fake(SEEDS / "numbers", SEEDS / "dict"))
    cut = tmp_path / "cut"
    cut.write_bytes((SEEDS / "numbers").read_bytes()[:-20])
    assert "end too early" in says(fake(SEEDS / "numbers", cut))
    assert "HEDDLE_PYTHON" in says({"HEDDLE_PYTHON": "/nonexistent/python"})
    bare = fake(SEEDS / "numbers", SEEDS / "numbers")
    (tmp_path / "m").mkdir()
    for name in ("pyarrow", "polars"):
        (tmp_path / "m" / f"{name}.py").write_text("raise ImportError")
    bare = {"HEDDLE_PYTHON": sys.executable, "PYTHONPATH": str(tmp_path / "m"), "PYTHONDONTWRITEBYTECODE": "1"}
    assert "pip install pyarrow" in says(bare)
    (tmp_path / "m" / "duckdb.py").write_text("")
    assert "duckdb alone does not do" in says(bare)


@pytest.mark.parametrize("reader", ["pyarrow", "polars"])
def test_real_files(heddle, tmp_path, reader):
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    pytest.importorskip(reader)
    rng = np.random.default_rng(2)
    missing = rng.random(5000) < 0.3
    i = rng.integers(0, 99, 5000)
    table = pa.table({"x": rng.standard_normal(5000), "i": i, "n": pa.array(i, mask=missing),
                      "word": np.array(["a", "b,c", "d"])[rng.integers(0, 3, 5000)]})
    path = tmp_path / "t.parquet"
    pq.write_table(table, path, row_group_size=900)
    env = {"HEDDLE_PYTHON": sys.executable, "PYTHONDONTWRITEBYTECODE": "1"}
    if reader == "polars":
        (tmp_path / "pyarrow.py").write_text("raise ImportError")
        env["PYTHONPATH"] = str(tmp_path)
    heddle("convert", "-c", "i", path, "-o", tmp_path / "i.npy", env=env)
    got = np.load(tmp_path / "i.npy")
    assert got.dtype == np.int64 and np.array_equal(got, i)
    rows = heddle.text("sum", "-c", "x,n", "--nan", "skip", path, env=env).split()
    assert float(rows[0]) == pytest.approx(table["x"].to_numpy().sum(), rel=1e-12)
    assert float(rows[2]) == i[~missing].sum()
    if reader == "pyarrow":
        text = heddle.text("group", "-k", "word", "count", "--csv", path, env=env)
        assert sum(int(line.rsplit(",", 1)[1]) for line in text.splitlines()[1:]) == 5000
        assert "Parquet" in heddle.error("sum", "-c", "x", stdin=path.read_bytes()[:3000], env=env, code=1)


QUOTES = '""'  # an empty text, which is there


@pytest.mark.parametrize("written", ["words", "plain", "dictionary"])
def test_words_of_real_files(heddle, tmp_path, written):
    """Few texts come as words of a dictionary, of each group of rows another one, and missing ones as such."""
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    rng = np.random.default_rng(4)
    rows = 9000
    number = rng.integers(0, 5, rows) + np.arange(rows) // 1000
    words = np.array([f"town {n}" for n in number], object)
    words[number == 7] = ""
    words[rng.random(rows) < 0.1] = None
    x = rng.integers(-9, 9, rows)
    column = pa.array(words)
    if written == "dictionary":
        column = column.dictionary_encode()
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"x": x, "word": column, "other": [f"text {i}" for i in range(rows)]}), path,
                   row_group_size=1000, use_dictionary=written != "plain")
    env = {"HEDDLE_PYTHON": sys.executable, "PYTHONDONTWRITEBYTECODE": "1"}
    found = heddle.json("group", "-k", "word", "count", "sum:x", "last:other", path, env=env)["groups"]
    texts = [word or "" for word in words]
    assert [g["key"] for g in found] == sorted(set(texts))
    for g in found:
        there = np.array([text == g["key"] for text in texts])
        assert (g["count"], g["sum:x"]) == (there.sum(), x[there].sum())
        assert g["last:other"] == f"text {np.flatnonzero(there)[-1]}"
    assert heddle("convert", "-c", "1-3", path, "--to", "csv", env=env).stdout.decode() == "x,word,other\n" + "".join(
        f"{a},{word if word else '' if word is None else QUOTES},text {i}\n" for i, (a, word) in enumerate(zip(x, words)))

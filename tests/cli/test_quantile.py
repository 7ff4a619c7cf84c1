"""median, quantile, nth and top: of files, columns and pipes, against NumPy."""

import gzip
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import TYPES

METHODS = ("linear", "inverted_cdf", "averaged_inverted_cdf", "closest_observation",
           "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased", "normal_unbiased",
           "lower", "higher", "midpoint", "nearest")


@pytest.mark.parametrize("name", ["u8", "i32", "u64", "f16", "f32", "f64"])
@pytest.mark.parametrize("length", [1, 10, 1001, 70000])
def test_as_numpy(heddle, save, name, length):
    x = (np.random.default_rng(length).standard_normal(length) * 50).astype(TYPES[name])
    path = save(x)
    wide = x.astype("f8")
    assert float(heddle.text("median", path)) == np.quantile(wide, 0.5)
    got = [float(line.split()[1]) for line in heddle.text("quantile", "0,0.25,1", path).splitlines()]
    np.testing.assert_array_equal(got, np.quantile(wide, [0, 0.25, 1]))
    ranks = [0, length // 3, length - 1]
    got = [line.split() for line in heddle.text("nth", ",".join(map(str, ranks)), path).splitlines()]
    assert [int(rank) for rank, _ in got] == ranks
    np.testing.assert_array_equal(np.array([value for _, value in got], x.dtype), np.sort(x)[ranks])
    for k in {0, 1, min(10, length), length}:
        lines = heddle.text("top", "-k", k, "--least", path).splitlines()
        places = [int(line.split()[1]) for line in lines]
        assert places == list(np.argsort(x, kind="stable")[:k])
        np.testing.assert_array_equal(np.array([line.split()[0] for line in lines], x.dtype), x[places])


@pytest.mark.parametrize("method", METHODS)
def test_methods(heddle, save, method):
    x = np.random.default_rng(3).standard_normal(57)
    path = save(x)
    for q in (0.0, 0.1, 1 / 3, 0.5, 0.875, 1.0):
        got = heddle.text("quantile", repr(q), path, "--method", method)
        assert float(got) == np.quantile(x, q, method=method)


def test_text_json_csv(heddle, tmp_path):
    assert heddle.text("median", stdin=b"3\n1\n2\n10\n") == "2.5\n"
    assert heddle.text("quantile", "0.5", stdin=b"3\n1\n2\n") == "2\n"
    assert heddle.json("quantile", "0.5,1", stdin=b"3\n1\n2\n")[1]["q"] == 1
    assert heddle.json("median", stdin=b"3\n1\n2\n")["value"] == 2
    csv = heddle.text("quantile", "0.5,1", "--csv", stdin=b"3\n1\n2\n").splitlines()
    assert csv[0] == "op,q,value,hex,count" and csv[2].startswith("quantile,1,3,")
    assert heddle.json("top", "-k", "2", stdin=b"3\n1\n3\n") == {
        "least": False, "type": "i64", "values": [3, 3], "positions": [0, 2]}
    assert heddle.text("top", "-k", "1", "--csv", stdin=b"3\n1\n") == "value,position\n3,0\n"
    assert heddle.json("nth", "2", stdin=b"3\n1\n2\n") == {
        "op": "nth", "index": 2, "value": 3, "hex": "0000000000000003", "type": "i64", "count": 3}
    csv = heddle.text("nth", "1,0", "--csv", stdin=b"3\n1\n2.5\n").splitlines()
    assert csv[0] == "op,index,value,hex,count" and csv[1].startswith("nth,1,2.5,") and csv[2].startswith("nth,0,1,")
    for words in (["nth"], ["nth", "1.5"], ["nth", "-1"], ["nth", "0,"], ["nth", ""], ["nth", "9" * 40],
                  ["nth", ",".join(["0"] * 65)]):
        heddle.error(*words, code=2, stdin=b"1\n")
    assert "is 3, but" in heddle.error("nth", "3", code=2, stdin=b"3\n1\n2\n")
    heddle("top", "-k", "2", "-o", tmp_path / "t.npy", stdin=b"1.5\n4\n2\n")
    np.testing.assert_array_equal(np.load(tmp_path / "t.npy"), [4, 2])
    heddle("quantile", "0,1", "-o", tmp_path / "q.npy", stdin=b"1.5\n4\n2\n")
    np.testing.assert_array_equal(np.load(tmp_path / "q.npy"), [1.5, 4])


def test_columns_and_files(heddle, save, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("a,b\n1,9\n2,5\n6,7\n")
    got = heddle.json("median", "-c", "a,b", table)
    assert [(row["column"], row["value"]) for row in got] == [("a", 2), ("b", 7)]
    one, two = save(np.array([1.0, 2.0])), tmp_path / "none.npy"
    assert heddle.text("top", "-c", "b", "-k", "2", table) == "9  0\n7  2\n"
    done = heddle("quantile", "0.5", one, two, code=1)
    assert b"1.5" in done.stdout and b"none.npy" in done.stderr


def test_nan(heddle):
    assert heddle.text("median", stdin=b"3\nnan\n2\n") == "nan\n"
    assert heddle.text("median", "--nan", "skip", stdin=b"3\nnan\n2\n") == "2.5\n"
    assert heddle.text("top", "-k", "2", stdin=b"3\nnan\n2\n") == "3  0\n2  2\n"


def test_refused(heddle):
    for words in (["quantile"], ["quantile", "a.npy"], ["quantile", "1.5"], ["quantile", "0.5,,1"]):
        assert b"0 to 1" in heddle(*words, code=2).stderr
    assert b"element" in heddle("median", code=1).stderr
    assert b"hazen" in heddle("quantile", "0.5", "--method", "x", code=2).stderr


@pytest.mark.parametrize("name", ["u8", "i64", "f16", "f32", "f64"])
def test_what_takes_more_than_the_memory_is_read_again(heddle, save, tmp_path, name):
    x = (np.random.default_rng(5).standard_normal(30_000) * 99).astype(TYPES[name])
    path, words = save(x), ("quantile", "0,0.1,0.5,0.99,1", "--json")
    raw = tmp_path / "x.raw"
    x.tofile(raw)
    held = heddle.text(*words, path)
    assert [row["value"] for row in heddle.json(*words[:2], path)] == \
        list(np.quantile(x.astype("f8"), [0, 0.1, 0.5, 0.99, 1]))
    assert heddle.text(*words, "-S", "4K", path) == held
    assert heddle.text(*words, "--type", name, raw) == held
    assert heddle.text(*words, "--type", name, "-S", "5K", raw) == held
    assert heddle.text(*words, "--type", name, "-S", "5K", "-", stdin=raw.read_bytes()) == held
    half = heddle.text(*words, "--type", name, "--count", 7000, raw)
    assert heddle.text(*words, "--type", name, "--count", 7000, "-S", "4K", raw) == half != held


def test_columns_read_again(heddle, save, tmp_path):
    x = np.random.default_rng(6).standard_normal((3000, 2)).round(3)
    x[7, 1] = np.nan
    table, packed = tmp_path / "t.csv", tmp_path / "t.csv.gz"
    np.savetxt(table, x, delimiter=",", header="a,b", comments="")
    packed.write_bytes(gzip.compress(table.read_bytes()))
    for words in (["--csv"], ["--csv", "--nan", "skip"]):
        words = ["quantile", "0.5,0.9", "-c", "a,b", *words]
        held = heddle.text(*words, table)
        for more in ([table], [packed], ["-"]):
            stdin = table.read_bytes() if more == ["-"] else b""
            assert heddle.text(*words, "-S", "4K", *more, stdin=stdin) == held
    one, two = save(x[:, 0].copy()), save(x[:, 0] + 1, "two.npy")
    assert heddle.text("median", "-S", "4K", one, two) == heddle.text("median", one, two)
    assert heddle("median", "-S", "4K", stdin=b"3\nx\n", code=1).stderr == \
        heddle("median", stdin=b"3\nx\n", code=1).stderr
    assert b"no element came" in heddle("median", "-S", "4K", stdin=b"", code=1).stderr
    assert b"--memory" in heddle("median", "-S", "12 apples", one, code=2).stderr
    assert b"cannot be kept" in heddle("median", "-S", "1M", stdin=b"3\n", code=1,
                                       env={"TMPDIR": str(tmp_path / "none")}).stderr


def test_its_memory(heddle, tmp_path):
    limit = "ulimit -d 24000;"
    if b"__asan" in Path(heddle.program).read_bytes():  # its shadow is larger than any limit
        limit = ""
    path = tmp_path / "ones.txt"
    path.write_bytes(b"1\n2\n" * 1_500_000)  # 24 MB of float64
    words = ["sh", "-c", limit + 'exec "$@"', "sh", heddle.program, "median", path, "-S"]
    environment = {**heddle.environment, "HEDDLE_NUM_THREADS": "1"}
    held, counted = (subprocess.run([*words, memory], env=environment, capture_output=True, check=False)
                     for memory in ("1G", "1M"))
    assert not limit or (held.returncode == 1 and b"memory" in held.stderr)
    assert counted.stdout == b"1.5\n", counted.stderr


def test_nth_of_integers_of_64_bits_in_little_memory(heddle, tmp_path):
    rng = np.random.default_rng(8)
    x = rng.integers(-2**63, 2**63, 20000)
    (tmp_path / "x.txt").write_text("\n".join(map(str, x)) + "\n")
    expected = [np.sort(x)[k] for k in (0, 777, 19999)]
    for given in ({}, {"stdin": (tmp_path / "x.txt").read_bytes()}):
        path = [] if given else [tmp_path / "x.txt"]
        for memory in ([], ["-S", "64K"]):
            found = heddle.json("nth", "0,777,19999", *memory, *path, **given)
            assert [(row["value"], row["type"]) for row in found] == [(e, "i64") for e in expected]


def test_nth_as_json_and_as_an_array(heddle, tmp_path):
    text = "".join(f"{v},{v / 2}\n" for v in (5, 3, 9, 7)).encode()
    out = tmp_path / "x.npy"
    assert [row["value"] for row in heddle.json("nth", "0,3", "-c", "1", stdin=text)] == [3, 9]
    for column, expected, dtype in (("1", [9, 3], "i8"), ("2", [4.5, 1.5], "f8")):
        heddle("nth", "3,0", "-c", column, "-o", out, stdin=text)
        found = np.load(out)
        assert found.tolist() == expected and found.dtype == dtype
    assert heddle.text("nth", "3,0", "-c", "1", stdin=text) == "3 9\n0 3\n"
    heddle("nth", "1", "-c", "2", "-o", tmp_path / "x.raw", stdin=text)
    assert np.fromfile(tmp_path / "x.raw").tolist() == [2.5]

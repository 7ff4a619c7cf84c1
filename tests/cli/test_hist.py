"""hist: counts and edges equal to NumPy's, for every way to choose bins."""

import math
import warnings

import numpy as np
import pytest
from conftest import TYPES
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp


def check(got, counts, edges):
    assert got["counts"] == counts.tolist()
    assert got["edges"] == np.asarray(edges, np.float64).tolist()
    assert sum(got["counts"]) + got["under"] + got["over"] + got["nan"] == got["count"]


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("bins", [1, 7, 100])
def test_automatic_range(heddle, save, name, bins):
    rng = np.random.default_rng(bins)
    if name[0] == "f":
        x = rng.standard_normal(20_003).astype(TYPES[name])
    else:
        info = np.iinfo(TYPES[name])
        x = rng.integers(info.min // 2, info.max // 2, 20_003).astype(TYPES[name])
    check(heddle.json("hist", "--bins", bins, save(x)), *np.histogram(x, bins))


@pytest.mark.parametrize("name", ["f32", "f64"])
@given(data=st.data())
def test_given_range(heddle, tmp_path, name, data):
    width = int(name[1:])
    x = data.draw(hnp.arrays(TYPES[name], st.integers(0, 200),
                             elements=st.floats(-10, 10, width=width) | st.sampled_from(
                                 [np.nan, np.inf, -np.inf])))
    lo, hi = sorted(data.draw(st.tuples(st.floats(-12, 12), st.floats(-12, 12))))
    assume(hi - lo > 1e-3)
    bins = data.draw(st.integers(1, 60))
    path = tmp_path / "x.npy"
    np.save(path, x)
    got = heddle.json("hist", "--bins", bins, "--range", repr(lo), repr(hi), path)
    counts, edges = np.histogram(x, bins, (lo, hi))
    check(got, counts, edges)
    assert got["nan"] == np.isnan(x).sum() and got["count"] == len(x)
    assert got["under"] == (x < edges[0]).sum() and got["over"] == (x > edges[-1]).sum()


def test_values_beside_every_edge(heddle, save):
    """Far from zero the edges are few ulps apart, and every value lies near one."""
    lo, hi, bins = 1e6, 1e6 + 1, 37
    edges = np.linspace(lo, hi, bins + 1)
    x = np.concatenate([edges, np.nextafter(edges, 0), np.nextafter(edges, np.inf)])
    got = heddle.json("hist", "--bins", bins, "--range", lo, hi, save(x))
    check(got, *np.histogram(x, bins, (lo, hi)))


@pytest.mark.parametrize("name", ["f16", "f32"])
@pytest.mark.parametrize("bins", [3, 10, 37])
def test_automatic_range_has_edges_of_the_inputs_type(heddle, save, name, bins):
    """NumPy computes them in f16 or f32 throughout; every value lies on one or beside it."""
    ends = np.array([0.1, 7.3], TYPES[name])
    edges = np.histogram_bin_edges(ends, bins)
    near = np.concatenate([edges, np.nextafter(edges, TYPES[name](0)),
                           np.nextafter(edges, TYPES[name](9))])
    x = np.concatenate([ends, near[(near >= ends[0]) & (near <= ends[1])]])
    check(heddle.json("hist", "--bins", bins, save(x)), *np.histogram(x, bins))


@pytest.mark.parametrize("name,value", [
    ("f32", 0.1), ("f32", -7.3), ("f32", 8388608), ("f32", 1e8), ("f32", -3.4e38), ("f16", 0.3),
    ("f16", 1025), ("f16", 5000), ("f16", 65504), ("f64", 0.1), ("f64", 1e17), ("i64", 1 << 60)])
@pytest.mark.parametrize("args", [[], ["--bins", 1], ["--bins", 5], ["--bins", "fd"]])
def test_one_value_alone(heddle, save, name, value, args):
    """Half a unit to each side in the input's own type, as NumPy. Where edges fall together then,
    NumPy gives up, and here the last pair of equal ones holds the value."""
    x = np.full(3, value, TYPES[name])
    path = save(x)
    got = heddle.json("hist", *args, path)
    try:
        expected = np.histogram(x, *args[1:] or ["auto"])
    except ValueError:  # "Too many bins for data range"
        edges = got["edges"]
        place = min(np.searchsorted(edges, float(x[0]), "right") - 1, len(edges) - 2)
        assert edges == sorted(edges) and edges[0] <= float(x[0]) <= edges[-1]
        assert got["counts"] == [3 * (i == place) for i in range(len(edges) - 1)]
    else:
        check(got, *expected)
    for more in (["--density"], ["--cumulative"], ["--log"] if value > 0 else []):
        if not (more == ["--log"] and args == ["--bins", "fd"]):
            assert "3 elements" in heddle.text("hist", *args, *more, path)


@pytest.mark.parametrize("name", ["f64", "f32", "f16"])
def test_integer_bins_tell_of_what_is_no_integer(heddle, save, name):
    """1.5 stood behind the label 1, as if there were three 1."""
    whole = np.repeat([1, 2, 5], 4000).astype(TYPES[name])
    done = heddle("hist", "--integer", save(whole))
    assert done.stderr == b"" and b"\n2  " in done.stdout
    x = np.concatenate([whole, np.array([1.5, -0.25, np.inf, np.nan], TYPES[name])])
    done = heddle("hist", "--integer", save(x))
    assert b"2 values are no whole numbers, each in the bin of the integer below" in done.stderr
    assert "[ 1, 2)  4001" in done.stdout.decode() and "[-1, 0)     1" in done.stdout.decode()
    assert heddle("hist", "--integer", "-q", save(x)).stderr == b""
    assert b"1 value is no whole number," in heddle("hist", "--integer", stdin=b"1\n1.5\n").stderr


def test_log_of_the_least_number(heddle, save):
    got = heddle.json("hist", "--log", "--bins", 2, save(np.full(3, 5e-324)))
    assert got["edges"][0] == 5e-324 and sum(got["counts"]) == 3


@pytest.mark.parametrize("rule", ["auto", "fd", "sturges"])
@pytest.mark.parametrize("kind", ["normal", "skewed", "few", "constant", "integers", "single",
                                  "narrow", "float32"])
def test_rules_for_the_number_of_bins(heddle, save, rule, kind):
    rng = np.random.default_rng(3)
    x = {"normal": rng.standard_normal(10_000), "skewed": np.exp(4 * rng.standard_normal(3000)),
         "few": np.array([1.0, 2, 4, 8]), "constant": np.full(50, 3.25),
         "integers": rng.integers(-40, 90, 5000), "single": np.array([5.0]),
         "narrow": rng.integers(0, 4, 5000).astype(np.int16),
         "float32": rng.standard_normal(4001).astype(np.float32)}[kind]
    check(heddle.json("hist", "--bins", rule, save(x)), *np.histogram(x, rule))


@given(x=hnp.arrays(np.float64, st.integers(1, 120), elements=st.floats(-1e6, 1e6)))
def test_fd_equals_numpy(heddle, tmp_path, x):
    try:
        edges = np.histogram_bin_edges(x, "fd")
    except ValueError:  # "Too many bins for data range"
        assume(False)
    assume(len(edges) < 10_000)
    path = tmp_path / "x.npy"
    np.save(path, x)
    assert len(heddle.json("hist", "--bins", "fd", path)["edges"]) == len(edges)


def test_rules_within_a_range_and_on_pipes(heddle, save):
    x = np.random.default_rng(9).standard_normal(5000)
    got = heddle.json("hist", "--bins", "fd", "--range", "-1", "2", save(x))
    check(got, *np.histogram(x, "fd", (-1, 2)))
    text = "\n".join(map(repr, x.tolist())).encode()
    check(heddle.json("hist", stdin=text), *np.histogram(x, "auto"))
    check(heddle.json("hist", "--type", "f64", stdin=x.tobytes()), *np.histogram(x, "auto"))


def test_quartiles_of_many_elements(heddle, save):
    """More elements than are gathered at once: the parts are refined first."""
    rng = np.random.default_rng(10)
    x = np.concatenate([np.full(1_300_000, 2.5), rng.standard_normal(1_300_000)])
    got = heddle.json("hist", "--bins", "fd", save(x))
    check(got, *np.histogram(x, "fd"))


def test_nan_and_infinities_with_automatic_range(heddle, save):
    x = np.array([np.nan, -np.inf, 1, 2, 3, 4, np.inf, np.inf], np.float32)
    got = heddle.json("hist", "--bins", 3, save(x))
    check(got, *np.histogram(x[np.isfinite(x)], 3))
    assert (got["nan"], got["under"], got["over"], got["count"]) == (1, 1, 2, 8)


@pytest.mark.parametrize("x", [[], [np.nan], [np.inf, -np.inf]])
def test_nothing_finite(heddle, save, x):
    got = heddle.json("hist", "--bins", 4, save(np.array(x, np.float64)))
    assert got["edges"] == [0, 0.25, 0.5, 0.75, 1] and got["counts"] == [0] * 4
    assert heddle.json("hist", save(np.array(x, np.float64)))["counts"] == [0]


@given(x=hnp.arrays(np.float64, st.integers(0, 100), elements=st.floats(-5, 5)),
       edges=st.lists(st.floats(-5, 5), min_size=2, max_size=20, unique=True).map(sorted))
def test_explicit_edges(heddle, tmp_path, x, edges):
    path, edge_path = tmp_path / "x.npy", tmp_path / "e.npy"
    np.save(path, x)
    np.save(edge_path, np.array(edges))
    counts, _ = np.histogram(x, edges)
    check(heddle.json("hist", "--edges", ",".join(map(repr, edges)), path), counts, edges)
    check(heddle.json("hist", "--edges", f"@{edge_path}", path), counts, edges)


def test_bytes(heddle, tmp_path):
    data = np.random.default_rng(1).integers(0, 200, 10_001, np.uint8)
    path = tmp_path / "x.bin"
    data.tofile(path)
    got = heddle.json("hist", "--bytes", path)
    check(got, np.bincount(data, minlength=256), np.arange(257))
    assert heddle.json("hist", "--bytes", stdin=data.tobytes()) == got
    check(heddle.json("hist", "--bytes", "--bins", 10, path), *np.histogram(data, 10))


def test_integer_bins(heddle, save):
    x = np.random.default_rng(2).integers(-3, 9, 1000)
    check(heddle.json("hist", "--integer", save(x)), np.bincount(x + 3), np.arange(-3, 10))
    got = heddle.json("hist", "--integer", "--range", 0, 4, save(x))
    check(got, np.bincount(x + 3)[3:8], np.arange(0, 6))
    assert got["under"] == (x < 0).sum() and got["over"] == (x > 4).sum()
    text = "\n".join(map(str, x)).encode()
    assert heddle.json("hist", "--integer", stdin=text)["counts"] == np.bincount(x + 3).tolist()


def test_integer_bins_of_floats_hold_no_upper_edge(heddle, save):
    got = heddle.json("hist", "--integer", "--range", 0, 1, save(np.array([0, 0.5, 1, 1.9, 2.0])))
    assert got["counts"] == [2, 2] and got["over"] == 1


def test_width(heddle, save):
    x = np.array([0.3, 1.1, 2.7, 3.0])
    got = heddle.json("hist", "--width", 0.5, save(x))
    assert got["edges"] == [0, 0.5, 1, 1.5, 2, 2.5, 3] and got["counts"] == [1, 0, 1, 0, 0, 2]
    got = heddle.json("hist", "--width", 2, "--range", 1, 4, save(x))
    assert got["edges"] == [1, 3, 5] and got["counts"] == [2, 1]


def test_log(heddle, save):
    x = np.array([0, 1, 5, 10, 50, 100, 1000, -1])
    got = heddle.json("hist", "--log", "--bins", 3, save(x))
    np.testing.assert_allclose(got["edges"], [1, 10, 100, 1000])
    assert got["counts"] == [2, 2, 2] and got["under"] == 2
    assert heddle.json("hist", "--log", save(x))["edges"][-1] == 1000
    assert "0 < LO" in heddle.error("hist", "--log", "--range", 0, 1, save(x), code=2)


@pytest.mark.parametrize("bins", [5, 50])
def test_density_and_cumulative(heddle, save, bins):
    x = np.random.default_rng(7).standard_normal(2000)
    density, _ = np.histogram(x, bins, density=True)
    path = save(x)
    got = heddle.json("hist", "--bins", bins, "--density", path)
    np.testing.assert_allclose(got["density"], density, rtol=1e-12)
    got = heddle.json("hist", "--bins", bins, "--cumulative", path)
    assert got["cumulative"] == np.cumsum(got["counts"]).tolist()
    got = heddle.json("hist", "--bins", bins, "--cumulative", "--density", path)
    assert got["cumulative"][-1] == pytest.approx(1)


def test_weights(heddle, save, tmp_path):
    rng = np.random.default_rng(11)
    x, w = rng.random(5000), rng.standard_normal(5000)
    expected, edges = np.histogram(x, 20, weights=w)
    got = heddle.json("hist", "--bins", 20, "--weights", save(w, "w.npy"), save(x))
    np.testing.assert_allclose(got["sums"], expected, rtol=1e-12, atol=1e-12)
    assert got["counts"] == np.histogram(x, 20)[0].tolist()
    table = tmp_path / "t.csv"
    table.write_text("v,w\n" + "".join(f"{a!r},{b!r}\n" for a, b in zip(x.tolist(), w.tolist())))
    again = heddle.json("hist", "--bins", 20, "-c", "v", "--weights", "w", table)
    assert again["sums"] == got["sums"]
    short = save(w[:-1], "short.npy")
    assert "ends after" in heddle.error("hist", "--weights", short, save(x), code=1)
    assert "leave it out" in heddle.error("hist", "--exact", save(x), code=2)
    assert "no file" in heddle.error("hist", "--weights", "nowhere", save(x), code=2)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_exact_weights(heddle, save, dtype):
    """As math.fsum; in one pass where the range is given, so that nothing of a pipe is kept."""
    rng = np.random.default_rng(3)
    x = rng.uniform(0, 4, 5000)
    spread = {np.float16: 12, np.float32: 120, np.float64: 1000}[dtype]
    w = np.ldexp(rng.standard_normal(x.size), rng.integers(-spread, spread, x.size)).astype(dtype)
    w[7] = -w[np.isfinite(w)].max()
    w[~np.isfinite(w)] = 1
    expected = [math.fsum(w[(x >= k) & (x < k + 1)].astype(float)) for k in range(4)]
    asked = ("hist", "--exact", "--bins", 4, "--range", 0, 4, "--weights", save(w, "w.npy"))
    assert heddle.json(*asked, save(x))["sums"] == expected
    if dtype == np.float64:
        text = "v,w\n" + "\n".join(f"{a!r},{b!r}" for a, b in zip(x.tolist(), w.tolist()))
        piped = heddle.json("hist", "--exact", "--bins", 4, "--range", 0, 4, "-c", "v", "--weights",
                            "w", "-", stdin=text.encode())
        assert piped["sums"] == expected



@pytest.mark.parametrize("channels", [2, 3, 4])
def test_channels(heddle, tmp_path, channels):
    x = np.random.default_rng(12).integers(0, 256, (6_000_001, channels), np.uint8)
    path = tmp_path / "x.raw"
    x.tofile(path)
    got = heddle.json("hist", "--bytes", "--channels", channels, path)
    assert [c["counts"] for c in got["channels"]] == [
        np.bincount(x[:, c], minlength=256).tolist() for c in range(channels)]
    path.write_bytes(path.read_bytes()[:-1])
    assert "groups" in heddle.error("hist", "--bytes", "--channels", channels, path, code=1)
    assert "1 to 4" in heddle.error("hist", "--bytes", "--channels", 5, path, code=2)


def test_csv_and_npy(heddle, save, tmp_path):
    x = np.random.default_rng(13).standard_normal(1000)
    counts, edges = np.histogram(x, 9)
    rows = heddle.text("hist", "--bins", 9, "--csv", save(x)).splitlines()
    assert rows[0] == "lo,hi,count"
    table = np.array([list(map(float, r.split(","))) for r in rows[1:]])
    np.testing.assert_array_equal(table, np.stack([edges[:-1], edges[1:], counts], 1))
    heddle("hist", "--bins", 9, save(x), "-o", tmp_path / "c.npy")
    saved = np.load(tmp_path / "c.npy")
    assert saved.dtype == np.uint64
    np.testing.assert_array_equal(saved, counts)


@pytest.mark.parametrize("args,word", [
    (["--bins", "0"], "--bins"), (["--bins", "x"], "--bins"), (["--bins", "999999999999"], "--bins"),
    (["--range", "2", "1"], "--range"), (["--range", "nan", "1"], "--range"),
    (["--range", "1"], "--range"), (["--edges", "1"], "edges"), (["--edges", "2,1"], "edges"),
    (["--edges", "1,x"], "--edges"), (["--edges", "@"], "--edges"), (["--width", "0"], "--width"),
    (["--width", "-1"], "--width"), (["--bins", "3", "--width", "1"], "--width"),
    (["--edges", "1,2", "--bins", "1"], "--edges"), (["--log", "--bins", "fd"], "--log")])
def test_bad_bins(heddle, args, word):
    assert word in heddle.error("hist", *args, stdin=b"1\n2\n", code=2)


def test_too_many_bins_for_the_rule(heddle, save):
    x = np.concatenate([np.linspace(0, 1e-9, 1000), [1e9]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert "--bins" in heddle.error("hist", "--bins", "fd", save(x), code=1)
    assert "--width" in heddle.error("hist", "--width", "1e-300", save(x), code=1)
    wide = save(np.array([-1.7e308, 1.7e308]), "wide.npy")
    assert "span" in heddle.error("hist", wide, code=1)
    assert heddle.json("hist", "--bins", 4, wide)["counts"] == [1, 0, 0, 1]
    huge = save(np.array([0, 2**64 - 1], np.uint64), "huge.npy")
    assert "2^53" in heddle.error("hist", "--integer", huge, code=1)


def test_several_columns_have_common_bins(heddle, tmp_path):
    rng = np.random.default_rng(5)
    x = np.column_stack([rng.standard_normal(3000), rng.exponential(2, 3000), rng.normal(9, 1, 3000)])
    x[7, 1] = np.nan
    path = tmp_path / "t.csv"
    path.write_text("a,b,\"c,d\"\n" + "".join(",".join("" if v != v else repr(v) for v in row) + "\n"
                                             for row in x.tolist()))
    for args in (["--bins", 20], [], ["--bins", "fd"], ["--range", 0, 4, "--bins", 9]):
        got = heddle.json("hist", "-c", "a,b,3", *args, path)
        edges = np.array(got["edges"])
        if "--range" not in args:
            rule = args[1] if args else "auto"
            assert got["edges"] == np.histogram_bin_edges(x[~np.isnan(x)], rule).tolist()
        assert [each["column"] for each in got["columns"]] == ["a", "b", "c,d"]
        for c, each in enumerate(got["columns"]):
            check({**each, "edges": got["edges"]}, np.histogram(x[:, c], edges)[0], edges)
    assert [each["column"] for each in heddle.json("hist", "-c", "2-3,a", path)["columns"]] == ["b", "c,d", "a"]
    lines = heddle.text("hist", "-c", "a,b,3", "--bins", 2, "--csv", path).splitlines()
    assert lines[0] == "column,lo,hi,count" and len(lines) == 7 and lines[5].startswith('"c,d",')
    out = tmp_path / "counts.npy"
    heddle("hist", "-c", "b,a", "--bins", 5, "-o", out, path)
    assert np.load(out).shape == (2, 5) and np.load(out).sum(1).tolist() == [2999, 3000]


def test_several_columns_are_refused_where_one_is_meant(heddle, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(",".join("abcdefghi") + "\n" + ",".join("123456789") + "\n")
    for args, word in ((["--weights", "c"], "--weights"), (["--channels", 2], "--channels"),
                       (["-c", "c,d,e,f,g,h,i"], "up to 8 columns")):
        assert word in heddle.error("hist", "-c", "a,b", *args, path, code=2)


def test_weights_are_a_column_though_a_folder_has_its_name(heddle, tmp_path):
    (tmp_path / "w").mkdir()
    (tmp_path / "t.csv").write_text("x,w\n1,2\n2,3\n2,0.5\n")
    found = heddle.json("hist", "-c", "x", "--weights", "w", "--bins", "2", "t.csv", cwd=tmp_path)
    assert found["sums"] == [2, 3.5]

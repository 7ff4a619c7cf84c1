"""Integers of text are exact: columns of them are found out, and nothing rounds them in silence."""

import itertools
import operator

import numpy as np
import pytest

BIG = 2**53 + 1


def lines(values):
    return "".join(f"{v}\n" for v in values).encode()


@pytest.mark.parametrize("values, name", [
    ([3, BIG, -5], "i64"), ([-2**63, 2**63 - 1, 0], "i64"), ([1, 2**64 - 1, 2**63], "u64"),
    ([5], "i64"), ([7, 7, 7], "i64")])
def test_every_verb(heddle, tmp_path, values, name):
    path = tmp_path / "x.txt"
    path.write_bytes(lines(values))
    for stdin, args in ((b"", [path]), (lines(values), [])):
        for op in (min, max):
            assert heddle.text(op.__name__, *args, stdin=stdin) == f"{op(values)}\n"
            got = heddle.json("reduce", "--op", f"arg{op.__name__}", *args, stdin=stdin)
            assert (got["index"], got["value"]) == (values.index(op(values)), op(values))
            assert got["type"] == name
        assert heddle.text("convert", *args, stdin=stdin).encode() == lines(values)
        totals = list(itertools.accumulate(values))
        assert heddle.text("scan", *args, stdin=stdin).encode() == lines(totals)
        assert heddle.text("scan", "--exclusive", *args, stdin=stdin).encode() == lines(
            [0, *totals[:-1]])
        for op in (min, max):
            assert heddle.text("scan", "--op", op.__name__, *args, stdin=stdin).encode() == lines(
                itertools.accumulate(values, op))
        out = tmp_path / "out.npy"
        heddle("convert", "-o", out, *args, stdin=stdin)
        assert np.load(out).dtype == np.dtype(name.replace("i", "int").replace("u", "uint"))
        assert np.load(out).tolist() == values
        for op, fold in (("and", operator.and_), ("or", operator.or_), ("xor", operator.xor)):
            expected = list(itertools.accumulate(values, fold))
            assert heddle.text("reduce", "--op", op, *args, stdin=stdin) == f"{expected[-1]}\n"
            assert heddle.text("scan", "--op", op, *args, stdin=stdin).encode() == lines(expected)


def test_sums_are_exact_or_refused(heddle):
    rng = np.random.default_rng(11)
    values = [int(v) for v in rng.integers(-2**62, 2**62, 200_000)]
    values.append(12345 - sum(values) if abs(sum(values)) < 2**63 else 0)
    while not -2**63 <= values[-1] < 2**63 or not -2**63 <= sum(values) < 2**63:
        values.append(-max(min(sum(values), 2**62), -2**62))
    assert heddle.text("sum", stdin=lines(values)) == f"{sum(values)}\n"
    assert heddle.text("sum", stdin=lines([2**63 - 1, 1])) == f"{2**63}\n"
    over = [2**63 - 1] * 1000
    message = heddle.error("sum", stdin=lines(over), code=1)
    assert f"is {sum(over)}, which does not fit 64 bits" in message
    assert float(heddle.text("sum", "--out-type", "f64", stdin=lines(over))) == float(sum(over))
    message = heddle.error("sum", "--type", "i64", "--format", "text", stdin=lines(over), code=1)
    assert str(sum(over)) in message
    assert heddle.text("scan", stdin=lines(over)).encode() == lines(itertools.accumulate(over))
    for args in (["--json"], ["--type", "i64", "--format", "text"], ["--out-type", "i64"]):
        message = heddle.error("scan", "-o", "/dev/null", *args, stdin=lines(over), code=1)
        assert "the total of its first 2 integers does not fit i64" in message
    assert "300 does not fit u8" in heddle.error("sum", "--out-type", "u8", stdin=b"300\n",
                                                 code=1).replace("its integers is 300, which", "300")
    assert heddle.text("reduce", "--init", BIG, stdin=b"2\n") == f"{BIG + 2}\n"


def test_products_beyond_64_bits(heddle):
    values = range(1, 26)
    done = heddle("reduce", "--op", "prod", stdin=lines(values))
    assert float(done.stdout) == pytest.approx(1.5511210043330986e25)
    assert b"does not fit 64 bits" in done.stderr
    assert heddle.text("reduce", "--op", "prod", stdin=lines([2**62, -2])) == f"{-2**63}\n"
    got = heddle("scan", "--op", "prod", stdin=lines(values))
    exact = list(itertools.accumulate(values, operator.mul))
    assert [float(v) for v in got.stdout.split()] == pytest.approx(exact)
    assert got.stdout.split()[:20] == lines(exact).split()[:20]
    assert b"passes 64 bits" in got.stderr


@pytest.mark.parametrize("rows", [3, 131_072, 131_073])
def test_columns_that_are_not_all_integers_are_f64(heddle, rows):
    """Bit by bit what --type f64 gives, wherever the first number that is no integer stands."""
    rng = np.random.default_rng(rows)
    for place, word in ((rows - 1, "3.5"), (rows // 2, "-0"), (rows - 1, "1e3"), (1, "nan"), (0, "0.5")):
        values = [str(v) for v in rng.integers(-10**9, 10**9, rows)]
        values[place] = word
        text = lines(values)
        for verb in (["sum"], ["min"], ["max"], ["describe"], ["reduce", "--op", "prod"]):
            old = heddle.json(*verb, "--type", "f64", "--format", "text", stdin=text)
            assert heddle.json(*verb, stdin=text) == old
        for verb in (["scan"], ["convert"]):
            got = heddle.text(*verb, stdin=text).split()
            old = heddle.text(*verb, "--type", "f64", "--format", "text", stdin=text).split()
            assert [float(v) for v in got if v != "nan"] == [float(v) for v in old if v != "nan"]


def test_small_integers_are_printed_as_ever(heddle):
    for verb, expected in ((["sum"], "6"), (["max"], "3"), (["scan"], "1\n3\n6"), (["convert"], "1\n2\n3"),
                           (["sum", "--type", "f64", "--format", "text"], "6"),
                           (["reduce", "--init", "0.5"], "6.5"), (["sum", "--out-type", "f32"], "6"),
                           (["reduce", "--op", "any"], "1")):
        assert heddle.text(*verb, stdin=b"1\n2\n3\n") == expected + "\n"


def test_columns_of_their_own_types(heddle, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(f"id,x,big\n{BIG},0.5,{2**64 - 1}\n{BIG + 2},2,1\n")
    assert heddle.text("convert", "-c", "big,x,id", path) == (
        f"{2**64 - 1} 0.5 {BIG}\n1 2 {BIG + 2}\n")
    assert heddle.text("max", "-c", "id,x", path).split() == [str(BIG + 2), "id", "2", "x"]
    got = np.frombuffer(heddle("convert", "-c", "id,big", "--to", "raw", path).stdout, "u8")
    assert got.tolist() == [BIG, 2**64 - 1, BIG + 2, 1]


@pytest.mark.parametrize("text, noted", [
    (f"{BIG}\n0.5\n", True), (f"0.5\n{BIG}\n", True), (f"0.5\n{BIG - 1}\n1e300\n", False),
    (f"0.5\n-{BIG}\n", True), (f"0.5\n{'1' + 22 * '0'}\n", False), (f"{10**23}\n1\n", True),
    (f"-1\n{2**64 - 1}\n", True), ("0.5\n12345678901234567.5\n", False)])
def test_rounded_integers_are_told_of(heddle, text, noted):
    for verb in (["sum"], ["max"], ["convert", "--out-type", "f64"], ["hist"], ["describe"],
                 ["scan"], ["convert", "--to", "raw"]):
        done = heddle(*verb, stdin=text.encode())
        assert (b"integers beyond 2^53" in done.stderr) == noted, (verb, done.stderr)
        assert b"beyond" not in heddle(*verb, "-q", stdin=text.encode()).stderr


def test_figures_that_are_floats_say_so(heddle, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(f"a,b\n{BIG},1\n2,3\n")
    for verb in (["describe", "-c", "a"], ["hist", "-c", "a"], ["dot", "--acc", "f64", "-c", "a,b"]):
        done = heddle(*verb, path)
        assert done.stderr.count(b"integers beyond 2^53 in column 'a' were rounded") == 1


def test_pipes_that_need_their_type_first(heddle, tmp_path):
    """A .npy header stands in front: the text is kept in a file, and read again."""
    out = tmp_path / "x.npy"
    for values in ([BIG + k * 1000003 for k in range(400_000)],
                   [k / 2 for k in range(400_001)], [*range(200_000), 0.5]):
        heddle("convert", "-o", out, stdin=lines(values))
        assert np.load(out).tolist() == values
        heddle("scan", "--op", "max", "-o", out, stdin=lines(values))
        assert np.load(out).tolist() == values[:-1] + [max(values)]


def test_conversion_to_a_narrow_type_does_not_wrap(heddle):
    assert "300 does not fit u8" in heddle.error("convert", "--out-type", "u8", stdin=b"1\n300\n",
                                                 code=1)
    assert "-1 does not fit u64" in heddle.error("convert", "--out-type", "u64", stdin=b"1\n-1\n",
                                                 code=1)
    assert heddle.text("convert", "--out-type", "u8", stdin=b"1\n255\n") == "1\n255\n"


def test_dot(heddle, tmp_path):
    rng = np.random.default_rng(5)
    x = [int(v) for v in rng.integers(-2**40, 2**40, 140_000)]
    y = [int(v) for v in rng.integers(-2**5, 2**5, 140_000)]
    (tmp_path / "x").write_bytes(lines(x))
    (tmp_path / "y").write_bytes(lines(["# two", *y]))
    (tmp_path / "t").write_text("x,y\n" + "".join(f"{a},{b}\n" for a, b in zip(x, y)))
    expected = f"{sum(a * b for a, b in zip(x, y))}\n"
    assert heddle.text("dot", tmp_path / "x", tmp_path / "y") == expected
    assert heddle.text("dot", "-c", "x,y", tmp_path / "t") == expected
    with open(tmp_path / "y", "a") as file, open(tmp_path / "x", "a") as other:
        file.write("0.5\n")
        other.write("2\n")
    old = heddle.json("dot", "--format", "text", "--type", "f64", tmp_path / "x", tmp_path / "y")
    assert heddle.json("dot", tmp_path / "x", tmp_path / "y") == old
    table = f"a,b\n{2**63},{2**63}\n".encode()
    assert str(2**126) in heddle.error("dot", "-c", "a,b", stdin=table, code=1)
    table = f"a,b\n{2**64 - 1},{2**64 - 1}\n".encode()
    assert "128 bits" in heddle.error("dot", "-c", "a,b", stdin=table, code=1)
    assert heddle.text("dot", "-c", "a,b", "--out-type", "f32", stdin=b"a,b\n3,4\n") == "12\n"


def test_sums_of_squares_are_exact(heddle):
    values = [3 * 10**9, -4 * 10**9]
    assert heddle.text("reduce", "--op", "sum_squares", stdin=lines([3, -4])) == "25\n"
    assert heddle.text("reduce", "--op", "sum_squares", "--init", "-5", stdin=lines([3, -4])) == "20\n"
    done = heddle("reduce", "--op", "sum_squares", stdin=lines(values), code=1)
    assert b"sum_squares of its integers is 25000000000000000000" in done.stderr
    rounded = heddle.text("reduce", "--op", "sum_squares", "--out-type", "f64", stdin=lines(values))
    assert float(rounded) == 2.5e19
    running = heddle.text("scan", "--op", "sum_squares", "--init", "1", stdin=lines(values))
    assert running == "9000000000000000001\n25000000000000000001\n"
    past = heddle("scan", "--op", "sum_squares", stdin=lines([2**63 - 1] * 3))
    assert past.stdout.startswith(b"%d\n%d\n" % ((2**63 - 1) ** 2, 2 * (2**63 - 1) ** 2))
    assert b"sum_squares of its integers passes" in past.stderr


def test_sums_of_squares_of_arrays(heddle, save):
    x = np.linspace(-3, 5, 1000, dtype=np.float32)
    path = save(x)
    assert float(heddle.text("reduce", "--op", "sum_squares", path)) == pytest.approx(
        float((x.astype(np.float64) ** 2).sum()), rel=1e-5)
    running = heddle.text("scan", "--op", "sum_squares", path).split()
    assert running[-1] == heddle.text("reduce", "--op", "sum_squares", path).strip()

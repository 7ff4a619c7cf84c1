"""select: elements and lines for which a condition holds, against NumPy and Python."""

import operator
import random
from fractions import Fraction

import numpy as np
import pytest
from conftest import TYPES

OPS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
       ">=": operator.ge}
GOODS = (b'\xef\xbb\xbf# goods\ncity,price,qty,a b\nOslo,3.5,1,x\n# between\nUlm,4,,y\n"Os""lo",5,2,"a,\nb"\n\n'
         b"Oslo,9,nan,\r\n")


def rows(text):
    return text.encode().split(b"a b\n", 1)[1]


# ---- tables ---------------------------------------------------------------------------------

@pytest.mark.parametrize("condition, expected", (
    ('price > 3 && city == "Oslo"', b"Oslo,3.5,1,x\nOslo,9,nan,\r\n"),
    ("qty is missing", b"Ulm,4,,y\nOslo,9,nan,\r\n"),
    ("qty is not missing", b'Oslo,3.5,1,x\n"Os""lo",5,2,"a,\nb"\n'),
    ("!(qty > 0)", b"Ulm,4,,y\nOslo,9,nan,\r\n"),
    ("qty != 1", b'Ulm,4,,y\n"Os""lo",5,2,"a,\nb"\nOslo,9,nan,\r\n'),
    (r'city == "Os\"lo"', b'"Os""lo",5,2,"a,\nb"\n'),
    ('`a b` > "w"', b"Oslo,3.5,1,x\nUlm,4,,y\n"),
    ('`a b` == ""', b"Oslo,9,nan,\r\n"),
    ("`2` >= 4 || 1 == qty", b'Oslo,3.5,1,x\nUlm,4,,y\n"Os""lo",5,2,"a,\nb"\nOslo,9,nan,\r\n'),
    ("price < inf && (price < 4 || price > 8)", b"Oslo,3.5,1,x\nOslo,9,nan,\r\n"),
    ("price > qty", b'Oslo,3.5,1,x\n"Os""lo",5,2,"a,\nb"\n'),
    ("city != `a b` && city == city && city == \"Ulm\"", b"Ulm,4,,y\n"),
    # what decides leaves the rest unread: 'Oslo' is no number
    ('city == "Oslo" || city == "Os\\"lo" || price != 4 && city > 3', None)))
def test_lines_stay_as_they_are(heddle, condition, expected):
    if expected is None:
        expected = b'Oslo,3.5,1,x\n"Os""lo",5,2,"a,\nb"\nOslo,9,nan,\r\n'
    out = heddle("select", condition, stdin=GOODS)
    assert out.stdout == GOODS.split(b"Oslo", 1)[0] + expected
    assert b"1 comment behind the first row" in out.stderr
    assert heddle("select", "--where", condition, "--quiet", stdin=GOODS).stderr == b""


def test_positions_offset_and_count(heddle, tmp_path):
    assert heddle.text("select", "--positions", "price >= 4", stdin=GOODS) == "1\n2\n3\n"
    assert heddle.text("select", "--positions", "price >= 4", "--offset", 2, "--count", 1, stdin=GOODS) == "2\n"
    out = tmp_path / "at.npy"
    heddle("select", "--positions", "price < 5", "-o", out, stdin=GOODS)
    assert np.load(out).tolist() == [0, 1]


def random_condition(random, depth):
    """(text, function of a row) of a random condition on columns a, b, t."""
    kind = random.randrange(6) if depth > 0 else random.randrange(3)
    if kind == 0:
        column, op, value = random.choice("ab"), random.choice(list(OPS)), random.randrange(-3, 4)
        return f"{column}{op}{value}", lambda r: OPS[op](r[column], value)
    if kind == 1:
        op, value = random.choice(list(OPS)), random.choice(["", "x", "xy", "y"])
        return f't {op} "{value}"', lambda r: OPS[op](r["t"], value)
    if kind == 2:
        return "a is missing", lambda r: r["a"] != r["a"]
    if kind == 3:
        text, f = random_condition(random, depth - 1)
        return f"!({text})", lambda r: not f(r)
    parts = [random_condition(random, depth - 1) for _ in range(random.randrange(2, 5))]
    sign, fold = ("&&", all) if kind == 4 else ("||", any)
    text = f" {sign} ".join(f"({t})" if sign == "&&" or random.random() < 0.5 else t for t, _ in parts)
    return text, lambda r: fold(f(r) for _, f in parts)


def test_random_conditions(heddle, tmp_path):
    rng = random.Random(5)
    table, path = [], tmp_path / "t.csv"
    for _ in range(30_000):  # more than one buffer of the reader
        a = rng.choice(["", "nan", *map(str, range(-4, 5)), "0.5"])
        table.append((a, str(rng.randrange(-4, 5)), rng.choice(["", "x", "xy", "y", "z" * 40])))
    path.write_text("a,b,t\n" + "".join(",".join(r) + "\n" for r in table))
    for _ in range(12):
        text, holds = random_condition(rng, 3)
        expected = [",".join(r) for r in table
                    if holds({"a": float(r[0] or "nan"), "b": float(r[1]), "t": r[2]})]
        assert heddle.text("select", text, path).splitlines()[1:] == expected, text


def test_integers_are_compared_exactly(heddle):
    table = b"9007199254740993\n9007199254740992\n18446744073709551615\n-9223372036854775808\n1e3\n"
    lines = table.decode().split()
    for literal in ("9007199254740992", "9007199254740993.0", "18446744073709551615", "1.8446744073709552e19", "1000",
                    "-9223372036854775808", "-9223372036854775809"):
        exact = Fraction(literal if literal.lstrip("-").isdigit() and -2**63 <= int(literal) < 2**64
                         else float(literal))
        for op, holds in OPS.items():
            expected = [x for x in lines if holds(Fraction(x), exact)]
            assert heddle.text("select", f"{op} {literal}", stdin=table).split() == expected, (op, literal)


# ---- arrays ---------------------------------------------------------------------------------

@pytest.mark.parametrize("name", TYPES)
def test_elements(heddle, save, tmp_path, name):
    rng, dtype, out = np.random.default_rng(7), np.dtype(TYPES[name]), tmp_path / "o.npy"
    if dtype.kind == "f":
        x = np.concatenate([rng.normal(0, 3, 40_000), [0, -0.0, np.nan, np.inf, -np.inf, 3]]).astype(dtype)
    else:
        x = rng.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, 40_000, dtype=dtype, endpoint=True)
        x[::3] = rng.integers(0, 9, x[::3].size)
    rng.shuffle(x)
    path, wide = save(x), x.astype(np.longdouble)  # holds integers of 64 bits and floats exactly
    for op, literal in (("<", 3), (">=", 2.5), ("==", 3), ("!=", 0), (">", 2**63), ("<=", -(2**40) - 1), ("<", 0.1)):
        expected = OPS[op](wide, np.longdouble(literal))
        heddle("select", f"{op} {literal}", path, "-o", out)
        assert np.load(out).tobytes() == x[expected].tobytes(), (op, literal)
        assert np.load(out).dtype == dtype
    expected = ((wide > 1) & ~(wide == 3)) | np.isnan(wide) | (wide < -2)
    heddle("select", "> 1 && !(== 3) || is missing || < -2", path, "-o", out, "--positions")
    assert np.array_equal(np.load(out), np.flatnonzero(expected))


def test_raw_and_pipes(heddle):
    x = np.arange(100_000, dtype=">i2")
    out = heddle("select", ">= -3 && < 4", "--type", "i16", "--format", "raw", "--big-endian", stdin=x.tobytes()).stdout
    assert out.split() == [b"%d" % v for v in x.astype("i2") if -3 <= v < 4]
    assert heddle.text("select", "== 97", "--bytes", "--positions", stdin=b"banana") == "1\n3\n5\n"
    assert heddle.text("select", "> 3", stdin=b"") == ""


def test_floats_and_integers_that_they_do_not_hold(heddle, save):
    x = np.array([2.0**53 - 1, 2.0**53, 2.0**53 + 2, 2.0**63, 2.0**64, -(2.0**63), np.inf, np.nan])
    path, exact = save(x), [Fraction(int(v)) for v in x[:6]]
    for literal in (2**53 + 1, 2**53, 2**53 - 1, 2**63 - 1, 2**64 - 1, -(2**63)):
        for op, holds in OPS.items():
            found = np.array(heddle.text("select", f"{op} {literal}", path, "--positions").split(), int)
            expected = [i for i, v in enumerate(exact) if holds(v, literal)] + [6] * (op in (">", ">=", "!=")) \
                + [7] * (op == "!=")
            assert found.tolist() == expected, (op, literal)


def test_masks_within_masks_and_blocks(heddle, save, tmp_path):
    x = np.random.default_rng(9).integers(0, 256, 20_000_001, dtype=np.uint8)  # more than one block
    out, path = tmp_path / "o.npy", save(x)
    condition = "(< 9 || (> 20 && (== 21 || (> 99 && < 101)))) && (!= 3 && !(== 4 || == 5))"
    expected = ((x < 9) | (x == 21) | (x == 100)) & ~np.isin(x, (3, 4, 5))
    heddle("select", condition, path, "--positions", "-o", out)
    assert np.array_equal(np.load(out), np.flatnonzero(expected))
    heddle("select", "== 7", path, "--positions", "--no-map", "-o", out)
    assert np.array_equal(np.load(out), np.flatnonzero(x == 7))


# ---- mistakes -------------------------------------------------------------------------------

@pytest.mark.parametrize("condition, message", (
    ("", "character 1: a condition is missing"),
    ("price", "character 6: a comparison is missing"),
    ("price >", "character 8: a number"),
    ("ø > 3 &", "character 7: '&' means nothing here: 'and' is written &&"),
    ("price = 3", "character 7: '=' means nothing here: equality"),
    ("price > 3 and qty > 1", "character 11: && or || is missing"),
    ("1 < price < 3", "character 11: comparisons do not chain"),
    ("(price > 3", "character 1: this parenthesis is not closed"),
    ("price > 3)", "character 10: this parenthesis was not opened"),
    ('city == "Oslo', "character 9: this quote is not closed"),
    ("city == 'Oslo'", "character 9: ''' means nothing here: text stands"),
    (r'city == "a\n"', "character 11: in text a backslash"),
    ("`price > 3", "character 1: this backtick is not closed"),
    ("3 > 2", "character 1: neither side"),
    ("price > 3x", "character 9: '3x' is no number"),
    ("price == nan", "character 10: nothing is equal to NaN"),
    ("price is 3", "character 10: behind 'is'"),
    ("price > 3 && < 4", "character 14: a column is missing here"),
    ("(" * 65 + "price > 3" + ")" * 65, "character 65: more than 64"),
    ("!" * 65 + "(price > 3)", "character 65: more than 64"),
    (" || ".join(f"c{i} > 0" for i in range(17)), "at most 16 columns"),
    ("> 3", "has 4 columns: say in the condition"),
    ("weight > 3", "no column 'weight'; it has 1 'city'"),
    ("price > 3" + " " * 65536, "may have 65536")))
def test_faults_are_named_by_their_place(heddle, condition, message):
    assert message in heddle.error("select", condition, code=2, stdin=GOODS.replace(b"# between\n", b""))


def test_many_parts_and_deep_ones(heddle):
    long = " || ".join(f"== {i}" for i in range(3000))
    assert heddle.text("select", long, stdin=b"2999\n3000\n") == "2999\n"
    assert heddle.text("select", "(" * 64 + "> 3" + ")" * 64, stdin=b"3\n4\n") == "4\n"


@pytest.mark.parametrize("condition, message", (
    ("city > 3", "3:1: 'Oslo' is no number"), ("price > city", "3:1: 'Oslo' is text")))
def test_fields_of_another_kind(heddle, condition, message):
    assert message in heddle("select", condition, stdin=GOODS, code=1).stderr.decode()
    late = GOODS.replace(b"Oslo,9", b"x,y")  # behind a record of two lines and a blank one
    assert "9:3: 'y' is no number" in heddle("select", "price > 3", stdin=late, code=1).stderr.decode()
    done = heddle("select", condition, "--skip-bad", stdin=GOODS)
    assert b"4 bad lines" in done.stderr and done.stdout == GOODS.split(b"Oslo", 1)[0]


def test_what_is_refused(heddle, save, tmp_path):
    x = save(np.arange(3))
    assert "has no columns" in heddle.error("select", "`a` > 3", "--format", "npy", x, code=2)
    assert "are numbers" in heddle.error("select", '== "a"', x, code=2)
    assert "whole lines are text" in heddle.error("select", "price > 3", "-o", tmp_path / "o.npy", stdin=GOODS, code=2)
    assert "first word is a condition" in heddle.error("select", code=2)
    assert "--type goes with arrays" in heddle.error("select", "> 3", "--type", "f64", "--format", "text",
                                                     stdin=b"1\n", code=2)
    assert "too few columns" in heddle("select", "b > 3", "-d,", stdin=b"a,b\n1\n", code=1).stderr.decode()
    assert "quote is not closed" in heddle("select", "a > 3", "-d,", stdin=b'a,b\n1,"\n', code=1).stderr.decode()


def test_blocks_by_several_threads(heddle, tmp_path):
    """A table of some blocks: lines, places and messages are those of one thread."""
    lines = [f'{i % 10},"a, {i}\n{i % 3}",{"x" * (i % 50)}\n' if i % 5 == 0 else f"{i % 10},b{i},\n" for i in range(90000)]
    kept = [i for i in range(90000) if i % 10 > 6]
    path = tmp_path / "t.csv"
    path.write_text("# front\nn,note,rest\n" + "".join(lines[:50000]) + "# later\n\n" + "".join(lines[50000:]))
    text = "# front\nn,note,rest\n" + "".join(lines[i] for i in kept)
    for threads in ("1", "3"):
        done = heddle("select", "--threads", threads, "n > 6", path)
        assert done.stdout.decode() == text and b"1 comment behind" in done.stderr
        places = heddle.text("select", "--threads", threads, "--positions", "n > 6", path)
        assert [int(place) for place in places.split()] == kept
    bad = path.read_text() + "oops,1,2\n7,a,\n"
    line = bad.count("\n") - 1
    for threads in ("1", "3"):
        done = heddle("select", "--threads", threads, "n > 6", stdin=bad.encode(), code=1)
        assert f":{line}:1: 'oops' is no number, and is compared with one;" in done.stderr.decode()
        done = heddle("select", "--threads", threads, "--skip-bad", "n > 6", stdin=bad.encode())
        assert done.stdout.decode() == text + "7,a,\n" and b"1 bad line passed over" in done.stderr

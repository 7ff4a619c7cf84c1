"""sort -k: the lines of a table by columns of numbers, against Python's sorted."""

import gzip
import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

GOODS = b"name,price,weight\nnut,2,9\nbolt,1,8\nnail,2,7\ncog,1,6\n"


def test_names_numbers_and_reversal(heddle):
    head, rows = "name,price,weight\n", {line[0:3]: line for line in GOODS.decode().splitlines(True)}
    for keys, order in (("price", "bol cog nut nai"), ("2", "bol cog nut nai"), ("2r", "nut nai bol cog"),
                        ("price:r", "nut nai bol cog"), ("2:r", "nut nai bol cog"),
                        ("price,weight", "cog bol nai nut"), ("2,3r", "bol cog nut nai"),
                        ("price:r,weight", "nai nut cog bol"), ('"price":r,3', "nai nut cog bol")):
        expected = head + "".join(rows[name] for name in order.split())
        for args in ([f"-k{keys}"], ["--key", keys], [f"--key={keys}"], ["-qk", keys]):
            assert heddle.text("sort", *args, stdin=GOODS) == expected
    assert heddle.text("sort", "-k", "price", "-k", "weight", stdin=GOODS) == \
        heddle.text("sort", "-k", "price,weight", stdin=GOODS)
    assert heddle.text("sort", "-r", "-k", "price:r,weight", stdin=GOODS) == \
        head + "".join(rows[name] for name in ("bol", "cog", "nut", "nai"))


def test_names_that_look_reversed(heddle):
    table = b'power,"a:r",3r,"x,y"\n1,4,2,1\n2,3,1,3\n3,1,3,2\n'
    head, one, two, three = table.decode().splitlines(True)
    assert heddle.text("sort", "-k", "power", stdin=table) == head + one + two + three
    assert heddle.text("sort", "-k", '"a:r"', stdin=table) == head + three + two + one
    assert heddle.text("sort", "-k", '"a:r":r', stdin=table) == head + one + two + three
    assert heddle.text("sort", "-k", '"3r"', stdin=table) == head + two + one + three
    assert heddle.text("sort", "-k", '"x,y"', stdin=table) == head + one + three + two
    assert heddle.text("sort", "-k", '"x,y":r,power', stdin=table) == head + two + three + one


def test_what_is_refused(heddle, tmp_path):
    for args, part in ((["-k", "price", "-c", "price"], "--column"), (["-k", "2", "--json"], "--json"),
                       (["-k", "2", "--argsort"], "-c"), (["-k", "2", "--bytes"], "--bytes"),
                       (["-k", "2", "--format", "npy"], "--format"), (["-k", "nope"], "it has 1 'name'"),
                       (["-k", "7"], "no column '7'"), (["-k", "price,"], "empty name"),
                       (["-k", ":r"], "no column ':r'"), (["-k", '"price'], "double quotes"),
                       (["-k", ",".join(["2"] * 1025)], "at most 1024"),
                       (["-k", "2", "-o", tmp_path / "x.npy"], ".tsv"),
                       (["-k", "2", "-o", tmp_path / "x.json"], ".tsv"),
                       (["-k", "2", "-o", tmp_path / "x.tsv"], "no tabs"),
                       (["-k", "2", "-o", tmp_path / "x.csv.gz"], "gzip")):
        assert part in heddle.error("sort", *args, stdin=GOODS, code=2)
    assert "no commas" in heddle.error("sort", "-k", "1", "--csv", stdin=b"1 2\n3 4\n", code=2)
    assert "unknown option" in heddle.error("argsort", "-k", "2", stdin=GOODS, code=2)
    assert not list(tmp_path.iterdir())


def test_unreadable_lines(heddle, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n3,x\n5,6\n7\n")
    assert f"{path}:3:3: 'x' is not a number" in heddle.error("sort", "-k", "b", path, code=1)
    assert f"{path}:5:2: the line has 1 field" in heddle.error("sort", "-k", "b", path, code=1, stdin=b"") or True
    done = heddle("sort", "-k", "b:r", "--skip-bad", path)
    assert done.stdout == b"a,b\n5,6\n1,2\n" and b"2 bad lines" in done.stderr
    assert heddle.text("sort", "-k", "a:r", path) == "a,b\n7\n5,6\n3,x\n1,2\n"


def test_lines_are_as_they_were(heddle):
    """Blanks, quotes, carriage returns and further columns stay; a last line gets its end."""
    table = b'\xef\xbb\xbf# of today\n\nname; n\r\n"b; ""c"" \nd" ; 03 ;\r\n e;+1.50;x\r\n# within\n\n"f";-0x1p3; \r\ng;1.5'
    done = heddle("sort", "-k", "n", stdin=table)
    assert done.stdout == (b'\xef\xbb\xbf# of today\n\nname; n\r\n"f";-0x1p3; \r\n e;+1.50;x\r\ng;1.5\n'
                           b'"b; ""c"" \nd" ; 03 ;\r\n')
    assert done.stderr == b"heddle: standard input: 1 comment behind the first row passed over\n"
    assert heddle("sort", "-q", "-k", "n", stdin=table).stderr == b""
    assert heddle("sort", "-k", "1", stdin=b"2\r1\r").stdout == b"1\n2\n"


def test_inputs_and_outputs(heddle, tmp_path):
    expected = heddle("sort", "-k", "2", stdin=GOODS).stdout
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(GOODS))
    assert heddle("sort", "-k", "2", tmp_path / "t.csv.gz").stdout == expected
    for name in ("y.csv", "y.txt", "y"):
        heddle("sort", "-k", "price", tmp_path / "t.csv.gz", "-o", tmp_path / name)
        assert (tmp_path / name).read_bytes() == expected
    heddle("sort", "-k", "price", "-o", tmp_path / "y.tsv", stdin=GOODS.replace(b",", b"\t"))
    assert (tmp_path / "y.tsv").read_bytes() == expected.replace(b",", b"\t")
    assert heddle("sort", "--no-header", "-k", "1", stdin=b"2 b\n1 a\n").stdout == b"1 a\n2 b\n"
    assert heddle("sort", "--header", "-k", "1", stdin=b"9 b\n2 b\n1 a\n").stdout == b"9 b\n1 a\n2 b\n"
    assert heddle("sort", "-k", "2", "--offset", 1, "--count", 2, stdin=GOODS).stdout == \
        b"name,price,weight\nbolt,1,8\nnail,2,7\n"
    assert heddle("sort", "-k", "1", "--type", "u8", "--format", "text", stdin=b"255\n3\n").stdout == b"3\n255\n"
    assert "does not fit u8" in heddle.error(
        "sort", "-k", "1", "--type", "u8", "--format", "text", stdin=b"256\n3\n", code=1)


def test_integers_are_exact(heddle):
    """Beyond 2^53, beside a column of floats; as long as nothing else is in their own."""
    rows = [(2**53 + k, k / 2) for k in (3, 1, 2, 0)] + [(-2**63, 1.5), (5, 0.25)]
    text = "".join(f"{a} {b}\n" for a, b in rows).encode()
    expected = "".join(f"{a} {b}\n" for a, b in sorted(rows))
    for size in ("4K", "1G"):
        assert heddle.text("sort", "-k", "1,2", "-S", size, stdin=text) == expected
    mixed = text + b"0.5 7\n"
    done = heddle("sort", "-k", "1", stdin=mixed)
    floats = sorted([*rows, (0.5, 7)], key=lambda row: float(row[0]))
    assert done.stdout.decode() == "".join(f"{a} {b}\n" for a, b in floats)
    assert b"were rounded to f64" in done.stderr
    long = text * 30_000 + b"0.5 7\n"
    message = heddle.error("sort", "-k", "1", "-S", "1M", stdin=long, code=1)
    assert "integers beyond 2^53" in message and "--type f64" in message
    for more in (["-S", "1M", "--type", "f64"], ["-S", "1G"]):
        assert heddle.text("sort", "-k", "1", "-u", *more, stdin=long) == \
            "".join(f"{a} {b}\n" for a, b in [(-2**63, 1.5), (0.5, 7), (5, 0.25), (2**53, 0.0), (2**53 + 2, 1.0),
                                              (2**53 + 3, 1.5)]).replace(f"{2**53} 0.0", f"{2**53 + 1} 0.5")


def test_a_column_that_becomes_floats_in_parts(heddle):
    rows = [(k * 7919 % 3001 - 1500, k) for k in range(150_000)] + [(0.5, -1), (2.5, -2)]
    text = "".join(f"{a},{b}\n" for a, b in rows).encode()
    expected = "".join(f"{a},{b}\n" for a, b in sorted(rows, key=lambda row: row[0]))
    for size in ("1M", "1G"):
        assert heddle.text("sort", "-k", "1", "-S", size, stdin=text) == expected
        assert heddle.text("sort", "-k", "1", "--head", 999, "-S", size, stdin=text) == \
            "".join(expected.splitlines(True)[:999])
    rising = "".join(f"{k}\n" for k in range(150_000, 0, -1)) + "0.5\n0.25\n"
    assert heddle.text("sort", "-k", "1", "--head", 3, stdin=rising.encode()) == "0.25\n0.5\n1\n"


def test_unique_has_the_first(heddle):
    table = b"1,a\n2,b\n1,c\n0x1p0,d\n-0,e\n0,f\nnan,g\nnan,h\n"
    for size in ("4K", "1G"):
        assert heddle.text("sort", "-u", "-k", "1", "-S", size, stdin=table) == "-0,e\n1,a\n2,b\nnan,g\n"
        assert heddle.text("sort", "-ur", "-k", "1", "-S", size, stdin=table) == "2,b\n1,a\n-0,e\nnan,g\n"


@pytest.mark.parametrize("size", ["8K", "1G"])
@pytest.mark.parametrize("back", [False, True])
def test_many_equal_lines(heddle, size, back):
    """Stable, and the first of each, over the parts."""
    rows = [(k * 7919 % 7, k * 104729 % 3, k * 7919 % 3001, k) for k in range(5000)]
    text = "".join(f"{a} {b} {c} {k}\n" for a, b, c, k in rows).encode()
    flags, sign = (["-r"], -1) if back else ([], 1)
    for keys, key in (("1", lambda row: sign * row[0]), ("2:r", lambda row: -sign * row[1]),
                      ("1,2r", lambda row: (sign * row[0], -sign * row[1])),
                      ("2,1", lambda row: (sign * row[1], sign * row[0])),
                      ("3", lambda row: sign * row[2]), ("3r,1", lambda row: (-sign * row[2], sign * row[0]))):
        order = sorted(rows, key=key)
        first = [row for i, row in enumerate(order) if i == 0 or key(row) != key(order[i - 1])]
        for option, expected in (([], order), (["-u"], first), (["--head", 700], order[:700]),
                                 (["-u", "--head", 2], first[:2])):
            got = heddle.text("sort", "-k", keys, *flags, *option, "-S", size, stdin=text)
            assert got == "".join(f"{a} {b} {c} {k}\n" for a, b, c, k in expected)


def test_long_lines_in_parts(heddle):
    """Lines longer than the buffers of the parts, and than the memory."""
    rows = [f"{k * 37 % 101},{'x' * (k * 997 % 9000)}" for k in range(101)]
    text = "\n".join(rows).encode()
    for size in ("4K", "64K", "1G"):
        assert heddle.text("sort", "-k", "1", "-S", size, stdin=text).splitlines() == \
            sorted(rows, key=lambda row: int(row.split(",")[0]))


NUMBERS = st.one_of(st.integers(-3, 3), st.integers(-2**70, 2**70).filter(lambda v: abs(v) < 2**53),
                    st.sampled_from(["", "nan", "-nan", "inf", "-inf", "-0", "0.0", "1e3", "1000", "2.50"]),
                    st.floats(-4, 4, allow_nan=False))
ROWS = st.lists(st.tuples(NUMBERS, NUMBERS, st.text("ab \"#é", max_size=9)), max_size=60)


def place(word, reverse):
    """Where a field comes: NaN last in both directions."""
    value = float(word) if str(word) != "" else float("nan")
    return (1, 0.0) if value != value else (0, -value if reverse else value)


@given(rows=ROWS, repeat=st.sampled_from([1, 1, 7]), first=st.booleans(), second=st.booleans(),
       back=st.booleans(), both=st.booleans(), unique=st.booleans(), size=st.sampled_from(["4K", "6K", "1G"]),
       head=st.sampled_from([None, None, 0, 1, 3, 30]))
def test_as_sorted(heddle, rows, repeat, first, second, back, both, unique, size, head):
    rows = rows * repeat
    lines = [f'{a},{b},{k},"' + text.replace('"', '""') + '"' for k, (a, b, text) in enumerate(rows)]
    table = "".join(f"{line}\n" for line in ["a,b,k,text", *lines]).encode()
    keys = ("a:r" if first else "a") + (",2r" if both and second else ",b" if both else "")

    def key(item):
        a, b, _ = item[0]
        return (place(a, first != back), place(b, second != back) if both else 0)

    order = sorted(zip(rows, lines), key=key)
    if unique:
        order = [item for i, item in enumerate(order) if i == 0 or key(item) != key(order[i - 1])]
    expected = "".join(f"{line}\n" for line in ["a,b,k,text", *(line for _, line in order[:head])])
    args = ["-k", keys, "-S", size, "-d", "comma", "--header", *(["-r"] if back else []), *(["-u"] if unique else []),
            *([] if head is None else ["--head", head])]
    assert heddle("sort", *args, stdin=table).stdout.decode() == expected


def test_head_of_many_lines(heddle):
    """So many that lines are dropped as they are read, of which equal ones come first and last."""
    rows = [(k * 7919 % 1009, k) for k in range(90_000)]
    text = "".join(f"{a} {b}\n" for a, b in rows).encode()
    for keys, order in (("1", sorted(rows, key=lambda row: row[0])),
                        ("1,2r", sorted(rows, key=lambda row: (row[0], -row[1]))),
                        ("1r", sorted(rows, key=lambda row: -row[0]))):
        for head in (1, 89, 90, 91, 9000, 50_000):
            for size in ("256K", "1G"):
                got = heddle.text("sort", "-k", keys, "--head", head, "-S", size, stdin=text)
                assert got == "".join(f"{a} {b}\n" for a, b in order[:head])
    got = heddle.text("sort", "-u", "-k", "1", "--head", 500, stdin=text)
    assert got == "".join(f"{k} {next(b for a, b in rows if a == k)}\n" for k in range(500))


def peak_memory(heddle, *args):
    """KiB at most so far, as the system tells while it writes the result; what was freed not held back by ASan."""
    options = f"{heddle.environment.get('ASAN_OPTIONS', '')}:quarantine_size_mb=1"
    with subprocess.Popen([heddle.program, *map(str, args)], stdout=subprocess.PIPE,
                          env={**heddle.environment, "ASAN_OPTIONS": options}) as process:
        process.stdout.read(10)
        status = Path(f"/proc/{process.pid}/status").read_text()
        process.communicate()
    assert process.returncode == 0
    return int(re.search(r"VmHWM:\s*(\d+) kB", status)[1])


@pytest.mark.parametrize("width", [1, 1000])
def test_many_lines_need_little_memory(heddle, tmp_path, width):
    path = tmp_path / "t.csv"
    count, rest = 1_000_000 // width, "x" * width
    with open(path, "w") as file:
        for _ in range(2 if width == 1 else 60):
            file.write("".join(f"{k * 7919 % 1_000_003},{rest}\n" for k in range(count)))
    few = tmp_path / "few.csv"
    few.write_text("2,b\n1,a\n" * 20_000)  # more than a pipe holds
    idle, little, much = (peak_memory(heddle, "sort", "-k", 1, "-S", size, of)
                          for size, of in (("4M", few), ("4M", path), ("1G", path)))
    limit = idle + (20 << 10 if b"__asan" not in Path(heddle.program).read_bytes() else 32 << 10)
    assert little < limit < much, (idle, little, much)


@pytest.mark.parametrize("size", ["4K", "1G"])
def test_lines_of_one_column(heddle, size):
    assert heddle.text("sort", "-k", "1", "-S", size, stdin=b"b\n3\n1\n2\n") == "b\n1\n2\n3\n"

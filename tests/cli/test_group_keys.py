"""group: the order of keys that are hard to tell apart, and texts that come once, often, or now and then."""

import csv
import io
import random

import pytest


def keys_of(text, fields=1):
    rows = list(csv.reader(io.StringIO(text)))[1:]
    return [tuple(row[:fields]) for row in rows]


def table(columns):
    out = io.StringIO(newline="")
    rows = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    rows.writerow([f"k{i}" for i in range(len(columns[0]))] + ["x"])
    rows.writerows([*row, 1] for row in columns)
    return out.getvalue().encode()


def by_bytes(row):
    return [field.encode() for field in row]


def texts_alike():
    """Runs of more than sixteen keys that are equal in 7, 8, 9, 16, 40 bytes, or are beginnings of each other."""
    keys = {"a" * n for n in range(1, 30)}
    for common in (0, 1, 7, 8, 9, 15, 16, 17, 40):
        keys |= {"p" * common + f"{i:03}" for i in range(40)}
        keys |= {"q" * common + "\u00e9" * i for i in range(20)}
        keys |= {"r" * common + c for c in "abcdefghijklmnopqrstuvwxyzABCDEFG~ !"}
    return sorted(keys)


@pytest.mark.parametrize("threads", (1, 2))
def test_texts_alike(heddle, threads):
    keys = [(key,) for key in texts_alike()]
    random.Random(threads).shuffle(keys)
    found = heddle.text("group", "-k", "k0", "count", "--csv", "--threads", threads, stdin=table(keys))
    assert keys_of(found) == sorted(keys, key=by_bytes)


def test_texts_that_are_beginnings_of_each_other_for_long(heddle):
    """Each word of eight bytes ends eight keys more, deeper than words are sorted by."""
    keys = [("d" * n,) for n in range(1, 900)]
    random.Random(5).shuffle(keys)
    found = heddle.text("group", "-k", "k0", "count", "--csv", stdin=table(keys))
    assert keys_of(found) == sorted(keys)


def test_numbers_of_one_value(heddle):
    keys = [("0" * n + "7",) for n in range(40)] + [("7." + "0" * n,) for n in range(40)]
    keys += [(key,) for key in ("0", "-0", "0.0", "-0.0", "-7", "7e0", "+7", "6.999999999999999", "1e300", "-1e300")]
    random.Random(6).shuffle(keys)
    found = heddle.text("group", "-k", "k0", "count", "--csv", stdin=table(keys))
    assert keys_of(found) == sorted(keys, key=lambda row: (float(row[0]), row[0].encode()))


@pytest.mark.parametrize("numbers", (False, True))
def test_second_and_third_fields(heddle, numbers):
    """Long runs of one first field, and of one first and second field."""
    rng = random.Random(7)
    first = ["", "north", "northern", "northern-most town"] if not numbers else ["5", "5.0", "-1", "12"]
    keys = {(rng.choice(first), rng.choice(["", "x", "common beginning", "common beginning!"]), str(rng.randrange(-60, 60)))
            for _ in range(2000)}
    keys = sorted(keys)
    rng.shuffle(keys)
    found = heddle.text("group", "-k", "k0,k1,k2", "count", "--csv", stdin=table(keys))

    def order(row):
        head = (float(row[0]), row[0].encode()) if numbers else (row[0].encode(),)
        return (*head, row[1].encode(), float(row[2]))
    assert keys_of(found, 3) == sorted(keys, key=order)


def test_zero_bytes(heddle, tmp_path):
    """A text comes before those that go on with zeros, which one word of eight bytes does not tell."""
    keys = [stem + "\0" * n + end for stem in ("", "abcdefg", "abcdefgh") for n in range(1, 12) for end in ("b", "c")]
    keys += ["abcdefg", "abcdefgh"]
    random.Random(8).shuffle(keys)
    feather = pytest.importorskip("pyarrow.feather")
    place = [sorted(keys).index(key) for key in keys]
    feather.write_feather(pytest.importorskip("pyarrow").table({"k": keys, "place": place}), tmp_path / "zeros.arrow",
                          compression="uncompressed")
    found = heddle.json("group", "-k", "k", "sum:place", tmp_path / "zeros.arrow")
    assert [group["sum:place"] for group in found["groups"]] == list(range(len(keys)))


# Lines are long, so that there are many blocks of them.
FILLING = "." * 180


def waves():
    """Keys of which each comes once, for many blocks, then few that come often, then both, and again."""
    rng = random.Random(9)
    once = (f"once {i}" for i in range(10 ** 9))
    keys = [next(once) for _ in range(6000)]
    keys += [f"often {rng.randrange(50)}" for _ in range(50_000)]
    for _ in range(40_000):
        keys.append(next(once) if rng.random() < 0.8 else f"now {rng.randrange(9000)}")
    keys += [f"once {i}" for i in range(8000)]
    return [(key, rng.randrange(1000), f"note {rng.randrange(3) if i % 3 else i}") for i, key in enumerate(keys)]


@pytest.mark.parametrize("options", (["--threads", 1], ["--threads", 2], ["-S", "1M"], ["-S", "1M", "--threads", 2]))
def test_texts_that_come_in_waves(heddle, tmp_path, options):
    rows = waves()
    text = "k,x,note,filling\n" + "".join(f"{k},{x},{note},{FILLING}\n" for k, x, note in rows)
    (tmp_path / "waves.csv").write_text(text)
    expected = {}
    for key, x, note in rows:
        group = expected.setdefault(key, [0, 0, note, note, set()])
        group[0] += 1
        group[1] += x
        group[3] = note
        group[4].add(note)
    found = heddle.text("group", "-k", "k", "count", "sum:x", "first:note", "last:note", "distinct:note", "--csv",
                        *options, tmp_path / "waves.csv")
    assert list(csv.reader(io.StringIO(found)))[1:] == [
        [key, str(g[0]), str(g[1]), g[2], g[3], str(len(g[4]))] for key, g in sorted(expected.items())]


def test_many_columns_by_way_of_files(heddle, tmp_path):
    """Integers and floats side by side, more than 32 of them: of each row that goes to disk it is known which is which."""
    rng = random.Random(12)
    names = [f"c{i}" for i in range(40)]
    rows = [[f"key {rng.randrange(2000)}"] + [str(rng.randrange(-99, 99)) + ".5" * (i % 3 == 1) for i in range(40)]
            for _ in range(6000)]
    path = tmp_path / "many.csv"
    path.write_text("k," + ",".join(names) + "\n" + "".join(",".join(row) + "\n" for row in rows))
    sums = {}
    for row in rows:
        of = sums.setdefault(row[0], [0] * 40)
        for i, value in enumerate(row[1:]):
            of[i] += float(value)
    for memory in ("1M", "1G"):
        found = heddle.text("group", "-k", "k", *(f"sum:{name}" for name in names), "--csv", "-S", memory, path)
        got = {row[0]: [float(x) for x in row[1:]] for row in list(csv.reader(io.StringIO(found)))[1:]}
        assert got == sums

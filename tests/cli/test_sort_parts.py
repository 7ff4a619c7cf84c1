"""sort and argsort in parts: what does not fit the memory, limits of it, failures, signals."""

import os
import resource
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import TYPES

SMALL = ["-S", "64K"]


def values(name, length, seed=0):
    """Elements of which few are equal where the type has many values, with what floats have besides."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(TYPES[name])
    x = np.frombuffer(rng.bytes(length * dtype.itemsize), dtype).copy()  # NaN with payloads, too
    if dtype.kind == "f":
        x[::7] = rng.standard_normal(x[::7].size)
        x[::31] = np.tile([0.0, -0.0, np.inf, -np.inf], length)[:x[::31].size]
    return x


def bits(x):
    return x.view(f"u{x.itemsize}").tolist()


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("flags", [[], ["-r"]])
def test_parts_are_the_whole(heddle, save, tmp_path, name, flags):
    """The same sequence of bits, NaN included, whether memory holds all of it or a part of it."""
    path = save(values(name, 50_021))
    heddle("sort", *flags, path, "-o", tmp_path / "whole.npy")
    heddle("sort", *flags, *SMALL, path, "-o", tmp_path / "parts.npy")
    assert bits(np.load(tmp_path / "parts.npy")) == bits(np.load(tmp_path / "whole.npy"))
    heddle("argsort", *flags, path, "-o", tmp_path / "whole.npy")
    heddle("argsort", *flags, *SMALL, path, "-o", tmp_path / "parts.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "parts.npy"), np.load(tmp_path / "whole.npy"))


@pytest.mark.parametrize("name", ["u16", "i64", "f32"])
@pytest.mark.parametrize("size", ["64K", "1G"])
@pytest.mark.parametrize("flags", [[], ["-r"]])
def test_unique_and_head(heddle, save, tmp_path, name, size, flags):
    x = values(name, 50_021, 1)
    x[::2] = x[:x[::2].size]  # pairs far apart
    path = save(x)
    whole = np.sort(x)
    order = np.argsort(x, kind="stable")
    if flags:
        heddle("sort", "-r", path, "-o", tmp_path / "y.npy")
        whole = np.load(tmp_path / "y.npy")
        heddle("argsort", "-r", path, "-o", tmp_path / "y.npy")
        order = np.load(tmp_path / "y.npy")
    same = (x[order][1:] == x[order][:-1]) | (np.isnan(x[order][1:]) & np.isnan(x[order][:-1]))
    first = np.concatenate([[True], ~same])
    for head in (None, 0, 1, 10, 2000, 40_000, 60_000):
        limit = [] if head is None else ["--head", head]
        for command, expected in (("sort", whole), ("argsort", order)):
            for option, result in (([], expected), (["-u"], expected[first])):
                out = tmp_path / "z.npy"
                heddle(command, *option, *flags, *limit, "-S", size, path, "-o", out)
                got = np.load(out)
                assert got.dtype == (np.uint64 if command == "argsort" else x.dtype)
                np.testing.assert_array_equal(got, result[:head])


@pytest.mark.parametrize("reverse", [False, True])
def test_what_comes_just_before_the_bound(heddle, save, reverse):
    """Of the first ten when most are read, the last is 90: then 89, which takes its place, and another 90."""
    x = np.concatenate([np.arange(0, 100, 10), np.full(70_000, 1000), [89, 90, 91]])
    flags, sign = (["-r"], -1) if reverse else ([], 1)
    path = save(sign * x)
    assert heddle.text("sort", *flags, "--head", 10, path).split() == [
        str(sign * v) for v in (0, 10, 20, 30, 40, 50, 60, 70, 80, 89)]
    text = "".join(f"{sign * v} {k}\n" for k, v in enumerate(x)).encode()
    places = [*range(9), 70_010]
    for head, rest in ((10, []), (11, [9]), (12, [9, 70_011]), (13, [9, 70_011, 70_012])):
        expected = [str(k) for k in [*places, *rest]]
        assert heddle.text("argsort", *flags, "--head", head, path).split() == expected
        lines = heddle.text("sort", *flags, "-k", "1", "--head", head, stdin=text).splitlines()
        assert [line.split()[1] for line in lines] == expected
    lines = heddle.text("sort", *flags, "-k", "1,2r", "--head", 11, stdin=text).splitlines()
    last = [9] if reverse else [70_011]
    assert [int(line.split()[1]) for line in lines] == [*places, *last]


def fits(heddle, path, **options):
    """Whether it is sorted without a temporary file: there is no folder for one."""
    args = [heddle.program, "sort", "-S", "64K", "--type", "u64", "--format", "raw", "--tmp", "/nowhere", path]
    done = subprocess.run(args, capture_output=True, env=heddle.environment, check=False)
    assert done.returncode == 0 or b"/nowhere: No such file" in done.stderr, done.stderr
    return done.returncode == 0


@pytest.mark.parametrize("name", ["x.raw", "x.raw.gz"])  # mapped, and read
def test_around_what_memory_holds(heddle, tmp_path, name):
    import gzip
    path = tmp_path / name
    x = np.random.default_rng(2).integers(0, 1 << 63, 40_000).astype(np.uint64)

    def write(count):
        raw = x[:count].tobytes()
        path.write_bytes(gzip.compress(raw, 1) if name.endswith(".gz") else raw)

    least, most = 1, x.size
    while most - least > 1:
        middle = (least + most) // 2
        write(middle)
        least, most = (middle, most) if fits(heddle, path) else (least, middle)
    assert 1000 < least < 8192
    for parts in (1, 2, 3):
        for count in (parts * least - 1, parts * least, parts * least + 1):
            write(count)
            got = heddle("sort", *SMALL, "--type", "u64", "--format", "raw", path).stdout.split()
            np.testing.assert_array_equal(np.array(got, np.uint64), np.sort(x[:count]))


def test_runs_that_are_merged_twice(heddle, save, tmp_path):
    """More than 64 runs, and more than twice so many."""
    x = np.random.default_rng(3).integers(-1000, 1000, 60_000)
    path = save(x)
    out = tmp_path / "y.npy"
    few = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))}  # open at a time
    for command, expected in (("sort", np.sort(x)), ("argsort", np.argsort(x, kind="stable"))):
        heddle(command, "-S", "4K", path, "-o", out, **few)
        np.testing.assert_array_equal(np.load(out), expected)
    text = "".join(f"{v},{k}\n" for k, v in enumerate(x.tolist())).encode()
    got = heddle("sort", "-k", "1", "-S", "8K", stdin=text, **few).stdout
    rows = [(v, k) for k, v in enumerate(x.tolist())]
    assert got.decode() == "".join(f"{v},{k}\n" for v, k in sorted(rows, key=lambda row: row[0]))


def test_text_in_parts(heddle):
    """Integers in the first parts, floats in the last; then integers beyond i64. A block of text has 131,072 rows."""
    x = list(range(150_000, 0, -1)) + [0.5, "nan", -3]
    expected = ["-3", "0.5", *map(str, range(1, 150_001)), "nan"]
    text = "".join(f"{v}\n" for v in x).encode()
    for size in ("64K", "1G"):
        assert heddle.text("sort", "-S", size, stdin=text).split() == expected
        order = heddle.text("argsort", "-S", size, stdin=text).split()
        assert order == ["150002", "150000", *map(str, range(149_999, -1, -1)), "150001"]
        big = text.replace(b"0.5\nnan\n-3\n", b"18446744073709551615\n")
        assert heddle.text("sort", "-S", size, stdin=big).split() == [
            *map(str, range(1, 150_001)), "18446744073709551615"]
        got = heddle.json("sort", "-S", size, "--head", 3, stdin=text)
        assert got == {"reverse": False, "type": "f64", "values": [-3, 0.5, 1]}


def test_integers_that_are_equal_as_floats(heddle):
    """Positions tell them apart where all are integers; otherwise they are equal."""
    large = [2**53 + 1, 2**53, 2**53 + 2, 2**53 + 1]
    text = "".join(f"{v}\n" for v in large).encode()
    for size in ("4K", "1G"):
        assert heddle.text("argsort", "-S", size, stdin=text).split() == ["1", "0", "3", "2"]
        assert heddle.text("argsort", "-S", size, "-u", stdin=text).split() == ["1", "0", "2"]
        done = heddle("argsort", "-S", size, stdin=text + b"0.5\n")
        assert done.stdout.split() == [b"4", b"0", b"1", b"3", b"2"]
    many = text + b"%d\n" % (2**60) * 150_000
    assert heddle.text("sort", "-u", "--head", 3, stdin=many).split() == [
        str(2**53), str(2**53 + 1), str(2**53 + 2)]
    done = heddle.text("sort", "-u", "--head", 3, stdin=many + b"0.5\n")
    assert done.split() == ["0.5", str(2**53), str(2**53 + 2)]


def test_an_empty_input(heddle, save):
    for args in (["sort"], ["argsort"], ["sort", "-u"], ["sort", "--head", 5], ["sort", "-k", 1]):
        for size in ("4K", "1G"):
            assert heddle.text(*args, "-S", size, stdin=b"") == ""
    assert heddle.text("sort", save(np.zeros(0))) == ""
    assert heddle.text("sort", "-k", "a", stdin=b"a,b\n") == "a,b\n"
    assert heddle.text("sort", "-k", "1", "--head", 0, stdin=b"1,2\n") == ""


def test_sizes(heddle):
    for size in ("4096", "4K", "1M", "2G", "1T", "1%", "100%"):
        assert heddle.text("sort", "-S", size, stdin=b"2\n1\n") == "1\n2\n"
    for size in ("", "0", "4095", "1K", "-1", "1.5G", "10Q", "101%", "0%", "1KB", "99999999999T", "M"):
        assert "--memory takes bytes" in heddle.error("sort", "-S", size, stdin=b"1\n", code=2)


# ---- failures: the temporary files gone, the output as it was ----------------------------------


KINDS = [["sort"], ["argsort"], ["sort", "-k", "1"]]


@pytest.fixture
def large(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("".join(f"{v}\n" for v in np.random.default_rng(4).permutation(60_000)))
    return path


@pytest.mark.parametrize("args", KINDS)
def test_no_folder_for_parts(heddle, tmp_path, large, args):
    out = tmp_path / "out.txt"
    out.write_text("precious")
    for folder, reason in ((tmp_path / "none", "No such file"), (large, "Not a directory"),
                           ("/proc/1", "")):
        message = heddle.error(*args, *SMALL, "--tmp", folder, large, "-o", out, code=1)
        assert "is sorted in parts" in message and "--tmp" in message and reason in message
        assert str(folder) in message
    assert str(tmp_path / "none") in heddle.error(
        *args, *SMALL, large, "-o", out, code=1, env={"TMPDIR": str(tmp_path / "none")})
    assert out.read_text() == "precious"
    heddle(*args, "--tmp", tmp_path / "none", large, "-o", out)  # it fits: nobody asks for the folder


def test_a_folder_that_cannot_be_written(heddle, tmp_path, large):
    text = large.read_bytes()
    if os.geteuid() == 0:  # who may write anywhere
        if not Path(heddle.program).stat().st_mode & 1 or subprocess.run(
                [heddle.program, "--version"], capture_output=True, check=False,
                preexec_fn=lambda: os.setuid(65534)).returncode != 0:
            pytest.skip("no other user may run the command")
        message = heddle.error("sort", *SMALL, "--tmp", "/", stdin=text, code=1,
                               preexec_fn=lambda: os.setuid(65534))
    else:
        folder = tmp_path / "locked"
        folder.mkdir(0o500)
        message = heddle.error("sort", *SMALL, "--tmp", folder, stdin=text, code=1)
    assert "Permission denied; name by --tmp a folder that can be written" in message


@pytest.mark.parametrize("args", KINDS)
@pytest.mark.parametrize("limit", [10_000, 330_000])
def test_a_full_disk(heddle, tmp_path, large, args, limit):
    """By a limit on the size of files: in the first run, in the output."""
    out, folder = tmp_path / "out.txt", tmp_path / "tmp"
    out.write_text("precious")
    folder.mkdir()
    message = heddle.error(
        *args, *SMALL, "--tmp", folder, large, "-o", out, code=1,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    assert "File too large" in message
    assert ("--tmp" in message) == (limit < 330_000), message
    assert ("nothing was changed" in message) == (limit == 330_000)
    assert out.read_text() == "precious" and not list(folder.iterdir())
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.txt", "tmp", "x.txt"]


@pytest.mark.parametrize("command", ["sort", "argsort"])
def test_out_of_memory(heddle, tmp_path, tmp_path_factory, command):
    """More is asked for than there is; without -S it keeps to what there is."""
    path, out = tmp_path / "x.raw", tmp_path / "out.raw"
    out.write_text("precious")
    with open(path, "wb") as file:
        file.truncate(300 << 20)
    args = [command, "--type", "u64", "--format", "raw", "--no-map", path, "--threads", 2]
    short = keeps = {
        "preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))}
    if b"__asan" in Path(heddle.program).read_bytes():  # its shadow is larger than any limit
        options = heddle.environment.get("ASAN_OPTIONS", "")
        log = tmp_path_factory.mktemp("asan") / "log"
        short, keeps = {"env": {"ASAN_OPTIONS": f"{options}:allocator_may_return_null=1:"
                                                f"max_allocation_size_mb=200:log_path={log}"}}, {}
    message = heddle.error(*args, "-o", out, "-S", "4G", code=1, **short)
    assert "give less by -S" in message or "free some memory" in message
    assert out.read_text() == "precious"
    assert len(list(tmp_path.iterdir())) == 2
    assert heddle.text(*args, "-u", **keeps) == "0\n"


@pytest.mark.parametrize("args", KINDS)
def test_a_bad_line_after_runs(heddle, tmp_path, large, args):
    out, folder = tmp_path / "out.txt", tmp_path / "tmp"
    folder.mkdir()
    out.write_text("precious")
    large.write_text(large.read_text() + "x\n")
    message = heddle.error(*args, *SMALL, "--tmp", folder, large, "-o", out, code=1)
    assert f"{large}:60001:1: 'x' is not a number" in message
    assert out.read_text() == "precious" and not list(folder.iterdir())


def open_parts(process, folder):
    """How many files of the process lie in the folder, named or not."""
    count = 0
    for link in Path(f"/proc/{process.pid}/fd").iterdir():
        try:
            count += os.readlink(link).startswith(f"{folder}/")
        except OSError:
            pass
    return count


@pytest.mark.parametrize("args", KINDS)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_signal_leaves_nothing(heddle, tmp_path, args, number):
    out, folder = tmp_path / "out.txt", tmp_path / "tmp"
    out.write_text("precious")
    folder.mkdir()
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_RDWR))
    except OSError:
        if number == signal.SIGKILL:
            pytest.skip("the file system has no files without a name")
    process = subprocess.Popen([heddle.program, *args, "-S", "64K", "--type", "f64", "--format", "text", "--tmp", folder,
                                "-o", out], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=heddle.environment)
    process.stdin.write(b"".join(b"%d\n" % v for v in range(60_000, 0, -1)) * 6)
    process.stdin.flush()
    deadline = time.monotonic() + 20
    while open_parts(process, folder) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert open_parts(process, folder) >= 2
    process.send_signal(number)
    try:
        process.wait(20)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    assert out.read_text() == "precious" and not list(folder.iterdir())
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.txt", "tmp"]


def test_an_interrupt_while_merging(heddle, tmp_path):
    """The reader of the pipe lets it wait in the midst of the output."""
    path = tmp_path / "x.raw"
    np.random.default_rng(5).integers(0, 1 << 62, 400_000).tofile(path)
    process = subprocess.Popen([heddle.program, "sort", "-S", "256K", "--type", "i64", "--format", "raw", path],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=heddle.environment)
    process.stdout.read(10)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 130 and b"interrupted" in errors


def test_the_file_itself_may_be_the_output(heddle, tmp_path, large):
    for args in (["sort"], ["sort", "-k", "1"]):
        for size in ("64K", "1G"):
            heddle(*args, "-r", large, "-o", large, "-S", size)
            assert large.read_text().split() == [str(v) for v in range(59_999, -1, -1)]
            heddle(*args, large, "-o", large, "-S", size)
            assert large.read_text().split() == [str(v) for v in range(60_000)]


def test_progress_of_both_passes(heddle, large):
    done = heddle("sort", *SMALL, "--progress", "always", large)
    assert b"100%" in done.stderr and b"/s" in done.stderr
    assert heddle("sort", *SMALL, large).stderr == b""
    assert heddle("sort", *SMALL, "--progress", "always", "-q", large).stderr == b""

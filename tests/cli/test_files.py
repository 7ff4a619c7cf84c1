"""Inputs and outputs: compression, pipes, large files, failures that leave files alone."""

import gzip
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest


def test_gzip_and_zstd(heddle, tmp_path):
    x = np.arange(200_000, dtype=np.float32)
    plain = tmp_path / "x.npy"
    np.save(plain, x)
    (tmp_path / "x.gz").write_bytes(gzip.compress(plain.read_bytes()))
    expected = heddle.json("sum", plain)
    assert heddle.json("sum", tmp_path / "x.gz") == expected
    if shutil.which("zstd"):
        subprocess.run(["zstd", "-q", plain, "-o", tmp_path / "x.zst"], check=True)
        assert heddle.json("sum", tmp_path / "x.zst") == expected
        with open(tmp_path / "x.zst", "rb") as file:
            assert heddle.json("sum", stdin=file) == expected
    packed = len((tmp_path / "x.gz").read_bytes())
    assert heddle.json("hist", "--bytes", "--as-is", tmp_path / "x.gz")["count"] == packed


@pytest.mark.parametrize("flags", [[], ["--no-map"]])
def test_npy_by_pipe_file_and_dash(heddle, save, flags):
    x = np.arange(100_001, dtype=np.int32)
    path = save(x)
    expected = f"{x.sum()}\n"
    assert heddle.text("sum", *flags, path) == expected
    assert heddle.text("sum", *flags, "-", stdin=path.read_bytes()) == expected
    assert heddle.text("sum", *flags, stdin=path.read_bytes()) == expected


def test_raw_offset_count_and_byte_order(heddle, tmp_path):
    x = np.arange(50, dtype=">i2")
    path = tmp_path / "x.raw"
    path.write_bytes(b"header!!" + x.tobytes())
    args = ["--type", "i16", "--big-endian", "--offset", 8]
    assert heddle.text("sum", *args, path) == f"{x.sum()}\n"
    assert heddle.text("sum", *args, "--count", 4, path) == "6\n"


def test_bad_lines(heddle, tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("1\n2\nx\n4\n")
    message = heddle.error("sum", path, code=1)
    assert f"{path}:3:1" in message
    done = heddle("sum", "--skip-bad", path)
    assert done.stdout == b"7\n" and b"1 bad line" in done.stderr
    assert heddle("sum", "--skip-bad", "-q", path).stderr == b""


def test_large_sparse_file_needs_little_memory(heddle, tmp_path):
    """The promise is 100 GB in 200 MB; 1 GiB shows whether memory grows with the file."""
    path = tmp_path / "sparse.raw"
    with open(path, "wb") as file:
        file.truncate(1 << 30)
    # A process counts what its parent held when it was started: a small one stands between.
    between = ("import resource, subprocess, sys\n"
               "out = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, check=True).stdout\n"
               "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, out.decode())")
    done = subprocess.run([sys.executable, "-c", between, heddle.program, "hist", "--bytes", "--json", path],
                          capture_output=True, text=True, check=True, env=heddle.environment)
    kilobytes, out = done.stdout.split(None, 1)
    assert '"count": 1073741824' in out
    assert int(kilobytes) < 200 * 1024, kilobytes


def test_directories_and_missing_files(heddle, tmp_path):
    assert "directory" in heddle.error("sum", tmp_path, code=1)
    assert "No such file" in heddle.error("sum", tmp_path / "none.npy", code=1)
    assert "No such file" in heddle.error("hist", "--svg", tmp_path / "no" / "x.svg",
                                          stdin=b"1\n", code=1)


def test_one_missing_file_leaves_the_others(heddle, tmp_path):
    good, bad, none = tmp_path / "a.txt", tmp_path / "b.txt", tmp_path / "none"
    good.write_text("1\n2\n")
    bad.write_text("1\n2\nx\n")
    for verb, part in ((["sum"], f"3  {good}\n3  {good}\n"), (["describe"], f"{good}")):
        done = heddle(*verb, good, none, bad, good, code=1)
        assert part in done.stdout.decode() and str(bad) not in done.stdout.decode()
        errors = done.stderr.decode().splitlines()
        assert len(errors) == 2 and "No such file" in errors[0] and ":3:1" in errors[1]
        heddle.error(*verb, none, code=1)
        assert heddle(*verb, none, bad, code=1).stdout == b""
    done = heddle("max", "--json", none, good, code=1)
    assert [row["file"] for row in json.loads(done.stdout)] == [str(good)]
    out = tmp_path / "out.csv"
    out.write_text("precious")
    assert "No such file" in heddle.error("sum", good, none, "-o", out, code=1)
    assert out.read_text() == "precious"
    assert "no column" in heddle.error("sum", "-c", "z", good, good, code=2)


def test_full_disk(heddle, save):
    path = save(np.arange(1000.0))
    for args in (["sum", path], ["scan", path], ["hist", path], ["hist", "--json", path],
                 ["info"], ["sum", "--help"], ["--version"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([heddle.program, *args], stdout=full, stderr=subprocess.PIPE,
                                  env=heddle.environment)
        assert done.returncode == 1, args
        assert b"No space left" in done.stderr, done.stderr


def test_output_file_is_untouched_on_failure(heddle, tmp_path):
    out = tmp_path / "out.npy"
    out.write_bytes(b"precious")
    bad = tmp_path / "x.txt"
    bad.write_text("1\n" * 100_000 + "oops\n")
    heddle.error("scan", bad, "-o", out, code=1)
    heddle.error("convert", bad, "-o", out, code=1)
    assert out.read_bytes() == b"precious"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.npy", "x.txt"]
    heddle("scan", "-o", out, stdin=b"1\n2\n")
    np.testing.assert_array_equal(np.load(out), [1, 3])


def test_output_by_text_ending(heddle, tmp_path):
    heddle("sum", "-o", tmp_path / "s.txt", stdin=b"1\n2\n")
    assert (tmp_path / "s.txt").read_text() == "3\n"
    heddle("sum", "-o", tmp_path / "s.npy", stdin=b"1\n2\n")
    np.testing.assert_array_equal(np.load(tmp_path / "s.npy"), [3])
    assert heddle("sum", "-o", "-", stdin=b"1\n2\n").stdout == b"3\n"


@pytest.mark.parametrize("args", [["sum"], ["scan"], ["hist", "--bins", 3], ["describe"],
                                  ["argmax"], ["axis"]])
@pytest.mark.parametrize("ending", [".json", ".csv", ".CSV"])
def test_output_by_ending(heddle, save, tmp_path, args, ending):
    """What the option writes, without the option; another option wins over the ending."""
    path = save(np.random.default_rng(1).standard_normal((4, 3)))
    args = {"argmax": ["reduce", "--op", "argmax"], "axis": ["sum", "--axis", 1]}.get(args[0], args)
    out = tmp_path / f"x{ending}"
    option, other = ("--json", "--csv") if ending == ".json" else ("--csv", "--json")
    heddle(*args, path, "-o", out)
    assert out.read_bytes() == heddle(*args, path, option).stdout
    heddle(*args, path, other, "-o", out)
    assert out.read_bytes() == heddle(*args, path, other).stdout


def test_elements_by_ending(heddle, save, tmp_path):
    x = np.random.default_rng(1).integers(0, 9, (4, 3)).astype(np.int16)
    path = save(x)
    for ending in (".raw", ".bin", ".NPY"):
        out = tmp_path / f"y{ending}"
        for args, expected in ((["scan"], np.cumsum(x, dtype=np.int16)), (["sum"], x.sum()),
                               (["sum", "--axis", 0], x.sum(0)),
                               (["hist", "--integer"], np.bincount(x.ravel())[x.min():])):
            heddle(*args, path, "-o", out)
            got = np.load(out) if ending == ".NPY" else np.fromfile(
                out, np.int16 if args == ["scan"] else np.int64)
            assert got.ravel().tolist() == np.ravel(expected).tolist()


def test_picture_by_ending(heddle, save, tmp_path):
    path = save(np.arange(9.0))
    heddle("hist", "--svg", tmp_path / "a.svg", path)
    done = heddle("hist", "-o", tmp_path / "b.svg", path)
    assert done.stdout == b""
    assert (tmp_path / "b.svg").read_bytes() == (tmp_path / "a.svg").read_bytes()
    assert "both ask for the picture" in heddle.error(
        "hist", "-o", tmp_path / "b.svg", "--svg", tmp_path / "a.svg", path, code=2)


def test_tables_of_convert_by_ending(heddle, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text('a,"b, with\tmore",c\n1,2,3\n4,5.5,6\n')
    for ending, mark in ((".csv", ","), (".tsv", "\t")):
        out = tmp_path / f"out{ending}"
        heddle("convert", "-c", "3,2", table, "-o", out)
        assert out.read_text() == f'c{mark}"b, with\tmore"\n3{mark}2\n6{mark}5.5\n'
        heddle("convert", "--to", "text", "-c", "3,2", table, "-o", out)
        assert out.read_text() == "3 2\n6 5.5\n"


@pytest.mark.parametrize("command,name,remedy", [
    ("convert", "x.gz", "| gzip"), ("scan", "x.npy.zst", "| zstd"), ("sort", "x.npz", ".npy"),
    ("hist", "x.png", ".svg"), ("sum", "x.svg", "does not write"), ("describe", "x.npy", ".csv"),
    ("info", "x.npy", ".json"), ("convert", "x.json", ".csv"), ("sum", "x.parquet", ".csv"),
    ("scan", "x.tsv", ".csv")])
def test_endings_of_what_is_not_written(heddle, tmp_path, command, name, remedy):
    args = [] if command == "info" else [tmp_path / "in.txt"]
    (tmp_path / "in.txt").write_text("1\n2\n")
    message = heddle.error(command, *args, "-o", tmp_path / name, code=2)
    assert name in message and remedy in message
    assert not (tmp_path / name).exists()


def test_contradictory_endings(heddle, tmp_path):
    assert "leave one out" in heddle.error("sum", "--json", "-o", tmp_path / "x.npy",
                                           stdin=b"1\n", code=2)
    assert "SVG" in heddle.error("hist", "--svg", tmp_path / "x.png", stdin=b"1\n", code=2)
    hidden = tmp_path / ".json"  # a name, not an ending
    heddle("sum", "-o", hidden, stdin=b"1\n")
    assert hidden.read_text() == "1\n"


def test_closed_pipe_is_silent(heddle, save):
    path = save(np.arange(2_000_000.0))
    reader = subprocess.Popen(["head", "-n", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    writer = subprocess.Popen([heddle.program, "scan", path], stdout=reader.stdin,
                              stderr=subprocess.PIPE, env=heddle.environment)
    reader.stdin.close()
    _, errors = writer.communicate(timeout=60)
    reader.wait(60)
    assert errors == b"" and writer.returncode == -signal.SIGPIPE


def until_it_writes_to(folder, process):
    """Waits until the process has a file in the folder open for writing, named or not."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        for link in Path(f"/proc/{process.pid}/fd").iterdir():
            try:
                flags = int(re.search(r"flags:\t0(\d+)", Path(
                    f"/proc/{process.pid}/fdinfo/{link.name}").read_text())[1], 8)
                if os.readlink(link).startswith(f"{folder}/") and flags & os.O_ACCMODE:
                    time.sleep(0.1)
                    return
            except OSError:  # it closed it
                pass
        time.sleep(0.01)
    raise AssertionError("it never wrote")


@pytest.mark.parametrize("waiting", [True, False])
def test_interrupt_removes_partial_output(heddle, tmp_path, waiting):
    """While it waits for a pipe, and in the midst of a computation."""
    source = tmp_path / "x.raw"
    if not waiting:
        with open(source, "wb") as file:
            file.truncate(8 << 30)
    out = tmp_path / "y.raw"
    args = ["convert", "--type", "f32", "--out-type", "f64", "-o", out]
    process = subprocess.Popen([heddle.program, *args, *([] if waiting else [source])],
                               stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=heddle.environment)
    if waiting:
        process.stdin.write(bytes(4 << 20))
        process.stdin.flush()
    until_it_writes_to(tmp_path, process)
    process.send_signal(signal.SIGINT)
    try:
        process.wait(20)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 130
    assert [p.name for p in tmp_path.iterdir()] == ([] if waiting else ["x.raw"])


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT,
                                    signal.SIGUSR1, signal.SIGPIPE, signal.SIGXCPU])
def test_nothing_is_left_however_it_ends(heddle, tmp_path, number):
    """A file without a name goes with the process; where there are none, SIGKILL leaves one."""
    try:
        os.close(os.open(tmp_path, os.O_TMPFILE | os.O_RDWR))
    except OSError:
        if number == signal.SIGKILL:
            pytest.skip("the file system has no files without a name")
    out = tmp_path / "y.npy"
    out.write_bytes(b"precious")
    process = subprocess.Popen(
        [heddle.program, "convert", "--type", "f32", "-o", out], stdin=subprocess.PIPE,
        env=heddle.environment,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
    process.stdin.write(bytes(4 << 20))
    process.stdin.flush()
    until_it_writes_to(tmp_path, process)
    process.send_signal(number)
    try:
        assert process.wait(20) == -number
    finally:
        process.kill()
        process.stdin.close()
    assert [p.name for p in tmp_path.iterdir()] == ["y.npy"] and out.read_bytes() == b"precious"


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_the_parent_ignores_stays_ignored(heddle, number):
    """nohup, and jobs that a script leaves in the background."""
    process = subprocess.Popen([heddle.program, "sum"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, env=heddle.environment,
                               preexec_fn=lambda: signal.signal(number, signal.SIG_IGN))
    process.stdin.write(b"1\n" * (1 << 20))
    process.stdin.flush()
    process.send_signal(number)
    out, _ = process.communicate(b"2\n", timeout=20)
    assert (process.returncode, out) == (0, b"1048578\n")


def test_a_limit_on_the_size_of_files(heddle, tmp_path):
    """SIGXFSZ would end it without a word."""
    x = tmp_path / "x.npy"
    np.save(x, np.ones(100_000))
    out = tmp_path / "y.npy"
    out.write_bytes(b"precious")
    limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))}
    message = heddle.error("scan", x, "-o", out, code=1, **limit)
    assert f"cannot write {out}: File too large" in message and "nothing was changed" in message
    assert out.read_bytes() == b"precious"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["x.npy", "y.npy"]
    with open(tmp_path / "stdout", "wb") as file:
        done = subprocess.run([heddle.program, "scan", x], stdout=file, stderr=subprocess.PIPE,
                              env=heddle.environment, **limit)
    assert done.returncode == 1 and b"standard output: File too large" in done.stderr


def test_threads_and_devices(heddle, save):
    path = save(np.ones(10))
    assert heddle.json("info", "--threads", 3)["threads"] == 3
    assert heddle.json("info", "--device", "cpu:2")["threads"] == 2
    assert heddle.json("info", env={"HEDDLE_DEVICE": "cpu:5"})["threads"] == 5
    heddle.error("sum", "--device", "abacus", path, code=2)
    assert "--threads" in heddle.error("sum", "--device", "cpu:2", "--threads", 3, path, code=2)
    assert "1024" in heddle.error("sum", "--threads", 5000, path, code=2)

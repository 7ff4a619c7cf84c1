"""What an input is taken for: a wrong guess must be a message, never a plausible number."""

import bz2
import gzip
import lzma
import os
import subprocess

import numpy as np
import pytest


@pytest.mark.parametrize("word", ["hello", "NA", "-", "Error", '"quoted"', "x1"])
def test_a_lone_word_is_no_empty_table(heddle, word):
    for args in (["sum"], ["describe"], ["convert"], ["hist"], ["sum", "-c", "1"]):
        message = heddle.error(*args, stdin=f"# note\n{word}\n\n".encode(), code=1)
        assert f":2: '{word.strip(chr(34))}' is not a number" in message
        assert "--header" in message
    assert heddle.text("sum", "--header", stdin=f"{word}\n".encode()) == "0\n"
    done = heddle("sum", "--skip-bad", stdin=f"{word}\n".encode())
    assert done.stdout == b"0\n" and b"1 bad line" in done.stderr


def test_a_table_without_rows(heddle):
    assert heddle.text("sum", "-c", "y", stdin=b"x,y\n") == "0\n"
    assert "'y' is not a number" in heddle.error("sum", "-c", "2", stdin=b"x,y\n", code=1)
    assert heddle.text("sum", stdin=b"") == "0\n"
    assert heddle.text("sum", stdin=b"# nothing\n\n") == "0\n"


@pytest.mark.parametrize("name", ["x.npy", "x.npz", "x.gz", "x.zst", "x.xz", "x.bz2", "x.npy.gz"])
def test_empty_files_whose_name_promises_data(heddle, tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"")
    for args in ([], ["--bytes"], ["--type", "f32"], ["--no-map"]):
        if args == ["--bytes"] and name == "x.npy":
            continue  # the bytes of any file
        assert "is empty, which no" in heddle.error("sum", *args, path, code=1)
    (tmp_path / "plain.txt").write_bytes(b"")
    assert heddle.text("sum", tmp_path / "plain.txt") == "0\n"


@pytest.mark.parametrize("packed", [
    gzip.compress(b"1\n2\n"), b"\x28\xb5\x2f\xfd\x04\x00", b"\x93NUMPY\x01\x00",
    lzma.compress(b"1\n")])
def test_files_cut_off_within_their_signature(heddle, tmp_path, packed):
    """From one byte on; behind the signature it is the format's own reader that notices."""
    path = tmp_path / "cut"
    for count in range(1, 6):
        path.write_bytes(packed[:count])
        heddle.error("sum", path, code=1)
        heddle.error("sum", stdin=packed[:count], code=1)


def test_a_file_called_npy_that_is_none(heddle, tmp_path):
    path = tmp_path / "x.npy"
    path.write_text("404\n")
    assert "called .npy" in heddle.error("sum", path, code=1)
    assert heddle.text("sum", "--format", "text", path) == "404\n"


def test_formats_that_are_not_read_are_named(heddle, tmp_path):
    for name, packed, remedy in (("y", b"\x04\x22\x4d\x18" + bytes(90), "lz4 -dc"),
                                 ("x", b"\x1f\x9d" + bytes(90), "gzip -dc")):
        (tmp_path / name).write_bytes(packed)
        assert remedy in heddle.error("sum", tmp_path / name, code=1)
        assert remedy in heddle.error("sum", stdin=packed, code=1)


@pytest.mark.parametrize("text, kind", [
    (b"1234567\n", "f32"), (b"1234567\n", "i64"), (b"1\n200\n", "i8"), (b"1,2,3,4\n", "f64"),
    (b"x\n1.5\n2.5\n\n\n", "f32"), (b"name city\n" * 20, "u16"), (b"1\n" * 9000, "u32")])
def test_text_is_not_read_as_memory(heddle, tmp_path, text, kind):
    path = tmp_path / "n.txt"
    path.write_bytes(text)
    for args, stdin in (([path], b""), ([], text)):
        message = heddle.error("sum", "--type", kind, *args, stdin=stdin, code=2)
        assert "--format text" in message and "--format raw" in message
        message = heddle.error("hist", "--type", kind, *args, stdin=stdin, code=2)
    size = int(kind[1:]) // 8
    whole = len(text) // size
    done = heddle("convert", "--type", kind, "--format", "raw", "--count", whole, "--to", "raw", path)
    assert done.stdout == text[:whole * size]


def test_raw_elements_are_not_taken_for_text(heddle, tmp_path):
    rng = np.random.default_rng(7)
    for kind in ("u1", "i2", "f4", "f8", "i8"):
        x = rng.integers(0, 100, 1000).astype(kind)
        (tmp_path / "x.raw").write_bytes(x.tobytes())
        name = np.dtype(kind).name.replace("uint", "u").replace("int", "i").replace("float", "f")
        assert float(heddle.text("sum", "--type", name, tmp_path / "x.raw")) == x.sum()


def test_files_that_answer_one_read(heddle):
    """The kernel's settings give nothing to a second read: the first must be large enough."""
    path = "/proc/sys/kernel/pid_max"
    if not os.access(path, os.R_OK):
        pytest.skip("no /proc/sys")
    expected = open(path).read()
    assert len(expected) > 5
    for args in ([], ["--no-map"], ["--format", "text"], ["--as-is"], ["--type", "f64", "--format", "text"]):
        assert heddle.text("sum", *args, path) == expected
    with open(path, "rb") as file:
        assert heddle.text("sum", stdin=file) == expected


def test_one_end_of_file_on_a_terminal(heddle):
    master, terminal = os.openpty()
    try:
        process = subprocess.Popen([heddle.program, "sum", "-"], stdin=terminal,
                                   stdout=subprocess.PIPE, env=heddle.environment)
        os.write(master, b"5\n6\n\x04")
        assert process.communicate(timeout=20)[0] == b"11\n"
    finally:
        process.kill()
        os.close(master)
        os.close(terminal)

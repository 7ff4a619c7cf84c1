"""scan: running totals, streamed, in every output form."""

import io

import numpy as np
import order_v1
import pytest
from conftest import TYPES
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

UFUNCS = {"sum": np.add, "prod": np.multiply, "min": np.minimum, "max": np.maximum,
          "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}


@pytest.mark.parametrize("op", UFUNCS)
@pytest.mark.parametrize("name", ["u8", "i32", "u64"])
def test_integers_as_numpy(heddle, save, tmp_path, op, name):
    x = np.random.default_rng(4).integers(0, 100, 3001).astype(TYPES[name])
    heddle("scan", "--op", op, save(x), "-o", tmp_path / "y.npy")
    y = np.load(tmp_path / "y.npy")
    assert y.dtype == x.dtype
    np.testing.assert_array_equal(y, UFUNCS[op].accumulate(x, dtype=x.dtype))


@pytest.mark.parametrize("name", ["f32", "f64"])
@pytest.mark.parametrize("length", [1, 1023, 2049, 40001])
def test_floats_have_the_bits_of_order_v1(heddle, save, tmp_path, name, length):
    x = np.random.default_rng(length).standard_normal(length).astype(TYPES[name])
    word = f"u{x.itemsize}"
    for exclusive in (False, True):
        flags = ["--exclusive"] if exclusive else []
        heddle("scan", save(x), *flags, "-o", tmp_path / "y.npy")
        expected = order_v1.scan("sum", name, x.view(word), exclusive=exclusive)
        np.testing.assert_array_equal(np.load(tmp_path / "y.npy").view(word), expected)


def test_large_files_stream_with_the_same_bits(heddle, save, tmp_path):
    """More than one block: the last total is the sum, bit for bit."""
    x = np.random.default_rng(6).standard_normal(5_000_001).astype(np.float32)
    path = save(x)
    heddle("scan", path, "-o", tmp_path / "y.npy", "--threads", "3")
    y = np.load(tmp_path / "y.npy")
    assert y.shape == x.shape
    assert f"{y[-1:].view(np.uint32)[0]:08x}" == heddle.json("sum", path)["hex"]
    np.testing.assert_allclose(y, np.cumsum(x.astype(np.float64)), atol=0.05)


@given(x=hnp.arrays(np.int64, st.integers(0, 60)), init=st.integers(-5, 5))
def test_exclusive_with_init(heddle, x, init):
    raw = heddle("scan", "--type", "i64", "--exclusive", "--init", init, stdin=x.tobytes())
    expected = init + np.concatenate([[0], np.cumsum(x)])[:-1] if len(x) else []
    np.testing.assert_array_equal(np.array(raw.stdout.split(), np.int64), expected)


def test_text_json_csv(heddle):
    assert heddle.text("scan", stdin=b"1\n2\n3.5\n") == "1\n3\n6.5\n"
    got = heddle.json("scan", "--op", "max", stdin=b"1\n3\n2\n")
    assert got == {"op": "max", "exclusive": False, "type": "i64", "values": [1, 3, 3]}
    assert heddle.text("scan", "--csv", stdin=b"1\n2\n") == "sum\n1\n3\n"
    got = heddle.json("scan", "--format", "text", "--type", "u8", "--out-type", "u16",
                      stdin=b"200\n100\n")
    assert got["values"] == [200, 300] and got["type"] == "u16"


def test_nan_skip(heddle):
    assert heddle.text("scan", "--nan", "skip", stdin=b"1\nnan\n2\n") == "1\n1\n3\n"
    assert heddle.text("scan", stdin=b"1\nnan\n2\n") == "1\nnan\nnan\n"


def test_npy_from_text_of_unknown_length(heddle, tmp_path):
    heddle("scan", "-o", tmp_path / "y.npy", stdin=b"".join(b"%d\n" % i for i in range(1000)))
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), np.cumsum(np.arange(1000.0)))


def test_shape_without_axis_is_flat(heddle, save, tmp_path):
    x = np.arange(12).reshape(3, 4)
    heddle("scan", save(x), "-o", tmp_path / "y.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), np.cumsum(x))


def test_npy_written_to_a_pipe_reads_back(heddle, save):
    x = np.arange(10.0)
    done = heddle("convert", save(x), "--to", "npy")
    np.testing.assert_array_equal(np.load(io.BytesIO(done.stdout)), x)
    assert "length" in heddle.error("convert", "--to", "npy", stdin=b"1\n2\n", code=2)

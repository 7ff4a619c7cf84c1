"""sort: elements in order, or their positions, of every kind of input, in every output form."""

import numpy as np
import pytest
from conftest import TYPES
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp


@pytest.mark.parametrize("name", ["u8", "i16", "i32", "u64", "f32", "f64"])
@pytest.mark.parametrize("length", [0, 1, 1000, 70001])
def test_as_numpy(heddle, save, tmp_path, name, length):
    rng = np.random.default_rng(length)
    x = (rng.standard_normal(length) * 50).astype(TYPES[name])
    path = save(x)
    heddle("sort", path, "-o", tmp_path / "y.npy")
    y = np.load(tmp_path / "y.npy")
    assert y.dtype == x.dtype
    np.testing.assert_array_equal(y, np.sort(x))
    heddle("sort", "--argsort", path, "-o", tmp_path / "i.npy", "--threads", "2")
    np.testing.assert_array_equal(np.load(tmp_path / "i.npy"), np.argsort(x, kind="stable"))


@given(x=hnp.arrays(np.int64, st.integers(0, 60), elements=st.integers(-9, 9)), back=st.booleans())
def test_pipes(heddle, x, back):
    flags = ["--reverse"] if back else []
    raw = heddle("sort", "--type", "i64", *flags, stdin=x.tobytes())
    expected = np.sort(x)[::-1] if back else np.sort(x)
    np.testing.assert_array_equal(np.array(raw.stdout.split(), np.int64), expected)


def test_text_json_csv(heddle):
    assert heddle.text("sort", stdin=b"3\n1\n2.5\n") == "1\n2.5\n3\n"
    assert heddle.text("sort", "-r", stdin=b"3\nnan\n1\n2.5\n") == "3\n2.5\n1\nnan\n"
    got = heddle.json("sort", "--argsort", stdin=b"3\n1\n3\n")
    assert got == {"reverse": False, "type": "u64", "positions": [1, 0, 2]}
    assert heddle.json("sort", "-r", stdin=b"3\n1\n2\n") == {
        "reverse": True, "type": "i64", "values": [3, 2, 1]}
    assert heddle.text("sort", "--csv", stdin=b"3\n1\n") == "value\n1\n3\n"
    assert heddle.text("sort", "--csv", "--argsort", stdin=b"3\n1\n") == "position\n1\n0\n"


def test_integers_of_text_are_exact(heddle):
    words = ["9007199254740993", "-9223372036854775808", "9007199254740992"]
    assert heddle.text("sort", stdin="\n".join(words).encode()) == \
        "-9223372036854775808\n9007199254740992\n9007199254740993\n"


def test_a_column(heddle):
    table = b"name,price\na,3\nb,1\nc,2\n"
    assert heddle.text("sort", "-c", "price", stdin=table) == "1\n2\n3\n"
    assert "-c" in heddle.error("sort", code=2, stdin=b"1,2\n3,4\n")


def test_bytes(heddle):
    assert heddle.text("sort", "--bytes", stdin=b"bca") == "97\n98\n99\n"

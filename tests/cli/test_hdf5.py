"""HDF5 by a library found at run time: what is said without it, and datasets where h5py brings one."""

from pathlib import Path

import numpy as np
import pytest

MAGIC = b"\x89HDF\r\n\x1a\n"


def test_without_the_library(heddle, tmp_path):
    path = tmp_path / "x.h5"
    path.write_bytes(MAGIC + bytes(2000))
    message = heddle.error("sum", path, env={"HEDDLE_HDF5": "/none/libhdf5.so"}, code=1)
    assert "its reader failed: it needs libhdf5" in message and "HEDDLE_HDF5" in message
    assert "not a version that is known" in heddle.error("sum", path, env={"HEDDLE_HDF5": "libm.so.6"}, code=1)
    assert "tells its own type" in heddle.error("sum", "--type", "f32", path, code=2)
    assert "has no columns" in heddle.error("sum", "-c", "1", stdin=path.read_bytes(), code=2)


@pytest.fixture(scope="module")
def hdf5():
    h5py = pytest.importorskip("h5py")
    libraries = sorted(Path(h5py.__file__).parents[1].glob("h5py.libs/libhdf5-*.so*"))
    if not libraries:
        pytest.skip("h5py brings no library of its own")
    return h5py, {"HEDDLE_HDF5": str(libraries[0])}


def test_datasets(heddle, tmp_path, hdf5):
    h5py, env = hdf5
    rng = np.random.default_rng(1)
    arrays = {"a": rng.integers(0, 99, (3, 4)).astype("i8"), "g/deep/b": rng.standard_normal(100).astype("f4"),
              "big_endian": np.arange(9, dtype=">u2"), "none": np.zeros((0, 3)), "one": np.float64(2.5),
              "long": np.arange(3 * 900 * 1000, dtype="i4").reshape(3, 900, 1000)}
    path = tmp_path / "x.h5"
    with h5py.File(path, "w") as file:
        for name, x in arrays.items():
            file[name] = x
        file.create_dataset("packed", data=np.arange(50_000), compression="gzip", chunks=(777,))
        file["truth"] = np.array([True, False, True])
        file["half"] = np.arange(4, dtype="f2")
        file["words"] = ["x", "y"]
    for name, x in arrays.items():
        heddle("convert", "--dataset", f"/{name}", path, "-o", tmp_path / "y.npy", env=env)
        got = np.load(tmp_path / "y.npy")
        assert got.dtype == x.dtype.newbyteorder("=") and np.array_equal(got, np.atleast_1d(x)), name
    assert heddle.text("sum", f"{path}:packed", env=env) == f"{np.arange(50_000).sum()}\n"
    assert float(heddle.text("median", f"{path}:packed", env=env)) == 24999.5
    assert heddle.text("sum", f"{path}:truth", env=env) == "2\n" and heddle.text("sum", f"{path}:half", env=env) == "6\n"
    with open(path, "rb") as file:
        assert heddle.text("sum", "--dataset", "a", stdin=file, env=env) == f"{arrays['a'].sum()}\n"
    assert "put it in one" in heddle.error("sum", "--dataset", "a", stdin=path.read_bytes(), env=env, code=1)
    assert "no integers or floats" in heddle.error("sum", f"{path}:words", env=env, code=1)
    assert "has 10 datasets; choose by --dataset" in heddle.error("sum", path, env=env, code=1)
    assert "no dataset 'z'" in heddle.error("sum", "--dataset", "z", path, env=env, code=1)
    good = path.read_bytes()
    for cut in (600, 20_000):
        path.write_bytes(good[:cut])
        assert "its reader" in heddle.error("sum", "--dataset", "a", path, env=env, code=1)

"""--device simt: what every command writes there is what it writes on the CPU, byte for byte.

Collected only where the software device is built (conftest.py).
"""

import numpy as np
import pytest

RNG = np.random.default_rng(11)
FLOATS = (RNG.standard_normal(5003) * 10.0 ** RNG.integers(-8, 9, 5003)).astype(np.float32)
TABLE = "\n".join(["a,b", *(f"{x!r},{y}" for x, y in zip(RNG.standard_normal(300).tolist(),
                                                         range(300)))]).encode()

CASES = [
    (["sum", "--json"], "floats"),
    (["min"], "floats"), (["max"], "holes"), (["max", "--nan", "skip"], "holes"),
    (["reduce", "--op", "argmin"], "floats"),
    (["dot", "-c", "a,b"], "table"),
    (["scan"], "floats"), (["scan", "--exclusive", "--init", "0.1"], "floats"),
    (["describe", "--json"], "holes"),
    (["describe", "-c", "a"], "table"),
    (["hist", "--bytes", "--json"], "table"),
    (["hist", "--bins", "30", "--range", "-50", "50", "--json"], "floats"),
    (["hist", "--json"], "holes"),
    (["hist", "--bins", "7", "-c", "a", "--weights", "b", "--json"], "table"),
    (["sum", "--axis", "0"], "matrix"), (["sum", "--axis", "1"], "matrix"),
    (["scan", "--axis", "0"], "matrix"),
]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("device")
    holes = FLOATS.astype(np.float64)
    holes[::7] = np.nan
    np.save(folder / "floats", FLOATS)
    np.save(folder / "holes", holes)
    np.save(folder / "matrix", FLOATS[:4200].reshape(70, 60))
    (folder / "table").write_bytes(TABLE)
    return lambda name: folder / (name if name == "table" else f"{name}.npy")


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """Compiled kernels: those of the build's other tests where ctest names their folder."""
    import os
    folder = os.environ.get("HEDDLE_CACHE_DIR") or str(tmp_path_factory.mktemp("kernels"))
    os.makedirs(folder, exist_ok=True)
    os.chmod(folder, os.stat(folder).st_mode & 0o7755)  # the library reads no kernels from where others may write
    return {"HEDDLE_CACHE_DIR": folder}


@pytest.mark.parametrize("args,name", CASES, ids=lambda v: v if isinstance(v, str) else "_".join(v))
def test_same_bytes(heddle, files, cache, args, name):
    expected = heddle(*args, "-q", "--device", "cpu", files(name)).stdout
    assert heddle(*args, "-q", "--device", "simt", files(name), env=cache).stdout == expected
    assert expected


def test_the_variable_names_the_device(heddle, cache):
    env = {**cache, "HEDDLE_DEVICE": "simt"}
    facts = heddle.json("info", env=env)
    assert facts["device"].startswith("simt")
    assert [d["found"] for d in facts["devices"] if d["device"].startswith("simt")] == [True]
    assert heddle.json("info", "--device", "cpu", env=env)["device"].startswith("cpu")
    numbers = b"\n".join(b"%d" % i for i in range(1000))
    assert heddle("sum", "--format", "text", "--type", "i64", stdin=numbers, env=env).stdout == b"499500\n"


@pytest.mark.parametrize("args,name", CASES[::3], ids=lambda v: v if isinstance(v, str) else "_".join(v))
def test_same_bytes_on_several_devices(heddle, files, cache, args, name):
    env = {**cache, "SIMT_DEVICES": "3"}
    expected = heddle(*args, "-q", "--device", "cpu", files(name)).stdout
    for device in ("simt:all", "simt:2,0"):
        assert heddle(*args, "-q", "--device", device, files(name), env=env).stdout == expected


def test_several_devices_by_name(heddle, cache):
    env = {**cache, "SIMT_DEVICES": "3"}
    facts = heddle.json("info", "--device", "simt:all", env=env)
    assert facts["device"] == "simt:0,1,2"
    one = heddle.json("info", "--device", "simt:1", env=env)
    assert facts["threads"] == 3 * one["threads"]
    for device, words in (("simt:0,3", "there is no device 3; this process sees 3"),
                          ("simt:1,1", "device 1 is named twice"), ("simt:0,", "a number is missing")):
        assert words in heddle.error("sum", "--device", device, "-", code=2, env=env)


def test_devices_that_are_not_there(heddle):
    for device in ("gpu", "simt:99", "cuda:999", "simt:", "simt:x", "cuda:-1"):
        message = heddle.error("sum", "--device", device, "-", code=2)
        assert device in message or "cuda" in message
    assert "--device cpu" in heddle.error("sum", "--device", "simt", "--threads", "2", "-", code=2)

"""Several devices as one: `device="simt:all"`, in processes of their own, which SIMT_DEVICES is for."""

import subprocess
import sys
import textwrap

import numpy as np
import pytest

from conftest import BUILD

import heddle as hd

pytestmark = pytest.mark.skipif(not (BUILD / "lib/heddle/libsimt_cuda.so").exists(),
                                reason="the software device is not built")


def run(code, **env):
    import os
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True,
                          env={**os.environ, "SIMT_DEVICES": "3", **env}, timeout=240)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_results_have_the_bits_of_the_cpu():
    said = run("""
        import numpy as np
        import heddle as hd
        x = np.random.default_rng(3).standard_normal(700_000).astype(np.float32)
        bins = np.linspace(-2, 2, 21)
        for device in "cpu", "simt:all", "simt:2,1":
            print(float(hd.sum(x, device=device)).hex(), hd.argmax(x, device=device),
                  float(hd.std(x, device=device)).hex(), float(hd.fsum(x, device=device)).hex(),
                  hash(hd.cumsum(x, device=device).tobytes()),
                  hash(hd.histogram(x, bins=bins, device=device)[0].tobytes()))
        hd.synchronize("simt:all")
    """, PYTHONHASHSEED="0").splitlines()
    assert len(said) == 3 and len(set(said)) == 1
    x = np.random.default_rng(3).standard_normal(700_000).astype(np.float32)
    assert said[0].startswith(float(hd.sum(x, device="cpu")).hex())


@pytest.mark.parametrize("device,words", [
    ("simt:0,3", "there is no device 3; this process sees 3"), ("simt:1,1", "device 1 is named twice"),
    ("simt:0,x", "what is no number names no device")])
def test_devices_that_form_no_group(device, words):
    said = run(f"""
        import heddle as hd
        try:
            hd.sum([1.0, 2.0], device={device!r})
        except Exception as error:
            print(error)
    """)
    assert words in said

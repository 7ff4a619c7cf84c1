"""Where CUDA's own compiler is installed, every rung compiles with it, unchanged.

Method   to an object file for one architecture, as many at a time as there are processors.
         No GPU is needed. Without nvcc there is nothing to ask
"""
import os
import pathlib
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

from conftest import LADDER, ROOT

NVCC = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")


def compile_rung(rung, folder):
    """The compiler's words if it refuses the rung."""
    out = pathlib.Path(folder, f"{rung.parent.name}_{rung.stem}.o")
    done = subprocess.run([NVCC, "-arch=sm_90", "-c", rung, "-o", out, "-I", ROOT / "include"],
                          capture_output=True, text=True, timeout=300)
    return None if done.returncode == 0 else f"{rung}: {done.stdout}{done.stderr}"


def test_nvcc_takes_every_rung(tmp_path):
    if NVCC is None:
        return
    rungs = sorted(LADDER.glob("*/[0-9][0-9]_*.cu"))
    assert len(rungs) > 110
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        refused = [text for text in pool.map(lambda r: compile_rung(r, tmp_path), rungs) if text]
    assert not refused, "\n".join(refused)


def test_a_refusal_is_seen(tmp_path):
    if NVCC is None:
        return
    wrong = tmp_path / "00_wrong.cu"
    wrong.write_text("__global__ void k() { nothing(); }\nint main() {}\n", encoding="utf-8")
    assert "nothing" in compile_rung(wrong, tmp_path)

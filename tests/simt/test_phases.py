"""Kernels that run as loops between their barriers have the results of fibres: drawn at random, and
compared with another schedule, under which they run thread by thread.

A turn (tests/turn.py) has a seed of its own, and with HEDDLE_TEST_FULL there are many. What is looked at is the
rewriter: the compiler's loops of -O1 are enough, and take a tenth of the time to make.
"""
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from conftest import find_run  # noqa: E402
from random_kernels import program  # noqa: E402
from turn import turn  # noqa: E402

FULL = bool(os.environ.get("HEDDLE_TEST_FULL"))
SEEDS = range(40) if FULL else [turn(12)[0]]


@pytest.mark.parametrize("seed", SEEDS)
def test_both_ways(seed, tmp_path):
    source, made = tmp_path / "drawn.cu", tmp_path / "drawn"
    source.write_text(program(seed, 12))
    compiler = find_run().with_name("heddle-cc")
    level = [] if FULL else ["-O1"]
    subprocess.run([compiler, "--keep", *level, "-Xcompiler", "-fwrapv", source, "-o", made], check=True,
                   timeout=300, cwd=tmp_path, env={**os.environ, "SIMT_PHASES": "strict"})
    assert (tmp_path / "drawn.cu.simt.ii").read_text().count("simt::phased(") >= 3
    wrote = [subprocess.run([made], check=True, capture_output=True, text=True, timeout=120,
                            env={**os.environ, "SIMT_SCHEDULE": schedule}).stdout
             for schedule in ("forward", "reverse")]
    assert wrote[0].count("\n") == 12
    assert wrote[0] == wrote[1]

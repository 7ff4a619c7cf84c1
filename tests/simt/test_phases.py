"""Kernels that run as loops between their barriers have the results of fibres: drawn at random, and
compared with another schedule, under which they run thread by thread.

With HEDDLE_TEST_FULL there are many.
"""
import os
import subprocess

import pytest

from conftest import find_run
from random_kernels import program

SEEDS = range(40 if os.environ.get("HEDDLE_TEST_FULL") else 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_both_ways(seed, tmp_path):
    source, made = tmp_path / "drawn.cu", tmp_path / "drawn"
    source.write_text(program(seed, 12))
    compiler = find_run().with_name("heddle-cc")
    subprocess.run([compiler, "--keep", "-Xcompiler", "-fwrapv", source, "-o", made], check=True, timeout=300, cwd=tmp_path,
                   env={**os.environ, "SIMT_PHASES": "strict"})
    assert (tmp_path / "drawn.cu.simt.ii").read_text().count("simt::phased(") >= 5
    wrote = [subprocess.run([made], check=True, capture_output=True, text=True, timeout=120,
                            env={**os.environ, "SIMT_SCHEDULE": schedule}).stdout
             for schedule in ("forward", "reverse")]
    assert wrote[0].count("\n") == 12
    assert wrote[0] == wrote[1]

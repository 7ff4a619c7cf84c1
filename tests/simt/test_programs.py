"""CUDA programs as people write them: each compiles and ends as its first lines say, whatever the
schedule of blocks and warps.
"""
import os

import pytest

from conftest import SCHEDULES, programs

ALL = programs()
# Each program runs forward and in one other order; with HEDDLE_TEST_FULL in all. One that must
# not compile has one end.
RUNS = [(p, s) for i, p in enumerate(ALL) for s in SCHEDULES
        if s == SCHEDULES[0] or (p.outcome != "compile error" and (
            os.environ.get("HEDDLE_TEST_FULL") or s == SCHEDULES[1 + i % 2]))]


@pytest.mark.parametrize("program,schedule", RUNS, ids=[f"{p.name}-{s}" for p, s in RUNS])
def test_program(program, schedule, outcomes):
    wrong, wrote = outcomes(program, schedule)
    assert wrong is None, f"{wrong}\n{wrote}"


def test_there_are_programs():
    assert len(ALL) >= 180
    assert len({p.name for p in ALL}) == len(ALL)


def test_the_judgement_sees_what_is_wrong():
    """Each kind of expectation is refused by a run that does not meet it."""
    known = {p.name: p for p in ALL}
    plain = known["linear_transpose"]
    assert plain.judge(0, "PASSED", "") is None
    assert plain.judge(1, "PASSED", "")
    assert plain.judge(0, "FAILED", "")
    assert plain.judge(0, "PASSED and FAILED", "")
    assert plain.judge(0, "", "")
    assert plain.judge(-11, "PASSED", "")
    lines = known["paste_shuffle_demo"]
    assert "lacks" in lines.judge(0, "PASSED", "")
    own = known["bad_exit_middle"]
    assert own.judge(42, "handler", "") is None
    assert own.judge(0, "handler", "")
    assert own.judge(42, "", "")
    refused = known["bad_compile_error"]
    assert refused.judge(1, "", "bad_compile_error.cu:9: error: x") is None
    assert refused.judge(0, "", "bad_compile_error.cu:9: error: x")
    assert refused.judge(1, "", "internal: error")
    sticky = known["err_illegal_address_sticky"]
    assert sticky.judge(3, "PASSED", "kernel wild") is None
    assert sticky.judge(3, "nothing", "kernel wild")
    assert sticky.judge(3, "PASSED", "")

"""CUDA programs as people write them: each compiles and ends as its first lines say, under
every schedule of blocks and warps.
"""
import os
import subprocess
import time

import pytest

from conftest import SCHEDULES, programs

ALL = programs()
# Programs that must not compile, and those whose end a schedule cannot change, run once.
RUNS = [(p, s) for p in ALL
        for s in (SCHEDULES if p.outcome != "compile error" else SCHEDULES[:1])]


def run(tool, program, schedule, environment):
    """Compiles (once a session: the tool's cache) and runs one program."""
    command = [tool, "--schedule", schedule, *program.flags, *map(str, program.sources)]
    if program.args:
        command += ["--", *program.args]
    started = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                          cwd=program.main.parent, timeout=program.limit + 30,
                          env={**environment, **program.environment})
    return done, time.monotonic() - started


@pytest.mark.parametrize("program,schedule", RUNS, ids=[f"{p.name}-{s}" for p, s in RUNS])
def test_program(program, schedule, heddle_run, simt_environment):
    done, seconds = run(str(heddle_run), program, schedule, simt_environment)
    wrong = program.judge(done.returncode, done.stdout, done.stderr)
    assert wrong is None, (f"{wrong}\n---- stdout\n{done.stdout[-1500:]}"
                           f"\n---- stderr\n{done.stderr[-3000:]}")
    assert seconds < program.limit, f"{seconds:.0f} s"


def test_there_are_programs():
    assert len(ALL) > 100


def test_the_judgement_sees_what_is_wrong():
    """Each expectation is refused by a run that does not meet it."""
    first = {p.outcome.split(" ")[0]: p for p in reversed(ALL)}
    assert first["pass"].judge(0, "PASSED", "x") is None or first["pass"].texts("stdout")
    assert first["pass"].judge(1, "PASSED", "")
    assert first["pass"].judge(0, "", "")
    assert first["pass"].judge(-11, "PASSED", "")
    assert first["status"].judge(0, "", "")
    assert first["compile"].judge(0, "", "bad.cu:1: error")
    assert first["output"].judge(0, "nothing", "")


if __name__ == "__main__":
    os.sys.exit(pytest.main([__file__, "-q", *os.sys.argv[1:]]))

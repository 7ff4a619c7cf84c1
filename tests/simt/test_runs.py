"""Runs that need more than a program: little memory, many repetitions, one OS thread.

heddle-run is found as conftest.py says.
"""
import concurrent.futures
import resource
import subprocess

import pytest

from conftest import PROGRAMS, find_run

MIB = 1 << 20


def run(environment, source, *options, memory=0, **more):
    """Compiles and runs one program, with at most `memory` MiB of address space."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (memory * MIB, memory * MIB))

    return subprocess.run([str(find_run()), *options, str(source)], capture_output=True, text=True,
                          timeout=60, stdin=subprocess.DEVNULL, env={**environment, **more},
                          preexec_fn=limit if memory else None)


@pytest.fixture(scope="module")
def rounds(simt_environment):
    """A program that is compiled, so that what follows needs memory for the run alone."""
    source = PROGRAMS / "lang_rounds_half.cu"
    done = run(simt_environment, source)
    assert done.returncode == 0, done.stderr
    return source


@pytest.mark.parametrize("memory", [*range(1300, 1700, 20), 2420, 2480, 4500])
def test_no_block_is_left_out_where_memory_is_short(simt_environment, rounds, memory):
    """All blocks run, or the run says that they did not: a worker without a stack of its own took
    its half of the blocks with it, and nothing was printed."""
    done = run(simt_environment, rounds, memory=memory, SIMT_THREADS="2")
    whole = done.returncode == 0 and "PASSED" in done.stdout
    said = done.returncode != 0 and "memory" in done.stderr
    assert whole or said, (done.returncode, done.stdout, done.stderr)


def test_one_thread_repeats_exactly(simt_environment):
    """Which thread comes when does not depend on how fast the machine is just then."""
    source = PROGRAMS / "sched_tickets.cu"
    orders = {run(simt_environment, source, "--threads", "1").stdout for _ in range(6)}
    assert len(orders) == 1 and "PASSED" in orders.pop()


def test_volatile_lanes_stay_in_step_on_a_busy_machine(simt_environment):
    """Many programs at once, so that each is interrupted again and again."""
    source = PROGRAMS / "lang_volatile_scans.cu"
    run(simt_environment, source)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        runs = [pool.submit(run, simt_environment, source, "--threads", str(i % 3 + 1))
                for i in range(12)]
        wrong = [r.result().stdout for r in runs if "PASSED" not in r.result().stdout]
    assert not wrong, wrong


@pytest.mark.parametrize("more,lines", [
    ({"SIMT_THREADS": "2"}, ["host", "kernel 1", "kernel 2"]),
    ({"SIMT_THREADS": "2", "SIMT_LAUNCH_BLOCKING": "0"}, ["host", "kernel 1", "kernel 2"]),
    ({"SIMT_THREADS": "2", "SIMT_LAUNCH_BLOCKING": "1"}, ["kernel 1", "kernel 2", "host"]),
    ({"SIMT_THREADS": "2", "CUDA_LAUNCH_BLOCKING": "1"}, ["kernel 1", "kernel 2", "host"]),
    ({"SIMT_THREADS": "1"}, ["kernel 1", "kernel 2", "host"]),
])
def test_when_kernels_print(simt_environment, more, lines):
    """Launches return, and what kernels print comes when the host waits, unless launches are to block."""
    done = run(simt_environment, PROGRAMS / "late_text.cu", **more)
    assert done.stdout.splitlines() == [*lines, "PASSED"], done.stdout + done.stderr


def test_a_kernel_that_waits_while_the_host_waits_for_it_ends(simt_environment):
    """Nobody writes its flag any more: the watchdog's time counts from when the host waits."""
    done = run(simt_environment, PROGRAMS / "bad_spin_forever.cu", SIMT_THREADS="2", SIMT_TIMEOUT="1")
    assert "watchdog" in done.stderr

"""Calls in the middle of which something else happens: a handler that calls heddle itself, and the end
of Python while threads compute. Each in a process of its own, which is killed in the end."""

import subprocess
import sys
import textwrap

import pytest

NESTED = """
    import signal, sys
    import numpy as np
    import heddle as hd

    x, y = np.ones(60_000_000, np.float32), np.arange(300_000.0)
    calls = {
        "fast": lambda: hd.var(x),
        "threads": lambda: hd.cumsum(x, threads=1)[-1],
        "rows": lambda: hd.sum(x.reshape(2, -1)[:, ::2], axis=1).tolist(),
        "histogram": lambda: hd.histogram(x, 7, (0, 2))[0].tolist(),
    }
    def inner():
        return hd.sum(y), hd.cumsum(y)[-1], hd.var(y), hd.sum(y[::2]), hd.bincount([1, 2]).tolist()
    expected, call = inner(), calls[sys.argv[1]]
    first, inside, seen = call(), [False], [0]
    def handler(number, frame):
        if inside[0]:
            return
        inside[0] = True
        assert inner() == expected
        seen[0] += 1
        inside[0] = False
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.02, 0.06)
    for _ in range(200):
        assert call() == first
        if seen[0] > 5:
            break
    signal.setitimer(signal.ITIMER_REAL, 0)
    assert inner() == expected and seen[0] > 5
"""

ENDING = """
    import sys, threading, time
    import numpy as np
    import heddle as hd

    x = np.ones(40_000_000, np.float32)
    calls = [lambda: hd.var(x, threads=4), lambda: hd.cumsum(x), lambda: hd.histogram(x, 100, (0, 2)),
             lambda: hd.sum(x.reshape(4, -1), axis=1)]
    def work(call):
        while True:
            call()
    for number in range(6):
        threading.Thread(target=work, args=(calls[number % 4],), daemon=True).start()
    time.sleep(float(sys.argv[1]))
"""


def run(code, *arguments):
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
                          capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("call", ["fast", "threads", "rows", "histogram"])
def test_a_handler_may_call_heddle_in_the_middle_of_a_call(call):
    run(NESTED, call)


@pytest.mark.parametrize("seconds", [0.05, 0.2, 0.45])
def test_python_may_end_while_threads_compute(seconds):
    run(ENDING, seconds)

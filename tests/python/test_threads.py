"""Threads: the same bits with 1 to 8 of the library's, calls of several threads of Python at once,
fork, and Ctrl-C.

What may hang, or ends by a signal, runs in a process of its own that is killed in the end.
"""

import concurrent.futures
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import exact
import heddle as hd
from arrays import Case

THREADS = range(1, 9)
FUNCTIONS = ("sum", "prod", "min", "max", "argmin", "argmax", "any", "all", "mean", "var", "std",
             "describe", "cumsum", "cumprod", "minimum_accumulate", "maximum_accumulate", "dot",
             "histogram")
SECONDS = 60  # of a process that ought to be done long before


def joined(first, code):
    return textwrap.dedent(first) + textwrap.dedent(code)


def run(first, code, *arguments):
    """What a process prints that runs some Python; it fails if that does."""
    done = subprocess.run([sys.executable, "-c", joined(first, code), *arguments], timeout=SECONDS,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
    return done.stdout


# ---- the same bits ------------------------------------------------------------------------------

def call_of(function, x):
    """A call with `threads`, of arguments that suit the function, and its results as a tuple."""
    def call(**more):
        if function == "histogram":
            return hd.histogram(x, 50, (-20, 20), weights=x, **more)
        return several(getattr(hd, function)(*(x, x[::-1]) if function == "dot" else (x,), **more))
    return call


def several(result):
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("dtype", ["f2", "bf16", "f4", "f8"])
def test_any_number_of_threads_gives_the_same_bits(function, dtype):
    if function == "histogram" and dtype == "bf16":
        dtype = "f4"
    for n in (5, 70001, 300001):
        x = Case(dtype, (n,), "C", "near1" if "prod" in function else "small", n).array()
        call = call_of(function, x)
        wanted = call()
        for threads in THREADS:
            for got, one in zip(call(threads=threads), wanted):
                exact.same_bits(got, one, threads)


@pytest.mark.parametrize("function", [name for name in FUNCTIONS if name not in ("dot", "histogram")])
def test_any_number_of_threads_gives_the_same_bits_along_axes(function):
    for shape in ((7, 50001), (50001, 7), (513, 513)):
        x = Case("f4", shape, "C", "near1" if "prod" in function else "small").array()
        for axis in (0, 1):
            wanted = several(getattr(hd, function)(x, axis))
            for threads in THREADS:
                got = several(getattr(hd, function)(x, axis, threads=threads))
                for one, other in zip(got, wanted):
                    exact.same_bits(one, other, threads)


def test_bits_do_not_change_while_others_compute():
    x = Case("f4", (300001,), "C", "wide").array()
    wanted = hd.sum(x), hd.cumsum(x), hd.var(x)
    found = []

    def work():
        for _ in range(20):
            found.append((hd.sum(x), hd.cumsum(x), hd.var(x)))

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(work) for _ in range(4)]:
            done.result(SECONDS)
    assert len(found) == 80
    for results in found:
        for got, one in zip(results, wanted):
            exact.same_bits(got, one)


# ---- several threads of Python --------------------------------------------------------------------

def test_two_threads_both_make_progress():
    x = np.ones(4 << 20, np.float32)
    counts, stop = [0, 0], threading.Event()

    def work(me):
        while not stop.is_set():
            assert hd.sum(x) == x.size
            counts[me] += 1

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        both = [pool.submit(work, i) for i in range(2)]
        deadline = time.monotonic() + SECONDS
        while min(counts) < 10 and time.monotonic() < deadline:
            time.sleep(0.01)
        stop.set()
        for done in both:
            done.result(SECONDS)
    assert min(counts) >= 10
    assert max(counts) < 50 * min(counts)


LONG = """
    import contextlib, mmap, os, signal, sys, threading, time
    import numpy as np
    import heddle as hd

    def endless(dtype="f4"):
        # Far more than is in the machine: pages that nobody writes are all one page.
        for bits in range(38, 30, -1):
            try:
                flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000  # MAP_NORESERVE
                return np.frombuffer(mmap.mmap(-1, 1 << bits, flags=flags), dtype)
            except (OSError, ValueError):
                continue
        raise MemoryError

    CALLS = {
        "sum": lambda: hd.sum(endless()),
        "sum one thread": lambda: hd.sum(endless(), threads=1),
        "var": lambda: hd.var(endless()),
        "strided": lambda: hd.sum(np.broadcast_to(np.float32(1), 1 << 40)),
        "rows": lambda: hd.max(endless("u1").reshape(1 << 10, -1), axis=1),
        "argmax": lambda: hd.argmax(endless("i8")),
        "mean": lambda: hd.mean(endless("f8")),
        "dot": lambda: (lambda x: hd.dot(x, x))(endless("f8")),
        "describe": lambda: hd.describe(endless()),
        "any": lambda: hd.any(endless("u1")),
        "histogram": lambda: hd.histogram(endless(), 100, (0, 1)),
        "bincount": lambda: hd.bincount(endless("u1")),
    }

    def check_context():
        x = np.arange(100001, dtype=np.float32)
        assert hd.sum(x) == hd.sum(x, threads=1) and hd.sum(x[::2]) > 0
        assert hd.cumsum(x)[-1] == hd.sum(x)
"""


def test_others_run_during_a_long_call():
    out = run(LONG, """
        ticks = []
        def tick():
            while len(ticks) < 40:
                ticks.append(time.monotonic())
                time.sleep(0.005)
        worker = threading.Thread(target=tick)
        signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(TimeoutError))
        signal.setitimer(signal.ITIMER_REAL, 1)
        worker.start()
        began = time.monotonic()
        with contextlib.suppress(TimeoutError):
            hd.sum(endless())
        assert time.monotonic() - began > 0.9
        print(sum(began < t < began + 0.8 for t in ticks))
    """)
    assert int(out) > 10


# ---- Ctrl-C ----------------------------------------------------------------------------------------

INTERRUPTED = """
    call = CALLS[sys.argv[1]]
    for attempt in range(3):
        sent = []
        def send():
            time.sleep(0.25)
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)
        sender = threading.Thread(target=send)
        sender.start()
        try:
            call()
            raise SystemExit("the call was done")
        except KeyboardInterrupt:
            took = time.monotonic() - sent[0]
        sender.join()
        check_context()
        print(took)
        if took < 0.2:
            break
"""


@pytest.mark.parametrize("call", ["sum", "sum one thread", "var", "strided", "rows", "argmax", "mean",
                                  "dot", "describe", "any", "histogram", "bincount"])
def test_an_interrupt_ends_a_long_call(call):
    """Within 0.2 s; the best of three, since a busy machine may take its time to run anything."""
    assert min(map(float, run(LONG, INTERRUPTED, call).split())) < 0.2


def test_an_interrupt_from_outside():
    """As a terminal sends it."""
    child = subprocess.Popen([sys.executable, "-c", joined(LONG, """
        print("ready", flush=True)
        try:
            hd.sum(endless())
        except KeyboardInterrupt:
            check_context()
            print("interrupted", flush=True)
    """)], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.2)
        child.send_signal(signal.SIGINT)
        assert child.communicate(timeout=SECONDS)[0] == "interrupted\n"
    finally:
        child.kill()
    assert child.returncode == 0


def test_an_exception_of_a_handler_comes_out():
    out = run(LONG, """
        class Enough(Exception):
            pass
        def handler(number, frame):
            raise Enough("of that")
        signal.signal(signal.SIGALRM, handler)
        for call in ("sum", "strided", "describe"):
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            try:
                CALLS[call]()
            except Enough as error:
                print(error)
            check_context()
    """)
    assert out == "of that\n" * 3


def test_a_handler_that_raises_nothing_lets_the_call_go_on():
    out = run(LONG, """
        seen = []
        signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
        signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
        x = np.ones(1 << 20, np.float32)
        while len(seen) < 5:
            assert hd.sum(x) == 1 << 20 and hd.sum(x[::2]) == 1 << 19
        wide = np.broadcast_to(np.float32(0.5), 1 << 29)
        before = len(seen)
        assert hd.sum(wide) == 1 << 28
        signal.setitimer(signal.ITIMER_REAL, 0)
        print(len(seen) > before)
    """)
    assert out == "True\n"


def test_an_interrupt_while_a_thread_computes():
    """The main thread's call ends; the other thread's, which knows no signals, comes to its result."""
    out = run(LONG, """
        results = []
        wide = np.broadcast_to(np.float32(0.5), 1 << 29)
        worker = threading.Thread(target=lambda: results.append(hd.sum(wide)))
        worker.start()
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            hd.sum(endless())
        except KeyboardInterrupt:
            print("interrupted")
        worker.join()
        assert results == [1 << 28], results
        check_context()

        done = threading.Event()
        def other():
            try:
                results.append(hd.sum(wide))
                check_context()
            except BaseException as error:
                results.append(error)
            done.set()
        threading.Thread(target=other).start()
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            done.wait(20)
            time.sleep(20)
        except KeyboardInterrupt:
            print("interrupted")
        done.wait(20)
        assert results == [1 << 28] * 2, results
    """)
    assert out == "interrupted\n" * 2


# ---- fork ---------------------------------------------------------------------------------------

FORK = """
    import os, signal, sys, threading, time, warnings
    import numpy as np
    import heddle as hd
    warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of threads and fork

    x = np.arange(300001, dtype=np.float32)

    def results():
        return [r.tobytes() for r in (hd.sum(x), hd.var(x), hd.cumsum(x), hd.sum(x[::2]),
                                      hd.sum(x, threads=2), hd.sum(x, threads=5))]

    def forked(work):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = 0 if work() else 2
            finally:
                os._exit(code)
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                assert status == 0, status
                return
            time.sleep(0.002)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise SystemExit("the child hangs")
"""


def test_fork_after_use():
    run(FORK, """
        wanted = results()
        def grandchild():
            forked(lambda: results() == wanted)
            return results() == wanted
        for _ in range(5):
            forked(lambda: results() == wanted)
        forked(grandchild)
        assert results() == wanted
    """)


def test_fork_while_another_thread_computes():
    run(FORK, """
        wanted = results()
        stop = threading.Event()
        def work():
            while not stop.is_set():
                hd.sum(x), hd.cumsum(x), hd.sum(x, threads=3)
        workers = [threading.Thread(target=work) for _ in range(2)]
        for worker in workers:
            worker.start()
        try:
            for _ in range(25):
                forked(lambda: results() == wanted)
        finally:
            stop.set()
        assert results() == wanted
    """)


def test_multiprocessing_by_fork():
    out = run(FORK, """
        import multiprocessing
        wanted = results()
        def work(i):
            return results() == wanted and float(hd.sum(np.full(1000 * i, 0.5)))
        context = multiprocessing.get_context("fork")
        with context.Pool(3) as pool:
            print(pool.map(work, range(1, 9)))
        process = context.Process(target=results)
        process.start()
        process.join(20)
        assert process.exitcode == 0, process.exitcode
        assert results() == wanted
    """)
    assert out == f"{[500.0 * i for i in range(1, 9)]}\n"


def test_contexts_end_with_their_threads():
    """Many short threads leave no threads of the library behind."""
    x = np.ones(100001, np.float32)
    work = lambda: (hd.sum(x), hd.sum(x[::2]), hd.sum(x, threads=2))  # noqa: E731
    work()
    before = len(os.listdir("/proc/self/task"))
    for _ in range(100):
        worker = threading.Thread(target=work)
        worker.start()
        worker.join(SECONDS)
    assert len(os.listdir("/proc/self/task")) < before + 20  # some may be about to end

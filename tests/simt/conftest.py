"""What the tests of simt share: the programs, and a folder for what they compile.

heddle-run is $SIMT_RUN, else that of $HEDDLE_BUILD, else the newest build's. One cache a
session: a program is compiled once and then run under every schedule. As many programs run at
a time as there are processors: each test waits for its own.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import time

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAMS = HERE / "programs"
SCHEDULES = ("forward", "reverse", "random:7")
# Names of the classes of findings by number, of the table that the checker is made of.
CLASSES = re.findall(r'^FINDING\(\w+, "([^"]+)"',
                     (ROOT / "simt/device/findings.def").read_text(), re.M)


def pytest_collection_modifyitems(config, items):
    """With HEDDLE_TEST_LIGHT every second test, as of the builds beside gcc's: most of the time is that of
    the compiler which the tools start."""
    if os.environ.get("HEDDLE_TEST_LIGHT") and not os.environ.get("HEDDLE_TEST_FULL"):
        config.hook.pytest_deselected(items=items[1::2])
        del items[1::2]


def find_run():
    """The path of heddle-run, or None."""
    if os.environ.get("SIMT_RUN"):
        return pathlib.Path(os.environ["SIMT_RUN"])
    build = os.environ.get("HEDDLE_BUILD")
    folders = [pathlib.Path(build)] if build else sorted(ROOT.glob("build/*"), reverse=True,
                                                         key=lambda f: f.stat().st_mtime)
    found = [f / "libexec/heddle/heddle-run" for f in folders]
    return next((f for f in found if f.exists()), None)


class Program:
    """A CUDA program and what its first lines say about it:

    // expect: pass | status N | status nonzero | output "TEXT" | compile error
                    [, stdout "TEXT"]... [, stderr "TEXT"]... [, no stdout "TEXT"]...
    // flags: -std=c++20 -rdc=true        for the compiler
    // args: -n 5                         for the program
    // env: SIMT_TIMEOUT=2                for its run
    // limit: 60                          seconds for compiling and a run, where the usual 60 are too few
    // nvcc: no                           if nvcc refuses it

    A folder is one program: main.cu has those lines, and the other .cu, .cpp and .c files
    beside it are compiled with it.
    """

    def __init__(self, path):
        self.name = path.name if path.is_dir() else path.stem
        self.main = path / "main.cu" if path.is_dir() else path
        self.sources = [self.main]
        if path.is_dir():
            self.sources += [p for p in sorted(path.iterdir())
                             if p.suffix in {".cu", ".cpp", ".c"} and p != self.main]
        head = self.main.read_text(encoding="utf-8-sig", errors="replace").splitlines()[:12]
        self.expect = self.line(head, "expect") or "pass"
        self.flags = self.line(head, "flags").split()
        self.args = self.line(head, "args").split()
        self.environment = dict(e.split("=", 1) for e in self.line(head, "env").split())
        self.limit = float(self.line(head, "limit") or 60)
        self.nvcc = self.line(head, "nvcc") != "no"
        self.outcome = self.expect.split(",")[0].strip()

    @staticmethod
    def line(head, key):
        found = [t.split(":", 1)[1].strip() for t in head if t.startswith(f"// {key}:")]
        return found[0] if found else ""

    def texts(self, stream):
        """(wanted, text) for every text that `stream` must or must not have."""
        found = re.findall(rf'(no )?{stream} "([^"]*)"', self.expect)
        return [(not no, text) for no, text in found]

    def judge(self, status, stdout, stderr):
        """None if all is as expected, else what is not."""
        if status < 0 and self.outcome != "status nonzero":
            return f"killed by signal {-status}"
        if self.outcome == "pass":
            if status != 0:
                return f"status {status}"
            if "PASSED" not in stdout or "FAILED" in stdout:
                return "it does not say that it passed"
        elif self.outcome.startswith("output "):
            text = self.outcome.split('"')[1]
            if text not in stdout:
                return f"standard output lacks {text!r}"
        elif self.outcome in ("status nonzero", "compile error"):
            if status == 0:
                return "status 0"
        elif self.outcome.startswith("status "):
            if status != int(self.outcome.split()[1]):
                return f"status {status}"
        else:
            return f"unreadable expectation {self.expect!r}"
        for stream, text in (("stdout", stdout), ("stderr", stderr)):
            for wanted, part in self.texts(stream):
                if (part in text) != wanted:
                    return f"{stream} {'lacks' if wanted else 'has'} {part!r}"
        return None


def programs():
    """Every program below programs/, by name."""
    found = [p for p in PROGRAMS.iterdir() if p.suffix == ".cu" or (p / "main.cu").exists()]
    return [Program(p) for p in sorted(found)]


def run_program(tool, program, schedule, environment):
    """Compiles (once a session: the tool's cache) and runs one program: what was wrong, or
    None, and what it wrote."""
    command = [str(tool), "--schedule", schedule, *program.flags, *map(str, program.sources)]
    if program.args:
        command += ["--", *program.args]
    started = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, cwd=program.main.parent,
                              timeout=program.limit, env={**environment, **program.environment})
    except subprocess.TimeoutExpired as late:
        return f"still running after {late.timeout:.0f} s", str(late.stderr)[-3000:]
    wrote = (f"---- {time.monotonic() - started:.1f} s, standard output\n{done.stdout[-1500:]}"
             f"\n---- standard error\n{done.stderr[-3000:]}")
    return program.judge(done.returncode, done.stdout, done.stderr), wrote


@pytest.fixture(scope="session")
def simt_environment(tmp_path_factory):
    """The environment of a run: little of ours, a cache of its own; kernels of phases that g++ refuses show."""
    folder = tmp_path_factory.mktemp("simt")
    kept = {k: v for k, v in os.environ.items()
            if k in ("PATH", "TMPDIR", "LD_LIBRARY_PATH") or k.startswith(("ASAN_", "UBSAN_"))}
    return {**kept, "HOME": str(folder), "SIMT_CACHE_DIR": str(folder / "cache"), "SIMT_PHASES": "strict"}


@pytest.fixture(scope="session")
def outcomes(request, simt_environment):
    """outcomes(program, schedule): waits for that run. All runs of the chosen tests start
    with the first of them; the schedules of one program follow each other."""
    tool = find_run()
    assert tool and tool.exists(), "no heddle-run: build it, or name it in $SIMT_RUN"
    wanted = {}
    for item in request.session.items:
        parameters = getattr(item, "callspec", None) and item.callspec.params
        if parameters and "program" in parameters:
            wanted.setdefault(parameters["program"], []).append(parameters["schedule"])
    futures = {}

    def all_of(program):
        for schedule in wanted[program]:
            future = futures[program, schedule]
            try:
                future.set_result(run_program(tool, program, schedule, simt_environment))
            except Exception as error:  # the waiting test is the one to fail
                future.set_exception(error)

    for program, schedules in wanted.items():
        for schedule in schedules:
            futures[program, schedule] = concurrent.futures.Future()
    pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1)
    for program in wanted:
        pool.submit(all_of, program)
    yield lambda program, schedule: futures[program, schedule].result()
    pool.shutdown(wait=False, cancel_futures=True)

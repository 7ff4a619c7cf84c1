"""What the tests of simt share: the tools, and a folder for what they compile.

The program is $SIMT_RUN, else build/release/simt/heddle-run. One cache a session: a program is
compiled once and then run under every schedule.
"""
import os
import pathlib
import re

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAMS = HERE / "programs"
SCHEDULES = ("forward", "reverse", "random:7")


def find_run():
    """The path of heddle-run, or None."""
    named = os.environ.get("SIMT_RUN")
    path = pathlib.Path(named) if named else ROOT / "build/release/simt/heddle-run"
    return path if path.exists() else None


class Program:
    """A CUDA program and what its first lines say about it:

    // expect: pass | status N | status nonzero | output "TEXT" | compile error
                    [, stdout "TEXT"]... [, stderr "TEXT"]... [, no stdout "TEXT"]...
    // flags: -std=c++20 -rdc=true        for the compiler
    // args: -n 5                         for the program
    // env: SIMT_TIMEOUT=2                for its run
    // limit: 60                          seconds for a run, where the usual 30 are too few
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
        head = self.main.read_text(encoding="utf-8").splitlines()[:12]
        self.expect = self.line(head, "expect") or "pass"
        self.flags = self.line(head, "flags").split()
        self.args = self.line(head, "args").split()
        self.environment = dict(e.split("=", 1) for e in self.line(head, "env").split())
        self.limit = float(self.line(head, "limit") or 30)
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
            if not re.search("pass|success|correct|ok", stdout, flags=re.I):
                return "nothing says that it passed"
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


@pytest.fixture(scope="session")
def heddle_run():
    path = find_run()
    assert path, "no heddle-run: build it, or name it in $SIMT_RUN"
    return path


@pytest.fixture(scope="session")
def simt_environment(tmp_path_factory):
    """The environment of a run: little of ours, a cache of its own."""
    cache = tmp_path_factory.mktemp("simt-cache")
    kept = {k: v for k, v in os.environ.items()
            if k in ("PATH", "TMPDIR", "LD_LIBRARY_PATH") or k.startswith(("ASAN_", "UBSAN_"))}
    return {**kept, "HOME": str(cache), "XDG_CACHE_HOME": str(cache), "SIMT_CACHE_DIR": str(cache / "simt")}

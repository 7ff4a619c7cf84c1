"""What every test of the ladder shares: ways to run one rung, and the tool.

The programs are those of $HEDDLE_BUILD, else of the newest build*/libexec/heddle. Compiled rungs
stay in heddle-run's cache, so that a test costs a compilation only the first time.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LADDER = ROOT / "ladder"
SCHEDULES = ("forward", "reverse", "random:7")
KINDS = ("uniform", "constant", "two", "four", "skewed", "and3", "sorted", "text")


def find_build():
    if os.environ.get("HEDDLE_BUILD"):
        return Path(os.environ["HEDDLE_BUILD"])
    built = sorted(ROOT.glob("build*/**/libexec/heddle/heddle-run"),
                   key=lambda path: path.stat().st_mtime)
    if not built:
        pytest.exit("no heddle-run: build the project, or name a build in $HEDDLE_BUILD",
                    returncode=2)
    return built[-1].parents[2]


BUILD = find_build()


class Run:
    """How a rung ended: status, out and err as text, lines of out before the JSON, json."""

    def __init__(self, done):
        self.status = done.returncode
        self.out = done.stdout.decode()
        self.err = done.stderr.decode()
        self.lines = self.out.splitlines()
        self.json = None
        if self.lines and self.lines[-1].startswith("{"):
            self.json = json.loads(self.lines.pop())

    def __repr__(self):
        return f"status {self.status}\n{self.out}\n{self.err}"


def rung_path(rung):
    """ladder/family/NN_name.cu of "family/NN_name", "family/NN" or "family/name"."""
    family, name = rung.split("/")
    found = [path for path in sorted((LADDER / family).glob("[0-9][0-9]_*.cu"))
             if name in (path.stem, path.stem[:2], path.stem[3:])]
    assert len(found) == 1, f"{rung} is {found}"
    return found[0]


def headers(path):
    """The header lines of a rung: {"title": .., "expect": .., "link": ..}"""
    return dict(line.split("//! ", 1)[1].rstrip().split(": ", 1)
                for line in path.read_text().splitlines() if "//! " in line)


def link_options(path):
    if headers(path).get("link") != "heddle":
        return []
    library = next(BUILD.glob("src/libheddle.so"), None) or next(BUILD.glob("src/libheddle.a"))
    return [f"-I{ROOT / 'include'}", str(library), "-Xlinker", f"-rpath={library.parent}",
            "-lpthread", "-lm"]


def run_rung(rung, *args, schedule=None, count=True, options=(), timeout=120):
    path = rung if isinstance(rung, Path) else rung_path(rung)
    command = [BUILD / "libexec/heddle/heddle-run", *options]
    if schedule:
        command += ["--schedule", schedule]
    if count:
        command += ["-DLADDER_COUNT"]
    command += [path, *link_options(path), "--", "--json", *map(str, args)]
    return Run(subprocess.run(command, capture_output=True, timeout=timeout))


@pytest.fixture(scope="session")
def ladder_run():
    """ladder_run(rung, *args, schedule=None, count=True, options=()) compiles and runs a rung,
    with --json; `options` go to heddle-run. Returns a Run."""
    return run_rung


@pytest.fixture(scope="session")
def ladder_tool():
    """ladder_tool(*args, code=0, env=None, **options) runs heddle-ladder; the done process, its
    output as text."""
    def call(*args, code=0, env=None, timeout=300, **options):
        done = subprocess.run([BUILD / "libexec/heddle/heddle-ladder", *map(str, args)],
                              capture_output=True, text=True, timeout=timeout,
                              env={**os.environ, **(env or {})}, **options)
        assert code is None or done.returncode == code, (args, done)
        return done
    return call

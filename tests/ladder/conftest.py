"""What every test of the ladder shares: ways to run one rung, and the tool.

Method   the programs are those of $HEDDLE_BUILD, else of the newest build*/libexec/heddle. A cache
         of compiled rungs a session: the test of the whole ladder comes first, on all processors
         and from nothing, and the others find what it has compiled. A run that several tests ask
         about takes place once. Most tests keep one processor busy; nvcc has the others meanwhile
"""

import json
import os
import subprocess
from pathlib import Path

import pytest

from nvcc import Nvcc

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


WHOLE_LADDER = "test_whole_ladder_in_two_minutes_of_two_cores"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """The whole ladder first, nvcc's answers last; all others in their order."""
    items.sort(key=lambda item: (item.name != WHOLE_LADDER, "nvcc" in item.fixturenames))


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory):
    """The session's folder of compiled programs, empty at its beginning."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SIMT_CACHE_DIR", str(folder))
        yield folder


@pytest.fixture(scope="session")
def nvcc(tmp_path_factory):
    """nvcc on every fourth rung, with HEDDLE_TEST_FULL on all, begun with the first use; one
    processor is left to the tests."""
    rungs = sorted(LADDER.glob("*/[0-9][0-9]_*.cu"))
    work = Nvcc(rungs if os.environ.get("HEDDLE_TEST_FULL") else rungs[::4],
                [f"-I{ROOT / 'include'}"], tmp_path_factory.mktemp("nvcc"),
                max(1, (os.cpu_count() or 1) - 1))
    yield work
    work.stop()


@pytest.fixture(autouse=True)
def nvcc_meanwhile(request):
    """nvcc begins behind the whole ladder, if a test that wants it is to come."""
    wanted = any("nvcc" in item.fixturenames for item in request.session.items)
    if wanted and request.node.name != WHOLE_LADDER:
        request.getfixturevalue("nvcc")


@pytest.fixture(scope="session")
def ladder_run():
    """ladder_run(rung, *args, schedule=None, count=True, options=()) compiles and runs a rung,
    with --json; `options` go to heddle-run. Returns a Run: that of an equal call before, but
    where a path, of a source or of what is written, is among the arguments."""
    known = {}

    def call(rung, *args, schedule=None, count=True, options=()):
        def run():
            return run_rung(rung, *args, schedule=schedule, count=count, options=options)
        if any(isinstance(word, Path) for word in (rung, *args)):
            return run()
        key = rung_path(rung), tuple(map(str, args)), schedule, count, tuple(options)
        if key not in known:
            known[key] = run()
        return known[key]
    return call


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

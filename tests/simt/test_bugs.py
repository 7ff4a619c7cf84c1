"""Planted bugs: each is found in its class and on its lines, its corrected twin gives nothing.
Most twins are the same source compiled with FIXED; their name is the program's with _ok.

bugs/README.md has the form of the programs. heddle-check is $SIMT_CHECK_TOOL, else that of
$HEDDLE_BUILD, else the newest build's. By hand, with failures as one line each:
.venv/bin/python tests/simt/test_bugs.py --list PATTERN [--schedule NAME]... [-v] [--jobs N]
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pytest

from conftest import CLASSES, SCHEDULES, find_run

# Seconds for a program. The watchdog sees no progress only where its threads get to run, which takes long
# beside other work.
LIMIT = 240

BUGS = pathlib.Path(__file__).resolve().parent / "bugs"
MARK = re.compile(r"//\s*(BUG|ALLOC|FREE)\b(\??)((?:\s+\d+)*)\s*(?::|$)")
MEMORY = {"allocation": "ALLOC", "free": "FREE"}


def find_check():
    """The path of heddle-check, or None."""
    if os.environ.get("SIMT_CHECK_TOOL"):
        return pathlib.Path(os.environ["SIMT_CHECK_TOOL"])
    run = find_run()
    tool = run and run.parent / "heddle-check"
    return tool if tool and tool.exists() else None


class Group:
    """A `// find:` line, and the lines that carry its mark."""

    def __init__(self, text):
        self.words = [set(word.split("|")) for word in text.split()]
        self.lines, self.allowed = set(), set()

    def has(self, finding):
        said = {finding.get(key) for key in ("class", "space", "kind", "reason")}
        return all(words & said for words in self.words)


class Bug:
    """A program, what its first lines and its marks say; or the same text compiled with FIXED,
    which is its twin: nothing may be found."""

    def __init__(self, path, text, fixed=False):
        self.name, self.path = path.stem + "_ok" * fixed, path
        lines = text.splitlines()
        head = [m.groups() for m in (re.match(r"// (\w+): (.*)", t) for t in lines[:12]) if m]
        finds = [value.strip() for key, value in head if key == "find"]
        self.groups = [Group(f) for f in finds if f != "nothing" and not fixed]
        self.said = bool(finds)
        options = dict(head)
        self.flags = options.get("flags", "").split() + ["-DFIXED"] * fixed
        self.args = options.get("args", "").split()
        self.environment = dict(e.split("=", 1) for e in options.get("env", "").split())
        self.schedules = tuple(options.get("schedules", "all").split())
        if self.schedules == ("all",):
            self.schedules = SCHEDULES
        self.status = 0 if fixed else int(options.get("status", 3 if self.groups else 0))
        self.texts = [value.strip() for key, value in head if key == "text" and not fixed]
        self.memory = {"ALLOC": set(), "FREE": set()}
        if not fixed:
            self.read_marks(lines)

    def read_marks(self, lines):
        for number, line in enumerate(lines, 1):
            mark = MARK.search(line)
            if not mark:
                continue
            what, optional, groups = mark.groups()
            if what != "BUG":
                self.memory[what].add(number)
                continue
            for group in map(int, groups.split() or ["1"]):
                assert 0 < group <= len(self.groups), f"{self.name}:{number}: group {group}"
                self.groups[group - 1].allowed.add(number)
                if not optional:
                    self.groups[group - 1].lines.add(number)


def lines_of(finding, name):
    """(lines that the finding is about, lines of allocations, lines of frees). A line of
    another file is given as a text."""
    about, memory = set(), {"ALLOC": set(), "FREE": set()}
    for index, place in enumerate(finding["places"]):
        own = pathlib.Path(place.get("file") or "?").name == name
        line = place.get("line") if own else f"{place.get('file')}:{place.get('line')}"
        if index and place.get("access") in MEMORY:
            memory[MEMORY[place["access"]]].add(line)
        else:
            about.add(line)
    return about, memory


def brief(finding, name):
    about, _ = lines_of(finding, name)
    words = [finding.get(k) for k in ("class", "space", "kind", "reason")]
    return " ".join(w for w in words if w) + " on " + ", ".join(sorted(map(str, about)))


def judge(bug, status, report):
    """None if the report is as the program says, else what is not."""
    wrong = []
    name = bug.path.name
    named = [set() for _ in bug.groups]
    memory = {"ALLOC": set(), "FREE": set()}
    found = [0] * len(bug.groups)
    for finding in report["findings"]:
        about, of_memory = lines_of(finding, name)
        fit = [g for g, group in enumerate(bug.groups)
               if group.has(finding) and about <= group.allowed]
        if not fit:
            wrong.append("not planted: " + brief(finding, name))
            continue
        for g in fit:
            found[g] += 1
            named[g] |= about
        for what in memory:
            memory[what] |= of_memory[what]
    for g, group in enumerate(bug.groups):
        if not found[g]:
            words = " ".join("|".join(sorted(w)) for w in group.words)
            wrong.append(f"not found: {words} on {', '.join(map(str, sorted(group.lines)))}")
        elif group.lines - named[g]:
            wrong.append(f"lines not named: {', '.join(map(str, sorted(group.lines - named[g])))}")
    for what, lines in bug.memory.items():
        if lines and memory[what] != lines:
            wrong.append(f"{what} lines {sorted(lines)}, named {sorted(map(str, memory[what]))}")
    text = json.dumps(report, ensure_ascii=False)
    wrong += [f"the report lacks {t!r}" for t in bug.texts if t not in text]
    if status != bug.status:
        wrong.append(f"status {status}, not {bug.status}")
    return "; ".join(wrong) or None


def run_check(tool, bug, schedule, environment):
    """What was wrong, or None; and what the tool wrote."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        command = [str(tool), f"--json={report}", "--schedule", schedule, "--leaks", "yes",
                   *bug.flags, str(bug.path)]
        if bug.args:
            command += ["--", *bug.args]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                                  stdin=subprocess.DEVNULL, cwd=bug.path.parent, timeout=LIMIT,
                                  env={**environment, **bug.environment})
        except subprocess.TimeoutExpired:
            return f"still running after {LIMIT} s", ""
        wrote = f"---- stdout\n{done.stdout[-1500:]}\n---- stderr\n{done.stderr[-3000:]}"
        if done.returncode < 0:
            return f"killed by signal {-done.returncode}", wrote
        try:
            found = json.loads(report.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            return f"status {done.returncode}, no report ({error})", wrote
        return judge(bug, done.returncode, found), wrote + json.dumps(found, indent=1)[:6000]


def programs_of(path, text):
    """What a source is: a program, and its twin if it has the lines of one."""
    has_twin = re.search(r"^#ifn?def FIXED$", text, re.MULTILINE)
    return [Bug(path, text), Bug(path, text, fixed=True)] if has_twin else [Bug(path, text)]


def bugs(pattern=""):
    """All programs whose name has the pattern, in order."""
    found = [bug for path in BUGS.glob("*.cu")
             for bug in programs_of(path, path.read_text(encoding="utf-8"))]
    return sorted((bug for bug in found if re.search(pattern, bug.name)),
                  key=lambda bug: bug.name + ".cu")


ALL = bugs()
# Each program runs forward, and every second one, with its twin, in one other order; with HEDDLE_TEST_FULL in
# all.
RUNS = [(b, s) for i, b in enumerate(ALL) for s in b.schedules
        if s == b.schedules[0] or os.environ.get("HEDDLE_TEST_FULL")
        or (i // 2 % 2 == 0 and s == b.schedules[1 + i // 4 % (len(b.schedules) - 1)])]


@pytest.fixture(scope="module")
def judged(request, simt_environment):
    """judged(bug, schedule): waits for that run. The chosen runs all start with the first of
    them, as many at a time as there are processors; those of one program follow each other,
    so that it is compiled once."""
    tool = find_check()
    assert tool, "no heddle-check: build it, or name it in $SIMT_CHECK_TOOL"
    futures, wanted = {}, {}
    for item in request.session.items:
        parameters = getattr(item, "callspec", None) and item.callspec.params
        if parameters and "bug" in parameters:
            key = parameters["bug"], parameters["at"]
            wanted.setdefault(key[0], []).append(key[1])
            futures[key] = concurrent.futures.Future()

    def all_of(bug):
        for schedule in wanted[bug]:
            try:
                futures[bug, schedule].set_result(
                    run_check(tool, bug, schedule, simt_environment))
            except Exception as error:  # the waiting test is the one to fail
                futures[bug, schedule].set_exception(error)

    pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1)
    for bug in wanted:
        pool.submit(all_of, bug)
    yield lambda bug, schedule: futures[bug, schedule].result()
    pool.shutdown(wait=False, cancel_futures=True)


@pytest.mark.parametrize("bug,at", RUNS, ids=[f"{b.name}-{s}" for b, s in RUNS])
def test_bug(bug, at, judged):
    wrong, wrote = judged(bug, at)
    assert wrong is None, f"{wrong}\n{wrote}"


def test_every_bug_has_its_twin():
    names = {bug.name: bug for bug in ALL}
    assert len(ALL) >= 140
    for name, bug in names.items():
        assert bug.said, f"{name}: no find: line"
        assert all(group.words[0] <= set(CLASSES) for group in bug.groups), name
        if bug.groups:
            assert f"{name}_ok" in names, f"{name} has no twin"
        if name.endswith("_ok"):
            assert not bug.groups and bug.status == 0, f"{name}: a twin has no bug"


WRONG = """// find: race shared read/write barrier
a; // BUG
b; // BUG: late
c; // ALLOC
"""


def report_of(lines, kind="read/write", allocation=4):
    places = [{"access": "write", "file": "/x/p.cu", "line": n} for n in lines]
    places.append({"access": "allocation", "file": "/x/p.cu", "line": allocation})
    return {"findings": [{"class": "race", "space": "shared", "kind": kind,
                          "reason": "barrier", "places": places}]}


def test_the_judgement_sees_what_is_wrong():
    bug = Bug(pathlib.Path("p.cu"), WRONG)
    assert judge(bug, 3, report_of([2, 3])) is None
    assert "status 0" in judge(bug, 0, report_of([2, 3]))
    assert "not planted" in judge(bug, 3, report_of([2, 3], "write/write"))
    assert "not planted" in judge(bug, 3, report_of([2, 1]))
    assert "not named: 3" in judge(bug, 3, report_of([2]))
    assert "ALLOC" in judge(bug, 3, report_of([2, 3], allocation=3))
    assert "not found" in judge(bug, 3, {"findings": []})
    clean = Bug(pathlib.Path("p.cu"), "// find: nothing\n")
    assert judge(clean, 0, {"findings": []}) is None
    assert "not planted" in judge(clean, 3, report_of([2, 3]))
    assert "lacks" in judge(Bug(pathlib.Path("p.cu"), "// find: nothing\n// text: wait"), 0,
                            {"findings": []})


def test_a_twin_in_the_same_source_expects_nothing():
    text = ("// find: race shared\n// text: late\n// flags: -O1\n// status: 1\n"
            "#ifndef FIXED\na; // BUG\n#endif\nb; // ALLOC\n")
    bug, twin = programs_of(pathlib.Path("p.cu"), text)
    assert (bug.name, bug.flags, bug.status) == ("p", ["-O1"], 1)
    assert (twin.name, twin.flags, twin.status) == ("p_ok", ["-O1", "-DFIXED"], 0)
    assert bug.groups[0].lines == {6} and bug.memory["ALLOC"] == {8} and bug.texts
    assert judge(twin, 0, {"findings": []}) is None
    assert "not planted" in judge(twin, 0, report_of([6]))
    assert len(programs_of(pathlib.Path("p.cu"), text.replace("#ifndef FIXED", "#if 1"))) == 1


def main():
    parser = argparse.ArgumentParser(description="lists the programs that fail")
    parser.add_argument("--list", metavar="PATTERN", default="", help="of names")
    parser.add_argument("--schedule", action="append", help="only this; may be repeated")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("-v", action="store_true", help="with what the tool wrote")
    options = parser.parse_args()
    tool = find_check()
    if not tool:
        sys.exit("no heddle-check: build it, or name it in $SIMT_CHECK_TOOL")
    with tempfile.TemporaryDirectory() as folder:
        environment = {"SIMT_CACHE_DIR": folder, **os.environ}

        def all_of(bug):
            return [(bug, s, *run_check(tool, bug, s, environment))
                    for s in options.schedule or bug.schedules]

        count = failed = 0
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for runs in pool.map(all_of, bugs(options.list)):
                for bug, schedule, wrong, wrote in runs:
                    count += 1
                    failed += wrong is not None
                    if wrong:
                        print(f"{bug.name} {schedule}: {wrong}", flush=True)
                        print(wrote if options.v else "", end="")
    print(f"{count} runs, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()

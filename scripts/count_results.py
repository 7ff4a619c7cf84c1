#!/usr/bin/env python3
"""Counts tests in JUnit files, for ./check.

Result   three numbers, passed failed skipped; on stderr a line for each failure and skip, and
         the end of what a failed test of ctest printed
Method   ctest writes one file a step; each pytest suite, a single test to ctest, writes one
         of its own beside it: then the suite's tests are counted in place of that single one.
         A suite that failed without saying where (it crashed) counts as one failure.
Usage    count_results.py CTEST.xml SUITES_FOLDER
"""
import pathlib
import sys
import xml.etree.ElementTree as xml

PYTEST_PREFIX = "pytest."
SHOWN_LINES = 40


def outcome(case):
    """passed, failed or skipped of one <testcase>, as either program writes it."""
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    if case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
        return "skipped"
    return "failed" if case.get("status") == "fail" else "passed"


def cases_of(path):
    return [(outcome(case), f'{case.get("classname", "")} {case.get("name", "")}'.strip())
            for case in xml.parse(path).getroot().iter("testcase")]


def show_output(case):
    lines = (case.findtext("system-out") or "").rstrip().splitlines()
    print(f'---- the end of {case.get("name")}', *lines[-SHOWN_LINES:], sep="\n", file=sys.stderr)


def collect(ctest_file, suites):
    results = []
    for case in xml.parse(ctest_file).getroot().iter("testcase"):
        result, name = outcome(case), case.get("name")
        if result == "failed":
            show_output(case)
        suite = suites / f"{name}.xml"
        inner = cases_of(suite) if name.startswith(PYTEST_PREFIX) and suite.is_file() else []
        if result == "failed" and all(kind != "failed" for kind, _ in inner):
            inner.append(("failed", name))
        results += inner or [(result, name)]
    return results


def main():
    results = collect(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
    for kind, name in sorted(results):
        if kind != "passed":
            print(f"  {kind}: {name}", file=sys.stderr)
    counts = [sum(kind == wanted for kind, _ in results)
              for wanted in ("passed", "failed", "skipped")]
    print(*counts)


if __name__ == "__main__":
    main()

"""No false report: every right rung, small, gives no finding under heddle-check and ends right.

Method   with the program that the whole ladder's test has compiled for the checker. tests/simt has
         the same for programs that are no rungs
Limits   rungs that link libheddle have no kernel of their own: the checker has nothing to watch
"""
import json
import subprocess

import pytest

from conftest import BUILD, LADDER, ROOT, headers

SIZES = {"pictures": "64"}  # pixels a side; else elements
PATHS = sorted(LADDER.glob("*/[0-9][0-9]_*.cu"))
RIGHT = [path for path in PATHS
         if headers(path)["expect"] == "right" and headers(path).get("link") != "heddle"]


def check(path, report):
    """The status, the findings, and what was written."""
    words = []
    if headers(path).get("size") != "fixed":
        words = ["--repeat", "1", "--size", SIZES.get(path.parent.name, "2K")]
    done = subprocess.run([BUILD / "libexec/heddle/heddle-check", f"--json={report}", "--schedule",
                           "forward", "--leaks", "yes", path, "--", *words], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, cwd=ROOT, timeout=120)
    findings = json.loads(report.read_text())["findings"] if report.exists() else None
    return done.returncode, findings, done.stdout + done.stderr


def test_there_are_right_rungs():
    assert len(RIGHT) > 90


@pytest.mark.parametrize("path", RIGHT, ids=[f"{p.parent.name}/{p.stem}" for p in RIGHT])
def test_nothing_is_found(tmp_path, path):
    status, findings, wrote = check(path, tmp_path / "report.json")
    assert status == 0 and findings == [], (findings, wrote)


def test_a_race_is_found(tmp_path):
    path = next(path for path in PATHS if headers(path)["expect"] == "caught race")
    status, findings, _ = check(path, tmp_path / "report.json")
    assert status != 0 and {finding["class"] for finding in findings} == {"race"}

"""The runs in the documents: what the tools say is what README.md and docs/simt.md show.

A program is a block ```cuda NAME.cu, a run a block ```console with one command, `$ heddle run
NAME.cu`, check or profile, and what it wrote. Compared are words: lines may be wrapped. A line of three dots stands for
anything, and the last line of heddle check may be left out. Addresses count as equal. By hand, to
put what the tools say now into the blocks that differ, but for those with dots:
.venv/bin/python tests/simt/test_documents.py --write
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap

import pytest

from conftest import CLASSES, ROOT, find_run

DOCUMENTS = ("docs/simt.md", "README.md")
PROGRAM = re.compile(r"^```cuda (\S+)\n(.*?)^```$", re.M | re.S)
RUN = re.compile(r"^```console\n\$ (heddle (?:check|profile|run) [^\n]*)\n(.*?)^```$", re.M | re.S)
LAST = re.compile(r"^heddle check: .*\n", re.M)
WIDTH = 110


def text_of(document):
    return (ROOT / document).read_text(encoding="utf-8")


def programs():
    return dict(m for document in DOCUMENTS for m in PROGRAM.findall(text_of(document)))


RUNS = [(command, said) for document in DOCUMENTS for command, said in RUN.findall(text_of(document))]


def words(text):
    return re.sub(r"0x[0-9a-f]+", "0x..", text).split()


def run(command, folder, environment):
    """(status, what was written) of the tool that `heddle check`, `profile` or `run` starts."""
    for name, text in programs().items():
        pathlib.Path(folder, name).write_text(text, encoding="utf-8")
    _, which, *rest = shlex.split(command)
    tool = find_run().with_name(f"heddle-{which}")
    done = subprocess.run([str(tool), *rest], cwd=folder, env=environment, text=True, timeout=120,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, errors="replace",
                          stderr=subprocess.PIPE if which == "run" else subprocess.STDOUT)
    return done.returncode, (done.stderr or "") + done.stdout


def as_shown(said, shown):
    """Whether the parts of `shown` between lines of dots are in `said`, in order and complete."""
    if not LAST.search(shown):
        said = LAST.sub("", said)
    said = words(said)
    parts = [words(part) for part in re.split(r"^\.\.\.$", shown, flags=re.M)]
    at = 0
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        ends_here = last and (part or number == 0)
        places = [len(said) - len(part)] if ends_here else range(at, len(said) - len(part) + 1)
        at = next((p + len(part) for p in places if p >= at and said[p:p + len(part)] == part), None)
        if at is None or (number == 0 and at != len(part)):
            return False
    return True


@pytest.mark.parametrize("command, shown", RUNS, ids=[c.split()[-1] for c, _ in RUNS])
def test_a_run_is_as_shown(command, shown, tmp_path, simt_environment):
    status, said = run(command, tmp_path, simt_environment)
    assert as_shown(said, shown), said
    if not command.startswith("heddle run"):
        assert status == (3 if command.startswith("heddle check") else 0)


def test_every_program_is_run_and_every_class_shown():
    ran = {word for command, _ in RUNS for word in command.split()}
    assert set(programs()) <= ran
    said = "\n".join("\n" + shown for _, shown in RUNS)
    assert [c for c in CLASSES if f"\n{c}: " not in said] == []


def test_the_comparison_sees_differences():
    said = "one 0x12\ntwo three\nfour\n\nheddle check: 1 finding\n"
    assert as_shown(said, "one 0xfe two\nthree four\n")
    assert as_shown(said, "one 0x1\n...\nfour\n") and as_shown(said, "one 0x1 two\n...\n")
    assert not as_shown(said, "") and as_shown("", "")
    assert not as_shown(said, "one 0x1\n") and not as_shown(said, "two three four\n")
    assert not as_shown(said, "one 0x1\n...\ntwo\n") and not as_shown(said, "one 0x1 three four")


def wrapped(line):
    indent = re.match(" *", line).group(0)
    lines = textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_long_words=False,
                          break_on_hyphens=False, drop_whitespace=True)
    return "\n".join(lines)


def write():
    """Fills the blocks that differ."""
    def fill(match):
        with tempfile.TemporaryDirectory() as folder:
            _, said = run(match.group(1), folder, dict(os.environ))
        if as_shown(said, match.group(2)) or "\n...\n" in match.group(2):
            return match.group(0)
        said = LAST.sub("", said).rstrip("\n")
        lines = "\n".join(wrapped(line) for line in said.split("\n"))
        return f"```console\n$ {match.group(1)}\n{lines}\n```"
    for document in DOCUMENTS:
        (ROOT / document).write_text(RUN.sub(fill, text_of(document)), encoding="utf-8")


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    write()

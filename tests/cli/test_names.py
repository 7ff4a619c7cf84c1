"""Names that users give - of files, of columns, titles - wherever they are written."""

import csv
import io
import json
import os
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from test_plot import ESCAPE, on_terminal

NASTY = ["plain", "a b", 'q"uote', "back\\slash", "comma,", "line\nend", "red\x1b[31m", "bell\x07",
         "c1\x9b31m", "rtl\u202eoff", "del\x7f", "\u00e9\u4e16\U0001f9f6", b"\xff\xfe", b"half\xe4\xb8",
         b"over\xc0\xaf", b"surrogate\xed\xa0\x80", "long" * 60]
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def as_bytes(name):
    return name if isinstance(name, bytes) else name.encode()


def make(folder, name, text=b"1\n2\n"):
    path = os.fsencode(folder) + b"/" + as_bytes(name) + b".txt"
    with open(path, "wb") as file:
        file.write(text)
    return os.fsdecode(path)


def name_of(row, member):
    """The bytes of a name in JSON."""
    whole = row[member].encode()
    if f"{member}_bytes" not in row:
        return whole
    assert "\ufffd" in row[member]
    return bytes.fromhex(row[f"{member}_bytes"])


@pytest.mark.parametrize("command", ["sum", "describe"])
def test_file_names_come_back_from_json_and_csv(heddle, tmp_path, command):
    files = [make(tmp_path, name) for name in NASTY]
    done = heddle(command, *files, "--json")
    assert not FORBIDDEN.search(done.stdout.decode().replace("\n", ""))
    rows = json.loads(done.stdout.decode())
    assert [name_of(row, "file") for row in rows] == [os.fsencode(f) for f in files]
    table = heddle(command, *files, "--csv").stdout.decode("latin-1")
    names = [row["file"].encode("latin-1") for row in csv.DictReader(io.StringIO(table, newline=""))]
    assert names == [os.fsencode(f) for f in files]


@pytest.mark.parametrize("command", ["sum", "describe"])
def test_names_of_columns(heddle, tmp_path, command):
    """Names longer than some buffer were cut, two of them to the same one."""
    names = ["x" * 400 + end for end in "ab"] + ["caf\u00e9", "c1\u009b31m"]
    table = tmp_path / "t.csv"
    table.write_text(",".join(names) + "\n1,2,3,4\n")
    rows = heddle.json(command, "-c", "1,2,3,4", table)
    assert [row["column"] for row in rows] == names
    latin = make(tmp_path, "latin", b"caf\xe9,b\n1,2\n")
    rows = heddle.json(command, "-c", "1,2", latin)
    assert rows[0]["column"] == "caf\ufffd" and bytes.fromhex(rows[0]["column_bytes"]) == b"caf\xe9"
    assert "column_bytes" not in rows[1]
    for args in ([], ["--csv"]):
        shown = on_terminal(heddle, [command, "-c", "1,2,3,4", *args, table], 80)
        assert not FORBIDDEN.search(shown.replace("\n", "")) and "c1\\xc2\\x9b31m" in shown


@pytest.mark.parametrize("args", [[], ["--csv"], ["--json"]])
@pytest.mark.parametrize("command", ["sum", "describe"])
def test_no_name_steers_the_terminal(heddle, tmp_path, command, args):
    files = [make(tmp_path, name) for name in NASTY]
    shown = on_terminal(heddle, [command, *args, *files], 80)
    assert not FORBIDDEN.search(shown.replace("\n", ""))
    if args != ["--json"]:
        assert "red\\x1b[31m" in shown and "c1\\xc2\\x9b31m" in shown and "\\xff\\xfe" in shown
    assert "\u00e9\u4e16\U0001f9f6" in shown
    if not args:
        assert not FORBIDDEN.search(heddle(command, *files).stdout.decode().replace("\n", ""))


@pytest.mark.parametrize("name", NASTY)
def test_messages_steer_no_terminal(heddle, tmp_path, name):
    missing = os.fsdecode(os.fsencode(tmp_path) + b"/none-" + as_bytes(name))
    for args, code in ((["sum", missing], 1), ([f"x{os.fsdecode(as_bytes(name))}"], 2),
                       (["sum", f"--{os.fsdecode(as_bytes(name))}"], 2),
                       (["hist", "--bins", f"x{os.fsdecode(as_bytes(name))}"], 2),
                       (["sum", "-o", missing + "/x", make(tmp_path, "in")], 1)):
        message = heddle.error(*args, code=code)  # one line, and it is UTF-8
        assert not FORBIDDEN.search(message.rstrip("\n"))
    bad = make(tmp_path, name, b"1\n2\nx\n3\n")
    note = heddle("sum", "--skip-bad", bad).stderr.decode()
    assert "1 bad line" in note and not FORBIDDEN.search(note.rstrip("\n"))


@pytest.mark.parametrize("name", [*NASTY, "nul-less \x01\x0b\x0c", "not\ufffe\uffffcharacters", "tab\tend"])
def test_titles(heddle, save, tmp_path, name):
    """XML 1.0 has no way to write most control characters, and none for what is not UTF-8."""
    out = tmp_path / "h.svg"
    title = os.fsdecode(as_bytes(name))
    text = heddle.text("hist", "--svg", out, "--title", title, save(np.arange(9.0)))
    assert not FORBIDDEN.search(text.replace("\n", ""))
    tree = ElementTree.parse(out).getroot()
    expected = as_bytes(name).decode(errors="replace")
    found = tree.find("{http://www.w3.org/2000/svg}title").text
    assert not FORBIDDEN.search(found.replace("\n", "")) and "<script" not in found
    if not FORBIDDEN.search(expected) and "\ufffd" not in expected and "\ufffe" not in expected:
        assert found == expected.replace("\n", " ").replace("\t", " ")
    else:
        assert "\ufffd" in found


@pytest.mark.parametrize("env,ascii", [
    ({"LC_ALL": "C"}, True), ({"LC_ALL": "POSIX", "LANG": "de_DE.UTF-8"}, True),
    ({"LC_ALL": "", "LC_CTYPE": "en_US.ISO-8859-1"}, True), ({"LANG": "C"}, True),
    ({"TERM": "dumb"}, True), ({"LC_ALL": "C.UTF-8", "LANG": "C"}, False),
    ({"LANG": "de_DE.utf8@euro"}, False), ({}, False)])
@pytest.mark.parametrize("bins", [5, 200])
def test_characters_that_the_locale_has(heddle, save, env, ascii, bins):
    path = save(np.random.default_rng(0).standard_normal(500))
    text = heddle.text("hist", "--bins", bins, path, env=env)
    assert text.isascii() == ascii and ("#" in text) == ascii
    assert ESCAPE.sub("", on_terminal(heddle, ["hist", "--bins", bins, path], 80, {
        "TERM": "xterm", **env})).isascii() == ascii

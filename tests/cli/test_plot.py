"""Plots: what they say, how wide they are, colours, SVG."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

ESCAPE = re.compile(r"\x1b\[[0-9;]*[mK]")


def on_terminal(heddle, args, columns, env=None, stdin=subprocess.DEVNULL, code=0):
    """Standard output and error on a terminal of so many columns."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    process = subprocess.Popen([heddle.program, *map(str, args)], stdin=stdin, stdout=slave,
                               stderr=slave, env={**heddle.environment, "TERM": "xterm",
                                                  **(env or {})})
    os.close(slave)
    chunks = []
    while True:
        try:
            chunk = os.read(master, 65536)
        except OSError:
            break
        if not chunk:
            break
        chunks.append(chunk)
    os.close(master)
    assert process.wait(60) == code
    return b"".join(chunks).decode().replace("\r\n", "\n")


@pytest.mark.parametrize("columns", [40, 80, 133])
@pytest.mark.parametrize("bins", [10, 122, 200])
def test_plot_fits_the_terminal(heddle, save, columns, bins):
    path = save(np.random.default_rng(0).standard_normal(5000))
    text = ESCAPE.sub("", on_terminal(heddle, ["hist", "--bins", bins, path], columns))
    widest = max(map(len, text.splitlines()))
    assert widest <= columns
    assert widest > columns * (0.9 if bins == 10 else 0.5)


def test_width_without_a_terminal(heddle, save):
    path = save(np.arange(100.0))
    assert max(map(len, heddle.text("hist", "--bins", 4, path).splitlines())) == 80
    narrow = heddle.text("hist", "--bins", 4, path, env={"COLUMNS": "50"})
    assert max(map(len, narrow.splitlines())) == 50
    given = heddle.text("hist", "--bins", 4, "--plot-width", 60, path, env={"COLUMNS": "50"})
    assert max(map(len, given.splitlines())) == 60
    assert max(map(len, heddle.text("hist", "--bins", 4, path,
                                    env={"COLUMNS": "none"}).splitlines())) == 80


def test_colour(heddle, save):
    path = save(np.arange(100.0))
    args = ["hist", "--bins", 4, path]
    assert "\x1b[36m" in on_terminal(heddle, args, 80)
    assert "\x1b" not in on_terminal(heddle, args, 80, {"NO_COLOR": "1"})
    assert "\x1b" not in on_terminal(heddle, args, 80, {"TERM": "dumb"})
    assert "\x1b" not in on_terminal(heddle, [*args, "--no-color"], 80)
    assert "\x1b" not in heddle.text(*args, env={"TERM": "xterm"})


def test_bars_are_in_proportion(heddle, save):
    path = save(np.repeat([0.5, 1.5, 2.5, 3.5], [1, 40, 80, 0]))
    lines = heddle.text("hist", "--bins", 4, "--range", 0, 4, path).splitlines()
    bars = [line.count("█") for line in lines[:4]]
    assert bars[2] > 40 and abs(bars[1] - bars[2] / 2) <= 1 and bars[3] == 0
    assert lines[0].endswith(tuple("▏▎▍▌▋▊"))  # one of 80 still shows
    assert [int(line.split(")")[-1].split("]")[-1].split()[0]) for line in lines[:4]] == [1, 40, 80, 0]
    assert lines[4] == "121 elements"


def test_ascii(heddle, save):
    path = save(np.random.default_rng(0).standard_normal(5000))
    for bins in (10, 300):
        text = heddle("hist", "--ascii", "--bins", bins, path).stdout
        assert text.isascii() and b"#" in text


def test_what_lies_outside_is_told_only_where_there_is_some(heddle, save):
    path = save(np.array([np.nan, -5, 0.5, 9, 9]))
    assert "5 elements, 1 below, 2 above, 1 NaN" in heddle.text("hist", "--range", 0, 1, path)
    assert "below" not in heddle.text("hist", "--range", -5, 9, path)


def test_title_and_columns(heddle, save):
    path = save(np.arange(1000.0))
    text = heddle.text("hist", "--bins", 500, "--title", "Rising", path)
    assert text.startswith("Rising\n") and "500 bins" in text and "1000 elements" in text


def svg(path):
    tree = ElementTree.parse(path).getroot()
    assert tree.tag == "{http://www.w3.org/2000/svg}svg"
    return tree


@pytest.mark.parametrize("args", [["--bins", "30"], ["--bins", "5000"], ["--log"],
                                  ["--edges", "-inf,0,1,inf"], ["--cumulative", "--density"],
                                  ["--bins", "1"], ["--integer"]])
def test_svg_is_valid_and_stands_alone(heddle, save, tmp_path, args):
    path = save(np.abs(np.random.default_rng(0).standard_normal(5000)) * 100)
    out = tmp_path / "h.svg"
    heddle("hist", *args, "--svg", out, "--title", 'a < b & "c"', path)
    tree = svg(out)
    text = out.read_text()
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "") and "<script" not in text
    assert any('a < b & "c"' == (node.text or "") for node in tree.iter())
    assert "nan" not in text.replace("NaN", "") or "5000 elements" in text
    for number in re.findall(r' (?:x|y|width|height)="([^"]*)"', text):
        assert np.isfinite(float(number)) and float(number) >= 0


def test_columns_stand_beside_each_other_where_they_fit(heddle, tmp_path):
    path, out = tmp_path / "t.csv", tmp_path / "t.svg"
    path.write_text("low,a name\x1b[31m < 9\n1,3\n2,3\n2,\n3,9\n")
    args = ["hist", "-c", "1,2", "--integer", path]
    lines = heddle.text(*args, "--svg", out).splitlines()
    assert lines[0].split() == ["low", "a", "name\\x1b[31m", "<", "9"]
    unit = lines[1].count("█")  # of one row of a column: then 2 of low, and 1 with 2 beside it
    assert [line.count("█") for line in lines[1:4]] == [unit, 2 * unit, 3 * unit] and unit > 9
    assert lines[-2:] == ["low: 4 elements", "a name\\x1b[31m < 9: 4 elements, 1 NaN"]
    assert 76 < max(map(len, lines)) <= 80
    narrow = heddle.text(*args, "--plot-width", 24).splitlines()
    assert narrow[0] == "low" and max(map(len, narrow)) <= 24
    assert "4 elements, 1 NaN" == narrow[-1]
    paths = [node for node in svg(out).iter() if node.get("class") == "outline"]
    assert [node[0].text for node in paths] == ["low", "a name\ufffd[31m < 9"]
    assert all(node.get("d").count("V") == 10 for node in paths)
    assert "low" in [node.text for node in svg(out).iter() if node.get("class") == "legend"]


def test_svg_bars_have_the_heights_of_the_counts(heddle, save, tmp_path):
    out = tmp_path / "h.svg"
    heddle("hist", "--bins", 3, "--svg", out, save(np.array([0, 1, 1, 2, 2, 2, 2.0])))
    heights = [float(node.get("height")) for node in svg(out).iter()
               if node.get("class") == "bar"]
    np.testing.assert_allclose(np.array(heights) / heights[2], [0.25, 0.5, 1], atol=1e-3)


@pytest.mark.parametrize("weights", [[np.inf, 1, 2], [np.nan, 1, 2], [-1, -2, -3], [0, 0, 0],
                                     [np.inf, np.inf, np.inf]])
@pytest.mark.parametrize("bins", [3, 60])
def test_sums_that_make_no_bars(heddle, save, tmp_path, weights, bins):
    out = tmp_path / "h.svg"
    text = heddle.text("hist", "--bins", bins, save(np.arange(3.0)), "--svg", out,
                       "--weights", save(np.array(weights, np.float64), "w.npy"))
    assert "3 elements" in text and "-nan" not in text
    assert max(map(len, text.splitlines())) <= 80
    for number in re.findall(r' (?:x|y|width|height)="([^"]*)"', out.read_text()):
        assert np.isfinite(float(number))


@pytest.mark.parametrize("bins", [5, 80])
def test_infinite_and_undefined_sums_are_told_apart(heddle, save, tmp_path, bins):
    """An infinity's bar was as long as that of the greatest sum, and all shares were 0.0%."""
    out = tmp_path / "h.svg"
    weights = np.array([np.inf, 1, 8, np.nan, 4])
    lines = heddle.text("hist", "--bins", bins, save(np.arange(5.0)), "--svg", out, "--weights",
                        save(weights, "w.npy")).splitlines()
    assert lines[-1] == "5 elements, 1 bin of inf, 1 bin of nan"
    assert "%" not in "".join(lines)
    heights = [float(node.get("height")) for node in svg(out).iter() if node.get("class") == "bar"]
    heights = [h for h in heights if h > 0]
    assert heights[0] == max(heights)
    np.testing.assert_allclose(np.array(heights) / heights[0], [1, .75 / 8, .75, .75 / 2], atol=1e-3)
    if bins == 5:
        full = [line.count("█") for line in lines[:5]]
        assert lines[0].endswith("█>") and full[0] + 1 == max(full) + 1 and full[3] == 0
        assert abs(full[2] - 0.75 * full[0]) < 2 and abs(full[4] - full[2] / 2) < 2
        ascii = heddle.text("hist", "--bins", bins, "--ascii", save(np.arange(5.0)), "--weights",
                            save(weights, "w.npy")).splitlines()
        assert ascii[0].endswith("#>")
    else:
        assert lines[0].split()[0] == "inf" and [line.count("█") for line in lines[:4]] == [1, 1, 1, 2]


@pytest.mark.parametrize("columns", [20, 24, 30, 48])
@pytest.mark.parametrize("args", [["--bins", 5], ["--bins", 300], ["--integer"], ["--log"],
                                  ["--density"], ["--bins", 7, "--range", 0, 1]])
def test_narrow_terminals(heddle, save, columns, args):
    x = 100 * np.abs(np.random.default_rng(0).standard_normal(5000)).round(2)
    x[:3] = np.nan
    for more in ([], ["--ascii"]):
        text = heddle.text("hist", *args, *more, "-q", save(x), env={"COLUMNS": str(columns)})
        assert max(map(len, text.splitlines())) <= columns
        assert "5000 elements" in text


def test_empty_svg(heddle, save, tmp_path):
    out = tmp_path / "h.svg"
    heddle("hist", "--svg", out, save(np.array([])))
    svg(out)


def test_progress_while_types_are_found(heddle, tmp_path):
    path = tmp_path / "t.txt"
    path.write_text("1234567\n" * 300_000 + "x\n")
    asked = ("convert", "--out-type", "i32", path, "-o", tmp_path / "o.npy")
    done = heddle(*asked, "--progress", "always", code=1)
    assert b" MiB of " in done.stderr and done.stderr.split(b"\r\x1b[K")[-1].startswith(b"heddle: ")
    assert b"\x1b" not in heddle(*asked, code=1).stderr + heddle(*asked, "-q", "--progress", "always", code=1).stderr


def test_progress(heddle, save, tmp_path):
    path = save(np.zeros(3_000_000))
    noisy = heddle("sum", "--progress", "always", "--no-map", path)
    assert b"MiB" in noisy.stderr and b"%" in noisy.stderr
    assert noisy.stderr.endswith(b"\r\x1b[K") and noisy.stdout == b"0\n"
    assert heddle("sum", path).stderr == b""
    assert heddle("sum", "--progress", "always", "-q", path).stderr == b""
    assert "MiB" not in on_terminal(heddle, ["sum", path], 80)  # done within a second

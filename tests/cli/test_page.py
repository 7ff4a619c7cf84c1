"""heddle --html, -o x.html: the table of a page is what --csv writes; a picture where there is one; hostile names are text."""
import csv
import io
import pathlib
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import browser  # noqa: E402

HOSTILE = ['<script>alert(1)</script>', 'a"b\'&amp;', 'line\x1b[31m\x07', '</table><img src=x onerror=y>']
SHOWN = [name.replace("\x1b", "\ufffd").replace("\x07", "\ufffd") for name in HOSTILE]
COMMANDS = [("hist", "-c", "2,3"), ("hist2d", "-c", "2,3", "--bins", 3), ("ecdf", "-c", 2), ("box", "-c", 2, "--by", 1),
            ("describe",), ("group", "-k", 1, "sum:2", "first:1", "count")]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "goods <b>&.csv"
    with open(path, "w", newline="", encoding="utf-8") as out:
        rows = csv.writer(out)
        rows.writerow([HOSTILE[0], HOSTILE[3], "x", HOSTILE[2]])
        rows.writerows([HOSTILE[i % 4], i * i / 7, i % 5, i] for i in range(40))
    return path


def clean(text):
    return text.replace("\x1b", "\ufffd").replace("\x07", "\ufffd").replace("\n", " ")


@pytest.mark.parametrize("args", COMMANDS, ids=lambda a: a[0])
def test_table_is_that_of_csv(heddle, table, tmp_path, args):
    page = tmp_path / "p.html"
    assert heddle.text(*args, table, "-o", page) == ""
    text = page.read_text(encoding="utf-8")
    root = browser.Reader(text).root
    rows = list(csv.reader(io.StringIO(heddle.text(*args, "--csv", table), newline="")))
    got = [[cell.text() for cell in row.children] for row in root.one("table").all("tr")]
    assert got == [[clean(cell) for cell in row] for row in rows]
    assert not [c for c in text if ord(c) < 32 and c != "\n"]
    tags = {element.tag for element in root.all()}
    assert not tags & {"script", "img", "b", "link", "iframe"}
    assert ("svg" in tags) == (args[0] != "group")
    assert "goods <b>&.csv" in root.one("h1").text() and "goods <b>&.csv" in root.one("code").text()
    if args[0] == "group":
        assert {cell.text() for cell in root.all("td")} >= set(SHOWN)
    heddle(*args, table, "--html", page)
    assert browser.Reader(page.read_text(encoding="utf-8")).root.one("h1").text() == root.one("h1").text()


def test_small_histograms_of_columns(heddle, tmp_path):
    path, page = tmp_path / "t.csv", tmp_path / "p.html"
    values = np.random.default_rng(1).gamma(2, 10, 500)
    rows = [f"{v!r},word,{'' if i % 3 else 5},{'inf' if i == 7 else 1}" for i, v in enumerate(values.tolist())]
    path.write_text("\n".join(["a,b,c,d", *rows, ""]))
    for args, stdin in (([path], b""), ([], path.read_bytes())):
        heddle("describe", *args, "--html", page, stdin=stdin)
        figures = list(browser.Reader(page.read_text()).root.all("figure"))
        assert [f.one("figcaption").text() for f in figures] == ["a", "c"]  # text and infinities have none
        for figure, column in zip(figures, (values, np.full(167, 5.0))):
            got = [int(rect.text().split(": ")[1]) for rect in figure.all("rect")]
            lo, hi = (column.min(), column.max()) if column.min() < column.max() else (4.5, 5.5)
            assert got == np.histogram(column, 30, (lo, hi))[0].tolist()


def test_page_is_well_formed_and_stands_alone(heddle, table, tmp_path):
    page = tmp_path / "p.html"
    heddle("hist", "-c", "2,3", "--title", HOSTILE[0], table, "--html", page)
    text = page.read_text(encoding="utf-8")
    body = text[text.index("<body>"):text.index("</html>")]
    ET.fromstring(body)  # every element is closed, every character escaped
    root = browser.open_page(page)
    assert root.one("h1").text() == HOSTILE[0]
    assert {cell.text() for cell in root.all("td")} >= {HOSTILE[3], "x"}
    assert all(cell["scope"] == "col" for cell in root.all("th"))


def test_words_are_quoted_for_a_shell(heddle, table, tmp_path):
    page, long = tmp_path / "p.html", "\u00e9" * 100
    heddle("hist", "-c", 2, "--title", f"it's {long}", table, "--html", page)
    code = browser.Reader(page.read_text(encoding="utf-8")).root.one("code").text()
    assert f"'it'\\''s {long}'" in code


def test_refusals(heddle, table, tmp_path):
    page = tmp_path / "p.html"
    page.write_text("kept")
    for args, said in (((*COMMANDS[0], "--html", tmp_path / "x.txt"), "ends in .html"),
                       ((*COMMANDS[0], "--html", page, "-o", tmp_path / "y"), "leave one out"),
                       ((*COMMANDS[5], "--json", "--html", page), "--json"),
                       (("sum", "-c", 2, "-o", page), "does not write")):
        assert said in heddle.error(*args, table, code=2)
    assert heddle.error("hist", "-c", "none", "-o", page, table, code=2)
    assert page.read_text() == "kept"
    assert heddle.text("group", "-k", 1, "count", table, "--html", "-").startswith("<!DOCTYPE html>")

"""heddle ladder --html: the page, opened in a browser, has every rung, its source, its figures,
what the checker found, and its picture; and the figures are those of --json.
"""
import json
import re
import sys

import pytest

from conftest import LADDER, ROOT

sys.path.insert(0, str(ROOT / "tests"))
import browser  # noqa: E402

FAMILY = "pictures"


@pytest.fixture(scope="module")
def report(ladder_tool, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    done = ladder_tool(FAMILY, "--size", 128, "--html", path, "--json",
                       "--out", path.parent / "out")
    return browser.open_page(path), json.loads(done.stdout)


def sections(page):
    return {section["data-rung"].split("/")[1]: section
            for section in page.all("section", data_rung=True)}


def test_every_rung_is_there(report):
    page, found = report
    names = [rung["name"] for rung in found["rungs"]]
    assert list(sections(page)) == names
    assert page.one("p", id="outcomes").text() == "2 right, 1 caught, 0 wrong"
    for rung, section in zip(found["rungs"], sections(page).values()):
        assert section.one("h3").text() == f"{FAMILY} {rung['name'][:2]}: {rung['title']}"
        assert [term.text() for term in section.one("dl").all("dt")][:4] == [
            "Idea", "Cost", "Shows", "Source"]
        row = page.one("tr", data_rung=f"{FAMILY}/{rung['name']}")
        assert row.one("td", data_figure="outcome").text() == rung["outcome"]


def test_figures_are_those_of_the_json(report):
    page, found = report
    for rung in found["rungs"]:
        cells = page.one("tr", data_rung=f"{FAMILY}/{rung['name']}").figures()
        profile = rung["profile"]
        names = {"efficiency": "efficiency", "sectors": "sectors", "ideal": "ideal_per_request",
                 "sectors-a-request": "sectors_per_request", "degree": "bank_conflict_degree"}
        for name, key in names.items():
            if profile[key]:
                assert cells[name][0] == pytest.approx(profile[key]), (rung["name"], name)
            else:
                assert name not in cells, (rung["name"], name)
        assert cells["steps"][0] == rung["said"]["steps"]
        assert cells["barriers"][0] == rung["barriers"]


def test_sources_with_figures_beside(report):
    page, found = report
    for rung, section in zip(found["rungs"], sections(page).values()):
        path = LADDER / FAMILY / f"{rung['name']}.cu"
        text = path.read_text().splitlines()
        table = section.one("table", id=f"{FAMILY}-{rung['name'][:2]}")
        rows = {int(row["data-line"]): row for row in table.all("tr", data_line=True)}
        begin = next(n for n, line in enumerate(text, 1) if line.startswith("#include"))
        assert set(rows) >= set(range(begin, len(text) + 1))
        for number, row in rows.items():
            assert row.one("td", class_="code").text() == text[number - 1]
        assert any("efficiency" in row.figures() for row in rows.values())
        assert sum(row.figures().get("share", (0, ""))[0] for row in rows.values()) > 0.5


def test_bitmap_has_8_way_conflicts(report):
    page, found = report
    text = (LADDER / FAMILY / "02_tiles.cu").read_text().splitlines()
    line = next(n for n, words in enumerate(text, 1) if re.match(r"  tile\[", words))
    row = sections(page)["02_tiles"].one("table", id=f"{FAMILY}-02").one("tr", data_line=str(line))
    assert row.figures()["degree"] == (8.0, "8.0")
    assert found["rungs"][1]["profile"]["bank_conflict_worst"] == 8


def test_finding_stands_with_its_lines(report):
    page, found = report
    section = sections(page)["03_bug_tiles"]
    rung = found["rungs"][2]
    finding = section.one("div", class_="finding")
    assert finding["data-class"] == "race" == rung["findings"][0]["class"]
    marked = {int(row["data-line"]) for row in section.all("tr", class_="marked")}
    text = (LADDER / FAMILY / "03_bug_tiles.cu").read_text().splitlines()
    assert marked == {n for n, line in enumerate(text, 1) if re.match(r"\s.*/\* BUG", line)}
    links = {link["href"] for link in finding.all("a")}
    assert links == {f"#{FAMILY}-03-{line}" for line in marked}
    for name in ("01_ripple", "02_tiles"):
        assert "The checker finds nothing." in sections(page)[name].text()


def test_pictures_are_inside(report):
    page, _ = report
    for section in sections(page).values():
        image = section.one("img")
        assert image["src"].startswith("data:image/png;base64,") and image["alt"]
        assert len(image["src"]) > 1000


def test_tables_have_heads_and_the_legend_is_there(report):
    page, _ = report
    for table in page.all("table"):
        assert all(head["scope"] in ("col", "colgroup") for head in table.one("thead").all("th"))
    assert "SIMT efficiency" in page.text()

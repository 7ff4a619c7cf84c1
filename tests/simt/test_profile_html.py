"""heddle-profile --html: the page, opened in a browser, says what --json says.

The programs have figures that can be worked out by hand; one has a name and comments that would
break a page whose text is not escaped.
"""
import json
import re
import subprocess
import sys

import pytest

from conftest import ROOT, find_run

sys.path.insert(0, str(ROOT / "tests"))
import browser  # noqa: E402

FIGURES = r"""#include <cstdio>
__global__ void transpose(const float *in, float *out) {
  out[threadIdx.x * 32 + threadIdx.y] = in[threadIdx.y * 32 + threadIdx.x];
}
__global__ void shared_column(float *out) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][threadIdx.y] = 1;
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.y][threadIdx.x];
}
__global__ void one_counter(unsigned *bins) {
  atomicAdd(&bins[0], 1u);
}
int main() {
  float *a, *b;
  unsigned *bins;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  cudaMalloc(&bins, 4);
  cudaMemset(a, 0, 4096);
  cudaMemset(bins, 0, 4);
  transpose<<<1, dim3(32, 32)>>>(a, b);
  shared_column<<<1, dim3(32, 32)>>>(b);
  one_counter<<<2, 64>>>(bins);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
  cudaFree(bins);
}
"""

# Everything that must not reach the page as markup, or break its encoding.
NASTY = (b"""__global__ void k(int *out) {
  // </script></td></table><img src=x onerror=alert(1)> &amp; &#60; "double" 'single'
  // control \x01\x02\x1b[31m\x7f, invalid \xff\xfe\xc0\xaf\xed\xa0\x80\xf5, cut \xe2\x82
  // turned \xe2\x80\xae right \xe2\x81\xa6 and \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80
  out[threadIdx.x] = 1;\r
}
int main() {
  int *out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
""")


def profile(source, folder, environment, *options):
    tool = find_run().parent / "heddle-profile"
    path, report = folder / "page.html", folder / "report.json"
    done = subprocess.run([tool, "--json", "--output", report, "--html", path, *options,
                           source.name],
                          capture_output=True, text=True, errors="replace", timeout=120,
                          cwd=folder, env=environment)
    assert done.returncode == 0, done.stderr
    return browser.open_page(path), json.loads(report.read_text(encoding="utf-8")), path


@pytest.fixture(scope="module")
def figures(tmp_path_factory, simt_environment):
    folder = tmp_path_factory.mktemp("figures")
    source = folder / "figures.cu"
    source.write_text(FIGURES)
    return profile(source, folder, simt_environment)


def close(cell, value):
    """The cell's value, and the figure that is shown, are `value`."""
    exact, shown = cell
    scale = 100 if shown.endswith("%") else 1
    number = float(shown.rstrip("%").replace(",", ""))
    return exact == pytest.approx(value) and abs(number - scale * value) <= 0.0500001


def same(cells, name, value):
    if value is None:
        assert name not in cells, (name, cells)
    else:
        assert name in cells and close(cells[name], value), (name, value, cells.get(name))


def compare(cells, found):
    """The cells of a row are the figures of a kernel or a line of the JSON."""
    memory = found["global"] or {}, found["shared"] or {}, found["atomics"] or {}
    same(cells, "efficiency", found["efficiency"])
    same(cells, "sectors", memory[0].get("sectors_per_request"))
    same(cells, "ideal", memory[0].get("ideal_per_request"))
    same(cells, "degree", memory[1].get("degree"))
    same(cells, "contention", memory[2].get("contention"))


def test_kernels_are_those_of_the_json(figures):
    page, report, _ = figures
    assert [k["name"] for k in report["kernels"]] == ["transpose", "shared_column", "one_counter"]
    for number, kernel in enumerate(report["kernels"], 1):
        row = page.one("tr", id=f"kernel-{number}")
        cells = row.figures()
        assert row.one("a").text() == kernel["name"]
        compare(cells, kernel)
        for name in ("launches", "threads", "steps", "work", "barriers"):
            assert close(cells[name], kernel[name]), name
        assert close(cells["occupancy"], kernel["occupancy"]["percent"] / 100)
        assert row.one("td", data_figure="limit").text() == kernel["occupancy"]["limit"]
    total = page.one("tr", id="total").figures()
    assert close(total["work"], sum(k["work"] for k in report["kernels"]))
    assert close(total["launches"], 3)


def test_lines_are_those_of_the_json(figures):
    page, report, _ = figures
    text = FIGURES.splitlines()
    for number, kernel in enumerate(report["kernels"], 1):
        section = page.one("section", id=f"k{number}")
        rows = {int(row["data-line"]): row for row in section.all("tr", data_line=True)}
        with_figures = {line for line, row in rows.items() if row.figures()}
        assert with_figures == {line["line"] for line in kernel["lines"]}
        for line in kernel["lines"]:
            cells = rows[line["line"]].figures()
            compare(cells, line)
            assert close(cells["executions"], line["executions"])
            if line["barriers"]:
                assert close(cells["barriers"], line["barriers"])
        for line, row in rows.items():
            assert row.one("td", class_="code").text() == text[line - 1]
            assert row.one("th").text() == str(line)


def test_figures_worked_out_by_hand(figures):
    page = figures[0]
    first, second, third = (page.one("section", id=f"k{n}") for n in (1, 2, 3))

    def row(section, line):
        return next(section.all("tr", data_line=str(line))).figures()
    # Line 3 loads 32 neighbouring floats (4 sectors) and stores 32 far apart (32 sectors).
    assert row(first, 3)["sectors"] == (18.0, "18.0")
    assert row(first, 3)["ideal"] == (4.0, "4.0")
    assert row(second, 7)["degree"] == (32.0, "32.0")
    assert row(second, 7)["degree-worst"] == (32.0, "32")
    assert row(second, 9)["degree"] == (1.0, "1.0")
    assert row(third, 12)["contention"] == (32.0, "32.0")
    assert page.one("tr", id="kernel-2").figures()["barriers"] == (1.0, "1")
    # 1,024 threads of 32 registers: two blocks fill the 64 warps of an H200's multiprocessor.
    assert page.one("tr", id="kernel-1").figures()["occupancy"] == (1.0, "100.0%")


def test_page_says_what_it_is(figures):
    page, report, _ = figures
    assert page.one("title").text() == f"Profile of {report['program']}"
    assert page.one("p", id="note").text() == report["note"]
    words = page.one("dl").text()
    for term in ("efficiency", "steps", "work", "sectors", "bank", "atomics", "occupancy"):
        assert term in words
    assert page.one("html")["lang"] == "en"
    for table in page.all("table"):
        heads = [h for h in table.one("thead").all("th")]
        assert heads and all(h["scope"] in ("col", "colgroup") for h in heads)
    assert page.one("meta", name="color-scheme")["content"] == "light dark"


def test_hostile_text(tmp_path, simt_environment):
    source = tmp_path / "we<b>ird & 'n'.cu"
    source.write_bytes(NASTY)
    page, report, _ = profile(source, tmp_path, simt_environment)
    assert page.one("title").text() == f"Profile of {source.name}"
    assert page.one("h1").text() == f"Profile of {source.name}"
    assert not list(page.all("img")) and not list(page.all("b"))
    rows = {int(row["data-line"]): row.one("td", class_="code").text()
            for row in page.one("section", id="k1").all("tr", data_line=True)}
    assert rows[2] == NASTY.splitlines()[1].decode()
    bad = "\ufffd"
    assert rows[3] == ("  // control \u2401\u2402\u241b[31m\u2421, invalid "
                       + bad * 8 + ", cut " + bad * 2)
    assert rows[4] == "  // turned [U+202E] right [U+2066] and \u00e9 \u20ac \U0001f600"
    assert rows[5] == "  out[threadIdx.x] = 1;"
    assert close(page.one("tr", data_line="5").figures()["sectors"], 4)


def test_source_that_is_gone(tmp_path, simt_environment):
    """Only the lines with figures are shown where the file cannot be read; here a kernel comes
    from a file that a #line names."""
    source = tmp_path / "gone.cu"
    source.write_text('#line 100 "elsewhere.cu"\n' + FIGURES.split("\n", 1)[1])
    page, report, _ = profile(source, tmp_path, simt_environment)
    rows = [int(row["data-line"]) for row in page.one("section", id="k1").all("tr", data_line=True)]
    assert rows == [line["line"] for line in report["kernels"][0]["lines"]] and rows[0] >= 100


def test_no_kernel(tmp_path, simt_environment):
    source = tmp_path / "none.cu"
    source.write_text("int main() {}\n")
    page, _, _ = profile(source, tmp_path, simt_environment)
    assert "No kernel was launched." in page.one("main").text()
    assert not list(page.all("table"))


def luminance(colour):
    """Relative luminance of #rgb or #rrggbb, as WCAG 2.2 defines it."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * c for c in colour[1:])
    parts = [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def test_colours_can_be_told_apart(figures):
    style = figures[0].one("style").text()
    palettes = re.findall(r":root\{([^}]*--ground[^}]*)\}", style)
    assert len(palettes) == 2  # light, dark
    for palette in palettes:
        colour = dict(re.findall(r"--(\w+):(#\w+)", palette))
        for ground in ("ground", "raised"):
            assert contrast(colour["text"], colour[ground]) >= 7
            for name in ("soft", "link", "good", "wrong"):
                assert contrast(colour[name], colour[ground]) >= 4.5, (name, ground)
        for bar in ("bar", "bad"):  # text stands on the bars too
            assert contrast(colour["text"], colour[bar]) >= 4.5, bar


def test_prints_and_has_two_colour_schemes(figures):
    path = figures[2]
    pdf = path.with_suffix(".pdf")
    browser.run(path, f"--print-to-pdf={pdf}")
    assert pdf.read_bytes()[:5] == b"%PDF-"
    shots = []
    for scheme in "01":
        shot = path.with_name(f"scheme{scheme}.png")
        browser.run(path, f"--blink-settings=preferredColorScheme={scheme}",
                    f"--screenshot={shot}", "--window-size=900,600")
        shots.append(shot.read_bytes())
    assert shots[0] != shots[1]

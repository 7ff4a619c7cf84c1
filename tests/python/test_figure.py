"""Pictures of histograms: XML that parses, bars where the edges are, no markup from outside."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import heddle as hd

SVG = "{http://www.w3.org/2000/svg}"


def drawn(h, title=None):
    picture = ET.fromstring(h.svg(title))
    assert picture.tag == f"{SVG}svg"
    return picture


def bars(picture):
    return [r for r in picture.iter(f"{SVG}rect") if r.get("class") == "bar"]


def texts(picture):
    return ["".join(t.itertext()) for t in picture.iter(f"{SVG}text")]


def test_bars_stand_between_edges_as_high_as_counts():
    h = hd.histogram([0.5, 1.5, 1.6, 3.0, 9.0, -1.0, np.nan], [0, 1, 2, 4], full=True)
    found = bars(drawn(h))
    assert [b.find(f"{SVG}title").text for b in found] == ["[0, 1): 1", "[1, 2): 2", "[2, 4]: 1"]
    height = [float(b.get("height")) for b in found]
    assert height[1] == 2 * height[0] == 2 * height[2] == 292
    left = [float(b.get("x")) for b in found]
    assert left[2] - left[1] == pytest.approx(left[1] - left[0], abs=0.02)
    width = [float(b.get("width")) for b in found]
    assert width[2] == pytest.approx(2 * width[0] + 1, abs=0.02)
    assert "7 elements, 1 below, 1 above, 1 NaN" in texts(drawn(h))


@pytest.mark.parametrize("title", ["<script>alert(1)</script>", "a & b",
                                   "\x00\x1b[1m\ud800\ufffe", '"\''])
def test_a_title_is_text_alone(title):
    picture = drawn(hd.histogram([1, 2], 2, full=True), title)
    assert not list(picture.iter(f"{SVG}script"))
    shown = re.sub("[\x00-\x1f\ud800-\udfff\ufffe\uffff]", " ", title)
    assert picture.find(f"{SVG}title").text == shown
    assert shown in texts(picture)


def test_many_bins_are_one_outline():
    x = np.random.default_rng(1).standard_normal(10000)
    for bins in (201, 1200, 1201, 100000):
        picture = drawn(hd.histogram(x, bins, full=True))
        assert not bars(picture)
        path = [p.get("d") for p in picture.iter(f"{SVG}path")]
        assert len(path) == 1 and 201 <= path[0].count("H") <= 1200
        assert path[0].endswith("V348Z") and "H736.00V" in path[0]


def test_edges_that_rise_by_a_ratio_stand_on_a_logarithmic_axis():
    h = hd.histogram(np.geomspace(1, 1e9, 100), np.geomspace(1, 1e9, 10), full=True)
    picture = drawn(h)
    width = {float(b.get("width")) for b in bars(picture)}
    assert max(width) - min(width) < 0.02
    assert "1" in texts(picture) and "109" in texts(picture)


@pytest.mark.parametrize("bins", [[-np.inf, 0, np.inf], [0, 1, np.inf], [2, 2], [1, 1, 2], [5], [],
                                  [-1.7e308, 0, 1.7e308], [1, 1 + 1e-15, 1 + 2e-15],
                                  [0, 5e-324, 1e-323], [1e300, 2e300]])
def test_odd_edges(bins):
    x = [0.0, 1.0, 2.0, 1e300, np.inf, np.nan]
    for density in (False, True):
        with np.errstate(all="ignore"):
            h = hd.histogram(x, bins, density=density, full=True)
        text = h.svg()
        ET.fromstring(text)
        assert 'nan"' not in text and "NaN\"" not in text and 'inf"' not in text
        assert len(bars(drawn(h))) == max(len(bins) - 1, 0)


@pytest.mark.parametrize("weights", [[1.0, -2.0, 3.0], [np.nan, np.inf, 1.0], [0.0] * 3,
                                     [1e-300] * 3, [1e300] * 3])
def test_odd_sums(weights):
    h = hd.histogram([1, 2, 3], 3, weights=weights, full=True)
    for bar in bars(drawn(h)):
        assert 0 <= float(bar.get("height")) <= 292
    assert "sums of weights" in texts(drawn(h))


def test_rules_of_style_touch_no_other_part_of_a_page():
    h = hd.histogram([1, 2], 2, full=True)
    assert h._repr_svg_() in h._repr_html_()
    style = re.search("<style>(.*)</style>", h._repr_html_()).group(1)
    style = style.replace("@media (prefers-color-scheme:dark){", "").replace("}}", "}")
    for rule in style.split("}"):
        assert not rule or rule.startswith("svg.heddle-histogram "), rule

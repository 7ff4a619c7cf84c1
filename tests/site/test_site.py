"""The documentation as a site: links, references against what they describe, pages in a browser.

The site is built once. Links are read from what was written, not by the code that wrote it.
"""
import ast
import html.parser
import importlib.util
import pathlib
import re
import subprocess
import sys

import pytest

import browser

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    out = tmp_path_factory.mktemp("site") / "pages"
    done = subprocess.run([sys.executable, ROOT / "docs/site/build.py", out], capture_output=True, text=True,
                          timeout=300)
    assert done.returncode == 0, done.stderr
    return out


class Links(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.targets = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids += [attributes["id"]] if "id" in attributes else []
        self.targets += [attributes[name] for name in ("href", "src") if name in attributes]


@pytest.fixture(scope="module")
def pages(site):
    return {path.name: Links(path.read_text(encoding="utf-8")) for path in sorted(site.glob("*.html"))}


def test_every_link_and_anchor_leads_somewhere_within_the_site(site, pages):
    assert len(pages) >= 20
    for name, page in pages.items():
        assert sorted(set(page.ids)) == sorted(page.ids), f"{name}: an id twice"
        for target in page.targets:
            if re.match(r"(https?|data):", target):
                continue
            path, _, anchor = target.partition("#")
            assert not path or (site / path).is_file(), f"{name}: {target}"
            if anchor:
                assert anchor in pages[path or name].ids, f"{name}: {target}"


def test_nothing_is_fetched_from_the_network(site, pages):
    for path in site.glob("*.html"):
        for tag in re.findall(r"<(?:script|link|img|iframe)\b[^>]*>", path.read_text(encoding="utf-8")):
            assert "://" not in tag, tag
    for name in ("style.css", "site.js"):
        assert not re.search(r"https?://|@import|url\(", (site / name).read_text(encoding="utf-8"))


def test_every_entry_of_the_header_is_in_the_reference(pages):
    exported = (ROOT / "tests/structure/abi.txt").read_text()
    names = re.findall(r"^(heddle_\w+)@@", exported, flags=re.M)
    assert len(names) > 50 and not set(names) - set(pages["c.html"].ids)


def test_every_public_name_of_the_package_is_in_the_reference(pages):
    names = {"heddle.histogram", "heddle.GroupBy.sum", "heddle.state.fsum", "heddle.torch.sum",
             "heddle.dask.sum"}
    for module in ("_reduce", "_sort", "_rank/quantiles", "_groups/unique"):
        tree = ast.parse((ROOT / f"python/heddle/{module}.py").read_text(encoding="utf-8"))
        names |= {f"heddle.{name}" for node in tree.body if isinstance(node, ast.Assign)
                  and node.targets[0].id == "__all__" for name in ast.literal_eval(node.value)}
    assert not names - set(pages["python-reference.html"].ids)


def test_every_document_is_a_page(pages):
    build_file = (ROOT / "docs/site/build.py").read_text(encoding="utf-8")
    assert not [path.name for path in (ROOT / "docs").glob("*.md") if f'"docs/{path.name}"' not in build_file]


@pytest.mark.parametrize("target, said", [("order.md#not-there", "page.html: order.html#not-there"),
                                          ("cuda.md#several-gpus", None), ("#here", None), ("#there", "#there"),
                                          ("absent.md", "docs/absent.md, which is no page")])
def test_a_link_that_leads_nowhere_ends_the_build(monkeypatch, target, said):
    monkeypatch.syspath_prepend(str(ROOT / "docs/site"))
    spec = importlib.util.spec_from_file_location("site_build", ROOT / "docs/site/build.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    some = made.Site(ROOT)
    some.python_names = set()
    source = ROOT / "docs/page.md"
    monkeypatch.setattr(made.pages.pathlib.Path, "read_text", lambda path, **_: (
        f"# Here\n\n[x]({target})\n" if path.name == "page.md" else "# Order\n\n## Several GPUs\n"))
    some.where["docs/page.md"] = "page.html"

    def check():
        for file, name in (("page.md", "page.html"), ("order.md", "order.html"), ("cuda.md", "cuda.html")):
            some.pages[name] = made.pages.from_markdown(source.with_name(file), name, some.link, some.known)
        some.check()

    if said is None:
        return check()
    with pytest.raises(SystemExit, match=re.escape(said)):
        check()


@pytest.mark.parametrize("page", ["index.html", "c.html", "heddle.1.html"])
def test_pages_in_a_browser_have_nothing_to_say(site, page):
    said, root = browser.log(site / page, "")
    assert not said and root.one("main").text().strip()
    assert not list(root.one(id="site-found").all("a"))


@pytest.mark.parametrize("words, best", [("heddle_histogram", "c.html#heddle_histogram"),
                                         ("nanquantile", "python-reference.html#heddle.nanquantile"),
                                         ("printf check barrier", None), ("zzzyx", "")])
def test_the_search_finds_a_place(site, pages, words, best):
    said, root = browser.log(site / "index.html", "?q=" + words.replace(" ", "+"))
    found = [link["href"] for link in root.one(id="site-found").all("a")]
    assert not said
    assert (found[0] == best) if best else bool(found) == (best is None)
    for target in found:
        path, _, anchor = target.partition("#")
        assert path in pages and (not anchor or anchor in pages[path].ids), target

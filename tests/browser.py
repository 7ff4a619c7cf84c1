"""A page as a browser has it, for the tests of what writes HTML.

Result   Page: the document after headless Chromium has loaded it, as elements with their
         attributes and texts; and that it fetches nothing
Method   --dump-dom, read back by html.parser. Without a browser the test is skipped, which under CI
         counts as a failure; ./check installs one
"""
import html.parser
import os
import pathlib
import shutil
import subprocess

import pytest

NAMES = ("chromium-headless-shell", "chromium", "google-chrome")
VOID = {"br", "img", "meta", "link", "input", "hr", "col"}
FETCHING = ("src", "srcset", "data", "action", "poster", "background")


class Element:
    def __init__(self, tag, attributes, parent):
        self.tag, self.attributes, self.parent = tag, dict(attributes), parent
        self.children, self.parts = [], []

    def text(self):
        return "".join(p if isinstance(p, str) else p.text() for p in self.parts)

    def __getitem__(self, name):
        return self.attributes.get(name)

    def all(self, tag=None, **attributes):
        """Every element below with this tag and these attributes; _ stands for a hyphen."""
        wanted = {name.strip("_").replace("_", "-"): value for name, value in attributes.items()}
        for child in self.children:
            if tag in (None, child.tag) and all(
                    child[n] == v if v is not True else child[n] is not None
                    for n, v in wanted.items()):
                yield child
            yield from child.all(tag, **attributes)

    def one(self, tag=None, **attributes):
        found = list(self.all(tag, **attributes))
        assert len(found) == 1, (tag, attributes, len(found))
        return found[0]

    def figures(self):
        """{name: (value, what is shown)} of the cells below."""
        return {cell["data-figure"]: (float(cell["data-value"]), cell.text())
                for cell in self.all("td", data_figure=True) if cell["data-value"] is not None}


class Reader(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.root = self.at = Element("", (), None)
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        element = Element(tag, attributes, self.at)
        self.at.children.append(element)
        self.at.parts.append(element)
        if tag not in VOID:
            self.at = element

    def handle_endtag(self, tag):
        while self.at.parent and self.at.tag != tag:
            self.at = self.at.parent
        self.at = self.at.parent or self.at

    def handle_data(self, data):
        self.at.parts.append(data)


def command():
    found = [path for path in map(shutil.which, NAMES) if path]
    if not found:
        pytest.skip(f"no browser: none of {', '.join(NAMES)}")
    return found[0]


def log(path, query):
    """What a page has said to its console, and its elements, after its scripts have run."""
    address = pathlib.Path(path).as_uri() + query
    done = subprocess.run([command(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                           "--enable-logging=stderr", "--virtual-time-budget=3000", "--dump-dom", address],
                          capture_output=True, timeout=120,
                          env={**os.environ, "HOME": str(pathlib.Path(path).parent)})
    said = done.stderr.decode(errors="replace")
    assert done.returncode == 0, said[-2000:]
    return [line for line in said.splitlines() if "CONSOLE" in line], Reader(done.stdout.decode("utf-8")).root


def run(path, *options, folder=None):
    environment = {**os.environ, "HOME": str(folder or pathlib.Path(path).parent)}
    done = subprocess.run([command(), "--headless", "--no-sandbox", "--disable-gpu",
                           "--disable-dev-shm-usage", *options, pathlib.Path(path).as_uri()],
                          capture_output=True, timeout=120, env=environment)
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-2000:]
    return done.stdout.decode("utf-8")


def open_page(path):
    """The document's root, once it is sure that the page stands alone."""
    root = Reader(run(path, "--dump-dom")).root
    for tag in ("script", "link", "iframe", "object", "embed", "base", "form"):
        assert not list(root.all(tag)), f"<{tag}>"
    for element in root.all():
        for name, value in element.attributes.items():
            assert not name.startswith("on"), (element.tag, name)
            if name in FETCHING:
                assert value.startswith("data:image/"), (element.tag, name, value[:80])
            if name == "href":
                assert value.startswith("#"), value
                assert any(True for _ in root.all(id=value[1:])), f"{value} leads nowhere"
    style = "".join(element.text() for element in root.all("style"))
    assert "url(" not in style and "@import" not in style
    policy = root.one("meta", http_equiv="Content-Security-Policy")["content"]
    assert policy.startswith("default-src 'none'")
    return root

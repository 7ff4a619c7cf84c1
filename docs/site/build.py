"""The documentation as a static site.

    python docs/site/build.py build/site

Result   the folder, made new: a page for each document, the references, the manual pages, the search
Errors   a link or an anchor between pages that leads nowhere ends the build, with the page and the target
Method   pages are read first and written when all are known, so that each can be linked to by each
"""
from __future__ import annotations

import html
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

import pygments.formatters

import c_reference
import command
import pages
import python_reference

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]

# Group, then (file of the tree, file of the site, name in the navigation).
DOCUMENTS = (
    ("Start", (("README.md", "index.html", "Heddle"), ("docs/install.md", "install.html", "Installing"))),
    ("Guides", (("docs/python.md", "python.html", "Python"), ("docs/cuda.md", "cuda.html", "NVIDIA GPUs"),
                ("docs/scale.md", "scale.html", "Many hosts"),
                ("docs/simt.md", "simt.html", "CUDA without a GPU"),
                ("docs/ci.md", "ci.html", "CUDA projects and their CI"),
                ("docs/ladder.md", "ladder.html", "The ladder, a course"))),
    ("How it works", (("docs/order.md", "order.html", "The order of floats"),
                      ("docs/histogram.md", "histogram.html", "Histograms"),
                      ("docs/performance.md", "performance.html", "Performance"))),
    ("Project", (("CHANGELOG.md", "changelog.html", "Changes"),
                 ("CONTRIBUTING.md", "contributing.html", "Contributing"),
                 ("conformance/README.md", "conformance.html", "Conformance kit"))),
)
HEADERS = (("include/heddle.h", "c.html", "heddle.h"), ("include/heddle_mpi.h", "mpi.html", "heddle_mpi.h"),
           ("include/heddle_nccl.h", "nccl.html", "heddle_nccl.h"))
SOURCES = (("include/heddle.f90", "fortran.html", "heddle.f90"), ("LICENSE", "license.html", "License"))
MANUALS = (("cli/heddle.1.scd", "heddle.1.html", "heddle(1)"),
           ("simt/tools/heddle-run.1.scd", "heddle-run.1.html", "heddle-run(1)"),
           ("simt/tools/heddle-cc.1.scd", "heddle-cc.1.html", "heddle-cc(1)"),
           ("simt/tools/heddle-check.1.scd", "heddle-check.1.html", "heddle-check(1)"),
           ("simt/tools/heddle-profile.1.scd", "heddle-profile.1.html", "heddle-profile(1)"))
PYTHON = ("python/heddle", "python-reference.html", "The package heddle")
PICTURES = {".png", ".svg", ".jpg", ".gif"}


def navigation() -> list[tuple[str, tuple]]:
    """Groups of the navigation, in their order."""
    reference = (*HEADERS, PYTHON, *MANUALS, SOURCES[0])
    return [*DOCUMENTS[:2], ("Reference", reference), *DOCUMENTS[2:3],
            ("Project", (*DOCUMENTS[3][1], SOURCES[1]))]


class Site:
    """The pages and pictures, and where each file of the tree has gone."""

    def __init__(self, root: pathlib.Path) -> None:
        self.root = root
        self.where = {file: name for _, files in navigation() for file, name, _ in files}
        self.pictures: dict[str, pathlib.Path] = {}
        self.pages: dict[str, pages.Page] = {}
        self.names: dict[str, str] = {}  # of C, to their addresses
        for file, name, _ in HEADERS:
            for _, code in (piece for paragraph in c_reference.paragraphs(self.read(file))
                            for piece in c_reference.pieces(paragraph) if piece[0] == "code"):
                for found in c_reference.names(code):
                    self.names.setdefault(found, f"{name}#{found}")

    def read(self, file: str) -> str:
        return (self.root / file).read_text(encoding="utf-8")

    def link(self, target: pathlib.Path, fragment: str) -> str:
        """The address of a file of the tree; a picture is taken along."""
        file = os.path.relpath(target, self.root)
        if target.suffix in PICTURES and target.is_file():
            self.pictures[target.name] = target
            return target.name
        if file not in self.where:
            raise SystemExit(f"docs/site: a link leads to {file}, which is no page of the site; "
                             f"add it to build.py, or take the link away")
        return self.where[file] + (f"#{fragment}" if fragment else "")

    def known(self, code: str) -> str | None:
        """Where a name in running text is described, if it is one of the library's or the package's."""
        if code in self.names:
            return self.names[code]
        python = re.fullmatch(r"(?:hd|heddle)\.([\w.]+)(?:\(.*\))?", code)
        at = python and f"heddle.{python[1]}"
        return f"{PYTHON[1]}#{at}" if at in self.python_names else None

    def linked(self, markup: str) -> str:
        """Escaped text or coloured code, with links at the names of the library."""
        return re.sub(r"\b(?:heddle_\w+|HEDDLE_\w+)\b", lambda m: (
            f'<a href="{self.names[m[0]]}">{m[0]}</a>' if m[0] in self.names else m[0]), markup)

    def gather(self) -> None:
        reference = python_reference.reference(self.root / PYTHON[0], PYTHON[1], PYTHON[2])
        self.python_names = {at for at, _, _ in reference.sections}
        self.pages[PYTHON[1]] = reference
        for _, files in DOCUMENTS:
            for file, name, _ in files:
                self.pages[name] = pages.from_markdown(self.root / file, name, self.link, self.known)
        for file, name, title in HEADERS:
            self.pages[name] = c_reference.reference(self.root / file, name, title, self.linked)
        for file, name, title in SOURCES:
            self.pages[name] = c_reference.source_page(self.root / file, name, title)
        for file, name, title in MANUALS:
            self.pages[name] = command.manual(self.root / file, name, title)

    def check(self) -> None:
        """Every link of every page leads to a page and an anchor that there is."""
        ids = {name: set(re.findall(r'\bid="([^"]+)"', page.body)) for name, page in self.pages.items()}
        dead = []
        for name, page in self.pages.items():
            for target in re.findall(r'\bhref="([^"]+)"', page.body):
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, fragment = html.unescape(target).partition("#")
                if (path or name) not in ids or (fragment and fragment not in ids[path or name]):
                    dead.append(f"{name}: {target}")
        if dead:
            raise SystemExit("docs/site: links that lead nowhere:\n" + "\n".join(sorted(set(dead))))

    def write(self, out: pathlib.Path) -> None:
        for name, page in self.pages.items():
            (out / name).write_text(frame(page), encoding="utf-8")
        for name, path in self.pictures.items():
            shutil.copyfile(path, out / name)
        shutil.copyfile(HERE / "site.js", out / "site.js")
        (out / "style.css").write_text((HERE / "style.css").read_text(encoding="utf-8") + colours(),
                                       encoding="utf-8")
        titles = {name: title for _, files in navigation() for _, name, title in files}
        index = [[titles[name], heading, name + (f"#{at}" if at else ""),
                  " ".join(re.sub(r"-{3,}", "", text).split())]
                 for name, page in self.pages.items() for at, heading, text in page.sections
                 if heading or text]
        (out / "index.js").write_text(f"window.siteIndex = {json.dumps(index, ensure_ascii=False)};\n",
                                      encoding="utf-8")


def colours() -> str:
    """Of code, in light and in dark."""
    light = pygments.formatters.HtmlFormatter(style="default").get_style_defs("pre")
    dark = pygments.formatters.HtmlFormatter(style="github-dark").get_style_defs("pre")
    own = re.compile(r"^pre \.\w+ \{.*$", re.M)  # not the backgrounds of the whole
    return "\n".join([*own.findall(light), "@media (prefers-color-scheme: dark) {", *own.findall(dark), "}\n"])


def menu(page: pages.Page) -> str:
    """The navigation, with the page's own parts below its name."""
    out = []
    for group, files in navigation():
        out.append(f"<p>{group}</p><ul>")
        for _, name, title in files:
            here = ' aria-current="page"' if name == page.name else ""
            out.append(f'<li><a href="{name}"{here}>{html.escape(title)}</a>')
            parts = [h for h in page.headings if h[0] == 2] if here else []
            if parts:
                out.append("<ul>" + "".join(f'<li><a href="#{at}">{html.escape(text)}</a></li>'
                                            for _, at, text in parts) + "</ul>")
            out.append("</li>")
        out.append("</ul>")
    return "".join(out)


def frame(page: pages.Page) -> str:
    title = html.escape(page.title if page.name == "index.html" else f"{page.title} · Heddle")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css">
<script src="site.js" defer></script>
</head>
<body>
<header>
<a class="name" href="index.html">Heddle</a>
<button id="site-open" aria-expanded="false" aria-controls="site-menu">Contents</button>
<input id="site-search" type="search" placeholder="Search  /" autocomplete="off"
 aria-label="Search the documentation">
</header>
<div id="site-found" role="status" hidden></div>
<div class="columns">
<nav id="site-menu" aria-label="Pages">{menu(page)}</nav>
<main>
{page.body}</main>
</div>
</body>
</html>
"""


def build(out: pathlib.Path, root: pathlib.Path = ROOT) -> None:
    site = Site(root)
    site.gather()
    site.check()
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent) as made:
        site.write(pathlib.Path(made))
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(made, out)
    os.chmod(out, 0o755)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: build.py FOLDER")
    build(pathlib.Path(sys.argv[1]))

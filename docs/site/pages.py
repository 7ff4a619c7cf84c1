"""A page of the site: Markdown as HTML, with anchors, links between pages and coloured code.

Result   Page: its HTML, its headings as (level, anchor, text), and its sections for the search
Method   markdown-it-py reads CommonMark with tables; Pygments colours code
"""
from __future__ import annotations

import html
import os
import pathlib
import re
from typing import Callable

import markdown_it
import markdown_it.token
import pygments
import pygments.formatters
import pygments.lexers
import pygments.util

FORMATTER = pygments.formatters.HtmlFormatter(nowrap=True)
LEXERS = {"cuda": "cuda", "cu": "cuda", "console": "console", "python": "python", "c": "c", "c++": "cpp",
          "cmake": "cmake", "fortran": "fortran", "f90": "fortran", "h": "c", "sh": "sh"}


class Page:
    """What is written into one file of the site."""

    def __init__(self, name: str, title: str, body: str = "") -> None:
        self.name, self.title, self.body = name, title, body
        self.headings: list[tuple[int, str, str]] = []
        self.sections: list[tuple[str, str, str]] = []  # anchor, heading, text


def colour(code: str, language: str) -> str:
    """Code as HTML; in a language that nobody colours, as it is."""
    try:
        lexer = pygments.lexers.get_lexer_by_name(LEXERS.get(language, language or "text"), stripnl=False)
    except pygments.util.ClassNotFound:
        return html.escape(code)
    return pygments.highlight(code, lexer, FORMATTER)


def block(code: str, language: str) -> str:
    return f'<pre tabindex="0"><code>{colour(code, language)}</code></pre>\n'


def anchor(text: str, taken: set[str]) -> str:
    """The name that GitHub gives a heading."""
    plain = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") or "section"
    name, number = plain, 0
    while name in taken:
        number += 1
        name = f"{plain}-{number}"
    taken.add(name)
    return name


def heading(level: int, name: str, inner: str) -> str:
    return f'<h{level} id="{name}"><a class="here" href="#{name}">{inner}</a></h{level}>\n'


def plain(tokens: list) -> str:
    return "".join(child.content if child.type in ("text", "code_inline") else
                   " " if child.type.endswith("break") else "" for child in tokens or ())


def from_markdown(source: pathlib.Path, name: str, link: Callable[[pathlib.Path, str], str],
                  known: Callable[[str], str | None]) -> Page:
    """The page of a Markdown file. `link` gives a target's address, `known` that of a name in code."""
    parser = markdown_it.MarkdownIt("commonmark", {"html": True}).enable(["table"])
    tokens = parser.parse(source.read_text(encoding="utf-8"))
    page, taken, out, text = Page(name, ""), set(), [], []
    options, inside = parser.options, False
    here = ("", "", text)
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            inner, level = tokens[index + 1], int(token.tag[1])
            title = plain(inner.children)
            at = anchor(title, taken)
            page.sections.append((here[0], here[1], " ".join(here[2])))
            here = (at, title, [])
            page.title = page.title or title
            page.headings.append((level, at, title))
            rendered = parser.renderer.renderInline(inner.children, options, {})
            # A heading that is a link itself is not put into another.
            out.append(heading(level, at, re.sub(r"</?a\b[^>]*>", "", rendered)))
            inside = True
        elif token.type == "heading_close":
            inside = False
        elif token.type in ("fence", "code_block"):
            here[2].append(token.content)
            out.append(block(token.content, (token.info or "").strip().split(" ")[0]))
        elif token.type == "table_open":
            out.append('<div class="wide" tabindex="0"><table>\n')
        elif token.type == "table_close":
            out.append("</table></div>\n")
        elif token.type == "inline" and not inside:
            here[2].append(plain(token.children))
            out.append(inline(parser, token, source, link, known))
        elif token.type != "inline" and not (token.type == "html_block" and token.content.startswith("<!--")):
            out.append(parser.renderer.render([token], options, {}))
    page.sections.append((here[0], here[1], " ".join(here[2])))
    page.body = "".join(out)
    return page


def inline(parser: markdown_it.MarkdownIt, token: markdown_it.token.Token, source: pathlib.Path,
           link: Callable, known: Callable) -> str:
    linked = 0
    for child in token.children:
        for key in ("href", "src"):
            target = child.attrGet(key)
            if target and "://" not in target:
                path, _, fragment = target.partition("#")
                file = pathlib.Path(os.path.normpath(source.parent / path)) if path else source
                child.attrSet(key, link(file, fragment))
        linked += {"link_open": 1, "link_close": -1}.get(child.type, 0)
        if child.type == "code_inline" and not linked and (to := known(child.content)):
            child.type, child.tag = "html_inline", ""
            child.content = f'<a href="{html.escape(to)}"><code>{html.escape(child.content)}</code></a>'
        elif child.type == "image":
            child.attrSet("loading", "lazy")
    return parser.renderer.renderInline(token.children, parser.options, {})

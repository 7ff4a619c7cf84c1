"""The reference of the C interface, from the comments of its headers; and other sources as pages.

Result   a Page a header: each paragraph of it is an entry, its comment as text, its declarations as code,
         each name with an anchor of its own
Method   a paragraph is what stands between blank lines outside of comments; the labels of a comment
         (Result, Arguments, Errors, ...) begin in its first column with an upper-case letter
"""
from __future__ import annotations

import html
import pathlib
import re
from typing import Callable

import pages

SECTION = re.compile(r"/\* -{3,} (.*?) -{3,} \*/")
LABEL = re.compile(r"^([A-Z][a-z]+) {1,}(?=\S)")
LABELS = {"Result", "Arguments", "Errors", "Overlap", "Order", "Cost", "Threads", "Source", "Status", "Counts",
          "Memory", "Types", "Options", "Calls", "Ranks", "Method", "Scratch", "Names", "Use", "Devices"}
DECLARED = re.compile(r"\b(heddle_\w+)\(|^(?:typedef )?(?:struct|enum|union) (heddle_\w+)|^\} (heddle_\w+);"
                      r"|^typedef [^;{]*?\(?\*?\b(heddle_\w+)\)?(?:\(|;)|^#define (HEDDLE_\w+)"
                      r"|^ +(HEDDLE_\w+)(?= = )", re.M)


def paragraphs(text: str) -> list[str]:
    """The header in pieces that blank lines part; those within comments and structs part nothing."""
    found, now, comment, depth = [], [], False, 0
    for line in text.splitlines():
        if not line.strip() and not comment and depth == 0:
            if now:
                found.append("\n".join(now))
            now = []
            continue
        now.append(line)
        code = re.sub(r"/\*.*?\*/", "", line) if not comment else line
        if comment and "*/" in code:
            comment, code = False, code.split("*/", 1)[1]
        if not comment and "/*" in code:
            comment, code = True, code.split("/*", 1)[0]
        if not comment:
            depth += code.count("{") - code.count("}") if 'extern "C"' not in code else 0
            depth = max(depth, 0)
    return found + (["\n".join(now)] if now else [])


def pieces(paragraph: str) -> list[tuple[str, str]]:
    """("comment" or "code", text), in order; a comment behind code belongs to the code."""
    found, rest = [], paragraph
    while rest:
        at = re.search(r"^/\*(.*?)\*/[ \t]*$\n?", rest, re.M | re.S)
        if not at:
            found.append(("code", rest))
            break
        if rest[:at.start()].strip():
            found.append(("code", rest[:at.start()]))
        lines = [re.sub(r"^ \* ?", "", line) for line in at.group(1).strip().splitlines()]
        found.append(("comment", "\n".join(lines).strip()))
        rest = rest[at.end():]
    return [(kind, text.strip("\n")) for kind, text in found if text.strip()]


def names(code: str) -> list[str]:
    """What a piece of code declares."""
    code = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), code, flags=re.S)
    code = re.sub(r"\)\s*\{.*?^\}", ")", code, flags=re.S | re.M)  # what functions call, they do not declare
    found = [next(filter(None, match.groups())) for match in DECLARED.finditer(code)]
    return [name for name in dict.fromkeys(found) if name not in ("HEDDLE_API", "HEDDLE_MUST_CHECK")
            and not re.fullmatch(r"HEDDLE_(?:\w+_)?H", name)]


def prose(comment: str, linked: Callable[[str], str]) -> str:
    """A comment: what stands before the labels as it is broken, each label with its text beside it."""
    out, label, lines = [], "", []

    def end() -> None:
        if not lines:
            return
        indents = [len(x) - len(x.lstrip()) for x in lines[1:] if x.strip()]
        cut = min(indents, default=0) if label else 0
        body = "\n".join([lines[0], *(x[cut:] for x in lines[1:])]).strip("\n")
        text = linked(html.escape(body))
        out.append(f'<div class="part"><span class="label">{label}</span><p class="said">{text}</p></div>'
                   if label else f'<p class="said">{text}</p>')

    for line in comment.splitlines():
        at = LABEL.match(line)
        if at and at.group(1) in LABELS:
            end()
            label, lines = at.group(1), [line[at.end():]]
        elif not line.strip() or (label and not line.startswith(" ")):
            end()
            label, lines = "", [line] if line.strip() else []
        else:
            lines.append(line)
    end()
    return "\n".join(out)


def reference(path: pathlib.Path, name: str, title: str, linked: Callable[[str], str]) -> pages.Page:
    """The page of a header. `linked` puts links to known names into text that is escaped."""
    page, taken, out = pages.Page(name, title), set(), []
    out.append(pages.heading(1, pages.anchor(title, taken), html.escape(title)))
    page.headings.append((1, title.lower(), title))
    for paragraph in paragraphs(path.read_text(encoding="utf-8")):
        section = SECTION.fullmatch(paragraph.strip())
        if section:
            at = pages.anchor(section.group(1), taken)
            out.append(pages.heading(2, at, html.escape(section.group(1))))
            page.headings.append((2, at, section.group(1)))
            continue
        entry(paragraph, page, taken, out, linked)
    page.body = "".join(out)
    return page


def entry(paragraph: str, page: pages.Page, taken: set, out: list, linked: Callable[[str], str]) -> None:
    parts = pieces(paragraph)
    declared = [n for kind, text in parts if kind == "code" for n in names(text) if n not in taken]
    if all(kind == "code" and not names(text) for kind, text in parts):
        return  # the guard, the includes
    taken.update(declared)
    functions = [n for n in declared if n.startswith("heddle_")] or declared[:1]
    if functions:
        out.append(pages.heading(3, functions[0], ", ".join(f"<code>{n}</code>" for n in functions)))
        out += [f'<span id="{n}"></span>' for n in declared if n != functions[0]]
    for kind, text in parts:
        code = linked(pages.colour(text, "c")) if kind == "code" else ""
        out.append(f'<pre tabindex="0"><code>{code}</code></pre>\n' if kind == "code" else prose(text, linked))
    text = " ".join(text for _, text in parts)
    page.sections.append((functions[0] if functions else "", ", ".join(functions), text))


def source_page(path: pathlib.Path, name: str, title: str) -> pages.Page:
    """A file as it is, coloured."""
    text = path.read_text(encoding="utf-8")
    page = pages.Page(name, title)
    page.body = pages.heading(1, "file", html.escape(title)) + pages.block(text, path.suffix[1:])
    page.headings, page.sections = [(1, "file", title)], [("file", title, text)]
    return page

"""The manual pages of the commands as pages, by scdoc and mandoc.

Result   a Page a manual; its headings keep mandoc's anchors
Errors   a program that is missing or fails ends the build with what to install
"""
from __future__ import annotations

import html
import pathlib
import re
import subprocess

import pages


def converted(*command: str, text: str) -> str:
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60)
    except FileNotFoundError:
        raise SystemExit(f"docs/site: {command[0]} is missing, without which there are no manual pages: "
                         f"apt-get install {command[0]}") from None
    if done.returncode:
        raise SystemExit(f"docs/site: {' '.join(command)} failed: {done.stderr.strip()}")
    return done.stdout


def manual(path: pathlib.Path, name: str, title: str) -> pages.Page:
    """The page of a .scd file."""
    roff = converted("scdoc", text=path.read_text(encoding="utf-8"))
    body = converted("mandoc", "-T", "html", "-O", "fragment", text=roff)
    # The frame of a printed page; the site has its own.
    body = re.sub(r'<table class="(?:head|foot)">.*?</table>', "", body, flags=re.S)
    # mandoc's headings begin at h1, and it gives the same anchor twice where options return.
    body = re.sub(r"<(/?)h([12])\b", lambda m: f"<{m[1]}h{int(m[2]) + 1}", body)
    body = body.replace("&#x2022;", "&#x2022; ")
    taken: set[str] = set()
    body = re.sub(r' id="([^"]+)"', lambda m: "" if m[1] in taken else taken.add(m[1]) or m[0], body)
    page = pages.Page(name, title)
    page.headings.append((1, "manual", title))
    at, head, last = "manual", title, 0
    for found in re.finditer(r'<h([23])[^>]*id="([^"]+)"[^>]*>(.*?)</h\1>', body, flags=re.S):
        page.sections.append((at, head, words(body[last:found.start()])))
        at, head, last = found[2], words(found[3]), found.end()
        page.headings.append((int(found[1]), at, head))
    page.sections.append((at, head, words(body[last:])))
    page.body = pages.heading(1, "manual", html.escape(title)) + f'<div class="manual">{body}</div>'
    return page


def words(markup: str) -> str:
    return html.unescape(" ".join(re.sub(r"<[^>]*>", " ", markup).split()))

"""The reference of the Python package, from its docstrings, which are read and not imported.

Result   a Page: every public name of heddle, heddle.state, heddle.torch and heddle.dask with its signature
         and its documentation, methods of classes among them
Method   names are those of each __init__'s imports and of the __all__ of the modules that it imports from;
         a docstring is NumPy's style: sections underlined by hyphens
"""
from __future__ import annotations

import ast
import functools
import html
import pathlib
import re
from typing import Iterator

import pages

MODULES = (("heddle", "__init__.py"), ("heddle.state", "state/__init__.py"),
           ("heddle.torch", "torch/__init__.py"), ("heddle.dask", "dask/__init__.py"))


#: What the functions of a module do whose definitions are made when it is imported.
_LINK = '<a href="#heddle.{0}"><code>heddle.{0}</code></a>'
MADE = {"heddle.state": f"The state of a piece of what {_LINK} tells of the whole.",
        "heddle.torch": "With arguments and result of the function <code>{0}</code> of PyTorch.",
        "heddle.dask": f"As {_LINK}, of an array of Dask."}


@functools.lru_cache(maxsize=None)
def parsed(path: pathlib.Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@functools.lru_cache(maxsize=None)
def module_file(base: pathlib.Path, level: int, dotted: str | None) -> pathlib.Path:
    folder = base.parent
    for _ in range(level - 1):
        folder = folder.parent
    path = folder.joinpath(*(dotted or "").split("."))
    return path.with_suffix(".py") if path.with_suffix(".py").exists() else path / "__init__.py"


def listed(tree: ast.Module) -> list[str]:
    """The literal strings of a module's __all__."""
    found = []
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else \
            [node.target] if isinstance(node, ast.AugAssign) else []
        if any(isinstance(t, ast.Name) and t.id == "__all__" for t in targets):
            found += [e.value for e in ast.walk(node.value)
                      if isinstance(e, ast.Constant) and isinstance(e.value, str)]
    return found


def definitions(path: pathlib.Path, name: str, seen: frozenset = frozenset()) -> ast.AST | None:
    """The definition of a name, followed through imports."""
    if not path.exists() or (path, name) in seen:
        return None
    tree = parsed(path)
    found = None
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name:
            found = node
        elif isinstance(node, ast.ImportFrom) and node.level:
            for alias in node.names:
                where = module_file(path, node.level, node.module)
                if alias.name == "*" or (alias.asname or alias.name) == name:
                    wanted = name if alias.name == "*" else alias.name
                    found = definitions(where, wanted, seen | {(path, name)}) or found
    return found


def public(path: pathlib.Path) -> list[str]:
    tree = parsed(path)
    found = listed(tree)
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.level and any(a.name == "*" for a in node.names):
            other = module_file(path, node.level, node.module)
            found += listed(parsed(other))
    return sorted(dict.fromkeys(found), key=lambda n: (n.lower(), n))


def signature(node: ast.AST, name: str) -> str:
    if isinstance(node, ast.FunctionDef):
        arguments = ast.unparse(node.args)
        if any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list):
            return name
        return f"{name}({re.sub(r'^(self|cls)(, )?', '', arguments)})"
    start = next((n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
    return f"class {name}({re.sub(r'^self(, )?', '', ast.unparse(start.args)) if start else ''})"


def sections(text: str) -> Iterator[tuple[str, str]]:
    """("", opening), then (title, text) of each part that is underlined by hyphens."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}\n", text, flags=re.M)
    yield "", parts[0].strip()
    for title, body in zip(parts[1::2], parts[2::2]):
        yield title, body.strip("\n")


def paragraph(text: str) -> str:
    text = re.sub(r"``(.+?)``", r"`\1`", html.escape(text.strip()))
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text)


def prose(text: str) -> str:
    """Paragraphs; those that are indented or begin a session are code."""
    out = []
    for part in re.split(r"\n\s*\n", text):
        if part.lstrip().startswith(">>>"):
            out.append(pages.block(part + "\n", "pycon"))
        elif part.startswith("    "):
            out.append(pages.block(part + "\n", "text"))
        elif part.strip():
            out.append(f"<p>{paragraph(part)}</p>")
    return "\n".join(out)


def fields(text: str) -> str:
    """name : type, and what is indented below it."""
    out = []
    for part in re.split(r"\n(?=\S)", text):
        head, _, rest = part.partition("\n")
        name, colon, kind = head.partition(" : ")
        kind = f' <span class="kind">{paragraph(kind)}</span>' if colon else ""
        out.append(f"<dt><code>{html.escape(name.strip())}</code>{kind}</dt><dd>{paragraph(rest)}</dd>")
    return f"<dl>{''.join(out)}</dl>"


def documentation(node: ast.AST) -> str:
    out = []
    for title, text in sections(ast.get_docstring(node) or ""):
        if title:
            out.append(f'<p class="label">{html.escape(title)}</p>')
        out.append(fields(text) if title in ("Parameters", "Returns", "Raises", "Warns", "Attributes")
                   else prose(text))
    return "\n".join(out)


def entry(page: pages.Page, out: list, full: str, node: ast.AST, level: int) -> None:
    text = ast.get_docstring(node) or ""
    out.append(pages.heading(level, full, f"<code>{html.escape(full)}</code>"))
    out.append(pages.block(signature(node, full) + "\n", "python"))
    out.append(documentation(node))
    page.sections.append((full, full, text))
    if isinstance(node, ast.ClassDef):
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and not method.name.startswith("_") \
                    and ast.get_docstring(method):
                entry(page, out, f"{full}.{method.name}", method, 4)


def reference(package: pathlib.Path, name: str, title: str) -> pages.Page:
    """The page of the whole package; a public name without a definition is an error."""
    page, out = pages.Page(name, title), [pages.heading(1, "python", html.escape(title))]
    page.headings.append((1, "python", title))
    for module, file in MODULES:
        path = package / file
        out.append(pages.heading(2, f"module-{module}", f"<code>{module}</code>"))
        page.headings.append((2, f"module-{module}", module))
        out.append(documentation(parsed(path)))
        for public_name in public(path):
            node = definitions(path, public_name)
            if node is not None:
                entry(page, out, f"{module}.{public_name}", node, 3)
            elif module in MADE:
                full = f"{module}.{public_name}"
                text = MADE[module].format(public_name)
                out.append(pages.heading(3, full, f"<code>{full}</code>") + f"<p>{text}</p>")
                page.sections.append((full, full, re.sub(r"<[^>]*>", "", text)))
            elif not (path.parent / public_name).is_dir():
                raise SystemExit(f"docs/site: {module}.{public_name} has no definition that is read by "
                                 f"python_reference.py, so the reference would lack it; begin at {path}")
    page.body = "".join(out)
    return page

"""Every file that a comment or a folder's README.md names is there.

A name with a slash is a path from the root, or from the file that names it, or the end of one from
the root ("simt/abi.h"); a bare name is that of some file. A star stands for at least one name.
Examples are known by their form: a.cu, prog.cu, test_NAME.c; and <header.h> is the system's.
"""
import ast
import fnmatch
import io
import os
import pathlib
import re
import tokenize

import tree

SUFFIXES = "c|h|hpp|cu|cuh|def|inc|py|md|cmake|txt|sh|scd|map"
NAME = re.compile(rf"(?<![\w<*$%}}/.-])(?:\.\.?/)*[\w-][\w./*-]*\.(?:{SUFFIXES})(?![\w*>-]|\.\w|\()")
# In a README, a room or a file is in backquotes; there `name.*` is a file with its header.
ROOM = re.compile(r"`([\w./*-]+(?:/|\.\*))`")
EXAMPLE = re.compile(r"(?:.*/)?(?:[a-z]|prog)\.\w+|.*(?<![A-Za-z])[A-Z]{2,}(?:_\w+)?\.(?:c|cu|h)")
# What other projects have.
OTHERS = ("Python.h", "dlpack.h", "numpy/", "test_function_base.py")
# What the build makes.
MADE = ("_constants.py", "heddle/_constants.py")


def c_comments(text):
    token = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    for match in re.finditer(token, text, flags=re.S):
        if match.group(0)[0] == "/":
            yield match.start(), match.group(0)


def hash_comments(text):
    for match in re.finditer(r'"(?:\\.|[^"\\])*"|#[^\n]*', text):
        if match.group(0)[0] == "#":
            yield match.start(), match.group(0)


def python_comments(text):
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield starts[token.start[0] - 1] + token.start[1], token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) \
                    and isinstance(first.value.value, str):
                yield starts[first.lineno - 1], first.value.value


def comments(path, text):
    if path.name == "README.md":
        return [(0, text)]
    if path.suffix == ".py":
        return python_comments(text)
    if path.name == "CMakeLists.txt" or path.suffix == ".cmake":
        return hash_comments(text)
    return c_comments(text)


def names(path, text):
    """(line, name) of every file that a comment names, and of every room that a README names."""
    for start, comment in comments(path, text):
        found = [(match.start(), match.group(0)) for match in NAME.finditer(comment)]
        if path.name == "README.md":
            found += [(match.start(1), match.group(1)) for match in ROOM.finditer(comment)]
        for at, name in found:
            yield text.count("\n", 0, start) + comment.count("\n", 0, at) + 1, name


class Tree:
    """What a name may mean: every path, and every end of one from a slash on."""

    def __init__(self, files):
        paths = [path.as_posix() for path in files]
        folders = {folder.as_posix() + "/" for path in files for folder in path.parents}
        self.paths = {*paths, *folders}
        self.ends = {"/".join(parts[at:]) for path in paths for parts in [path.split("/")]
                     for at in range(len(parts))}

    def has(self, path, name):
        if EXAMPLE.fullmatch(name) or name.startswith(OTHERS) or name in MADE:
            return True
        beside = os.path.normpath(path.parent / name) + "/" * name.endswith("/")
        if "*" in name:
            return bool(fnmatch.filter(self.ends, name) or fnmatch.filter(self.paths, beside))
        return name in self.ends or name in self.paths or beside in self.paths


def astray(path, text, whole):
    return [f"{path}:{line}: {name}" for line, name in names(path, text)
            if not whole.has(path, name)]


def readers(files):
    """The files whose comments are read; programs in the manner of others are not."""
    suffixes = (".c", ".h", ".hpp", ".cu", ".def", ".inc", ".py", ".cmake")
    parts = (*tree.PARTS, "scripts", "cmake")
    return [path for path in files if path.parts[0] in parts
            and tree.AS_PASTED not in path.parents
            and (path.suffix in suffixes or path.name in ("CMakeLists.txt", "README.md"))]


def test_every_file_that_is_named_is_there():
    files = tree.text_files()
    whole = Tree(files)
    found = [line for path in readers(files) for line in astray(path, tree.read(path), whole)]
    assert not found, "\n".join(found)


def test_the_check_finds_names_that_lead_nowhere():
    whole = Tree([pathlib.Path("src/a_b.c"), pathlib.Path("src/room/c_d.h")])
    here = pathlib.Path("src/room/new.c")
    fine = "/* a_b.c, ../a_b.c, room/c_d.h, src/a_b.c, room/*.h, x.cu, test_NAME.c */ <stdio.h>"
    assert not astray(here, fine, whole)
    assert astray(here, "int a;\n// see a_c.c, and b_d.h\n", whole) == [
        "src/room/new.c:2: a_c.c", "src/room/new.c:2: b_d.h"]
    assert astray(here, "/* room/a_b.c, ../c_d.h, rooms/*.h */", whole)
    assert not astray(here, 'char *a = "gone.c"; /* of a_b.c */', whole)
    assert astray(pathlib.Path("src/x.py"), '"""Of gone.c."""\n', whole)
    assert astray(pathlib.Path("src/x.py"), "a = 1  # of gone.c\n", whole)
    assert astray(pathlib.Path("src/CMakeLists.txt"), "# of gone.c\nadd(other.c)\n", whole) == [
        "src/CMakeLists.txt:1: gone.c"]
    readme = pathlib.Path("src/README.md")
    assert not astray(readme, "`room/`, `a_b.*`, `room/c_d.h`", whole)
    assert len(astray(readme, "`gone/`, `a_c.*`, a_c.c", whole)) == 3

"""The form of the source: clang-format, sizes of files and functions, opening comments,
words that do not belong into a repository, and versions that agree.
"""
import ast
import re
import shutil
import subprocess

import tree

FILE_LINES = 400
FUNCTION_LINES = 60
MACRO_LINES = 3
PYTHON_COLUMNS = 112
# A longer file or function is possible, if a comment just before it says why.
EXCUSE = re.compile(r"[Ll]onger than (?:60|400) lines,? because")

# Promises instead of work, and paths of somebody's own machine. The second halves keep this
# file from finding itself.
FORBIDDEN = [r"\bTO" r"DO\b", r"\bFIX" r"ME\b", r"\bXX" r"X\b", r"\bHA" r"CK\b", r"\bfor" r" now\b",
             r"(?<![\w.${}/-])/(?:home|Users|work)" r"/\w"]


def functions(code):
    """(first line, last line) of every function body, by clang-format's own rules: a body
    ends with a brace in the first column."""
    start = None
    for number, line in enumerate(code.splitlines(), 1):
        if start is None and re.match(r"[A-Za-z_].*\)\s*{$|\s.*\)\s*{$|[A-Za-z_].*{$", line):
            if not re.match(r"\s*(?:if|for|while|switch|else|do|extern)\b", line) \
                    and "=" not in line and not line.startswith("namespace"):
                start = number
        elif line.startswith("}"):
            if start is not None and line.rstrip() == "}":
                yield start, number
            start = None


def macros(code):
    """(line, number of lines) of every function-like macro but X-lists, which are tables."""
    lines = code.splitlines()
    for index, line in enumerate(lines):
        if re.match(r"\s*#\s*define\s+\w+\((?!X\))", line):
            last = index
            while lines[last].rstrip().endswith("\\"):
                last += 1
            yield index + 1, last - index + 1


def opening(text):
    """The comment that a file begins with."""
    if text.startswith("//"):
        return re.match(r"(?://[^\n]*\n)+", text).group(0)
    return text[:text.find("*/")]


def too_long(path, text):
    lines = text.splitlines()
    if len(lines) > FILE_LINES and not EXCUSE.search(opening(text)):
        yield f"{path}: {len(lines)} lines, at most {FILE_LINES}"
    code = tree.without_comments(text)
    for first, last in functions(code):
        before = "\n".join(lines[max(0, first - 12):first])
        if last - first + 1 > FUNCTION_LINES and not EXCUSE.search(before):
            yield f"{path}:{first}: a function of {last - first + 1} lines"
    for first, count in macros(code):
        if count > MACRO_LINES:
            yield f"{path}:{first}: a function-like macro of {count} lines"


def test_files_functions_and_macros_are_short():
    # The public header is one file by design; its length is prose.
    found = [long for path in tree.source_files() if str(path) != "include/heddle.h"
             for long in too_long(path, tree.read(path))]
    assert not found, "\n".join(found)


def test_the_size_check_finds_what_is_too_long():
    body = "  a = 1;\n" * FUNCTION_LINES
    assert list(too_long("a.c", "static int f(int a) {\n" + body + "}\n"))
    assert list(too_long("a.c", "\n" * (FILE_LINES + 1)))
    assert list(too_long("a.c", "#define F(a) \\\n a \\\n a \\\n a\n"))
    assert not list(too_long("a.c", "static int f(int a) {\n  return a;\n}\n"))


def python_too_long(path, text):
    """As too_long; a function's documentation does not count as its length."""
    lines = text.splitlines()
    tree_of_file = ast.parse(text)
    if len(lines) > FILE_LINES and not EXCUSE.search(ast.get_docstring(tree_of_file) or ""):
        yield f"{path}: {len(lines)} lines, at most {FILE_LINES}"
    for number, line in enumerate(lines, 1):
        if len(line) > PYTHON_COLUMNS:
            yield f"{path}:{number}: {len(line)} columns, at most {PYTHON_COLUMNS}"
    for node in ast.walk(tree_of_file):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        first = node.body[0]
        documented = ast.get_docstring(node, clean=False) is not None
        count = node.end_lineno - node.lineno + 1
        count -= first.end_lineno - first.lineno + 1 if documented else 0
        if count > FUNCTION_LINES:
            yield f"{path}:{node.lineno}: a function of {count} lines"


def test_python_files_functions_and_lines_are_short():
    found = [long for path in tree.python_files()
             for long in python_too_long(path, tree.read(path))]
    assert not found, "\n".join(found)


def test_the_python_size_check_finds_what_is_too_long():
    body = "    a = 1\n" * FUNCTION_LINES
    assert list(python_too_long("a.py", "def f():\n" + body))
    assert not list(python_too_long("a.py", f'def f():\n    """{body}"""\n'))
    assert list(python_too_long("a.py", "\n" * (FILE_LINES + 1)))
    assert list(python_too_long("a.py", "a = 1 " + "+ 1" * 40))


def test_every_python_file_opens_with_its_documentation():
    bare = [str(path) for path in tree.python_files()
            if not ast.get_docstring(ast.parse(tree.read(path)))]
    assert not bare


def test_every_c_file_opens_with_a_comment():
    bare = [str(path) for path in tree.source_files()
            if not tree.read(path).startswith(("/*", "//", "#error "))]  # what simt has not
    assert not bare


def test_clang_format_changes_nothing():
    program = shutil.which("clang-format-14") or shutil.which("clang-format")
    assert program, "clang-format is missing: apt-get install clang-format"
    result = subprocess.run([program, "--dry-run", "-Werror",
                             *map(str, tree.source_files())],
                            cwd=tree.ROOT, capture_output=True, text=True)
    lines = sorted(set(re.findall(r"^(\S+:\d+):\d+: error", result.stderr, flags=re.M)))
    assert result.returncode == 0, "clang-format -i would change:\n" + "\n".join(lines)


def test_no_word_that_promises_instead_of_doing():
    found = [f"{path}:{text.count(chr(10), 0, m.start()) + 1}: {m.group(0)}"
             for path in tree.text_files() for text in [tree.read(path)]
             for pattern in FORBIDDEN for m in re.finditer(pattern, text)]
    assert not found, "\n".join(found)


def test_text_files_end_with_a_newline_and_have_no_trailing_blanks():
    found = [str(path) for path in tree.text_files()
             if path.suffix in {".c", ".h", ".py", ".md", ".toml", ".txt", ".cmake", ".json"}
             and (tree.read(path)[-1:] not in ("\n", "") or
                  re.search(r"[ \t]$", tree.read(path), flags=re.M))]
    assert not found


def test_versions_agree():
    header = tree.read("include/heddle.h")
    parts = [re.search(rf"HEDDLE_VERSION_{part} (\d+)", header).group(1)
             for part in ("MAJOR", "MINOR", "PATCH")]
    version = ".".join(parts)
    number = int(re.search(r"define HEDDLE_VERSION (\d+)", header).group(1))
    assert number == int(parts[0]) * 10000 + int(parts[1]) * 100 + int(parts[2])
    assert f"VERSION {version}\n" in tree.read("CMakeLists.txt")
    assert f"## {version}" in tree.read("CHANGELOG.md")
    assert f'version = "{version}"\n' in tree.read("pyproject.toml")
    abi = re.search(r"define HEDDLE_ABI (\d+)", header).group(1)
    assert f"SOVERSION {abi}" in tree.read("cmake/HeddleInstall.cmake")
    assert tree.read("src/heddle.map").startswith(f"HEDDLE_{abi} " "{")


def test_links_in_the_documents_lead_somewhere():
    broken = [f"{path}: {target}" for path in tree.text_files() if path.suffix == ".md"
              for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", tree.read(path))
              if "://" not in target and not (tree.ROOT / path.parent / target).exists()]
    assert not broken, "\n".join(broken)

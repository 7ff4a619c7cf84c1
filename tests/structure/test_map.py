"""CONTRIBUTING's map shows every room, and every room says what it is.

A room is a folder of the product with C files, kernels or modules of its own.
"""
import pathlib
import re

import tree

README_LINES = 30
ROOM_FILES = 25  # "about twenty", without CMake's and the README
PRODUCT = ("base", "src", "cli", "python", "simt", "ladder/tool", "conformance")
CODE = {".c", ".h", ".hpp", ".cu", ".def", ".inc", ".py"}
# What CUDA programs include has CUDA's names, and those lie side by side; rungs are the course's.
AS_CUDA = {"simt/include", "simt/include/simt"}


def rooms():
    """{folder: number of its own files} for every folder of the product that holds code."""
    found = {}
    for part in PRODUCT:
        for path in sorted((tree.ROOT / part).rglob("*")):
            if path.suffix in CODE and path.is_file() and "__pycache__" not in path.parts:
                folder = str(path.parent.relative_to(tree.ROOT))
                found[folder] = found.get(folder, 0) + 1
    return found


def layout():
    return re.search(r"## Layout(.*?)## Words", tree.read("CONTRIBUTING.md"), re.DOTALL).group(1)


def shown(folder, text):
    """The folder, or the path to it from one that opens a line of the map, is there."""
    name = pathlib.Path(folder).name
    return re.search(rf"(?<![\w/]){name}/|/{name}/", text) is not None


def test_the_map_shows_every_room():
    text = layout()
    missing = [folder for folder in rooms() if folder not in AS_CUDA
               and not folder.startswith("simt/include/") and not shown(folder, text)]
    assert not missing


def test_the_map_shows_no_room_that_is_not_there():
    names = {pathlib.Path(p).name for p in tree.ROOT.rglob("*") if p.is_dir()
             and "build" not in p.parts and ".git" not in p.parts and ".venv" not in p.parts}
    said = set(re.findall(r"(?<![\w/.])([a-z_]+)/(?=[\s,.:);`(]|$)", layout()))
    assert said and not said - names


def test_every_room_opens_with_a_short_readme():
    for folder, files in rooms().items():
        # The wheel has no README files in it: these rooms open with their __init__'s text.
        if folder.startswith("python/heddle") or folder.startswith("simt/include/") or files < 3:
            continue
        path = tree.ROOT / folder / "README.md"
        assert path.exists(), f"{folder} has no README.md"
        lines = path.read_text(encoding="utf-8").count("\n")
        assert lines <= README_LINES, f"{folder}/README.md has {lines} lines"


def test_rooms_are_small():
    large = {folder: files for folder, files in rooms().items()
             if files > ROOM_FILES and folder not in AS_CUDA}
    assert not large


def test_a_room_that_is_missing_is_seen():
    assert shown("src/order", layout()) and not shown("src/attic", layout())

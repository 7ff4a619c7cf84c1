"""The conda recipe and the Homebrew formula, as far as they can be checked without conda and Homebrew.

The recipe's template is filled in and read as YAML, its script by bash; the formula by ruby, if there is
one. Versions, options of CMake and names of files have to be those of the tree.
"""
import pathlib
import re
import shutil
import subprocess

import jinja2
import pytest
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONDA = ROOT / "packaging/conda"
FORMULA = ROOT / "packaging/homebrew/heddle.rb"


def recipe():
    text = (CONDA / "meta.yaml").read_text(encoding="utf-8")
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined)
    return yaml.safe_load(environment.from_string(text).render(
        compiler=lambda language: f"{language}-compiler",
        pin_subpackage=lambda name, max_pin: f"{name} {max_pin}"))


def options():
    """The options of the tree's CMakeLists.txt files."""
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in ("CMakeLists.txt", "cli/CMakeLists.txt")]
    return set(re.findall(r"^option\((\w+)", "\n".join(texts), flags=re.M))


def test_the_recipe_is_one_of_this_version():
    version = re.search(r"VERSION (\d+\.\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text())[1]
    read = recipe()
    assert read["package"] == {"name": "heddle", "version": version}
    assert (CONDA / read["source"]["path"]).resolve() == ROOT
    assert (ROOT / read["about"]["license_file"]).is_file()
    assert {"c-compiler", "cxx-compiler", "ninja"} <= set(read["requirements"]["build"])
    assert set(read["requirements"]["host"]) == {"zlib", "zstd", "libpng"}


def test_the_commands_that_the_recipe_tests_are_those_of_a_shell():
    for command in recipe()["test"]["commands"]:
        subprocess.run(["bash", "-n", "-c", command], check=True, timeout=60)


@pytest.mark.parametrize("path", [CONDA / "build.sh", FORMULA], ids=lambda path: path.name)
def test_what_is_given_to_cmake_are_options_of_the_tree(path):
    given = set(re.findall(r"-D(HEDDLE_\w+)=", path.read_text(encoding="utf-8")))
    assert given and not given - options()


def test_the_recipes_script_is_bash():
    subprocess.run(["bash", "-n", CONDA / "build.sh"], check=True, timeout=60)


def test_the_formula():
    text = FORMULA.read_text(encoding="utf-8")
    assert text.count("system \"cmake\"") == 3 and "depends_on :linux" in text
    # What opens a block, and what ends one: a sum that ruby -c would notice as well.
    opened = re.findall(r"^\s*(?:class|def)\b|\bdo$", text, flags=re.M)
    assert len(opened) == len(re.findall(r"^\s*end$", text, flags=re.M))
    if shutil.which("ruby"):
        subprocess.run(["ruby", "-c", FORMULA], check=True, timeout=60)

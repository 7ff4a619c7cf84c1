"""The command line: help, mistakes and suggestions, programs in libexec, documents in step."""

import importlib.util
import os
import re
import shutil
import signal
import stat
import subprocess

import pytest
from conftest import ROOT
from test_plot import on_terminal

COMMANDS = ["sum", "min", "max", "mean", "count", "std", "var", "minmax", "mode", "reduce", "dot", "scan", "sort", "argsort", "uniq", "group", "hist", "hist2d", "ecdf", "box", "describe",
            "median", "quantile", "top", "select", "convert", "info", "bench"]
OPTION = re.compile(r"^  (?:-(\w), |    )--([a-z-]+)", re.MULTILINE)


def options(heddle, command):
    """(letter or "", name) of every option in the help."""
    text = heddle.text(command, "--help").split("options:")[1].split("examples:")[0]
    found = OPTION.findall(text)
    assert len(found) > 5
    return found


def test_no_arguments(heddle):
    text = heddle.text()
    assert all(re.search(rf"^  {c} ", text, re.MULTILINE) for c in COMMANDS)
    assert "examples:" in text and len(text.splitlines()) < 46
    assert heddle.text("--help").endswith(text) and heddle.text("help").endswith(text)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_each_command(heddle, command):
    text = heddle.text(command, "--help")
    assert text.startswith(f"usage: heddle {command} ")
    assert heddle.text(command, "-h") == text == heddle.text("help", command)
    assert "examples:\n  " in text and max(map(len, text.splitlines())) < 100
    assert heddle.text(command, "--version") == heddle.text("--version")


@pytest.mark.parametrize("command", COMMANDS)
def test_man_page_and_completions_have_every_option(heddle, command):
    page = (ROOT / "cli/heddle.1.scd").read_text()
    bash = (ROOT / "cli/completions/heddle.bash").read_text()
    zsh = (ROOT / "cli/completions/_heddle").read_text()
    fish = (ROOT / "cli/completions/heddle.fish").read_text()
    in_bash = re.search(rf'^    {command}\) options="([^"]*)"', bash, re.MULTILINE)[1].split()
    in_zsh = re.search(rf"^    {command}\)\n      options=\((.*?)\n      \)", zsh,
                       re.MULTILINE | re.DOTALL)[1]
    in_fish = [line for line in fish.splitlines()
               if re.search(rf"seen_subcommand_from [^']*\b{command}\b", line)]
    names = options(heddle, command)
    for letter, name in names:
        assert f"*--{name}*" in page, name
        assert f"--{name}" in in_bash, name
        assert re.search(rf"--{name}[\[}}]", in_zsh), name
        assert any(f" -l {name} " in line for line in in_fish), name
        if letter:
            assert f"*-{letter}*" in page and f"-{letter}" in in_bash
    words = {word for word in in_bash if word.startswith("--")}
    assert words == {f"--{name}" for _, name in names}  # and none that is not there
    assert len(in_fish) == len(names)
    assert f"*{command}*" in page


def generator():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "cli/completions/generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("script", ["heddle.bash", "_heddle", "heddle.fish"])
def test_completions_are_what_the_generator_makes(heddle, script):
    """After a change of the tables: cli/completions/generate.py build/dev/cli/heddle"""
    generate = generator()
    text = (ROOT / "cli/completions" / script).read_text()
    table = generate.table_of(heddle.program)
    assert generate.made(script, text, table) == text
    table.of("reduce")[0].words.remove("argmax")
    assert generate.made(script, text, table) != text


def without_choices(page, table):
    """Options of the table, some choice of which the manual does not name where it explains it."""
    entries = dict(re.findall(r"^\*--([a-z-]+)\*[^\n]*\n((?:\t[^\n]*\n)+)", page, re.MULTILINE))
    entries |= dict(re.findall(r"^\*-\w\*, \*--([a-z-]+)\*[^\n]*\n((?:\t[^\n]*\n)+)", page, re.MULTILINE))
    entries["op"] = re.search(r"^\*reduce\* (?:.*\n)(?:\t.*\n)+", page, re.MULTILINE)[0]
    entries["out-type"] += entries["type"]
    return {option.name for option in table.options for word in option.words
            if not re.search(rf"\b{word}\b", entries[option.name[2:]])}


def test_man_page_has_every_choice(heddle):
    page = (ROOT / "cli/heddle.1.scd").read_text()
    table = generator().table_of(heddle.program)
    assert not without_choices(page, table)
    assert without_choices(page.replace("*argmin* and", ""), table) == {"--op"}
    assert without_choices(page.replace(" bf16", ""), table) == {"--type", "--out-type"}


@pytest.mark.parametrize("command,option", [("hist", "--bins"), ("bench", "--only")])
def test_every_word_that_is_offered_is_taken(heddle, save, command, option):
    import numpy as np
    (row,) = [o for o in generator().table_of(heddle.program).of(command) if o.name == option]
    last = [save(np.arange(9.0))] if command == "hist" else ["--size", "4K"]
    assert len(row.words) > 2
    for word in row.words:
        heddle(command, option, word, *last)
    assert "'wrod" in heddle.error(command, option, "wrod", *last, code=2)


def test_man_page_has_no_other_options(heddle):
    known = {name for command in COMMANDS for _, name in options(heddle, command)}
    page = (ROOT / "cli/heddle.1.scd").read_text()
    assert set(re.findall(r"\*--([a-z-]+)\*", page)) == known


@pytest.mark.skipif(shutil.which("scdoc") is None, reason="scdoc is not installed")
def test_man_page_builds(heddle):
    with open(ROOT / "cli/heddle.1.scd", "rb") as page:
        done = subprocess.run(["scdoc"], stdin=page, capture_output=True)
    assert done.returncode == 0, done.stderr
    if shutil.which("mandoc"):
        lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning"], input=done.stdout,
                              capture_output=True)
        assert b"ERROR" not in lint.stdout, lint.stdout


def test_bash_completion_completes(heddle):
    script = ROOT / "cli/completions/heddle.bash"
    def complete(*words):
        line = f"source {script}; COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; " \
               '_heddle; echo "${COMPREPLY[@]}"'
        return subprocess.run(["bash", "-c", line], capture_output=True, text=True).stdout.split()
    assert complete("heddle", "de") == ["describe"]
    assert complete("heddle", "hist", "--cum") == ["--cumulative"]
    assert complete("heddle", "sum", "--acc", "f") == ["f32", "f64"]
    assert "argmax" in complete("heddle", "reduce", "--op", "arg")
    assert complete("heddle", "scan", "--op", "arg") == []


@pytest.mark.parametrize("args,word", [
    (["histt"], "'hist'"), (["sumn"], "'sum'"), (["descirbe"], "'describe'"),
    (["sum", "--colum", "x"], "'--column'"), (["hist", "--bin", "3"], "'--bins'"),
    (["sum", "--type", "f23"], "'f32'"), (["reduce", "--op", "sumn"], "'sum'"),
    (["scan", "--op", "argmax"], "one of"), (["sum", "--nan", "skpi"], "'skip'"),
    (["sum", "--json=1"], "no value"), (["sum", "--type"], "needs a value"),
    (["hist", "--range", "1"], "two values"), (["sum", "-Z"], "'-Z'"), (["sum", "--count", "-1"], "whole"),
    (["sum", "--count", "99999999999999999999"], "whole"), (["--frob"], "after the command"),
    (["info", "x"], "no files"), (["hist", "a", "b"], "one file"), (["sum", "-", "-"], "once"),
    (["sum", "--bytes", "--type", "f32", "x"], "--bytes"), (["sum", "--format", "raw", "x"], "--type"),
    (["sum", "-d", "ab", "x"], "--delimiter"), (["sum", "-c", "a,,b", "x"], "empty")])
def test_mistakes(heddle, args, word):
    assert word in heddle.error(*args, code=2)


@pytest.mark.parametrize("typed,remedy", [
    ("average", "heddle mean"), ("MEAN", "heddle mean"), ("stdev", "heddle std"), ("variance", "heddle var"),
    ("len", "heddle count"), ("extrema", "heddle minmax"), ("filter", "heddle select"), ("stats", "describe"), ("summarize", "describe"),
    ("percentile", "heddle quantile"), ("topk", "heddle top"), ("histogram", "heddle hist"),
    ("cumsum", "heddle scan"), ("cat", "heddle convert"), ("distinct", "heddle uniq"),
    ("order", "heddle argsort"), ("prod", "heddle reduce --op prod"), ("argmax", "--op argmax")])
def test_what_other_programs_call_it(heddle, typed, remedy):
    """The name nearest in letters means something else: 'min' for mean, 'dot' for top."""
    message = heddle.error(typed, code=2)
    assert f"no command '{typed}'" in message and remedy in message and "did you" not in message
    for named in re.findall(r"heddle ([a-z]+)", message):
        assert named in COMMANDS


@pytest.mark.parametrize("typed,remedy", [
    ("mean", "heddle mean"), ("std", "heddle std"), ("count", "heddle count"),
    ("median", "heddle median"), ("product", "called prod"), ("maximum", "called max"),
    ("add", "called sum"), ("*", "called prod")])
@pytest.mark.parametrize("command", ["reduce", "scan"])
def test_what_other_programs_call_an_operator(heddle, command, typed, remedy):
    message = heddle.error(command, "--op", typed, code=2)
    assert remedy in message and "one of: sum prod min" in message and "did you" not in message


@pytest.mark.parametrize("typed,remedy", [
    ("float32", "called f32"), ("double", "called f64"), ("uint8", "called u8"),
    ("int64", "called i64"), ("float", "f64 that of Python"), ("bfloat16", "called bf16")])
def test_what_other_programs_call_a_type(heddle, typed, remedy):
    assert remedy in heddle.error("sum", "--type", typed, code=2)
    assert remedy in heddle.error("convert", "--out-type", typed, code=2)


def test_every_remedy_for_a_name_can_be_run(heddle):
    """What the table of synonyms tells to type is a command that takes these options."""
    table = (ROOT / "cli/options/synonyms.c").read_text()
    remedies = set(re.findall(r"heddle ((?:[a-z]+)(?: --op [a-z]+| --[a-z-]+)*)", table))
    assert len(remedies) > 15
    for remedy in remedies:
        heddle(*remedy.replace("--out-type", "--out-type f64").split(), "--help")


def test_a_column_that_is_not_there(heddle, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("height,weight\n1,2\n")
    message = heddle.error("sum", "-c", "hieght", table, code=2)
    assert "height" in message
    assert "height" in heddle.error("sum", table, code=2)


def test_a_file_instead_of_a_command(heddle, save):
    import numpy as np
    path = save(np.ones(3))
    assert f"heddle describe {path}" in heddle.error(path, code=2)


def test_options_in_every_spelling(heddle, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("a;b\n1;2\n3;4\n")
    expected = heddle("sum", "--column", "b", "--delimiter", ";", table).stdout
    for args in (["-cb", "-d;"], ["--column=b", "--delimiter=;"], ["-qc", "b", "-d", ";"]):
        assert heddle("sum", *args, table).stdout == expected
        assert heddle("sum", table, *args).stdout == expected
    dashed = tmp_path / "-x.txt"
    dashed.write_text("5\n")
    assert heddle("sum", "--", "-x.txt", cwd=tmp_path).stdout == b"5\n"


def test_a_terminal_without_a_file_gets_help(heddle):
    import pty
    _, slave = pty.openpty()
    done = heddle("sum", stdin=slave, code=2)
    assert b"usage: heddle sum" in done.stderr and done.stdout == b""
    os.close(slave)


def program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_other_commands_come_from_libexec_only(heddle, tmp_path):
    installed = tmp_path / "bin" / "heddle"
    installed.parent.mkdir()
    shutil.copy(heddle.program, installed)
    libraries = subprocess.run(["ldd", heddle.program], capture_output=True, text=True).stdout
    folder = re.search(r"=> (\S*)/libheddle", libraries)
    env = {**heddle.environment, "LD_LIBRARY_PATH": folder[1] if folder else ""}
    program(tmp_path / "libexec/heddle/heddle-knit", 'echo "$@"; exit 7')
    program(tmp_path / "here/heddle-purl", "echo wrong")
    def run(*args):
        return subprocess.run([installed, *args], capture_output=True, text=True, env={
            **env, "PATH": f"{tmp_path}/here:{env['PATH']}"}, cwd=tmp_path / "here")
    done = run("knit", "--a", "b c")
    assert (done.returncode, done.stdout) == (7, "--a b c\n")
    assert run("help", "knit").stdout == "--help\n"
    assert "\n  check " not in run("help").stdout and "'check'" not in run("chek").stderr
    program(tmp_path / "libexec/heddle/heddle-check", "exit 0")
    assert "\n  check " in run("help").stdout and "'check'" in run("chek").stderr
    program(tmp_path / "libexec/heddle/heddle-signals", "grep SigIgn /proc/self/status")
    assert int(run("signals").stdout.split()[1], 16) & 1 << signal.SIGXFSZ - 1 == 0
    assert run("purl").returncode == 2
    assert run("../here/heddle-purl").returncode == 2
    (tmp_path / "libexec/heddle/heddle-knit").chmod(0o644)
    if os.geteuid() != 0:
        assert run("knit").returncode == 1


def test_plain_output_under_any_locale(heddle, save):
    import numpy as np
    path = save(np.array([0.5, 1.25]))
    for locale in ("C", "de_DE.UTF-8", "tr_TR.UTF-8"):
        assert heddle.text("sum", path, env={"LC_ALL": locale}) == "1.75\n"


def test_terminal_output_of_a_table_is_plain(heddle, save):
    import numpy as np
    assert on_terminal(heddle, ["sum", save(np.ones(3))], 80) == "3\n"


def test_binary_output_is_kept_from_terminals(heddle, save):
    import numpy as np
    text = on_terminal(heddle, ["convert", "--to", "raw", save(np.ones(3))], 80, code=2)
    assert "-o FILE" in text

#!/usr/bin/env python3
"""Completions of bash, zsh and fish, out of the table of options that the command prints.

    cli/completions/generate.py build/dev/cli/heddle

rewrites in the three scripts beside it what stands between "made by generate.py" and "end of what
is made": commands, options and choices of `heddle help --options`. The rest of each script, which
is about the programs of their own, is written by hand.
"""
import pathlib
import re
import subprocess
import sys
import textwrap

HERE = pathlib.Path(__file__).parent
SCRIPTS = ("heddle.bash", "_heddle", "heddle.fish")
PART = re.compile(r"(^ *# made by generate\.py: (\w+)\n).*?(^ *# end of what is made$)", re.M | re.S)


class Option:
    """A line of the table."""

    def __init__(self, command, letter, name, value, words, times, text):
        self.command, self.letter, self.name, self.value = command, letter, name, value
        self.words, self.repeats, self.help = words.split(), times == "repeats", text
        self.files = ("FILE" in value or "DIR" in value) and not self.words

    def spellings(self):
        return [spelling for spelling in (self.letter, self.name) if spelling]


class Table:
    def __init__(self, text):
        lines = [line.split("\t") for line in text.splitlines()]
        self.options = [Option(*line[1:]) for line in lines if line[0] == "option"]
        self.commands = [line[1:] for line in lines if line[0] == "command"]
        self.programs = [line[1:] for line in lines if line[0] == "program"]

    def of(self, command):
        return [option for option in self.options if option.command == command]

    def names(self):
        return [name for name, _ in self.commands + self.programs]

    def alike(self):
        """(option, the commands that have it so), in the order of the table."""
        groups = {}
        for option in self.options:
            key = (option.name, option.value, tuple(option.words), option.help)
            groups.setdefault(key, (option, []))[1].append(option.command)
        return list(groups.values())


# ---- bash --------------------------------------------------------------------------------------


def bash_commands(table):
    yield f'  local commands="{" ".join(table.names())}"'


def bash_words(words):
    return f'mapfile -t COMPREPLY < <(compgen -W "{" ".join(words)}" -- "$word"); return ;;'


def bash_choices(table):
    """What may follow an option: by words, by files, by nothing that is known."""
    groups = table.alike()
    several = {option.name for option, _ in groups
               if len({tuple(other.words) for other, _ in groups if other.name == option.name}) > 1}
    for option, commands in groups:
        if option.name in several:
            cases = " | ".join(f"{command}:{option.name}" for command in commands)
            yield f"    {cases}) {bash_words(option.words)}"
    seen = {}
    for option, _ in groups:
        if option.name not in several and option.value:
            what = " ".join(option.words) or ("files" if option.files else "")
            seen.setdefault(what, []).extend(f"*:{spelling}" for spelling in option.spellings())
    for what, options in seen.items():
        cases = " | ".join(options)
        if what == "files":
            yield f'    {cases}) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;'
        else:
            yield f"    {cases}) {bash_words(what.split())}" if what else f"    {cases}) return ;;"


def bash_options(table):
    for command, _ in table.commands:
        words = [spelling for option in table.of(command) for spelling in option.spellings()]
        text = f'    {command}) options="{" ".join(words)}" ;;'
        yield textwrap.fill(text, 96, subsequent_indent="      ", break_long_words=False,
                            break_on_hyphens=False)


# ---- zsh ---------------------------------------------------------------------------------------


def zsh_quoted(text):
    return text.replace("'", "'\\''")


def zsh_commands(table):
    yield "  commands=("
    for name, summary in table.commands + table.programs:
        yield f"    '{name}:{zsh_quoted(summary)}'"
    yield "  )"


def zsh_option(option):
    text = f"[{zsh_quoted(option.help).replace(':', chr(92) + ':')}]"
    if option.value:
        what = f"({' '.join(option.words)})" if option.words else "_files" if option.files else " "
        for value in option.value.lower().split():
            text += f":{value.split('|')[-1]}:{what}"
    if not option.letter:
        return f"'{option.name}{text}'"
    other = "*" if option.repeats else f"({option.letter} {option.name})"
    return f"'{other}'{{{option.letter},{option.name}}}'{text}'"


def zsh_options(table):
    for command, _ in table.commands:
        yield f"    {command})\n      options=("
        yield from (f"        {zsh_option(option)}" for option in table.of(command))
        yield "      )\n      ;;"


# ---- fish --------------------------------------------------------------------------------------


def fish_quoted(text):
    return text.replace("'", "\\'")


def fish_commands(table):
    yield f"set -l commands {' '.join(table.names())}"
    yield 'complete -c heddle -n "not __fish_seen_subcommand_from $commands" -f'
    for name, summary in table.commands + table.programs:
        yield f"complete -c heddle -n '__fish_use_subcommand' -a {name} -d '{fish_quoted(summary)}'"
    yield "complete -c heddle -n '__fish_use_subcommand' -l help -d 'list the commands'"
    yield "complete -c heddle -n '__fish_use_subcommand' -l version -d 'the version'"


def fish_options(table):
    for option, commands in table.alike():
        letter = f"-s {option.letter[1:]} " if option.letter else ""
        what = "-r -F " if option.files else "-x " if option.value else ""
        words = f"-a '{' '.join(option.words)}' " if option.words else ""
        yield (f"complete -c heddle -n '__fish_seen_subcommand_from {' '.join(commands)}' {letter}"
               f"-l {option.name[2:]} {what}{words}-d '{fish_quoted(option.help)}'")


PARTS = {
    "heddle.bash": {"commands": bash_commands, "choices": bash_choices, "options": bash_options},
    "_heddle": {"commands": zsh_commands, "options": zsh_options},
    "heddle.fish": {"commands": fish_commands, "options": fish_options},
}


def made(script, text, table):
    """The script's text with its parts made anew."""
    def part(match):
        lines = PARTS[script][match[2]](table)
        return match[1] + "".join(f"{line}\n" for line in lines) + match[3]
    text, count = PART.subn(part, text)
    if count != len(PARTS[script]):
        sys.exit(f"{script} has {count} parts that are made, but {len(PARTS[script])} are known")
    return text


def table_of(program):
    done = subprocess.run([program, "help", "--options"], check=True, capture_output=True, text=True)
    return Table(done.stdout)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: generate.py PROGRAM, such as build/dev/cli/heddle")
    table = table_of(sys.argv[1])
    for script in SCRIPTS:
        path = HERE / script
        path.write_text(made(script, path.read_text(), table))


if __name__ == "__main__":
    main()

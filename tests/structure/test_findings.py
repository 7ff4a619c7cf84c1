"""Every class of findings of the table (simt/device/findings.def) is where users look for it."""
import re

import tree

# Kinds of races that --allow is usually given.
KINDS = ["same-value", "atomic/plain"]


def classes():
    """Names of the classes, in the order of the table."""
    found = re.findall(r'^FINDING\(\w+, "([^"]+)"', tree.read("simt/device/findings.def"), re.M)
    assert len(found) == len(set(found)) > 1
    return found


def completed(text):
    """What a completion script offers for --allow: its one list that has `same-value`."""
    (line,) = [line for line in text.splitlines() if "same-value" in line]
    return re.search(r"same-value[^'\")]*", line).group(0).split()


def in_manual(text):
    """The names under CLASSES; an entry may explain several."""
    section = text[text.index("# CLASSES"):text.index("# OPTIONS")]
    entries = re.findall(r"^\*[a-z-]+\*(?:, \*[a-z-]+\*)*$", section, re.M)
    return {name for entry in entries for name in re.findall(r"[a-z-]+", entry)}


def in_document(text):
    """The names of the sections on what is found; `race: host` is one on a race."""
    section = text[text.index("\n## What is found"):text.index("\n### Limits of checking")]
    return {name.split(":")[0] for name in re.findall(r"^### (\S+)", section, re.M)}


def test_completions_offer_every_class():
    for script in ("heddle.bash", "heddle.fish", "_heddle"):
        assert completed(tree.read(f"cli/completions/{script}")) == KINDS + classes(), script


def test_manual_and_document_explain_every_class():
    manual, = tree.ROOT.glob("simt/*/heddle-check.1.scd")
    assert in_manual(manual.read_text()) == set(classes())
    assert in_document(tree.read("docs/simt.md")) == set(classes())


def test_the_checks_find_what_is_missing():
    assert completed("complete -a 'same-value race leak' -d 'x'") == ["same-value", "race", "leak"]
    assert in_manual("# CLASSES\n*a*\n\tx\n*b*, *c-d*\n\t*e* is\n# OPTIONS\n*f*\n") == {"a", "b", "c-d"}
    assert in_document("\n## What is found\n### race: a\n### leak\n\n### Limits of checking"
                       ) == {"race", "leak"}

"""docs/order.md names for each rule the functions that are it, and they exist."""
import re

from tree import ROOT

DOC = ROOT / "docs/order.md"
PLACE = re.compile(r"((?:`\w+`(?: and )?)+) in (src/[\w/]+\.\w+)")


def rows():
    part = DOC.read_text().split("## Where each rule stands\n")[1].split("\n## ")[0]
    return [line.strip("|").split("|") for line in part.splitlines() if re.match(r"\| [\dc]", line)]


def missing(cells, root=ROOT):
    """Names of a row that are not in their files, and cells without a name."""
    for cell in cells[1:]:
        places = PLACE.findall(cell)
        if not places:
            yield f"{cells[0]}: {cell.strip()!r} names no function"
        for names, file in places:
            text = (root / file).read_text() if (root / file).is_file() else ""
            for name in re.findall(r"`(\w+)`", names):
                if not re.search(rf"\b{name}\b", text):
                    yield f"{cells[0].strip()}: no {name} in {file}"


def test_every_rule_has_its_functions():
    numbers = re.findall(r"^\*\*(\d+)\.|\*\*(\d+)\. ", DOC.read_text(), re.MULTILINE)
    rules = {int(a or b) for a, b in numbers}
    named = {int(cells[0].split()[0]) for cells in rows() if cells[0].split()[0].isdigit()}
    assert named == rules == set(range(1, 16))
    assert not [m for cells in rows() for m in missing(cells)]


def test_a_lost_function_is_found():
    assert list(missing([" 1 ", "`hd_lost` in src/order/numbers.h"]))
    assert list(missing([" 1 ", "`HD_CHUNK` in src/order/lost.h"]))
    assert list(missing([" 1 ", "somewhere"]))

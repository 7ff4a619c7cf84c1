"""The GPU's test of words has each one of order/device/intrinsics.h and kernels/base/device*.h."""

import re

import pytest
from tree import ROOT

HEADERS = [ROOT / "src/order/device/intrinsics.h",
           *sorted((ROOT / "src/kernels/base").glob("device*.h"))]


@pytest.mark.parametrize("header", HEADERS, ids=lambda p: p.name)
def test_every_word_is_tested(header):
    words = set(re.findall(r"^HD_DEVICE [\w ]*?\*?(\w+)\(", header.read_text(), re.MULTILINE))
    tests = "".join(p.read_text() for p in (ROOT / "tests/gpu").glob("*.cu"))
    text = header.read_text()
    # A word that only others of the same file use is tested by them.
    missing = {w for w in words if not re.search(rf"\b{w}\(", tests)
               and len(re.findall(rf"\b{w}\(", text)) < 2}
    assert words and not missing


# What CONTRIBUTING's table of words has retired from src/, as comments and identifiers would have it.
RETIRED = {
    r"\bcells?\b|CELLS?_|_cells?\b": "bucket, counter or accumulator",
    r"\b[a-z]+_ways?\b|\bways\b|\bHD_WAYS\b|HEDDLE_WAYS?\b": "strategy or copies",
    r"\bspine(?:s|_\w+)?\b": "carry slots",
    r"\bleft_(?:put|get|last|ticket)\w*": "block partials",
    r"\b(?:owed|repay)\w*\b": "pending event",
    r"\bpassages?\b|\btake_back\b|\bhand_over\b": "transfer, copy in, copy out, deliver",
    r"\bwatch(?:es|ed|er)?\b|hd_watch\w*": "cancellation token, watchdog or timer",
    r"\btruth\b|TRUTH": "logical",
    r"\bHD_STREAMS\b|\bhd_cuda_stream\b": "operand",
    r"\bHD_PLACE_\w+": "memory space",
    r"TOTAL_IS_FREE": "order-independent",
}


def retired(text):
    """(line, what is said, what to say) of every retired word."""
    for pattern, instead in RETIRED.items():
        for match in re.finditer(pattern, text):
            yield text.count("\n", 0, match.start()) + 1, match.group(0), instead


def test_src_says_the_words_of_the_table():
    paths = [p for p in (ROOT / "src").rglob("*") if p.suffix in {".c", ".h", ".cu", ".def", ".md"}]
    found = [f"{p.relative_to(ROOT)}:{line}: {said}: say {instead}" for p in sorted(paths)
             for line, said, instead in retired(p.read_text(encoding="utf-8"))]
    assert paths and not found, "\n".join(found)


def test_the_words_are_found():
    for text in ("one cell", "MOST_CELLS_", "the ways", "spine_block", "left_put(", "hd_watch_start",
                 "a truth", "HD_STREAMS", "HD_PLACE_HOST", "TOTAL_IS_FREE"):
        assert list(retired(text)), text
    assert not list(retired("on its way; by way of; cancelled; what is left; a bucket"))


def test_every_retired_word_stands_in_the_table():
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for word in ("cell", "way, ways", "spine", "owed", "passage", "watch", "truth", "stream", "place", "free"):
        assert re.search(rf"^\|.*\|[^|]*\b{word}\b[^|]*\|$", table, re.MULTILINE), word

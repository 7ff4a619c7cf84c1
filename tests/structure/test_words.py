"""Each word of src/kernels/base/device*.h is in the GPU's test of words against their plain C meaning."""

import re

import pytest
from tree import ROOT

HEADERS = sorted((ROOT / "src/kernels/base").glob("device*.h"))


@pytest.mark.parametrize("header", HEADERS, ids=lambda p: p.name)
def test_every_word_is_tested(header):
    words = set(re.findall(r"^HD_DEVICE [\w ]*?\*?(\w+)\(", header.read_text(), re.MULTILINE))
    tests = "".join(p.read_text() for p in (ROOT / "tests/gpu").glob("*.cu"))
    text = header.read_text()
    # A word that only others of the same file use is tested by them.
    missing = {w for w in words if not re.search(rf"\b{w}\(", tests)
               and len(re.findall(rf"\b{w}\(", text)) < 2}
    assert words and not missing

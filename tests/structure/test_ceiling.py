"""The loops that measure what memory can do keep their sums in registers of the full width.

A compiler that takes a vector apart, or keeps sums on the stack, makes them several times slower;
everything measured against them would then be said to be faster than the memory. Read by objdump.
"""
import pathlib
import platform
import re
import subprocess

import pytest

import tree

REGISTER = {"plain": "xmm", "avx2": "ymm", "avx512": "zmm"}


def innermost_loop(code, loads):
    """The shortest run of instructions from a jump's target to the jump that has so many loads."""
    lines = [m.groups() for m in
             (re.match(r"\s*([0-9a-f]+):\s+(.*)", line) for line in code.splitlines()) if m]
    index = {address: i for i, (address, _) in enumerate(lines)}
    loops = []
    for i, (_, text) in enumerate(lines):
        jump = re.match(r"j\w+\s+([0-9a-f]+)\b", text)
        start = index.get(jump.group(1)) if jump else None
        if start is not None and start < i:
            loops.append([text for _, text in lines[start:i + 1]])
    return min((loop for loop in loops if len(vector_loads(loop)) >= loads), key=len, default=[])


def vector_loads(loop):
    return [text for text in loop if re.search(r"\(%r[^)]*\),?.*%[xyz]mm", text)
            and "prefetch" not in text]


def faults(code, register):
    loop = innermost_loop(code, 8)
    if not loop:
        return ["no loop with eight vector loads"]
    found = [text for text in loop if re.search(r"\(%r[sb]p", text)]
    found += [text for text in vector_loads(loop) if register not in text]
    if len(loop) > 40:
        found.append(f"{len(loop)} instructions a round")
    return found


def disassembled(name, function):
    objects = list((pathlib.Path(tree.from_environment("HEDDLE_BUILD")) / "base").rglob(
        f"ceiling/ceiling_{name}.c.o"))
    assert len(objects) == 1, objects
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", str(objects[0])], check=True,
                          capture_output=True, text=True).stdout
    code = re.search(rf"<{function}>:\n(.*?)(?:\n\n|\Z)", text, flags=re.S)
    assert code, f"{function} is not in {objects[0]}"
    return code.group(1)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the names of x86-64's registers")
@pytest.mark.parametrize("name", REGISTER)
@pytest.mark.parametrize("function", ["read_all", "read_prefetched", "read_prefetched_far"])
def test_sums_stay_in_registers(name, function):
    assert not faults(disassembled(name, function), REGISTER[name])


def test_the_check_finds_spills_and_halves():
    good = "".join(f" {i:x}: vpaddq {i * 32}(%rdi),%ymm{i},%ymm{i}\n" for i in range(8)) + " 8: jne 0 <a>\n"
    assert not faults(good, "ymm")
    assert faults(good.replace("ymm", "xmm"), "ymm")
    assert faults(good.replace("(%rdi),%ymm3", "(%rsp),%ymm3"), "ymm")
    assert faults(good.replace(" 8: jne 0 <a>\n", ""), "ymm")

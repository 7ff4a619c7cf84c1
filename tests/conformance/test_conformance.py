"""The conformance kit: Heddle passes it, and each wrong library is told which rule it breaks.

wrong.c breaks one rule at a time; the kit is compiled as a stranger would compile it.
"""
import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
KIT = ROOT / "conformance"
FOLDS = ("sum f32", "sum f64", "dot f32", "dot f64")
DOTS = ("dot f32", "dot f64")
SCANS = ("scan f32", "scan f64")
EXACT = ("exact_sum f32", "exact_sum f64")

# What is wrong: the functions that break a rule, and words of what each is told first.
WRONG = {
    "loop": (FOLDS, "rule 5: a block of 2^k elements"),
    "pairwise": (FOLDS, "rule 5: short ends"),
    "wide-lanes": (FOLDS, "rule 2: a full chunk is 16 rows of 128 lanes"),
    "narrow-lanes": (FOLDS, "rule 2: a full chunk is 16 rows of 128 lanes"),
    "long-chunks": (FOLDS, "rule 2"),
    "lanes-in-turn": (FOLDS, "rule 2: the lanes of a full chunk are folded in halves"),
    "lanes-by-neighbours": (FOLDS, "rule 2: the lanes of a full chunk are folded in halves"),
    "chunks-in-turn": (FOLDS, "rule 3: a block of 2^k chunks"),
    "small-first": (FOLDS, "rule 5: short ends"),
    "end-first": (FOLDS, "rule 5: the blocks of the short end are added, one by one"),
    "end-loop": (FOLDS, "rule 5: a block of 2^k elements"),
    "end-by-lanes": (FOLDS, "rule 5: a block of 2^k elements"),
    "zero": (FOLDS, "rule 7: the identity within is -0.0"),
    "empty": (FOLDS, "rule 7: the sum of nothing"),
    "threads": (FOLDS, "rule 1"),
    "nan": ((*FOLDS, "min f32", "min f64"), "rule 12: a NaN"),
    "flush": (FOLDS, "rule 12: denormals"),
    "fused": (DOTS, "rule 8"),
    "running": (SCANS, "rule 6"),
    "exclusive": (SCANS, "rule 6"),
    "min": (("min f32", "min f64"), "rule 10"),
    "in-order": (EXACT, "rule 15: an exact sum that is zero"),
    "minus-zero": (("exact_sum f64",), "rule 15: an exact sum that is zero"),
    "compensated": (EXACT, "rule 15: the real sum is rounded once"),
    "twice": (("exact_sum f32",), "rule 15: the real sum is rounded once"),
    "in-double": (("exact_sum f32", "exact_dot f32"), "rule 15"),
    "rounded-products": (("exact_dot f64",), "rule 15: products are not rounded"),
}
# Mistakes whose bits the table knows as those of another order, in f32.
KNOWN = {
    "loop": "a loop from left to right",
    "wide-lanes": "256 lanes in place of 128",
    "narrow-lanes": "32 lanes in place of 128",
    "long-chunks": "chunks of 4096 in place of 2048",
    "end-loop": "a short end that is folded from left to right (rule 5)",
    "end-by-lanes": "a short end that is folded by lanes (rule 5)",
}


def compiled(source, folder, *options):
    library = pathlib.Path(os.environ["HEDDLE_LIBRARY"])
    program = folder / source.stem
    # -Werror: strangers have warnings on. No contraction: gcc's -std=c11 already has none.
    command = [os.environ.get("CC", "cc"), "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Wpedantic",
               "-Wconversion", "-Werror", *options, f"-I{ROOT / 'include'}", f"-I{KIT}", str(source), "-o",
               str(program), str(library), "-lm", f"-Wl,-rpath,{library.parent}"]
    made = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert made.returncode == 0, made.stderr
    return program


def run(program, folder=KIT, **environment):
    return subprocess.run([program, str(folder)], capture_output=True, text=True, timeout=300, check=False,
                          env={**os.environ, **environment})


@pytest.fixture(scope="module")
def wrong(tmp_path_factory):
    return compiled(HERE / "wrong.c", tmp_path_factory.mktemp("wrong"), "-std=c11")


@pytest.mark.parametrize("standard", ["c99", "c11"])
def test_heddle_conforms_on_every_instruction_set(tmp_path, standard):
    program = compiled(KIT / "heddle.c", tmp_path, f"-std={standard}")
    for isa in ("scalar", "neon", "avx2", "avx512"):
        result = run(program, HEDDLE_ISA=isa)
        assert result.returncode == 0, f"{isa}: {result.stdout}{result.stderr}"
        assert len(result.stdout.splitlines()) == 14, result.stdout


def test_a_right_library_passes(wrong):
    result = run(wrong, WRONG="")
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("mistake", WRONG)
def test_the_rule_that_is_broken_is_named(wrong, mistake):
    result = run(wrong, WRONG=mistake)
    functions, words = WRONG[mistake]
    said = [line for line in result.stdout.splitlines() if " breaks " in line]
    assert result.returncode == 1
    assert [line.split(" breaks ")[0] for line in said] == sorted(
        functions, key=[line.split(" breaks ")[0] for line in said].index)
    assert all(words in line for line in said), result.stdout


@pytest.mark.parametrize("mistake", KNOWN)
def test_a_known_order_is_recognised(wrong, mistake):
    result = run(wrong, WRONG=mistake).stdout.split("dot f32")[0]
    named = [line.removeprefix("  its bits are those of ") for line in result.splitlines()
             if "its bits are" in line]
    assert named == [KNOWN[mistake]]


def test_no_answer_is_another_status(tmp_path, wrong):
    missing = run(wrong, tmp_path)
    assert missing.returncode == 2 and "golden.csv" in missing.stderr
    (tmp_path / "golden.csv").write_text("what,type,case,count,x,y,hex\nsum,f32,tree,4,close\n")
    assert run(wrong, tmp_path).returncode == 2
    (tmp_path / "none.c").write_text('#include "conformance.c"\nconst struct conformance under_test = {0};\n')
    nothing = run(compiled(tmp_path / "none.c", tmp_path, "-std=c99", "-Wno-missing-field-initializers"))
    assert nothing.returncode == 2 and "nothing is claimed" in nothing.stderr


def test_the_table_is_what_the_model_gives():
    subprocess.run([sys.executable, KIT / "make.py", "--check"], check=True, timeout=300)


def test_a_table_with_another_bit_is_noticed(tmp_path, wrong):
    lines = (KIT / "golden.csv").read_text().splitlines()
    for at in (10, 60, len(lines) - 2):
        cells = lines[at].split(",")
        other = [*cells[:-1], f"{int(cells[-1], 16) ^ 1:x}"]
        (tmp_path / "golden.csv").write_text("\n".join([*lines[:at], ",".join(other), *lines[at + 1:], ""]))
        assert run(wrong, tmp_path).returncode == (0 if cells[0] == "-" else 1), lines[at]

"""Reduce and scan rungs: right at odd sizes, on every kind of data and under every schedule, in
float and double; the course's lines and counts; the planted bugs; and the verification itself."""

import math
import os

import pytest

from conftest import KINDS, LADDER, SCHEDULES, headers

SIZES = [1, 2, 31, 33, 255, 257, 1000, 4097, 65537]
FEW_SIZES = [33, 1000, 65537]  # in other orders than forward
FULL = bool(os.environ.get("HEDDLE_TEST_FULL"))
REDUCE = ["01", "02", "03", "04", "05", "07", "08", "09", "10", "11", "12", "13", "14", "15", "16"]
DOT = ["17", "18", "19"]
SCAN = ["01", "02", "03", "04", "05", "06", "07", "08"]
ANY_LENGTH = ([f"reduce/{rung}" for rung in REDUCE + DOT] +
              [f"scan/{rung}" for rung in SCAN + ["09"]])
METHODS = {
    "reductions": (lambda n, log: log, lambda n, log: n * (n - 1) // 2),
    "hillis-steele": (lambda n, log: log, lambda n, log: n * log - n + 1),
    "blelloch": (lambda n, log: 2 * log, lambda n, log: 2 * (n - 1)),
}


def right(run):
    assert run.status == 0 and run.json["verdict"] == "right", run
    return run


def test_no_rung_is_missing():
    for family, count, bugs in (("reduce", 26, 6), ("scan", 11, 0)):
        paths = sorted((LADDER / family).glob("*.cu"))
        assert [path.name[:2] for path in paths] == [f"{i:02}" for i in range(1, count + 1)]
        assert sum("bug" in path.stem for path in paths) == bugs
        for path in paths:
            assert headers(path)["expect"] != "right" or "BUG" not in headers(path)["title"]
            for word in (" * Idea ", " * Cost ", " * Shows ", " * Source "):
                assert word in path.read_text(), (path, word)


@pytest.mark.parametrize("rung", ANY_LENGTH)
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_odd_sizes_under_every_schedule(ladder_run, rung, schedule):
    """Every second size, or third, of a rung, and of its neighbours the others; all with HEDDLE_TEST_FULL."""
    sizes, step = (SIZES, 2) if schedule == SCHEDULES[0] else (FEW_SIZES, 3)
    for size in sizes if FULL else sizes[ANY_LENGTH.index(rung) % step::step]:
        if rung == "scan/03" and size > 5000:
            size = 5001  # a quadratic method; beyond its tile of 4096
        run = right(ladder_run(rung, "--size", size, "--seed", size, schedule=schedule,
                               count=False))
        assert run.json["size"] == size


@pytest.mark.parametrize("rung", [f"reduce/{rung}" for rung in REDUCE] +
                         [f"scan/{rung}" for rung in SCAN])
def test_every_kind_of_data(ladder_run, rung):
    for kind in KINDS:
        right(ladder_run(rung, "--data", kind, "--size", 4001, count=False))


@pytest.mark.parametrize("rung", REDUCE + DOT if FULL else (REDUCE + DOT)[::2])  # each is compiled again
def test_double(ladder_run, rung):
    for size in (1, 1000, 65537):
        right(ladder_run(f"reduce/{rung}", "--size", size, options=["-DREAL=double"], count=False))


@pytest.mark.parametrize("rung", [f"reduce/{rung}" for rung in REDUCE + ["06"] + DOT] +
                         [f"scan/{rung}" for rung in SCAN + ["09", "10", "11"]])
def test_default_size(ladder_run, rung):
    right(ladder_run(rung))


@pytest.mark.parametrize("rung, sizes, why", [
    ("reduce/06", (1000, 1 << 19), "1024 tiles of 1024"), ("reduce/21", (191, 256), "192"),
    ("reduce/22", (1, 255), "256"), ("scan/11", (512,), "fixed")])
def test_fixed_shapes_refuse_other_sizes(ladder_run, rung, sizes, why):
    for size in sizes:
        run = ladder_run(rung, "--size", size)
        assert run.status == 2 and "--size" in run.err and why in run.err, run


# ---- reduce -----------------------------------------------------------------------------------


def tile_line(n, steps, adds, read, written):
    return (f"tile of {n:,}: {steps} steps, {adds:,} adds; words of global traffic "
            f"{read:,} read + {written:,} written = {read + written:,}")


@pytest.mark.parametrize("rung, line", [
    ("02", tile_line(256, 255, 255, 256, 1)), ("03", tile_line(256, 8, 255, 256, 1)),
    ("04", tile_line(1024, 10, 1023, 2047, 1024)), ("05", tile_line(1024, 10, 1023, 1024, 1)),
    ("07", tile_line(32, 5, 31, 32, 1)), ("07", tile_line(1024, 10, 1023, 1024, 1)),
    ("08", tile_line(256, 8, 255, 256, 1)), ("09", tile_line(256, 8, 255, 256, 1)),
    ("10", tile_line(256, 8, 384, 256, 1)), ("11", tile_line(256, 8, 255, 256, 1))])
def test_steps_and_traffic_of_a_tile(ladder_run, rung, line):
    assert line in right(ladder_run(f"reduce/{rung}")).lines


def test_serial_counts(ladder_run):
    run = right(ladder_run("reduce/01"))
    assert run.json["steps"] == run.json["work"] == 65535


def test_all_rungs_find_one_sum(ladder_run):
    sums = {right(ladder_run(f"reduce/{rung}")).out.split("Sum of 65536")[1].split(": ")[1]
            .split()[0] for rung in REDUCE if rung != "07"}
    assert len(sums) == 1 and sums != {"0"}, sums


@pytest.mark.parametrize("count", [True, False])  # the rung counts in either case
def test_traffic_of_two_launches(ladder_run, count):
    run = right(ladder_run("reduce/06", count=count))
    words = [line.split("words of global traffic ")[1] for line in run.lines[:4]]
    assert words == ["2,047 read + 1,024 written = 3,071", "1,024 read + 1 written = 1,025",
                     "2,098,175 read + 1,049,600 written = 3,147,775",
                     "1,049,600 read + 1,025 written = 1,050,625"]
    assert run.json["global_1048576_words"] == 3147775
    assert run.json["shared_1048576_words"] == 1050625


def test_double_moves_twice_the_words(ladder_run):
    run = right(ladder_run("reduce/06", options=["-DREAL=double"]))
    assert run.json["global_1048576_words"] == 2 * 3147775


def test_xor_gives_every_lane_the_bits_of_down(ladder_run):
    run = right(ladder_run("reduce/10", count=False))
    assert "Lanes whose xor sum has the bits of the down sum: 32 of 32" in run.lines


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_atomic_finish_depends_on_the_order(ladder_run, schedule):
    run = right(ladder_run("reduce/14", schedule=schedule, count=False))
    assert 1 <= run.json["different_sums"] <= 40
    assert f"{run.json['different_sums']} different sums in 40 runs of 16384 random numbers" \
        in run.lines


def test_different_schedules_give_different_atomic_sums(ladder_run):
    """Blocks that end in another order: somewhere the last bits must change."""
    many = [right(ladder_run("reduce/14", schedule=f"random:{seed}", count=False))
            .json["different_sums"] for seed in range(4)]
    assert max(many) > 1, many


def test_library_has_one_sum(ladder_run):
    run = right(ladder_run("reduce/16"))
    assert "1 different sums in 40 runs of 65536 random numbers" in run.lines


def test_tree_rounds_less_than_the_loop(ladder_run):
    run = right(ladder_run("reduce/15", "--size", 1 << 18, count=False))
    assert run.json["tree_error"] < run.json["serial_error"] / 3


@pytest.mark.parametrize("rung, who", [("17", "GPU"), ("18", "GPU"), ("19", "the library's")])
def test_dot(ladder_run, rung, who):
    run = right(ladder_run(f"reduce/{rung}"))
    assert f"Does {who} value 2.57236e+13 = 2.57236e+13?" in run.lines
    assert any(line.startswith("Exact value 25,723,564,731,392, ") for line in run.lines)
    if who == "GPU":
        assert "1,024 threads take 5 elements, 7,168 threads take 4" in run.lines
    if rung == "18":
        assert "Exact value 25,723,564,731,392, relative error 0" in run.lines


# ---- the planted bugs ---------------------------------------------------------------------------


def test_refused_operators(ladder_run):
    for size in (1, 200, 257, 65536):
        run = ladder_run("reduce/20", "--size", size, count=False)
        assert run.status == 3 and run.json["verdict"] == "caught", run
        assert run.json["why"] == "refused operator: minus and power are not associative"
    assert run.lines[:6] == [
        "plus accepted", "times accepted", "maximum accepted", "minimum accepted",
        "minus refused: (1 minus 1) minus 1 = -1, but 1 minus (1 minus 1) = 1",
        "power refused: (2 power 1) power 2 = 4, but 2 power (1 power 2) = 2"]


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_block_of_192(ladder_run, schedule):
    run = ladder_run("reduce/21", schedule=schedule)
    assert "192 threads of ones give 128" in run.lines
    assert run.status == 3 and run.json["why"] == "wrong result: 128 instead of 192", run


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_divergent_barrier_is_reported(ladder_run, schedule):
    run = ladder_run("reduce/22", schedule=schedule)
    source = (LADDER / "reduce/22_bug_divergent_barrier.cu").read_text().splitlines()
    line = next(i for i, text in enumerate(source, 1) if "/* BUG:" in text)
    assert run.status == 3, run
    assert "barrier divergence" in run.err and f".cu:{line}" in run.err, run
    assert "128 wait" in run.err and "128 walked round" in run.err, run
    got = run.lines[0].split()  # "Sum of 256: X, should be Y"
    assert got[3].rstrip(",") == got[6]  # as on a GPU, it ends with the right sum


@pytest.mark.parametrize("rung", ["23", "24", "25"])
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_races_are_never_called_right(ladder_run, rung, schedule):
    for size in (257, 65536):
        run = ladder_run(f"reduce/{rung}", "--size", size, schedule=schedule)
        assert run.status == 4 and run.json["why"].startswith("race: "), run


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_global_index_is_caught(ladder_run, schedule):
    for size in (65536, 65537, 1 << 20):
        run = ladder_run("reduce/26", "--size", size, schedule=schedule)
        assert run.status == 3, run
        assert "out of bounds" in (run.json["why"] if run.json else "") + run.err, run
    assert ladder_run("reduce/26", "--size", 256).status == 2  # one block is right


# ---- scan -----------------------------------------------------------------------------------


def test_serial_scan(ladder_run):
    run = right(ladder_run("scan/01"))
    assert run.lines[:2] == ["inclusive: 1 2 3 4 -> 1 3 6 10", "exclusive: 1 2 3 4 -> 0 1 3 6"]


def test_operators(ladder_run):
    assert right(ladder_run("scan/02")).lines[:6] == [
        "add of 1 2 3 4: inclusive: 1 3 6 10; exclusive: 0 1 3 6",
        "multiply of 1 2 3 4: inclusive: 1 2 6 24; exclusive: 1 1 2 6",
        "or of 0 0 1 0: inclusive: 0 0 1 1; exclusive: 0 0 0 1",
        "and of 1 1 0 1: inclusive: 1 1 0 0; exclusive: 1 1 1 0",
        "maximum of 3 1 4 2: inclusive: 3 3 4 4; exclusive: 0 3 3 4",
        "minimum of 3 1 4 2: inclusive: 3 1 1 1; exclusive: 4294967295 3 1 1"]


def test_one_reduction_an_output(ladder_run):
    run = right(ladder_run("scan/03"))
    assert run.lines[:2] == ["all: 1 3 6 10 15 21 28 36", "1..8: 3 steps, 28 adds"]
    assert run.json["size"] == 4096 and run.json["work"] == 4096 * 4095 // 2


def test_hillis_steele_table(ladder_run):
    assert right(ladder_run("scan/04")).lines[:4] == [
        "step: 1 3 5 7 9 11 13 15", "step: 1 3 6 10 14 18 22 26", "step: 1 3 6 10 15 21 28 36",
        "1..8: 3 steps, 17 adds"]


def test_blelloch_table(ladder_run):
    assert right(ladder_run("scan/05")).lines[:9] == [
        "pair (11, 10) gives (10, 21)", "up: 3 7 11 15", "up: 10 26", "up: 36", "down: 0",
        "down: 0 10", "down: 0 3 10 21", "down: 0 1 3 6 10 15 21 28", "1..8: 6 steps, 14 adds"]


def test_hybrid_counts(ladder_run):
    run = right(ladder_run("scan/06"))
    assert (run.json["steps"], run.json["work"]) == (23, 134145)


def test_steps_and_work(ladder_run):
    run = right(ladder_run("scan/09"))
    assert run.lines[:3] == ["7 elements, a tree of 3 levels: step 3, work 6",
                             "2^10 elements: 10 steps, 512 adds in the first",
                             "reduce 1,048,576 on 512: 2,056 (Brent's bound 2,068)"]


def test_complexity_follows_the_formulas(ladder_run):
    table = right(ladder_run("scan/10")).json["complexity"]
    for name, (steps, work) in METHODS.items():
        rows = [row for row in table if row["method"] == name]
        logs = range(3, 13 if name == "reductions" else 17)
        assert [row["n"] for row in rows] == [2**log for log in logs]
        for row, log in zip(rows, logs):
            assert row["steps"] == row["steps_formula"] == steps(row["n"], log)
            assert row["work"] == row["work_formula"] == work(row["n"], log)
    for row in table:  # the time on 512 processors lies where Brent's theorem puts it
        if "time_512" in row:
            least = max(row["steps"], math.ceil(row["work"] / 512))
            assert least <= row["time_512"] <= row["steps"] + row["work"] // 512


def test_three_machines(ladder_run):
    assert right(ladder_run("scan/11")).lines[:4] == [
        "case | serial | Hillis-Steele | Blelloch | least",
        "512 on 512 processors | 511 | 9 | 18 | Hillis-Steele",
        "10^6 on 512 | 999,999 | 37,030 | 4,112 | Blelloch",
        "131,072 on 1 | 131,071 | 2,097,153 | 262,142 | serial"]


# ---- does the verification find what is wrong? --------------------------------------------------


@pytest.mark.parametrize("rung, old, new", [
    ("reduce/03_halving", "tile[t + half]", "tile[t + half - (half == 64 && t == 5)]"),
    ("reduce/05_shared_tree", "i < n ? in[i] : 0", "i + 1 < n ? in[i] : 0"),
    ("reduce/09_shuffle_down", "sum, offset)", "sum, offset == 4 ? 5 : offset)"),
    ("reduce/13_finish_launch", "m.sums[0], blocks,", "m.sums[0], blocks - 1,"),
    ("reduce/17_dot", "a[i] * b[i]", "a[i] * b[n - 1 - i]"),
    ("reduce/21_bug_block_192", "half = THREADS / 2", "half = THREADS / 4"),
    ("reduce/06_two_launches", "3147775 * REAL_WORDS", "3147774 * REAL_WORDS"),
    ("scan/02_operators", "in[i - distance], own", "in[i - distance], op == OR ? 0 : own"),
    ("scan/04_hillis_steele", "in[i - distance]", "in[i - distance + (i == 3000)]"),
    ("scan/05_blelloch", "before + left_sum", "before + left_sum + (right == 63)"),
    ("scan/07_multi_block", "sums[blockIdx.x - 1]", "sums[blockIdx.x / 2]"),
    ("scan/10_complexity", "n * log - n + 1", "n * log - n"),
])
def test_broken_rungs_are_wrong(ladder_run, tmp_path, rung, old, new):
    family = rung.split("/")[0]
    text = (LADDER / f"{rung}.cu").read_text()
    assert old in text
    text = text.replace(old, new).replace('"../common', f'"{LADDER}/common')
    path = tmp_path / "01_broken.cu"
    path.write_text(text)
    run = ladder_run(path, options=[f"-I{LADDER / family}"])
    assert run.status == (3 if "bug" in rung else 1), run
    assert run.json["verdict"] == ("caught" if "bug" in rung else "wrong"), run

"""Sort rungs: right at odd sizes, on every kind of data and under every schedule; the lines and
counts that the methods promise; the planted bugs; and the verification itself."""

import os

import pytest

from conftest import KINDS, LADDER, SCHEDULES, headers

KEYS = ["01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "14"]
ALL = sorted(KEYS + ["12", "13"])
SIZES = [1, 2, 3, 31, 33, 255, 257, 1023, 1025, 2047, 4097, 10001]
FEW_SIZES = [33, 1025, 4097]  # in other orders than forward
FULL = bool(os.environ.get("HEDDLE_TEST_FULL"))
EIGHT = "1 1 3 4 5 6 9 4294967295 "


def right(run):
    assert run.status == 0 and run.json["verdict"] == "right", run
    return run


def test_no_rung_is_missing():
    paths = sorted((LADDER / "sort").glob("*.cu"))
    assert [path.name[:2] for path in paths] == [f"{i:02}" for i in range(1, 17)]
    assert sum("bug" in path.stem for path in paths) == 2
    for path in paths:
        assert ("BUG" in headers(path)["title"]) == (headers(path)["expect"] != "right")
        for word in (" * Idea ", " * Cost ", " * Shows ", " * Source "):
            assert word in path.read_text(), (path, word)


@pytest.mark.parametrize("rung", ALL)
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_odd_sizes_under_every_schedule(ladder_run, rung, schedule):
    """Some sizes of a rung, and of its neighbours the others; all with HEDDLE_TEST_FULL."""
    sizes, step = (SIZES, 3) if schedule == SCHEDULES[0] else (FEW_SIZES, 3)
    for size in sizes if FULL else sizes[ALL.index(rung) % step::step]:
        if rung == "02":
            size = min(size, 2047)  # one block
        run = right(ladder_run(f"sort/{rung}", "--size", size, "--seed", size, schedule=schedule))
        assert run.json["size"] == size


@pytest.mark.parametrize("rung", ALL)
def test_every_kind_of_data(ladder_run, rung):
    for kind in KINDS:
        right(ladder_run(f"sort/{rung}", "--data", kind, "--size", 1999))


@pytest.mark.parametrize("rung", KEYS)
def test_one_result(ladder_run, rung):
    """Every rung has the keys of the first one; each shows its eight keys."""
    if rung == "06":
        assert "Every 32 of them: Sorted 2000" in right(ladder_run("sort/06", "--size", 2000)).out
        return
    line, = [line for line in right(ladder_run("sort/01", "--size", 2000)).lines
             if line.startswith("Sorted ")]
    run = right(ladder_run(f"sort/{rung}", "--size", 2000))
    assert line in run.lines
    assert rung == "14" or f"5 1 4 4294967295 3 9 1 6 -> {EIGHT}" in run.lines


@pytest.mark.parametrize("rung, words, work", [
    ("01", "24 steps", 17), ("02", "8 steps", 28), ("03", "8 steps", 64), ("04", "6 steps", 24)])
def test_eight_keys(ladder_run, rung, words, work):
    assert f"8 keys: {words}, work {work}" in right(ladder_run(f"sort/{rung}")).lines


@pytest.mark.parametrize("rung, size, steps, work", [
    ("02", 1000, 1000, 1000 * 999 // 2), ("03", 4096, 4096, 4096 * 4096),
    ("04", 4096, 78, 78 * 2048), ("05", 4096, 78, 78 * 2048), ("06", 4096, 15, 15 * 4096)])
def test_steps_and_work(ladder_run, rung, size, steps, work):
    run = right(ladder_run(f"sort/{rung}", "--size", size))
    assert (run.json["steps"], run.json["work"]) == (steps, work)


def test_shared_memory_saves_traffic(ladder_run):
    words = [run["reads"] + run["writes"] for run in
             (right(ladder_run(f"sort/{rung}", "--size", 4096)).json for rung in ("04", "05"))]
    assert words[1] < words[0] / 10
    assert "Launches: 6" in right(ladder_run("sort/05", "--size", 4096)).lines


@pytest.mark.parametrize("rung, reads, writes", [("08", 32 * 7, 32 * 4), ("09", 8 * 3, 8),
                                                 ("10", 4 * 2, 4), ("11", 1 + 4, 4)])
def test_words_a_key(ladder_run, rung, reads, writes):
    """From one size to one of as many blocks more: what a key costs, and its part of the tables."""
    small, large = (right(ladder_run(f"sort/{rung}", "--size", size)).json for size in (4096, 8192))
    tables = {"08": 32 / 1024, "09": 8 * 16 / 512, "10": 4 * 256 / 1024, "11": 4 * 256 / 1024}[rung]
    per_key = [(large[what] - small[what]) / 4096 for what in ("reads", "writes")]
    assert reads <= per_key[0] <= reads + 7 * tables
    assert writes <= per_key[1] <= writes + 4 * tables


def test_more_than_a_block_is_refused(ladder_run):
    run = ladder_run("sort/02", "--size", 2049)
    assert run.status == 2 and "--size" in run.err and "2048" in run.err, run


def test_argsort_shows_its_example(ladder_run):
    assert "2 0 1 0 2 1 -> positions 1 3 2 5 0 4 " in right(ladder_run("sort/12")).lines


@pytest.mark.parametrize("rung, line", [("13", "sorted: -inf -1 -0 0 2 inf nan nan"),
                                        ("14", "sorted: -inf -1 -0 0 1 2 inf nan")])
def test_floats(ladder_run, rung, line):
    assert line in right(ladder_run(f"sort/{rung}")).lines


# ---- planted bugs -------------------------------------------------------------------------------


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_race_is_never_called_right(ladder_run, schedule):
    run = ladder_run("sort/15", schedule=schedule)
    assert run.status in (3, 4) and "race" in run.json["why"], run


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_unstable_scatter_is_caught(ladder_run, schedule):
    run = ladder_run("sort/16", schedule=schedule)
    assert run.status == 3 and run.json["why"].startswith("unstable: "), run


def test_unstable_scatter_has_keys_of_its_own(ladder_run):
    """Keys on which it would not show are refused, or not taken."""
    run = ladder_run("sort/16", "--data", "constant")
    assert run.status == 3 and run.json["why"].startswith("unstable: "), run
    run = ladder_run("sort/16", "--size", 200)
    assert run.status == 2 and "--size" in run.err and "4096" in run.err, run


def test_schedules_agree_on_the_family(ladder_tool):
    """Under the checker, too: the race on its lines, nothing in the others."""
    for schedule in SCHEDULES[1:]:  # forward is that of the whole ladder
        done = ladder_tool("sort", "--schedule", schedule)
        assert done.stdout.endswith("\n14 right, 2 caught, 0 wrong\n"), done.stdout


# ---- does the verification find what is wrong? --------------------------------------------------


@pytest.mark.parametrize("rung, old, new", [
    ("01_one_thread", "a[i] <= b[k]", "a[i] <= b[k] || i == 99"),
    ("02_odd_even", "step < n", "step + 2 < n / 2"),
    ("03_rank", "tile[k] == own && first + k < i", "tile[k] == own && first + k > n"),
    ("04_bitonic_global", "size - 1 - pair % (size / 2)", "size / 2 + pair % (size / 2)"),
    ("05_bitonic_shared", "distance >= SORT_TILE;", "distance > SORT_TILE;"),
    ("06_bitonic_warp", "keep(key, size - 1)", "keep(key, size / 2)"),
    ("07_merge_path", "own / (2 * width)", "own / width"),
    ("08_split", "zeros + ones_before", "zeros + ones_before - (one && i + 1 == n)"),
    ("09_radix_digit", "table[d * THREADS + t]++", "table[d * THREADS + t]"),
    ("10_radix_match", "= rank[r] + 1;", "= rank[r] + (r != 2);"),
    ("11_one_sweep", "if (found & TOTAL) break;", "break;"),
    ("12_pairs_argsort", "if (two) {", "if (two == 2) {"),
    ("13_floats", "flipped ^ (flipped >> 31 ?", "flipped ^ (flipped >> 30 ?"),
])
def test_broken_rungs_are_wrong(ladder_run, tmp_path, rung, old, new):
    text = (LADDER / f"sort/{rung}.cu").read_text()
    assert old in text
    text = text.replace(old, new).replace('"../', f'"{LADDER}/')
    path = tmp_path / "01_broken.cu"
    path.write_text(text)
    run = ladder_run(path, "--size", 4097 if rung[:2] != "02" else 1001,
                     options=[f"-I{LADDER / 'sort'}"])
    assert run.status == 1 and run.json["verdict"] == "wrong", run

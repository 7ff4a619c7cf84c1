"""By-key rungs: right at odd sizes, on every kind of data and under every schedule; the lines and
counts that the methods promise; sums that differ with the schedule and sums that must not; the
planted bugs; and the verification itself."""

import os
import re

import pytest

from conftest import KINDS, LADDER, SCHEDULES, headers

SUMS, SCANS, SELECTS, GROUPS = ["01", "05"], ["03"], ["06", "07", "08", "09"], ["12", "13", "14"]
ALL = sorted(SUMS + SCANS + SELECTS + GROUPS + ["02", "04", "10", "11"])
SIZES = [1, 2, 3, 31, 33, 255, 257, 1023, 1025, 2047, 4097, 10001]
FEW_SIZES = [33, 1025, 4097]  # in other orders than forward
FULL = bool(os.environ.get("HEDDLE_TEST_FULL"))


def right(run):
    assert run.status == 0 and run.json["verdict"] == "right", run
    return run


def test_no_rung_is_missing():
    paths = sorted((LADDER / "bykey").glob("*.cu"))
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
    sizes, step = (SIZES, 4) if schedule == SCHEDULES[0] else (FEW_SIZES, 3)
    for size in sizes if FULL else sizes[ALL.index(rung) % step::step]:
        run = right(ladder_run(f"bykey/{rung}", "--size", size, "--seed", size, schedule=schedule))
        assert run.json["size"] == size


@pytest.mark.parametrize("rung", ALL)
def test_kinds_of_data(ladder_run, rung):
    """One run, all selected alike, ties: a constant; of the other kinds some a rung, all with
    HEDDLE_TEST_FULL."""
    others = [kind for kind in KINDS if kind != "constant"]
    some = others if FULL else others[ALL.index(rung) % 3::3]
    for kind in ["constant", *some]:
        right(ladder_run(f"bykey/{rung}", "--data", kind, "--size", 1999))


@pytest.mark.parametrize("rungs, begin", [
    (SUMS, r"\d+ runs in "), (SELECTS, "Selected "), (GROUPS, r"\d+ groups in ")])
@pytest.mark.parametrize("data", ["uniform", "sorted"])
def test_one_result(ladder_run, rungs, begin, data):
    lines = {line for rung in rungs
             for line in right(ladder_run(f"bykey/{rung}", "--data", data, "--size", 1999)).lines
             if re.match(begin, line)}
    assert len(lines) == 1, lines


@pytest.mark.parametrize("rung, line", [
    ("01", "2 2 2 5 5 1 2 2 -> 2 5 1 2 with 6 9 6 15 "),
    ("02", "2 2 2 5 5 1 2 2 -> 2 5 1 2 with 3 2 1 2 "),
    ("03", "2 2 2 5 5 1 2 2 -> 1 3 6 4 9 6 7 15 "),
    ("04", "2 2 2 5 5 1 2 2 -> 1 3 6 4 9 6 7 15 "),
    ("05", "2 2 2 5 5 1 2 2 -> 2 5 1 2 with 6 9 6 15 "),
    ("06", "5 1 4 4294967295 2 8 1 6 -> 1 1 5 4294967295 "),
    ("08", "5 1 4 4294967295 2 8 1 6 -> 5 1 4294967295 1 "),
    ("09", "5 1 4 4294967295 2 8 1 6 -> 5 1 4294967295 1 ")])
def test_eight_elements(ladder_run, rung, line):
    assert line in right(ladder_run(f"bykey/{rung}")).lines


@pytest.mark.parametrize("rung, words, work", [
    ("01", "8 steps", 8), ("03", "8 steps", 17), ("04", "5 steps", 5), ("06", "1 steps", 8)])
def test_cost_of_eight_elements(ladder_run, rung, words, work):
    assert f"8 elements: {words}, work {work}" in right(ladder_run(f"bykey/{rung}")).lines


@pytest.mark.parametrize("rung, reads, writes, atomics", [
    ("01", 2, 0, 0), ("02", 5, 2, 0), ("03", 3, 1, 0), ("04", 3, 1, 0), ("05", 7, 0, 0),
    ("06", 1, .5, .5), ("07", 1, .5, 1 / 32), ("08", 2, .5, 0), ("09", 1, .5, None)])
def test_words_an_element(ladder_run, rung, reads, writes, atomics):
    """From one size to one twice as large: an element's own words, and a little for runs, tiles and
    tables of the scan, which the promise does not name."""
    small, large = (right(ladder_run(f"bykey/{rung}", "--size", size)).json for size in (4096, 8192))
    found = [(large[what] - small[what]) / 4096 for what in ("reads", "writes", "atomics")]
    slack = 1.2 if rung == "02" else 0.07
    assert reads <= found[0] <= reads + slack, found
    assert writes - 0.02 <= found[1] <= writes + slack + 0.07, found
    if atomics is None:  # how often a tile looks back is known to nobody
        assert large["atomics"] >= 4 * 31 + 2
    else:
        assert atomics - 0.02 <= found[2] <= atomics + 0.02, found


def test_selected_elements_are_written_once(ladder_run):
    """An atomic an element, or one a warp that has something to write."""
    runs = [right(ladder_run(f"bykey/{rung}", "--size", 4096)) for rung in ("06", "07")]
    selected, = {int(line.split()[1]) for run in runs for line in run.lines
                 if line.startswith("Selected ")}
    assert [run.json["atomics"] for run in runs] == [selected, 128]
    assert [run.json["writes"] for run in runs] == [selected, selected]


@pytest.mark.parametrize("data, most", [("uniform", [4096, 4096, 40, 4]),
                                        ("constant", [4096, 4096, 4096, 4096])])
def test_radix_select_reads_piles(ladder_run, data, most):
    """All keys for two digits, a pile for the others; where all are equal the pile is all."""
    lines = right(ladder_run("bykey/10", "--size", 4096, "--data", data)).lines
    read = [list(map(int, line.split("by digit: ")[1].split())) for line in lines
            if line.startswith("Rank ")]
    assert len(read) == 4
    for keys in read:
        assert keys[:2] == [4096, 4096] and all(k <= m for k, m in zip(keys, most)), keys
        assert keys == sorted(keys, reverse=True) and keys[3] >= 1
    assert data != "constant" or read == 4 * [4 * [4096]]


def test_ties_go_by_position(ladder_run):
    """Of equal keys the first ones are the smallest."""
    assert ("The 250 smallest of 1999: up to 42, first 42, last 42" in
            right(ladder_run("bykey/11", "--size", 1999, "--data", "constant")).lines)


# ---- float sums: by atomics any bits, by a sort one -----------------------------------------------


def bits(run):
    line, = [line for line in right(run).lines if line.startswith("Bits ")]
    return line.split()[-1]


def test_float_sums_by_atomics_depend_on_the_order(ladder_run):
    runs = [ladder_run("bykey/12", schedule=schedule) for schedule in SCHEDULES[:2]]
    assert all(right(run).json["float_sums_differ"] > 20 for run in runs)
    assert len({bits(run) for run in runs}) == 2


def test_float_sums_by_a_sort_do_not(ladder_run):
    runs = [ladder_run("bykey/13", schedule=schedule) for schedule in (*SCHEDULES, "random:8")]
    assert all(right(run).json["float_sums_differ"] == 0 for run in runs)
    assert len({bits(run) for run in runs}) == 1


def test_exact_float_sums_do_not_know_the_order_of_the_input(ladder_run):
    lines = right(ladder_run("bykey/14")).lines
    assert "Exact float sums that differ, last element first: 0 of 101" in lines


def test_the_hash_table_moves_fewer_words(ladder_run):
    """And pays in atomics on global memory, of which the sort has none."""
    table, sort = (right(ladder_run(f"bykey/{rung}", "--size", 8192)).json for rung in ("12", "13"))
    words = [run["reads"] + run["writes"] for run in (table, sort)]
    assert words[0] < words[1] / 5
    assert table["atomics"] > 0 and sort["atomics"] == 0


# ---- planted bugs -------------------------------------------------------------------------------


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_the_lost_flag_is_caught(ladder_run, schedule):
    run = ladder_run("bykey/15", schedule=schedule)
    assert run.status == 3 and run.json["why"].startswith("carry: 14 of 41 sums"), run


def test_the_lost_flag_has_keys_of_its_own(ladder_run):
    """Keys on which it would not show are refused, or not taken."""
    run = ladder_run("bykey/15", "--data", "constant")
    assert run.status == 3 and run.json["why"].startswith("carry: "), run
    run = ladder_run("bykey/15", "--size", 512)
    assert run.status == 2 and "--size" in run.err and "1024" in run.err, run


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_race_is_never_called_right(ladder_run, schedule):
    run = ladder_run("bykey/16", schedule=schedule)
    assert run.status == 4 and run.json["why"].startswith("race: "), run


def test_schedules_agree_on_the_family(ladder_tool):
    """Under the checker, too: the race on its line, nothing in the others."""
    for schedule in SCHEDULES[1:]:  # forward is that of the whole ladder
        done = ladder_tool("bykey", "--schedule", schedule)
        assert done.stdout.endswith("\n14 right, 2 caught, 0 wrong\n"), done.stdout


# ---- does the verification find what is wrong? --------------------------------------------------


@pytest.mark.parametrize("rung, old, new", [
    ("01_one_thread", "sum = 0;\n    }", "sum = runs == 3;\n    }"),
    ("02_heads", "run + 1 < runs ?", "run + 2 < runs ?"),
    ("03_segmented_scan", "&& !flag[t] ? sum", "? sum"),
    ("04_warp_scan", "distance <= to_head", "distance < to_head"),
    ("05_reduce_by_key", "b.heads ? b.sum : a.sum + b.sum", "a.sum + b.sum"),
    ("06_atomic_select", "in[i] % 2 == 0) return", "in[i] % 2 == 0 || i % 64 == 9) return"),
    ("07_warp_select", "askers & ((1u << lane) - 1)", "askers & ((2u << lane) - 1)"),
    ("08_stable_select", "if (w == warp) before = sum;", "if (w == 1) before = sum;"),
    ("09_one_pass_select", "before += found & VALUE;", "before += (found & VALUE) + 1;"),
    ("10_radix_select", "c->rank = rank - (upto[t] - own);", "c->rank = rank;"),
    ("11_top_k", "equal_before < ties", "equal_before < ties - 1"),
    ("12_hash_groups", "found == EMPTY || found == key", "true"),
    ("13_sort_groups", "sort_pairs(m->p", "if (m->work == NULL) sort_pairs(m->p"),
])
def test_broken_rungs_are_wrong(ladder_run, tmp_path, rung, old, new):
    text = (LADDER / f"bykey/{rung}.cu").read_text()
    assert old in text
    text = text.replace(old, new).replace('"../', f'"{LADDER}/')
    path = tmp_path / "01_broken.cu"
    path.write_text(text)
    data = ("--data", "and3") if rung[:2] == "11" else ()
    run = ladder_run(path, "--size", 4097, *data, options=[f"-I{LADDER / 'bykey'}"])
    assert run.status == 1 and run.json["verdict"] == "wrong", run

"""Histogram rungs: right on every kind of data, at odd sizes, under every schedule; the counts
that the methods promise; the planted bugs."""

import pytest

from conftest import KINDS, LADDER, SCHEDULES

BYTES = ["00", "01", "02", "03", "04", "05", "06", "07", "08", "11", "14"]
MIB = 1 << 20


def right(run):
    assert run.status == 0 and run.json["verdict"] == "right", run
    return run


def test_no_rung_is_missing():
    names = [path.stem for path in sorted((LADDER / "histogram").glob("*.cu"))]
    assert [name[:2] for name in names] == [f"{i:02}" for i in range(15)]
    assert sum("bug" in name for name in names) == 2


@pytest.mark.parametrize("rung", BYTES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_data(ladder_run, rung, kind):
    run = right(ladder_run(f"histogram/{rung}", "--data", kind, "--size", 40001))
    assert "Histogram Sum: 40001" in run.lines


@pytest.mark.parametrize("rung", BYTES)
@pytest.mark.parametrize("size", [1, 3, 31, 255, 1023, 1025, 66667])
def test_odd_sizes(ladder_run, rung, size):
    run = right(ladder_run(f"histogram/{rung}", "--size", size, "--seed", size))
    assert f"Histogram Sum: {size}" in run.lines


@pytest.mark.parametrize("rung", BYTES + ["09", "10"])
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_every_schedule(ladder_run, rung, schedule):
    right(ladder_run(f"histogram/{rung}", "--size", 70001, schedule=schedule))


@pytest.mark.parametrize("rung", BYTES)
def test_default_size_is_a_mebibyte(ladder_run, rung):
    run = right(ladder_run(f"histogram/{rung}"))
    assert f"Histogram Sum: {MIB}" in run.lines


@pytest.mark.parametrize("rung, key, mebibytes, adds", [
    ("03", "global_adds", 8, 2097152), ("04", "global_adds_8", 8, 262144),
    ("04", "global_adds_32", 8, 65536), ("04", "global_adds_128", 8, 16384),
    ("06", "global_adds", 8, 67584), ("06", "global_adds", 100, 67584)])
def test_global_adds(ladder_run, rung, key, mebibytes, adds):
    run = right(ladder_run(f"histogram/{rung}", "--size", f"{mebibytes}M"))
    assert f"Histogram Sum: {mebibytes * MIB}" in run.lines
    assert run.json[key] == adds
    if rung != "04":
        assert run.json["atomics"] == adds  # counted, not computed


@pytest.mark.parametrize("rung", ["01", "02"])
def test_adds_and_sectors(ladder_run, rung):
    run = right(ladder_run(f"histogram/{rung}", "--size", "8M"))
    assert run.json["atomics"] == run.json["global_adds"] == 8 * MIB
    assert run.json["sectors"] == 8 * MIB // 32


def test_words_are_a_quarter_of_the_loads(ladder_run):
    reads = [right(ladder_run(f"histogram/{rung}")).json["reads"] for rung in ("01", "02")]
    assert reads == [MIB, MIB // 4]


def test_private_needs_no_atomics(ladder_run):
    run = right(ladder_run("histogram/07"))
    assert run.json["atomics"] == run.json["shared_atomics"] == 0
    # n adds, and 256 bins of 1024 counts each added up
    assert run.json["work"] >= MIB + 256 * 1023


def test_sort_shows_its_example(ladder_run):
    assert "keys 2 1 1 2 1 0 2 2 -> counts 1 3 4" in right(ladder_run("histogram/08")).lines


def test_constant_data_is_one_run_a_tile(ladder_run):
    run = right(ladder_run("histogram/08", "--data", "constant"))
    assert run.json["atomics"] == MIB // 256


def test_bins(ladder_run):
    table = right(ladder_run("histogram/09")).json["bin_counts"]
    assert [row["bins"] for row in table] == [2**k for k in range(1, 17)]
    assert 32000 < table[0]["worst"] < 33600  # of 65,536 items in two bins
    assert table[-1]["worst"] < 16


def test_contention(ladder_run):
    run = right(ladder_run("histogram/10"))
    assert run.json["size"] == 524288
    assert run.json["worst_of_4"] == 131072 and run.json["worst_of_1"] == 524288
    assert "four values: up to 131072 adds an address" in run.lines


def test_reductions_by_key(ladder_run):
    """Beside the counts: where each byte occurs first and last."""
    run = right(ladder_run("histogram/14", "--data", "constant", "--size", 40001))
    assert "byte 42 of 1 different ones: first at 0, last at 40000" in run.lines


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_race_is_never_called_right(ladder_run, schedule):
    run = ladder_run("histogram/12", schedule=schedule)
    assert run.status in (3, 4) and "race" in run.json["why"], run


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_negative_value_is_caught(ladder_run, schedule):
    run = ladder_run("histogram/13", schedule=schedule)
    assert run.status == 3, run
    assert "out of bounds" in (run.json["why"] if run.json else "") + run.err


def test_a_wrong_bin_is_named(ladder_run, tmp_path):
    """The verification itself: a kernel that miscounts one value must be found out."""
    source = (LADDER / "histogram/01_global_atomics.cu").read_text()
    broken = source.replace("&bins[data[i]]", "&bins[data[i] == 77 ? 78 : data[i]]")
    assert broken != source
    path = tmp_path / "01_broken.cu"
    path.write_text(broken.replace("../common", str(LADDER / "common")))
    run = ladder_run(path, count=False)
    assert run.status == 1 and run.json["verdict"] == "wrong", run
    assert run.json["why"].startswith("bin 77 holds 0, should hold "), run

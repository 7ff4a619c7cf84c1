"""Rungs on hierarchy, divergence and warp functions: right at default and odd sizes and under
every schedule, with the very lines and counts of the course; the planted bugs."""

import re

import pytest

from conftest import LADDER, SCHEDULES, headers

FAMILIES = {"hierarchy": 33, "divergence": 12, "warp": 17}
RUNGS = [f"{path.parent.name}/{path.stem}" for family in FAMILIES
         for path in sorted((LADDER / family).glob("[0-9][0-9]_*.cu"))]
BUGS = {"hierarchy/14_bug_zero_blocks": "caught launch error",
        "hierarchy/16_bug_no_bounds_check": "caught out-of-bounds",
        "hierarchy/17_bug_host_array": "caught host-pointer",
        "hierarchy/18_bug_all_to_one": "caught race",
        "warp/10_bug_masks": "caught warp-mask"}
GOOD = [rung for rung in RUNGS if rung not in BUGS]


def right(run):
    assert run.status == 0 and run.json["verdict"] == "right" and not run.err, run
    return run


def test_no_rung_is_missing():
    for family, count in FAMILIES.items():
        numbers = [rung.split("/")[1][:2] for rung in RUNGS if rung.startswith(family)]
        assert numbers == [f"{i:02}" for i in range(1, count + 1)]
    expected = {rung: BUGS.get(rung, "right") for rung in RUNGS}
    assert {rung: headers(LADDER / f"{rung}.cu")["expect"] for rung in RUNGS} == expected


@pytest.mark.parametrize("rung", GOOD)
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_every_schedule(ladder_run, rung, schedule):
    right(ladder_run(rung, schedule=schedule))


@pytest.mark.parametrize("rung", GOOD)
@pytest.mark.parametrize("size", [1, 31, 33, 127, 1025, 40001])
def test_odd_sizes(ladder_run, rung, size):
    right(ladder_run(rung, "--size", size, "--seed", size))


# ---- exact lines ------------------------------------------------------------------------------

LINES = {
    "hierarchy/01": ["128 products in 128 steps"],
    "hierarchy/02": ["128 products by 1 block of 128 threads"],
    "hierarchy/03": ["128 products by 2 blocks of 64 threads"],
    "hierarchy/04": ["128 products by 2 x 2 blocks of 8 x 4 threads"],
    "hierarchy/06": ["65536 calls on the device, 0 differ from the host's"],
    "hierarchy/10": ["last sum of 1000: 999000"],
    "hierarchy/13": ["<<<1, 512>>>: 512 threads ran",
                     "<<<1, 1024>>>: 1024 threads ran",
                     "<<<1, 1025>>>: invalid argument",
                     "<<<1, 33792>>>: invalid argument",
                     "<<<1, 1024>>>: 1024 threads ran"],
    "hierarchy/15": ["threads a block 1024, block (1024,1024,64), grid (2147483647,65535,65535)",
                     "old limit 65535 * 128 = 8388480 elements; 65536 blocks of 128: 8388608 "
                     "elements, 0 wrong",
                     "<<<(1,65535,1), (1,1,1)>>>: runs",
                     "<<<(1,1,65535), (1,1,1)>>>: runs",
                     "<<<(1,65536,1), (1,1,1)>>>: refused",
                     "<<<(1,1,65536), (1,1,1)>>>: refused",
                     "<<<(2147483648,1,1), (1,1,1)>>>: refused",
                     "<<<(1,1,1), (1,1024,1)>>>: runs",
                     "<<<(1,1,1), (16,1,64)>>>: runs",
                     "<<<(1,1,1), (1,1,65)>>>: refused",
                     "<<<(1,1,1), (32,33,1)>>>: refused"],
    "hierarchy/19": ["  64 threads (64 x 1 x 1):  2 warps,  0 idle lanes",
                     "  65 threads (65 x 1 x 1):  3 warps, 31 idle lanes",
                     "   1 threads (1 x 1 x 1):  1 warps, 31 idle lanes",
                     "1023 threads (33 x 31 x 1): 32 warps,  1 idle lanes",
                     " 512 threads (8 x 8 x 8): 16 warps,  0 idle lanes",
                     "1024 threads (1024 x 1 x 1): 32 warps,  0 idle lanes",
                     "  65 threads (65 x 1 x 1):  3 warps, 31 idle lanes"],
    "hierarchy/23": ["132 multiprocessors hold 4 blocks of 512 threads each: room for 528",
                     "1584 blocks launched, 1584 ran, 0 left over, never more than the room at a "
                     "time"],
    "divergence/11": ["n = 1000: 31 warps full, 1 cut, 0 outside; 8 of 32 lanes in the cut one",
                      "n = 33792: 1056 warps full, 0 cut, 0 outside",
                      "n = 127: 3 warps full, 1 cut, 0 outside; 31 of 32 lanes in the cut one"],
    "divergence/12": ["32 lanes took their turn in each of 64 warps; sum in lane order 4169633680"],
    "warp/08": ["thread ids: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15",
                "lanes: 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7",
                "FULL_MASK = ffffffff",
                "mask1 = ballot(tid>0) = fffe",
                "mask2 = ballot(tid==0) = 1",
                "all(full, tid) = 0",
                "all(mask1, tid) = 1",
                "any(full, tid) = 1",
                "any(mask2, tid) = 0",
                "shfl(tid,2): 2 2 2 2 2 2 2 2 10 10 10 10 10 10 10 10",
                "up 1: 0 0 1 2 3 4 5 6 8 8 9 10 11 12 13 14",
                "down 1: 1 2 3 4 5 6 7 7 9 10 11 12 13 14 15 15",
                "xor 1: 1 0 3 2 5 4 7 6 9 8 11 10 13 12 15 14"],
    "warp/09": ["up 2: 0 1 0 1 2 3 4 5 0 1 0 1 2 3 4 5",
                "down 2: 2 3 4 5 6 7 6 7 2 3 4 5 6 7 6 7",
                "xor 2: 2 3 0 1 6 7 4 5 2 3 0 1 6 7 4 5",
                "xor 3: 3 2 1 0 7 6 5 4 3 2 1 0 7 6 5 4"],
    "warp/11": ["48 x 48 product, 0 elements wrong"],
    "warp/15": ["7 rounds over 4096 elements in one launch of 8 blocks",
                "one block more than there is room for: too many blocks in cooperative launch"],
}
for _rung in ("07", "08", "09", "11", "12"):
    LINES[f"hierarchy/{_rung}"] = ["sum[33791] = 1141865472", "last sum of 33792: 1141865472"]
for _rung in ("29", "30", "31", "32", "33"):
    LINES[f"hierarchy/{_rung}"] = ["same word in all lanes: 0 of 65536 elements wrong",
                                   "32 different words: 0 of 65536 elements wrong",
                                   "times: GPU only"]
for _rung in ("03", "04", "05", "06"):
    LINES[f"warp/{_rung}"] = [f"{name:<18} widths 2 to 32: 4288 values, 0 wrong" for name in
                              ("int", "unsigned", "long", "unsigned long", "long long",
                               "unsigned long long", "float", "double")]


@pytest.mark.parametrize("rung", sorted(LINES))
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_lines(ladder_run, rung, schedule):
    run = right(ladder_run(rung, schedule=schedule))
    assert run.lines == LINES[rung] + ["right"]


@pytest.mark.parametrize("rung, percent", [
    ("01", 100.0), ("02", 50.0), ("03", 50.0), ("04", 100.0), ("05", 100.0), ("06", 3.1),
    ("07", 51.6), ("08", 43.4), ("09", 3.1), ("10", 50.0)])
def test_efficiency_by_hand(ladder_run, rung, percent):
    run = right(ladder_run(f"divergence/{rung}"))
    assert run.lines[0] == f"0 wrong of 16384 compared, SIMT efficiency {percent:.1f}% by hand"


def test_efficiency_of_a_cut_warp_is_below_100(ladder_run):
    run = right(ladder_run("divergence/01", "--size", 33))
    assert run.json["efficiency_by_hand"] == 33 / 64


def coordinates(grid, block):
    for b in range(grid[0] * grid[1] * grid[2]):
        for t in range(block[0] * block[1] * block[2]):
            at = [(i % d[0], i // d[0] % d[1], i // d[0] // d[1])
                  for i, d in ((t, block), (b, grid))]
            yield ("thread {} {} {} of {} {} {}, block {} {} {} of {} {} {}"
                   .format(*at[0], *block, *at[1], *grid))


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_the_twelve_coordinates(ladder_run, schedule):
    run = right(ladder_run("hierarchy/05", schedule=schedule))
    assert run.lines == ["one dimension: <<<2, 4>>>",
                         *coordinates((2, 1, 1), (4, 1, 1)),
                         "two dimensions: <<<(2,2), (2,2)>>>",
                         *coordinates((2, 2, 1), (2, 2, 1)),
                         "three dimensions: <<<(1,2,2), (3,1,2)>>>",
                         *coordinates((1, 2, 2), (3, 1, 2)),
                         "warpSize 32", "right"]


def test_occupancy(ladder_run):
    blocks = [int(re.search(r": +(\d+) blocks", line)[1])
              for line in right(ladder_run("hierarchy/22")).lines[:-1]]
    assert blocks == [32, 32, 21, 16, 8, 4, 2, 2, 8, 4, 3, 2, 2, 1]


def test_device_query_is_an_h200(ladder_run):
    run = right(ladder_run("hierarchy/21"))
    got = dict(re.split(r"  +", line, maxsplit=1) for line in run.lines if "  " in line)
    got.update((line[:34].rstrip(), line[35:]) for line in run.lines if len(line) > 35)
    assert got["devices"] == "1, the first: simt (software CUDA device)"
    assert got["compute capability"] == "9.0"
    for name, value in [("multiprocessors", 132), ("threads a multiprocessor", 2048),
                        ("blocks a multiprocessor", 32), ("registers a multiprocessor", 65536),
                        ("shared bytes a block", 49152), ("grid x", 2**31 - 1), ("grid y", 65535),
                        ("shared bytes a block, on request", 227 * 1024)]:
        assert got[name] == str(value), name


def tickets(run):
    return [line for line in right(run).lines if line.startswith("tickets")][0]


def test_block_order_follows_the_schedule(ladder_run):
    run = {order: tickets(ladder_run("hierarchy/20", schedule=order,
                                     options=("--threads", "1")))
           for order in ("forward", "reverse", "random:1", "random:2")}
    assert run["forward"] == "tickets of blocks 0 to 7: 0 1 2 3 4 5 6 7"
    assert run["reverse"] == "tickets of blocks 0 to 7: 999 998 997 996 995 994 993 992"
    assert len(set(run.values())) == 4


# ---- counts -----------------------------------------------------------------------------------

@pytest.mark.parametrize("rung, counts", [
    ("hierarchy/01", {"steps": 128, "work": 128}),
    ("hierarchy/02", {"steps": 1, "work": 128, "reads": 256, "writes": 128}),
    ("hierarchy/03", {"steps": 1, "work": 128, "reads": 256, "writes": 128}),
    ("hierarchy/04", {"steps": 1, "work": 128, "reads": 256, "writes": 128}),
    ("hierarchy/07", {"steps": 1, "work": 33792, "reads": 67584, "writes": 33792}),
    ("hierarchy/12", {"steps": 3, "work": 33792, "reads": 67584, "writes": 33792}),
    ("hierarchy/20", {"work": 1000, "atomics": 1000}),
    ("hierarchy/32", {"steps": 2, "work": 1 << 21, "reads": 8192, "writes": 65536}),
    ("divergence/01", {"steps": 32, "work": 16384 * 32}),
    ("divergence/02", {"steps": 64, "work": 16384 * 32}),
    ("divergence/03", {"steps": 64, "work": 16384 * 32}),
    ("divergence/04", {"steps": 32, "work": 16384 * 32}),
    ("divergence/05", {"steps": 32, "work": 16384 * 32}),
    ("divergence/06", {"steps": 1024, "work": 16384 * 32}),
    ("divergence/07", {"steps": 32, "work": 512 * 528}),
    ("divergence/09", {"steps": 1024, "work": 16384 * 32}),
    ("divergence/10", {"steps": 32, "work": 8192 * 32}),
    ("warp/12", {"steps": 8, "work": 256 * 255, "reads": 65536, "writes": 256}),
    ("warp/15", {"steps": 7, "work": 7 * 2 * 4096}),
    ("warp/17", {"steps": 4, "reads": 16384, "writes": 16384})])
def test_counts(ladder_run, rung, counts):
    run = right(ladder_run(rung))
    assert {key: run.json[key] for key in counts} == counts


# ---- planted bugs -----------------------------------------------------------------------------

def caught(run, kind):
    assert run.status == 3 and run.json["verdict"] == "caught", run
    assert run.json["why"].startswith(kind + ": "), run
    return run


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_zero_blocks(ladder_run, schedule):
    run = caught(ladder_run("hierarchy/14", schedule=schedule), "launch error")
    assert run.lines[0] == "<<<0, 128>>> for 127 elements: invalid argument, 127 elements untouched"
    run = caught(ladder_run("hierarchy/14", "--size", 200, schedule=schedule), "wrong result")
    assert run.lines[0] == "<<<1, 128>>> for 200 elements: no error, 72 elements untouched"


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("size", [1, 100, 127, 1000, 1023, 1024, 40001])
def test_no_bounds_check(ladder_run, schedule, size):
    run = caught(ladder_run("hierarchy/16", "--size", size, schedule=schedule), "out of bounds")
    assert "cudaErrorIllegalAddress (700)" in run.json["why"]
    assert re.search(r"out of bounds: kernel add \(\S*16_bug_no_bounds_check\.cu:\d+\), "
                     r"block \(\d+,0,0\), thread \(\d+,0,0\), address 0x[0-9a-f]+: .* behind the "
                     r"\d+ bytes at 0x[0-9a-f]+ from cudaMalloc", run.err), run


def test_no_bounds_check_names_the_thread(ladder_run):
    run = ladder_run("hierarchy/16", schedule="forward", options=("--threads", "1"))
    assert "block (7,0,0), thread (104,0,0)" in run.err
    assert "behind the 4000 bytes" in run.err


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("size", [1000, 100000])
def test_host_array(ladder_run, schedule, size):
    run = caught(ladder_run("hierarchy/17", "--size", size, schedule=schedule), "host pointer")
    text = "an illegal memory access was encountered"
    assert run.lines[:2] == [f"a host array in a kernel: {text}", f"the next call: {text}"]
    assert re.search(r"host pointer: kernel add .*block \(\d+,0,0\), thread \(\d+,0,0\), address",
                     run.err), run


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_all_to_one(ladder_run, schedule):
    run = ladder_run("hierarchy/18", schedule=schedule)
    if run.status == 4:  # without a race checker
        assert run.json["verdict"] == "needs check", run
    else:
        assert run.status == 3 and "race" in run.err, run
    assert int(re.fullmatch(r"1024 threads stored, thread (\d+) won this time",
                            run.lines[0])[1]) < 1024


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_wrong_masks(ladder_run, schedule):
    run = ladder_run("warp/10", schedule=schedule)
    assert run.status == 3, run
    assert re.search(r"wrong warp mask: kernel demonstrate \(\S*10_bug_masks\.cu:\d+\), block "
                     r"\(0,0,0\), warp 0: __a(ll|ny)_sync at \S*10_bug_masks\.cu:\d+ with mask "
                     r"(0000fffe|00000001) .*lanes that called: [0-9a-f]{8}", run.err), run

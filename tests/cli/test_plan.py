"""info --plan: which kernel runs from which size on."""

import csv
import io
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src"
ENV = {"HEDDLE_ISA": "scalar"}

SUM_F32 = """\
reduce sum f32
   elements  strategy                 threads       blocks      shared  kernel
          1  short_chunk                    1            1           0  sum_f32_f32
       2048  few_chunks                     1            1           0  sum_f32_f32
     116736  one_thread                     1            1           0  sum_f32_f32
     262144  waves                        1-4            1           0  sum_f32_f32
"""
BY_BINS = """\
histogram i32 of 2^28 elements into integer bins
       bins  strategy                 threads       blocks      shared  kernel
          1  copies                         4            1           0  hd_cpu_count_copies
       1150  flat                           4            1           0  hd_cpu_count_u32
       6141  narrow                         4            1           0  hd_cpu_count_u16
      32766  flat                           4            1           0  hd_cpu_count_u32
    4194302  shared                         4            1           0  hd_cpu_count_shared
"""


def test_table_of_a_cpu(heddle):
    text = heddle.text("info", "--plan", "--device", "cpu:4", env=ENV)
    assert text.startswith("device cpu:4, scalar, 4 processors, 0 bytes")
    assert SUM_F32 in text and BY_BINS in text
    assert max(map(len, text.splitlines())) <= 100
    titles = [block.split("\n")[0].split()[0] for block in text.split("\n\n")[1:]]
    assert set(titles) == {"reduce", "dot", "argmin", "describe", "scan", "histogram", "sort", "argsort", "nth",
                           "quantiles", "partial_sort", "select", "reduce_by_key", "scan_by_key", "groups_reduce",
                           "scatter_reduce", "histogram_nd"}


def test_keys_groups_and_grids(heddle):
    """Lines of the families whose calls have names, in the CPU's own words."""
    plan = heddle.json("info", "--plan", "--device", "cpu:2", "--op", "max", "--type", "f64", env=ENV)
    lines = {t["call"]: [(line["from"], line["strategy"], line["kernel"]) for line in t["lines"]] for t in plan["plan"]}
    assert lines["reduce_by_key max f64 with keys i32"] == [(1, "runs", "max_f64")]
    assert lines["scan_by_key max f64 with keys i32"] == [(1, "offsets", "max_f64")]
    assert lines["histogram_nd f64 of 2^24 points, even bins of each of 2 axes"][-1][1] == "shared"
    into, by = "by ids i32 into 1,000 groups", "of 2^24 rows by ids i32"
    ways = {call: [[way for _, way, _ in lines[f"{call} max f64 {of}"]] for of in (into, by)]
            for call in ("groups_reduce", "scatter_reduce")}
    assert ways == {"groups_reduce": [["gathered", "windows", "gathered"], ["windows", "gathered"]],
                    "scatter_reduce": [["gathered", "moved", "chunked", "gathered"], ["chunked", "moved"]]}
    assert {kernel for call in ways for of in (into, by) for _, _, kernel in lines[f"{call} max f64 {of}"]} == {"max_f64"}
    units = {t["call"].split()[0]: t["unit"] for t in plan["plan"]}
    assert (units["scatter_reduce"], units["histogram_nd"]) == ("groups", "bins")


def sound(plan):
    """Lines follow each other without a gap, each by another strategy or kernel."""
    for table in plan["plan"]:
        lines = table["lines"]
        assert lines[0]["from"] == 1 and lines[-1]["to"] in (1 << 34, 1 << 28, 1 << 24, 1 << 14)
        for line in lines:
            assert line["from"] <= line["to"] and (SOURCE / line["file"]).is_file()
            assert line["threads"][0] >= 1
            assert max(line["shared_bytes"]) <= plan["shared_most"]
        for a, b in zip(lines, lines[1:]):
            assert a["to"] + 1 == b["from"]
            assert (a["strategy"], a["kernel"]) != (b["strategy"], b["kernel"])


def test_json_and_csv_say_the_same(heddle):
    args = ("info", "--plan", "--device", "cpu:3")
    plan = heddle.json(*args, env=ENV)
    sound(plan)
    assert plan["device"] == "cpu:3" and plan["isa"] == "scalar" and plan["processors"] == 3
    rows = list(csv.DictReader(io.StringIO(heddle.text(*args, "--csv", env=ENV))))
    assert [(r["call"], r["from"], r["kernel"]) for r in rows] == [
        (t["call"], str(line["from"]), line["kernel"]) for t in plan["plan"] for line in t["lines"]]


def test_kernels_of_the_software_device(heddle):
    if not any(d["found"] for d in heddle.json("info")["devices"] if d["device"].startswith("simt")):
        pytest.skip("the software device is not built")
    plan = heddle.json("info", "--plan", "--device", "simt")
    sound(plan)
    tables = {t["call"]: t["lines"] for t in plan["plan"]}
    assert [line["strategy"] for line in tables["reduce sum f32"]] == ["single_block", "one_wave",
                                                                          "one_pass"]
    assert [line["kernel"] for line in tables["reduce sum i32"]] == ["heddle_fold_order_free"]
    assert [line["strategy"] for line in tables["sort f32"]] == ["short", "network", "merged", "one_sweep"]
    assert {"search", "sorted"} == {line["strategy"] for line in tables["quantiles f32"]}
    assert [line["strategy"] for line in tables["partial_sort f32"]][-1] == "search"
    columns = tables["reduce sum f32 along columns, 2^24 elements in all"]
    assert "heddle_fold_rows_per_thread_end" in [line["then"] for line in columns]


def test_operator_and_type(heddle):
    calls = [t["call"] for t in heddle.json("info", "--plan", "--op", "xor", "--type", "u16")["plan"]]
    assert calls[:2] == ["reduce xor u16", "dot u16"] and "scan xor u16" in calls
    left = [t["call"] for t in heddle.json("info", "--plan", "--op", "any")["plan"]]
    assert "reduce any f32" in left and not any(call.startswith("scan") for call in left)
    assert "reduce_by_key any f32 with keys i32" in left
    assert "--type is for info --plan" in heddle.error("info", "--type", "f32", code=2)
    assert "--op is for info --plan" in heddle.error("info", "--op", "max", code=2)

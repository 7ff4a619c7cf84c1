"""No false report: every program of programs/ that is right gives no finding under heddle-check
and still ends as its first lines say. The rungs of the ladder are in tests/ladder/test_clean.py.

What is wrong on purpose stands in WRONG with the classes that must be found and the reason.
By hand, with failures as one line each:
.venv/bin/python tests/simt/test_clean.py [PATTERN] [--schedule NAME] [-v] [--jobs N]
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pytest

from conftest import PROGRAMS, Program, programs
from test_bugs import brief, find_check

LIMIT = 120  # seconds for compiling and one checked run

# Programs with findings: what must be found, all of it and nothing else, and why.
WRONG = {
    "api_copy_3d": ({"host-pointer"}, "a copy in the wrong direction is refused"),
    "api_device": ({"double-free"}, "frees again what cudaDeviceReset has freed"),
    "api_host_memory": ({"invalid-free", "double-free"}, "what cudaFreeHost refuses"),
    "api_many_allocations": ({"double-free"}, "a second cudaFree is refused"),
    "api_memory": ({"invalid-free", "double-free", "host-pointer", "out-of-bounds",
                    "null-pointer", "use-after-free"}, "what cudaFree, copies and fills refuse"),
    "api_memory_pools": ({"double-free"}, "a second cudaFreeAsync is refused"),
    "api_sticky": ({"null-pointer"}, "errors that stay"),
    "api_symbols": ({"out-of-bounds"}, "copies behind a symbol are refused"),
    "atomics_all": ({"race"}, "atomicAdd_block on what several blocks share"),
    "bad_barrier_two_lines": ({"barrier-divergence"}, "two barriers of one block"),
    "bad_divergent_barrier": ({"barrier-divergence"}, "a barrier in a branch"),
    "bad_endless_loop": ({"no-progress"}, "a kernel without end"),
    "bad_fault_ignored": ({"out-of-bounds"}, "a stride that is too large"),
    "bad_host_kinds": ({"host-pointer"}, "memory of malloc, on the stack"),
    "bad_host_pointer": ({"host-pointer"}, "memory of malloc"),
    "bad_host_small": ({"host-pointer"}, "memory of malloc"),
    "bad_host_stack": ({"host-pointer"}, "a variable of main"),
    "bad_lock_deadlock": ({"no-progress"}, "a lock that its holder takes again"),
    "bad_null_pointer": ({"null-pointer"}, "a null argument"),
    "phases_leaves": ({"warp-mask"}, "full masks where lanes have returned"),
    "phases_warps": ({"warp-mask"}, "full masks where lanes are not there, or have returned"),
    "bad_oob_phases": ({"out-of-bounds"}, "no bounds check between barriers"),
    "bad_oob_read": ({"out-of-bounds"}, "element -1"),
    "bad_oob_write": ({"out-of-bounds"}, "no bounds check"),
    "bad_shared_oob": ({"out-of-bounds"}, "behind a shared array"),
    "bad_spin_forever": ({"no-progress"}, "a flag that nobody sets"),
    "bad_stack_overflow": ({"stack-overflow"}, "recursion without end"),
    "bad_use_after_free": ({"use-after-free"}, "a freed argument"),
    "err_illegal_address_sticky": ({"out-of-bounds"}, "an error that stays"),
    "err_memory_calls": ({"invalid-free", "double-free", "out-of-bounds"}, "what calls refuse"),
    "err_assert_trap": ({"assert"}, "an assertion that fails"),
    "err_trap": ({"assert"}, "a kernel that ends itself"),
    "late_end": ({"race"}, "the host reads without waiting"),
    "late_errors": ({"null-pointer"}, "what the kernel writes to when told"),
    "late_poll": ({"no-progress"}, "a flag that nobody sets"),
    "graph_bfs": ({"race"}, "vertices of one level write the same flag, as samples have it"),
    "graph_pagerank_components": ({"race"}, "many threads set one flag to true"),
    "lang_lockstep_volatile": ({"race"}, "lanes in step without __syncwarp: races since Volta"),
    "lang_volatile_slow_lane": ({"race"}, "lanes in step without __syncwarp"),
    "sync_lock_forms": ({"double-free"}, "a lock passed by value frees its memory in each copy"),
}

# What takes minutes when each access is checked: their volume is what they test, not their form.
TOO_LONG = {"bad_huge_grid", "half_fp8", "lang_rounds_half", "lang_volatile_scans", "mem_big_arrays",
            "sync_long_threads"}


ALL = [p for p in programs() if p.outcome != "compile error" and p.name not in TOO_LONG]


def judge(program, status, stdout, stderr, report):
    """None if the run is as it should be, else what is not."""
    found = report["findings"]
    if program.name in WRONG:
        wanted, _ = WRONG[program.name]
        classes = {f["class"] for f in found}
        return None if classes == wanted else f"found {sorted(classes)}, not {sorted(wanted)}"
    if found:
        return "; ".join(brief(f, program.main.name) for f in found)
    return program.judge(status, stdout, stderr)


def check_program(tool, program, schedule, environment):
    """What was wrong, or None; and what the tool wrote."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        command = [str(tool), f"--json={report}", "--schedule", schedule, "--leaks", "yes", *program.flags,
                   *map(str, program.sources), "--", *program.args]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                                  stdin=subprocess.DEVNULL, cwd=program.main.parent,
                                  timeout=LIMIT, env={**environment, **program.environment})
        except subprocess.TimeoutExpired:
            return f"still running after {LIMIT} s", ""
        wrote = f"---- stdout\n{done.stdout[-1500:]}\n---- stderr\n{done.stderr[-3000:]}\n"
        try:
            found = json.loads(report.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            return f"status {done.returncode}, no report ({error})", wrote
        wrong = judge(program, done.returncode, done.stdout, done.stderr, found)
        return wrong, wrote + json.dumps(found, indent=1)[:6000]


@pytest.fixture(scope="module")
def judged(request, simt_environment):
    """judged(program): waits for its run; the chosen ones all start with the first."""
    tool = find_check()
    assert tool, "no heddle-check: build it, or name it in $SIMT_CHECK_TOOL"
    chosen = {item.callspec.params["clean"].name: item.callspec.params["clean"]
              for item in request.session.items
              if "clean" in getattr(getattr(item, "callspec", None), "params", {})}
    pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1)
    futures = {name: pool.submit(check_program, tool, program, "forward", simt_environment)
               for name, program in chosen.items()}
    yield lambda program: futures[program.name].result()
    pool.shutdown(wait=False, cancel_futures=True)


@pytest.mark.parametrize("clean", ALL, ids=[p.name for p in ALL])
def test_nothing_is_found(clean, judged):
    wrong, wrote = judged(clean)
    assert wrong is None, f"{wrong}\n{wrote}"


def test_the_table_names_programs():
    names = {p.name for p in ALL}
    assert len(ALL) >= 210 and len(names) == len(ALL)
    assert set(WRONG) <= names and TOO_LONG <= {p.name for p in programs()}
    assert all(classes and reason for classes, reason in WRONG.values())


def test_the_judgement_sees_what_is_wrong():
    clean = Program(PROGRAMS / "linear_transpose.cu")
    race = {"class": "race", "places": [{"file": "linear_transpose.cu", "line": 7}]}
    assert judge(clean, 0, "PASSED", "", {"findings": []}) is None
    assert "race on 7" in judge(clean, 3, "PASSED", "", {"findings": [race]})
    assert judge(clean, 0, "FAILED", "", {"findings": []})
    name = next(iter(WRONG))
    planted = next(p for p in ALL if p.name == name)
    found = [{"class": c, "places": []} for c in WRONG[name][0]]
    assert judge(planted, 3, "", "", {"findings": found}) is None
    assert "found []" in judge(planted, 0, "PASSED", "", {"findings": []})


def main():
    parser = argparse.ArgumentParser(description="lists the programs that fail")
    parser.add_argument("pattern", nargs="?", default="", help="of names")
    parser.add_argument("--schedule", default="forward")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("-v", action="store_true", help="with what the tool wrote")
    options = parser.parse_args()
    tool = find_check()
    if not tool:
        sys.exit("no heddle-check: build it, or name it in $SIMT_CHECK_TOOL")
    chosen = [p for p in ALL if re.search(options.pattern, p.name)]
    failed = 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        environment = {"SIMT_CACHE_DIR": folder, **os.environ}
        runs = pool.map(lambda p: check_program(tool, p, options.schedule, environment), chosen)
        for program, (wrong, wrote) in zip(chosen, runs):
            failed += wrong is not None
            if wrong:
                print(f"{program.name}: {wrong}", flush=True)
                print(wrote if options.v else "", end="")
    print(f"{len(chosen)} programs, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()

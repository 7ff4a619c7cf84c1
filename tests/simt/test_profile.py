"""What heddle-profile counts, against figures made by hand.

Lines of the programs are named by comments: `// line: NAME`.
"""
import json
import os
import pathlib
import re
import subprocess

import pytest

from conftest import HERE, find_run

SOURCES = HERE / "profile"


def find_profile():
    run = find_run()
    tool = run and run.with_name("heddle-profile")
    assert tool and tool.exists(), "no heddle-profile: build it, or name heddle-run in $SIMT_RUN"
    return tool


def profile(source, environment, *options, arguments=(), **more):
    command = [str(find_profile()), "--json", str(source), *options]
    if arguments:
        command += ["--", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120,
                          stdin=subprocess.DEVNULL, cwd=SOURCES, env=environment, **more)


class Report:
    """A profile, its kernels by name and its lines by the names that the source gives them."""

    def __init__(self, source, environment, *options):
        done = profile(source, environment, *options)
        assert done.returncode == 0, done.stderr[-2000:]
        assert "PASSED" in done.stdout
        self.text = done.stderr
        self.report = json.loads(done.stderr)
        self.kernels = {k["name"]: k for k in self.report["kernels"]}
        self.numbers = {m[1]: n for n, text in enumerate(source.read_text().splitlines(), 1)
                        if (m := re.search(r"// line: (.*)", text))}

    def line(self, kernel, name):
        found = [line for line in self.kernels[kernel]["lines"] if line["line"] == self.numbers[name]]
        assert len(found) == 1, f"{kernel}: {name}: {found}"
        return found[0]


@pytest.fixture(scope="module")
def reports(simt_environment):
    made = {}

    def report(name):
        if name not in made:
            made[name] = Report(SOURCES / f"{name}.cu", simt_environment)
        return made[name]
    return report


def collatz(n):
    steps = 0
    while n != 1:
        n = 3 * n + 1 if n % 2 else n // 2
        steps += 1
    return steps


LENGTHS = [collatz(n) for n in range(1, 33)]

# kernel, name of the line, threads that ran it, active lanes of 32
EFFICIENCY = [
    ("triangular", "triangular", 496, 496 / (31 * 32)),
    ("even_odd", "even", 64, 1 / 2),
    ("even_odd", "odd", 64, 1 / 2),
    ("even_odd", "together", 128, 1),
    ("half_warps", "lower", 64, 1 / 2),
    ("half_warps", "upper", 64, 1 / 2),
    ("by_warps", "even warps", 64, 1),
    ("by_warps", "odd warps", 64, 1),
    ("one_lane", "one lane", 8, 1 / 32),
    ("guarded", "guarded", 1000, 1000 / 1024),  # 31 full warps and 8 lanes of the last
    ("partial_warp", "partial", 120, 40 / 64),
    ("lengths", "collatz", sum(LENGTHS), sum(LENGTHS) / (32 * max(LENGTHS))),
    # Lanes 0, 4, 8 .. return at depth 0, and so on: 24, 16 and 8 of them go further.
    ("recursion", "recursion", 80, None),
    ("cases", "case 0", 16, 1 / 4),
    ("cases", "case 1", 16, 1 / 4),
    ("cases", "other cases", 32, 1 / 2),
    ("early", "early", 24, 3 / 4),
]


@pytest.mark.parametrize("kernel,name,executions,efficiency", EFFICIENCY,
                         ids=[f"{k}-{n}" for k, n, _, _ in EFFICIENCY])
def test_efficiency_of_lines(kernel, name, executions, efficiency, reports):
    line = reports("branches").line(kernel, name)
    assert line["executions"] == executions
    if efficiency is not None:
        assert line["efficiency"] == pytest.approx(efficiency, rel=1e-5)


def test_efficiency_of_kernels(reports):
    kernels = reports("branches").kernels
    # The loop's body 31 times with 496 lanes, a block before it and one behind it.
    triangular = kernels["triangular"]
    assert triangular["issues"] == triangular["steps"] == 33
    assert triangular["lanes"] == triangular["work"] == 560
    assert f"{100 * triangular['efficiency']:.1f}" == "53.0"
    # Two blocks of all lanes, two of half of them.
    assert kernels["even_odd"]["efficiency"] == 0.75
    assert kernels["by_warps"]["efficiency"] == 1
    assert kernels["partial_warp"]["warps"] == 6
    assert kernels["guarded"]["threads"] == 1024
    # Each call of depth 0 .. 3 is one issue by 32, 24, 16 and 8 lanes: they go down together.
    assert kernels["recursion"]["lanes"] % 8 == 0


# kernel, name of the line, sectors and their ideal, a request (reads and writes of one line
# together)
SECTORS = [
    ("transpose_naive", "naive", (4 + 32) / 2, 4),
    ("transpose_tile", "tile fill", 4, 4),
    ("transpose_tile", "tile read", 4, 4),
    ("strides", "stride 1", 4, 4),
    ("strides", "stride 2", (8 + 4) / 2, 4),
    ("strides", "stride 32", (32 + 4) / 2, 4),
    ("strides", "shifted", (5 + 4) / 2, 4),
    ("strides", "broadcast", (1 + 4) / 2, (1 + 4) / 2),
    ("strides", "pairs apart", (16 + 4) / 2, (2 + 4) / 2),
    ("strides", "backwards", 4, 4),
    ("strides", "shuffled", 4, 4),
    ("widths", "double", 8, 8),
    ("widths", "float4", 16, 16),
    ("widths", "byte", (1 + 4) / 2, (1 + 4) / 2),
    ("bitmap", "bitmap read", 4, 4),
]


@pytest.mark.parametrize("kernel,name,sectors,ideal", SECTORS,
                         ids=[f"{k}-{n}" for k, n, _, _ in SECTORS])
def test_sectors(kernel, name, sectors, ideal, reports):
    memory = reports("memory").line(kernel, name)["global"]
    assert memory["sectors_per_request"] == pytest.approx(sectors, rel=1e-5)
    assert memory["ideal_per_request"] == pytest.approx(ideal, rel=1e-5)


def test_worst_request(reports):
    assert reports("memory").line("transpose_naive", "naive")["global"]["worst"] == 32
    assert reports("memory").kernels["transpose_tile"]["global"]["worst"] == 4


# kernel, name of the line, degree of the bank conflict
BANKS = [
    ("transpose_tile", "tile fill", 1),
    ("transpose_tile", "tile read", 32),
    ("transpose_padded", "padded fill", 1),
    ("transpose_padded", "padded read", 1),
    ("banks", "bank 1", 1),
    ("banks", "bank 2", 2),
    ("banks", "bank 8", 8),
    ("banks", "bank 32", 32),
    ("banks", "bank odd", 1),
    ("banks", "bank broadcast", 1),
    ("banks", "bank pairs", 1),
    ("banks", "bank double", 1),
    ("banks", "bank double 2", 2),
    ("banks", "bank float4", 1),
    ("bitmap", "bitmap write", 8),
    ("bitmap", "bitmap read", 8),
    ("dynamic", "dynamic", 4),
]


@pytest.mark.parametrize("kernel,name,degree", BANKS, ids=[f"{k}-{n}" for k, n, _ in BANKS])
def test_bank_conflicts(kernel, name, degree, reports):
    memory = reports("memory").line(kernel, name)["shared"]
    assert memory["degree"] == degree
    assert memory["worst"] == degree


def test_words_of_trees(reports):
    kernels = reports("memory").kernels
    tree = kernels["tree_global"]["global"]
    assert (tree["words_read"], tree["words_written"]) == (2047, 1024)
    tree = kernels["tree_shared"]["global"]
    assert (tree["words_read"], tree["words_written"]) == (1024, 1)
    # 1,024 filled, and the tree of 1,023 additions with its last read
    tree = kernels["tree_shared"]["shared"]
    assert (tree["words_read"], tree["words_written"]) == (2 * 1023 + 1, 1024 + 1023)


def test_barriers(reports):
    kernels = reports("memory").kernels
    assert kernels["tree_global"]["barriers"] == 10
    assert kernels["tree_shared"]["barriers"] == 11
    assert reports("memory").line("tree_global", "tree barrier")["barriers"] == 10
    assert reports("memory").line("transpose_tile", "tile barrier")["barriers"] == 1
    shared = reports("atomics")
    assert shared.line("in_shared", "first barrier")["barriers"] == 3
    assert shared.line("in_shared", "second barrier")["barriers"] == 3


def test_shared_bytes(reports):
    kernels = reports("memory").kernels
    assert kernels["transpose_tile"]["shared_static"] == 4096
    assert kernels["transpose_padded"]["shared_static"] == 4224
    assert kernels["dynamic"]["shared_dynamic"] == 1024


# kernel, name of the line, requests, lanes at one address a request, the most, in all
ATOMICS = [
    ("all_at_one", "one", 8, 32, 32, 256),
    ("each_its_own", "own", 8, 1, 1, 4),
    ("eight_bins", "eight", 2, 4, 4, 8),
    ("floats", "floats", 1, 2, 2, 2),
    ("in_shared", "shared", 6, 8, 8, 16),
    ("in_shared", "max", 3, 1, 1, 3),
]


@pytest.mark.parametrize("kernel,name,requests,contention,worst,most", ATOMICS,
                         ids=[f"{k}-{n}" for k, n, *_ in ATOMICS])
def test_atomics(kernel, name, requests, contention, worst, most, reports):
    atomics = reports("atomics").line(kernel, name)["atomics"]
    assert atomics["requests"] == requests
    assert atomics["contention"] == contention
    assert atomics["worst"] == worst
    assert atomics["most_at_one_address"] == most


def test_waiting_ends(reports):
    """Locks, polling, grid-wide barriers: the program ends, and what has no loop is exact."""
    report = reports("waiting")
    assert report.line("spin_lock", "critical")["executions"] == 256
    assert report.line("spin_lock", "critical")["efficiency"] == pytest.approx(1 / 32)
    assert report.line("shuffles", "shuffle")["efficiency"] == 1
    assert report.line("divergent_then_barrier", "barrier")["efficiency"] == 1
    assert report.kernels["whole_grid"]["barriers"] == 8


JOINED = [("loops", range(1, 5)), ("branches", range(5, 9)), ("calls", range(9, 14))]


@pytest.mark.parametrize("kernel,number", [(k, n) for k, numbers in JOINED for n in numbers])
def test_lanes_come_together_again(kernel, number, reports):
    line = reports("joins").line(kernel, f"joined {number}")
    assert line["executions"] == 32
    assert line["efficiency"] == 1


def test_twice_the_same(reports, simt_environment):
    again = Report(SOURCES / "waiting.cu", simt_environment)
    assert again.text == reports("waiting").text


def test_totals_are_sums_of_lines(reports):
    for name in ("branches", "memory", "atomics", "joins", "waiting"):
        for kernel in reports(name).report["kernels"]:
            lines = kernel["lines"]
            assert kernel["instructions"] == (kernel["issues"] + kernel["global"]["requests"]
                                              + kernel["shared"]["requests"])
            for key in ("instructions", "issues", "lanes", "barriers"):
                assert kernel[key] == sum(line[key] for line in lines)
            for space in ("global", "shared", "atomics"):
                assert kernel[space]["requests"] == sum(line[space]["requests"] for line in lines
                                                        if line[space])


@pytest.mark.parametrize("schedule", ["reverse", "random:3"])
def test_schedules_change_no_figure(schedule, reports, simt_environment):
    other = Report(SOURCES / "memory.cu", simt_environment, "--schedule", schedule)
    assert other.report["kernels"] == reports("memory").report["kernels"]


# ---- the command ------------------------------------------------------------------------------


def run(environment, *words, folder=SOURCES):
    return subprocess.run([str(find_profile()), *map(str, words)], capture_output=True, text=True,
                          timeout=120, stdin=subprocess.DEVNULL, cwd=folder, env=environment)


def test_text(simt_environment):
    done = run(simt_environment, "branches.cu")
    assert done.returncode == 0
    assert done.stdout == "PASSED\n"
    assert "SIMT efficiency   53.0%" in done.stderr
    assert "Estimates at the level of the source" in done.stderr
    row = next(line for line in done.stderr.splitlines() if "// line: one lane" in line)
    assert row.split()[1:3] == ["8", "3.1%"]


def test_lines_option(simt_environment):
    done = run(simt_environment, "branches.cu", "--lines", "1")
    assert "// line: triangular" in done.stderr
    assert "out[threadIdx.x] = sum;" not in done.stderr


def test_files(simt_environment, tmp_path):
    text, other = tmp_path / "p.txt", tmp_path / "p.json"
    done = run(simt_environment, SOURCES / "branches.cu", "--output", text, f"--json={other}")
    assert done.returncode == 0 and done.stderr == ""
    assert "53.0%" in text.read_text()
    assert json.loads(other.read_text())["format"] == "heddle-profile"
    done = run(simt_environment, SOURCES / "branches.cu", "--output", tmp_path / "no" / "p.txt")
    assert done.returncode == 2 and "cannot write" in done.stderr


def test_status_and_signal_of_the_program(simt_environment, tmp_path):
    source = tmp_path / "ends.cu"
    source.write_text("""#include <cstdlib>
__global__ void k(int *p) { p[threadIdx.x] = 1; }
int main(int n, char **) {
  int *p;
  cudaMalloc(&p, 128);
  k<<<1, 32>>>(p);
  if (n > 1) abort();
  return 42;
}
""")
    done = profile(source, simt_environment)
    assert done.returncode == 42
    assert json.loads(done.stderr)["status"] == 42
    assert json.loads(done.stderr)["kernels"][0]["global"]["sectors_per_request"] == 4
    done = profile(source, simt_environment, arguments=["x"])
    assert done.returncode == 128 + 6
    assert json.loads(done.stderr)["kernels"][0]["launches"] == 1


def test_a_program_that_is_built(simt_environment, tmp_path):
    compiler = find_profile().with_name("heddle-cc")
    built = tmp_path / "built"
    subprocess.run([str(compiler), "--profile", str(SOURCES / "branches.cu"), "-o", str(built)],
                   check=True, env=simt_environment)
    assert subprocess.run([str(built)], capture_output=True, check=True,
                          env=simt_environment).stdout == b"PASSED\n"
    done = run(simt_environment, built)
    assert done.returncode == 0 and "53.0%" in done.stderr
    subprocess.run([str(compiler), str(SOURCES / "branches.cu"), "-o", str(built)], check=True,
                   env=simt_environment)
    done = run(simt_environment, built)
    assert done.returncode == 2 and "heddle-cc --profile" in done.stderr


def test_a_file_of_figures_that_is_none(simt_environment, tmp_path):
    compiler = find_profile().with_name("heddle-cc")
    built = tmp_path / "built"
    subprocess.run([str(compiler), "--profile", str(SOURCES / "branches.cu"), "-o", str(built)],
                   check=True, env=simt_environment)
    for content in (b"", b"x" * 100, b"\0" * (32 << 20)):
        (tmp_path / "figures").write_bytes(content)
        done = subprocess.run([str(built)], capture_output=True, text=True, timeout=60,
                              env={**simt_environment, "SIMT_PROFILE": str(tmp_path / "figures")})
        assert done.stdout == "PASSED\n" and done.returncode == 0
        assert "nothing is counted" in done.stderr


def test_figures_that_the_program_spoils(simt_environment, tmp_path):
    """The file is the program's to write: nothing in it may lead the reader astray."""
    source = tmp_path / "hostile.cu"
    source.write_text("""#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
__global__ void k(int *p) { p[threadIdx.x] = 1; }
int main(int n, char **a) {
  int *p;
  cudaMalloc(&p, 128);
  k<<<1, 32>>>(p);
  int file = open(getenv("SIMT_PROFILE"), O_RDWR);
  unsigned seed = atoi(a[1]);
  if (seed == 0) return ftruncate(file, 10);
  const unsigned bytes_in_all = lseek(file, 0, SEEK_END);
  for (int i = 0; i < 4000; ++i) {
    unsigned char bytes[64];
    for (auto &b : bytes) b = (seed = seed * 1664525 + 1013904223) >> 24;
    pwrite(file, bytes, sizeof bytes, i < 2000 ? 8 + i * 61 : (seed >> 8) % (bytes_in_all - 64));
  }
}
""")
    for seed in range(6):
        done = profile(source, simt_environment, arguments=[str(seed)])
        assert done.returncode in (0, 2), done.stderr[-500:]


@pytest.mark.parametrize("words,message", [
    ([], "no source file"),
    (["branches.cu", "--gpu", "abacus"], "no GPU 'abacus'"),
    (["branches.cu", "--lines", "many"], "takes a number"),
    (["branches.cu", "--registers", "-1"], "takes a number"),
    (["branches.cu", "--nonsense"], "unknown option"),
])
def test_wrong_command_lines(words, message, simt_environment):
    done = run(simt_environment, *words)
    assert done.returncode == 2 and message in done.stderr


def test_help_and_gpus(simt_environment):
    assert "usage: heddle-profile" in run(simt_environment, "--help").stdout
    assert "h200" in run(simt_environment, "--gpu", "list").stdout


def test_occupancy_is_of_the_named_gpu(simt_environment):
    done = profile(SOURCES / "branches.cu", simt_environment, "--gpu", "h200", "--registers", "128")
    kernel = next(k for k in json.loads(done.stderr)["kernels"] if k["name"] == "guarded")
    # 65,536 registers: 16 warps of 128 registers a thread
    assert kernel["occupancy"] == {"percent": 25, "blocks": 2, "warps": 16, "limit": "registers"}

"""heddle-check around the checker: options, the file of findings, lines, merging, rules, reports.

Most tests need no kernel: a stub written in C stands for the program and fills its file of
findings with what the test has packed (simt/check/findings.h), so that reports of every kind,
and files that no honest program writes, can be had at will.
"""
import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import time

import pytest

from conftest import CLASSES, find_run

RUN = find_run()
CHECK = RUN and RUN.with_name("heddle-check")
CHECK_SOURCE = pathlib.Path(__file__).resolve().parents[2]
MAGIC, FINDINGS = 0x48444C43, 4096
HEAD = struct.Struct("<4I9Q256s")
FINDING = struct.Struct("<2I3Q48s16s32s256s512sQ")
SIDE = struct.Struct("<6Q128s4I8I128s32s")
SIZE = FINDING.size + 4 * SIDE.size
ACCESSES = ["none", "read", "write", "atomic", "volatile-read", "volatile-write", "copy-read", "copy-write",
            "host-read", "host-write", "allocation", "free", "barrier", "call"]
REASONS = ["barrier", "syncwarp", "fence", "blocks", "streams", "host", "copy"]

# Its functions' lines are places; what it does with its file is said by its arguments.
STUB = r"""/* stands for a checked program */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int place_8(int a) { return a + 1; }
int place_9(int a) { return a + 2; }
static inline __attribute__((always_inline)) int inlined(int a) {
  return a * place_9(a);
}
int place_13(int a) { return inlined(a) + place_8(a); }
const char marks[] = "libsimt.so __tsan_init";
int main(int argc, char **argv) {
  static char bytes[12 << 20];
  for (int i = 1; i + 1 < argc; i += 2) {
    const char *what = argv[i], *value = argv[i + 1];
    int file = open(getenv("SIMT_CHECK"), O_RDWR);
    if (!strcmp(what, "fill")) {
      int from = open(value, O_RDONLY);
      ssize_t n = read(from, bytes, sizeof bytes);
      if (file < 0 || pwrite(file, bytes, n, 0) != n) return 99;
    }
    if (!strcmp(what, "cut") && ftruncate(file, atoi(value))) return 98;
    if (!strcmp(what, "signal")) raise(atoi(value));
    if (!strcmp(what, "print")) puts(value), fprintf(stderr, "error %s\n", value);
    if (!strcmp(what, "echo")) fputs(fgets(bytes, 99, stdin), stdout);
    if (!strcmp(what, "sleep")) { fflush(stdout); sleep(atoi(value)); }
    if (!strcmp(what, "env")) printf("%s\n", getenv(value) ? getenv(value) : "-");
    if (!strcmp(what, "leave") && !fork()) { setsid(); sleep(atoi(value)); _exit(0); }
    if (!strcmp(what, "exit")) exit(atoi(value));
    close(file);
  }
  return place_13(marks[0]) == 5;
}
"""


def side(access, pcs=(), file="", line=0, bytes=4, thread=None, block=(0, 0, 0), kernel="", stream=""):
    thread_number = thread[0] if thread else 0
    return SIDE.pack(*[*pcs, *[0] * 6][:6], file.encode(), line, ACCESSES.index(access), bytes, thread is not None,
                     *block, *(thread or (0, 0, 0)), thread_number // 32, thread_number % 32, kernel.encode(),
                     stream.encode())


def finding(kind_of, *sides, count=1, order=0, kind="", space="", reason="", object="", text="", used=1,
            address=0x1000):
    number = CLASSES.index(kind_of) if isinstance(kind_of, str) else kind_of
    text = text if isinstance(text, bytes) else text.encode()
    return (FINDING.pack(used, number, count, 0, order, kind.encode(), space.encode(), reason.encode(),
                         object.encode(), text, address) + b"".join(sides)).ljust(SIZE, b"\0")


def file_of(*findings, magic=MAGIC, lost=0, launches=4, blocks=1024, limits="", skipped=(0, 0), total=0):
    return HEAD.pack(magic, 1, SIZE, FINDINGS, len(findings), lost, total, launches, blocks, 0, 0, *skipped,
                     limits.encode()) + b"".join(findings)


def race(a=8, b=9, kind="read/write", reason="barrier", **more):
    words = dict(kind=kind, space="shared", reason=reason, object="shared variable tile, byte 20 of 1024")
    first = "read" if kind.startswith("read") else "write"
    return finding("race", side(first, file="k.cu", line=a, thread=(5, 0, 0), kernel="tree"),
                   side("write", file="k.cu", line=b, thread=(37, 0, 0), kernel="tree"), **{**words, **more})


class Stub:
    def __init__(self, folder):
        self.folder = folder
        (folder / "stub.c").write_text(STUB)
        subprocess.run(["gcc", "-g", "-O0", "-gdwarf-4", "-w", "-o", "stub", "stub.c"], cwd=folder, check=True)
        names = subprocess.run(["nm", "stub"], cwd=folder, capture_output=True, text=True, check=True).stdout
        self.address = {n: int(a, 16) for a, n in re.findall(r"^(\w+) [tT] (\w+)$", names, re.M)}
        code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "stub"], cwd=folder, capture_output=True,
                              text=True, check=True).stdout
        body = code[code.index("<place_13>:"):].split("\n\n")[0]
        self.inlined_call = next(int(after.split(":")[0], 16) for line, after in
                                 zip(body.splitlines(), body.splitlines()[1:]) if "<place_9>" in line)

    def pc(self, name):
        return self.address[name] + 1

    def run(self, *words, fill=None, program=(), env=None, cwd=None, **more):
        """heddle-check of the stub, whose file is `fill` and whose arguments are `program`."""
        arguments = []
        if fill is not None:
            (self.folder / "blob").write_bytes(fill)
            arguments = ["fill", str(self.folder / "blob")]
        return call(cwd or self.folder, str(self.folder / "stub"), *words, "--", *arguments, *program, env=env, **more)

    def json(self, *words, **more):
        done = self.run("--json=report.json", *words, **more)
        return done, json.loads((self.folder / "report.json").read_text(encoding="utf-8"))


def environment(folder):
    kept = {k: v for k, v in os.environ.items() if k.startswith(("ASAN_", "UBSAN_", "TMPDIR", "SIMT_HOME", "PATH"))}
    return {**kept, "HOME": str(folder), "SIMT_CACHE_DIR": str(folder / "cache")}


def call(folder, *words, env=None, input="", timeout=120, path=None):
    return subprocess.run([str(CHECK), *map(str, words)], capture_output=True, text=True, cwd=folder, errors="replace",
                          timeout=timeout, input=input, env={**environment(folder), **(env or {})})


@pytest.fixture(scope="module")
def stub(tmp_path_factory):
    return Stub(tmp_path_factory.mktemp("stub"))


@pytest.fixture
def folder(tmp_path):
    return tmp_path


def blocks_of(text):
    """The findings of a text report."""
    return [part for part in text.split("\n\n") if not part.startswith("heddle check:") and part.strip()]


# ---- the program's run -------------------------------------------------------------------------


def test_no_findings(stub):
    done = stub.run(fill=file_of())
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "heddle check: no findings in 4 launches, 1,024 blocks\n"
    assert stub.run("--quiet", fill=file_of()).stderr == ""


def test_streams_arguments_and_status_are_the_programs_own(stub):
    done = stub.run(program=["print", "--json", "echo", "x", "exit", "7"], input="line in\n")
    assert (done.returncode, done.stdout) == (7, "--json\nline in\n")
    assert done.stderr.startswith("error --json\n")
    assert stub.run(fill=file_of(race()), program=["exit", "7"]).returncode == 3
    assert stub.run("--status", "0", fill=file_of(race()), program=["exit", "7"]).returncode == 0
    assert stub.run("--status=42", fill=file_of(race())).returncode == 42


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL])
def test_findings_outlive_the_program(stub, number):
    ended = stub.run(fill=file_of(), program=["signal", str(int(number))])
    assert ended.returncode == 128 + number
    assert f"ended by signal {int(number)} (" in ended.stderr
    done, report = stub.json(fill=file_of(race()), program=["signal", str(int(number))])
    assert done.returncode == 3 and len(report["findings"]) == 1
    assert report["run"] == {"status": None, "signal": int(number)}
    assert "ended by signal" in stub.run("--quiet", fill=file_of(), program=["signal", "9"]).stderr


def test_detached_children_are_not_waited_for(stub):
    began = time.monotonic()
    done = subprocess.run([str(CHECK), str(stub.folder / "stub"), "--", "leave", "20"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, env=environment(stub.folder), timeout=60)
    assert done.returncode == 0 and time.monotonic() - began < 10


def test_a_signal_reaches_the_program_and_the_report_is_still_made(stub):
    (stub.folder / "blob").write_bytes(file_of(race()))
    tool = subprocess.Popen([str(CHECK), str(stub.folder / "stub"), "--", "fill", str(stub.folder / "blob"), "print",
                             "ready", "sleep", "60"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=environment(stub.folder))
    assert tool.stdout.readline() == "ready\n"
    tool.send_signal(signal.SIGTERM)
    _, errors = tool.communicate(timeout=20)
    assert tool.returncode == 3 and "ended by signal 15" in errors and "race:" in errors


def test_the_program_ends_with_heddle_check(stub):
    tool = subprocess.Popen([str(CHECK), str(stub.folder / "stub"), "--", "print", "ready", "sleep", "60"],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment(stub.folder))
    assert tool.stdout.readline() == "ready\n"
    tool.kill()
    began = time.monotonic()
    tool.stdout.read()  # until the program is gone too
    assert time.monotonic() - began < 20
    tool.wait()


def test_options_reach_the_program(stub):
    names = ["SIMT_SCHEDULE", "SIMT_TIMEOUT", "SIMT_SAMPLE", "SIMT_COUNTS", "SIMT_PROFILE"]
    wanted = [word for name in names for word in ("env", name)]
    done = stub.run("--seed", "9", "--timeout=5", "--sample", "3", "--counts", "c", program=wanted,
                    env={"SIMT_PROFILE": "x"})
    assert done.stdout.splitlines() == ["random:9", "5", "3", "c", "-"]
    assert stub.run("--schedule", "reverse", program=wanted[:2]).stdout == "reverse\n"


@pytest.mark.parametrize("words", [
    ["--status", "256"], ["--status", "-1"], ["--status", "x"], ["--max", ""], ["--max", "many"], ["--sample", "0"],
    ["--seed", "1x"], ["--leaks", "maybe"], ["--allow", "nonsense"], ["--suppress", "race"], ["--suppress", "race:"],
    ["--suppress", "nonsense:f"], ["--suppressions", "/no/such/file"], ["--output", "/no/such/folder/file"],
    ["--no-such-option"], ["--seed"]])
def test_wrong_command_line(stub, words):
    done = call(stub.folder, "stub", *words)
    assert done.returncode == 2 and done.stdout == "" and 1 <= len(done.stderr.splitlines()) <= 2
    assert words[0].lstrip("-")[:5] in done.stderr or words[-1] in done.stderr


def test_help_and_no_source(folder):
    done = call(folder, "--help")
    assert done.returncode == 0 and done.stdout.startswith("usage: heddle-check ") and not done.stderr
    assert max(map(len, done.stdout.splitlines())) < 100
    done = call(folder)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1


def test_a_program_that_was_not_made_for_it(folder):
    done = call(folder, "/bin/true")
    assert done.returncode == 2 and "heddle-cc --check" in done.stderr


def test_manual_and_completions_have_every_option(folder):
    shown = set(re.findall(r"^  (?:-O1, )?(--[a-z-]+)", call(folder, "--help").stdout, re.M)) - {"--help"}
    page = (CHECK_SOURCE / "simt/tools/heddle-check.1.scd").read_text()
    assert len(shown) >= 12
    assert shown == {o for o in re.findall(r"\*(--[a-z]+)\*", page) if o not in ("--threads", "--schedule", "--check")}
    for name, before in (("heddle.bash", "--"), ("_heddle", "--"), ("heddle.fish", "seen_subcommand_from check' -l ")):
        text = (CHECK_SOURCE / "cli/completions" / name).read_text()
        part = text if name == "heddle.fish" else text[text.index("    check)"):]
        for option in shown:
            assert re.search(rf"{before}{option[2:]}[\s\[]", part), (name, option)


# ---- reports -----------------------------------------------------------------------------------


def test_text_of_a_race(stub):
    (stub.folder / "k.cu").write_text("\n" * 7 + "  sum += tile[t + 1];\n\ttile[t] = sum;\n")
    done = stub.run(fill=file_of(race(count=1024)))
    lines = done.stderr.splitlines()
    assert lines[0] == "race: read/write in shared memory, missing __syncthreads() between the two lines"
    assert lines[1] == ("  read of 4 bytes   k.cu:8  by thread (5,0,0) of block (0,0,0), warp 0, lane 5 in kernel tree")
    assert lines[2] == "      sum += tile[t + 1];"
    assert lines[3] == "  write of 4 bytes  k.cu:9  by thread (37,0,0) of block (0,0,0), warp 1, lane 5"
    assert lines[4] == "      tile[t] = sum;"
    assert lines[5] == "  shared variable tile, byte 20 of 1024"
    assert lines[6].startswith("  1,024 times; put __syncthreads() between k.cu:8 and k.cu:9")
    assert lines[7:] == ["", "heddle check: 1 finding (race 1) in 4 launches, 1,024 blocks"]


def test_every_class_and_reason_has_its_words(stub):
    findings = [finding(c, side("write", file="k.cu", line=i + 1, thread=(1, 0, 0), kernel="k"), order=i,
                        text=f"sentence {i}") for i, c in enumerate(CLASSES) if i]
    findings += [race(100 + i, 200 + i, reason=r, order=100 + i) for i, r in enumerate(REASONS)]
    findings += [race(120 + i, 220 + i, kind=k, order=120 + i) for i, k in
                 enumerate(["write/write", "atomic/plain", "same-value"])]
    done = stub.run("--leaks", "yes", fill=file_of(*findings))
    parts = blocks_of(done.stderr)
    assert len(parts) == len(findings)
    assert len({part.splitlines()[0] for part in parts}) >= len(findings) - 1
    for part, name in zip(parts, CLASSES[1:]):
        assert part.startswith(f"{name}: ") and "(null)" not in part
        assert "once; " in part or name == "bad-call"
    for part, word in zip(parts[len(CLASSES) - 1:], ["__syncthreads()", "__syncwarp()", "__threadfence()", "blocks", "cudaStreamWaitEvent",
                                       "cudaDeviceSynchronize", "cp.async.wait_group", "element of its own", "atomic too",
                                           "same-value"]):
        assert word in part, part
    summary = done.stderr.splitlines()[-1]
    assert summary.startswith(f"heddle check: {len(findings)} findings (race 10, barrier-divergence 1, ")


def test_json_has_every_field(stub):
    done, report = stub.json(fill=file_of(finding(
        "out-of-bounds", side("write", [stub.pc("place_8"), stub.pc("place_13")], thread=(33, 2, 1), block=(7, 8, 9),
                              kernel="k", bytes=16),
        side("allocation", file="k.cu", line=4, bytes=400), kind="k", space="global", object="400 bytes", text="it is",
        count=5, address=0xabc), lost=2, limits="too much", skipped=(1, 6), total=9))
    assert (done.returncode, report["version"], report["status"]) == (3, 1, 3)
    assert report["run"] == {"status": 0, "signal": None} and report["program"].endswith("stub")
    (found,) = report["findings"]
    assert {k: found[k] for k in ("class", "kind", "space", "reason", "count", "object", "text", "address")} == {
        "class": "out-of-bounds", "kind": "k", "space": "global", "reason": "", "count": 5, "object": "400 bytes",
        "text": "it is", "address": "0xabc"}
    assert found["summary"].startswith("out-of-bounds: write") and "k.cu:4" in found["advice"]
    access, memory = found["places"]
    assert access == {"access": "write", "bytes": 16, "file": "stub.c", "line": 8, "function": "place_8",
                      "kernel": "k", "block": [7, 8, 9], "thread": [33, 2, 1], "warp": 1, "lane": 1, "stream": None,
                      "called_from": [{"file": "stub.c", "line": 13, "function": "place_13"}],
                      "source": "int place_8(int a) { return a + 1; }"}
    assert found["allocation"] == memory and found["free"] is None
    assert (memory["access"], memory["file"], memory["line"], memory["thread"]) == ("allocation", "k.cu", 4, None)
    assert report["summary"] == {
        "findings": 1, "shown": 1, "classes": {"out-of-bounds": 1}, "suppressed": 0, "allowed": 0, "lost": 2, "damaged": 0,
        "notes": 0,
        "occurrences": 9, "launches": 4, "blocks": 1024, "threads": 0, "accesses": 0, "launches_skipped": 1,
        "blocks_skipped": 6, "limits": "too much", "remedy": ""}
    assert "2 lost" in done.stderr and "too much" in done.stderr and "1 launch, 6 blocks" in done.stderr


def test_where_reports_go(stub):
    done = stub.run("--json", fill=file_of(race()))
    assert json.loads(done.stderr)["findings"] and done.stdout == ""
    done = stub.run("--json", "--output", "-", fill=file_of(race()))
    assert json.loads(done.stdout)["findings"] and done.stderr.startswith("heddle check: 1 finding")
    done = stub.run("--output", "out.txt", fill=file_of(race()))
    text = (stub.folder / "out.txt").read_text()
    assert text.startswith("race:") and text.endswith("blocks\n") and done.stderr.startswith("heddle check: 1 finding")
    assert stub.run("--output", "out.txt", "--quiet", fill=file_of(race())).stderr == ""


def test_the_program_may_change_its_folder(stub, folder):
    done = call(folder, stub.folder / "stub", "--output", "out.txt", "--", "exit", "0")
    assert done.returncode == 0 and (folder / "out.txt").exists()


def test_control_characters_are_shown_and_do_nothing(stub):
    nasty = finding("race", side("read", file="a\x1b[2J\n.cu", line=3, kernel="k\r\x07"), text=b"\xff\xfe \x1b]0;title\x07")
    done, report = stub.json(fill=file_of(nasty))
    assert report["findings"][0]["places"][0]["file"] == "a\x1b[2J\n.cu"
    text = stub.run(fill=file_of(nasty)).stderr
    assert "a\\x1b[2J\\x0a.cu:3" in text and "\\xff\\xfe \\x1b]0;title\\x07" in text
    assert not set(text) & set("\x1b\r\x07")


# ---- lines -------------------------------------------------------------------------------------


def test_lines_callers_and_inlined_functions(stub):
    _, report = stub.json(fill=file_of(finding("null-pointer", side("read", [stub.inlined_call, stub.pc("main")]))))
    (place,) = report["findings"][0]["places"]
    assert (place["file"], place["line"], place["function"]) == ("stub.c", 11, "inlined")
    assert [(c["line"], c["function"]) for c in place["called_from"]] == [(13, "place_13"), (15, "main")]


def test_files_below_the_folder_are_relative_and_others_are_not(stub, folder):
    fill = file_of(finding("leak", side("allocation", [stub.pc("place_8")])),
                   finding("leak", side("allocation", file=f"{folder}/sub/a.cu", line=3), order=1))
    done = stub.run("--json", "--output", "-", "--leaks", "yes", fill=fill, cwd=folder)
    files = [f["places"][0]["file"] for f in json.loads(done.stdout)["findings"]]
    assert files == [str(stub.folder / "stub.c"), "sub/a.cu"]


def test_a_folder_reached_by_a_link(folder):
    (folder / "real").mkdir()
    (folder / "link").symlink_to("real")
    tree(folder / "real")
    for name in ("tree.cu", "./tree.cu"):
        done = call(folder / "link", name, env={"PWD": str(folder / "link")})
        assert done.returncode == 3 and re.search(r" tree\.cu:10 ", done.stderr) and str(folder) not in done.stderr


def test_addresses_that_are_not_the_programs(stub):
    fill = file_of(finding("null-pointer", side("read", [0x7fff12345678, stub.pc("place_9")])),
                   finding("null-pointer", side("read", [2**64 - 1]), order=1),
                   finding("null-pointer", side("read", [1]), order=2))
    _, report = stub.json(fill=fill)
    places = [f["places"][0] for f in report["findings"]]
    assert [p["line"] for p in places] == [9, None, None]
    assert "0xfffffffffffffffe" in stub.run(fill=fill).stderr


def test_without_addr2line_there_are_addresses_and_one_line_says_why(stub, folder):
    fill = file_of(*[finding("null-pointer", side("read", [stub.pc(f"place_{n}")]), order=n) for n in (8, 9)])
    done = stub.run(fill=fill, env={"PATH": str(folder)})
    assert done.returncode == 3
    assert len(blocks_of(done.stderr)) == 2 and f"0x{stub.address['place_9']:x}" in done.stderr
    assert done.stderr.count("binutils") == 1


def test_a_full_list_is_fast(stub):
    code = [a for a in range(stub.pc("place_8"), stub.pc("main"))]
    findings = [race(1 + i, 5000 + i, order=FINDINGS - i) for i in range(FINDINGS // 2)]
    findings += [finding("null-pointer", side("read", [code[i % len(code)]] * 6, file="z.cu", line=i + 1),
                         order=9000 + i) for i in range(FINDINGS // 2)]
    began = time.monotonic()
    done, report = stub.json("--max=1000000", fill=file_of(*findings, lost=10**7))
    assert time.monotonic() - began < 10
    assert report["summary"]["findings"] == FINDINGS == len(report["findings"])
    assert [f["places"][0]["line"] for f in report["findings"][:3]] == [2048, 2047, 2046]
    done = stub.run(fill=file_of(*findings, lost=10**7))
    assert len(blocks_of(done.stderr)) == 100
    assert "3,996 not shown (--max); 10,000,000 lost" in done.stderr.splitlines()[-1]
    assert len(blocks_of(stub.run("--max", "0", fill=file_of(*findings)).stderr)) == 0


# ---- merging -----------------------------------------------------------------------------------


def test_one_pair_of_lines_is_one_finding(stub):
    fill = file_of(race(9, 8, count=5, order=7), race(8, 9, count=3, order=2), race(8, 9, kind="write/write", order=9),
                   race(8, 10, order=1), race(8, 9, count=2**64 - 2, order=8))
    _, report = stub.json(fill=fill)
    assert [([p["line"] for p in f["places"]], f["kind"], f["count"]) for f in report["findings"]] == [
        ([8, 10], "read/write", 1), ([8, 9], "read/write", 2**64 - 1), ([8, 9], "write/write", 1)]


def test_the_gravest_reason_is_the_example(stub):
    fill = file_of(race(reason="barrier", count=2, order=1), race(reason="blocks", count=3, order=2),
                   race(reason="syncwarp", order=3))
    _, report = stub.json(fill=fill)
    assert [(f["reason"], f["count"]) for f in report["findings"]] == [("blocks", 6)]


def test_allocations_tell_findings_apart_only_where_nothing_else_does(stub):
    def bounds(line, made):
        return finding("out-of-bounds", side("read", file="k.cu", line=line), side("allocation", file="k.cu", line=made))
    _, report = stub.json("--leaks", "yes", fill=file_of(bounds(5, 1), bounds(5, 2), bounds(6, 1),
                                       finding("leak", side("allocation", file="k.cu", line=1)),
                                       finding("leak", side("allocation", file="k.cu", line=2)),
                                       finding("bad-call", text="one"), finding("bad-call", text="two"),
                                       finding("bad-call", text="two")))
    assert [f["class"] for f in report["findings"]] == ["out-of-bounds"] * 2 + ["leak"] * 2 + ["bad-call"] * 2
    assert [f["count"] for f in report["findings"]] == [2, 1, 1, 1, 1, 2]


# ---- rules -------------------------------------------------------------------------------------


def shown(stub, *words, fill=None):
    fill = fill or file_of(
        finding("race", side("read", [stub.pc("place_8"), stub.pc("place_13")], kernel="space::kern"),
                side("write", file="sub/k.cu", line=12), kind="same-value", order=0),
        finding("leak", side("allocation", file="sub/k.cu", line=12), order=1),
        finding("out-of-bounds", side("write", file="k2.cu", line=5), side("allocation", file="sub/k.cu", line=12), order=2))
    done, report = stub.json("--leaks", "yes", *words, fill=fill)
    assert done.returncode == (3 if report["findings"] else 0)
    assert report["summary"]["suppressed"] + report["summary"]["allowed"] + len(report["findings"]) == 3
    return [f["class"] for f in report["findings"]]


@pytest.mark.parametrize("rule,left", [
    ("race:place_8", "leak out-of-bounds"), ("race:place_13", "leak out-of-bounds"), ("*:kern", "leak out-of-bounds"),
    ("race:space::kern", "leak out-of-bounds"), ("race:ker", "race leak out-of-bounds"),
    ("race:k*", "leak out-of-bounds"), ("same-value:k.cu:12", "leak out-of-bounds"), ("*:k.cu:12", "out-of-bounds"),
    ("*:sub/k.cu", "out-of-bounds"), ("*:k.cu", "out-of-bounds"), ("*:k.cu:13", "race leak out-of-bounds"),
    ("*:ub/k.cu", "race leak out-of-bounds"), ("leak:k.cu:12", "race out-of-bounds"), ("out-of-bounds:*", "race leak"),
    ("*:*", ""), ("out-of-bounds:k?.cu", "race leak"), ("race:stub.c:8", "leak out-of-bounds"),
    ("race:stub.c:13", "race leak out-of-bounds")])
def test_suppressions(stub, rule, left):
    assert shown(stub, "--suppress", rule) == left.split()
    (stub.folder / "rules").write_text(f"# none of ours\n\n  {rule}  # why\r\n")
    assert shown(stub, "--suppressions", "rules") == left.split()


def test_templates_and_namespaces_are_matched_by_their_bare_names(stub):
    fill = file_of(*[finding("race", side("read", file="k.cu", line=n, kernel=k), order=n)
                     for n, k in enumerate(["a::b<c::d, 4>", "b", "bb"], 1)])
    for rule, left in (("race:b", 1), ("race:a::b", 2), ("race:a::b<c::d, 4>", 2), ("race:d", 3)):
        _, report = stub.json("--suppress", rule, fill=fill)
        assert len(report["findings"]) == left, rule


def test_bad_rules_name_their_line(stub):
    (stub.folder / "rules").write_text("race:f\nnonsense\n# fine\nrase:f\n")
    done = stub.run("--suppressions", "rules", fill=file_of())
    assert done.returncode == 2
    assert [re.match(r"heddle-check: (rules:\d+): '", line)[1] for line in done.stderr.splitlines()] == ["rules:2", "rules:4"]


def test_allowed_classes(stub):
    assert shown(stub, "--allow", "same-value") == ["leak", "out-of-bounds"]
    assert shown(stub, "--allow", "race", "--allow", "leak") == ["out-of-bounds"]
    assert shown(stub, "--leaks", "no") == ["race", "out-of-bounds"]
    assert shown(stub, "--leaks=yes") == ["race", "leak", "out-of-bounds"]


def test_leaks_are_notes_unless_asked_for(stub):
    fill = file_of(*[finding("leak", side("allocation", file="k.cu", line=n), object=f"{n}0 bytes from cudaMalloc", order=n)
                     for n in range(1, 9)])
    for words in ((), ("--leaks", "note"), ("--leaks", "yes", "--leaks=note")):
        done, report = stub.json(*words, fill=fill)
        assert done.returncode == 0 and report["status"] == 0 and report["findings"] == []
        assert report["summary"]["notes"] == 8 and report["summary"]["classes"] == {}
        assert [f["places"][0]["line"] for f in report["notes"]] == list(range(1, 9))
    said = stub.run(fill=fill).stderr.splitlines()
    assert "heddle check: note: never freed: 30 bytes from cudaMalloc, k.cu:3" in said
    assert "heddle check: note: never freed: the memory of 3 more places (--leaks yes shows all)" in said
    assert said[-1].startswith("heddle check: no findings in ") and len(said) == 7
    assert stub.run("--quiet", fill=fill).stderr == ""
    assert "note" not in stub.run("--allow", "leak", fill=fill).stderr
    assert "note" not in stub.run("--suppress", "leak:*.cu", fill=fill).stderr
    done, report = stub.json("--leaks", "yes", fill=fill)
    assert done.returncode == 3 and len(report["findings"]) == 8 and report["notes"] == []
    done, report = stub.json("--leaks", "no", fill=fill)
    assert done.returncode == 0 and report["findings"] == report["notes"] == [] and report["summary"]["allowed"] == 8


# ---- files that no honest program writes -------------------------------------------------------


def test_a_file_that_is_no_longer_one(stub):
    for fill in (file_of(magic=1), b"\0" * 64):
        done = stub.run(fill=fill)
        assert done.returncode == 3 and "overwritten" in done.stderr
    for size in ("0", "100", str(HEAD.size - 1)):
        assert stub.run(fill=file_of(race()), program=["cut", size]).returncode == 3
    done = stub.run(fill=file_of(race()), program=["cut", str(HEAD.size)])
    assert done.returncode == 0 and "no findings" in done.stderr


def test_entries_cut_in_the_middle(stub):
    fill = file_of(race(), race(1, 2, order=1))
    for size in range(HEAD.size, len(fill), 97):
        done = stub.run(fill=fill, program=["cut", str(size)])
        assert done.returncode in (0, 3) and "heddle check: " in done.stderr


def test_nonsense_in_entries(stub):
    full = b"\xff" * SIZE
    wild = bytearray(race(order=5))
    wild[FINDING.size + 48:FINDING.size + 176] = b"A" * 128  # a name without an end
    struct.pack_into("<I", wild, FINDING.size + 180, 77)       # an unknown access
    done, report = stub.json(fill=file_of(full, finding(len(CLASSES)), bytes(wild), finding("race", used=0),
                                          race(count=0, order=6), finding("bad-call", order=7)))
    assert report["summary"]["damaged"] == 2 and "2 entries" in done.stderr
    assert [f["class"] for f in report["findings"]] == ["race", "race", "bad-call"]
    assert report["findings"][0]["places"][0]["access"] == "none"
    assert report["findings"][0]["places"][0]["file"] == "A" * 127
    assert report["findings"][1]["count"] == 1 and report["findings"][2]["places"] == []


def test_random_bytes(stub):
    import random
    for seed in range(12):
        bits = random.Random(seed)
        raw = bytearray(bits.randbytes(SIZE * 40))
        for i in range(0, len(raw), SIZE):
            struct.pack_into("<I", raw, i + 4, bits.randrange(18))
        head = HEAD.pack(MAGIC, 1, SIZE, FINDINGS, *[bits.getrandbits(64) for _ in range(9)], bits.randbytes(256))
        done = stub.run("--json=report.json", fill=head + bytes(raw))
        assert done.returncode == 3
        json.loads((stub.folder / "report.json").read_text(encoding="utf-8"))
        assert stub.run(fill=head + bytes(raw)).returncode == 3


# ---- real programs -----------------------------------------------------------------------------

TREE = """#include <cstdio>
#include <cstring>
#define STEP {step}
__global__ void tree(float *out) {{
  __shared__ float tile[256];
  int t = threadIdx.x;
  tile[t] = t;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {{
    if (t < d) tile[t] += tile[t + d];
    STEP
  }}
  if (t == 0) *out = tile[0];
}}
int main(int argc, char **argv) {{
  float *p, h;
  cudaMalloc(&p, sizeof *p);
  tree<<<4, 256>>>(p + 0);
  tree<<<1, 256>>>(p);
  if (cudaGetLastError() != cudaSuccess) return 9;
  cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost);
  {free}
  printf("%g %d\\n", h, argc);
  fflush(stdout);
  if (argc > 1 && !strcmp(argv[1], "abort")) __builtin_abort();
  return 0;
}}
"""


def tree(folder, step="", free="cudaFree(p);"):
    path = folder / "tree.cu"
    path.write_text(TREE.format(step=step, free=free))
    return path


def test_a_real_race_and_its_twin(folder):
    tree(folder)
    done = call(folder, "tree.cu", "--json=r.json")
    report = json.loads((folder / "r.json").read_text())
    found = [f for f in report["findings"] if f["space"] == "shared"]
    assert done.returncode == 3 and done.stdout.endswith(" 1\n") and found
    assert {p["line"] for f in found for p in f["places"][:2]} <= {10, 13}
    assert {p["function"] for f in found for p in f["places"][:2]} == {"tree"}
    assert "race: " in (text := call(folder, "tree.cu").stderr) and "tree.cu:10" in text
    tree(folder, "__syncthreads();")
    left = [f for f in json.loads(call(folder, "tree.cu", "--json", "--output", "-", "--allow", "same-value").stdout
                                  .partition("\n")[2])["findings"] if f["class"] == "race" and f["space"] == "shared"]
    assert not left


def test_a_real_program_that_aborts_keeps_its_findings(folder):
    tree(folder)
    done = call(folder, "tree.cu", "--", "abort")
    assert done.returncode == 3 and "ended by signal 6" in done.stderr and "race:" in done.stderr


def test_a_real_leak(folder):
    tree(folder, "__syncthreads();", free="")
    report = json.loads(call(folder, "tree.cu", "--json", "--output", "-", "--leaks", "yes").stdout.partition("\n")[2])
    leaks = [f for f in report["findings"] if f["class"] == "leak"]
    assert [f["places"][0]["line"] for f in leaks] == [17]
    assert "never freed" not in call(folder, "tree.cu", "--leaks=no").stderr
    done = call(folder, "tree.cu", "--allow", "race")
    assert done.returncode == 0 and "note: never freed: " in done.stderr and "tree.cu:17" in done.stderr


def test_a_program_made_before(folder):
    tree(folder)
    subprocess.run([str(CHECK.with_name("heddle-cc")), "--check", "tree.cu", "-o", "tree"], cwd=folder, check=True,
                   env=environment(folder))
    done = call(folder, "tree", "--", "x")
    assert done.returncode == 3 and "tree.cu:10" in done.stderr and done.stdout.endswith(" 2\n")
    subprocess.run([str(CHECK.with_name("heddle-cc")), "tree.cu", "-o", "plain"], cwd=folder, check=True,
                   env=environment(folder))
    assert call(folder, "plain").returncode == 2


def test_a_program_that_does_not_compile(folder):
    (folder / "bad.cu").write_text("__global__ void k() { nonsense(); }\nint main() {}\n")
    done = call(folder, "bad.cu")
    assert done.returncode == 1 and "bad.cu:1: error" in done.stderr and "heddle check:" not in done.stderr


def test_a_program_that_forks(folder):
    (folder / "fork.cu").write_text("""#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>
__global__ void k(int *p) { *p = threadIdx.x; }
int main() {
  int *p;
  if (fork() == 0) { cudaMalloc(&p, 4); k<<<1, 64>>>(p); cudaDeviceSynchronize(); cudaFree(p); _exit(0); }
  wait(nullptr);
  puts("parent");
}
""")
    done = call(folder, "fork.cu", timeout=60)
    assert done.stdout == "parent\n" and done.returncode in (0, 3) and "heddle check: " in done.stderr


def test_the_header_of_another_file_is_named(folder):
    (folder / "part.h").write_text("#pragma once\ntemplate <typename T>\n__device__ void put(T *p, int i) {\n"
                                   "  p[i] = T(threadIdx.x);\n}\n")
    (folder / "main.cu").write_text('#include "part.h"\n__global__ void k(int *p) {\n  __shared__ int s[2];\n'
                                    "  put(s, 0);\n  __syncthreads();\n  if (threadIdx.x == 0) *p = s[0];\n}\n"
                                    "int main() {\n  int *p;\n  cudaMalloc(&p, 4);\n  k<<<1, 64>>>(p);\n"
                                    "  cudaDeviceSynchronize();\n  cudaFree(p);\n}\n")
    report = json.loads(call(folder, "main.cu", "--json", "--output", "-").stdout)
    (found,) = [f for f in report["findings"] if f["class"] == "race"]
    for place in found["places"][:2]:
        assert (place["file"], place["line"], place["function"]) == ("part.h", 4, "put<int>")
        assert [(c["file"], c["line"], c["function"]) for c in place["called_from"]] == [("main.cu", 4, "k")]

"""heddle-ladder: what it lists, runs, counts and draws, and how it ends when it cannot."""

import json
import os
import re
import resource
import signal
import subprocess
import time
import xml.etree.ElementTree

import pytest

from conftest import BUILD, LADDER, SCHEDULES, headers

FAMILIES = ["hierarchy", "divergence", "warp", "reduce", "scan", "histogram", "sort",
            "bykey", "pictures"]
LAST = re.compile(r"^(\d+) right, (\d+) caught, (?:(\d+) need check, )?(\d+) wrong$")


CLASSES = {"race", "barrier-divergence", "warp-mask", "out-of-bounds", "host-pointer"}
MARK = re.compile(r"^\s*[^\s/*].*/[/*] BUG\b")


def marks(path):
    """The lines that the checker has to name."""
    return [n for n, line in enumerate(path.read_text().splitlines(), 1) if MARK.match(line)]


def rungs(family):
    return sorted((LADDER / family).glob("[0-9][0-9]_*.cu"))


def expected(paths):
    """How many rungs of these should be right, caught, need check."""
    words = [headers(path)["expect"].split(" ")[0] for path in paths]
    return [words.count(word) for word in ("right", "caught", "needs-check")]


def counts(done):
    return [int(n or 0) for n in LAST.match(done.stdout.splitlines()[-1]).groups()]


def error(done):
    assert done.stdout == "" and done.stderr.count("\n") == 1, done
    assert done.stderr.startswith("heddle ladder: "), done
    return done.stderr.strip()


@pytest.mark.parametrize("family", FAMILIES)
def test_every_rung_has_its_header_and_comment(family):
    assert rungs(family)
    for path in rungs(family):
        found = headers(path)
        assert found["title"] and re.match(r"right$|(caught|needs-check) .", found["expect"]), path
        assert "bug" not in path.stem or found["expect"] != "right", path
        known = found["expect"].removeprefix("caught ") in CLASSES
        assert bool(marks(path)) == known, path
        opening = path.read_text()[:2500]
        for word in ("Idea", "Cost", "Shows", "Source"):
            assert word in opening, (path, word)


def test_list(ladder_tool):
    text = ladder_tool("--list").stdout
    assert [line for line in text.splitlines() if line and line[0] != " "] == FAMILIES
    assert all(path.stem in text for family in FAMILIES for path in rungs(family))
    assert ladder_tool("--list", "pictures").stdout.count("\n") == 4


def test_whole_ladder_in_two_minutes_of_two_cores(ladder_tool, cache):
    """From nothing: every rung is compiled twice, once for the checker."""
    assert not list(cache.iterdir())
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    before = used()
    done = ladder_tool(code=None, timeout=600)
    assert used() - before < 2 * 120
    assert len(list(cache.glob("*.manifest"))) > 2 * 110
    want = expected([path for family in FAMILIES for path in rungs(family)])
    assert counts(done) == want + [0], done.stdout
    assert done.returncode == 0
    assert done.stderr == ""


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_schedules_agree(ladder_tool, schedule):
    done = ladder_tool("histogram", "--schedule", schedule)
    assert counts(done) == expected(rungs("histogram")) + [0]


def test_table_and_json_say_the_same(ladder_tool):
    table = ladder_tool("histogram", "03").stdout
    row = next(line for line in table.splitlines() if line.startswith("03 "))
    assert row.split()[-6:] == ["right", "5", "1,310,720", "262,144", "2,048", "1,310,720"]
    found = json.loads(ladder_tool("histogram/03", "--json").stdout)
    assert (found["right"], found["caught"], found["need_check"], found["wrong"]) == (1, 0, 0, 0)
    rung, = found["rungs"]
    said = rung["said"]
    assert rung["barriers"] == 2048 and rung["outcome"] == "right" and rung["launches"] == 1
    assert (said["steps"], said["work"], said["reads"], said["writes"]) == (5, 1310720, 262144, 0)
    assert said["size"] == 1 << 20 and said["device"].startswith("simt")


def test_profile_in_table_and_json(ladder_tool):
    done = ladder_tool("divergence", "02", "--profile", "--no-check")
    heading, row = (next(line for line in done.stdout.splitlines() if line.startswith(begin))
                    for begin in ("divergence", "02 "))
    assert heading.split()[-8:] == ["simt", "sectors", "/request", "/ideal", "banks", "worst",
                                    "at", "one"]
    rung, = json.loads(ladder_tool("divergence", "02", "--profile", "--no-check",
                                   "--json").stdout)["rungs"]
    profile = rung["profile"]
    assert 0.5 < profile["efficiency"] < 0.7
    assert f"{100 * profile['efficiency']:.1f}%" in row.split()
    assert f"{profile['sectors']:,.0f}" in row.split()
    assert profile["sectors_per_request"] == profile["ideal_per_request"]
    assert "profile" not in json.loads(
        ladder_tool("divergence", "02", "--no-check", "--json").stdout)["rungs"][0]


@pytest.mark.parametrize("names", [("histogram", "03"), ("histogram", "03_shared_atomics"),
                                   ("histogram", "shared_atomics"), ("histogram/03",),
                                   ("histogram", "3"),
                                   ("histogram/shared_atomics",)])
def test_names_of_a_rung(ladder_tool, names):
    assert counts(ladder_tool(*names, "--size", 1000, "--no-check")) == [1, 0, 0, 0]


def test_options_reach_the_rungs(ladder_tool):
    found = json.loads(ladder_tool("histogram", "01", "--size", "2^10", "--data", "text",
                                   "--seed", 9, "--json").stdout)
    said = found["rungs"][0]["said"]
    assert said["size"] == 1024 and said["data"] == "text"


# ---- bad input ------------------------------------------------------------------------------

@pytest.mark.parametrize("args, message", [
    (("histgram",), "no family 'histgram'; did you mean 'histogram'?"),
    (("xyzzy",), "no family 'xyzzy'"),
    (("histogram", "shared_atomic"), "no rung 'shared_atomic' in histogram; did you mean "
                                     "'shared_atomics'?"),
    (("histogram", "77"), "no rung '77' in histogram"),
    (("histogram", "01", "02"), "a family and a rung are enough; '02' is too much"),
    (("--size", "0"), "--size must be at least 1"),
    (("--size", "1000G"), "--size 1000G does not fit into memory: this machine has"),
    (("--size", "2^62"), "--size 2^62 does not fit into memory: this machine has"),
    (("--size", "-5"), "--size '-5' is no number of elements"),
    (("--size", "ten"), "--size 'ten' is no number of elements"),
    (("--size", "2^"), "--size '2^' is no number of elements"),
    (("--size",), "--size needs a value"),
    (("--data", "sortd"), "--data 'sortd' is none of uniform, constant, two, four, skewed, and3, "
                          "sorted, text; did you mean 'sorted'?"),
    (("--device", "gpu"), "--device 'gpu' is none of simt, cuda"),
    (("--schedule", "forwards"), "--schedule 'forwards' is none of forward, reverse, "
                                 "random:SEED; did you mean 'forward'?"),
    (("--schedule", "random:x"), "--schedule 'random:x': the seed is no number"),
    (("--repeat", "0"), "--repeat must be a number from 1 to 100, not '0'"),
    (("--plott", "x.svg"), "no option '--plott'; did you mean '--plot'?"),
    (("--plot", "{folder}/none/x.svg"), "cannot write {folder}/none/x.svg: No such file"),
    (("--plot", "{folder}/file/x.svg"), "cannot write {folder}/file/x.svg: Not a directory"),
    (("pictures", "--out", "{folder}/file/none"), "cannot make {folder}/file/none"),
    (("--device", "cuda", "--schedule", "forward"), "--schedule is for --device simt"),
    (("--device", "cuda", "--profile"), "--profile is for --device simt"),
    (("--device", "cuda", "--html", "x.html"), "--html is for --device simt"),
    (("--html", "{folder}/none/x.html"), "cannot write {folder}/none/x.html: No such file"),
])
def test_bad_input(ladder_tool, tmp_path, args, message):
    (tmp_path / "file").touch()  # nothing can be made below it
    args = [word.replace("{folder}", str(tmp_path)) for word in args]
    message = message.replace("{folder}", str(tmp_path))
    start = time.monotonic()
    assert error(ladder_tool(*args, code=2)).startswith("heddle ladder: " + message)
    assert time.monotonic() - start < 2  # before anything was run


def make_ladder(folder, **programs):
    """A ladder of its own, with the common headers and one family, histogram."""
    (folder / "histogram").mkdir(parents=True)
    (folder / "common").symlink_to(LADDER / "common")
    for name, (expect, text) in programs.items():
        (folder / "histogram" / f"{name[1:]}.cu").write_text(
            f"//! title: {name}\n//! expect: {expect}\n" + text)
    return {"HEDDLE_LADDER": str(folder)}


def said_of(done):
    """{number: (outcome, what the table says of it)} of a run with --json."""
    return {rung["name"][:2]: (rung["outcome"], rung["says"])
            for rung in json.loads(done.stdout)["rungs"]}


BEGIN = '#include "../common/ladder.h"\nint main(int c, char **v) {\n' \
        "ladder_begin(c, v, __FILE__, 1, 1, 0);\n"


def test_what_counts_as_wrong(ladder_tool, tmp_path):
    env = make_ladder(
        tmp_path / "ladder",
        _01_right=("right", BEGIN + "return ladder_end(); }"),
        _02_wrong=("right", BEGIN + 'ladder_wrong("bin 3 is off"); return ladder_end(); }'),
        _03_silent=("right", "int main() { return 0; }"),
        _04_crash=("right", "int main() { __builtin_trap(); }"),
        _05_compile=("right", "int main() { return nothing; }"),
        _07_caught=("caught lost update", BEGIN + 'ladder_caught("lost update: 3"); '
                                                  "return ladder_end(); }"),
        _08_other_class=("caught race", BEGIN + 'ladder_caught("overflow"); '
                                                "return ladder_end(); }"),
        _09_not_caught=("caught race", BEGIN + "return ladder_end(); }"),
        _10_check=("caught race", BEGIN + 'ladder_needs_check("race"); '
                                          "return ladder_end(); }"),
        _11_claims=("right", BEGIN + "ladder_end(); return 1; }"))
    done = ladder_tool("--no-check", code=1, env=env)
    assert counts(done) == [1, 1, 1, 7]
    says = said_of(ladder_tool("--no-check", "--json", code=1, env=env))
    assert says["01"] == ("right", "")
    assert says["02"] == ("wrong", "bin 3 is off")
    assert says["04"][0] == "wrong" and "signal" in says["04"][1]
    assert says["05"][0] == "wrong" and "nothing" in says["05"][1]
    assert says["07"] == ("caught", "lost update: 3")
    assert says["09"] == ("wrong", "the planted bug was not caught: race")
    assert says["10"] == ("needs check", "race")
    # With the checker a class of its own must be found: nothing is left to be checked.
    checked = said_of(ladder_tool("--json", code=1, env=env))
    assert checked["01"] == ("right", "") and checked["07"] == ("caught", "lost update: 3")
    assert checked["10"] == ("wrong", "the planted bug was not caught: race")


def test_limit(ladder_tool, tmp_path):
    env = make_ladder(tmp_path / "ladder", _06_endless=(
        "right", "int main() { for (volatile int i = 0;; ++i) {} }"))
    says = said_of(ladder_tool("--limit", 3, "--json", code=1, env=env))
    assert says["06"] == ("wrong", "ended after 3 s, the limit")


RACE = ("""#include "../common/ladder.h"
__global__ void shift(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = (int)threadIdx.x;%s
  out[threadIdx.x] = tile[63 - threadIdx.x];%s
}
int main(int argc, char **argv) {
  int *out;
  ladder_begin(argc, argv, __FILE__, 64, 64, 4);
  CHECK(cudaMalloc((void **)&out, 64 * sizeof *out));
  ladder_start();
  shift<<<1, 64>>>(out);
  CHECK(ladder_stop());
  CHECK(cudaFree(out));%s
  return ladder_end();
}
""")
BUG = " // BUG: no barrier between"
UNSURE = '\n  ladder_needs_check("race: not seen here");'


def test_what_the_checker_says_counts(ladder_tool, tmp_path):
    env = make_ladder(
        tmp_path / "ladder",
        _01_unmarked_race=("right", RACE % ("", "", "")),
        _02_caught=("caught race", RACE % (BUG, BUG, UNSURE)),
        _03_line_missing=("caught race", RACE % (BUG, "", UNSURE)),
        _04_line_too_much=("caught race", RACE % (BUG, BUG, BUG + UNSURE)),
        _05_other_class=("caught out-of-bounds", RACE % (BUG, BUG, UNSURE)),
        _06_own_class=("caught surprise", RACE % (
            "", "", '\n  ladder_caught("surprise: yes");')))
    done = ladder_tool("--json", code=1, env=env)
    says = said_of(done)
    race = "race, read/write in shared memory, lines 6 and 7: a barrier is missing"
    assert says["01"] == ("wrong", f"the checker says: {race}")
    assert says["02"] == ("caught", race)
    assert says["03"] == ("wrong", f"planted: race, line 6; the checker says: {race}")
    assert says["04"] == ("wrong", f"planted: race, lines 6, 7 and 16; the checker says: {race}")
    assert says["05"][0] == "wrong" and says["05"][1].endswith(f"the checker says: {race}")
    assert says["06"] == ("wrong", f"the checker says: {race}")
    findings = [rung["findings"] for rung in json.loads(done.stdout)["rungs"]]
    assert all(finding["class"] == "race" for found in findings for finding in found)
    assert counts(ladder_tool("--no-check", env=env)) == [1, 1, 4, 0]


def test_no_ladder_and_bad_header(ladder_tool, tmp_path):
    missing = {"HEDDLE_LADDER": str(tmp_path / "none")}
    assert "no ladder in" in error(ladder_tool(code=2, env=missing))
    env = make_ladder(tmp_path / "ladder", _01_odd=("perhaps", ""))
    assert "'//! expect: perhaps' is none of" in error(ladder_tool(code=2, env=env))


def test_interrupted(tmp_path):
    env = make_ladder(tmp_path / "ladder", _01_endless=(
        "right", "int main() { for (volatile int i = 0;; ++i) {} }"))
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    env["TMPDIR"] = str(scratch)
    tool = subprocess.Popen([BUILD / "libexec/heddle/heddle-ladder"], env={**os.environ, **env},
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(2)
    tool.send_signal(signal.SIGINT)
    out, err = tool.communicate(timeout=10)
    assert tool.returncode == 128 + signal.SIGINT and out == ""
    assert err.splitlines()[-1] == "heddle ladder: interrupted"
    time.sleep(0.2)
    left = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
    assert str(tmp_path) not in left  # no rung runs on
    assert not list(scratch.iterdir())


def test_no_compiler_for_cuda(ladder_tool, tmp_path):
    if os.path.exists("/usr/local/cuda/bin/nvcc"):
        return  # nvcc would be found in its usual place
    done = ladder_tool("--device", "cuda", code=2, env={"PATH": str(tmp_path)})
    assert "there is no nvcc" in error(done)


# ---- drawings -------------------------------------------------------------------------------

def test_bars(ladder_tool, tmp_path):
    plot = tmp_path / "bars.svg"
    ladder_tool("histogram", "--size", 5000, "--plot", plot)
    tree = xml.etree.ElementTree.parse(plot)
    texts = [e.text for e in tree.iter() if e.tag.endswith("text")]
    assert sum(text.startswith("histogram/") for text in texts) == len(rungs("histogram"))
    assert list(tmp_path.iterdir()) == [plot]


def test_complexity_plot(ladder_tool, tmp_path):
    plot = tmp_path / "complexity.svg"
    found = json.loads(ladder_tool("scan", "complexity", "--plot", plot, "--json").stdout)
    table = found["rungs"][0]["said"]["complexity"]
    assert {row["n"] for row in table} >= {2**k for k in range(3, 17)}
    tree = xml.etree.ElementTree.parse(plot)
    circles = [e for e in tree.iter() if e.tag.endswith("circle")]
    methods = {row["method"] for row in table}
    assert len(circles) >= 2 * 14 and not [e for e in circles if e.get("class") == "off"]
    texts = [e.text for e in tree.iter() if e.tag.endswith("text")]
    assert methods <= set(texts)

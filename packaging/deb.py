#!/usr/bin/env python3
"""Debian packages of a build.

    packaging/deb.py BUILD OUT

Result   OUT/libheddle0_*.deb the library; libheddle-dev_*.deb headers, link, pkg-config and CMake;
         heddle_*.deb the command, the software CUDA device, the ladder, manuals, completions;
         heddle-mpi_*.deb where BUILD has it
Method   cmake --install into a folder, split by name, dpkg-shlibdeps for what is needed, dpkg-deb; no root
Errors   a file that belongs to no package, or a program that is missing or fails, ends it; OUT keeps what
         it had
Order    files have one time, $SOURCE_DATE_EPOCH or that of the last commit: the same build gives the same
         packages

$DEBFULLNAME and $DEBEMAIL name the maintainer, as Debian's own tools have it; $DEB_COMPRESSION is what
dpkg-deb takes for -Z, by default xz.
"""
from __future__ import annotations

import fnmatch
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAMS = {"cmake": "cmake", "strip": "binutils", "dpkg-deb": "dpkg", "dpkg-shlibdeps": "dpkg-dev"}

# Package, what it is for, section, fields, patterns of its files; the first that fits has a file.
# {version} is this version, {shlibs} what dpkg-shlibdeps finds.
PACKAGES = (
    ("heddle-mpi", "heddle on the ranks of an MPI job", "science",
     {"Depends": "heddle (= {version}), libheddle0 (= {version}), {shlibs}"},
     ("usr/libexec/heddle/heddle-mpi",)),
    ("libheddle-dev", "data-parallel primitives: headers", "libdevel",
     {"Depends": "libheddle0 (= {version})"},
     ("usr/include/*", "usr/lib*/libheddle.so", "usr/lib*/pkgconfig/*", "usr/lib*/cmake/*")),
    ("libheddle0", "data-parallel primitives with the same bits everywhere", "libs",
     {"Depends": "{shlibs}"}, ("usr/lib*/libheddle.so.*",)),
    ("heddle", "reduce, scan, sort and histogram files of any size", "science",
     {"Depends": "libheddle0 (= {version}), {shlibs}", "Recommends": "g++", "Suggests": "heddle-mpi"},
     ("usr/bin/*", "usr/libexec/heddle/*", "usr/lib*/heddle/*", "usr/share/*")),
)
LONG = {
    "libheddle0": "Sums, scans, sorts, histograms and what is done by key, group and rank, on a CPU or "
                  "NVIDIA GPUs. Float results have the same bits with any number of threads.",
    "libheddle-dev": "heddle.h, which is the whole interface and its manual, and what pkg-config and CMake "
                     "need.",
    "heddle": "The command: numbers in text, tables, .npy files and raw data, larger than memory too. With "
              "it comes a CUDA device made of software: heddle run compiles and runs CUDA programs by g++ "
              "without a GPU, heddle check finds their races.",
    "heddle-mpi": "Some commands of heddle by all ranks of an MPI job, with the bits of one process.",
}


def run(*command: object, **options) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600,
                          **options)
    if done.returncode:
        raise SystemExit(f"packaging/deb.py: {' '.join(map(str, command))} failed with {done.returncode}:\n"
                         f"{done.stderr.strip()}")
    return done.stdout


def version() -> str:
    return re.search(r"VERSION (\d+\.\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


def moment() -> int:
    """The time that every file gets."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    done = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True)
    return int(done.stdout) if done.returncode == 0 else int((ROOT / "CHANGELOG.md").stat().st_mtime)


def is_elf(path: pathlib.Path) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def squeeze(path: pathlib.Path, to: pathlib.Path) -> None:
    """gzip without a name and a time."""
    to.write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
    to.chmod(0o644)


def split(tree: pathlib.Path, out: pathlib.Path) -> dict[str, pathlib.Path]:
    """Moves what was installed into a folder a package."""
    roots: dict[str, pathlib.Path] = {}
    for path in sorted(tree.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            continue
        name = str(path.relative_to(tree))
        package = next((p[0] for p in PACKAGES if any(fnmatch.fnmatchcase(name, f) for f in p[4])), None)
        if package is None:
            raise SystemExit(f"packaging/deb.py: {name} is installed and belongs to no package; give it to one "
                             "in PACKAGES")
        # Debian's zsh looks for completions of packages in a folder of its own.
        name = name.replace("share/zsh/site-functions", "share/zsh/vendor-completions")
        to = roots.setdefault(package, out / package) / name
        to.parent.mkdir(parents=True, exist_ok=True)
        if name.startswith("usr/share/man/"):
            squeeze(path, to.with_name(to.name + ".gz"))
        else:
            shutil.move(path, to)
    return roots


def needed(root: pathlib.Path, libraries: pathlib.Path, scratch: pathlib.Path) -> str:
    """The packages whose libraries the programs below root are linked to, but those of this source."""
    (scratch / "debian").mkdir(exist_ok=True)
    (scratch / "debian/control").write_text("Source: heddle\n\nPackage: heddle\nArchitecture: any\n")
    elves = [path for path in root.rglob("*") if is_elf(path)]
    if not elves:
        return ""
    folders = {folder for path in libraries.rglob("*.so*") for folder in [path.parent]}
    text = run("dpkg-shlibdeps", "-O", "--ignore-missing-info", "--warnings=0", "-xlibheddle0",
               *(f"-l{folder}" for folder in sorted(folders)), *elves, cwd=scratch)
    return text.strip().removeprefix("shlibs:Depends=")


def finish(package: tuple, root: pathlib.Path, shlibs: str, time: int, out: pathlib.Path) -> pathlib.Path:
    """Documents, control files and times; then the .deb."""
    name, short, section, fields, _ = package
    number, architecture = version(), run("dpkg", "--print-architecture").strip()
    documents = root / "usr/share/doc" / name
    documents.mkdir(parents=True)
    squeeze(ROOT / "CHANGELOG.md", documents / "changelog.gz")
    (documents / "copyright").write_text(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: heddle\n\n"
        "Files: *\nCopyright: The authors of Heddle\nLicense: Apache-2.0\n On Debian systems the full text "
        "of the Apache License, version 2.0, is in\n /usr/share/common-licenses/Apache-2.0.\n",
        encoding="utf-8")
    size = sum(-(-path.lstat().st_size // 1024) for path in root.rglob("*") if path.is_file())
    control = {"Package": name, "Source": "heddle", "Version": number, "Architecture": architecture,
               "Maintainer": f"{os.environ.get('DEBFULLNAME', 'Local build')} "
                             f"<{os.environ.get('DEBEMAIL', 'root@localhost')}>",
               "Installed-Size": str(size), "Section": section, "Priority": "optional"}
    if section in ("libs", "libdevel") and list(root.glob("usr/lib/*-linux-*/libheddle.so*")):
        control["Multi-Arch"] = "same"
    for field, value in fields.items():
        value = re.sub(r", $|^, ", "", value.format(version=number, shlibs=shlibs))
        control.update({field: value} if value else {})
    control["Description"] = short + "\n" + textwrap.fill(
        LONG[name], 78, initial_indent=" ", subsequent_indent=" ")
    text = "".join(f"{field}: {value}\n" for field, value in control.items())
    meta = root / "DEBIAN"
    meta.mkdir()
    (meta / "control").write_text(text, encoding="utf-8")
    if name == "libheddle0":
        (meta / "triggers").write_text("activate-noawait ldconfig\n")
        (meta / "shlibs").write_text(f"libheddle 0 libheddle0 (>= {number})\n")
    files = [path for path in sorted(root.rglob("*")) if path.is_file() and meta not in path.parents
             and not path.is_symlink()]
    sums = run("md5sum", *(path.relative_to(root) for path in files), cwd=root)
    (meta / "md5sums").write_text(sums)
    for path in [root, *root.rglob("*")]:
        if not path.is_symlink():
            program = os.access(path, os.X_OK) and ".so" not in path.name
            path.chmod(0o755 if path.is_dir() or program else 0o644)
        os.utime(path, (time, time), follow_symlinks=False)
    to = out / f"{name}_{number}_{architecture}.deb"
    run("dpkg-deb", "--root-owner-group", f"-Z{os.environ.get('DEB_COMPRESSION', 'xz')}", "--build", root, to,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(time)})
    return to


def build(folder: pathlib.Path, out: pathlib.Path) -> None:
    for program, package in PROGRAMS.items():
        if not shutil.which(program):
            raise SystemExit(f"packaging/deb.py: {program} is missing: apt-get install {package}")
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        tree, made = scratch / "tree", scratch / "made"
        made.mkdir()
        run("cmake", "--install", folder, "--prefix", "/usr", env={**os.environ, "DESTDIR": str(tree)})
        for path in tree.rglob("*"):
            if is_elf(path):
                run("strip", "--strip-unneeded", path)
        roots = split(tree, scratch)
        libraries = roots["libheddle0"]
        time = moment()
        shlibs = {package: needed(root, libraries, scratch) for package, root in roots.items()}
        for package in PACKAGES:
            if package[0] in roots:
                finish(package, roots[package[0]], shlibs[package[0]], time, made)
        out.mkdir(parents=True, exist_ok=True)
        for path in sorted(made.iterdir()):
            shutil.move(path, out / path.name)
            print(out / path.name)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: packaging/deb.py BUILD OUT")
    build(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())

"""The Debian packages: built from this build, installed into a root of their own, used there, removed.

Method   dpkg --root keeps a database within that folder; as root a chroot into it, with the loader's cache that
         ldconfig wrote there and no LD_LIBRARY_PATH, runs the command and a program built by pkg-config
Needs    HEDDLE_BUILD (a build of the shared library with the command), dpkg-dev, gcc, pkg-config
"""
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPECTED = {"libheddle0", "libheddle-dev", "heddle", "heddle-mpi"}


def run(*command, **options):
    environment = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
    environment.update(options.pop("env", {}))
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=environment,
                          timeout=300, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def make(out):
    run(sys.executable, ROOT / "packaging/deb.py", os.environ["HEDDLE_BUILD"], out,
        env={"SOURCE_DATE_EPOCH": "1700000000", "DEB_COMPRESSION": "none"})
    return {path.name.split("_")[0]: path for path in sorted(out.glob("*.deb"))}


@pytest.fixture(scope="module")
def debs(tmp_path_factory):
    return make(tmp_path_factory.mktemp("debs"))


def has_mpi():
    return (pathlib.Path(os.environ["HEDDLE_BUILD"]) / "libexec/heddle/heddle-mpi").exists()


def field(deb, name):
    return run("dpkg-deb", "--field", deb, name).strip()


def contents(deb):
    """{path: (mode, owner)}"""
    lines = [line.split(None, 5) for line in run("dpkg-deb", "--contents", deb).splitlines()]
    return {line[5].split(" -> ")[0].removeprefix("./"): (line[0], line[1]) for line in lines}


def test_the_packages_and_what_they_need(debs):
    assert set(debs) == EXPECTED - (set() if has_mpi() else {"heddle-mpi"})
    assert re.search(r"libc6 \(>= 2\.", field(debs["libheddle0"], "Depends"))
    assert field(debs["libheddle-dev"], "Depends") == "libheddle0 (= 0.1.0)"
    needs = field(debs["heddle"], "Depends")
    for name in ("libheddle0 (= 0.1.0)", "libc6", "zlib1g", "libzstd1"):
        assert name in needs, needs
    assert needs.count("libheddle0") == 1


def test_files_are_where_debian_has_them(debs):
    library, dev, command = (contents(debs[n]) for n in ("libheddle0", "libheddle-dev", "heddle"))
    assert sorted(n.rsplit("/", 1)[1] for n in library if "libheddle.so" in n) == ["libheddle.so.0",
                                                                                  "libheddle.so.0.1.0"]
    assert any(n.endswith("/libheddle.so") for n in dev) and "usr/include/heddle.h" in dev
    for name in ("usr/bin/heddle", "usr/share/man/man1/heddle.1.gz", "usr/share/zsh/vendor-completions/_heddle",
                 "usr/share/bash-completion/completions/heddle",
                 "usr/share/fish/vendor_completions.d/heddle.fish"):
        assert name in command, name
    for package, deb in debs.items():
        files = contents(deb)
        assert f"usr/share/doc/{package}/copyright" in files
        assert f"usr/share/doc/{package}/changelog.gz" in files
        for name, (mode, owner) in files.items():
            assert owner == "root/root" and (mode[0] == "l" or mode[5] != "w" and mode[8] != "w"), (name, mode)
            assert name == "./" or name == "" or name.startswith("usr/"), name
            if re.search(r"\.so\.|\.(h|gz|cu|cmake|pc)$", name) and mode[0] == "-":
                assert mode == "-rw-r--r--", (name, mode)


def test_libraries_are_stripped_and_have_their_names(debs, tmp_path):
    run("dpkg-deb", "--raw-extract", debs["libheddle0"], tmp_path / "x")
    library = next((tmp_path / "x").rglob("libheddle.so.0.1.0"))
    assert "SONAME" in run("readelf", "-d", library) and "[libheddle.so.0]" in run("readelf", "-d", library)
    assert ".symtab" not in run("readelf", "-SW", library)
    assert (tmp_path / "x/DEBIAN/triggers").read_text() == "activate-noawait ldconfig\n"
    assert (tmp_path / "x/DEBIAN/shlibs").read_text() == "libheddle 0 libheddle0 (>= 0.1.0)\n"
    run("md5sum", "--check", "--quiet", "DEBIAN/md5sums", cwd=tmp_path / "x")


def test_the_same_build_gives_the_same_packages(debs, tmp_path):
    again = make(tmp_path)
    assert {n: p.read_bytes() for n, p in again.items()} == {n: p.read_bytes() for n, p in debs.items()}


def database(root):
    """An empty dpkg database, and what a program needs that runs in this root alone."""
    for folder in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers", "var/log",
                   "etc", "tmp"):
        (root / folder).mkdir(parents=True)
    for name in ("status", "available"):
        (root / "var/lib/dpkg" / name).touch()
    (root / "etc/ld.so.conf").write_text("")


def dpkg(root, *words):
    # Other packages are not in this root's database, and its ldconfig is run below.
    return run("dpkg", f"--root={root}", "--force-depends", "--force-not-root", "--force-bad-path",
               f"--log={root}/var/log/dpkg.log", *words)


def brought(program, root):
    """The libraries of the system that a program needs, copied to where it looks for them."""
    for path in re.findall(r"(?:=> |^\s+)(/\S+) \(0x", run("ldd", program), flags=re.M):
        if "libheddle" not in path:
            (root / path[1:]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(os.path.realpath(path), root / path[1:])


def test_installed_used_and_removed(debs, tmp_path):
    root = tmp_path / "root"
    database(root)
    dpkg(root, "--install", *(debs[n] for n in ("libheddle0", "libheddle-dev", "heddle")))
    run("ldconfig", "-r", root, "-X")
    assert "libheddle.so.0 " in run("ldconfig", "-r", root, "-p")
    pc = next(root.rglob("heddle.pc")).parent
    flags = run("pkg-config", "--cflags", "--libs", "heddle", env={"PKG_CONFIG_PATH": str(pc)})
    assert str(root) in flags
    run("sh", "-c", f"gcc -o '{root}/client' '{ROOT}/tests/install/client.c' {flags}")
    manual = next(root.rglob("heddle.1.gz"))
    assert b".TH" in gzip.decompress(manual.read_bytes())
    if os.geteuid() == 0:
        for program in (root / "client", root / "usr/bin/heddle"):
            brought(program, root)
        assert run("chroot", root, "/client") == "0.1.0 10\n"
        assert run("chroot", root, "/usr/bin/heddle", "sum", "-", input="1\n2\n3.5\n").strip() == "6.5"
    else:
        folder = next(root.rglob("libheddle.so.0")).parent
        assert run(root / "client", env={"LD_LIBRARY_PATH": str(folder)}) == "0.1.0 10\n"
    dpkg(root, "--purge", "heddle", "libheddle-dev", "libheddle0")
    left = [path for path in (root / "usr").rglob("*heddle*")] if (root / "usr").exists() else []
    assert not left

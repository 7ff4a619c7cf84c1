"""What every test of the command shares: the program, and ways to run it.

The program is $HEDDLE_BIN, else $HEDDLE, else the newest build/*/cli/heddle.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

# A program is started for each example: few examples, no deadline.
settings.register_profile(
    "cli", max_examples=25, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
settings.load_profile("cli")

TYPES = {"u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "i8": np.int8,
         "i16": np.int16, "i32": np.int32, "i64": np.int64, "f16": np.float16,
         "f32": np.float32, "f64": np.float64}


# The software device is two libraries of the build; a build with sanitizers has none.
collect_ignore = [] if os.environ.get("HEDDLE_TEST_SIMT") else ["test_device.py"]


def find_program():
    for name in ("HEDDLE_BIN", "HEDDLE"):
        if os.environ.get(name):
            return os.environ[name]
    built = sorted(ROOT.glob("build*/**/cli/heddle"), key=lambda p: p.stat().st_mtime)
    if not built:
        pytest.exit("no heddle command: build it, or name it in $HEDDLE_BIN", returncode=2)
    return str(built[-1])


class Heddle:
    """Runs the command: call it with arguments; keyword `stdin` is bytes or a file."""

    def __init__(self, program):
        self.program = program
        self.environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
        for name, value in os.environ.items():
            if name.startswith(("ASAN_", "UBSAN_", "TSAN_", "LSAN_")) or name in ("TMPDIR", "HEDDLE_SIMT"):
                self.environment[name] = value

    def __call__(self, *args, stdin=b"", code=0, env=None, **options):
        piped = {"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin}
        done = subprocess.run([self.program, *map(str, args)], capture_output=True,
                              env={**self.environment, **(env or {})}, timeout=60, **piped,
                              **options)
        assert done.returncode == code, (args, done.returncode, done.stdout[-500:], done.stderr)
        return done

    def text(self, *args, **options):
        return self(*args, **options).stdout.decode()

    def json(self, *args, **options):
        return json.loads(self(*args, "--json", **options).stdout)

    def error(self, *args, code, **options):
        """The message of a call that must fail, which writes nothing to standard output."""
        done = self(*args, code=code, **options)
        message = done.stderr.decode()
        assert done.stdout == b"", done.stdout[:200]
        assert message.startswith("heddle: ") and message.count("\n") == 1, message
        return message


@pytest.fixture(scope="session")
def heddle():
    return Heddle(find_program())


@pytest.fixture
def save(tmp_path):
    """save(array, name="x.npy") writes a .npy file and returns its path."""
    def write(array, name="x.npy"):
        path = tmp_path / name
        np.save(path, array)
        return path
    return write


def as_float(value):
    """A number of heddle's JSON, where NaN and infinities are strings."""
    return float(value)


def bits_of(value):
    """The bits of a NumPy scalar, as heddle's "hex" has them."""
    array = np.asarray(value)
    return array.view(f"u{array.itemsize}").item().to_bytes(array.itemsize, "big").hex()

"""What the tests of the Python package share: the staged package, its devices, caches of kernels.

The package is that of the build $HEDDLE_BUILD, else of the newest build*/ that has one. Devices are
those of $HEDDLE_TEST_DEVICES, "cpu" without it; ctest adds "simt" where that is built. On a machine
with a GPU:

    HEDDLE_BUILD=build/release HEDDLE_TEST_DEVICES=cuda python -m pytest tests/python
"""

import gc
import importlib.util
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[2]
DEVICES = [name.strip() for name in os.environ.get("HEDDLE_TEST_DEVICES", "cpu").split(",")]

# An example takes as long as the machine is busy; every run has the same examples.
settings.register_profile(
    "python", deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
settings.load_profile("python")


def find_build():
    """The folder of the build whose package is tested."""
    if os.environ.get("HEDDLE_BUILD"):
        return Path(os.environ["HEDDLE_BUILD"]).resolve()
    staged = sorted(ROOT.glob("build*/**/python/staged"), key=lambda path: path.stat().st_mtime)
    if not staged:
        pytest.exit("no Python package: build the project, or name a build in $HEDDLE_BUILD",
                    returncode=2)
    return staged[-1].parents[1]


def prepare(build):
    """Paths of the build, for this process and for those that tests start."""
    package = str(build / "python")
    others = [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p and p != package]
    os.environ["PYTHONPATH"] = os.pathsep.join([package, *others])
    sys.path.insert(0, package)
    if (build / "lib/heddle/libsimt_cuda.so").exists():
        kernels = build / "simt-kernels"  # those of the C tests
        for name, folder in (("SIMT_CACHE_DIR", kernels), ("HEDDLE_CACHE_DIR", kernels / "heddle")):
            if name not in os.environ:
                folder.mkdir(parents=True, exist_ok=True)
                folder.chmod(0o755)  # others may not write what is loaded as code
                os.environ[name] = str(folder)
        os.environ.setdefault("HEDDLE_SIMT", str(build / "lib/heddle"))


BUILD = find_build()
prepare(BUILD)


def pytest_report_header():
    import heddle
    return f"heddle {heddle.__version__} of {Path(heddle.__file__).parent}, on {', '.join(DEVICES)}"


@pytest.fixture(params=DEVICES)
def device(request):
    """The name of a device that the tests run on; a test that takes it runs once on each."""
    return request.param


@pytest.fixture
def gpu(device):
    """As `device`, but for those whose memory is the host's: such a test is not collected on them."""
    return device


def pytest_configure(config):
    config.addinivalue_line("markers", "torch: runs where PyTorch is installed")
    config.addinivalue_line(  # which test_float_errors.py is about
        "filterwarnings", "ignore:(overflow|invalid value) encountered in:RuntimeWarning")


def is_possible(item):
    """Whether a test can run here. PyTorch is too large to be among the requirements."""
    if "gpu" in item.fixturenames and item.callspec.params["device"].startswith("cpu"):
        return False
    return not item.get_closest_marker("torch") or importlib.util.find_spec("torch") is not None


def device_types(items):
    """The types that each test over types takes on the software device."""
    types = {}
    for item in items:
        given = item.callspec.params if hasattr(item, "callspec") else {}
        if given.get("device") == "simt" and "dtype" in given and "function" not in given:
            known = types.setdefault((item.module.__name__, item.originalname), [])
            if given["dtype"] not in known:
                known.append(given["dtype"])
    return types


def is_sampled(item, types):
    """On the software device every eighth type of a test over types, or one of fewer, each test others, and all
    with HEDDLE_TEST_FULL: a kernel is compiled for its type."""
    known = types.get((item.module.__name__, item.originalname))
    given = item.callspec.params if hasattr(item, "callspec") else {}
    if os.environ.get("HEDDLE_TEST_FULL") or not known or given.get("device") != "simt":
        return True
    return (known.index(given["dtype"]) + len(item.originalname)) % min(8, len(known)) == 0


def pytest_collection_modifyitems(config, items):
    possible = [item for item in items if is_possible(item)]
    types = device_types(possible)
    taken = {item for item in possible if is_sampled(item, types)}
    config.hook.pytest_deselected(items=[item for item in items if item not in taken])
    items[:] = [item for item in items if item in taken]


def pytest_collection_finish(session):
    """Takes the thousands of tests themselves out of every garbage collection: each looked at all."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def build():
    """The folder of the build."""
    return BUILD

"""What is installed of the static library, for which the library is compiled once more, has its turn."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from turn import is_taken  # noqa: E402


def is_static(item):
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    return "static" in item.fixturenames or parameters.get("tree") == "static"


def pytest_collection_modifyitems(config, items):
    left = [] if is_taken("install static") else [item for item in items if is_static(item)]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in left]

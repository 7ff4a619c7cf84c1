"""Of the suites that take minutes, those tests whose turn it is (turn.py)."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from turn import is_taken  # noqa: E402

LONG = {"cli", "ladder", "python", "simt"}


def pytest_collection_modifyitems(config, items):
    def taken(item):
        path = Path(item.path).relative_to(HERE)
        return path.parts[0] not in LONG or is_taken(f"{path.as_posix()}::{item.name}")

    kept = [item for item in items if taken(item)]
    if len(kept) == len(items):
        return
    config.hook.pytest_deselected(items=[item for item in items if not taken(item)])
    items[:] = kept

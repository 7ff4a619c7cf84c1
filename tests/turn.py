"""Which of the tests it is the turn of: HEDDLE_TEST_TURN=K/N takes one in N, for each K others.

./check sets it by the commit, so that several commits in a row are likely to run every test, and one commit
always runs the same; HEDDLE_TEST_FULL takes all of them. As a plugin of pytest (-p turn), which ctest gives to
the suites that take minutes, it leaves the others out.
"""

import os
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent


def turn():
    """(k, n): every one whose number modulo n is k."""
    text = os.environ.get("HEDDLE_TEST_TURN", "")
    if not text or os.environ.get("HEDDLE_TEST_FULL"):
        return 0, 1
    k, n = (int(part) for part in text.split("/"))
    if not 0 <= k < n:
        raise ValueError(f"HEDDLE_TEST_TURN is {text!r}; K/N is wanted, K below N")
    return k, n


def is_taken(name):
    """Whether it is the turn of what has this name."""
    k, n = turn()
    return zlib.crc32(name.encode()) % n == k


def pytest_collection_modifyitems(config, items):
    taken = [is_taken(f"{Path(item.path).relative_to(HERE).as_posix()}::{item.name}") for item in items]
    left = [item for item, is_one in zip(items, taken) if not is_one]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item, is_one in zip(items, taken) if is_one]

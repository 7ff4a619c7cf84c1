"""Which of the tests it is the turn of: HEDDLE_TEST_TURN=K/12 takes one in four, or one in twelve, for each K
others; K/4 is such a turn, too, and 0/1 takes all.

./check sets it by the commit, so that several commits in a row are likely to run every test, and one commit
always runs the same; HEDDLE_TEST_FULL takes all of them. As a plugin of pytest (-p turn), which ctest gives to
the suites that take minutes, it leaves the others out: of every four tests three, and eleven of twelve where a
test is a compilation, as those on the software device are and whole suites where HEDDLE_TEST_PARTS is 12.
"""

import os
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent


def turn(parts=4):
    """(k, n): every one whose number modulo n is k, where n is `parts`, or fewer if there are fewer turns."""
    text = os.environ.get("HEDDLE_TEST_TURN", "")
    if not text or os.environ.get("HEDDLE_TEST_FULL"):
        return 0, 1
    k, n = (int(part) for part in text.split("/"))
    if not (0 <= k < n and n in (1, 4, 12)):
        raise ValueError(f"HEDDLE_TEST_TURN is {text!r}; K/12, K/4 or 0/1 is wanted")
    return k % min(n, parts), min(n, parts)


def is_taken(name, parts=4):
    """Whether it is the turn of what has this name."""
    k, n = turn(parts)
    return zlib.crc32(name.encode()) % n == k


def parts_of(item):
    """Into how many parts the tests of its kind are dealt."""
    given = item.callspec.params if hasattr(item, "callspec") else {}
    return 12 if given.get("device") == "simt" else int(os.environ.get("HEDDLE_TEST_PARTS", "4"))


def pytest_collection_modifyitems(config, items):
    taken = [is_taken(f"{Path(item.path).relative_to(HERE).as_posix()}::{item.name}", parts_of(item))
             for item in items]
    left = [item for item, is_one in zip(items, taken) if not is_one]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item, is_one in zip(items, taken) if is_one]

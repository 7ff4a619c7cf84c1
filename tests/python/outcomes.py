"""What a call comes to, for tests that hold one of the package beside another; which calls are made."""

import os
import warnings
import zlib

import numpy as np

#: The most special first: a class and those that it is of.
KINDS = (np.exceptions.AxisError, OverflowError, FloatingPointError, TypeError, ValueError)


def outcome(function, *arguments, **keywords):
    """The result, or the kind of what is raised; nothing is warned of."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return function(*arguments, **keywords)
        except KINDS as error:
            return next(kind for kind in KINDS if isinstance(error, kind))


def is_sampled(*call):
    """True for one call in two, always the same ones, and for all with HEDDLE_TEST_FULL. A test over
    thousands of calls asks for each: together they have every value of every argument many times."""
    return bool(os.environ.get("HEDDLE_TEST_FULL")) or zlib.crc32(repr(call).encode()) % 2 == 0

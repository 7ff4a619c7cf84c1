"""The library's messages in the words of the package: arguments of Python instead of C's entries and fields."""

from __future__ import annotations

import re

__all__ = ["in_python"]

#: What a message is about, in front of it, by the entry that it begins with.
_SUBJECTS = {"heddle_open": "device: "}
#: The same by how it goes on.
_BEGINNINGS = (("weight ", "weights: "), ("no element came", "update: "))
_WORDS = (
    ("`into` holds", "this state holds"), ("`from` ", "the other one "), ("`state`", "the state"),
    ("or an init", "or `initial`"), ("`options->prefix`", "`prefix`"), ("options->start", "`start`"),
    ("options->prefix", "`prefix`"), ("`options->", "`"),
    ("heddle_quantiles_round", "round()"), ("heddle_quantiles_finish", "result()"),
    ("heddle_partial_sort_begin", "the states"), ("by heddle_reduce_begin", "by a Reduction"),
    ("type, acc_type and nan", "dtype and skipna"), ("heddle_quantiles on the whole array",
                                                     "quantile() of the whole array"),
    ("only heddle_state_free is left", "begin anew"),
)
_ENTRY = re.compile(r"(heddle_\w+): ")


def in_python(text: str) -> str:
    """A message about a call's arguments or elements.

    Examples
    --------
    >>> in_python("heddle_reduce: min of nothing but NaN has no result; give values, or an init")
    'min of nothing but NaN has no result; give values, or `initial`'
    """
    entry = _ENTRY.match(text)
    if entry:
        rest = text[entry.end():]
        subject = next((name for begins, name in _BEGINNINGS if rest.startswith(begins)), "")
        text = _SUBJECTS.get(entry[1], subject) + rest
    for word, known in _WORDS:
        text = text.replace(word, known)
    return text

"""What is wrong with a call is said in the words of Python, not of the library's C interface."""

import re

import numpy as np
import pytest

import heddle as hd

X, NAN = np.arange(6.0), np.full(3, np.nan)


def passed(state, *pieces):
    for piece in pieces:
        state.update(piece)
        state.round()
    return state


CALLS = {
    "device": (lambda: hd.sum(X, device="no"), "^device: no device is called"),
    "device of groups": (lambda: hd.groupby([1, 2], device="no"), "^device: no device is called"),
    "nothing but NaN": (lambda: hd.max(NAN, skipna=True),
                        "^max of nothing but NaN has no result; give values, or `initial`"),
    "no first NaN": (lambda: hd.argmin(NAN, skipna=True), "^argmin of nothing but NaN"),
    "weights": (lambda: hd.quantile(X, 0.5, weights=X * np.nan, method="inverted_cdf"),
                "^weights: weight 0 is"),
    "a rank": (lambda: passed(hd.Nth(100), X), "^`ranks.0.` is 100, but the state has 6 elements"),
    "nothing came": (lambda: hd.Quantiles(0.5).result(), r"^the state is in its pass 1; end it by round\(\)"),
    "no element": (lambda: passed(hd.Quantiles(0.5), X[:0]).result(), "^update: no element came"),
    "too many passes": (lambda: passed(hd.Quantiles(0.5), X, X, X, X), r"result\(\)"),
    "no neighbours": (lambda: hd.state.sum(X) | hd.state.sum(X),
                      "^this state holds elements 0 to 5 and the other one 0 to 5, .* set `start`"),
    "another prefix": (lambda: hd.Scan("sum", prefix=hd.state.min(X)).update(X),
                       "^`prefix` is a state with another operator .* by a Reduction with .* dtype and skipna"),
    "nothing to begin with": (lambda: hd.Reduction("min").result(), "or `initial`$"),
}


@pytest.mark.parametrize("name", CALLS)
def test_messages_are_of_python(name):
    call, wanted = CALLS[name]
    with pytest.raises((ValueError, TypeError, RuntimeError)) as caught:
        call()
    text = str(caught.value)
    assert re.search(wanted, text), text
    assert not re.search("heddle_|HEDDLE_|options->|`state`", text), text

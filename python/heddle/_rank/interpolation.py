"""NumPy's arithmetic of quantiles, on the elements that it takes, in their own dtype."""

from __future__ import annotations

import numpy as np

__all__ = ["between", "places"]

_SPACES = {"interpolated_inverted_cdf": (0, 1), "hazen": (0.5, 0.5), "weibull": (0, 0),
           "median_unbiased": (1 / 3.0, 1 / 3.0), "normal_unbiased": (3 / 8.0, 3 / 8.0)}


def places(method: str, length: int, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The ranks on both sides of each share, and how far it is from the first to the second."""
    if method == "averaged_inverted_cdf":
        index = length * q - 1
    elif method == "midpoint":
        index = 0.5 * (np.floor((length - 1) * q) + np.ceil((length - 1) * q))
    elif method == "linear":
        index = (length - 1) * q
    else:
        alpha, beta = _SPACES[method]
        index = length * q + (alpha + q * (1 - alpha - beta)) - 1
    before = np.floor(index)
    low, high = before.copy(), before + 1
    last, first = index >= length - 1, index < 0
    low[last] = high[last] = -1
    low[first] = high[first] = 0
    t = index - low
    if method == "averaged_inverted_cdf":
        t = np.where(t == 0, 0.5, 1.0)
    elif method == "midpoint":
        t = np.where(index % 1 == 0, 0.0, 0.5)
    return low.astype(np.int64) % length, high.astype(np.int64) % length, t


def between(a: np.ndarray, b: np.ndarray, t: np.ndarray, weak: bool) -> np.ndarray:
    """Between elements, as NumPy does it in their dtype; beside infinities as heddle.h has it."""
    apart, left = (t.astype(a.dtype), (1 - t).astype(a.dtype)) if weak else (t, 1 - t)
    with np.errstate(invalid="ignore", over="ignore"):
        difference = b - a
        result = a + difference * apart
        np.subtract(b, difference * left, out=result, where=np.broadcast_to(t >= 0.5, a.shape))
        outer = ~np.isfinite(difference) & ~np.isnan(difference)
        same = np.isinf(a) & (a == b)
        fits = np.where(np.isinf(b) & np.isinf(a), np.nan, np.where(np.isinf(b), b, a))
        fits = np.where(t == 0, a, np.where(t == 1, b, fits))
    one = outer & (np.isinf(a) | np.isinf(b))
    result[one] = fits.astype(result.dtype)[one]
    result[same] = a[same]
    return result

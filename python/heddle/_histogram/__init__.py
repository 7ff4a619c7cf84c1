"""Histograms: the functions histogram, bincount, histogram2d, histogramdd and binned_statistic.

histogram.py and bincount.py are the functions. Both have the library count a Sample (sample.py:
elements, and weights beside them), histogram in the bins that bins.py makes of its arguments.
weights.py adds integers exactly, figure.py draws a Histogram.
grid.py is histograms of several dimensions, binned.py statistics of values by the bins of others.
"""

from .histogram import Histogram

__all__ = ["Histogram"]

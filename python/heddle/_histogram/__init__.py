"""Histograms: histogram, bincount, histogram2d, histogramdd, binned_statistic and their like.

histogram.py and bincount.py are the functions. Both have the library count a Sample (sample.py:
elements, and weights beside them), histogram in the bins that bins.py makes of its arguments.
weights.py adds integers exactly, figure.py draws a Histogram.
grid.py is histograms of several dimensions (grid_device.py: of points on a GPU), binned.py and
binned_grid.py are statistics of values by the bins of others.
"""

from .histogram import Histogram

__all__ = ["Histogram"]

"""Sums, scans, histograms and sorts under NumPy's names, with the same bits everywhere.

`import heddle as hd` gives functions of the names, arguments and results of NumPy's, at the speed
of memory, on all processors or on a GPU. A float result is the same bits on any processor, with any
number of threads, in every run.

Every function takes arrays of NumPy, of PyTorch, CuPy, pyarrow, Polars and pandas and whatever has
their protocols, without copying, and gives the caller's kind of array back. ``threads=`` and
``device=`` say where a call runs. docs/python.md of the sources is the guide.

Examples
--------
>>> import numpy as np
>>> import heddle as hd
>>> x = 1 / np.arange(1, 1_000_001, dtype=np.float32)
>>> hd.sum(x) == hd.sum(x, threads=1) == hd.cumsum(x)[-1]
np.True_
>>> counts, edges = hd.histogram([1, 2, 1, 4, 4, 4], bins=3)
>>> counts
array([2, 1, 3])
"""

from ._arrays.device_array import DeviceArray
from ._context import devices, synchronize
from ._cumulative import *
from ._cumulative import __all__ as _cumulatives
from ._fsum import fdot, fmean, fsum
from ._figures import *
from ._figures import __all__ as _figures_
from ._histogram.bincount import bincount
from ._histogram.binned import *
from ._histogram.binned import __all__ as _binneds
from ._histogram.binned_grid import *
from ._histogram.binned_grid import __all__ as _binned_grids
from ._histogram.grid import histogram2d, histogramdd
from ._histogram.histogram import Histogram, histogram
from ._description import Description
from ._groups.groupby import *
from ._groups.groupby import __all__ as _groupbys
from ._groups.ids import *
from ._groups.ids import __all__ as _ids_
from ._groups.search import *
from ._groups.search import __all__ as _searches
from ._groups.unique import *
from ._groups.unique import __all__ as _uniques
from ._lexsort import lexsort
from ._moments import describe, dot, mean, std, var
from ._nan import *
from ._nan import __all__ as _nans
from ._native import DeviceError, lib as _lib
from ._rank.partition import argpartition, kthvalue, partition, topk
from ._rank.quantiles import *
from ._rank.quantiles import __all__ as _quantiles_
from ._reduce import *
from ._reduce import __all__ as _reductions
from ._reduceat import *
from ._reduceat import __all__ as _reduceats
from ._scan import cumprod, cumsum, maximum_accumulate, minimum_accumulate
from ._segments import *
from ._segments import __all__ as _segments_
from ._select.elements import *
from ._select.elements import __all__ as _selects
from ._select.runs import *
from ._select.runs import __all__ as _runs_
from ._sort import *
from ._sort import __all__ as _sorts
from . import state
from .state._counts import Counts
from .state._quantiles import Quantiles
from .state._ranked import Nth, TopK
from .state._verbs import Dot, Moments, Reduction, Scan
from .state._weighted import WeightedQuantiles

__version__: str = _lib.heddle_version_string().decode()

__all__ = [
    "Counts", "Description", "DeviceArray", "DeviceError", "Dot", "Histogram", "Moments", "Nth",
    "Quantiles", "Reduction", "Scan", "TopK", "WeightedQuantiles", "argpartition", "bincount", "cumprod",
    "cumsum",
    "describe", "devices", "dot", "fdot", "fmean", "fsum", "histogram", "histogram2d", "histogramdd",
    "kthvalue", "lexsort", "maximum_accumulate", "mean", "minimum_accumulate", "partition", "state", "std",
    "synchronize", "topk", "var",
]
__all__ += _reductions + _nans + _cumulatives + _figures_ + _segments_ + _reduceats + _sorts
__all__ += _runs_ + _selects
__all__ += _quantiles_
__all__ += _searches + _uniques + _groupbys + _ids_ + _binneds + _binned_grids
__all__.sort()

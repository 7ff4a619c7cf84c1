"""heddle.dask: heddle's functions of Dask arrays, with heddle's bits.

Of all elements: the state of each chunk (`heddle.state`) is taken where the chunk is. States travel,
mostly less than a KiB each, and are merged by a tree; the result, a `dask.delayed.Delayed`, has the
bits of heddle's function on the whole array, however it is cut and whichever workers there are.
Elements of several dimensions count in C order.

Along an axis: the result is an array of Dask. Its chunks are made by heddle's function on rows that
are whole: where an axis is cut, the array is cut anew, along the other axes.

What `heddle.state` takes these functions take, too; each chunk is folded by one thread unless
`threads` says otherwise, for Dask has a chunk a thread. Only this module imports Dask, which
`import heddle` does not.

Examples
--------
>>> import dask.array as da, numpy as np, heddle as hd, heddle.dask as hdd
>>> x = 1 / np.arange(1, 100_001, dtype=np.float32)
>>> hdd.sum(da.from_array(x, chunks=777)).compute() == hd.sum(x)
np.True_
>>> counts, edges = hdd.histogram(da.from_array(x, chunks=777), bins=[0, 3e-5, 3e-3, 1]).compute()
>>> counts
array([66667, 33000,   333])
>>> hdd.cumsum(da.from_array(x, chunks=777))[[0, 1, -1]].compute()
array([ 1.      ,  1.5     , 12.090147], dtype=float32)
>>> table = da.ones((6, 4), chunks=(2, 2))
>>> hdd.mean(table, axis=0).compute()
array([1., 1., 1., 1.])
"""

from ._passes import *
from ._passes import __all__ as _quantiles
from ._running import *
from ._running import __all__ as _runnings
from ._whole import *
from ._whole import __all__ as _wholes

__all__ = [*_quantiles, *_runnings, *_wholes]
__all__.sort()

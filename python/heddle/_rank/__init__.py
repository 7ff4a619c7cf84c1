"""Order statistics, which are found without sorting.

quantiles.py has the functions median, quantile, percentile and the same without NaN, of which interpolation.py
has NumPy's arithmetic; partition.py has topk, kthvalue, partition and argpartition.
"""

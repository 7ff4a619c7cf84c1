"""Series of pandas that are made without its constructor: what that gives, or it is used."""
import numpy as np
import pytest

import heddle as hd
from heddle._arrays import series

pandas = pytest.importorskip("pandas")


def sources():
    frame = pandas.DataFrame({"a": np.arange(6.0), "b": np.arange(6.0) + 0.5, "c": [1, 2, 3, 4, 5, 6]},
                             index=list("uvwxyz"))
    column = frame["a"]
    return {"made": pandas.Series(np.arange(6.0), index=list("uvwxyz"), name=("a", 1)),
            "column": column, "of several": frame["b"], "integers": frame["c"],
            "row": frame.iloc[2], "slice": column[2:5], "step": column[::2], "back": column[::-1],
            "mask": column[column > 2], "sorted": column.sort_values(ascending=False),
            "copy": column.copy(deep=False), "bools": column > 2, "empty": column[:0],
            "narrow": column.astype(np.float16), "levels": column.set_axis(
                pandas.MultiIndex.from_product([["a", "b"], [1, 2, 3]])),
            "times": column.set_axis(pandas.date_range("2020", periods=6))}


@pytest.mark.parametrize("kind", sources())
def test_as_the_constructor_makes_it(kind):
    source = sources()[kind]
    before = source.copy()
    made = hd.cumsum(source)
    expected = pandas.Series(hd.cumsum(source.to_numpy()), index=source.index, name=source.name)
    pandas.testing.assert_series_equal(made, expected)
    assert series._maker(pandas.Series) is series._by_manager
    assert vars(made).keys() == vars(expected).keys()
    assert made._mgr.blocks[0].mgr_locs.as_array.tolist() == list(range(len(source)))
    pandas.testing.assert_series_equal(made + made, expected + expected)
    pandas.testing.assert_series_equal(made.iloc[::-1].sort_index(), expected.iloc[::-1].sort_index())
    if len(source):
        made.iloc[0] = 1
        made.name = "new"
        made.loc[source.index[-1]] = 0
    pandas.testing.assert_series_equal(source, before)


def test_another_pandas_is_asked_in_full(monkeypatch):
    source = sources()["made"]
    expected = hd.cumsum(source)
    for change in (lambda self, manager, axes: 1 / 0, lambda self, manager, axes: self):
        monkeypatch.setattr(pandas.Series, "_constructor_from_mgr", change)
        series._maker.cache_clear()
        try:
            assert series._maker(pandas.Series) is series._by_constructor
            pandas.testing.assert_series_equal(hd.cumsum(source), expected)
        finally:
            series._maker.cache_clear()


def test_results_of_groups_and_bins_have_no_index():
    """However many there are: an index is of elements, and that of as many results says nothing of them."""
    x = pandas.Series([3.0, 1.0, 2.0], index=list("uvw"))
    groups, three = hd.groupby([2, 1, 0]), [0.1, 0.5, 0.9]
    found = [*hd.unique(x, True, False, True), hd.unique_values(x), *hd.unique_counts(x), *hd.topk(x, 3),
             groups.sum(x), groups.mean(x), groups.var(x), groups.std(x), groups.gather(x), groups.first(x),
             hd.group_sum([2, 1, 0], x), hd.quantile(x, three), hd.nanquantile(x, three),
             hd.segment_sum(x, [0, 1, 2, 3]), hd.segment_mean(x, [0, 1, 2, 3]),
             hd.segment_argmin(x, [0, 1, 2, 3]), hd.add_reduceat(x, [0, 1, 2]),
             hd.add_reduceat(x, [1, 0, 2]), hd.take(x, [2, 1, 0])]
    assert {type(result) for result in found} == {np.ndarray}
    assert hd.add_reduceat(x[:1], [0, 0]).tolist() == [3.0, 3.0]
    assert type(hd.unique_inverse(x).inverse_indices) is pandas.Series

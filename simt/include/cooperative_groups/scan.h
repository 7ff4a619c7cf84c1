// Scans of a group, in the order of ranks.
//
// Result   inclusive_scan: op over the values of all threads up to this one; exclusive_scan:
//          up to the one before, T() for the first. The _update forms also add the total to an
//          atomic and start from what it held
// Method   details/fold.hpp
// Limits   groups: tiles of any size, coalesced groups
// Source   CUDA C++ Programming Guide, Cooperative Groups, Data Manipulation
#ifndef SIMT_CG_SCAN_H
#define SIMT_CG_SCAN_H
#include "simt/names_begin.inc"

#include "details/fold.hpp"

namespace cooperative_groups {

template <class Group, class T, class Op>
SIMT_SEEN auto inclusive_scan(const Group &g, T &&value, Op &&op, simt_location at = SIMT_HERE) ->
    typename details::bare<T>::type {
  const typename details::bare<T>::type own = value;
  return details::scan_group(g, own, op, at);
}
template <class Group, class T>
SIMT_SEEN auto inclusive_scan(const Group &g, T &&value, simt_location at = SIMT_HERE) ->
    typename details::bare<T>::type {
  return inclusive_scan(g, value, plus<typename details::bare<T>::type>(), at);
}

template <class Group, class T, class Op>
SIMT_SEEN auto exclusive_scan(const Group &g, T &&value, Op &&op, simt_location at = SIMT_HERE) ->
    typename details::bare<T>::type {
  typedef typename details::bare<T>::type type;
  const unsigned rank = unsigned(g.thread_rank());
  const type sum = inclusive_scan(g, value, op, at);
  const type before = g.shfl(sum, rank ? int(rank - 1) : 0, at);
  return rank ? before : type();
}
template <class Group, class T>
SIMT_SEEN auto exclusive_scan(const Group &g, T &&value, simt_location at = SIMT_HERE) ->
    typename details::bare<T>::type {
  return exclusive_scan(g, value, plus<typename details::bare<T>::type>(), at);
}

namespace details {

// What the atomic held before the group's total went into it.
template <class Group, class Atomic, class T, class Op>
SIMT_SEEN T update_by_last(const Group &g, Atomic &to, const T &inclusive, Op &op,
                           simt_location at) {
  const unsigned last = unsigned(g.size()) - 1;
  T before = T();
  if (g.thread_rank() == last) before = update_atomic(to, inclusive, op);
  return g.shfl(before, int(last), at);
}

} // namespace details

template <class Group, class Atomic, class T, class Op>
SIMT_SEEN auto inclusive_scan_update(const Group &g, Atomic &to, T &&value, Op &&op,
                                     simt_location at = SIMT_HERE) ->
    typename details::bare<T>::type {
  const auto sum = inclusive_scan(g, value, op, at);
  return op(details::update_by_last(g, to, sum, op, at), sum);
}
template <class Group, class Atomic, class T>
SIMT_SEEN auto inclusive_scan_update(const Group &g, Atomic &to, T &&value,
                                     simt_location at = SIMT_HERE) ->
    typename details::bare<T>::type {
  return inclusive_scan_update(g, to, value, plus<typename details::bare<T>::type>(), at);
}

template <class Group, class Atomic, class T, class Op>
SIMT_SEEN auto exclusive_scan_update(const Group &g, Atomic &to, T &&value, Op &&op,
                                     simt_location at = SIMT_HERE) ->
    typename details::bare<T>::type {
  typedef typename details::bare<T>::type type;
  const unsigned rank = unsigned(g.thread_rank());
  const type sum = inclusive_scan(g, value, op, at);
  const type base = details::update_by_last(g, to, sum, op, at);
  const type before = g.shfl(sum, rank ? int(rank - 1) : 0, at);
  return rank ? op(base, before) : base;
}
template <class Group, class Atomic, class T>
SIMT_SEEN auto exclusive_scan_update(const Group &g, Atomic &to, T &&value,
                                     simt_location at = SIMT_HERE) ->
    typename details::bare<T>::type {
  return exclusive_scan_update(g, to, value, plus<typename details::bare<T>::type>(), at);
}

} // namespace cooperative_groups
#include "simt/names_end.inc"
#endif

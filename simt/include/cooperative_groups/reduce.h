// Reductions of a group.
//
// Result   reduce(group, value, op): every thread of the group gets the total;
//          reduce_update_async and reduce_store_async: one thread puts it into memory
// Method   details/fold.hpp
// Limits   groups: tiles of any size, coalesced groups. The updates are complete on return
// Source   CUDA C++ Programming Guide, Cooperative Groups, Data Manipulation
#ifndef SIMT_CG_REDUCE_H
#define SIMT_CG_REDUCE_H
#include "simt/names_begin.inc"

#include "details/fold.hpp"

namespace cooperative_groups {

template <class Group, class T, class Op>
SIMT_SEEN auto reduce(const Group &g, T &&value, Op &&op, simt_location at = SIMT_HERE) ->
    typename details::bare<T>::type {
  const typename details::bare<T>::type own = value;
  return details::reduce_group(g, own, op, at);
}

template <class Group, class Atomic, class T, class Op>
SIMT_SEEN void reduce_update_async(const Group &g, Atomic &to, T &&value, Op &&op,
                                   simt_location at = SIMT_HERE) {
  const auto total = reduce(g, value, op, at);
  if (g.thread_rank() == 0) details::update_atomic(to, total, op);
}

template <class Group, class Atomic, class T, class Op>
SIMT_SEEN void reduce_store_async(const Group &g, Atomic &to, T &&value, Op &&op,
                                  simt_location at = SIMT_HERE) {
  const auto total = reduce(g, value, op, at);
  if (g.thread_rank() == 0) to.store(total);
}
template <class Group, class P, class T, class Op>
SIMT_SEEN void reduce_store_async(const Group &g, P *to, T &&value, Op &&op,
                                  simt_location at = SIMT_HERE) {
  const auto total = reduce(g, value, op, at);
  if (g.thread_rank() == 0) *to = total;
}

} // namespace cooperative_groups
#include "simt/names_end.inc"
#endif

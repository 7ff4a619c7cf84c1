// Copies by a whole group.
//
// Result   memcpy_async(group, to, from, bytes), or with two layouts in elements; wait and
//          wait_prior make the bytes visible to the group
// Method   every thread copies its share at once; waiting is the group's barrier
// Limits   nothing overlaps, the copy is done in the call
// Source   CUDA C++ Programming Guide, Cooperative Groups, Data Transfer
#ifndef SIMT_CG_MEMCPY_ASYNC_H
#define SIMT_CG_MEMCPY_ASYNC_H
#include "simt/names_begin.inc"

#include "../cooperative_groups.h"
#include "../simt/cuda/aligned_size.hpp"

namespace cooperative_groups {
namespace details {

// The share of `rank` among `threads`, in pieces of 16 bytes.
SIMT_SEEN void copy_share(void *to, const void *from, size_t bytes, size_t rank, size_t threads) {
  const size_t share = ((bytes + threads - 1) / threads + 15) / 16 * 16, at = rank * share;
  if (at >= bytes) return;
  const size_t mine = bytes - at < share ? bytes - at : share;
  simt::copy_bytes(static_cast<char *>(to) + at, static_cast<const char *>(from) + at, mine);
  simt::async_copied(static_cast<char *>(to) + at, mine);
}

template <class T> struct bytes_of {
  enum { value = sizeof(T) };
};
template <> struct bytes_of<void> {
  enum { value = 1 };
};

} // namespace details

template <class Group, class T, class Shape>
SIMT_SEEN void memcpy_async(const Group &g, T *to, const T *from, const Shape &bytes) {
  details::copy_share(to, from, size_t(bytes), size_t(g.thread_rank()), size_t(g.size()));
  simt::async_committed();
}

template <class Group, class T, class ToLayout, class FromLayout>
SIMT_SEEN void memcpy_async(const Group &g, T *to, const ToLayout &to_layout, const T *from,
                            const FromLayout &from_layout) {
  const size_t a = size_t(to_layout), b = size_t(from_layout);
  details::copy_share(to, from, (a < b ? a : b) * details::bytes_of<T>::value,
                      size_t(g.thread_rank()), size_t(g.size()));
  simt::async_committed();
}

template <class Group> inline void wait(const Group &g, simt_location at = SIMT_HERE) {
  simt::async_wait(0);
  g.sync(at);
}
template <unsigned Stages, class Group>
inline void wait_prior(const Group &g, simt_location at = SIMT_HERE) {
  simt::async_wait(Stages);
  g.sync(at);
}

} // namespace cooperative_groups
#include "simt/names_end.inc"
#endif

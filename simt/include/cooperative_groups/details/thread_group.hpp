// thread_group: any group, by value.
//
// Method   the whole of every group fits in it, so that groups convert by slicing, as programs
//          that pass a thread_group by value expect
#ifndef SIMT_CG_THREAD_GROUP_HPP
#define SIMT_CG_THREAD_GROUP_HPP

#include "../../simt/warp/barrier.hpp"
#include "../../simt/warp/warp_core.hpp"
#include "../../vector_types.h"

namespace cooperative_groups {

typedef simt::location simt_location;

namespace details {

enum group_kind { GRID_GROUP, CLUSTER_GROUP, BLOCK_GROUP, WIDE_GROUP, LANE_GROUP };

inline SIMT_QUIET unsigned volume(uint3 d) { return d.x * d.y * d.z; }
inline SIMT_QUIET unsigned long long volume(uint3 d, unsigned long long each) {
  return each * d.x * d.y * d.z;
}
inline SIMT_QUIET unsigned block_size() { return volume(::blockDim); }
inline SIMT_QUIET unsigned rank_in_block() {
  return ::threadIdx.x + ::blockDim.x * (::threadIdx.y + ::blockDim.y * ::threadIdx.z);
}
inline SIMT_QUIET unsigned long long rank_of_block() {
  return ::blockIdx.x +
         ::gridDim.x * (::blockIdx.y + static_cast<unsigned long long>(::gridDim.y) * ::blockIdx.z);
}

// Lanes of the warp that exist.
inline SIMT_QUIET unsigned present_lanes() {
  const unsigned before = rank_in_block() & ~31u, rest = block_size() - before;
  return rest >= 32 ? 0xffffffffu : simt::lanes_below(rest);
}
inline SIMT_QUIET unsigned count(unsigned lanes) { return unsigned(__builtin_popcount(lanes)); }
inline SIMT_QUIET unsigned rank_among(unsigned lanes) {
  return count(lanes & simt::lanes_below(simt_lane()));
}
// The lane with this rank; rank < count(lanes).
inline SIMT_QUIET unsigned lane_of(unsigned lanes, unsigned rank) {
  for (; rank; --rank) lanes &= lanes - 1;
  return unsigned(__builtin_ctz(lanes));
}
inline SIMT_QUIET unsigned all_of(unsigned size) {
  return size >= 32 ? 0xffffffffu : simt::lanes_below(size);
}
// Bit r of the result is the bit of the lane with rank r.
inline SIMT_QUIET unsigned pack(unsigned bits, unsigned lanes) {
  unsigned packed = 0;
  for (unsigned rank = 0; lanes; lanes &= lanes - 1, ++rank)
    if (bits & lanes & (0u - lanes)) packed |= 1u << rank;
  return packed;
}

void wide_sync(unsigned size, simt_location at);

} // namespace details

class thread_group {
public:
  SIMT_QUIET unsigned long long size() const {
    switch (kind_) {
    case details::GRID_GROUP: return details::volume(::gridDim, details::block_size());
    case details::LANE_GROUP: return details::count(lanes_);
    case details::WIDE_GROUP: return lanes_;
    default: return details::block_size();
    }
  }
  SIMT_QUIET unsigned long long num_threads() const { return size(); }

  SIMT_QUIET unsigned long long thread_rank() const {
    switch (kind_) {
    case details::GRID_GROUP:
      return details::rank_of_block() * details::block_size() + details::rank_in_block();
    case details::LANE_GROUP: return details::rank_among(lanes_);
    case details::WIDE_GROUP: return details::rank_in_block() % lanes_;
    default: return details::rank_in_block();
    }
  }

  // Who must arrive: every thread of the group that has not returned.
  SIMT_QUIET void sync(simt_location at = SIMT_HERE) const {
    switch (kind_) {
    case details::GRID_GROUP: simt_grid_barrier(at.file, at.line); break;
    case details::LANE_GROUP: simt_sync_warp(lanes_, "group.sync", at.file, at.line); break;
    case details::WIDE_GROUP: details::wide_sync(lanes_, at); break;
    default: simt_barrier(at.file, at.line);
    }
  }

  SIMT_QUIET bool is_valid() const { return kind_ != details::GRID_GROUP || simt_is_cooperative(); }

  SIMT_QUIET bool operator==(const thread_group &other) const {
    return kind_ == other.kind_ && lanes_ == other.lanes_;
  }
  SIMT_QUIET bool operator!=(const thread_group &other) const { return !(*this == other); }

protected:
  thread_group(details::group_kind kind, unsigned lanes) : kind_(kind), lanes_(lanes) {}

  details::group_kind kind_;
  unsigned lanes_; // LANE_GROUP: the mask; WIDE_GROUP: how many threads
};

template <class Group> inline SIMT_QUIET void sync(const Group &g, simt_location at = SIMT_HERE) {
  g.sync(at);
}
template <class Group>
inline SIMT_QUIET auto thread_rank(const Group &g) -> decltype(g.thread_rank()) {
  return g.thread_rank();
}
template <class Group> inline SIMT_QUIET auto group_size(const Group &g) -> decltype(g.size()) {
  return g.size();
}
template <class Group> inline SIMT_QUIET bool is_valid(const Group &g) { return g.is_valid(); }

} // namespace cooperative_groups
#endif

// Groups made from groups, and one thread chosen from a group.
#ifndef SIMT_CG_PARTITION_HPP
#define SIMT_CG_PARTITION_HPP

#include "tiles.hpp"

namespace cooperative_groups {
namespace details {

inline SIMT_QUIET unsigned tiles_in(unsigned long long threads, unsigned size) {
  return unsigned((threads + size - 1) / size);
}

// The threads [k*size, (k+1)*size) of a group inside a warp, k this thread's.
inline SIMT_QUIET coalesced_group part_of_lanes(unsigned lanes, unsigned size) {
  const unsigned mine = rank_among(lanes) / size;
  unsigned part = 0, rank = 0;
  for (unsigned m = lanes; m; m &= m - 1, ++rank)
    if (rank / size == mine) part |= m & (0u - m);
  return coalesced_group::simt_make(part, mine, tiles_in(count(lanes), size));
}

inline SIMT_QUIET coalesced_group part_of_block(unsigned size) {
  const unsigned rank = rank_in_block(), first = simt_lane() & ~(size - 1);
  return coalesced_group::simt_make(all_of(size) << first & present_lanes(), rank / size,
                                    tiles_in(block_size(), size));
}

template <class Group> inline SIMT_QUIET auto lanes_of(const Group &g) -> decltype(g.simt_mask()) {
  return g.simt_mask();
}

struct opened_group : thread_group {
  explicit opened_group(const thread_group &g) : thread_group(g) {}
  bool in_warp() const { return kind_ == LANE_GROUP; }
  unsigned lanes() const { return lanes_; }
};

} // namespace details

template <unsigned Size, class Parent>
inline SIMT_QUIET thread_block_tile<Size, Parent> tiled_partition(const Parent &parent) {
  return thread_block_tile<Size, Parent>(unsigned(parent.thread_rank()) / Size,
                                         details::tiles_in(parent.size(), Size));
}

inline SIMT_QUIET thread_group tiled_partition(const thread_group &parent, unsigned size) {
  const details::opened_group g(parent);
  return g.in_warp() ? details::part_of_lanes(g.lanes(), size) : details::part_of_block(size);
}
inline SIMT_QUIET thread_group tiled_partition(const thread_block &, unsigned size) {
  return details::part_of_block(size);
}
inline SIMT_QUIET coalesced_group tiled_partition(const coalesced_group &parent, unsigned size) {
  return details::part_of_lanes(parent.simt_mask(), size);
}

// All threads of the group call; those with the same answer are one group.
template <class Group>
inline SIMT_QUIET coalesced_group binary_partition(const Group &g, bool predicate,
                                                   simt_location at = SIMT_HERE) {
  const unsigned lanes = details::lanes_of(g);
  const unsigned ones = simt::vote(lanes, predicate, "binary_partition", at).ones;
  return coalesced_group::simt_make(predicate ? ones : lanes & ~ones, predicate, 2);
}

// meta_group_rank is the label's place among the labels that occur, in order of first lanes.
template <class Group, class Label>
inline SIMT_QUIET coalesced_group labeled_partition(const Group &g, Label label,
                                                    simt_location at = SIMT_HERE) {
  const unsigned lanes = details::lanes_of(g);
  const unsigned mine = simt::match_any(lanes, label, at);
  const unsigned leader = unsigned(__builtin_ctz(mine));
  const unsigned leaders = simt::vote(lanes, simt_lane() == leader, "labeled_partition", at).ones;
  return coalesced_group::simt_make(mine, details::count(leaders & simt::lanes_below(leader)),
                                    details::count(leaders));
}

// ---- One thread for all ----------------------------------------------------------------------

template <class Group, class Function, class... Arguments>
inline SIMT_QUIET void invoke_one(const Group &g, Function &&function, Arguments &&...arguments) {
  if (g.thread_rank() == 0) function(static_cast<Arguments &&>(arguments)...);
}

template <class Group, class Function, class... Arguments>
inline SIMT_QUIET auto invoke_one_broadcast(const Group &g, Function &&function,
                                            Arguments &&...arguments)
    -> decltype(function(static_cast<Arguments &&>(arguments)...)) {
  decltype(function(static_cast<Arguments &&>(arguments)...)) result{};
  if (g.thread_rank() == 0) result = function(static_cast<Arguments &&>(arguments)...);
  return g.shfl(result, 0);
}

} // namespace cooperative_groups
#endif

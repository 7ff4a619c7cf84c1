// Groups inside a warp: what tiles of up to 32 threads and coalesced groups share.
//
// Method   a mask of lanes; ranks count its bits. All functions are for every thread of the
//          group, and each gets the result
#ifndef SIMT_CG_LANES_HPP
#define SIMT_CG_LANES_HPP

#include "thread_group.hpp"

namespace cooperative_groups {
namespace details {

class lane_group : public thread_group {
public:
  SIMT_QUIET unsigned thread_rank() const { return rank_among(lanes_); }
  SIMT_QUIET unsigned size() const { return count(lanes_); }
  SIMT_QUIET unsigned num_threads() const { return count(lanes_); }
  SIMT_QUIET unsigned meta_group_rank() const { return meta_rank_; }
  SIMT_QUIET unsigned meta_group_size() const { return meta_size_; }

  SIMT_QUIET void sync(simt_location at = SIMT_HERE) const {
    simt_sync_warp(lanes_, "group.sync", at.file, at.line);
  }
  SIMT_QUIET int any(int predicate, simt_location at = SIMT_HERE) const {
    return simt::vote(lanes_, predicate, "group.any", at).ones != 0;
  }
  SIMT_QUIET int all(int predicate, simt_location at = SIMT_HERE) const {
    const simt::ballot b = simt::vote(lanes_, predicate, "group.all", at);
    return b.ones == b.lanes;
  }
  SIMT_QUIET unsigned ballot(int predicate, simt_location at = SIMT_HERE) const {
    return pack(simt::vote(lanes_, predicate, "group.ballot", at).ones, lanes_);
  }
  template <class T> SIMT_QUIET unsigned match_any(T value, simt_location at = SIMT_HERE) const {
    return pack(simt::match_any(lanes_, value, at), lanes_);
  }
  template <class T>
  SIMT_QUIET unsigned match_all(T value, int &all, simt_location at = SIMT_HERE) const {
    return pack(simt::match_all(lanes_, value, &all, at), lanes_);
  }

  template <class T> SIMT_QUIET T shfl(T value, int rank, simt_location at = SIMT_HERE) const {
    return take(value, unsigned(rank) % size(), "group.shfl", at);
  }
  template <class T>
  SIMT_QUIET T shfl_up(T value, unsigned delta, simt_location at = SIMT_HERE) const {
    const unsigned rank = thread_rank();
    return take(value, delta > rank ? rank : rank - delta, "group.shfl_up", at);
  }
  template <class T>
  SIMT_QUIET T shfl_down(T value, unsigned delta, simt_location at = SIMT_HERE) const {
    const unsigned rank = thread_rank();
    return take(value, delta >= size() - rank ? rank : rank + delta, "group.shfl_down", at);
  }

  SIMT_QUIET unsigned simt_mask() const { return lanes_; }

protected:
  lane_group(unsigned lanes, unsigned meta_rank, unsigned meta_size)
      : thread_group(LANE_GROUP, lanes), meta_rank_(meta_rank), meta_size_(meta_size) {}

  template <class T>
  SIMT_QUIET T take(const T &value, unsigned rank, const char *what, simt_location at) const {
    return simt::shuffle_from(lanes_, value, lane_of(lanes_, rank), what, at);
  }

  unsigned meta_rank_, meta_size_;
};

} // namespace details

class coalesced_group : public details::lane_group {
public:
  // Not of CUDA: made by the functions below.
  static coalesced_group simt_make(unsigned lanes, unsigned meta_rank, unsigned meta_size) {
    return coalesced_group(lanes, meta_rank, meta_size);
  }

private:
  coalesced_group(unsigned lanes, unsigned meta_rank, unsigned meta_size)
      : lane_group(lanes, meta_rank, meta_size) {}
};

inline SIMT_QUIET coalesced_group coalesced_threads(simt_location at = SIMT_HERE) {
  return coalesced_group::simt_make(simt_converged(at.file, at.line), 0, 1);
}

} // namespace cooperative_groups
#endif

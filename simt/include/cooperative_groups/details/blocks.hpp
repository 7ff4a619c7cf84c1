// Groups of whole blocks: thread_block, cluster_group, grid_group.
//
// Method   split barriers (barrier_arrive, barrier_wait) are one barrier, at the wait: nobody
//          can tell, since what may stand between the two reads nothing of the others
// Limits   a cluster is one block, as on a launch that names no cluster
#ifndef SIMT_CG_BLOCKS_HPP
#define SIMT_CG_BLOCKS_HPP

#include "thread_group.hpp"

namespace cooperative_groups {

struct block_arrival_token {};
struct cluster_arrival_token {};
struct grid_arrival_token {};

template <unsigned Threads = 1024> struct alignas(16) block_tile_memory { char unused; };

class thread_block : public thread_group {
public:
  typedef block_arrival_token arrival_token;

  static SIMT_QUIET unsigned thread_rank() { return details::rank_in_block(); }
  static SIMT_QUIET unsigned size() { return details::block_size(); }
  static SIMT_QUIET unsigned num_threads() { return details::block_size(); }
  static SIMT_QUIET dim3 group_index() { return ::blockIdx; }
  static SIMT_QUIET dim3 thread_index() { return ::threadIdx; }
  static SIMT_QUIET dim3 dim_threads() { return ::blockDim; }
  static SIMT_QUIET dim3 group_dim() { return ::blockDim; }
  static SIMT_QUIET void sync(simt_location at = SIMT_HERE) { simt_barrier(at.file, at.line); }

  SIMT_QUIET arrival_token barrier_arrive() const { return {}; }
  SIMT_QUIET void barrier_wait(arrival_token &&, simt_location at = SIMT_HERE) const { sync(at); }

private:
  friend thread_block this_thread_block();
  thread_block() : thread_group(details::BLOCK_GROUP, 0) {}
};

inline SIMT_QUIET thread_block this_thread_block() { return thread_block(); }
template <unsigned Threads>
inline SIMT_QUIET thread_block this_thread_block(block_tile_memory<Threads> &) {
  return this_thread_block();
}

class cluster_group : public thread_group {
public:
  typedef cluster_arrival_token arrival_token;

  static SIMT_QUIET unsigned thread_rank() { return details::rank_in_block(); }
  static SIMT_QUIET unsigned size() { return details::block_size(); }
  static SIMT_QUIET unsigned num_threads() { return details::block_size(); }
  static SIMT_QUIET unsigned num_blocks() { return 1; }
  static SIMT_QUIET unsigned block_rank() { return 0; }
  static SIMT_QUIET dim3 dim_blocks() { return dim3(1, 1, 1); }
  static SIMT_QUIET dim3 dim_threads() { return ::blockDim; }
  static SIMT_QUIET dim3 block_index() { return dim3(0, 0, 0); }
  static SIMT_QUIET dim3 thread_index() { return ::threadIdx; }
  static SIMT_QUIET unsigned query_shared_rank(const void *) { return 0; }
  template <class T> static T *map_shared_rank(T *address, int) { return address; }
  static SIMT_QUIET void sync(simt_location at = SIMT_HERE) { simt_barrier(at.file, at.line); }
  static SIMT_QUIET arrival_token barrier_arrive() { return {}; }
  static SIMT_QUIET void barrier_wait(simt_location at = SIMT_HERE) { sync(at); }
  static SIMT_QUIET void barrier_wait(arrival_token &&, simt_location at = SIMT_HERE) { sync(at); }

private:
  friend cluster_group this_cluster();
  cluster_group() : thread_group(details::CLUSTER_GROUP, 0) {}
};

inline SIMT_QUIET cluster_group this_cluster() { return cluster_group(); }

class grid_group : public thread_group {
public:
  typedef grid_arrival_token arrival_token;

  SIMT_QUIET bool is_valid() const { return simt_is_cooperative() != 0; }
  static SIMT_QUIET unsigned long long thread_rank() {
    return details::rank_of_block() * details::block_size() + details::rank_in_block();
  }
  static SIMT_QUIET unsigned long long size() {
    return details::volume(::gridDim, details::block_size());
  }
  static SIMT_QUIET unsigned long long num_threads() { return size(); }
  static SIMT_QUIET unsigned long long num_blocks() { return details::volume(::gridDim, 1); }
  static SIMT_QUIET unsigned long long block_rank() { return details::rank_of_block(); }
  static SIMT_QUIET dim3 block_index() { return ::blockIdx; }
  static SIMT_QUIET dim3 dim_blocks() { return ::gridDim; }
  static SIMT_QUIET dim3 group_dim() { return ::gridDim; }
  static SIMT_QUIET unsigned long long num_clusters() { return num_blocks(); }
  static SIMT_QUIET unsigned long long cluster_rank() { return block_rank(); }
  static SIMT_QUIET dim3 cluster_index() { return ::blockIdx; }
  static SIMT_QUIET dim3 dim_clusters() { return ::gridDim; }
  SIMT_QUIET void sync(simt_location at = SIMT_HERE) const { simt_grid_barrier(at.file, at.line); }
  SIMT_QUIET arrival_token barrier_arrive() const { return {}; }
  SIMT_QUIET void barrier_wait(arrival_token &&, simt_location at = SIMT_HERE) const { sync(at); }

private:
  friend grid_group this_grid();
  grid_group() : thread_group(details::GRID_GROUP, 0) {}
};

inline SIMT_QUIET grid_group this_grid() { return grid_group(); }

} // namespace cooperative_groups
#endif

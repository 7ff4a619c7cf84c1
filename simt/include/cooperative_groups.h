// Cooperative groups: threads that synchronise and work together.
//
// Result   thread_block, grid_group, cluster_group, thread_block_tile, coalesced_group,
//          thread_group; this_*, tiled_partition, binary_partition, labeled_partition,
//          invoke_one; reduce, scan and memcpy_async have headers of their own
// Method   a group of up to 32 threads is a mask of lanes; larger tiles meet at counters in
//          shared memory; barriers are the scheduler's
// Limits   a cluster is one block; groups over several devices are gone since CUDA 13
// Source   CUDA C++ Programming Guide, Cooperative Groups
#ifndef SIMT_COOPERATIVE_GROUPS_H
#define SIMT_COOPERATIVE_GROUPS_H
#include "simt/names_begin.inc"

#include "cooperative_groups/details/thread_group.hpp"

#include "cooperative_groups/details/blocks.hpp"

#include "cooperative_groups/details/lanes.hpp"

#include "cooperative_groups/details/tiles.hpp"

#include "cooperative_groups/details/partition.hpp"

#include "simt/names_end.inc"
#endif

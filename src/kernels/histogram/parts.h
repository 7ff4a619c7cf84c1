/* parts.h - what the two kernels of a histogram in parts tell each other
 *
 * Counters are cut into ranges of HEDDLE_SPAN. The numbers of a tile's counters within their ranges,
 * of 16 bits, lie grouped by range at the tile's own place of `stride` numbers, and a word of each
 * range and tile says where the group is there. Unused places have the number HEDDLE_SPAN. */
#ifndef HEDDLE_KERNELS_HISTOGRAM_PARTS_H
#define HEDDLE_KERNELS_HISTOGRAM_PARTS_H

#include "args.h"

#define HD_PART_PAD 8 /* HD_GROUP_PAD */
#define HD_PART_GROUP(start, room) ((start) / HD_PART_PAD | (room) / HD_PART_PAD << 16)

struct part_args {
  struct hist_args count; /* in: on a multiple of 16 bytes; count: whole tiles */
  u64 numbers;            /* u16[tiles][stride] */
  u64 groups;             /* u32[ranges][tiles]: HD_PART_GROUP */
  u64 loads;              /* u32[ranges]: places of all tiles, zero before */
  u32 tiles, stride, ranges;
};

#endif

/* move.h - rows of one element themselves put where their positions would be: kernels by their size (move.c) */
#ifndef HEDDLE_CPU_GROUPS_MOVE_H
#define HEDDLE_CPU_GROUPS_MOVE_H

#include "groups.h"

struct hd_cpu_move_kernel {
  size_t pair_bytes; /* of a pair */
  /* Elements first .. first + n at `from` go to moved[next[id]++]. */
  void (*move)(const struct hd_cpu_ids *ids, size_t first, size_t n, u32 *next, const char *from,
               void *moved);
  /* The same, with the low `shift` bits of their ids, by the high ones. */
  void (*pair)(const struct hd_cpu_ids *ids, size_t first, size_t n, u32 shift, u32 *next,
               const char *from, void *pairs);
  /* The elements of n pairs by their low bits, of which there are `groups`; offsets are filled. */
  void (*bucket)(const void *pairs, size_t n, u64 begin, size_t groups, u64 *offsets, u32 *next,
                 void *moved);
};
/* Of elements of 1, 2, 4 or 8 bytes. */
const struct hd_cpu_move_kernel *hd_cpu_move_kernel(size_t element_bytes);

#endif

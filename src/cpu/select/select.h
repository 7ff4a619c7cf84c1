/* select.h - elements that are marked, a bit each, and what becomes of them: what selects and runs share */
#ifndef HEDDLE_CPU_SELECT_SELECT_H
#define HEDDLE_CPU_SELECT_SELECT_H

#include <stdatomic.h>

#include "cpu/cpu.h"
#include "kernels.h"

enum {
  HD_SELECT_CHUNK =
      1 << 14, /* elements of a ticket: their bits and a copy of them stay in a cache */
  HD_SELECT_MASKS = HD_SELECT_CHUNK / 64,
  HD_SELECT_PARALLEL = 1 << 18 /* elements, below which a thread costs more than it brings */
};

/* Which elements are marked: by comparison, or heads of runs. */
struct hd_cpu_marks {
  const struct hd_cpu_select_kernels *kernels;
  hd_cpu_masks_kernel *masks; /* NULL: heads */
  hd_cpu_heads_kernel *heads;
  struct hd_cpu_key_range range;
  const char *x;
  size_t bytes, count; /* of an element; elements */
  const char
      *before; /* heads: copies of the elements before each chunk; NULL: they are read from x */
  const heddle_predicate
      *predicate;      /* what the caller's test holds of; masks: of bytes. NULL: none */
  atomic_bool *failed; /* its status was no HEDDLE_OK: nothing is marked any more */
};
static inline u64 hd_cpu_marks_chunks(const struct hd_cpu_marks *marks) {
  return (marks->count + HD_SELECT_CHUNK - 1) / HD_SELECT_CHUNK;
}
static inline size_t hd_cpu_marks_length(const struct hd_cpu_marks *marks, u64 chunk) {
  const size_t left = marks->count - (size_t)chunk * HD_SELECT_CHUNK;
  return left < HD_SELECT_CHUNK ? left : HD_SELECT_CHUNK;
}
/* The bits of a chunk; returns how many are set. */
size_t hd_cpu_marks_of(const struct hd_cpu_marks *marks, u64 chunk, u64 masks[HD_SELECT_MASKS]);
/* Elements before chunks, which other threads may write meanwhile, are read from `memory`, an element a chunk,
 * from now on. */
void hd_cpu_marks_copy_before(struct hd_cpu_marks *marks, char *memory);
/* As heddle_explain gives it. */
void hd_cpu_select_choose(const heddle_context *ctx, const struct hd_select *job, size_t count,
                          struct hd_cpu_choice *choice);
/* Threads that take a part. */
size_t hd_cpu_marks_threads(const heddle_context *ctx, const struct hd_cpu_marks *marks);

/* The marked elements of `in` and their positions, one behind the other; what is NULL is not wanted. out may
 * be in, and marks.x, too. */
struct hd_cpu_packed {
  const char *entry;
  struct hd_cpu_marks marks;
  const char *in;
  char *out, *index;
  u32 element_bytes, index_bytes;
};
heddle_status hd_cpu_pack(heddle_context *ctx, const struct hd_cpu_packed *job, u64 *found);

#endif

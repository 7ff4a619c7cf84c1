/* reduce.h - a call that folds groups: what its files share */
#ifndef HEDDLE_CPU_GROUPS_REDUCE_H
#define HEDDLE_CPU_GROUPS_REDUCE_H

#include "cpu/exact/exact.h"
#include "cpu/fold/columns/columns.h"
#include "cpu/fold/columns/strip.h"
#include "groups.h"

enum {
  HD_GROUPS_PIECE = 1 << 18, /* bytes of rows that are gathered at once */
  HD_GROUPS_SLOTS = 48       /* of blocks of chunks: 2^48 rows are more than memory holds */
};

struct hd_cpu_groups_reduce {
  const struct hd_cpu_groups *groups;
  const struct hd_fold *fold;
  const struct hd_cpu_fold_kernel *kernel;
  struct hd_cpu_exact_call exact; /* fold->exact */
  const char *in;
  size_t width, element_bytes, out_bytes;
  char *out;
  size_t together;     /* groups of a ticket */
  unsigned char *room; /* a thread: room_bytes */
  size_t room_bytes;
  struct hd_cancellation *token;
  atomic_size_t next;
  atomic_int failed;
};

static inline char *hd_cpu_groups_out(const struct hd_cpu_groups_reduce *call, size_t group) {
  return call->out + group * call->width * call->out_bytes;
}
/* Elements begin .. end of the gathered order, of rows of one element, are put at `to`; where ids were in order they
 * lie there already. */
const char *hd_cpu_groups_elements(const struct hd_cpu_groups_reduce *call, size_t begin, size_t n,
                                   unsigned char *to);

/* Results of groups first .. end, by this thread: of one column (reduce.c), of several (wide.c). */
heddle_status hd_cpu_groups_wide(const struct hd_cpu_groups_reduce *call, size_t first, size_t end,
                                 unsigned char *room);
heddle_status hd_cpu_groups_wide_exact(const struct hd_cpu_groups_reduce *call, size_t first,
                                       size_t end, unsigned char *room);
size_t hd_cpu_groups_wide_bytes(const struct hd_cpu_groups_reduce *call);
/* The result of a group without rows, in every column. */
heddle_status hd_cpu_groups_empty(const struct hd_cpu_groups_reduce *call, size_t group);

#endif

/* groups.h - a handle of groups on a CPU, and what the room's files share */
#ifndef HEDDLE_CPU_GROUPS_GROUPS_H
#define HEDDLE_CPU_GROUPS_GROUPS_H

#include <string.h>

#include "cpu/cpu.h"
#include "cpu/isa/kernels.h"

struct hd_cpu_groups {
  heddle_context *ctx;
  size_t count, groups;
  u64 *offsets;    /* groups + 1 */
  void *order;     /* positions, group after group; NULL: ids were in order */
  u32 index_bytes; /* 4 or 8, of order */
  size_t offsets_bytes, order_bytes;
};

/* A handle, to be freed by hd_cpu_groups_free; `entry` is the call's name, in messages. */
heddle_status hd_cpu_groups_order(heddle_context *ctx, const char *entry, heddle_type id_type,
                                  const void *ids, size_t count, size_t groups,
                                  struct hd_cpu_groups **out);

/* The rows of one element of a scatter themselves, group after group, at `moved`; *out has no positions, and offsets
 * that the caller releases. */
heddle_status hd_cpu_groups_move(heddle_context *ctx, const struct hd_scatter *scatter,
                                 const void *in, void *moved, struct hd_cpu_groups *out);

/* Rows that are worth a thread. */
enum { HD_GROUPS_SHARE = 1 << 16 };
static inline size_t hd_cpu_groups_workers(const heddle_context *ctx, size_t rows) {
  const size_t worth = rows / HD_GROUPS_SHARE + 1;
  return worth < ctx->threads ? worth : ctx->threads;
}
/* Runs task(arg, i) for i < workers, on this thread alone if there is one; the context's lock is held. */
static inline void hd_cpu_groups_run(heddle_context *ctx, size_t workers, heddle_task *task,
                                     void *arg) {
  if (workers > 1)
    hd_parallel(ctx, workers, task, arg);
  else
    task(arg, 0);
}

/* ---- ids (ids.c) ------------------------------------------------------------------------------- */

/* Ids, or positions, as the unsigned integers of their bits: each is below `limit`. */
struct hd_cpu_ids {
  const void *ids;
  u32 bytes; /* 4 or 8 */
  bool is_signed;
  u64 limit;
};
struct hd_cpu_ids hd_cpu_ids_of(heddle_type type, const void *ids, size_t limit);
static inline u64 hd_cpu_id_at(const struct hd_cpu_ids *ids, size_t i) {
  u32 narrow;
  u64 wide;
  if (ids->bytes == sizeof wide) {
    memcpy(&wide, (const char *)ids->ids + i * sizeof wide, sizeof wide);
    return wide;
  }
  memcpy(&narrow, (const char *)ids->ids + i * sizeof narrow, sizeof narrow);
  return narrow;
}
/* The first of n ids from `first` on that is not below the limit; n: all are. */
size_t hd_cpu_ids_bad(const struct hd_cpu_ids *ids, size_t first, size_t n);
/* HEDDLE_BAD_DATA, with a message that says which id is none of `groups`. */
heddle_status hd_cpu_ids_bad_status(const char *entry, const struct hd_cpu_ids *ids, size_t at,
                                    size_t groups);
/* An id as text, with its sign. */
enum { HD_ID_TEXT_BYTES = 24 };
const char *hd_cpu_id_text(const struct hd_cpu_ids *ids, size_t at, char *text);
/* Whether all are below the limit and none is below the one before; then offsets are filled, groups + 1 of
 * them. Else these mean nothing. */
bool hd_cpu_ids_in_order(heddle_context *ctx, const struct hd_cpu_ids *ids, size_t count,
                         size_t groups, u64 *offsets, struct hd_cancellation *token);

/* ---- rows by position (gather.c) ---------------------------------------------------------------- */

/* to[i] = from[index[i]] for `first` <= i < first + n, rows of row_bytes bytes; positions are checked. */
void hd_cpu_gather_rows(size_t row_bytes, const void *from, const void *index, u32 index_bytes,
                        size_t first, size_t n, void *to);

/* A fold by groups of rows in no order, as heddle_explain gives it (reduce.c). */
void hd_cpu_groups_choose(heddle_context *ctx, const struct hd_asked *asked, size_t count,
                          struct hd_cpu_choice *choice);

/* ---- few and long groups (windows.c) ------------------------------------------------------------ */

/* Whether rows are moved by windows of the array rather than group by group. */
bool hd_cpu_groups_have_windows(const struct hd_cpu_groups *groups, size_t row_bytes);
/* out[i] = in[order[i]]; the context's lock is held. */
heddle_status hd_cpu_groups_windows(const struct hd_cpu_groups *groups, size_t row_bytes,
                                    const void *in, void *out, struct hd_cancellation *token);

/* ---- rows as they come, by a chunk of each of few groups (chunked.c) ---------------------------- */

/* Whether `count` rows by ids in no order are folded so. */
bool hd_cpu_groups_are_chunked(const heddle_context *ctx, const struct hd_fold *fold, size_t width,
                               size_t count, size_t groups);
/* Whether rows of a scatter are moved themselves, rather than by positions (scatter.c); ids in no order. */
bool hd_cpu_groups_are_moved(size_t width, size_t count);
/* Whether one of the first ids is below the one before: they are in no order. */
bool hd_cpu_groups_fall(const struct hd_cpu_ids *ids, size_t count);
heddle_status hd_cpu_groups_chunked(heddle_context *ctx, const struct hd_scatter *scatter,
                                    const void *in, void *out);

#endif

/* ids.c - ids read: whether they are in order, where each group begins, which one is none
 *
 * Method   Threads take slices. An offset is written by whoever sees the first id of its group or of one behind:
 *          by the slice that holds it, which looks at the id before its first. */
#include <stdio.h>
#include <string.h>

#include "groups.h"
#include "host/status.h"

enum { BLOCK = 1 << 12 };

#define IDS_T u32
#include "ids_tmpl.h"
#define IDS_T u64
#include "ids_tmpl.h"

struct hd_cpu_ids hd_cpu_ids_of(heddle_type type, const void *ids, size_t limit) {
  struct hd_cpu_ids of = {.ids = ids,
                          .bytes = (u32)heddle_type_size(type),
                          .is_signed = hd_is_signed(type),
                          .limit = limit};
  const u64 negative = (u64)1 << (8 * of.bytes - 1);
  if (of.is_signed && of.limit > negative) of.limit = negative;
  return of;
}

size_t hd_cpu_ids_bad(const struct hd_cpu_ids *ids, size_t first, size_t n) {
  return ids->bytes == 4 ? bad_u32(ids->ids, ids->limit, first, n)
                         : bad_u64(ids->ids, ids->limit, first, n);
}

const char *hd_cpu_id_text(const struct hd_cpu_ids *ids, size_t at, char *text) {
  const u64 id = hd_cpu_id_at(ids, at);
  if (!ids->is_signed)
    snprintf(text, HD_ID_TEXT_BYTES, "%llu", (unsigned long long)id);
  else
    snprintf(text, HD_ID_TEXT_BYTES, "%lld",
             ids->bytes == 4 ? (long long)(i32)id : (long long)(i64)id);
  return text;
}

heddle_status hd_cpu_ids_bad_status(const char *entry, const struct hd_cpu_ids *ids, size_t at,
                                    size_t groups) {
  char text[HD_ID_TEXT_BYTES];
  return hd_fail(HEDDLE_BAD_DATA,
                 "%s: `ids[%zu]` is %s, but there are %zu groups; give ids from 0 "
                 "to one less than that",
                 entry, at, hd_cpu_id_text(ids, at, text), groups);
}

/* ---- ids in order ------------------------------------------------------------------------------- */

struct order_job {
  const struct hd_cpu_ids *ids;
  size_t count, workers;
  u64 *offsets;
  struct hd_cancellation *token;
  atomic_bool falls;
};

static void order_task(void *arg, size_t worker) {
  struct order_job *job = arg;
  const struct hd_cpu_ids *ids = job->ids;
  const size_t begin = job->count / job->workers * worker;
  const size_t end =
      worker + 1 < job->workers ? job->count / job->workers * (worker + 1) : job->count;
  u64 next = 0;
  if (begin && hd_cpu_id_at(ids, begin - 1) < ids->limit)
    next = hd_cpu_id_at(ids, begin - 1) + 1;
  else if (begin)
    atomic_store(&job->falls, true);
  for (size_t at = begin, n; at < end; at += n) {
    n = end - at < BLOCK ? end - at : BLOCK;
    if (atomic_load_explicit(&job->falls, memory_order_relaxed) || hd_poll(job->token)) return;
    const bool rises = ids->bytes == 4
                           ? rises_u32(ids->ids, ids->limit, at, n, &next, job->offsets)
                           : rises_u64(ids->ids, ids->limit, at, n, &next, job->offsets);
    if (!rises) atomic_store(&job->falls, true);
  }
}

bool hd_cpu_ids_in_order(heddle_context *ctx, const struct hd_cpu_ids *ids, size_t count,
                         size_t groups, u64 *offsets, struct hd_cancellation *token) {
  struct order_job job = {.ids = ids,
                          .count = count,
                          .workers = hd_cpu_groups_workers(ctx, count),
                          .offsets = offsets,
                          .token = token};
  atomic_init(&job.falls, false);
  hd_cpu_groups_run(ctx, job.workers, order_task, &job);
  if (atomic_load(&job.falls)) return false;
  for (u64 g = count ? hd_cpu_id_at(ids, count - 1) + 1 : 0; g <= groups; g++) offsets[g] = count;
  return true;
}

/* gather.c - rows by their positions, on a CPU
 *
 * Method   Threads take slices by a ticket. A slice's positions are checked first, in a read that leaves them in a
 *          cache; then every row is asked for some rows ahead. */
#include <string.h>

#include "groups.h"
#include "host/status.h"

enum {
  AHEAD = 32,      /* positions between asking for a row and reading it */
  AHEAD_WIDE = 4,  /* the same of rows of several cache lines */
  SLICE = 1 << 13, /* positions that are checked, then read */
  LINE = 64,       /* bytes of a cache line */
  LINES_MOST = 16  /* of a row that are asked for; the rest comes by itself */
};

#define GATHER_I u32
#define GATHER_BYTES 1
#include "gather_tmpl.h"
#undef GATHER_BYTES
#define GATHER_BYTES 2
#include "gather_tmpl.h"
#undef GATHER_BYTES
#define GATHER_BYTES 4
#include "gather_tmpl.h"
#undef GATHER_BYTES
#define GATHER_BYTES 8
#include "gather_tmpl.h"
#undef GATHER_BYTES
#define GATHER_BYTES 16
#include "gather_tmpl.h"
#undef GATHER_BYTES
#undef GATHER_I
#define GATHER_I u64
#define GATHER_BYTES 1
#include "gather_tmpl.h"
#undef GATHER_BYTES
#define GATHER_BYTES 2
#include "gather_tmpl.h"
#undef GATHER_BYTES
#define GATHER_BYTES 4
#include "gather_tmpl.h"
#undef GATHER_BYTES
#define GATHER_BYTES 8
#include "gather_tmpl.h"
#undef GATHER_BYTES
#define GATHER_BYTES 16
#include "gather_tmpl.h"
#undef GATHER_BYTES
#undef GATHER_I

static u64 position(const void *index, u32 bytes, size_t i) {
  u32 narrow;
  u64 wide;
  if (bytes == 4) {
    memcpy(&narrow, (const char *)index + i * sizeof narrow, sizeof narrow);
    return narrow;
  }
  memcpy(&wide, (const char *)index + i * sizeof wide, sizeof wide);
  return wide;
}

static void wide_rows(size_t row_bytes, const char *from, const void *index, u32 index_bytes,
                      size_t first, size_t n, char *to) {
  const size_t lines = row_bytes / LINE + 1, asked = lines < LINES_MOST ? lines : LINES_MOST;
  for (size_t i = 0; i < n; i++) {
    if (i + AHEAD_WIDE < n) {
      const char *next = from + position(index, index_bytes, first + i + AHEAD_WIDE) * row_bytes;
      for (size_t l = 0; l < asked; l++) __builtin_prefetch(next + l * LINE);
    }
    memcpy(to + (first + i) * row_bytes, from + position(index, index_bytes, first + i) * row_bytes,
           row_bytes);
  }
}

typedef void rows_kernel(const char *from, const void *index, size_t first, size_t n, char *to);

static rows_kernel *kernel_of(size_t row_bytes, bool wide_index) {
  switch (row_bytes) {
  case 1: return wide_index ? rows_1_u64 : rows_1_u32;
  case 2: return wide_index ? rows_2_u64 : rows_2_u32;
  case 4: return wide_index ? rows_4_u64 : rows_4_u32;
  case 8: return wide_index ? rows_8_u64 : rows_8_u32;
  case 16: return wide_index ? rows_16_u64 : rows_16_u32;
  default: return NULL;
  }
}

void hd_cpu_gather_rows(size_t row_bytes, const void *from, const void *index, u32 index_bytes,
                        size_t first, size_t n, void *to) {
  rows_kernel *kernel = kernel_of(row_bytes, index_bytes == 8);
  if (kernel)
    kernel(from, index, first, n, to);
  else
    wide_rows(row_bytes, from, index, index_bytes, first, n, to);
}

/* ---- the calls ---------------------------------------------------------------------------------- */

struct gather_job {
  size_t row_bytes, count;
  const void *from;
  struct hd_cpu_ids index;
  bool checked; /* the positions are the library's own */
  void *to;
  struct hd_cancellation token;
  atomic_size_t next, bad;
};

static void gather_task(void *arg, size_t worker) {
  struct gather_job *job = arg;
  (void)worker;
  for (;;) {
    const size_t first = atomic_fetch_add_explicit(&job->next, SLICE, memory_order_relaxed);
    if (first >= job->count || hd_poll(&job->token)) return;
    const size_t n = job->count - first < SLICE ? job->count - first : SLICE;
    const size_t good = job->checked ? n : hd_cpu_ids_bad(&job->index, first, n);
    if (good == n) {
      hd_cpu_gather_rows(job->row_bytes, job->from, job->index.ids, job->index.bytes, first, n,
                         job->to);
      continue;
    }
    /* Slices below are on their way or done: the first bad one of all is found. */
    size_t least = atomic_load(&job->bad);
    while (first + good < least && !atomic_compare_exchange_weak(&job->bad, &least, first + good)) {
    }
    return;
  }
}

static void gather_all(heddle_context *ctx, struct gather_job *job) {
  const size_t rows = job->row_bytes > 8 ? job->count * (job->row_bytes / 8) : job->count;
  atomic_init(&job->next, 0);
  atomic_init(&job->bad, SIZE_MAX);
  hd_cancellation_start(&job->token, ctx);
  pthread_mutex_lock(&ctx->lock);
  hd_cpu_groups_run(ctx, hd_cpu_groups_workers(ctx, rows), gather_task, job);
  pthread_mutex_unlock(&ctx->lock);
}

heddle_status hd_cpu_gather(heddle_context *ctx, size_t element_bytes, const void *in,
                            size_t in_count, heddle_type index_type, const void *index,
                            size_t count, void *out) {
  const char *entry = "heddle_gather";
  char text[HD_ID_TEXT_BYTES];
  struct gather_job job = {.row_bytes = element_bytes,
                           .count = count,
                           .from = in,
                           .index = hd_cpu_ids_of(index_type, index, in_count),
                           .to = out};
  gather_all(ctx, &job);
  HD_TRY(hd_cancellation_status(&job.token, entry));
  const size_t bad = atomic_load(&job.bad);
  if (bad == SIZE_MAX) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_DATA,
                 "%s: `index[%zu]` is %s, but `in` has %zu elements; give positions from 0 to one "
                 "less than that",
                 entry, bad, hd_cpu_id_text(&job.index, bad, text), in_count);
}

heddle_status hd_cpu_groups_gather(void *handle, size_t row_bytes, const void *in, void *out) {
  const struct hd_cpu_groups *groups = handle;
  struct gather_job job = {
      .row_bytes = row_bytes,
      .count = groups->count,
      .from = in,
      .index = {.ids = groups->order, .bytes = groups->index_bytes, .limit = groups->count},
      .checked = true,
      .to = out};
  heddle_status status = HEDDLE_OK;
  if (!groups->order) {
    memcpy(out, in, groups->count * row_bytes);
    return HEDDLE_OK;
  }
  if (hd_cpu_groups_have_windows(groups, row_bytes)) {
    hd_cancellation_start(&job.token, groups->ctx);
    pthread_mutex_lock(&groups->ctx->lock);
    status = hd_cpu_groups_windows(groups, row_bytes, in, out, &job.token);
    pthread_mutex_unlock(&groups->ctx->lock);
  } else {
    gather_all(groups->ctx, &job);
  }
  const heddle_status cancelled = hd_cancellation_status(&job.token, "heddle_groups_gather");
  return status ? status : cancelled;
}

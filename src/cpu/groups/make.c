/* make.c - positions by group, or rows of one element themselves: a stable sort by ids, and where each group begins
 *
 * Method   Ids in order need no positions: that is tried first, and given up at the first that falls. Few groups:
 *          threads count the ids of a slice each, and put their positions down behind those of the slices
 *          before. Many: the same by an id's high bits, of which there are few, as pairs of its low bits and its
 *          position; then each bucket by its low bits, within a cache. Ids are checked where they are counted.
 * Memory   8 bytes a group, 4 or 8 a row; where groups are many 8 or 16 a row more while it is made. */
#include <string.h>

#include "host/status.h"
#include "move.h"

enum {
  FEW_BITS = 13,    /* of ids that are counted at once */
  MOVE_BITS = 15,   /* the same, of rows that are moved themselves */
  LOW_BITS = 12,    /* of ids in a bucket, as long as buckets are few */
  BUCKET_BITS = 12, /* of buckets, at most */
  SLICE = 1 << 16   /* ids between two polls */
};

struct narrow_pair {
  u32 id, position;
};
struct wide_pair {
  u64 id, position;
};

#define MAKE_P u32
#define MAKE_PAIR narrow_pair
#include "bucket_tmpl.h"
#define MAKE_I u32
#include "make_tmpl.h"
#undef MAKE_I
#define MAKE_I u64
#include "make_tmpl.h"
#undef MAKE_I
#undef MAKE_P
#undef MAKE_PAIR
#define MAKE_P u64
#define MAKE_PAIR wide_pair
#include "bucket_tmpl.h"
#define MAKE_I u32
#include "make_tmpl.h"
#undef MAKE_I
#define MAKE_I u64
#include "make_tmpl.h"
#undef MAKE_I
#undef MAKE_P
#undef MAKE_PAIR

struct make_job {
  const char *entry;
  struct hd_cpu_groups *made;
  struct hd_cpu_ids ids;
  bool wide; /* positions of 64 bits */
  u32 shift; /* of an id to its bucket; 0: a group is one */
  size_t buckets, workers, slice;
  char *tables; /* a thread: counts, then places, of buckets */
  size_t table_bytes;
  const struct hd_cpu_move_kernel
      *move; /* of rows, which go from `from` to `to`; NULL: positions */
  const char *from;
  void *to;
  u64 *begins; /* of buckets, buckets + 1; of groups made->offsets */
  void *pairs;
  struct hd_cancellation token;
  atomic_size_t bad, next;
};

static size_t position_bytes(const struct make_job *job) { return job->wide ? 8 : 4; }

/* ---- counts -------------------------------------------------------------------------------------- */

static size_t slice_begin(const struct make_job *job, size_t worker) {
  const size_t at = job->slice * worker;
  return at < job->made->count ? at : job->made->count;
}

static size_t count_some(const struct make_job *job, size_t first, size_t n, void *table) {
  if (job->ids.bytes == 4)
    return job->wide ? count_u32_u64(&job->ids, first, n, job->shift, table)
                     : count_u32_u32(&job->ids, first, n, job->shift, table);
  return job->wide ? count_u64_u64(&job->ids, first, n, job->shift, table)
                   : count_u64_u32(&job->ids, first, n, job->shift, table);
}

static void count_task(void *arg, size_t worker) {
  struct make_job *job = arg;
  char *table = job->tables + worker * job->table_bytes;
  const size_t end = slice_begin(job, worker + 1);
  memset(table, 0, job->table_bytes);
  for (size_t at = slice_begin(job, worker), n; at < end; at += n) {
    n = end - at < SLICE ? end - at : SLICE;
    if (hd_poll(&job->token)) return;
    const size_t good = count_some(job, at, n, table);
    if (good == n) continue;
    size_t least = atomic_load(&job->bad);
    while (at + good < least && !atomic_compare_exchange_weak(&job->bad, &least, at + good)) {
    }
    return;
  }
}

/* Counts become the places of each thread's first position of each bucket. */
static void places(struct make_job *job) {
  u64 at = 0;
  for (size_t b = 0; b < job->buckets; b++) {
    job->begins[b] = at;
    for (size_t w = 0; w < job->workers; w++) {
      char *table = job->tables + w * job->table_bytes;
      u32 *narrow = (u32 *)(void *)table + b;
      u64 *wide = (u64 *)(void *)table + b;
      const u64 n = job->wide ? *wide : *narrow;
      if (job->wide)
        *wide = at;
      else
        *narrow = (u32)at;
      at += n;
    }
  }
  job->begins[job->buckets] = at;
}

/* ---- positions ----------------------------------------------------------------------------------- */

static void place_some(const struct make_job *job, size_t first, size_t n, void *table) {
  const struct hd_cpu_ids *ids = &job->ids;
  if (job->move && job->shift)
    job->move->pair(ids, first, n, job->shift, table, job->from, job->pairs);
  else if (job->move)
    job->move->move(ids, first, n, table, job->from, job->to);
  else if (job->shift && ids->bytes == 4)
    (job->wide ? part_u32_u64 : part_u32_u32)(ids, first, n, job->shift, table, job->pairs);
  else if (job->shift)
    (job->wide ? part_u64_u64 : part_u64_u32)(ids, first, n, job->shift, table, job->pairs);
  else if (ids->bytes == 4)
    (job->wide ? place_u32_u64 : place_u32_u32)(ids, first, n, table, job->made->order);
  else
    (job->wide ? place_u64_u64 : place_u64_u32)(ids, first, n, table, job->made->order);
}

static void place_task(void *arg, size_t worker) {
  struct make_job *job = arg;
  const size_t end = slice_begin(job, worker + 1);
  for (size_t at = slice_begin(job, worker), n; at < end; at += n) {
    n = end - at < SLICE ? end - at : SLICE;
    if (hd_poll(&job->token)) return;
    place_some(job, at, n, job->tables + worker * job->table_bytes);
  }
}

static void bucket_task(void *arg, size_t worker) {
  struct make_job *job = arg;
  const size_t groups = job->made->groups, in_bucket = (size_t)1 << job->shift;
  char *table = job->tables + worker * job->table_bytes;
  for (;;) {
    const size_t b = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
    if (b >= job->buckets || hd_poll(&job->token)) return;
    const size_t first = b << job->shift, begin = (size_t)job->begins[b];
    const size_t n = (size_t)job->begins[b + 1] - begin;
    const size_t of = groups - first < in_bucket ? groups - first : in_bucket;
    u64 *offsets = job->made->offsets + first;
    if (job->move)
      job->move->bucket((const char *)job->pairs + begin * job->move->pair_bytes, n, begin, of,
                        offsets, (u32 *)(void *)table, job->to);
    else if (job->wide)
      bucket_u64((const struct wide_pair *)job->pairs + begin, n, begin, of, offsets, table,
                 job->made->order);
    else
      bucket_u32((const struct narrow_pair *)job->pairs + begin, n, begin, of, offsets, table,
                 job->made->order);
  }
}

/* ---- the call ------------------------------------------------------------------------------------ */

static void plan(struct make_job *job, heddle_context *ctx) {
  const size_t groups = job->made->groups;
  const u32 bits = groups > 1 ? hd_top_bit(groups - 1) + 1 : 1;
  const u32 few = job->move ? MOVE_BITS : FEW_BITS;
  job->shift = bits <= few ? 0 : bits - BUCKET_BITS > LOW_BITS ? bits - BUCKET_BITS : LOW_BITS;
  if (bits > few && bits < LOW_BITS + BUCKET_BITS && bits / 2 < LOW_BITS) job->shift = bits / 2;
  job->buckets = groups ? ((groups - 1) >> job->shift) + 1 : 0;
  job->workers = hd_cpu_groups_workers(ctx, job->made->count);
  job->slice = (job->made->count + job->workers - 1) / job->workers;
  const size_t low = (size_t)1 << job->shift;
  const size_t entries = job->buckets > low ? job->buckets : low;
  job->table_bytes = (entries * position_bytes(job) + 127) & ~(size_t)63;
}

/* Memory is there, and the context's lock is held. */
static heddle_status sort_positions(struct make_job *job) {
  heddle_context *ctx = job->made->ctx;
  hd_cpu_groups_run(ctx, job->workers, count_task, job);
  HD_TRY(hd_cancellation_status(&job->token, job->entry));
  const size_t bad = atomic_load(&job->bad);
  if (bad != SIZE_MAX) return hd_cpu_ids_bad_status(job->entry, &job->ids, bad, job->made->groups);
  places(job);
  hd_cpu_groups_run(ctx, job->workers, place_task, job);
  if (job->shift) hd_cpu_groups_run(ctx, job->workers, bucket_task, job);
  job->made->offsets[job->made->groups] = job->made->count;
  return hd_cancellation_status(&job->token, job->entry);
}

static heddle_status by_counting(struct make_job *job) {
  struct hd_cpu_groups *made = job->made;
  heddle_context *ctx = made->ctx;
  const size_t count = made->count;
  size_t pair_bytes = 0, begin_bytes = 0;
  heddle_status status = HEDDLE_OUT_OF_MEMORY;
  plan(job, ctx);
  const size_t each = job->move ? job->move->pair_bytes : 2 * position_bytes(job);
  made->index_bytes = (u32)position_bytes(job);
  made->order_bytes = job->move ? 0 : count * made->index_bytes;
  if (job->shift) {
    begin_bytes = (job->buckets + 1) * sizeof(u64);
    if (!hd_product(count, each, &pair_bytes))
      return hd_fail(status, "%s: %zu rows are more than memory can hold", job->entry, count);
  }
  job->begins = begin_bytes ? hd_allocate(ctx, begin_bytes) : made->offsets;
  job->pairs = pair_bytes ? hd_allocate(ctx, pair_bytes) : NULL;
  job->tables = hd_allocate(ctx, job->workers * job->table_bytes);
  made->order = job->move ? NULL : hd_allocate(ctx, made->order_bytes);
  if (job->begins && (job->pairs || !pair_bytes) && job->tables && (made->order || job->move)) {
    if (made->order) hd_large_pages(made->order, made->order_bytes);
    if (pair_bytes) hd_large_pages(job->pairs, pair_bytes);
    status = sort_positions(job);
  }
  hd_release(ctx, job->tables, job->workers * job->table_bytes);
  hd_release(ctx, job->pairs, pair_bytes);
  if (begin_bytes) hd_release(ctx, job->begins, begin_bytes);
  return status;
}

void hd_cpu_groups_free(void *handle) {
  struct hd_cpu_groups *groups = handle;
  if (!groups) return;
  hd_release(groups->ctx, groups->order, groups->order_bytes);
  hd_release(groups->ctx, groups->offsets, groups->offsets_bytes);
  hd_release(groups->ctx, groups, sizeof *groups);
}

heddle_status hd_cpu_groups_order(heddle_context *ctx, const char *entry, heddle_type id_type,
                                  const void *ids, size_t count, size_t groups,
                                  struct hd_cpu_groups **out) {
  struct hd_cpu_groups *made = hd_allocate(ctx, sizeof *made);
  heddle_status status = HEDDLE_OUT_OF_MEMORY;
  if (!made) return status;
  *made = (struct hd_cpu_groups){.ctx = ctx,
                                 .count = count,
                                 .groups = groups,
                                 .index_bytes = 4,
                                 .offsets_bytes = (groups + 1) * sizeof *made->offsets};
  struct make_job job = {.entry = entry,
                         .made = made,
                         .ids = hd_cpu_ids_of(id_type, ids, groups),
                         .wide = count > UINT32_MAX};
  made->offsets = hd_allocate(ctx, made->offsets_bytes);
  if (made->offsets) {
    atomic_init(&job.bad, SIZE_MAX);
    atomic_init(&job.next, 0);
    hd_cancellation_start(&job.token, ctx);
    pthread_mutex_lock(&ctx->lock);
    const bool in_order =
        hd_cpu_ids_in_order(ctx, &job.ids, count, groups, made->offsets, &job.token);
    status = hd_cancellation_status(&job.token, entry);
    if (!status && !in_order) status = by_counting(&job);
    pthread_mutex_unlock(&ctx->lock);
  }
  if (status)
    hd_cpu_groups_free(made);
  else
    *out = made;
  return status;
}

heddle_status hd_cpu_groups_move(heddle_context *ctx, const struct hd_scatter *scatter,
                                 const void *in, void *moved, struct hd_cpu_groups *out) {
  const size_t bytes = (scatter->groups + 1) * sizeof *out->offsets;
  *out = (struct hd_cpu_groups){.ctx = ctx,
                                .count = scatter->count,
                                .groups = scatter->groups,
                                .offsets = hd_allocate(ctx, bytes),
                                .offsets_bytes = bytes};
  if (!out->offsets) return HEDDLE_OUT_OF_MEMORY;
  struct make_job job = {.entry = scatter->fold->entry,
                         .made = out,
                         .ids = hd_cpu_ids_of(scatter->id_type, scatter->ids, scatter->groups),
                         .move = hd_cpu_move_kernel(heddle_type_size(scatter->fold->type)),
                         .from = in,
                         .to = moved};
  atomic_init(&job.bad, SIZE_MAX);
  atomic_init(&job.next, 0);
  hd_cancellation_start(&job.token, ctx);
  pthread_mutex_lock(&ctx->lock);
  const heddle_status status = by_counting(&job);
  pthread_mutex_unlock(&ctx->lock);
  if (status) hd_release(ctx, out->offsets, bytes);
  return status;
}

heddle_status hd_cpu_groups_make(heddle_context *ctx, heddle_type id_type, const void *ids,
                                 size_t count, size_t groups, void **handle,
                                 heddle_groups_details *details) {
  struct hd_cpu_groups *made = NULL;
  HD_TRY(hd_cpu_groups_order(ctx, "heddle_groups_make", id_type, ids, count, groups, &made));
  details->offsets = made->offsets;
  details->index_type = made->index_bytes == 8 ? HEDDLE_U64 : HEDDLE_U32;
  details->order = made->order;
  *handle = made;
  return HEDDLE_OK;
}

/* chunked.c - rows of one element folded by ids, where groups are few: as they come, by a chunk of each group
 *
 * Result   what a handle of groups gives (reduce.c), to the bit
 * Method   A row goes behind those of its group that came before it, in a buffer of a chunk (order v1, rule 1), which is
 *          folded when it is full. So every row is read once, and what is written stays in a cache. Totals of
 *          a group's chunks are a list, in order; at the end they are counted (rules 3 and 4), and what is left in the
 *          buffer follows (rule 5). Threads take a slice of the rows each: they count its ids first, from which
 *          follows where in a chunk a slice's first row of a group is. A chunk that several slices share is put
 *          together at the end: a slice keeps its part of the first one aside.
 * Memory   a chunk a group, of several threads two a thread; totals of all chunks */
#include <string.h>

#include "groups.h"
#include "host/status.h"
#include "reduce.h"

enum {
  SLICE = 1 << 16,       /* ids between two polls */
  LOOK = 1 << 12,        /* ids in which one falls, if they are in no order */
  LEAST_COUNT = 1 << 13, /* rows, below which a handle is as quick */
  LINE = 64, /* bytes by which a buffer begins in another set of a cache than the one before */
  SHARE = 2, /* bytes of rows to those of buffers, at least */
  MOST_BYTES = 1 << 28, /* of buffers */
  TOGETHER = 64         /* groups of a ticket */
};

struct chunk_total {
  _Alignas(8) unsigned char total[16]; /* sums, products, min, max: of no more bytes */
  u32 next;                            /* of the same group: index + 1; 0: the last */
};

/* What a group has of full chunks of a part. */
struct chunk_list {
  u32 first, last; /* index + 1; 0: none */
};

/* A thread's part of the rows. */
struct chunked_part {
  const struct chunked_job *job;
  u32 mask;
  size_t pitch;
  u32 *next;    /* of a group: rows before the next one, counted from the group's first */
  u32 *start;   /* of a group: rows in the parts before */
  char *chunks; /* a buffer a group */
  char *heads;  /* the same, of the chunk that a part before has begun; NULL: the first part */
  struct chunk_list *lists;
  struct chunk_total *totals;
  u32 total_count;
};

struct chunked_job {
  const struct hd_scatter *scatter;
  struct hd_cpu_ids ids;
  struct hd_cpu_groups_reduce call; /* of it: fold, kernel, element_bytes, out */
  size_t workers, slice;
  struct chunked_part *part; /* a worker */
  struct hd_cancellation token;
  atomic_size_t bad, next;
  atomic_int failed;
};

/* ---- full chunks --------------------------------------------------------------------------------- */

/* The buffer of a group is full. */
static __attribute__((noinline)) heddle_status full(struct chunked_part *part, size_t group) {
  const struct hd_cpu_fold_kernel *kernel = part->job->call.kernel;
  const u32 end = part->next[group], chunk = part->mask + 1;
  char *buffer = part->chunks + group * part->pitch;
  if (end - part->start[group] < chunk) { /* it began in a part before */
    const size_t at = (size_t)(part->start[group] & part->mask) * kernel->element_bytes;
    memcpy(part->heads + group * part->pitch + at, buffer + at,
           (size_t)chunk * kernel->element_bytes - at);
    return HEDDLE_OK;
  }
  struct chunk_total *made = &part->totals[part->total_count++];
  struct chunk_list *list = &part->lists[group];
  made->next = 0;
  if (list->last)
    part->totals[list->last - 1].next = part->total_count;
  else
    list->first = part->total_count;
  list->last = part->total_count;
  return kernel->chunks(buffer, NULL, end - chunk, 1, made->total, NULL);
}

#define CHUNKED_I u32
#define CHUNKED_E u8
#include "chunked_tmpl.h"
#define CHUNKED_E u16
#include "chunked_tmpl.h"
#define CHUNKED_E u32
#include "chunked_tmpl.h"
#define CHUNKED_E u64
#include "chunked_tmpl.h"
#undef CHUNKED_I
#define CHUNKED_I u64
#define CHUNKED_E u8
#include "chunked_tmpl.h"
#define CHUNKED_E u16
#include "chunked_tmpl.h"
#define CHUNKED_E u32
#include "chunked_tmpl.h"
#define CHUNKED_E u64
#include "chunked_tmpl.h"
#undef CHUNKED_I

/* ---- parts --------------------------------------------------------------------------------------- */

static heddle_status fill(struct chunked_part *part, size_t first, size_t n) {
  static heddle_status (*const fills[2][4])(struct chunked_part *, const char *, const char *,
                                            size_t) = {
      {fill_u32_u8, fill_u32_u16, fill_u32_u32, fill_u32_u64},
      {fill_u64_u8, fill_u64_u16, fill_u64_u32, fill_u64_u64}};
  const struct chunked_job *job = part->job;
  const size_t bytes = job->call.element_bytes;
  return fills[job->ids.bytes == 8][hd_top_bit(bytes)](
      part, (const char *)job->ids.ids + first * job->ids.bytes, job->call.in + first * bytes, n);
}

static size_t part_begin(const struct chunked_job *job, size_t worker) {
  const size_t at = job->slice * worker, count = job->scatter->count;
  return at < count ? at : count;
}

/* Ids of a part are checked slice by slice, before what may be done with them. False: there is a bad one. */
static bool check(struct chunked_job *job, size_t at, size_t n) {
  const size_t good = hd_cpu_ids_bad(&job->ids, at, n);
  if (good == n) return true;
  size_t least = atomic_load(&job->bad);
  while (at + good < least && !atomic_compare_exchange_weak(&job->bad, &least, at + good)) {
  }
  return false;
}

static void count_task(void *arg, size_t worker) {
  struct chunked_job *job = arg;
  const size_t end = part_begin(job, worker + 1);
  for (size_t at = part_begin(job, worker), n; at < end; at += n) {
    n = end - at < SLICE ? end - at : SLICE;
    if (hd_poll(&job->token) || !check(job, at, n)) return;
    for (size_t i = at; i < at + n; i++) job->part[worker].next[hd_cpu_id_at(&job->ids, i)]++;
  }
}

/* Counts become places. */
static void places(struct chunked_job *job) {
  for (size_t g = 0; g < job->scatter->groups; g++) {
    u32 at = 0;
    for (size_t w = 0; w < job->workers; w++) {
      struct chunked_part *part = &job->part[w];
      const u32 n = part->next[g];
      part->start[g] = part->next[g] = at;
      at += n;
    }
  }
}

static void fill_task(void *arg, size_t worker) {
  struct chunked_job *job = arg;
  const size_t end = part_begin(job, worker + 1);
  for (size_t at = part_begin(job, worker), n; at < end; at += n) {
    n = end - at < SLICE ? end - at : SLICE;
    if (hd_poll(&job->token)) return;
    if (job->workers == 1 && !check(job, at, n)) return;
    const heddle_status status = fill(&job->part[worker], at, n);
    if (status) atomic_store(&job->failed, (int)status);
  }
}

/* ---- results ------------------------------------------------------------------------------------- */

/* A part's rows of a group behind those of `counter` and, *left of them, in the room. */
static heddle_status join(const struct chunked_job *job, const struct chunked_part *part, size_t g,
                          struct hd_counter *counter, char *room, size_t *left) {
  const struct hd_cpu_fold_kernel *kernel = job->call.kernel;
  const size_t bytes = kernel->element_bytes, chunk = kernel->chunk;
  const size_t n = part->next[g] - part->start[g];
  const size_t head = *left ? (n < chunk - *left ? n : chunk - *left) : 0;
  _Alignas(8) unsigned char total[HD_TOTAL_BYTES_MOST];
  const bool ends = *left && *left + head == chunk;
  const char *from = (ends ? part->heads : part->chunks) + g * part->pitch;
  memcpy(room + *left * bytes, from + *left * bytes, head * bytes);
  if (*left && !ends) {
    *left += head;
    return HEDDLE_OK;
  }
  if (ends) {
    HD_TRY(kernel->chunks(room, NULL, 0, 1, total, NULL));
    HD_TRY(hd_counter_push(counter, 0, total));
  }
  for (u32 i = part->lists[g].first; i; i = part->totals[i - 1].next) {
    memcpy(total, part->totals[i - 1].total, sizeof part->totals->total);
    HD_TRY(hd_counter_push(counter, 0, total));
  }
  *left = part->next[g] % chunk;
  memcpy(room, part->chunks + g * part->pitch, *left * bytes);
  return HEDDLE_OK;
}

static heddle_status finish(const struct chunked_job *job, size_t g, char *room) {
  const struct hd_cpu_groups_reduce *call = &job->call;
  const struct hd_cpu_fold_kernel *kernel = call->kernel;
  const u32 count = job->part[job->workers - 1].next[g];
  unsigned char slots[HD_COUNTER_SLOTS * HD_TOTAL_BYTES_MOST];
  _Alignas(64) unsigned char total[HD_TOTAL_BYTES_MOST];
  struct hd_counter counter;
  size_t left = 0;
  if (!count) return hd_cpu_groups_empty(call, g);
  hd_counter_start(&counter, &kernel->merge, NULL, slots);
  for (size_t w = 0; w < job->workers; w++)
    HD_TRY(join(job, &job->part[w], g, &counter, room, &left));
  HD_TRY(hd_counter_prefix(&counter, total));
  if (left) HD_TRY(kernel->tail(room, NULL, count - left, left, total, NULL));
  return hd_cpu_fold_result(call->fold, kernel, total, count, true,
                            (struct hd_fold_out){hd_cpu_groups_out(call, g), NULL, NULL});
}

static void finish_task(void *arg, size_t worker) {
  struct chunked_job *job = arg;
  const size_t groups = job->scatter->groups;
  char *room = (char *)job->call.room + worker * job->call.room_bytes;
  for (;;) {
    const size_t first = atomic_fetch_add_explicit(&job->next, TOGETHER, memory_order_relaxed);
    if (first >= groups || atomic_load(&job->failed) || hd_poll(&job->token)) return;
    const size_t end = groups - first < TOGETHER ? groups : first + TOGETHER;
    for (size_t g = first; g < end; g++) {
      const heddle_status status = finish(job, g, room);
      if (status) atomic_store(&job->failed, (int)status);
    }
  }
}

/* ---- the call ------------------------------------------------------------------------------------ */

static size_t pitch_of(const struct hd_cpu_fold_kernel *kernel) {
  return (size_t)kernel->chunk * kernel->element_bytes + LINE;
}

bool hd_cpu_groups_are_chunked(const heddle_context *ctx, const struct hd_fold *fold, size_t width,
                               size_t count, size_t groups) {
  struct hd_cpu_fold_kernel storage;
  if (width != 1 || fold->exact || count < LEAST_COUNT || count > UINT32_MAX || !groups)
    return false;
  const struct hd_cpu_fold_kernel *kernel = hd_cpu_fold_kernel(ctx->kernels, fold, &storage);
  const size_t workers = hd_cpu_groups_workers(ctx, count);
  const size_t all = pitch_of(kernel) * (2 * workers - 1);
  if (kernel->merge.bytes > sizeof((struct chunk_total *)0)->total) return false;
  if (kernel->chunk & (kernel->chunk - 1)) return false;
  return groups <= MOST_BYTES / all && groups * all <= count * kernel->element_bytes / SHARE;
}

bool hd_cpu_groups_fall(const struct hd_cpu_ids *ids, size_t count) {
  const size_t n = count < LOOK ? count : LOOK;
  size_t i = 1;
  while (i < n && hd_cpu_id_at(ids, i) >= hd_cpu_id_at(ids, i - 1)) i++;
  return i < n;
}

static heddle_status run(struct chunked_job *job, heddle_context *ctx) {
  const char *entry = job->call.fold->entry;
  if (job->workers > 1) {
    hd_cpu_groups_run(ctx, job->workers, count_task, job);
    HD_TRY(hd_cancellation_status(&job->token, entry));
  }
  if (job->workers > 1 && atomic_load(&job->bad) == SIZE_MAX) places(job);
  if (atomic_load(&job->bad) == SIZE_MAX) hd_cpu_groups_run(ctx, job->workers, fill_task, job);
  HD_TRY(hd_cancellation_status(&job->token, entry));
  const size_t bad = atomic_load(&job->bad);
  if (bad != SIZE_MAX) return hd_cpu_ids_bad_status(entry, &job->ids, bad, job->scatter->groups);
  if (!atomic_load(&job->failed)) hd_cpu_groups_run(ctx, job->workers, finish_task, job);
  HD_TRY(hd_cancellation_status(&job->token, entry));
  return (heddle_status)atomic_load(&job->failed);
}

/* Bytes of a worker's part, but for its buffers. */
static size_t part_bytes(const struct chunked_job *job) {
  const size_t groups = job->scatter->groups;
  return groups * (2 * sizeof(u32) + sizeof(struct chunk_list));
}

static void point(struct chunked_job *job, char *tables, char *buffers, char *totals) {
  const size_t groups = job->scatter->groups, pitch = pitch_of(job->call.kernel);
  const size_t each = job->slice / job->call.kernel->chunk + 1;
  memset(tables, 0, job->workers * part_bytes(job));
  for (size_t w = 0; w < job->workers; w++) {
    char *at = tables + w * part_bytes(job);
    job->part[w] = (struct chunked_part){
        .job = job,
        .mask = job->call.kernel->chunk - 1,
        .pitch = pitch,
        .lists = (void *)at,
        .next = (void *)(at + groups * sizeof(struct chunk_list)),
        .start = (void *)(at + groups * (sizeof(struct chunk_list) + sizeof(u32))),
        .chunks = buffers + 2 * w * groups * pitch,
        .heads = w ? buffers + (2 * w - 1) * groups * pitch : NULL,
        .totals = (struct chunk_total *)(void *)totals + w * each};
  }
}

heddle_status hd_cpu_groups_chunked(heddle_context *ctx, const struct hd_scatter *scatter,
                                    const void *in, void *out) {
  struct hd_cpu_fold_kernel storage;
  struct chunked_job job = {
      .scatter = scatter,
      .ids = hd_cpu_ids_of(scatter->id_type, scatter->ids, scatter->groups),
      .call = {.fold = scatter->fold,
               .kernel = hd_cpu_fold_kernel(ctx->kernels, scatter->fold, &storage),
               .in = in,
               .width = 1,
               .element_bytes = heddle_type_size(scatter->fold->type),
               .out_bytes = heddle_type_size(scatter->fold->out_type),
               .out = out},
      .workers = hd_cpu_groups_workers(ctx, scatter->count)};
  const size_t pitch = pitch_of(job.call.kernel);
  job.slice = (scatter->count + job.workers - 1) / job.workers;
  job.call.room_bytes = pitch;
  const size_t buffers_bytes = (2 * job.workers - 1) * scatter->groups * pitch;
  const size_t totals_bytes =
      job.workers * (job.slice / job.call.kernel->chunk + 1) * sizeof(struct chunk_total);
  const size_t room_bytes =
      job.workers * (pitch + sizeof(struct chunked_part) + part_bytes(&job)) + totals_bytes;
  char *buffers = hd_allocate(ctx, buffers_bytes), *room = hd_allocate(ctx, room_bytes);
  heddle_status status = HEDDLE_OUT_OF_MEMORY;
  if (buffers && room) {
    char *totals = room + job.workers * pitch;
    char *parts = totals + totals_bytes;
    job.call.room = (unsigned char *)room;
    job.part = (void *)parts;
    hd_large_pages(buffers, buffers_bytes);
    point(&job, parts + job.workers * sizeof(struct chunked_part), buffers, totals);
    atomic_init(&job.bad, SIZE_MAX);
    atomic_init(&job.next, 0);
    atomic_init(&job.failed, HEDDLE_OK);
    hd_cancellation_start(&job.token, ctx);
    pthread_mutex_lock(&ctx->lock);
    status = run(&job, ctx);
    pthread_mutex_unlock(&ctx->lock);
  }
  hd_release(ctx, room, room_bytes);
  hd_release(ctx, buffers, buffers_bytes);
  return status;
}

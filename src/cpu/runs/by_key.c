/* by_key.c - runs of equal neighbouring keys, each folded into one
 *
 * Method   One pass over keys and values. A chunk's keys are made bits, of heads of runs. In its turn (cpu/select/
 *          chain.c) a chunk learns how many runs begin before it, and where the last of them does: that run ends
 *          with the chunk's first head, and is the chunk's to fold, as are those between its heads. The turn is
 *          passed on before anything is folded. Long runs are left to all threads together.
 *          Exact sums go by offsets.
 * Memory   a thread: 64 KiB of starts, and what short.c needs; in place a chunk of keys. Exact: 8 bytes an element */
#include <string.h>

#include "cpu/select/chain.h"
#include "cpu/select/select.h"
#include "host/status.h"
#include "runs.h"

enum {
  LONG_RUN_BYTES = 4 << 20, /* folded by all threads together */
  FETCH_LINE = 64           /* bytes that one prefetch brings */
};

struct long_run {
  u64 start, end, row;
};

struct by_key {
  const struct hd_fold *fold;
  const struct hd_cpu_fold_kernel *kernel;
  struct hd_cpu_marks marks;
  struct hd_cpu_chain chain;
  u64 found,
      open; /* runs that begin before the chunk whose turn it is, and where the last of them does */
  const char *values;
  char *keys_out, *out;
  size_t out_bytes;
  size_t key_bytes, starts_bytes, short_bytes,
      slots_bytes; /* of a thread's memory, in this order */
  unsigned char *memory;
  struct long_run *long_runs;
  atomic_size_t long_count;
  atomic_int failed;
};

static size_t rounded(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

static size_t thread_bytes(const struct by_key *job) {
  return job->key_bytes + job->starts_bytes + job->short_bytes + job->slots_bytes;
}

static bool is_long(const struct by_key *job, u64 length) {
  return length >= LONG_RUN_BYTES / job->kernel->element_bytes + 1;
}

/* No more than so many long runs fit the values. */
static size_t long_most(const struct by_key *job) {
  return job->marks.count / (LONG_RUN_BYTES / job->kernel->element_bytes + 1);
}

/* One run that has been open, at any place. */
static heddle_status fold_open(struct by_key *job, u64 start, u64 end, u64 row, void *slots) {
  const struct hd_fold_out out = {job->out + row * job->out_bytes, NULL, NULL};
  if (is_long(job, end - start)) {
    job->long_runs[atomic_fetch_add(&job->long_count, 1)] = (struct long_run){start, end, row};
    return HEDDLE_OK;
  }
  return hd_cpu_fold_contiguous(job->fold, job->kernel, slots,
                                job->values + start * job->kernel->element_bytes, NULL, end - start,
                                out);
}

/* The runs that end in a chunk: `before` begin before it, the last of them at `open`. */
static heddle_status fold_chunk(struct by_key *job, u64 chunk, const u32 *starts, size_t found,
                                u64 before, u64 open, unsigned char *memory) {
  const u64 first = chunk * HD_SELECT_CHUNK;
  unsigned char *slots = memory + job->short_bytes;
  heddle_status status = HEDDLE_OK;
  if (found && before) status = fold_open(job, open, first + starts[0], before - 1, slots);
  if (found > 1 && !status) {
    const struct hd_cpu_short_runs runs = {job->fold, job->kernel,
                                           job->values + first * job->kernel->element_bytes,
                                           job->out + before * job->out_bytes, job->out_bytes};
    status = hd_cpu_fold_short_runs(&runs, starts, found - 1, memory, slots);
  }
  if (status || chunk + 1 < hd_cpu_marks_chunks(&job->marks)) return status;
  return fold_open(job, found ? first + starts[found - 1] : open, job->marks.count,
                   before + found - 1, slots);
}

/* Keys go behind those before them: by way of `room` where threads work in place. */
static void put_keys(const struct by_key *job, u64 chunk, const u64 *masks, size_t found,
                     char *out) {
  const size_t bytes = job->marks.bytes;
  job->marks.kernels->pack[hd_top_bit(bytes)](job->marks.x + chunk * HD_SELECT_CHUNK * bytes,
                                              hd_cpu_marks_length(&job->marks, chunk), masks, found,
                                              out);
}

/* Runs are read by their length, which no processor fetches ahead: all values of the chunk before that. Always
 * inline: a function that only fetches has no effect for a compiler. */
static inline __attribute__((always_inline)) void fetch(const char *values, size_t bytes) {
  for (size_t b = 0; b < bytes; b += FETCH_LINE) __builtin_prefetch(values + b, 0, 2);
}

static void by_key_task(void *arg, size_t worker) {
  struct by_key *job = arg;
  const u64 chunks = hd_cpu_marks_chunks(&job->marks);
  char *keys = (char *)job->memory + worker * thread_bytes(job);
  u32 *starts = (u32 *)(void *)(keys + job->key_bytes);
  u64 masks[HD_SELECT_MASKS];
  for (;;) {
    const u64 chunk = hd_cpu_chain_take(&job->chain);
    if (chunk >= chunks || hd_poll(job->chain.token)) return;
    const size_t found = hd_cpu_marks_of(&job->marks, chunk, masks);
    if (found > 1)
      fetch(job->values + chunk * HD_SELECT_CHUNK * job->kernel->element_bytes,
            hd_cpu_marks_length(&job->marks, chunk) * job->kernel->element_bytes);
    job->marks.kernels->index[0](0, hd_cpu_marks_length(&job->marks, chunk), masks, found, starts);
    if (job->key_bytes) put_keys(job, chunk, masks, found, keys);
    if (!hd_cpu_chain_wait(&job->chain, chunk)) return;
    const u64 before = job->found, open = job->open;
    job->found = before + found;
    if (found) job->open = chunk * HD_SELECT_CHUNK + starts[found - 1];
    hd_cpu_chain_pass(&job->chain, chunk);
    char *to = job->keys_out ? job->keys_out + before * job->marks.bytes : NULL;
    if (to && job->key_bytes)
      memcpy(to, keys, found * job->marks.bytes);
    else if (to)
      put_keys(job, chunk, masks, found, to);
    if (atomic_load_explicit(&job->failed, memory_order_relaxed)) continue;
    const heddle_status status = fold_chunk(job, chunk, starts, found, before, open,
                                            (unsigned char *)starts + job->starts_bytes);
    if (status) atomic_store(&job->failed, (int)status);
  }
}

static heddle_status fold_long_runs(heddle_context *ctx, const struct by_key *job) {
  heddle_status status = HEDDLE_OK;
  for (size_t i = 0; i < atomic_load(&job->long_count) && !status; i++) {
    const struct long_run *run = &job->long_runs[i];
    const struct hd_fold_out out = {job->out + run->row * job->out_bytes, NULL, NULL};
    status = hd_cpu_fold_long(ctx, job->fold, job->values + run->start * job->kernel->element_bytes,
                              NULL, (size_t)(run->end - run->start), out);
    if (!status && hd_poll(job->chain.token))
      status = hd_cancellation_status(job->chain.token, job->fold->entry);
  }
  return status;
}

/* On memory for all threads: theirs, the list of long runs, and in place the keys before each chunk. */
static heddle_status fold_all(heddle_context *ctx, struct by_key *job, size_t threads,
                              bool in_place) {
  const size_t long_bytes = rounded(long_most(job) * sizeof *job->long_runs);
  const size_t before = in_place ? (size_t)hd_cpu_marks_chunks(&job->marks) * job->marks.bytes : 0;
  const size_t bytes = threads * thread_bytes(job) + long_bytes + before;
  job->memory = hd_allocate(ctx, bytes);
  if (!job->memory) return HEDDLE_OUT_OF_MEMORY;
  memset(job->memory, 0, threads * thread_bytes(job)); /* vectors go beyond the last runs */
  job->long_runs = (struct long_run *)(void *)(job->memory + threads * thread_bytes(job));
  if (in_place) hd_cpu_marks_copy_before(&job->marks, (char *)job->long_runs + long_bytes);
  pthread_mutex_lock(&ctx->lock);
  hd_parallel(ctx, threads, by_key_task, job);
  pthread_mutex_unlock(&ctx->lock);
  heddle_status status = hd_cancellation_status(job->chain.token, job->fold->entry);
  if (!status) status = (heddle_status)atomic_load(&job->failed);
  if (!status) status = fold_long_runs(ctx, job);
  hd_release(ctx, job->memory, bytes);
  return hd_cpu_callback_failed(job->fold, status);
}

/* The first key of each run, to a place at or before its own. */
static void move_keys(const char *keys, const u64 *offsets, u64 found, size_t bytes,
                      char *keys_out) {
  for (u64 r = 0; r < found; r++) memmove(keys_out + r * bytes, keys + offsets[r] * bytes, bytes);
}

/* Keys come last: sums that find no memory leave all outputs as they are. */
static heddle_status by_offsets(heddle_context *ctx, const struct hd_fold *fold,
                                const struct hd_runs *job, const void *keys, const void *values,
                                size_t count, void *keys_out, void *out, u64 *runs) {
  u64 *offsets = hd_cpu_offsets_new(ctx, fold->entry, count);
  u64 found = 0;
  if (!offsets) return HEDDLE_OUT_OF_MEMORY;
  heddle_status status = hd_cpu_runs(ctx, job, keys, count, NULL, offsets, &found);
  const heddle_rows rows = {.size = sizeof rows, .offsets = offsets, .segments = (size_t)found};
  if (!status)
    status =
        hd_cpu_exact_rows(ctx, fold, values, NULL, &rows, (struct hd_fold_out){out, NULL, NULL});
  if (!status && keys_out) move_keys(keys, offsets, found, heddle_type_size(job->type), keys_out);
  if (!status) *runs = found;
  hd_release(ctx, offsets, (count + 1) * sizeof *offsets);
  return status;
}

heddle_status hd_cpu_reduce_by_key(heddle_context *ctx, const struct hd_fold *fold,
                                   const struct hd_runs *runs_job, const void *keys,
                                   const void *values, size_t count, void *keys_out, void *out,
                                   u64 *runs) {
  const struct hd_cpu_select_kernels *kernels = hd_cpu_select_kernels(ctx);
  struct hd_cpu_fold_kernel storage;
  struct hd_cancellation token;
  if (!count) *runs = 0;
  if (!count) return HEDDLE_OK;
  if (fold->exact) return by_offsets(ctx, fold, runs_job, keys, values, count, keys_out, out, runs);
  struct by_key job = {.fold = fold,
                       .kernel = hd_cpu_fold_kernel(ctx->kernels, fold, &storage),
                       .marks = {.kernels = kernels,
                                 .heads = kernels->heads[runs_job->type],
                                 .x = keys,
                                 .bytes = heddle_type_size(runs_job->type),
                                 .count = count},
                       .values = values,
                       .keys_out = keys_out,
                       .out = out,
                       .out_bytes = hd_cpu_fold_out_bytes(fold)};
  const size_t threads = hd_cpu_marks_threads(ctx, &job.marks);
  const bool in_place = keys_out && keys_out == keys && threads > 1;
  const size_t most = count < HD_SELECT_CHUNK ? count : HD_SELECT_CHUNK;
  job.key_bytes = in_place ? rounded(most * job.marks.bytes) : 0;
  job.starts_bytes = rounded(most * sizeof(u32));
  job.short_bytes = hd_cpu_short_runs_bytes(fold, job.kernel, most);
  job.slots_bytes = rounded(HD_COUNTER_SLOTS * (size_t)job.kernel->merge.bytes);
  atomic_init(&job.long_count, 0);
  atomic_init(&job.failed, 0);
  hd_cancellation_start(&token, ctx);
  hd_cpu_chain_start(&job.chain, &token);
  heddle_status status = fold_all(ctx, &job, threads, in_place);
  if (!status) *runs = job.found;
  return status;
}

/* packed.c - marked elements, or their positions, one behind the other
 *
 * Method   In one pass: a chunk's elements are made bits, whose count the next chunk waits for, then moved by the
 *          bits. In place, on several threads, they are moved into memory of the thread's before the turn is
 *          passed on: all chunks up to one have been read when its elements are written, and those go no
 *          further than the chunk. A thread alone moves them where they go.
 * Memory   a thread, in place and not alone: a chunk of elements; of heads an element a chunk
 * Source   Merrill and Garland 2016 (decoupled look-back), with one turn instead of a look back */
#include <string.h>

#include "select.h"

#include "chain.h"

/* A byte an element by the caller's test, then a bit each. */
static size_t marks_of_predicate(const struct hd_cpu_marks *marks, const char *x, size_t n,
                                 u64 *masks) {
  unsigned char holds[HD_SELECT_CHUNK];
  const heddle_predicate *p = marks->predicate;
  if (!atomic_load_explicit(marks->failed, memory_order_relaxed) && !p->test(holds, x, n, p->user))
    return marks->masks(holds, n, &marks->range, masks);
  atomic_store_explicit(marks->failed, true, memory_order_relaxed);
  memset(masks, 0, (n + 63) / 64 * sizeof *masks);
  return 0;
}

size_t hd_cpu_marks_of(const struct hd_cpu_marks *marks, u64 chunk, u64 masks[HD_SELECT_MASKS]) {
  const size_t first = (size_t)chunk * HD_SELECT_CHUNK, n = hd_cpu_marks_length(marks, chunk);
  const char *x = marks->x + first * marks->bytes;
  if (marks->predicate) return marks_of_predicate(marks, x, n, masks);
  if (marks->masks) return marks->masks(x, n, &marks->range, masks);
  const char *before =
      marks->before ? marks->before + (size_t)chunk * marks->bytes : x - marks->bytes;
  return marks->heads(x, n, chunk ? before : NULL, masks);
}

void hd_cpu_marks_copy_before(struct hd_cpu_marks *marks, char *memory) {
  const u64 chunks = hd_cpu_marks_chunks(marks);
  for (u64 c = 1; c < chunks; c++)
    memcpy(memory + c * marks->bytes, marks->x + (c * HD_SELECT_CHUNK - 1) * marks->bytes,
           marks->bytes);
  marks->before = memory;
}

size_t hd_cpu_marks_threads(const heddle_context *ctx, const struct hd_cpu_marks *marks) {
  const u64 chunks = hd_cpu_marks_chunks(marks);
  if (marks->count < HD_SELECT_PARALLEL) return 1;
  return chunks < ctx->threads ? (size_t)chunks : ctx->threads;
}

struct run {
  const struct hd_cpu_packed *job;
  struct hd_cpu_chain chain;
  u64 found;  /* before the chunk whose turn it is */
  char *room; /* a chunk of elements for each thread; NULL: elements go where they belong at once */
};

static size_t room_bytes(const struct hd_cpu_packed *job) {
  return (size_t)HD_SELECT_CHUNK * job->element_bytes;
}

/* What is marked in a chunk goes behind the `before` that came first. */
static void move(const struct hd_cpu_packed *job, u64 chunk, const u64 *masks, size_t found,
                 u64 before, bool elements) {
  const struct hd_cpu_select_kernels *kernels = job->marks.kernels;
  const size_t first = (size_t)chunk * HD_SELECT_CHUNK;
  const size_t n = hd_cpu_marks_length(&job->marks, chunk);
  if (job->out && elements)
    kernels->pack[hd_top_bit(job->element_bytes)](job->in + first * job->element_bytes, n, masks,
                                                  found, job->out + before * job->element_bytes);
  if (job->index)
    kernels->index[job->index_bytes == sizeof(u64)](first, n, masks, found,
                                                    job->index + before * job->index_bytes);
}

static void pack_task(void *arg, size_t worker) {
  struct run *run = arg;
  const struct hd_cpu_packed *job = run->job;
  const u64 chunks = hd_cpu_marks_chunks(&job->marks);
  char *room = run->room ? run->room + worker * room_bytes(job) : NULL;
  u64 masks[HD_SELECT_MASKS];
  for (;;) {
    const u64 chunk = hd_cpu_chain_take(&run->chain);
    if (chunk >= chunks || hd_poll(run->chain.token)) return;
    const size_t found = hd_cpu_marks_of(&job->marks, chunk, masks);
    const char *in = job->in + (size_t)chunk * HD_SELECT_CHUNK * job->element_bytes;
    if (room)
      job->marks.kernels->pack[hd_top_bit(job->element_bytes)](
          in, hd_cpu_marks_length(&job->marks, chunk), masks, found, room);
    if (!hd_cpu_chain_wait(&run->chain, chunk)) return;
    const u64 before = run->found;
    run->found = before + found;
    hd_cpu_chain_pass(&run->chain, chunk);
    if (room) memcpy(job->out + before * job->element_bytes, room, found * job->element_bytes);
    move(job, chunk, masks, found, before, !room);
  }
}

heddle_status hd_cpu_pack(heddle_context *ctx, const struct hd_cpu_packed *given, u64 *found) {
  struct hd_cancellation token;
  struct hd_cpu_packed job = *given;
  struct run run = {.job = &job};
  const size_t threads = hd_cpu_marks_threads(ctx, &job.marks);
  const bool in_place = job.out && job.out == job.in && threads > 1;
  const size_t before = job.marks.heads ? hd_cpu_marks_chunks(&job.marks) * job.marks.bytes : 0;
  const size_t bytes = in_place ? threads * room_bytes(&job) + before : 0;
  if (in_place) {
    run.room = hd_allocate(ctx, bytes);
    if (!run.room) return HEDDLE_OUT_OF_MEMORY;
    if (before) hd_cpu_marks_copy_before(&job.marks, run.room + threads * room_bytes(&job));
  }
  hd_cancellation_start(&token, ctx);
  hd_cpu_chain_start(&run.chain, &token);
  pthread_mutex_lock(&ctx->lock);
  hd_parallel(ctx, threads, pack_task, &run);
  pthread_mutex_unlock(&ctx->lock);
  hd_release(ctx, run.room, bytes);
  *found = run.found;
  return hd_cancellation_status(&token, job.entry);
}

/* scan.c - running totals of a whole array, on one thread or several
 *
 * Method   One pass: a chunk's total is taken when it is first read, then the chunk is scanned
 *          from the cache. Several threads take tiles of chunks by a ticket: a thread totals its
 *          tile, waits until the tile before has passed on the binary counter, adds its own
 *          totals, passes it on, and only then scans, while it fetches its next tile. Output that
 *          the caches cannot hold is written past them.
 * Order    The counter alone decides the carries (rules 3 and 4), so tiles, threads and their
 *          timing cannot be seen in the result.
 * Source   Blelloch 1990; tiles chained as in Merrill and Garland 2016 */
#include "scan.h"

#include <sched.h>

enum {
  TILE_CHUNKS = 32,       /* 256 KiB of lanes: with its output in a core's L2 cache */
  PARALLEL_CHUNKS = 64,   /* below this a thread costs more than it brings */
  STREAM_BYTES = 8 << 20, /* of output: from here on it is written past the caches */
  POLL_CHUNKS = 64        /* half a MiB of lanes */
};

/* ---- one thread -------------------------------------------------------------------------------- */

/* Whether output is written past the caches: it is large, and not where the input was just read. */
static bool streams(const struct hd_scan_plan *plan, const void *in, u64 chunks, const void *out) {
  return plan->table->stream && in != out && chunks * plan->chunk * plan->out_bytes >= STREAM_BYTES;
}

/* Past the caches: while a chunk is written, the one behind it is totalled and the next fetched. */
static void stream_here(const struct hd_scan_plan *plan, struct hd_scan_counter *counter,
                        const char *in, u64 chunks, char *out, struct hd_scan_buffer *buffer,
                        struct hd_watch *watch) {
  const size_t step = (size_t)plan->chunk * plan->in_bytes;
  struct hd_scan_writer writer = {plan, buffer, out, false};
  u64 prefix = hd_scan_prefix(plan, counter), total = 0;
  buffer->held = NULL;
  hd_scan_total(plan, in, &total, buffer);
  for (u64 c = 0; c < chunks; c++, in += step) {
    if (c % POLL_CHUNKS == POLL_CHUNKS - 1 && hd_poll(watch)) break;
    u64 next = hd_scan_push(plan, counter, total);
    hd_scan_write(&writer, in, &prefix, &next, c + 1 < chunks ? in + step : NULL, &total,
                  c + 2 < chunks ? in + 2 * step : in);
    prefix = next;
  }
  hd_scan_write_end(&writer);
}

static heddle_status scan_here(const struct hd_scan_plan *plan, struct hd_scan_counter *counter,
                               const char *in, u64 chunks, char *out, struct hd_scan_buffer *buffer,
                               struct hd_watch *watch) {
  const size_t step = (size_t)plan->chunk * plan->in_bytes;
  const size_t stride = (size_t)plan->chunk * plan->out_bytes;
  u64 prefix = hd_scan_prefix(plan, counter), total = 0;
  buffer->held = NULL;
  for (u64 c = 0; c < chunks; c++, in += step, out += stride) {
    if (c % POLL_CHUNKS == POLL_CHUNKS - 1 && hd_poll(watch)) break;
    hd_scan_total(plan, in, &total, buffer);
    u64 next = hd_scan_push(plan, counter, total);
    hd_scan_chunk(plan, in, out, plan->chunk, &prefix, &next, buffer);
    prefix = next;
  }
  return hd_watch_status(watch, plan->scan->fold.entry);
}

static heddle_status scan_custom(const struct hd_scan_plan *plan, struct hd_scan_place *place,
                                 const void *in, u64 chunks, void *out, void *scratch,
                                 struct hd_watch *watch) {
  const size_t bytes = (size_t)plan->chunk * plan->in_bytes;
  heddle_status status = HEDDLE_OK;
  for (u64 c = 0; c < chunks && !status; c++) {
    if (c % POLL_CHUNKS == POLL_CHUNKS - 1 && hd_poll(watch)) break;
    status = hd_scan_step(plan, place, (const char *)in + c * bytes, plan->chunk,
                          (char *)out + c * bytes, scratch);
  }
  return status ? status : hd_watch_status(watch, plan->scan->fold.entry);
}

/* ---- several threads: a chain of tiles ----------------------------------------------------------- */

struct chain {
  const struct hd_scan_plan *plan;
  const char *in;
  char *out;
  u64 chunks, tiles;
  bool stream;
  struct hd_watch *watch;
  struct hd_scan_counter *counter; /* of the thread whose turn it is */
  _Alignas(64) atomic_ullong ticket;
  _Alignas(64) atomic_ullong turn;
};

static u64 chunks_of(const struct chain *chain, u64 tile) {
  if (tile >= chain->tiles) return 0;
  u64 left = chain->chunks - tile * TILE_CHUNKS;
  return left < TILE_CHUNKS ? left : TILE_CHUNKS;
}

/* Waits for the tile before; false if the call was cancelled. Its thread runs already, as tickets
 * are taken in order, so the wait is short unless the machine has fewer cores than threads. */
static bool wait_for_turn(struct chain *chain, u64 tile) {
  for (unsigned spins = 0;; spins++) {
    if (atomic_load_explicit(&chain->turn, memory_order_acquire) == tile) return true;
    if (spins < 512) {
#if defined(__x86_64__) || defined(__i386__)
      __builtin_ia32_pause();
#endif
      continue;
    }
    if (hd_poll(chain->watch)) return false;
    sched_yield();
  }
}

/* Scans a tile and meanwhile fetches the next into the cache. */
static void scan_tile(const struct chain *chain, u64 tile, const u64 *carry, u64 next,
                      struct hd_scan_buffer *buffer) {
  const struct hd_scan_plan *plan = chain->plan;
  const size_t step = (size_t)plan->chunk * plan->in_bytes;
  const size_t stride = (size_t)plan->chunk * plan->out_bytes;
  const char *x = chain->in + tile * TILE_CHUNKS * step;
  const char *ahead = chain->in + next * TILE_CHUNKS * step;
  char *out = chain->out + tile * TILE_CHUNKS * stride;
  const u64 more = chunks_of(chain, next);
  struct hd_scan_writer writer = {plan, buffer, out, false};
  for (u64 c = 0, n = chunks_of(chain, tile); c < n; c++, x += step, ahead += step) {
    if (chain->stream)
      hd_scan_write(&writer, x, &carry[c], &carry[c + 1], NULL, NULL, c < more ? ahead : x);
    else
      hd_scan_chunk(plan, x, out + c * stride, plan->chunk, &carry[c], &carry[c + 1], buffer);
  }
  if (chain->stream) hd_scan_write_end(&writer);
}

static void chain_task(void *arg, size_t worker) {
  struct chain *chain = arg;
  const struct hd_scan_plan *plan = chain->plan;
  const size_t step = (size_t)plan->chunk * plan->in_bytes;
  struct hd_scan_buffer buffer;
  u64 carry[TILE_CHUNKS + 1], total[TILE_CHUNKS] = {0};
  buffer.held = NULL;
  u64 tile = atomic_fetch_add_explicit(&chain->ticket, 1, memory_order_relaxed);
  (void)worker;
  while (tile < chain->tiles && !hd_poll(chain->watch)) {
    const u64 n = chunks_of(chain, tile);
    for (u64 c = 0; c < n; c++)
      hd_scan_total(plan, chain->in + (tile * TILE_CHUNKS + c) * step, &total[c], &buffer);
    if (!wait_for_turn(chain, tile)) return;
    carry[0] = hd_scan_prefix(plan, chain->counter);
    for (u64 c = 0; c < n; c++) carry[c + 1] = hd_scan_push(plan, chain->counter, total[c]);
    atomic_store_explicit(&chain->turn, tile + 1, memory_order_release);
    u64 next = atomic_fetch_add_explicit(&chain->ticket, 1, memory_order_relaxed);
    scan_tile(chain, tile, carry, next, &buffer);
    tile = next;
  }
}

static heddle_status scan_chain(heddle_context *ctx, const struct hd_scan_plan *plan,
                                struct hd_scan_counter *counter, const void *in, u64 chunks,
                                void *out, struct hd_watch *watch) {
  struct chain chain = {.plan = plan,
                        .in = in,
                        .out = out,
                        .chunks = chunks,
                        .tiles = (chunks + TILE_CHUNKS - 1) / TILE_CHUNKS,
                        .stream = streams(plan, in, chunks, out),
                        .watch = watch,
                        .counter = counter};
  atomic_init(&chain.ticket, 0);
  atomic_init(&chain.turn, 0);
  hd_parallel(ctx, chain.tiles < ctx->threads ? (size_t)chain.tiles : ctx->threads, chain_task,
              &chain);
  return hd_watch_status(watch, plan->scan->fold.entry);
}

heddle_status hd_scan_chunks(heddle_context *ctx, const struct hd_scan_plan *plan,
                             struct hd_scan_place *place, const void *in, u64 chunks, void *out,
                             void *scratch) {
  struct hd_watch watch;
  hd_watch_start(&watch, ctx);
  if (!plan->kernel) return scan_custom(plan, place, in, chunks, out, scratch, &watch);
  if (ctx->threads < 2 || chunks < PARALLEL_CHUNKS) {
    if (!streams(plan, in, chunks, out))
      return scan_here(plan, &place->counter, in, chunks, out, scratch, &watch);
    stream_here(plan, &place->counter, in, chunks, out, scratch, &watch);
    return hd_watch_status(&watch, plan->scan->fold.entry);
  }
  pthread_mutex_lock(&ctx->lock);
  heddle_status status = scan_chain(ctx, plan, &place->counter, in, chunks, out, &watch);
  pthread_mutex_unlock(&ctx->lock);
  return status;
}

/* An array of built-in elements needs no memory but this thread's stack. */
static heddle_status scan_builtin(heddle_context *ctx, const struct hd_scan_plan *plan,
                                  const char *in, size_t count, char *out) {
  struct hd_scan_buffer buffer;
  buffer.held = NULL;
  if (count < plan->chunk) {
    hd_scan_chunk(plan, in, out, count, &plan->start, NULL, &buffer);
    if (count) hd_scan_first(plan, out);
    return HEDDLE_OK;
  }
  struct hd_scan_place place;
  const u64 chunks = count / plan->chunk;
  const size_t done = (size_t)chunks * plan->chunk;
  hd_scan_place_start(&place, plan, NULL);
  heddle_status status = hd_scan_chunks(ctx, plan, &place, in, chunks, out, &buffer);
  if (status) return status;
  if (count > done)
    (void)hd_scan_step(plan, &place, in + done * plan->in_bytes, count - done,
                       out + done * plan->out_bytes, &buffer);
  hd_scan_first(plan, out);
  return HEDDLE_OK;
}

heddle_status hd_scan_array(heddle_context *ctx, const struct hd_scan_plan *plan, const void *in,
                            size_t count, void *out) {
  if (plan->kernel) return scan_builtin(ctx, plan, in, count, out);
  const size_t slots = hd_scan_slots_bytes(plan), bytes = slots + hd_scan_scratch_bytes(plan);
  const u64 chunks = count / plan->chunk;
  const size_t done = (size_t)chunks * plan->chunk * plan->in_bytes;
  struct hd_scan_place place;
  unsigned char *memory = hd_allocate(ctx, bytes);
  if (!memory) return HEDDLE_OUT_OF_MEMORY;
  hd_scan_place_start(&place, plan, memory);
  heddle_status status = hd_scan_chunks(ctx, plan, &place, in, chunks, out, memory + slots);
  if (!status && count % plan->chunk)
    status = hd_scan_step(plan, &place, (const char *)in + done, count % plan->chunk,
                          (char *)out + done, memory + slots);
  hd_release(ctx, memory, bytes);
  return hd_callback_failed(&plan->scan->fold, status);
}

heddle_status hd_cpu_scan(heddle_context *ctx, const struct hd_scan *scan, const void *in,
                          size_t count, void *out) {
  struct hd_scan_plan plan;
  hd_scan_make_plan(&plan, ctx->kernels, scan);
  return hd_scan_array(ctx, &plan, in, count, out);
}

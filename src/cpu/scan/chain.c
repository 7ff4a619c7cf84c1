/* chain.c - full chunks of a scan on several threads: a chain of tiles
 *
 * Method   Threads take tiles of chunks by a ticket. A thread totals its tile's chunks and posts the
 *          totals; a tile whose forerunners are all posted gets its carries from the binary counter,
 *          and only then is scanned, from the cache, while the thread's next tile is fetched. A
 *          thread that waits long totals the tile at the head of the chain itself: a thread put to
 *          sleep by the system stops nobody.
 * Order    The counter alone decides the carries (rules 3 and 4), so tiles, threads and their timing
 *          cannot be seen in the result.
 * Limits   In place a tile is left to its own thread, which may be writing it already.
 * Source   Merrill and Garland 2016 */
#include <sched.h>
#include <string.h>

#include "scan.h"

enum {
  TILE_CHUNKS = 32, /* 256 KiB of lanes: with the next tile in a core's L2 cache */
  PATIENCE = 512    /* pauses: about as long as a tile's totals take */
};

/* Where a thread's tile stands. */
enum { CLAIMED, POSTED, READY };
struct slot {
  u64 tile;
  atomic_int state;
  u64 total[TILE_CHUNKS];
  u64 carry[TILE_CHUNKS + 1]; /* before each chunk and behind the last */
};

struct chain {
  const struct hd_cpu_scan_plan *plan;
  const char *in;
  char *out;
  u64 chunks, tiles;
  bool past_caches, helps;
  struct hd_cancellation *token;
  size_t workers;
  struct slot *slot;                   /* [worker] */
  pthread_mutex_t lock;                /* of all that follows, and of the slots */
  struct hd_cpu_scan_counter *counter; /* of the tiles before `turn` */
  u64 ticket, turn;
  size_t *owner; /* [tile % workers] of the tiles from `turn` to `ticket` */
};

static u64 chunks_of(const struct chain *chain, u64 tile) {
  if (tile >= chain->tiles) return 0;
  u64 left = chain->chunks - tile * TILE_CHUNKS;
  return left < TILE_CHUNKS ? left : TILE_CHUNKS;
}

static void total_tile(const struct chain *chain, u64 tile, u64 *total,
                       struct hd_cpu_scan_buffer *buffer) {
  const size_t step = (size_t)chain->plan->chunk * chain->plan->in_bytes;
  const char *x = chain->in + tile * TILE_CHUNKS * step;
  for (u64 c = 0, n = chunks_of(chain, tile); c < n; c++) {
    total[c] = 0;
    hd_cpu_scan_total(chain->plan, x + c * step, &total[c], buffer);
  }
}

/* The next tile for this worker, whose earlier one is READY. */
static u64 claim(struct chain *chain, size_t worker) {
  struct slot *slot = &chain->slot[worker];
  pthread_mutex_lock(&chain->lock);
  u64 tile = chain->ticket;
  if (tile < chain->tiles) {
    chain->ticket++;
    chain->owner[tile % chain->workers] = worker;
    slot->tile = tile;
    atomic_store_explicit(&slot->state, CLAIMED, memory_order_relaxed);
  }
  pthread_mutex_unlock(&chain->lock);
  return tile;
}

/* Gives every posted tile that is next its carries. Locked. */
static void advance(struct chain *chain) {
  for (; chain->turn < chain->ticket; chain->turn++) {
    struct slot *slot = &chain->slot[chain->owner[chain->turn % chain->workers]];
    if (atomic_load_explicit(&slot->state, memory_order_relaxed) != POSTED) return;
    slot->carry[0] = hd_cpu_scan_prefix(chain->plan, chain->counter);
    for (u64 c = 0, n = chunks_of(chain, chain->turn); c < n; c++)
      slot->carry[c + 1] = hd_cpu_scan_push(chain->plan, chain->counter, slot->total[c]);
    atomic_store_explicit(&slot->state, READY, memory_order_release);
  }
}

/* Whoever comes first with a tile's totals posts them. */
static void post(struct chain *chain, size_t worker, u64 tile, const u64 *total) {
  struct slot *slot = &chain->slot[worker];
  pthread_mutex_lock(&chain->lock);
  if (slot->tile == tile && atomic_load_explicit(&slot->state, memory_order_relaxed) == CLAIMED) {
    memcpy(slot->total, total, sizeof slot->total);
    atomic_store_explicit(&slot->state, POSTED, memory_order_relaxed);
    advance(chain);
  }
  pthread_mutex_unlock(&chain->lock);
}

/* Totals the tile that the chain waits for. */
static void help(struct chain *chain, struct hd_cpu_scan_buffer *buffer) {
  u64 total[TILE_CHUNKS] = {0};
  pthread_mutex_lock(&chain->lock);
  u64 tile = chain->turn;
  size_t worker = tile < chain->ticket ? chain->owner[tile % chain->workers] : 0;
  bool waited_for = tile < chain->ticket;
  pthread_mutex_unlock(&chain->lock);
  if (!waited_for) return;
  total_tile(chain, tile, total, buffer);
  post(chain, worker, tile, total);
}

/* False if the call was cancelled. */
static bool wait_for_carries(struct chain *chain, struct slot *slot,
                             struct hd_cpu_scan_buffer *buffer) {
  for (unsigned spins = 0;; spins++) {
    if (atomic_load_explicit(&slot->state, memory_order_acquire) == READY) return true;
    if (spins % PATIENCE < PATIENCE - 1) {
#if defined(__x86_64__) || defined(__i386__)
      __builtin_ia32_pause();
#endif
      continue;
    }
    if (hd_poll(chain->token)) return false;
    if (chain->helps)
      help(chain, buffer);
    else
      sched_yield();
  }
}

/* Scans a tile and meanwhile fetches the next into the cache. */
static void scan_tile(const struct chain *chain, u64 tile, u64 *carry, u64 next,
                      struct hd_cpu_scan_buffer *buffer) {
  const struct hd_cpu_scan_plan *plan = chain->plan;
  const size_t step = (size_t)plan->chunk * plan->in_bytes;
  const size_t stride = (size_t)plan->chunk * plan->out_bytes;
  const u64 more = chunks_of(chain, next);
  const char *x = chain->in + tile * TILE_CHUNKS * step;
  const char *ahead = more ? chain->in + next * TILE_CHUNKS * step : x;
  char *out = chain->out + tile * TILE_CHUNKS * stride;
  struct hd_cpu_scan_writer writer = {plan, buffer, out, false};
  for (u64 c = 0, n = chunks_of(chain, tile); c < n; c++, x += step) {
    struct hd_cpu_scan_carries carries = {carry[c], carry[c + 1], NULL};
    if (chain->past_caches)
      hd_cpu_scan_write(&writer, x, &carries, c < more ? ahead + c * step : x);
    else
      hd_cpu_scan_chunk(plan, x, out + c * stride, plan->chunk, &carries, buffer);
  }
  if (chain->past_caches) hd_cpu_scan_write_end(&writer, carry[chunks_of(chain, tile)]);
}

static void chain_task(void *arg, size_t worker) {
  struct chain *chain = arg;
  struct slot *slot = &chain->slot[worker];
  struct hd_cpu_scan_buffer buffer;
  u64 total[TILE_CHUNKS] = {0}, carry[TILE_CHUNKS + 1];
  u64 tile = claim(chain, worker);
  while (tile < chain->tiles && !hd_poll(chain->token)) {
    total_tile(chain, tile, total, &buffer);
    post(chain, worker, tile, total);
    if (!wait_for_carries(chain, slot, &buffer)) return;
    memcpy(carry, slot->carry, sizeof carry);
    u64 next = claim(chain, worker);
    scan_tile(chain, tile, carry, next, &buffer);
    tile = next;
  }
}

static u64 tiles_of(u64 chunks) { return (chunks + TILE_CHUNKS - 1) / TILE_CHUNKS; }

size_t hd_cpu_scan_chain_workers(const heddle_context *ctx, u64 chunks) {
  return tiles_of(chunks) < ctx->threads ? (size_t)tiles_of(chunks) : ctx->threads;
}

heddle_status hd_cpu_scan_chain(heddle_context *ctx, const struct hd_cpu_scan_plan *plan,
                                struct hd_cpu_scan_counter *counter, const void *in, u64 chunks,
                                void *out, bool past_caches, struct hd_cancellation *token) {
  struct chain chain = {.plan = plan,
                        .in = in,
                        .out = out,
                        .chunks = chunks,
                        .tiles = tiles_of(chunks),
                        .past_caches = past_caches,
                        .helps = in != out,
                        .token = token,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .counter = counter};
  chain.workers = hd_cpu_scan_chain_workers(ctx, chunks);
  const size_t bytes = chain.workers * (sizeof(struct slot) + sizeof(size_t));
  chain.slot = hd_allocate(ctx, bytes);
  if (!chain.slot) return HEDDLE_OUT_OF_MEMORY;
  chain.owner = (size_t *)(void *)(chain.slot + chain.workers);
  for (size_t w = 0; w < chain.workers; w++) {
    chain.slot[w].tile = 0;
    atomic_init(&chain.slot[w].state, READY);
  }
  hd_parallel(ctx, chain.workers, chain_task, &chain);
  hd_release(ctx, chain.slot, bytes);
  return hd_cancellation_status(token, plan->scan->fold.entry);
}

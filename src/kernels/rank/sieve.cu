/* sieve.cu - one read of the array: elements up to a bound are kept with their positions, in any order
 *
 * Result   a.kept: keys above positions, state->sieved of them. Where these are fewer than a.k, or more than there is room
 *          for, state->missed is set, and finder 0 looks for the k-th key in the array
 * Defines  state.h's, of keys of 4 bytes; HEDDLE_LOADS and HEDDLE_STAGES: kernels/base/ring.h
 * Launch   as many blocks as the device runs at once, or fewer
 * Order    none shows: what is kept is a set
 * Method   The bound is a key of the sample that the k-th is below but for bad luck (sample.cu). Most vectors have
 *          nothing up to it, which takes a comparison an element to see. A block holds what it has found until it ends: a wait for room in memory
 *          is longer than its tile takes. The last block to end looks at the count. */
#include "state.h"

#define VECTOR 4 /* elements */
#define RING_LOADS HEDDLE_LOADS
#define RING_STAGES HEDDLE_STAGES
#define RING_ARRAYS 1
#define RING_ALIGN 16
#define RING_WARPS (HEDDLE_THREADS / 32)
#include "kernels/base/ring.h"

extern __shared__ __align__(128) uint4 sieve_shared[];

enum { HELD = 1024 }; /* that a block has before it asks for room */

/* A block's: what it holds, and where it goes. */
struct sieve {
  u64 item[HELD];
  u64 at;
  u32 held, last;
};

/* A thread's: the greatest key that is kept, apart; and whether nothing more has room. */
struct mesh {
  sort_key last;
  bool full;
};

static __device__ __noinline__ void thread_keep(const struct rank_sieve_args *a,
                                                struct sieve *sieve, struct mesh *mesh,
                                                key_bits bits, u64 at) {
  struct rank_state *state = (struct rank_state *)a->search.state;
  const u64 item = (u64)key_of(&a->search.map, bits) << 32 | at;
  const u32 held = atomicAdd(&sieve->held, 1u);
  if (held < HELD) {
    sieve->item[held] = item;
    return;
  }
  const u64 slot = atomicAdd(&state->sieved, (u64)1);
  if (slot < a->search.room)
    ((u64 *)a->search.kept)[slot] = item;
  else
    mesh->full = true;
}

/* All threads arrive. */
HD_DEVICE void block_tell(const struct rank_sieve_args *a, struct sieve *sieve) {
  struct rank_state *state = (struct rank_state *)a->search.state;
  __syncthreads(); /* everything is kept */
  const u32 held = sieve->held < HELD ? sieve->held : HELD;
  if (threadIdx.x == 0 && held) sieve->at = atomicAdd(&state->sieved, (u64)held);
  __syncthreads(); /* there is room, or there is not */
  for (u32 i = threadIdx.x; i < held; i += HEDDLE_THREADS)
    if (sieve->at + i < a->search.room) ((u64 *)a->search.kept)[sieve->at + i] = sieve->item[i];
}

/* A thread's vectors of a batch that begins with vector v. */
HD_DEVICE void thread_sift(const struct rank_sieve_args *a, struct sieve *sieve, struct mesh *mesh,
                           const u32 *words, u64 v, u64 head) {
  const key_bits *in = (const key_bits *)a->search.in;
  sort_key least = KEY_ALL;
#pragma unroll
  for (u32 i = 0; i < HEDDLE_LOADS * VECTOR; i++) {
    const sort_key x = key_apart(&a->search.map, words[i]);
    least = x < least ? x : least;
  }
  if (least > mesh->last) return;
#pragma unroll 1 /* and anew from memory: it is seldom that there is something */
  for (u32 i = 0; i < HEDDLE_LOADS; i++) {
    const u64 first = head + (v + 32 * i + threadIdx.x % 32) * VECTOR;
#pragma unroll
    for (u32 j = 0; j < VECTOR; j++)
      if (first + j < a->search.count && key_apart(&a->search.map, in[first + j]) <= mesh->last)
        thread_keep(a, sieve, mesh, in[first + j], first + j);
  }
}

/* All vectors, and the elements before the first and behind the last one, by one warp. All lanes arrive. */
HD_DEVICE void warp_sift_all(const struct rank_sieve_args *a, struct sieve *sieve,
                             struct mesh *mesh, struct ring *ring, u64 head) {
  const key_bits *in = (const key_bits *)a->search.in;
#pragma unroll 1
  while (warp_ring_more(ring)) {
    const u64 v = ring->at;
    u32 words[HEDDLE_LOADS][4];
    warp_ring_take(ring, words, words);
    if (!mesh->full) thread_sift(a, sieve, mesh, &words[0][0], v, head);
  }
  if (blockIdx.x || threadIdx.x / 32) return;
  const u64 rest = head + ring->vectors * VECTOR, lane = threadIdx.x;
  if (lane < head && key_apart(&a->search.map, in[lane]) <= mesh->last)
    thread_keep(a, sieve, mesh, in[lane], lane);
  if (rest + lane < a->search.count && key_apart(&a->search.map, in[rest + lane]) <= mesh->last)
    thread_keep(a, sieve, mesh, in[rest + lane], rest + lane);
}

/* Finder 0, which looks at nothing unless the sieve has missed something. */
HD_DEVICE void thread_judge(const struct rank_sieve_args *a, struct rank_state *state) {
  struct rank_finder *f = &state->finder[0];
  const u64 sieved = peek64(&state->sieved);
  state->missed = sieved < a->k || sieved > a->search.room;
  f->rank = a->k - 1;
  f->source = RANK_ARRAY;
  thread_narrow(f, 0, KEY_ALL, 0, HD_U64_MAX);
  f->done = !state->missed;
  thread_count_open(state, 1);
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_rank_sieve(const __grid_constant__ struct rank_sieve_args a) {
  __shared__ struct sieve sieve;
  __shared__ u64 filled[RING_SIGNALS];
  struct rank_state *state = (struct rank_state *)a.search.state;
  struct mesh mesh = {key_last(&a.search.map, (sort_key)state->slot[0].high), false};
  struct ring ring;
  const u64 off = a.search.in % 16 / sizeof(key_bits), head = off ? VECTOR - off : 0;
  warp_ring_open(&ring, a.search.in + head * sizeof(key_bits), 0, (a.search.count - head) / VECTOR,
                 sieve_shared, filled);
  if (threadIdx.x == 0) sieve.held = 0;
  __syncthreads(); /* nothing is held */
  warp_sift_all(&a, &sieve, &mesh, &ring, head);
  block_tell(&a, &sieve);
  if (block_is_last(state, &sieve.last) && threadIdx.x == 0) thread_judge(&a, state);
}

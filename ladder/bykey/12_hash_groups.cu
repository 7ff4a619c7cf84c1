/* By key 12: groups by a hash table
 *
 * Idea     keys lie anywhere. A table has slots; a key begins to search at the slot of its hash,
 *          claims it by atomicCAS if it is empty, goes on to the next if another key has it, and adds
 *          its value where it has found its own. Each block does so in shared memory for its 256
 *          elements first, and then adds each of its groups to the table in global memory
 * Cost     2 words read an element, 2 atomics and more in shared memory; 2 and more in global memory
 *          for each group of a block; a look at each slot of the table at the end
 * Shows    no sort, each key is moved once. The groups come out in no order, and so do the adds: sums
 *          of integers wrap and are the same in any order, sums of floats are not. The rung adds
 *          floats by atomicAdd with blocks numbered from one end and from the other, which is
 *          the same work, and counts the sums that differ
 * Source   open addressing: Peterson 1957; on GPUs: Alcantara et al. 2009; GROUP BY by hash
 *
 * //! title: groups by a hash table, atomics
 * //! expect: right
 */
#define LADDER_PARTS
#include "07_warp_select.cu"
#include "groups.h"

enum { SLOTS = 512 };     /* of a block's table, twice its elements */
#define EMPTY 0xffffffffu /* no key here; the key of this value has a slot of its own, the last */

/* Slots of a table are a power of two, and one. Counts its atomics in *atomics. */
__device__ static unsigned int find_slot(unsigned int *keys, unsigned int slots, unsigned int key,
                                         unsigned int *atomics) {
  *atomics = 1;
  if (key == EMPTY) {
    atomicExch(&keys[slots], 0u); /* taken */
    return slots;
  }
  for (unsigned int s = (key ^ key >> 15) * 0x2c1b3c6du >> 7 & (slots - 1);; ++*atomics) {
    const unsigned int found = atomicCAS(&keys[s], EMPTY, key);
    if (found == EMPTY || found == key) return s;
    s = (s + 1) & (slots - 1);
  }
}

__global__ void group_tiles(const unsigned int *keys, const unsigned int *values, size_t n,
                            unsigned int *table, unsigned int *sums, unsigned int slots) {
  __shared__ unsigned int own_keys[SLOTS + 1], own_sums[SLOTS + 1];
  const size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x;
  unsigned int atomics;
  for (unsigned int s = threadIdx.x; s <= SLOTS; s += BLOCK) {
    own_keys[s] = EMPTY;
    own_sums[s] = 0;
  }
  __syncthreads(); /* the block's table is empty */
  LADDER_STEP();
  if (i < n) {
    atomicAdd(&own_sums[find_slot(own_keys, SLOTS, keys[i], &atomics)], values[i]);
    LADDER_READ(2);
    LADDER_WORK(1);
    LADDER_SHARED_ATOMIC(atomics + 1);
  }
  __syncthreads(); /* and has all of its groups */
  for (unsigned int s = threadIdx.x; s <= SLOTS; s += BLOCK) {
    LADDER_STEP();
    if (own_keys[s] == EMPTY) continue;
    const unsigned int key = s == SLOTS ? EMPTY : own_keys[s];
    atomicAdd(&sums[find_slot(table, slots, key, &atomics)], own_sums[s]);
    LADDER_ATOMIC(atomics + 1);
    LADDER_WORK(1);
  }
}

/* In whatever order the threads come. Blocks are numbered from the other end where `turned`. */
__global__ void add_floats(const unsigned int *keys, const float *values, size_t n,
                           unsigned int *table, float *sums, unsigned int slots, int turned) {
  const unsigned int block = turned ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
  const size_t i = block * (size_t)BLOCK + threadIdx.x;
  unsigned int atomics;
  if (i < n) atomicAdd(&sums[find_slot(table, slots, keys[i], &atomics)], values[i]);
}

/* The slots that have a key, in no order. float_sums may be NULL. */
__global__ void list_groups(const unsigned int *table, const unsigned int *sums,
                            const float *float_sums, unsigned int slots, unsigned int *out_keys,
                            unsigned int *out_sums, float *out_floats, unsigned int *count) {
  const unsigned int s = blockIdx.x * BLOCK + threadIdx.x;
  const bool has = s <= slots && table[s] != EMPTY;
  const unsigned int place = draw_place(has, count);
  LADDER_STEP();
  if (s <= slots) LADDER_READ(1);
  if (!has) return;
  out_keys[place] = s == slots ? EMPTY : table[s];
  out_sums[place] = sums[s];
  if (float_sums) out_floats[place] = float_sums[s];
  LADDER_READ(1);
  LADDER_WROTE(2);
}

struct table {
  unsigned int slots, *keys, *sums;
  float *floats;
};

static void clear_table(struct groups *g, struct table *t) {
  const size_t bytes = (t->slots + (size_t)1) * sizeof *t->keys;
  CHECK(cudaMemsetAsync(t->keys, 0xff, bytes, 0)); /* EMPTY */
  CHECK(cudaMemsetAsync(t->sums, 0, bytes, 0));
  CHECK(cudaMemsetAsync(t->floats, 0, bytes, 0));
  CHECK(cudaMemsetAsync(g->count, 0, sizeof *g->count, 0));
}

static void group(struct groups *g, struct table *t, int floats, int turned) {
  const unsigned int blocks = sort_blocks(g->n, BLOCK);
  clear_table(g, t);
  group_tiles<<<blocks, BLOCK>>>(g->keys, g->values, g->n, t->keys, t->sums, t->slots);
  if (floats)
    add_floats<<<blocks, BLOCK>>>(g->keys, g->floats, g->n, t->keys, t->floats, t->slots, turned);
  list_groups<<<sort_blocks(t->slots + (size_t)1, BLOCK), BLOCK>>>(
      t->keys, t->sums, floats ? t->floats : NULL, t->slots, g->out_keys, g->out_sums,
      g->out_floats, g->count);
}

/* Float sums with blocks from one end, then from the other. */
static void compare_orders(struct groups *g, struct table *t) {
  float *const before = (float *)ladder_host_memory(g->n * sizeof(float));
  group(g, t, 1, 0);
  groups_verify(g, 1, 1);
  memcpy(before, g->got_floats, g->wanted * sizeof(float));
  group(g, t, 1, 1);
  groups_verify(g, 1, 1);
  groups_differ(g, before);
  free(before);
}

int main(int argc, char **argv) {
  struct groups g;
  struct table t = {SLOTS, NULL, NULL, NULL};
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 20 * sizeof(unsigned int));
  if (ladder.size > 1u << 30) ladder_usage("--size", "more elements than half of 2^31 slots");
  while (t.slots < 2 * ladder.size) t.slots *= 2;
  groups_open(&g, ladder.size);
  t.keys = sort_memory(t.slots + (size_t)1);
  t.sums = sort_memory(t.slots + (size_t)1);
  t.floats = groups_floats(t.slots + (size_t)1);
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    group(&g, &t, 0, 0);
    CHECK(ladder_stop());
  }
  if (groups_verify(&g, 1, 0)) groups_print(&g);
  compare_orders(&g, &t);
  ladder_moves(8.0 * ((double)g.n + (double)g.wanted));
  CHECK(cudaFree(t.keys));
  CHECK(cudaFree(t.sums));
  CHECK(cudaFree(t.floats));
  groups_close(&g);
  return ladder_end();
}

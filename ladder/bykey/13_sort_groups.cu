/* By key 13: groups by a sort
 *
 * Idea     sort pairs of key and value by key (sort/12); equal keys are neighbours now, hence runs;
 *          reduce them by key (rung 05)
 * Cost     the sort's 4 passes of 5 words an element and more, then 7 words an element; rung 12 has 2
 *          words, and atomics
 * Shows    what the words buy. The groups come in the order of their keys. The sort is stable, so
 *          that equal keys have their values in the order of the input; the reduction adds
 *          them by a tree that depends on positions alone, and no atomic takes part: float sums
 *          are the same bits in every run, on every schedule. Rung 12's are not
 * Source   GROUP BY by a sort; reproducible sums: Demmel and Nguyen 2013
 *
 * //! title: groups by a sort, then by key
 * //! expect: right
 */
#define LADDER_PARTS
#define RUN_FLOATS
#include "../sort/12_pairs_argsort.cu"
#include "05_reduce_by_key.cu"
#include "groups.h"

struct memory {
  struct columns p, other; /* keys, and floats as words: the sort moves bits */
  unsigned int *work;
  struct run_place *tiles;
};

static void group(struct groups *g, const struct memory *m) {
  const size_t bytes = g->n * sizeof(unsigned int);
  CHECK(cudaMemcpyAsync(m->p.keys, g->keys, bytes, cudaMemcpyDeviceToDevice, 0));
  CHECK(cudaMemcpyAsync(m->p.values, g->floats, bytes, cudaMemcpyDeviceToDevice, 0));
  sort_pairs(m->p, g->n, m->other, m->work);
  reduce_by_key(m->p.keys, (const float *)m->p.values, g->n, m->tiles, g->out_keys, g->out_floats,
                g->count);
}

/* Rung 05 leaves keys in the order of runs, which has to be rising. */
static void verify_order(const struct groups *g) {
  unsigned int *const got = sort_host_memory(g->wanted);
  sort_to_host(got, g->out_keys, g->wanted);
  ladder_same_u32("keys in their order", got, g->want_keys, g->wanted);
  free(got);
}

static void open_memory(struct memory *m, size_t n) {
  m->p.keys = sort_memory(n);
  m->p.values = sort_memory(n);
  m->other.keys = sort_memory(n);
  m->other.values = sort_memory(n);
  m->work = sort_memory(3 * DIGITS * sort_blocks(n, SORT_TILE) + 64);
  CHECK(cudaMalloc((void **)&m->tiles, sort_blocks(n, BLOCK) * sizeof *m->tiles));
}
static void close_memory(struct memory *m) {
  unsigned int *const device[] = {m->p.keys, m->p.values, m->other.keys, m->other.values, m->work};
  for (int i = 0; i < 5; ++i) CHECK(cudaFree(device[i]));
  CHECK(cudaFree(m->tiles));
}

int main(int argc, char **argv) {
  struct groups g;
  struct memory m;
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 14 * sizeof(unsigned int));
  groups_open(&g, ladder.size);
  open_memory(&m, g.n);
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    group(&g, &m);
    CHECK(ladder_stop());
  }
  if (groups_verify(&g, 0, 1)) verify_order(&g);
  float *const before = (float *)ladder_host_memory(g.n * sizeof(float));
  memcpy(before, g.got_floats, g.wanted * sizeof(float));
  group(&g, &m); /* again: the same bits? */
  if (groups_verify(&g, 0, 1)) {
    groups_print(&g);
    ladder_true(groups_differ(&g, before) == 0, "float sums differ from run to run");
  }
  ladder_moves(8.0 * ((double)g.n + (double)g.wanted));
  free(before);
  close_memory(&m);
  groups_close(&g);
  return ladder_end();
}

/* By key 14: the library's own
 *
 * Idea     one call each: heddle_select for rung 08, heddle_runs for rung 02; for the groups of rungs
 *          12 and 13 heddle_sort_pairs, which brings equal keys together, and heddle_reduce_by_key
 * Cost     a read an element and a write a result; groups cost a sort more. Its device is the
 *          library's own choice, the CPU unless it is told otherwise: no kernel is counted
 * Shows    what the rungs below lead to. Float sums are the same bits for any number of
 *          threads. With options.exact they are the real sums, each rounded once, and then not even
 *          the order of the input matters: all elements from the last to the first give the same
 *          bits, where plain sums do not
 * Source   include/heddle.h; docs/order.md, rule 15
 *
 * //! title: the library's own
 * //! expect: right
 * //! link: heddle
 */
#include "groups.h"
#include <heddle.h>

static void must(heddle_status status) {
  if (status == HEDDLE_OK) return;
  fprintf(stderr, "%s: %s\n", heddle_status_name(status), heddle_message());
  exit(1);
}

struct sorted {
  unsigned int *keys, *values; /* of n elements */
  float *floats;
  unsigned int *group_keys; /* of groups */
  uint64_t *sums, groups;
};

static void sort_groups(heddle_context *context, const struct groups *g, struct sorted *s) {
  must(heddle_sort_pairs(context, HEDDLE_U32, g->host_keys, sizeof *s->values, g->host_values, g->n,
                         s->keys, s->values, NULL));
  must(heddle_sort_pairs(context, HEDDLE_U32, g->host_keys, sizeof *s->floats, g->host_floats, g->n,
                         NULL, s->floats, NULL));
}

static void reduce(heddle_context *context, size_t n, struct sorted *s, heddle_type type,
                   const void *values, int exact, void *out) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.exact = exact;
  must(heddle_reduce_by_key(context, HEDDLE_SUM, HEDDLE_U32, s->keys, type, values, n,
                            s->group_keys, out, &s->groups, &options));
}

static void verify(const struct groups *g, const struct sorted *s) {
  const unsigned int groups = (unsigned int)s->groups, wanted = (unsigned int)g->wanted;
  unsigned int *const got = sort_host_memory(g->n);
  if (!ladder_same_u32("count", &groups, &wanted, 1)) return;
  ladder_same_u32("keys", s->group_keys, g->want_keys, groups);
  for (size_t k = 0; k < groups; ++k) got[k] = (unsigned int)s->sums[k]; /* of 64 bits */
  ladder_same_u32("sums", got, g->want_sums, groups);
  groups_print(g);
  free(got);
}

/* The odd keys, and the runs of the sorted ones. */
static void verify_others(heddle_context *context, const struct groups *g, const struct sorted *s) {
  const unsigned int low_bit = 1;
  unsigned int *const mask = sort_host_memory(g->n), *const got = sort_host_memory(g->n);
  unsigned int *const want = sort_host_memory(g->n);
  uint64_t *const offsets = (uint64_t *)ladder_host_memory((g->n + 1) * sizeof *offsets);
  heddle_where where = HEDDLE_WHERE_INIT;
  uint64_t found = 0;
  for (size_t i = 0; i < g->n; ++i) mask[i] = g->host_keys[i] & 1;
  where.comparison = HEDDLE_EQUAL;
  where.type = HEDDLE_U32;
  where.of = mask;
  where.value = &low_bit;
  must(heddle_select(context, &where, sizeof *got, g->host_keys, g->n, got, &found));
  const size_t wanted = bykey_serial_select(g->host_keys, g->n, want);
  if (ladder_true(found == wanted, "not all odd keys are selected"))
    ladder_same_u32("selected", got, want, wanted);
  must(heddle_runs(context, HEDDLE_U32, s->keys, g->n, NULL, offsets, &found));
  bykey_serial_runs(s->keys, NULL, g->n, got, want);
  for (size_t k = 0; k < found && k < g->n; ++k)
    got[k] = (unsigned int)(offsets[k + 1] - offsets[k]);
  if (ladder_true(found == g->wanted, "the runs are not as many as the groups"))
    ladder_same_u32("lengths", got, want, g->wanted);
  free(mask);
  free(got);
  free(want);
  free(offsets);
}

static void turn(struct groups *g) {
  for (size_t i = 0, k = g->n - 1; i < k; ++i, --k) {
    const unsigned int key = g->host_keys[i];
    const float number = g->host_floats[i];
    g->host_keys[i] = g->host_keys[k];
    g->host_floats[i] = g->host_floats[k];
    g->host_keys[k] = key;
    g->host_floats[k] = number;
  }
}

/* The float sums of the groups, and of all elements from last to first. */
static void verify_floats(heddle_context *context, struct groups *g, struct sorted *s, int exact) {
  float *const before = (float *)ladder_host_memory(g->n * sizeof *before);
  size_t differ = 0;
  reduce(context, g->n, s, HEDDLE_F32, s->floats, exact, before);
  turn(g);
  sort_groups(context, g, s);
  reduce(context, g->n, s, HEDDLE_F32, s->floats, exact, g->got_floats);
  for (size_t k = 0; k < g->wanted; ++k) {
    const double want = g->want_floats[k];
    ladder_true(ladder_close((double)before[k], want, exact ? 6e-8 : 1e-4),
                "a float sum is not near that in double");
    differ += memcmp(&before[k], &g->got_floats[k], sizeof before[k]) != 0;
  }
  printf("%s float sums that differ, last element first: %zu of %zu\n", exact ? "Exact" : "Plain",
         differ, g->wanted);
  ladder_true(!exact || differ == 0, "exact sums depend on the order of the input");
  free(before);
}

int main(int argc, char **argv) {
  heddle_context *context = NULL;
  struct groups g;
  struct sorted s;
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 0);
  groups_open(&g, ladder.size);
  s.keys = sort_host_memory(g.n);
  s.values = sort_host_memory(g.n);
  s.floats = (float *)ladder_host_memory(g.n * sizeof *s.floats);
  s.group_keys = sort_host_memory(g.n);
  s.sums = (uint64_t *)ladder_host_memory(g.n * sizeof *s.sums);
  must(heddle_open(NULL, &context));
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    sort_groups(context, &g, &s);
    reduce(context, g.n, &s, HEDDLE_U32, s.values, 0, s.sums);
    CHECK(ladder_stop());
  }
  verify(&g, &s);
  verify_others(context, &g, &s);
  verify_floats(context, &g, &s, 0);
  verify_floats(context, &g, &s, 1);
  ladder_moves(8.0 * ((double)g.n + (double)g.wanted));
  heddle_close(context);
  groups_close(&g);
  free(s.keys);
  free(s.values);
  free(s.floats);
  free(s.group_keys);
  free(s.sums);
  return ladder_end();
}

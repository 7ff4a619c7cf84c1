/* test_scatter.c - rows of one element folded by ids once, against a handle of groups
 *
 * Method   Counts of rows and of groups on both sides of what is folded as it comes, of what is moved, and of a handle;
 *          groups of whole chunks, of one element more and less; rows of a group that lie in slices of several threads;
 *          ids that fall late. Every operator and size of elements. A bad id at the end of each slice. */
#include "sort_reference.h"

enum ids_kind { ANY, ROUND, BLOCKS, HALF, LATE, KINDS };
static const char *const kind_names[] = {"any", "in turn", "blocks", "half of one group",
                                         "late to fall"};

static uint64_t id_of(enum ids_kind kind, size_t i, size_t count, size_t groups, uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  const uint64_t any = (*seed >> 20) % groups;
  switch (kind) {
  case ROUND: return (count - i) % groups;
  case BLOCKS: return (count - 1 - i) / 2048 % groups; /* of whole chunks of all types */
  case HALF: return i % 2 ? groups / 2 : any;
  case LATE: return i < count - count / 8 ? 0 : any;
  default: return any;
  }
}

static void fill_ids(heddle_type type, enum ids_kind kind, size_t count, size_t groups, char *ids) {
  uint64_t seed = count + groups;
  for (size_t i = 0; i < count; i++) {
    const uint64_t id = id_of(kind, i, count, groups, &seed);
    const uint32_t narrow = (uint32_t)id;
    if (heddle_type_size(type) == 4)
      memcpy(ids + i * 4, &narrow, 4);
    else
      memcpy(ids + i * 8, &id, 8);
  }
}

struct call {
  heddle_op op;
  heddle_type type, id_type;
  size_t count, groups;
  enum ids_kind kind;
  heddle_options options;
};

static void check(const struct call *c, size_t step) {
  heddle_type out_type = c->options.out_type;
  if (out_type == HEDDLE_TYPE_DEFAULT &&
      heddle_result_type(HEDDLE_REDUCE, c->op, c->type, &c->options, &out_type, NULL))
    return; /* no such operator of that type */
  char *ids = allocate(c->count * 8 + 8), *in = allocate(c->count * 8 + 8);
  char *expected = allocate(c->groups * 8 + 8), *out = allocate(c->groups * 8 + 8);
  heddle_groups *groups = NULL;
  fill_ids(c->id_type, c->kind, c->count, c->groups, ids);
  sort_fill(c->groups % 2 ? SORT_ANY : SORT_BITS, c->type, c->count, c->count, in);
  same_status(HEDDLE_OK,
              heddle_groups_make(sort_on.of[0].ctx, c->id_type, ids, c->count, c->groups, &groups),
              "groups");
  const heddle_status status =
      heddle_groups_reduce(groups, c->op, c->type, in, 1, expected, &c->options);
  heddle_groups_free(groups);
  for (size_t m = 0; m < sort_on.count; m = machines_after(&sort_on, m, step)) {
    const machine *on = &sort_on.of[m];
    memset(out, 7, c->groups * 8);
    same_status(status,
                heddle_scatter_reduce(on->ctx, c->op, c->type, in, 1, c->id_type, ids, c->count,
                                      out, c->groups, &c->options),
                "%s of %s on %s: %s", op_name(c->op), heddle_type_name(c->type), on->label,
                heddle_message());
    if (!status)
      same_array(out_type, expected, out, c->groups,
                 "%s of %zu %s into %zu groups, %s, ids %s, nan %d, exact %d, on %s",
                 op_name(c->op), c->count, heddle_type_name(c->type), c->groups,
                 kind_names[c->kind], heddle_type_name(c->id_type), (int)c->options.nan,
                 c->options.exact, on->label);
  }
  free(ids);
  free(in);
  free(expected);
  free(out);
}

static const heddle_type id_types[] = {HEDDLE_I32, HEDDLE_U32, HEDDLE_I64, HEDDLE_U64};

/* Every operator of every type. */
static void every_op(void **state) {
  (void)state;
  size_t turn = 0;
  for (size_t t = 0; t < type_count; t++)
    for (size_t o = 0; o < op_count; o++, turn++) {
      struct call c = {.op = all_ops[o],
                       .type = all_types[t],
                       .id_type = id_types[turn % 4],
                       .count = 20000 + turn,
                       .groups = turn % 3 + 1,
                       .kind = (enum ids_kind)(turn % KINDS)};
      c.options = make_options(turn % 2 ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE,
                               HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
      check(&c, 3);
      c.groups = 700 + turn;
      check(&c, 6);
    }
}

/* Numbers of rows, of groups and of threads. */
static void shapes(void **state) {
  (void)state;
  static const heddle_type types[] = {HEDDLE_F32, HEDDLE_F64, HEDDLE_F16, HEDDLE_I8};
  static const size_t counts[] = {4095, 4096, 8191, 8192, 70000, 150000, 300000};
  static const size_t groups[] = {1, 2, 7, 60, 100, 5000, 40000};
  size_t turn = 0;
  for (size_t n = 0; n < COUNT(counts); n++)
    for (size_t g = 0; g < COUNT(groups); g++)
      for (size_t kind = 0; kind < KINDS; kind++, turn++) {
        if (lightness() > 1 && counts[n] > 10000) continue;
        const double init = 3;
        struct call c = {.op = HEDDLE_SUM,
                         .type = types[turn % 4],
                         .id_type = id_types[turn % 3],
                         .count = counts[n],
                         .groups = groups[g],
                         .kind = (enum ids_kind)kind};
        c.options =
            make_options(HEDDLE_NAN_PROPAGATE, HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
        c.options.exact = turn % 5 == 0 && c.type != HEDDLE_I8;
        if (turn % 3 == 0) c.options.out_type = HEDDLE_F64;
        if (turn % 3 == 0 && c.type != HEDDLE_I8) c.options.init = &init;
        check(&c, 4);
      }
}

/* The first bad id is named, whoever finds one; nothing is written. */
static void bad_ids(void **state) {
  (void)state;
  enum { ROWS = 200000, GROUPS = 9 };
  static const size_t at[] = {0, 1, 65535, 65536, 99999, 100000, ROWS - 1};
  int32_t *ids = allocate(ROWS * sizeof *ids);
  float *x = allocate(ROWS * sizeof *x), out[GROUPS + 1];
  char wanted[64];
  memset(x, 0, ROWS * sizeof *x);
  for (size_t i = 0; i < ROWS; i++) ids[i] = (int32_t)((ROWS - i) % GROUPS);
  for (size_t m = 0; m < sort_on.count; m++)
    for (size_t b = 0; b < COUNT(at); b++) {
      const machine *on = &sort_on.of[m];
      const int32_t good = ids[at[b]], last = ids[ROWS - 1];
      ids[at[b]] = b % 2 ? -1 : GROUPS;
      ids[ROWS - 1] = -7;
      for (size_t g = 0; g <= GROUPS; g++) out[g] = 7;
      const size_t groups = b % 3 ? GROUPS : 50000; /* as they come, or moved */
      if (groups != GROUPS) ids[at[b]] = -3;
      float *to = groups == GROUPS ? out : allocate(groups * sizeof *to);
      same_status(HEDDLE_BAD_DATA,
                  heddle_scatter_reduce(on->ctx, HEDDLE_SUM, HEDDLE_F32, x, 1, HEDDLE_I32, ids,
                                        ROWS, to, groups, NULL),
                  "bad id %zu on %s", at[b], on->label);
      (void)snprintf(wanted, sizeof wanted, "`ids[%zu]` is ", at[b]);
      if (!strstr(heddle_message(), wanted)) fail_msg("%s on %s", heddle_message(), on->label);
      for (size_t g = 0; g <= GROUPS; g++) assert_true(out[g] == 7);
      if (to != out) free(to);
      ids[at[b]] = good;
      ids[ROWS - 1] = last;
    }
  free(ids);
  free(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_op), cmocka_unit_test(shapes),
                                     cmocka_unit_test(bad_ids)};
  return cmocka_run_group_tests(tests, sort_open, sort_close);
}

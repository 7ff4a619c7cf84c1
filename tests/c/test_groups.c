/* test_groups.c - groups against the rows gathered by plain loops and the plain calls on them
 *
 * Method   Ids of every type, at random, in order, of one group, with empty groups, few and many; order and offsets are
 *          a stable counting sort's. Laws: every group's result has the bits of heddle_reduce_rows of its rows gathered, column by
 *          column, of every operator and type, with every option. A bad id at every kind of place. */
#include "sort_reference.h"

static const heddle_type id_types[] = {HEDDLE_I32, HEDDLE_U32, HEDDLE_I64, HEDDLE_U64};

enum ids_kind { IDS_ANY, IDS_IN_ORDER, IDS_ONE, IDS_SPARSE, IDS_UNEVEN, IDS_NEARLY, IDS_KINDS };
static const char *const kind_names[] = {"random", "in order", "one",
                                         "sparse", "uneven",   "nearly in order"};

struct rows {
  heddle_type id_type;
  size_t count, groups;
  char *ids;
  uint64_t *plain, *offsets, *order;
};

static void store_id(heddle_type type, void *to, size_t i, uint64_t id) {
  const uint32_t narrow = (uint32_t)id;
  if (heddle_type_size(type) == 4)
    memcpy((char *)to + i * 4, &narrow, 4);
  else
    memcpy((char *)to + i * 8, &id, 8);
}

static uint64_t id_of(enum ids_kind kind, size_t i, size_t count, size_t groups, uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  const uint64_t any = (*seed >> 20) % groups;
  switch (kind) {
  case IDS_IN_ORDER: return (uint64_t)i * groups / count;
  case IDS_ONE: return groups / 2;
  case IDS_SPARSE: return any / 7 * 7;
  case IDS_UNEVEN: return any % 3 ? groups - 1 : any;
  case IDS_NEARLY: return i + 2 == count ? 0 : (uint64_t)i * groups / count;
  default: return any;
  }
}

static struct rows rows_new(heddle_type id_type, enum ids_kind kind, size_t count, size_t groups) {
  struct rows r = {id_type,
                   count,
                   groups,
                   allocate(count * 8 + 8),
                   allocate(count * 8 + 8),
                   allocate((groups + 1) * 8),
                   allocate(count * 8 + 8)};
  uint64_t seed = count * 7 + groups;
  memset(r.offsets, 0, (groups + 1) * 8);
  for (size_t i = 0; i < count; i++) {
    r.plain[i] = id_of(kind, i, count, groups, &seed);
    store_id(id_type, r.ids, i, r.plain[i]);
    r.offsets[r.plain[i] + 1]++;
  }
  for (size_t g = 0; g < groups; g++) r.offsets[g + 1] += r.offsets[g];
  uint64_t *next = allocate(groups * 8 + 8);
  memcpy(next, r.offsets, groups * 8);
  for (size_t i = 0; i < count; i++) r.order[next[r.plain[i]]++] = i;
  free(next);
  return r;
}

static void rows_free(struct rows *r) {
  free(r->ids);
  free(r->plain);
  free(r->offsets);
  free(r->order);
}

static heddle_groups *make(const machine *on, const struct rows *r) {
  heddle_groups *groups = NULL;
  same_status(HEDDLE_OK,
              heddle_groups_make(on->ctx, r->id_type, r->ids, r->count, r->groups, &groups),
              "groups on %s", on->label);
  return groups;
}

static int in_order(const struct rows *r) {
  for (size_t i = 0; i < r->count; i++)
    if (r->order[i] != i) return 0;
  return 1;
}

/* ---- the handle ------------------------------------------------------------------------------------ */

static void check_handle(const machine *on, const struct rows *r, const char *kind) {
  heddle_groups *groups = make(on, r);
  heddle_groups_details d = HEDDLE_GROUPS_DETAILS_INIT;
  same_status(HEDDLE_OK, heddle_groups_info(groups, &d), "info on %s", on->label);
  assert_int_equal(d.count, r->count);
  assert_int_equal(d.groups, r->groups);
  uint64_t *offsets = allocate((r->groups + 1) * 8), *order = allocate(r->count * 8 + 8);
  uint32_t *narrow = allocate(r->count * 4 + 4);
  same_status(HEDDLE_OK, heddle_copy(on->ctx, offsets, d.offsets, (r->groups + 1) * 8), "offsets");
  same_array(HEDDLE_U64, r->offsets, offsets, r->groups + 1,
             "offsets of %zu %s ids in %zu groups on %s", r->count, kind, r->groups, on->label);
  if (d.order) {
    assert_int_equal(d.index_type, HEDDLE_U32);
    same_status(HEDDLE_OK, heddle_copy(on->ctx, narrow, d.order, r->count * 4), "order");
    same_status(HEDDLE_OK, heddle_sync(on->ctx), "sync");
    for (size_t i = 0; i < r->count; i++) order[i] = narrow[i];
    same_array(HEDDLE_U64, r->order, order, r->count, "order of %zu %s ids in %zu groups on %s",
               r->count, kind, r->groups, on->label);
  } else {
    assert_true(in_order(r));
  }
  static const size_t bytes[] = {1, 4, 8, 24};
  for (size_t b = 0; b < COUNT(bytes); b++) {
    const size_t n = r->count * bytes[b];
    unsigned char *in = allocate(n + 1), *out = allocate(n + 1), *expected = allocate(n + 1);
    for (size_t i = 0; i < n; i++) in[i] = (unsigned char)(i * 31 + i / 253);
    for (size_t i = 0; i < r->count; i++)
      memcpy(expected + i * bytes[b], in + r->order[i] * bytes[b], bytes[b]);
    same_status(HEDDLE_OK, heddle_groups_gather(groups, bytes[b], in, out), "gather on %s",
                on->label);
    same_bytes(expected, out, n, "%zu gathered rows of %zu bytes on %s", r->count, bytes[b],
               on->label);
    free(in);
    free(out);
    free(expected);
  }
  free(offsets);
  free(order);
  free(narrow);
  heddle_groups_free(groups);
}

static void handles(void **state) {
  (void)state;
  static const size_t counts[] = {1, 2, 17, 1000, 20000},
                      groups[] = {1, 2, 7, 300, 8192, 8193, 70000};
  for (size_t c = 0; c < COUNT(counts); c++)
    for (size_t g = 0; g < COUNT(groups); g++)
      for (int k = 0; k < IDS_KINDS; k++) {
        if ((c + g + (size_t)k) % 3 && g < 4) continue;
        struct rows r =
            rows_new(id_types[(c + g + (size_t)k) % 4], (enum ids_kind)k, counts[c], groups[g]);
        for (size_t m = 0; m < sort_on.count; m = machines_after(&sort_on, m, 4))
          check_handle(&sort_on.of[m], &r, kind_names[k]);
        rows_free(&r);
      }
  if (lightness() > 1) return;
  static const size_t many[] = {5, 1000, 100000, 1 << 21};
  for (size_t g = 0; g < COUNT(many); g++)
    for (int k = 0; k < IDS_KINDS; k += 1 + (g > 1)) {
      struct rows r = rows_new(id_types[g], (enum ids_kind)k, 300001, many[g]);
      for (size_t m = 0; m < sort_on.cpus; m += 3) check_handle(&sort_on.of[m], &r, kind_names[k]);
      rows_free(&r);
    }
}

static void bad_ids(void **state) {
  (void)state;
  static const size_t counts[] = {1, 300, 140000};
  for (size_t c = 0; c < COUNT(counts); c++)
    for (size_t t = 0; t < 4; t++)
      for (int k = 0; k < 2; k++) {
        const size_t n = counts[c], places[] = {0, n / 2, n - 1};
        struct rows r = rows_new(id_types[t], (enum ids_kind)k, n, c == 1 ? 100000 : 50);
        for (size_t p = 0; p < 3; p++)
          for (size_t m = 0; m < sort_on.count; m = machines_after(&sort_on, m, 5)) {
            heddle_groups *groups = (heddle_groups *)&r;
            store_id(r.id_type, r.ids, places[p], p % 2 ? (uint64_t)-1 : r.groups);
            if (places[p] + 1 < n) store_id(r.id_type, r.ids, n - 1, (uint64_t)-1);
            same_status(
                HEDDLE_BAD_DATA,
                heddle_groups_make(sort_on.of[m].ctx, r.id_type, r.ids, n, r.groups, &groups),
                "a bad id at %zu of %zu on %s", places[p], n, sort_on.of[m].label);
            assert_null(groups);
            char name[40];
            snprintf(name, sizeof name, "`ids[%zu]`", places[p]);
            if (!strstr(heddle_message(), name))
              fail_msg("%s is not in \"%s\"", name, heddle_message());
            store_id(r.id_type, r.ids, places[p], r.plain[places[p]]);
            store_id(r.id_type, r.ids, n - 1, r.plain[n - 1]);
          }
        rows_free(&r);
      }
}

/* ---- folds ------------------------------------------------------------------------------------------- */

/* out[g * width + c] by heddle_reduce_rows of column c, gathered. */
static heddle_status expect(heddle_context *ctx, const struct rows *r, heddle_op op,
                            heddle_type type, const char *in, size_t width, char *out,
                            size_t out_size, const heddle_options *options) {
  const size_t size = heddle_type_size(type);
  char *column = allocate(r->count * size + 8), *results = allocate(r->groups * 8 + 8);
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.segments = r->groups;
  rows.offsets = r->offsets;
  heddle_status status = HEDDLE_OK;
  for (size_t c = 0; c < width && !status; c++) {
    for (size_t i = 0; i < r->count; i++)
      memcpy(column + i * size, in + (r->order[i] * width + c) * size, size);
    status = heddle_reduce_rows(ctx, op, type, column, &rows, results, options);
    for (size_t g = 0; g < r->groups; g++)
      memcpy(out + (g * width + c) * out_size, results + g * out_size, out_size);
  }
  free(column);
  free(results);
  return status;
}

static void check_reduce(const struct rows *r, heddle_op op, heddle_type type, enum sort_kind data,
                         size_t width, const heddle_options *options, const char *kind,
                         size_t step) {
  const size_t n = r->count * width, out_n = r->groups * width;
  heddle_context *one = sort_on.of[0].ctx;
  heddle_type out_type = options->out_type;
  if (out_type == HEDDLE_TYPE_DEFAULT &&
      heddle_result_type(HEDDLE_REDUCE, op, type, options, &out_type, NULL))
    return; /* no such operator of that type */
  const size_t out_size = heddle_type_size(out_type);
  char *in = allocate(n * 8 + 8), *out = allocate(out_n * 8 + 8),
       *expected = allocate(out_n * 8 + 8);
  sort_fill(data, type, n, n, in);
  const heddle_status status = expect(one, r, op, type, in, width, expected, out_size, options);
  for (size_t m = 0; m < sort_on.count; m = machines_after(&sort_on, m, step)) {
    const machine *on = &sort_on.of[m];
    heddle_groups *groups = make(on, r);
    memset(out, 0, out_n * out_size);
    same_status(status, heddle_groups_reduce(groups, op, type, in, width, out, options),
                "%s of %s on %s: %s", op_name(op), heddle_type_name(type), on->label,
                heddle_message());
    if (!status)
      same_array(out_type, expected, out, out_n,
                 "%s of %zu rows of %zu %s %s, %s ids, %zu groups, nan %d, exact %d, on %s",
                 op_name(op), r->count, width, sort_name(data), heddle_type_name(type), kind,
                 r->groups, (int)options->nan, options->exact, on->label);
    heddle_groups_free(groups);
    if (m % 2) continue;
    memset(out, 0, out_n * out_size);
    same_status(status,
                heddle_scatter_reduce(on->ctx, op, type, in, width, r->id_type, r->ids, r->count,
                                      out, r->groups, options),
                "scatter_reduce, %s of %s", op_name(op), heddle_type_name(type));
    if (!status)
      same_array(out_type, expected, out, out_n, "%s of rows scattered, %s ids, on %s", op_name(op),
                 kind, on->label);
  }
  free(in);
  free(out);
  free(expected);
}

/* Every operator of every type, of groups of every length up to some chunks. */
static void every_op(void **state) {
  (void)state;
  static const size_t widths[] = {1, 2, 3, 17, 40, 130};
  size_t turn = 0;
  for (size_t t = 0; t < type_count; t++)
    for (size_t o = 0; o < op_count; o++, turn++) {
      const heddle_options options = make_options(turn % 2 ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE,
                                                  HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
      const enum ids_kind kind = (enum ids_kind)(turn % IDS_KINDS);
      struct rows r = rows_new(id_types[turn % 4], kind, 1200 + turn, 40 + 3 * turn);
      check_reduce(&r, all_ops[o], all_types[t], turn % 3 ? SORT_ANY : SORT_BITS, 1, &options,
                   kind_names[kind], 3);
      check_reduce(&r, all_ops[o], all_types[t], turn % 3 ? SORT_ANY : SORT_BITS, widths[turn % 6],
                   &options, kind_names[kind], 6);
      rows_free(&r);
    }
}

/* Groups of many chunks, in pieces, beyond what one thread folds; few lines, empty ones. */
static void sums(void **state) {
  (void)state;
  static const heddle_type types[] = {HEDDLE_F16, HEDDLE_BF16, HEDDLE_F32, HEDDLE_F64, HEDDLE_I32};
  static const size_t counts[] = {1, 20, 2050, 5000, 30000}, groups[] = {1, 3, 50, 6000};
  size_t turn = 0;
  for (size_t t = 0; t < COUNT(types); t++)
    for (size_t c = 0; c < COUNT(counts); c++)
      for (size_t g = 0; g < COUNT(groups); g++, turn++) {
        heddle_options options =
            make_options(HEDDLE_NAN_PROPAGATE, HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
        const enum ids_kind kind = (enum ids_kind)(turn % IDS_KINDS);
        const double init = 3;
        const size_t width = counts[c] > 5000 ? 33 : turn % 3 ? 70 : 4;
        struct rows r = rows_new(id_types[turn % 4], kind, counts[c] / lightness() + 1, groups[g]);
        options.exact = turn % 2 && types[t] != HEDDLE_I32;
        if (turn % 5 == 0) options.out_type = HEDDLE_F64;
        if (turn % 5 == 0 && types[t] != HEDDLE_I32) options.init = &init;
        check_reduce(&r, HEDDLE_SUM, types[t], SORT_CURVED, 1, &options, kind_names[kind], 4);
        check_reduce(&r, HEDDLE_SUM, types[t], SORT_CURVED, width, &options, kind_names[kind], 7);
        rows_free(&r);
      }
  if (lightness() > 1) return;
  const heddle_options options =
      make_options(HEDDLE_NAN_PROPAGATE, HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
  heddle_options exact = options;
  exact.exact = 1;
  struct rows r = rows_new(HEDDLE_I64, IDS_UNEVEN, 2000003, 1000); /* one of more than 4 MiB */
  check_reduce(&r, HEDDLE_SUM, HEDDLE_F32, SORT_CURVED, 1, &options, "uneven", 8);
  check_reduce(&r, HEDDLE_SUM, HEDDLE_F64, SORT_CURVED, 1, &exact, "uneven", 8);
  check_reduce(&r, HEDDLE_MAX, HEDDLE_F64, SORT_ANY, 1, &options, "uneven", 8);
  rows_free(&r);
}

static void refused(void **state) {
  (void)state;
  heddle_context *ctx = sort_on.of[0].ctx;
  const int32_t ids[4] = {1, 0, 1, 0};
  double x[8] = {0}, out[8];
  heddle_groups *groups = NULL, *none = NULL;
  heddle_groups_details d = HEDDLE_GROUPS_DETAILS_INIT;
  same_status(HEDDLE_BAD_ARGUMENT, heddle_groups_make(ctx, HEDDLE_F32, ids, 4, 2, &groups),
              "floats");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_groups_make(ctx, HEDDLE_I32, ids, 4, 2, NULL), "no out");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_groups_make(ctx, HEDDLE_I32, NULL, 4, 2, &groups),
              "no ids");
  same_status(HEDDLE_BAD_DATA, heddle_groups_make(ctx, HEDDLE_I32, ids, 4, 0, &groups),
              "no groups");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_groups_make(ctx, HEDDLE_I32, ids, 4, (size_t)-1, &groups),
              "too many groups");
  same_status(HEDDLE_OK, heddle_groups_make(ctx, HEDDLE_I32, NULL, 0, 3, &groups), "no rows");
  same_status(HEDDLE_OK, heddle_groups_reduce(groups, HEDDLE_SUM, HEDDLE_F64, NULL, 2, out, NULL),
              "sums of no rows");
  for (size_t i = 0; i < 6; i++) assert_true(out[i] == 0);
  heddle_groups_free(groups);
  same_status(HEDDLE_OK, heddle_groups_make(ctx, HEDDLE_I32, NULL, 0, 0, &none), "nothing");
  same_status(HEDDLE_OK, heddle_groups_info(none, &d), "info of nothing");
  assert_int_equal(d.groups, 0);
  heddle_groups_free(none);
  heddle_groups_free(NULL);
  same_status(HEDDLE_OK, heddle_groups_make(ctx, HEDDLE_I32, ids, 4, 2, &groups), "groups");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_groups_info(NULL, &d), "no groups");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_groups_gather(groups, 8, x, x), "in place");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_groups_gather(groups, 0, x, out), "no bytes");
  same_status(HEDDLE_BAD_ARGUMENT,
              heddle_groups_reduce(groups, HEDDLE_SUM, HEDDLE_F64, x, 0, out, NULL), "no width");
  same_status(HEDDLE_BAD_ARGUMENT,
              heddle_groups_reduce(groups, HEDDLE_SUM, HEDDLE_F64, x, 1, x, NULL), "onto itself");
  same_status(HEDDLE_UNSUPPORTED,
              heddle_groups_reduce(groups, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, x, 1, out, NULL),
              "custom");
  same_status(HEDDLE_OK, heddle_prepare_begin(ctx), "prepare");
  same_status(HEDDLE_UNSUPPORTED, heddle_groups_make(ctx, HEDDLE_I32, ids, 4, 2, &none),
              "preparing");
  same_status(HEDDLE_UNSUPPORTED,
              heddle_groups_reduce(groups, HEDDLE_SUM, HEDDLE_F64, x, 1, out, NULL), "preparing");
  same_status(HEDDLE_OK, heddle_prepare_end(ctx, NULL), "prepared");
  heddle_groups_free(groups);
}

static void scatter_refused(void **state) {
  (void)state;
  heddle_context *ctx = sort_on.of[0].ctx;
  const int32_t ids[4] = {1, 0, 1, 2};
  double x[8] = {1, 2, 3, 4}, out[8];
#define SCATTER(op, type, in, width, id_type, ids, count, out, groups) \
  heddle_scatter_reduce(ctx, op, type, in, width, id_type, ids, count, out, groups, NULL)
  for (size_t i = 0; i < 8; i++) out[i] = 7;
  same_status(HEDDLE_BAD_DATA, SCATTER(HEDDLE_SUM, HEDDLE_F64, x, 1, HEDDLE_I32, ids, 4, out, 2),
              "an id beyond");
  assert_non_null(strstr(heddle_message(), "heddle_scatter_reduce: `ids[3]` is 2"));
  same_status(HEDDLE_BAD_DATA, SCATTER(HEDDLE_SUM, HEDDLE_F64, x, 1, HEDDLE_I32, ids, 4, out, 0),
              "no groups");
  same_status(HEDDLE_BAD_ARGUMENT,
              SCATTER(HEDDLE_SUM, HEDDLE_F64, x, 1, HEDDLE_F32, ids, 4, out, 3), "floats");
  same_status(HEDDLE_BAD_ARGUMENT,
              SCATTER(HEDDLE_SUM, HEDDLE_F64, x, 0, HEDDLE_I32, ids, 4, out, 3), "no width");
  same_status(HEDDLE_BAD_ARGUMENT, SCATTER(HEDDLE_SUM, HEDDLE_F64, x, 1, HEDDLE_I32, ids, 4, x, 3),
              "onto itself");
  same_status(HEDDLE_BAD_ARGUMENT,
              SCATTER(HEDDLE_SUM, HEDDLE_F64, x, 1, HEDDLE_I32, out, 4, out, 3), "onto ids");
  same_status(HEDDLE_BAD_ARGUMENT,
              SCATTER(HEDDLE_SUM, HEDDLE_F64, x, 1, HEDDLE_I32, NULL, 4, out, 3), "no ids");
  same_status(HEDDLE_UNSUPPORTED,
              SCATTER(HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, x, 1, HEDDLE_I32, ids, 4, out, 3), "custom");
  for (size_t i = 0; i < 8; i++) assert_true(out[i] == 7);
  same_status(HEDDLE_OK, SCATTER(HEDDLE_SUM, HEDDLE_F64, NULL, 2, HEDDLE_I32, NULL, 0, out, 3),
              "no rows");
  for (size_t i = 0; i < 6; i++) assert_true(out[i] == 0);
  same_status(HEDDLE_OK, SCATTER(HEDDLE_SUM, HEDDLE_F64, x, 1, HEDDLE_I32, ids, 4, out, 3), "sums");
  assert_true(out[0] == 2 && out[1] == 4 && out[2] == 4 && out[3] == 0);
  same_status(HEDDLE_OK, heddle_prepare_begin(ctx), "prepare");
  same_status(HEDDLE_OK, SCATTER(HEDDLE_SUM, HEDDLE_F64, x, 1, HEDDLE_I32, ids, 4, out + 4, 3),
              "prepared");
  same_status(HEDDLE_OK, heddle_prepare_end(ctx, NULL), "prepared");
  assert_true(out[4] == 0);
  same_status(HEDDLE_OK, heddle_peek(ctx), "nothing is late on a CPU");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_peek(NULL), "no context");
#undef SCATTER
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(handles),  cmocka_unit_test(bad_ids),
                                     cmocka_unit_test(every_op), cmocka_unit_test(sums),
                                     cmocka_unit_test(refused),  cmocka_unit_test(scatter_refused)};
  return cmocka_run_group_tests(tests, sort_open, sort_close);
}

/* test_explain.c - heddle_explain on a CPU: what it says is what runs, and its arguments
 *
 * Result   for every verb, operator and type, on both sides of each number of elements where another
 *          strategy takes over: as many threads as the call then asks an executor for, if no element
 *          settles the result before
 * Limits   a GPU's launches are test_cuda_explain.c's. The file is longer than 400 lines because every call that a
 *          question may be of is made here */
#include "data.h"
#include "support.h"

enum { MOST_BYTES = 40 << 20 };
static void *x, *out;
static size_t asked; /* the most tasks that a call gave the executor at once */

static void run_here(void *user, size_t count, heddle_task *task, void *arg) {
  (void)user;
  if (count > asked) asked = count;
  for (size_t i = 0; i < count; i++) task(arg, i);
}

static int setup(void **state) {
  (void)state;
  x = malloc(MOST_BYTES);
  out = calloc(1, MOST_BYTES);
  if (x) memset(x, 1, MOST_BYTES);
  return !x || !out;
}
static int teardown(void **state) {
  (void)state;
  free(x), free(out);
  return 0;
}

static heddle_context *open_with(unsigned threads, int executor) {
  heddle_context *ctx;
  char device[16];
  (void)snprintf(device, sizeof device, "cpu:%u", threads);
  same_status(HEDDLE_OK, heddle_open(device, &ctx), "%s", device);
  if (executor) same_status(HEDDLE_OK, heddle_set_executor(ctx, run_here, NULL), "an executor");
  return ctx;
}

static heddle_plan ask(heddle_context *ctx, const heddle_question *q) {
  heddle_plan plan = HEDDLE_PLAN_INIT;
  same_status(HEDDLE_OK, heddle_explain(ctx, q, &plan), "%s %s of %zu", op_name(q->op),
              heddle_type_name(q->type), q->count);
  return plan;
}

/* Ids are keys modulo the groups. */
static heddle_status call_of_groups(heddle_context *ctx, const heddle_question *q) {
  static uint64_t found;
  static uint32_t ids[1 << 21];
  const void *const columns[] = {x, x};
  heddle_groups *groups = NULL;
  heddle_status status;
  for (size_t i = 0; i < q->count && q->call != HEDDLE_CALL_HISTOGRAM_ND; i++)
    ids[i] = (uint32_t)(q->wanted ? data_word(2, i) % q->wanted : i / 3);
  switch (q->call) {
  case HEDDLE_CALL_REDUCE_BY_KEY:
    return heddle_reduce_by_key(ctx, q->op, q->key_type, ids, q->type, x, q->count, NULL, out,
                                &found, q->options);
  case HEDDLE_CALL_SCAN_BY_KEY:
    return heddle_scan_by_key(ctx, HEDDLE_INCLUSIVE, q->op, q->key_type, ids, q->type, x, q->count,
                              out, q->options);
  case HEDDLE_CALL_SCATTER_REDUCE:
    return heddle_scatter_reduce(ctx, q->op, q->type, x, q->width, q->key_type, ids, q->count, out,
                                 q->wanted, q->options);
  case HEDDLE_CALL_GROUPS_REDUCE:
    status = heddle_groups_make(ctx, q->key_type, ids, q->count, q->wanted, &groups);
    asked = 1; /* it is told of the fold alone */
    if (!status)
      status = heddle_groups_reduce(groups, q->op, q->type, x, q->width, out, q->options);
    heddle_groups_free(groups);
    return status;
  case HEDDLE_CALL_HISTOGRAM_ND:
    return heddle_histogram_nd(ctx, q->type, q->wanted, columns, q->count, q->bins, (uint64_t *)out,
                               NULL, NULL);
  default: return HEDDLE_BAD_ARGUMENT;
  }
}

static heddle_status call_by_name(heddle_context *ctx, const heddle_question *q) {
  static uint64_t ranks[5000], found;
  const double *shares = (const double *)(const void *)ranks;
  heddle_where where = HEDDLE_WHERE_INIT;
  where.type = q->type, where.of = x;
  switch (q->call) {
  case HEDDLE_CALL_NTH:
    return q->rows ? heddle_nth_rows(ctx, q->type, x, q->rows, ranks, q->wanted, out, NULL)
                   : heddle_nth(ctx, q->type, x, q->count, ranks, q->wanted, out, NULL);
  case HEDDLE_CALL_PARTIAL_SORT:
    return heddle_partial_sort(ctx, q->type, x, q->count, q->wanted, out, HEDDLE_U64, NULL, NULL);
  case HEDDLE_CALL_QUANTILES:
    return heddle_quantiles(ctx, q->type, x, q->count, shares, q->wanted, out, q->quantile_options);
  case HEDDLE_CALL_SELECT:
    return heddle_select(ctx, &where, q->value_bytes, x, q->count, out, &found);
  case HEDDLE_CALL_PARTITION:
    return heddle_partition(ctx, &where, q->value_bytes, x, q->count, out, &found);
  case HEDDLE_CALL_POSITIONS:
    return heddle_positions(ctx, &where, q->count, HEDDLE_U64, out, &found);
  default: return call_of_groups(ctx, q);
  }
}

static heddle_status call(heddle_context *ctx, const heddle_question *q) {
  uint64_t index;
  heddle_description figures[64];
  for (size_t i = 0; i < 64; i++) figures[i] = (heddle_description)HEDDLE_DESCRIPTION_INIT;
  if (q->call) return call_by_name(ctx, q);
  if (q->sort == HEDDLE_ARGSORT)
    return heddle_argsort(ctx, q->type, x, q->count, HEDDLE_U64, out, NULL);
  if (q->sort && q->rows) return heddle_sort_rows(ctx, q->type, x, q->rows, out, NULL);
  if (q->sort) return heddle_sort(ctx, q->type, x, q->count, out, NULL);
  if (q->bins) return heddle_histogram(ctx, q->type, x, q->count, q->bins, out, NULL, NULL);
  if (q->rows && q->verb == HEDDLE_SCAN)
    return heddle_scan_rows(ctx, q->op, HEDDLE_INCLUSIVE, q->type, x, q->rows, out, NULL);
  if (q->rows) return heddle_reduce_rows(ctx, q->op, q->type, x, q->rows, out, NULL);
  switch (q->verb) {
  case HEDDLE_REDUCE: return heddle_reduce(ctx, q->op, q->type, x, q->count, out, NULL);
  case HEDDLE_ARGREDUCE:
    return heddle_argreduce(ctx, HEDDLE_ARGMAX, q->type, x, q->count, NULL, &index, NULL);
  case HEDDLE_DOT: return heddle_dot(ctx, q->type, x, x, q->count, out, NULL);
  case HEDDLE_DESCRIBE: return heddle_describe(ctx, q->type, x, q->count, figures, NULL);
  case HEDDLE_SCAN:
    return heddle_scan(ctx, q->op, HEDDLE_INCLUSIVE, q->type, x, q->count, out, NULL);
  }
  return HEDDLE_BAD_ARGUMENT;
}

/* One thread asks nobody. */
static void compare(heddle_context *ctx, const heddle_question *q) {
  const heddle_plan plan = ask(ctx, q);
  const size_t bytes = q->count * data_size(q->type);
  asked = 1;
  if (q->op == HEDDLE_ANY) memset(x, 0, bytes);
  same_status(HEDDLE_OK, call(ctx, q), "the call");
  if (plan.threads != asked)
    fail_msg("%s %s of %zu, %s: %u threads, but %zu tasks", op_name(q->op),
             heddle_type_name(q->type), q->count, plan.strategy, plan.threads, asked);
  if (q->op == HEDDLE_ANY) memset(x, 1, bytes);
  assert_true(*plan.kernel && *plan.file && *plan.isa && plan.blocks == 1);
  assert_true(!*plan.then && plan.shared_bytes == 0 && plan.shared_most == 0);
}

static const char *strategy(heddle_context *ctx, heddle_question q, size_t count) {
  static char last[2][sizeof((heddle_plan *)0)->strategy];
  static unsigned which;
  q.count = count;
  const heddle_plan plan = ask(ctx, &q);
  which = !which;
  return memcpy(last[which], plan.strategy, sizeof last[which]);
}

/* Both sides of each change below 2^22 elements; returns how many changes there are. */
static size_t compare_changes(heddle_context *ctx, heddle_question q, size_t most) {
  size_t changes = 0;
  for (size_t low = 1; low < most; low *= 2) {
    size_t from = low, to = 2 * low;
    if (!strcmp(strategy(ctx, q, from), strategy(ctx, q, to))) continue;
    while (to - from > 1) {
      const size_t middle = from + (to - from) / 2;
      if (strcmp(strategy(ctx, q, from), strategy(ctx, q, middle)))
        to = middle;
      else
        from = middle;
    }
    changes++;
    q.count = from, compare(ctx, &q);
    q.count = to, compare(ctx, &q);
  }
  q.count = most, compare(ctx, &q);
  return changes;
}

static void folds_and_scans_run_what_it_says(void **state) {
  (void)state;
  static const heddle_verb verbs[] = {HEDDLE_REDUCE, HEDDLE_ARGREDUCE, HEDDLE_DOT, HEDDLE_DESCRIBE,
                                      HEDDLE_SCAN};
  heddle_context *ctx = open_with(3, 1);
  for (size_t v = 0; v < 5; v++)
    for (size_t t = 0; t < type_count; t++)
      for (size_t o = 0; o < op_count; o++) {
        const heddle_op op = all_ops[o];
        const int by_op = verbs[v] == HEDDLE_REDUCE || verbs[v] == HEDDLE_SCAN;
        const size_t step = lightness() > 1 ? 12 : 4;
        /* Every type and every operator, each with a few of the others. */
        if (by_op ? (t + o) % step != 0 : op != HEDDLE_SUM || (t + v) % (step / 4) != 0) continue;
        heddle_question q = HEDDLE_QUESTION_INIT;
        q.verb = verbs[v], q.op = op, q.type = all_types[t];
        if (heddle_result_type(q.verb, op, q.type, NULL, NULL, NULL)) continue;
        const size_t most = (size_t)(4 << 20) / data_size(q.type);
        assert_true(compare_changes(ctx, q, most) >= (verbs[v] == HEDDLE_SCAN ? 2 : 3));
      }
  heddle_close(ctx);
}

static void sorts_run_what_it_says(void **state) {
  (void)state;
  heddle_context *ctx = open_with(3, 1);
  for (size_t t = 0; t < type_count; t++) {
    heddle_question q = HEDDLE_QUESTION_INIT;
    q.type = all_types[t], q.sort = HEDDLE_SORT_KEYS;
    const size_t most = (size_t)(4 << 20) / data_size(q.type);
    for (size_t i = 0; i < (size_t)(4 << 20) / 8; i++) ((uint64_t *)x)[i] = data_word(5, i);
    assert_true(compare_changes(ctx, q, most) >= 1);
    q.sort = HEDDLE_ARGSORT, q.value_bytes = 8;
    assert_true(compare_changes(ctx, q, most / 2) >= 1);
  }
  memset(x, 1, MOST_BYTES);
  heddle_close(ctx);
}

/* Any elements: those in order, or alike, may end it sooner. */
static void order_statistics_run_what_it_says(void **state) {
  (void)state;
  heddle_context *ctx = open_with(3, 1);
  static const heddle_call calls[] = {HEDDLE_CALL_NTH, HEDDLE_CALL_PARTIAL_SORT,
                                      HEDDLE_CALL_QUANTILES};
  const size_t shape[] = {4096, 100};
  for (size_t i = 0; i < MOST_BYTES / 8; i++) ((uint64_t *)x)[i] = data_word(6, i) >> 1;
  for (size_t t = 0; t < type_count; t++)
    for (size_t c = 0; c < 3; c++) {
      const heddle_call which = calls[c];
      heddle_question q = HEDDLE_QUESTION_INIT;
      if (ref_is_float(all_types[t])) continue; /* some would be NaN */
      q.type = all_types[t], q.call = which, q.wanted = (t + c) % 4 ? 1 : 4500;
      const size_t most = (size_t)(4 << 20) / data_size(q.type);
      if (which == HEDDLE_CALL_PARTIAL_SORT && q.wanted > 1) {
        q.count = most, compare(ctx, &q);
        q.count = 4500, compare(ctx, &q);
        continue;
      }
      assert_true(compare_changes(ctx, q, most) >= (data_size(q.type) > 1));
    }
  heddle_question q = HEDDLE_QUESTION_INIT;
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.dims = 2, rows.axis = 1, rows.shape = shape;
  q.type = HEDDLE_U32, q.call = HEDDLE_CALL_NTH, q.wanted = 3, q.rows = &rows;
  compare(ctx, &q);
  assert_string_equal(ask(ctx, &q).strategy, "rows");
  memset(x, 1, MOST_BYTES);
  heddle_close(ctx);
}

static void selects_run_what_it_says(void **state) {
  static const heddle_call calls[] = {HEDDLE_CALL_SELECT, HEDDLE_CALL_PARTITION,
                                      HEDDLE_CALL_POSITIONS};
  (void)state;
  heddle_context *ctx = open_with(3, 1);
  heddle_where where = HEDDLE_WHERE_INIT;
  heddle_question q = HEDDLE_QUESTION_INIT;
  where.type = q.type = HEDDLE_U8;
  q.where = &where;
  for (size_t c = 0; c < 3; c++)
    for (q.count = 1000; q.count < 4 << 20; q.count *= 64) {
      q.call = calls[c];
      q.value_bytes = q.call == HEDDLE_CALL_POSITIONS ? 8 : 1;
      compare(ctx, &q);
    }
  heddle_close(ctx);
}

static void groups_run_what_it_says(void **state) {
  static const heddle_call calls[] = {HEDDLE_CALL_REDUCE_BY_KEY, HEDDLE_CALL_SCAN_BY_KEY,
                                      HEDDLE_CALL_GROUPS_REDUCE, HEDDLE_CALL_SCATTER_REDUCE};
  (void)state;
  heddle_context *ctx = open_with(3, 1);
  heddle_options exact = HEDDLE_OPTIONS_INIT;
  heddle_question q = HEDDLE_QUESTION_INIT;
  exact.exact = 1;
  q.type = HEDDLE_F32, q.key_type = HEDDLE_U32;
  for (size_t c = 0; c < 4; c++)
    for (q.count = 1000; q.count <= 1 << 21; q.count *= 8) {
      q.call = calls[c], q.wanted = c < 2 ? 0 : q.count / 100;
      q.options = c != 1 && q.count == 64000 ? &exact : NULL;
      for (q.width = 1; q.width < (c < 2 || q.count > 1 << 20 ? 2 : 6); q.width += 4)
        compare(ctx, &q);
    }
  q.call = HEDDLE_CALL_GROUPS_REDUCE, q.wanted = 4, q.count = 2 << 20, q.width = 1;
  compare(ctx, &q);
  assert_string_equal(ask(ctx, &q).strategy, "windows");
  q.wanted = 200000;
  assert_string_equal(ask(ctx, &q).strategy, "gathered");
  heddle_close(ctx);
}

static void grids_run_what_it_says(void **state) {
  (void)state;
  heddle_context *ctx = open_with(3, 1);
  heddle_bins bins[2] = {HEDDLE_BINS_INIT, HEDDLE_BINS_INIT};
  heddle_question q = HEDDLE_QUESTION_INIT;
  q.type = HEDDLE_F32, q.call = HEDDLE_CALL_HISTOGRAM_ND, q.bins = bins, q.wanted = 2;
  for (size_t each = 4; each < 1 << 10; each *= 15)
    for (q.count = 1000; q.count <= 4 << 20; q.count *= 16) {
      bins[0].count = each, bins[1].count = each + 1, bins[0].hi = bins[1].hi = 1;
      compare(ctx, &q);
    }
  heddle_close(ctx);
}

static void histograms_run_what_it_says(void **state) {
  (void)state;
  heddle_bins bins = HEDDLE_BINS_INIT;
  heddle_context *ctx = open_with(4, 1);
  heddle_question q = HEDDLE_QUESTION_INIT;
  bins.lo = -1, bins.hi = 1;
  q.bins = &bins;
  for (size_t t = 0; t < type_count; t++)
    for (bins.count = (size_t)1 << 4 * (lightness() > 1 ? t % 6 : 0); bins.count <= 1 << 20;
         bins.count *= lightness() > 1 ? 1 << 21 : 16) {
      q.type = all_types[t];
      compare_changes(ctx, q, (size_t)(4 << 20) / data_size(q.type));
    }
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  bins.count = 100, q.histogram = &options;
  for (options.exact = 0; options.exact < 2; options.exact++)
    for (size_t t = 0; t < type_count; t++) {
      options.weights_type = all_types[t]; /* of integers and f16 rule 14 is exact */
      const int limbs = options.exact && ref_is_float(all_types[t]) && all_types[t] != HEDDLE_F16;
      assert_string_equal(strategy(ctx, q, 1000), limbs ? "weights_exact" : "weights");
    }
  heddle_close(ctx);
}

static void rows_run_what_it_says(void **state) {
  (void)state;
  heddle_context *ctx = open_with(3, 1);
  const size_t shapes[][2] = {{1, 1 << 21}, {8, 1 << 18}, {4096, 512}, {1 << 20, 2}, {1, 3000}};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
    for (size_t axis = 0; axis < 2; axis++)
      for (int scans = 0; scans < 2; scans++) {
        heddle_rows rows = HEDDLE_ROWS_INIT;
        heddle_question q = HEDDLE_QUESTION_INIT;
        rows.dims = 2, rows.axis = axis, rows.shape = shapes[s];
        q.verb = scans ? HEDDLE_SCAN : HEDDLE_REDUCE;
        q.type = HEDDLE_F32, q.rows = &rows;
        compare(ctx, &q);
        q.sort = HEDDLE_SORT_KEYS;
        if (scans) compare(ctx, &q);
      }
  heddle_close(ctx);
}

static void strategies_of_rows(void **state) {
  enum { PLACES = 3 }; /* cases of them */
  (void)state;
  static const struct {
    size_t shape[3], axis;
    ptrdiff_t strides[3];
    const char *strategy;
  } cases[] = {
      {{40, 50, 60}, 2, {3000, 60, 1}, "rows_transposed"},
      {{40, 50, 65}, 2, {3250, 65, 1}, "rows_short"},
      {{4, 5, 2048}, 2, {10240, 2048, 1}, "rows_contiguous"},
      {{40, 50, 60}, 1, {3000, 60, 1}, "rows_columns"},
      {{40, 50, 60}, 0, {3000, 60, 1}, "rows_columns"},
      {{40, 20, 3}, 0, {60, 3, 1}, "rows_columns"},   /* two axes that are one */
      {{40, 20, 3}, 0, {80, 4, 1}, "rows_columns"},   /* two that are not, folded with their gaps */
      {{40, 20, 3}, 0, {800, 40, 1}, "rows_narrow"},  /* whose gaps are too long for it */
      {{43, 20, 3}, 0, {800, 40, 1}, "rows_columns"}, /* which are too long for that */
      {{1, 50, 60}, 0, {9, 60, 1}, "rows_single"},    /* rows of one element */
      {{1, 50, 60}, 0, {9, 70, 1}, "rows_columns"},   /* the same with gaps */
      {{2, 50, 3}, 1, {150, 3, 1}, "rows_columns"},   /* narrow, line behind line */
      {{2, 50, 3}, 1, {200, 4, 1}, "rows_columns"},   /* narrow, with gaps */
      {{40, 50, 60}, 0, {6000, 120, 2}, "rows_columns"},
      {{2, 5000, 3}, 1, {60000, 2, 20000}, "rows_gathered"}, /* nearer than their neighbours */
      {{40, 50, 65}, 2, {3250, 65, 1}, "rows_places"},       /* from here on: places of extremes */
      {{40, 50, 3}, 2, {150, 3, 1}, "rows_strips"},          /* less than a vector */
      {{2, 2, 1 << 18}, 2, {1 << 19, 1 << 18, 1}, "rows_contiguous"},
  };
  heddle_context *ctx = open_with(2, 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    heddle_rows rows = HEDDLE_ROWS_INIT;
    heddle_question q = HEDDLE_QUESTION_INIT;
    rows.dims = 3, rows.shape = cases[i].shape, rows.strides = cases[i].strides;
    rows.axis = cases[i].axis;
    q.type = HEDDLE_F32, q.rows = &rows;
    q.verb = i + PLACES < sizeof cases / sizeof *cases ? HEDDLE_REDUCE : HEDDLE_ARGREDUCE;
    assert_string_equal(ask(ctx, &q).strategy, cases[i].strategy);
  }
  heddle_close(ctx);
}

static void names(void **state) {
  (void)state;
  heddle_context *ctx = open_with(2, 0);
  heddle_question q = HEDDLE_QUESTION_INIT;
  q.type = HEDDLE_F32;
  q.count = 1;
  heddle_plan plan = ask(ctx, &q);
  assert_string_equal(plan.strategy, "short_chunk");
  assert_string_equal(plan.kernel, "sum_f32_f32");
  assert_string_equal(plan.file, "cpu/fold/fold_tmpl.h");
  assert_int_equal(plan.processors, 2);
  q.count = 1 << 22;
  plan = ask(ctx, &q);
  assert_string_equal(plan.strategy, "waves");
  assert_int_equal(plan.threads, 2);
  q.verb = HEDDLE_SCAN, q.count = 0;
  plan = ask(ctx, &q);
  assert_string_equal(plan.strategy, "none");
  assert_true(!*plan.kernel && !plan.threads && !plan.blocks);
  heddle_close(ctx);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void refused(heddle_context *ctx, heddle_status expected, const heddle_question *q,
                    const char *word) {
  heddle_plan plan = HEDDLE_PLAN_INIT, before = plan;
  same_status(expected, heddle_explain(ctx, q, &plan), "%s", word);
  same_bytes(&before, &plan, sizeof plan, "a plan after %s", word);
  if (!strstr(heddle_message(), word)) fail_msg("\"%s\" lacks %s", heddle_message(), word);
}

static void arguments(void **state) {
  (void)state;
  heddle_question good = HEDDLE_QUESTION_INIT;
  good.type = HEDDLE_F32, good.count = 100;
  heddle_context *ctx = open_with(1, 0);
  heddle_plan plan = HEDDLE_PLAN_INIT, plan_of_none = plan;
  heddle_bins bins = HEDDLE_BINS_INIT;
  heddle_rows rows = HEDDLE_ROWS_INIT;
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  heddle_question q = good;
  refused(NULL, HEDDLE_BAD_ARGUMENT, &good, "`ctx` is NULL");
  refused(ctx, HEDDLE_BAD_ARGUMENT, NULL, "`question` is NULL");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_explain(ctx, &good, NULL), "no plan");
  plan.size = 0;
  same_status(HEDDLE_BAD_ARGUMENT, heddle_explain(ctx, &good, &plan), "a plan without its size");
  q.size = 3, refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "question->size"), q = good;
  q.verb = (heddle_verb)9, refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "question->verb"), q = good;
  q.op = (heddle_op)99, refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "`op` 99"), q = good;
  q.type = (heddle_type)55, refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "`type` 55"), q = good;
  q.op = HEDDLE_XOR, refused(ctx, HEDDLE_UNSUPPORTED, &q, "xor"), q = good;
  q.count = SIZE_MAX / 2, refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "more than memory"), q = good;
  q.align = 3, refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "power of two"), q = good;
  q.histogram = &options, refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "question->bins"), q = good;
  q.rows = &rows, refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "rows->dims");
  q = good, q.sort = (heddle_sort_verb)7, refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "`verb` 7");
  q.sort = HEDDLE_ARGSORT, refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "a position has 4 or 8");
  q.sort = HEDDLE_SORT_KEYS, q.bins = &bins;
  refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "question->sort"), q = good, q.rows = &rows;
  bins.count = 4, bins.hi = 1;
  q.bins = &bins, refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "no rows"), q.rows = NULL;
  options.channels = 3;
  q.histogram = &options, refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "3 channels");
  bins.count = 0, refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "bins->count");
  q = good, q.call = (heddle_call)77, refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "no heddle_call");
  q.call = HEDDLE_CALL_SELECT, q.value_bytes = 4;
  refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "`where` is NULL");
  q.value_bytes = 3, refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "1, 2, 4, 8 or 16");
  q.call = HEDDLE_CALL_REDUCE_BY_KEY;
  refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "question->key_type"), q.key_type = HEDDLE_F32;
  q.rows = &rows, refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "has no rows"), q.rows = NULL;
  q.call = HEDDLE_CALL_SCATTER_REDUCE;
  refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "question->key_type"), q.key_type = HEDDLE_U32;
  q.width = SIZE_MAX, refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "question->width"), q.width = 0;
  q.op = HEDDLE_OP_CUSTOM, refused(ctx, HEDDLE_UNSUPPORTED, &q, "CUSTOM"), q.op = HEDDLE_SUM;
  q.call = HEDDLE_CALL_HISTOGRAM_ND, q.wanted = 9, q.bins = &bins;
  refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "`dims` is 9"), q.bins = NULL, q.wanted = 0;
  q.call = HEDDLE_CALL_PARTIAL_SORT, refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "4 or 8");
  q.value_bytes = 4, q.wanted = 101, refused(ctx, HEDDLE_BAD_ARGUMENT, &q, "100 elements");
  q.wanted = 0;
  same_status(HEDDLE_OK, heddle_explain(ctx, &q, &plan_of_none), "no element");
  assert_string_equal(plan_of_none.strategy, "none");
  heddle_close(ctx);
}

/* A plan as long as an older header has it, and one that is longer. */
static void sizes(void **state) {
  (void)state;
  heddle_context *ctx = open_with(1, 0);
  heddle_question q = HEDDLE_QUESTION_INIT;
  q.type = HEDDLE_F32, q.count = 100;
  heddle_plan plan;
  memset(&plan, 0x77, sizeof plan);
  plan.size = offsetof(heddle_plan, kernel);
  same_status(HEDDLE_OK, heddle_explain(ctx, &q, &plan), "a short plan");
  assert_string_equal(plan.strategy, "short_chunk");
  assert_int_equal(plan.size, offsetof(heddle_plan, kernel));
  for (size_t i = offsetof(heddle_plan, kernel); i < sizeof plan; i++)
    assert_int_equal(((unsigned char *)&plan)[i], 0x77);
  heddle_close(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(folds_and_scans_run_what_it_says),
      cmocka_unit_test(sorts_run_what_it_says),
      cmocka_unit_test(order_statistics_run_what_it_says),
      cmocka_unit_test(selects_run_what_it_says),
      cmocka_unit_test(groups_run_what_it_says),
      cmocka_unit_test(grids_run_what_it_says),
      cmocka_unit_test(histograms_run_what_it_says),
      cmocka_unit_test(rows_run_what_it_says),
      cmocka_unit_test(strategies_of_rows),
      cmocka_unit_test(names),
      cmocka_unit_test(arguments),
      cmocka_unit_test(sizes),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}

/* test_cuda_explain.c - heddle_explain on a device: what it says is what is launched (white-box)
 *
 * Result   for every verb, class of operators, type and alignment, on both sides of each power of two
 *          up to 2^34 elements and of each change of strategy: kernel, threads, blocks and shared
 *          memory of the first launch, and the kernel of the one behind it
 * Method   The linker puts the recorders below in the place of the library's own entries for finding
 *          memory, finding kernels and launching (--wrap), so that calls go their whole way on
 *          addresses that nothing reads, and no kernel is compiled or run.
 * Limits   The recorder's kernels fit twice a multiprocessor. The file is longer than 400 lines because every call
 *          that a question may be of is made here */
#include "cuda/core/cuda.h"
#include "support.h"

enum { BLOCKS_PER_SM = 2, MOST_LAUNCHES = 64 };

/* ---- recorders ------------------------------------------------------------------------------- */

struct launched {
  const char *kernel;
  unsigned threads, shared_bytes;
  u64 blocks;
};
static struct launched launches[MOST_LAUNCHES];
static unsigned launched;
static const char *found; /* the kernel found last */

heddle_status __wrap_hd_cuda_find_space(struct hd_cuda_call *, const char *, const void *, size_t,
                                        size_t, enum hd_cuda_memory_space *);
heddle_status __wrap_hd_cuda_kernel(struct hd_cuda_call *, const struct hd_cuda_kernel_key *,
                                    const char *, unsigned, unsigned, struct hd_cuda_kernel *);
heddle_status __wrap_hd_cuda_launch(struct hd_cuda_call *, const struct hd_cuda_kernel *, u64,
                                    const void *, size_t);

heddle_status __real_hd_cuda_kernel(struct hd_cuda_call *, const struct hd_cuda_kernel_key *,
                                    const char *, unsigned, unsigned, struct hd_cuda_kernel *);
heddle_status __real_hd_cuda_launch(struct hd_cuda_call *, const struct hd_cuda_kernel *, u64,
                                    const void *, size_t);

heddle_status __wrap_hd_cuda_find_space(struct hd_cuda_call *call, const char *what,
                                        const void *pointer, size_t bytes, size_t element_bytes,
                                        enum hd_cuda_memory_space *space) {
  (void)call, (void)what, (void)pointer, (void)bytes, (void)element_bytes;
  *space = HD_SPACE_DEVICE;
  return HEDDLE_OK;
}

/* What is written and what is looked up is where the caller has it. */
heddle_status __wrap_hd_cuda_output(struct hd_cuda_call *, const char *, void *, size_t, size_t,
                                    cu_pointer *);
heddle_status __wrap_hd_cuda_result(struct hd_cuda_call *, const char *, void *, size_t, size_t,
                                    cu_pointer *);
heddle_status __wrap_hd_cuda_input(struct hd_cuda_call *, const char *, const void *, size_t,
                                   size_t, cu_pointer *);

heddle_status __wrap_hd_cuda_input(struct hd_cuda_call *call, const char *what, const void *from,
                                   size_t bytes, size_t element_bytes, cu_pointer *device) {
  (void)call, (void)what, (void)bytes, (void)element_bytes;
  *device = (cu_pointer)(uintptr_t)from;
  return HEDDLE_OK;
}
heddle_status __wrap_hd_cuda_result(struct hd_cuda_call *call, const char *what, void *to,
                                    size_t bytes, size_t element_bytes, cu_pointer *device) {
  return __wrap_hd_cuda_input(call, what, to, bytes, element_bytes, device);
}
heddle_status __wrap_hd_cuda_output(struct hd_cuda_call *call, const char *what, void *to,
                                    size_t bytes, size_t element_bytes, cu_pointer *device) {
  return __wrap_hd_cuda_input(call, what, to, bytes, element_bytes, device);
}

heddle_status __wrap_hd_cuda_kernel(struct hd_cuda_call *call, const struct hd_cuda_kernel_key *key,
                                    const char *name, unsigned threads, unsigned shared_bytes,
                                    struct hd_cuda_kernel *out) {
  if (call->record) return __real_hd_cuda_kernel(call, key, name, threads, shared_bytes, out);
  found = name;
  *out = (struct hd_cuda_kernel){.threads = threads, .shared_bytes = shared_bytes};
  memcpy(&out->function, &name, sizeof name); /* a kernel is its name */
  out->blocks_per_sm = BLOCKS_PER_SM;
  return HEDDLE_OK;
}

heddle_status __wrap_hd_cuda_launch(struct hd_cuda_call *call, const struct hd_cuda_kernel *kernel,
                                    u64 blocks, const void *args, size_t bytes) {
  struct launched l = {NULL, kernel->threads, kernel->shared_bytes, blocks};
  if (call->record) return __real_hd_cuda_launch(call, kernel, blocks, args, bytes);
  if (!blocks) return HEDDLE_OK; /* as the library's own */
  memcpy(&l.kernel, &kernel->function, sizeof l.kernel);
  if (!strcmp(l.kernel, "heddle_histogram_range")) return HEDDLE_OK; /* a pass before the work */
  if (launched < MOST_LAUNCHES) launches[launched] = l;
  launched++;
  return HEDDLE_OK;
}

/* ---- one question ------------------------------------------------------------------------------ */

static heddle_context *ctx;
static unsigned char custom_identity;
static const heddle_custom custom = {sizeof custom, 1,    &custom_identity,      1, NULL,
                                     NULL,          NULL, "unsigned char: a | b"};
static heddle_options custom_options = HEDDLE_OPTIONS_INIT;

static heddle_status sort(const heddle_question *q, char *x, char *out) {
  char *with = out + ((uintptr_t)1 << 42), *to = with + ((uintptr_t)1 << 42);
  const heddle_type index = q->value_bytes == 4 ? HEDDLE_U32 : HEDDLE_U64;
  if (q->sort == HEDDLE_SORT_KEYS)
    return q->rows ? heddle_sort_rows(ctx, q->type, x, q->rows, out, q->sort_options)
                   : heddle_sort(ctx, q->type, x, q->count, out, q->sort_options);
  if (q->sort == HEDDLE_ARGSORT)
    return heddle_argsort(ctx, q->type, x, q->count, index, out, q->sort_options);
  return heddle_sort_pairs(ctx, q->type, x, q->value_bytes, with, q->count, out, to,
                           q->sort_options);
}

static uint64_t ranks[20000]; /* zeros */

static heddle_status rank_of_rows(const heddle_question *q, char *x, char *out) {
  char *with = out + ((uintptr_t)1 << 42);
  switch (q->call) {
  case HEDDLE_CALL_NTH:
    return heddle_nth_rows(ctx, q->type, x, q->rows, ranks, q->wanted, out, q->sort_options);
  case HEDDLE_CALL_PARTIAL_SORT:
    return heddle_partial_sort_rows(ctx, q->type, x, q->rows, q->wanted, out, HEDDLE_U64,
                                    q->value_bytes ? with : NULL, q->sort_options);
  default:
    return heddle_quantiles_rows(ctx, q->type, x, q->rows, (const double *)(const void *)ranks,
                                 q->wanted, (double *)(void *)out, q->quantile_options);
  }
}

static heddle_status of_groups(const heddle_question *q, char *x, char *out) {
  char *with = out + ((uintptr_t)1 << 42), *to = with + ((uintptr_t)1 << 42);
  uint64_t *found = (uint64_t *)(void *)(to + ((uintptr_t)1 << 42));
  const void *columns[8];
  for (int d = 0; d < 8; d++) columns[d] = x;
  switch (q->call) {
  case HEDDLE_CALL_REDUCE_BY_KEY:
    return heddle_reduce_by_key(ctx, q->op, q->key_type, x, q->type, with, q->count, to, out, found,
                                q->options);
  case HEDDLE_CALL_SCAN_BY_KEY:
    return heddle_scan_by_key(ctx, HEDDLE_INCLUSIVE, q->op, q->key_type, x, q->type, with, q->count,
                              out, q->options);
  case HEDDLE_CALL_SCATTER_REDUCE:
    return heddle_scatter_reduce(ctx, q->op, q->type, with, q->width, q->key_type, x, q->count, out,
                                 q->wanted, q->options);
  case HEDDLE_CALL_HISTOGRAM_ND:
    return heddle_histogram_nd(ctx, q->type, q->wanted, columns, q->count, q->bins, found, NULL,
                               q->histogram_nd_options);
  default: return HEDDLE_BAD_ARGUMENT;
  }
}

static heddle_status by_name(const heddle_question *q, char *x, char *out) {
  char *with = out + ((uintptr_t)1 << 42);
  uint64_t *found = (uint64_t *)(void *)(with + ((uintptr_t)1 << 42));
  heddle_where where = q->where ? *q->where : (heddle_where)HEDDLE_WHERE_INIT;
  where.of = x;
  if (q->rows) return rank_of_rows(q, x, out);
  switch (q->call) {
  case HEDDLE_CALL_NTH:
    return heddle_nth(ctx, q->type, x, q->count, ranks, q->wanted, out, q->sort_options);
  case HEDDLE_CALL_PARTIAL_SORT:
    return heddle_partial_sort(ctx, q->type, x, q->count, q->wanted, out, HEDDLE_U64,
                               q->value_bytes ? with : NULL, q->sort_options);
  case HEDDLE_CALL_QUANTILES:
    return heddle_quantiles(ctx, q->type, x, q->count, (const double *)(const void *)ranks,
                            q->wanted, (double *)(void *)out, q->quantile_options);
  case HEDDLE_CALL_SELECT:
    return heddle_select(ctx, &where, q->value_bytes, with, q->count, out, found);
  case HEDDLE_CALL_PARTITION:
    return heddle_partition(ctx, &where, q->value_bytes, with, q->count, out, found);
  case HEDDLE_CALL_POSITIONS:
    return heddle_positions(ctx, &where, q->count, q->value_bytes == 4 ? HEDDLE_U32 : HEDDLE_U64,
                            out, found);
  default: return of_groups(q, x, out);
  }
}

/* Memory that is nobody's, at odd multiples of q->align. */
static heddle_status call(const heddle_question *q) {
  char *x = (char *)((uintptr_t)1 << 40) + q->align % 16, *out = (char *)((uintptr_t)1 << 44);
  static uint64_t value[64], index, counts[1 << 21];
  heddle_description figures = HEDDLE_DESCRIPTION_INIT;
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  static double sums[1 << 21];
  out += q->align % 16;
  if (q->call) return by_name(q, x, out);
  if (q->sort) return sort(q, x, out);
  if (q->bins) {
    if (!q->histogram)
      return heddle_histogram(ctx, q->type, x, q->count, q->bins, counts, NULL, NULL);
    options = *q->histogram;
    if (options.weights_type) options.weights = x, options.sums = sums, options.weight_exponent = 0;
    return heddle_histogram(ctx, q->type, x, q->count, q->bins, counts, NULL, &options);
  }
  if (q->rows && q->verb == HEDDLE_SCAN)
    return heddle_scan_rows(ctx, q->op, HEDDLE_INCLUSIVE, q->type, x, q->rows, out, q->options);
  if (q->rows) return heddle_reduce_rows(ctx, q->op, q->type, x, q->rows, out, q->options);
  switch (q->verb) {
  case HEDDLE_REDUCE: return heddle_reduce(ctx, q->op, q->type, x, q->count, value, q->options);
  case HEDDLE_ARGREDUCE:
    return heddle_argreduce(ctx, HEDDLE_ARGMAX, q->type, x, q->count, value, &index, NULL);
  case HEDDLE_DOT: return heddle_dot(ctx, q->type, x, x, q->count, value, NULL);
  case HEDDLE_DESCRIBE: return heddle_describe(ctx, q->type, x, q->count, &figures, NULL);
  case HEDDLE_SCAN:
    return heddle_scan(ctx, q->op, HEDDLE_INCLUSIVE, q->type, x, q->count, out, q->options);
  }
  return HEDDLE_BAD_ARGUMENT;
}

static void describe(const heddle_question *q, const heddle_plan *p, char *text, size_t bytes) {
  (void)snprintf(
      text, bytes, "verb %d %s of %zu %s, %s: %s + \"%s\", %u threads, %llu blocks, %llu bytes",
      (int)q->verb, op_name(q->op), q->count, heddle_type_name(q->type), p->strategy, p->kernel,
      p->then, p->threads, (unsigned long long)p->blocks, (unsigned long long)p->shared_bytes);
}

/* Of blocks that only the kernel tells there are some, and no more than fit at once. */
static void compare(const heddle_question *q) {
  heddle_plan plan = HEDDLE_PLAN_INIT;
  char text[400];
  const heddle_status status = heddle_explain(ctx, q, &plan);
  launched = 0;
  const heddle_status called = call(q);
  if (q->call == HEDDLE_CALL_NTH && !q->rows && !q->count) return; /* no array has such a rank */
  if (called != HEDDLE_EMPTY || q->count)
    same_status(status, called, "%s of %zu", op_name(q->op), q->count);
  if (called) return;
  describe(q, &plan, text, sizeof text);
  if (!strcmp(plan.strategy, "none")) {
    const char *last = launched ? launches[0].kernel : "";
    if (launched && strcmp(last, "heddle_histogram_finish") &&
        strcmp(last, "heddle_histogram_exact"))
      fail_msg("%s, but %s was launched", text, last);
    return;
  }
  if (!launched) fail_msg("%s, but nothing was launched", text);
  const struct launched *first = &launches[0];
  const u64 most = (u64)plan.processors * BLOCKS_PER_SM;
  if (strcmp(plan.kernel, first->kernel) || plan.threads != first->threads ||
      plan.shared_bytes != first->shared_bytes || plan.shared_bytes > plan.shared_most ||
      (plan.blocks ? plan.blocks != first->blocks : first->blocks < 1 || first->blocks > most))
    fail_msg("%s, but it was %s, %u, %llu, %u", text, first->kernel, first->threads,
             (unsigned long long)first->blocks, first->shared_bytes);
  if (*plan.then && (launched < 2 || strcmp(plan.then, launches[1].kernel)))
    fail_msg("%s, but %s came behind it", text, launched < 2 ? "nothing" : launches[1].kernel);
  if (q->rows && !*plan.then && launched > 1) fail_msg("%s, but %u launches", text, launched);
}

static int same_strategy(heddle_question q, size_t a, size_t b) {
  heddle_plan of_a = HEDDLE_PLAN_INIT, of_b = of_a;
  q.count = a;
  if (heddle_explain(ctx, &q, &of_a)) return 1;
  q.count = b;
  if (heddle_explain(ctx, &q, &of_b)) return 1;
  return !strcmp(of_a.strategy, of_b.strategy);
}

/* At powers of two and beside them, and on both sides of changes. Returns the changes. */
static size_t compare_counts(heddle_question q, size_t most) {
  size_t changes = 0;
  for (size_t low = 1; low <= most; low *= 2) {
    for (q.count = low - 1; q.count <= low + 1; q.count++) compare(&q);
    size_t from = low, to = 2 * low;
    if (same_strategy(q, from, to)) continue;
    changes++;
    while (to - from > 1) {
      const size_t middle = from + (to - from) / 2;
      if (same_strategy(q, from, middle))
        from = middle;
      else
        to = middle;
    }
    q.count = from, compare(&q);
    q.count = to, compare(&q);
  }
  return changes;
}

/* ---- tests --------------------------------------------------------------------------------------- */

static void folds_and_scans(void **state) {
  (void)state;
  static const heddle_verb verbs[] = {HEDDLE_REDUCE, HEDDLE_ARGREDUCE, HEDDLE_DOT, HEDDLE_DESCRIBE,
                                      HEDDLE_SCAN};
  /* Prepared, since what does not fill a chunk would be copied. */
  same_status(HEDDLE_OK, heddle_prepare_begin(ctx), "preparing");
  size_t changes = 0;
  for (size_t v = 0; v < 5; v++)
    for (size_t t = 0; t < type_count; t++)
      for (size_t o = 0; o < op_count; o++)
        for (size_t align = 1; align <= 16; align *= 2) {
          const heddle_op op = all_ops[o];
          heddle_question q = HEDDLE_QUESTION_INIT;
          q.verb = verbs[v], q.op = op, q.type = all_types[t], q.align = align;
          if (heddle_result_type(q.verb, op, q.type, NULL, NULL, NULL)) continue;
          if (q.verb != HEDDLE_REDUCE && q.verb != HEDDLE_SCAN && op != HEDDLE_SUM) continue;
          if (align < data_size(q.type)) continue;
          changes += compare_counts(q, (size_t)1 << 34);
        }
  same_status(HEDDLE_OK, heddle_prepare_end(ctx, NULL), "preparing");
  assert_true(changes > 200);
}

static void custom_operators(void **state) {
  (void)state;
  heddle_question q = HEDDLE_QUESTION_INIT;
  q.op = HEDDLE_OP_CUSTOM, q.type = HEDDLE_CUSTOM, q.options = &custom_options, q.align = 16;
  (void)compare_counts(q, (size_t)1 << 30);
  q.verb = HEDDLE_SCAN;
  (void)compare_counts(q, (size_t)1 << 24);
}

static void histograms(void **state) {
  (void)state;
  static const heddle_type weights[] = {HEDDLE_F32, HEDDLE_F64, HEDDLE_TYPE_DEFAULT};
  for (size_t t = 0; t < type_count; t++)
    for (size_t w = 0; w < 5; w++)
      for (size_t count = 1; count <= 1 << 20; count *= 8) {
        heddle_question q = HEDDLE_QUESTION_INIT;
        heddle_bins bins = HEDDLE_BINS_INIT;
        heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
        options.weights_type = weights[w % 3];
        options.exact = w > 2 ? 1 : 0;
        bins.count = count, bins.lo = -1, bins.hi = 1;
        q.type = all_types[t], q.bins = &bins, q.histogram = &options, q.align = 16;
        (void)compare_counts(q, (size_t)1 << (lightness() > 1 ? 24 : 30));
      }
}

static void sorts(void **state) {
  (void)state;
  static const size_t bytes[] = {4, 8, 16};
  size_t changes = 0;
  same_status(HEDDLE_OK, heddle_prepare_begin(ctx), "preparing");
  for (size_t t = 0; t < type_count; t++)
    for (size_t b = 0; b < 6; b++) {
      heddle_question q = HEDDLE_QUESTION_INIT;
      q.type = all_types[t], q.align = 16, q.sort = HEDDLE_SORT_KEYS;
      if (b)
        q.sort = b < 3 ? HEDDLE_ARGSORT : HEDDLE_SORT_PAIRS, q.value_bytes = bytes[(b - 1) % 3];
      if (b == 1 || b == 2) q.value_bytes = bytes[b - 1];
      changes += compare_counts(q, (size_t)1 << 22);
    }
  same_status(HEDDLE_OK, heddle_prepare_end(ctx, NULL), "preparing");
  assert_true(changes >= 2 * 6 * type_count);
}

static void sorts_of_rows(void **state) {
  (void)state;
  static const size_t lengths[] = {1, 2, 16, 32, 33, 500, 1024, 1025, 5000};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
    for (size_t axis = 0; axis < 2; axis++) {
      const size_t shape[2][2] = {{lengths[i], 300}, {300, lengths[i]}};
      heddle_rows r = HEDDLE_ROWS_INIT;
      heddle_question q = HEDDLE_QUESTION_INIT;
      heddle_plan plan = HEDDLE_PLAN_INIT;
      r.dims = 2, r.axis = axis, r.shape = shape[axis];
      q.type = HEDDLE_F32, q.align = 16, q.sort = HEDDLE_SORT_KEYS, q.rows = &r;
      same_status(HEDDLE_OK, heddle_explain(ctx, &q, &plan), "rows");
      launched = 0;
      same_status(HEDDLE_OK, call(&q), "rows");
      assert_true(launched >= 1);
      assert_string_equal(plan.kernel, launches[0].kernel);
      assert_int_equal(plan.threads, launches[0].threads);
      if (*plan.then) assert_string_equal(plan.then, launches[1].kernel);
      if (lengths[i] > 1) assert_int_equal(!strcmp(plan.strategy, "strided"), axis == 0);
    }
}

static void rows(void **state) {
  (void)state;
  size_t kinds = 0;
  char seen[16][64];
  for (unsigned length = 0; length <= 30; length++)
    for (unsigned many = 0; many + length <= 30; many++)
      for (int how = 0; how < 6; how++) {
        const size_t shapes[2][2] = {{(size_t)1 << many, (size_t)1 << length},
                                     {(size_t)1 << length, (size_t)1 << many}};
        static const uint64_t offsets[] = {0, 100, 300};
        heddle_rows r = HEDDLE_ROWS_INIT;
        heddle_question q = HEDDLE_QUESTION_INIT;
        heddle_plan plan = HEDDLE_PLAN_INIT;
        const size_t axis = (size_t)(how / 2) % 2;
        if (how >= 4)
          r.offsets = offsets, r.segments = 2;
        else
          r.dims = 2, r.axis = 1 - axis, r.shape = shapes[axis];
        q.verb = how % 2 ? HEDDLE_SCAN : HEDDLE_REDUCE;
        q.type = all_types[(length + many) % 12], q.rows = &r, q.align = 16;
        compare(&q);
        same_status(HEDDLE_OK, heddle_explain(ctx, &q, &plan), "rows");
        size_t k = 0;
        while (k < kinds && strcmp(seen[k], plan.kernel)) k++;
        if (k == kinds) memcpy(seen[kinds++], plan.kernel, sizeof plan.kernel);
      }
  assert_int_equal(kinds, 9); /* every kernel of both tables that begins */
}

static const heddle_call rank_calls[] = {HEDDLE_CALL_NTH, HEDDLE_CALL_PARTIAL_SORT,
                                         HEDDLE_CALL_QUANTILES};
static const heddle_call select_calls[] = {HEDDLE_CALL_SELECT, HEDDLE_CALL_PARTITION,
                                           HEDDLE_CALL_POSITIONS};

static void order_statistics(void **state) {
  (void)state;
  static const size_t wanted[] = {1, 3, 40, 300, 5000};
  heddle_quantile_options weights = HEDDLE_QUANTILE_OPTIONS_INIT;
  weights.method = HEDDLE_QUANTILE_INVERTED_CDF, weights.weights = (char *)((uintptr_t)1 << 43);
  size_t changes = 0;
  same_status(HEDDLE_OK, heddle_prepare_begin(ctx), "preparing");
  for (size_t t = 0; t < type_count; t++)
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++)
      for (size_t c = 0; c < 3; c++) {
        const heddle_call which = rank_calls[c];
        heddle_question q = HEDDLE_QUESTION_INIT;
        q.type = all_types[t], q.call = which, q.wanted = wanted[w], q.align = 16;
        q.value_bytes = w % 2 ? 8 : 0;
        if (w == 3 && which == HEDDLE_CALL_QUANTILES) q.quantile_options = &weights;
        for (int long_rows = 0; long_rows < 2; long_rows++) {
          const size_t shape[2] = {7, long_rows ? 100000 : 5000};
          heddle_rows r = HEDDLE_ROWS_INIT;
          heddle_question of_rows = q;
          r.dims = 2, r.axis = 1, r.shape = shape;
          of_rows.rows = &r;
          compare(&of_rows);
        }
        if ((t + w) % 3 == 0) changes += compare_counts(q, (size_t)1 << 22);
      }
  same_status(HEDDLE_OK, heddle_prepare_end(ctx, NULL), "preparing");
  assert_true(changes > 20);
}

static void selects(void **state) {
  (void)state;
  static const size_t bytes[] = {1, 4, 16, 8};
  same_status(HEDDLE_OK, heddle_prepare_begin(ctx), "preparing");
  for (size_t t = 0; t < type_count; t++)
    for (size_t c = 0; c < 3; c++) {
      const heddle_call which = select_calls[c];
      heddle_question q = HEDDLE_QUESTION_INIT;
      heddle_where where = HEDDLE_WHERE_INIT;
      where.type = all_types[t];
      q.call = which, q.where = &where, q.align = 16;
      q.value_bytes = which == HEDDLE_CALL_POSITIONS ? 4 + 4 * (t % 2) : bytes[t % 4];
      (void)compare_counts(q, (size_t)1 << 22);
    }
  same_status(HEDDLE_OK, heddle_prepare_end(ctx, NULL), "preparing");
}

/* By key, by ids, into a grid. */
static void groups(void **state) {
  (void)state;
  static const heddle_call calls[] = {HEDDLE_CALL_REDUCE_BY_KEY, HEDDLE_CALL_SCAN_BY_KEY,
                                      HEDDLE_CALL_SCATTER_REDUCE};
  static const heddle_op ops[] = {HEDDLE_SUM, HEDDLE_MAX, HEDDLE_PROD};
  heddle_options exact = HEDDLE_OPTIONS_INIT;
  exact.exact = 1;
  same_status(HEDDLE_OK, heddle_prepare_begin(ctx), "preparing");
  for (size_t t = 0; t < type_count; t++)
    for (size_t c = 0; c < 3; c++) {
      heddle_question q = HEDDLE_QUESTION_INIT;
      q.type = all_types[t], q.call = calls[c], q.op = ops[(t + c) % 3], q.align = 16;
      q.key_type = c == 2 ? HEDDLE_I64 : all_types[type_count - 1 - t];
      q.wanted = t % 2 ? 100000 : 7, q.width = t % 3 ? 1 : 20;
      if (q.op == HEDDLE_SUM && ref_is_float(q.type) && c < 2) q.options = &exact;
      if (c == 1) q.options = NULL;
      (void)compare_counts(q, (size_t)1 << 22);
    }
  same_status(HEDDLE_OK, heddle_prepare_end(ctx, NULL), "preparing");
}

/* A handle has data: what is said of it is what scatters launch that read rows by their positions. */
static void handles(void **state) {
  (void)state;
  heddle_plan plan = HEDDLE_PLAN_INIT;
  heddle_question q = HEDDLE_QUESTION_INIT;
  q.type = HEDDLE_F32, q.call = HEDDLE_CALL_GROUPS_REDUCE, q.key_type = HEDDLE_U32;
  q.count = 1 << 20, q.wanted = 1000, q.width = 32;
  same_status(HEDDLE_OK, heddle_explain(ctx, &q, &plan), "rows");
  assert_non_null(strstr(plan.kernel, "heddle_groups_"));
  q.wanted = 0;
  same_status(HEDDLE_OK, heddle_explain(ctx, &q, &plan), "no groups");
  assert_string_equal(plan.strategy, "none");
}

static void grids(void **state) {
  (void)state;
  heddle_bins bins[3] = {HEDDLE_BINS_INIT, HEDDLE_BINS_INIT, HEDDLE_BINS_INIT};
  double *const sums = (double *)((uintptr_t)1 << 45);
  heddle_histogram_nd_options weighed = HEDDLE_HISTOGRAM_ND_OPTIONS_INIT;
  weighed.weights_type = HEDDLE_F32, weighed.sums = sums, weighed.weights = sums + (1 << 28);
  same_status(HEDDLE_OK, heddle_prepare_begin(ctx), "preparing");
  for (size_t t = 0; t < type_count; t++)
    for (size_t each = 8; each < 1000; each *= 10) {
      heddle_question q = HEDDLE_QUESTION_INIT;
      for (int d = 0; d < 3; d++) bins[d].count = each + (size_t)d, bins[d].hi = 1;
      q.type = all_types[t], q.call = HEDDLE_CALL_HISTOGRAM_ND, q.bins = bins, q.align = 16;
      q.wanted = 2 + (t + each) % 2;
      if (q.wanted == 3 && each > 500) q.wanted = 2;
      if (t % 4 == 3) q.histogram_nd_options = &weighed;
      (void)compare_counts(q, (size_t)1 << 20);
      heddle_plan plan = HEDDLE_PLAN_INIT;
      q.count = 1 << 20;
      same_status(HEDDLE_OK, heddle_explain(ctx, &q, &plan), "a grid");
      assert_string_equal(plan.strategy, "points");
    }
  same_status(HEDDLE_OK, heddle_prepare_end(ctx, NULL), "preparing");
}

static void arguments(void **state) {
  (void)state;
  heddle_plan plan = HEDDLE_PLAN_INIT;
  heddle_question q = HEDDLE_QUESTION_INIT;
  q.type = HEDDLE_F64, q.count = 100, q.align = 4;
  same_status(HEDDLE_BAD_ARGUMENT, heddle_explain(ctx, &q, &plan), "align");
  assert_non_null(strstr(heddle_message(), "aligned to 8"));
  q.align = 0;
  same_status(HEDDLE_OK, heddle_explain(ctx, &q, &plan), "align");
  assert_string_equal(plan.file, "kernels/fold/single_block.cu");
  q.verb = HEDDLE_SCAN, q.count = (size_t)1 << 42;
  same_status(HEDDLE_UNSUPPORTED, heddle_explain(ctx, &q, &plan), "too many tiles");
}

static int setup(void **state) {
  (void)state;
  custom_options.custom = &custom;
  return heddle_open("simt", &ctx) != HEDDLE_OK;
}
static int teardown(void **state) {
  (void)state;
  heddle_close(ctx);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(folds_and_scans), cmocka_unit_test(custom_operators),
      cmocka_unit_test(histograms),      cmocka_unit_test(rows),
      cmocka_unit_test(arguments),       cmocka_unit_test(sorts),
      cmocka_unit_test(sorts_of_rows),   cmocka_unit_test(order_statistics),
      cmocka_unit_test(selects),         cmocka_unit_test(groups),
      cmocka_unit_test(handles),         cmocka_unit_test(grids),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}

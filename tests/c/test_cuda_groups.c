/* test_cuda_groups.c - groups on a device: their order, rows gathered, rows folded, against plain loops
 *
 * Method   Ids of every type, in order and not, even and with one long group; groups without rows; rows of one to a
 *          hundred elements, so that threads have one, two and four columns; operators of every kind, each result
 *          with the bits of the reference's fold of the group's rows in order; arrays on the device and of the host.
 * Limits   as many rows as the reference folds in a moment */
#include <stdbool.h>

#include "gpu.h"
#include "sort_reference.h"

static const heddle_type id_types[] = {HEDDLE_I32, HEDDLE_U32, HEDDLE_I64, HEDDLE_U64};

enum spread { EVEN, IN_ORDER, ONE_LONG, SOME_LONG, FEW_OF_MANY, SPREADS };

/* A handle, what it has to hold, and ids as they were given. */
struct made {
  heddle_groups *handle;
  heddle_type id_type;
  char *ids;
  size_t n, groups;
  size_t *order, *offsets; /* plain */
  bool sorted;
};

static uint64_t id_of(enum spread spread, size_t n, size_t groups, size_t i) {
  const uint64_t any = data_word(9, i);
  switch (spread) {
  case IN_ORDER: return i * groups / n;
  case ONE_LONG: return any % 8 ? groups / 2 : any / 8 % groups;
  case SOME_LONG: return any % 2 ? any / 2 % 5 % groups : any / 2 % groups;
  case FEW_OF_MANY: return any % 3 * (groups / 3);
  default: return any % groups;
  }
}

static void plain_order(struct made *m, const uint64_t *id) {
  m->order = allocate((m->n + 1) * sizeof *m->order);
  m->offsets = allocate((m->groups + 2) * sizeof *m->offsets);
  memset(m->offsets, 0, (m->groups + 2) * sizeof *m->offsets);
  m->sorted = true;
  for (size_t i = 0; i < m->n; i++) {
    m->offsets[id[i] + 2]++;
    if (i && id[i] < id[i - 1]) m->sorted = false;
  }
  for (size_t g = 2; g < m->groups + 2; g++) m->offsets[g] += m->offsets[g - 1];
  for (size_t i = 0; i < m->n; i++) m->order[m->offsets[id[i] + 1]++] = i;
}

static void *there_of(const void *from, size_t bytes) {
  void *there = gpu_memory(bytes + 16);
  gpu_up(there, from, bytes);
  return there;
}

static void check_details(const struct made *m) {
  heddle_groups_details d = HEDDLE_GROUPS_DETAILS_INIT;
  assert_int_equal(heddle_groups_info(m->handle, &d), HEDDLE_OK);
  assert_int_equal(d.count, m->n);
  assert_int_equal(d.groups, m->groups);
  uint64_t *offsets = allocate((m->groups + 1) * 8);
  uint32_t *order = allocate(m->n * 4 + 4);
  gpu_down(offsets, (void *)(uintptr_t)d.offsets, (m->groups + 1) * 8);
  for (size_t g = 0; g <= m->groups; g++) assert_int_equal(offsets[g], m->offsets[g]);
  assert_int_equal(d.order == NULL, m->sorted);
  if (d.order) {
    assert_int_equal(d.index_type, HEDDLE_U32);
    gpu_down(order, (void *)(uintptr_t)d.order, m->n * 4);
    for (size_t i = 0; i < m->n; i++) assert_int_equal(order[i], m->order[i]);
  }
  free(offsets);
  free(order);
}

static struct made make(enum spread spread, heddle_type type, size_t n, size_t groups,
                        bool on_device) {
  struct made m = {.n = n, .groups = groups, .id_type = type};
  const size_t size = data_size(type);
  uint64_t *id = allocate(n * 8 + 8);
  char *ids = allocate(n * size + 8);
  for (size_t i = 0; i < n; i++) data_put(type, ids, i, id[i] = id_of(spread, n, groups, i));
  plain_order(&m, id);
  void *given = on_device ? there_of(ids, n * size) : ids;
  same_status(HEDDLE_OK, heddle_groups_make(gpu_ctx, type, given, n, groups, &m.handle),
              "%zu ids of %zu groups, spread %d", n, groups, (int)spread);
  if (on_device) gpu_forget(given);
  check_details(&m);
  free(id);
  m.ids = ids;
  return m;
}

static void unmake(struct made *m) {
  heddle_groups_free(m->handle);
  free(m->ids);
  free(m->order);
  free(m->offsets);
}

/* ---- what is done by a handle ---------------------------------------------------------------- */

struct fold {
  heddle_op op;
  heddle_type type;
  size_t width, shift; /* elements that arrays begin behind a multiple of 16 bytes */
  bool on_device;
  heddle_options options;
};

static void check_gather(const struct made *m, size_t bytes, bool on_device) {
  char *in = allocate(m->n * bytes + 8), *out = allocate(m->n * bytes + 8);
  char *expected = allocate(m->n * bytes + 8);
  for (size_t i = 0; i < m->n * bytes; i++) in[i] = (char)data_word(5, i);
  for (size_t i = 0; i < m->n; i++) memcpy(expected + i * bytes, in + m->order[i] * bytes, bytes);
  memset(out, 0, m->n * bytes);
  void *from = on_device ? there_of(in, m->n * bytes) : in;
  void *to = on_device ? there_of(out, m->n * bytes) : out;
  assert_int_equal(heddle_groups_gather(m->handle, bytes, from, to), HEDDLE_OK);
  assert_int_equal(heddle_sync(gpu_ctx), HEDDLE_OK);
  if (on_device) gpu_down(out, to, m->n * bytes);
  same_bytes(expected, out, m->n * bytes, "%zu rows of %zu bytes, gathered", m->n, bytes);
  if (on_device) gpu_forget(from), gpu_forget(to);
  free(in);
  free(out);
  free(expected);
}

/* An exact sum has the CPU's bits, which test_exact.c holds to the reference; a mean those of the device's rows. */
static void plain_fold(const struct made *m, const struct fold *f, const char *in, char *out) {
  const size_t size = data_size(f->type), out_size = data_size(f->options.out_type);
  char *column = allocate(m->n * size + 8), *result = allocate(16);
  for (size_t g = 0; g < m->groups; g++)
    for (size_t c = 0; c < f->width; c++) {
      const size_t begin = m->offsets[g], rows = m->offsets[g + 1] - begin;
      for (size_t i = 0; i < rows; i++)
        memcpy(column + i * size, in + (m->order[begin + i] * f->width + c) * size, size);
      const uint64_t one_row[2] = {0, rows};
      heddle_rows segment = HEDDLE_ROWS_INIT;
      segment.offsets = one_row, segment.segments = 1;
      assert_int_equal(heddle_reduce_rows(f->options.divisor != 0 ? gpu_ctx : gpu_cpu, f->op,
                                          f->type, column, &segment, result, &f->options),
                       HEDDLE_OK);
      if (rows && !f->options.exact && f->options.divisor == 0)
        assert_int_equal(ref_reduce(f->op, f->type, column, rows, result, &f->options), HEDDLE_OK);
      memcpy(out + (g * f->width + c) * out_size, result, out_size);
    }
  free(column);
  free(result);
}

/* By the handle, or by ids that are used once. */
static void run_fold(const struct made *m, const struct fold *f, char *in, const char *expected,
                     char *out, bool scattered) {
  const size_t size = data_size(f->type), out_size = data_size(f->options.out_type);
  const size_t in_bytes = m->n * f->width * size, out_bytes = m->groups * f->width * out_size;
  const size_t first = f->on_device ? f->shift : 0;
  char *from = in, *to = out, *ids = m->ids;
  memset(out, 0x5a, out_bytes + 16);
  if (f->on_device) {
    from = gpu_memory(in_bytes + 64), to = gpu_memory(out_bytes + 64);
    ids = there_of(m->ids, m->n * data_size(m->id_type));
    gpu_up(from + f->shift * size, in, in_bytes);
    gpu_up(to + f->shift * out_size, out, out_bytes + 16);
  }
  from += first * size, to += first * out_size;
  same_status(
      HEDDLE_OK,
      scattered ? heddle_scatter_reduce(gpu_ctx, f->op, f->type, from, f->width, m->id_type, ids,
                                        m->n, to, m->groups, &f->options)
                : heddle_groups_reduce(m->handle, f->op, f->type, from, f->width, to, &f->options),
      "%s of %s", op_name(f->op), heddle_type_name(f->type));
  assert_int_equal(heddle_sync(gpu_ctx), HEDDLE_OK);
  if (f->on_device) {
    gpu_down(out, to, out_bytes + 16);
    gpu_forget(from - first * size), gpu_forget(to - first * out_size), gpu_forget(ids);
  }
  same_bytes(expected, out, out_bytes + 16,
             "%s of %s to %s, %zu rows of %zu in %zu groups, shift %zu, on the device %d, in order "
             "%d, by ids %d",
             op_name(f->op), heddle_type_name(f->type), heddle_type_name(f->options.out_type), m->n,
             f->width, m->groups, f->shift, f->on_device, m->sorted, scattered);
}

static void check_fold(const struct made *m, const struct fold *f) {
  const size_t out_size = data_size(f->options.out_type),
               out_bytes = m->groups * f->width * out_size;
  char *in = data_new(DATA_HOLES, f->type, f->width, m->n * f->width + 1);
  char *expected = allocate(out_bytes + 16), *out = allocate(out_bytes + 16);
  memset(expected, 0x5a, out_bytes + 16);
  plain_fold(m, f, in, expected);
  run_fold(m, f, in, expected, out, false);
  run_fold(m, f, in, expected, out, true);
  free(in);
  free(expected);
  free(out);
}

static heddle_options options_of(heddle_op op, heddle_type type, size_t turn) {
  heddle_options o = HEDDLE_OPTIONS_INIT;
  o.nan = nan_policies[turn % 2];
  if (ref_is_float(type) && turn / 2 % 3 == 2) o.acc_type = HEDDLE_F64;
  o.out_type = ref_out_type(op, type, &o);
  return o;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void orders(void **state) {
  (void)state;
  static const size_t counts[] = {0, 1, 2, 255, 300, 1025, 5000}, groups[] = {1, 2, 7, 300, 5000};
  if (!gpu_device()) skip();
  size_t turn = 0;
  for (size_t k = 0; k < COUNT(counts); k++)
    for (size_t g = 0; g < COUNT(groups); g++)
      for (int spread = 0; spread < SPREADS; spread++, turn++) {
        if (turn * 7 % 3 == 1 && gpu_is_software()) continue;
        struct made m =
            make((enum spread)spread, id_types[turn % 4], counts[k], groups[g], turn / 4 % 3 != 1);
        if (turn % 5 == 0) check_gather(&m, 1 + turn % 40, turn % 2);
        unmake(&m);
      }
}

static void ids_beyond(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  for (size_t t = 0; t < COUNT(id_types); t++)
    for (int k = 0; k < 4; k++) {
      const heddle_type type = id_types[t];
      const size_t n = 2000, size = data_size(type), at = (size_t)k * 613;
      char ids[16000], number[32];
      heddle_groups *handle = NULL;
      for (size_t i = 0; i < n; i++) data_put(type, ids, i, data_word(2, i) % 50);
      data_put(type, ids, at, k % 2 ? 50 : UINT64_MAX);
      data_put(type, ids, n - 1, 51); /* the first one is named */
      void *given = k < 2 ? there_of(ids, n * size) : ids;
      same_status(HEDDLE_BAD_DATA, heddle_groups_make(gpu_ctx, type, given, n, 50, &handle),
                  "an id beyond");
      assert_null(handle);
      snprintf(number, sizeof number, "ids[%zu]", at);
      assert_non_null(strstr(heddle_message(), number));
      if (k < 2) gpu_forget(given);
    }
}

static const size_t widths[] = {1, 2, 3, 4, 8, 16, 30, 100, 520};

/* Every operator and type on short groups; sums and some more on long ones. */
static void folds_of(enum spread spread, size_t n, size_t groups, size_t every, size_t turn) {
  struct made m = make(spread, id_types[turn % 4], n, groups, true);
  for (size_t p = 0; p < op_count; p++)
    for (size_t t = 0; t < type_count; t++, turn++) {
      const heddle_op op = all_ops[p];
      const heddle_type type = all_types[t];
      const bool sum = op == HEDDLE_SUM && (type == HEDDLE_F32 || type == HEDDLE_F64);
      if (!ref_reduces(op, type) || (!sum && turn % every)) continue;
      const size_t width = widths[(turn / every + p) % COUNT(widths)];
      if (n * width > 90000 && gpu_is_software()) continue;
      struct fold f = {.op = op,
                       .type = type,
                       .width = width,
                       .shift = turn / every % 4 == 3,
                       .on_device = turn / every % 5 != 2,
                       .options = options_of(op, type, turn)};
      check_fold(&m, &f);
    }
  unmake(&m);
}

static void folds(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  const size_t every = gpu_is_software() ? 17 : 3;
  folds_of(EVEN, 700, 100, every, 0);
  folds_of(IN_ORDER, 900, 40, every, 1);
  folds_of(FEW_OF_MANY, 500, 900, 2 * every, 2);
}

static void long_groups(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  const size_t every = gpu_is_software() ? 31 : 5;
  folds_of(ONE_LONG, 5000, 3, every, 3);
  folds_of(SOME_LONG, 3000, 40, every, 4);
  folds_of(IN_ORDER, 9000, 2, 2 * every, 5);
  if (!gpu_is_software()) folds_of(SOME_LONG, 300000, 7, 40, 6);
}

/* Sums of f32 and f64 of every width, whole pieces of several chunks among them. */
static void sums(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  struct made m = make(ONE_LONG, HEDDLE_I32, 4500, 11, true);
  for (size_t w = 0; w < COUNT(widths); w++)
    for (size_t k = 0; k < 2; k++) {
      const heddle_type type = k ? HEDDLE_F64 : HEDDLE_F32;
      if (gpu_is_software() && widths[w] > 30) continue;
      struct fold f = {.op = HEDDLE_SUM, .type = type, .width = widths[w], .on_device = true};
      f.options = options_of(f.op, type, w);
      f.options.acc_type = HEDDLE_TYPE_DEFAULT;
      f.options.out_type = type;
      check_fold(&m, &f);
      const float init = 2.5f;
      const double wide = -3.25;
      f.options.init = k ? (const void *)&wide : &init;
      f.options.divisor = w % 2 ? 3 : 0;
      if (w % 2) f.options.init = NULL;
      f.shift = 1;
      check_fold(&m, &f);
    }
  unmake(&m);
}

static void exact_sums(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  for (int spread = 0; spread < SPREADS; spread += gpu_is_software() ? 2 : 1) {
    struct made m = make((enum spread)spread, HEDDLE_I64, 1500, 9, true);
    for (size_t w = 0; w < 3; w++) {
      static const size_t some[] = {1, 3, 18};
      const heddle_type type = float_types[(w + (size_t)spread) % float_type_count];
      struct fold f = {.op = w % 2 ? HEDDLE_SUM_SQUARES : HEDDLE_SUM,
                       .type = type,
                       .width = some[w],
                       .on_device = w != 1};
      f.options = options_of(f.op, type, 1);
      f.options.exact = 1;
      f.options.out_type = type;
      check_fold(&m, &f);
    }
    unmake(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(orders), cmocka_unit_test(ids_beyond),
                                     cmocka_unit_test(folds),  cmocka_unit_test(long_groups),
                                     cmocka_unit_test(sums),   cmocka_unit_test(exact_sums)};
  return cmocka_run_group_tests(tests, gpu_setup, gpu_teardown);
}

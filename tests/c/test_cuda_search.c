/* test_cuda_search.c - search in sorted arrays, gather and unique on a device, against plain loops
 *
 * Method   Every type and distribution; tables from empty to larger than a tree; lengths around tiles; arrays on the
 *          device, begun between vectors, and of the host; every size of rows and of positions, with some that
 *          the array does not have; every set of outputs of unique. What lies behind an output is left alone.
 * Limits   numbers of elements that a plain search takes a moment for */
#include <math.h>
#include <stdbool.h>

#include "gpu.h"
#include "sort_reference.h"

enum { BESIDE = 64, ARRAYS = 6 };

static size_t most; /* elements */
static char *there[ARRAYS], *here[ARRAYS], *wanted[ARRAYS];

static int setup(void **state) {
  if (gpu_setup(state)) return 1;
  if (!gpu_device()) return 0;
  most = gpu_is_software() ? 10000 : 300000;
  for (size_t i = 0; i < ARRAYS; i++) {
    there[i] = gpu_memory(most * 8 + 2 * BESIDE);
    here[i] = allocate(most * 8 + 2 * BESIDE);
    wanted[i] = allocate(most * 8 + 2 * BESIDE);
  }
  return 0;
}

static int teardown(void **state) {
  for (size_t i = 0; gpu_device() && i < ARRAYS; i++) {
    gpu_forget(there[i]);
    free(here[i]);
    free(wanted[i]);
  }
  return gpu_teardown(state);
}

/* An input at `to` as a call gets it: of the host, or on the device `shift` bytes in. */
static const void *give(size_t i, const void *from, size_t bytes, size_t shift, bool on_device) {
  memcpy(here[i] + shift, from, bytes);
  if (!on_device) return here[i] + shift;
  gpu_up(there[i] + shift, from, bytes);
  return there[i] + shift;
}
/* An output, whose bytes are 0x5a. */
static void *take(size_t i, size_t shift, bool on_device) {
  memset(here[i], 0x5a, most * 8 + 2 * BESIDE);
  memset(wanted[i], 0x5a, most * 8 + 2 * BESIDE);
  if (on_device) gpu_fill(there[i], 0x5a, most * 8 + 2 * BESIDE);
  return (on_device ? there[i] : here[i]) + shift;
}
/* What is there afterwards, of which `bytes` are looked at, and some beside. */
static const char *see(size_t i, size_t bytes, bool on_device) {
  if (on_device) gpu_down(here[i], there[i], bytes + BESIDE);
  return here[i];
}

/* -1, 0, 1 in the order of heddle_argsort. */
static int compare(heddle_type type, const void *x, size_t i, const void *y, size_t j) {
  const ref_value a = ref_load(type, x, i), b = ref_load(type, y, j);
  if (ref_is_float(type)) {
    if (isnan(a.f) || isnan(b.f)) return (isnan(a.f) != 0) - (isnan(b.f) != 0);
    return (a.f > b.f) - (a.f < b.f);
  }
  if (ref_is_signed(type)) return ((int64_t)a.u > (int64_t)b.u) - ((int64_t)a.u < (int64_t)b.u);
  return (a.u > b.u) - (a.u < b.u);
}

static void sorted_data(enum sort_kind kind, heddle_type type, uint64_t seed, size_t n, char *out) {
  const size_t size = data_size(type);
  char *any = allocate(n * size + 1);
  size_t *index = allocate((n + 1) * sizeof *index);
  sort_fill(kind, type, seed, n, any);
  ref_sort(type, any, n, NULL, 0, index);
  for (size_t i = 0; i < n; i++) memcpy(out + i * size, any + index[i] * size, size);
  free(any);
  free(index);
}

/* ---- search ---------------------------------------------------------------------------------- */

struct search {
  heddle_type type, index_type;
  enum sort_kind kind;
  size_t table, n, shift;
  heddle_side side;
  bool table_there, values_there;
};

static uint64_t plain_search(const struct search *s, const void *table, const void *values,
                             size_t i) {
  size_t low = 0, high = s->table;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    const int order = compare(s->type, table, middle, values, i);
    if (order < 0 || (order == 0 && s->side == HEDDLE_RIGHT))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void check_search(const struct search *s) {
  const size_t size = data_size(s->type), each = data_size(s->index_type);
  char *table = allocate(s->table * size + 8), *values = allocate(s->n * size + 8);
  sorted_data(s->kind, s->type, s->table + 5, s->table, table);
  sort_fill(s->kind, s->type, s->n, s->n, values);
  for (size_t i = 0; i < s->n && s->table; i += 3) /* values of the table, too */
    memcpy(values + i * size, table + data_word(1, i) % s->table * size, size);
  const void *in_table = give(0, table, s->table * size, 0, s->table_there);
  const void *in_values = give(1, values, s->n * size, s->shift * size, s->values_there);
  void *index = take(2, s->shift * each, s->values_there);
  same_status(HEDDLE_OK,
              heddle_search_sorted(gpu_ctx, s->type, in_table, s->table, in_values, s->n, s->side,
                                   s->index_type, index),
              "search of %zu in %zu", s->n, s->table);
  assert_int_equal(heddle_sync(gpu_ctx), HEDDLE_OK);
  for (size_t i = 0; i < s->n; i++)
    data_put(s->index_type, wanted[2] + s->shift * each, i, plain_search(s, table, values, i));
  same_bytes(wanted[2], see(2, (s->n + s->shift) * each, s->values_there),
             (s->n + s->shift) * each + BESIDE,
             "%zu %s %s in a table of %zu, side %d, positions %s, shift %zu, on the device %d %d",
             s->n, sort_name(s->kind), heddle_type_name(s->type), s->table, (int)s->side,
             heddle_type_name(s->index_type), s->shift, s->table_there, s->values_there);
  free(table);
  free(values);
}

static void searches(void **state) {
  (void)state;
  static const size_t tables[] = {0,  1,  2,   3,   4,    7,    8,    15,
                                  63, 64, 100, 257, 1023, 1024, 1025, 4097};
  static const size_t lengths[] = {1, 2, 100, 511, 512, 513, 1024, 2000};
  if (!gpu_device()) skip();
  size_t turn = 0;
  for (size_t t = 0; t < type_count; t++)
    for (size_t k = 0; k < COUNT(tables); k++, turn++) {
      if (gpu_is_software() && (turn * 7 + t) % 3) continue;
      const struct search s = {.type = all_types[t],
                               .index_type = turn % 5 ? HEDDLE_U32 : HEDDLE_U64,
                               .kind = (enum sort_kind)(turn * 5 % SORT_KINDS),
                               .table = tables[k],
                               .n = lengths[turn % COUNT(lengths)],
                               .shift = turn / 2 % 3,
                               .side = turn % 2 ? HEDDLE_LEFT : HEDDLE_RIGHT,
                               .table_there = turn % 7 != 3,
                               .values_there = turn % 6 != 2};
      check_search(&s);
    }
  const struct search large = {.type = HEDDLE_F32,
                               .index_type = HEDDLE_U32,
                               .kind = SORT_ANY,
                               .table = most / 2,
                               .n = most,
                               .table_there = true,
                               .values_there = true};
  check_search(&large);
}

/* ---- gather ---------------------------------------------------------------------------------- */

struct gather {
  size_t bytes, in_count, n, shift;
  heddle_type index_type;
  bool in_there, rows_there;
  uint64_t bad; /* a position, at element n / 2; or 0 */
};

static void check_gather(const struct gather *g) {
  const size_t each = data_size(g->index_type);
  char *in = allocate(g->in_count * g->bytes + 8), *index = allocate(g->n * each + 8);
  for (size_t i = 0; i < g->in_count * g->bytes; i++) in[i] = (char)data_word(3, i);
  for (size_t i = 0; i < g->n; i++)
    data_put(g->index_type, index, i, data_word(4, i) % g->in_count);
  if (g->bad) data_put(g->index_type, index, g->n / 2, g->bad);
  const void *from = give(0, in, g->in_count * g->bytes, g->shift, g->in_there);
  const void *by = give(1, index, g->n * each, 0, g->rows_there);
  void *out = take(2, g->shift, g->rows_there);
  heddle_status status =
      heddle_gather(gpu_ctx, g->bytes, from, g->in_count, g->index_type, by, g->n, out);
  if (!status) status = heddle_sync(gpu_ctx);
  same_status(g->bad ? HEDDLE_BAD_DATA : HEDDLE_OK, status, "gather of %zu rows of %zu bytes", g->n,
              g->bytes);
  if (g->bad) {
    char number[32];
    snprintf(number, sizeof number, "[%zu]", g->n / 2);
    assert_non_null(strstr(heddle_message(), number));
  } else {
    for (size_t i = 0; i < g->n; i++)
      memcpy(wanted[2] + g->shift + i * g->bytes,
             in + (size_t)data_bits(g->index_type, index, i) * g->bytes, g->bytes);
    same_bytes(wanted[2], see(2, g->n * g->bytes + g->shift, g->rows_there),
               g->n * g->bytes + g->shift + BESIDE, "gather of %zu rows of %zu bytes, shift %zu",
               g->n, g->bytes, g->shift);
  }
  free(in);
  free(index);
}

static const heddle_type id_types[] = {HEDDLE_I32, HEDDLE_U32, HEDDLE_I64, HEDDLE_U64};

static void gathers(void **state) {
  (void)state;
  static const size_t bytes[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 48, 100, 512, 528, 1000, 17000};
  if (!gpu_device()) skip();
  size_t turn = 0;
  for (size_t b = 0; b < COUNT(bytes); b++)
    for (size_t t = 0; t < COUNT(id_types); t++, turn++) {
      if (gpu_is_software() && turn % 2) continue;
      const size_t room = most * 8 / bytes[b], n = room < 1100 ? room : 1 + turn * 37 % 1100;
      const struct gather g = {.bytes = bytes[b],
                               .in_count = room < 500 ? room : 500,
                               .n = n,
                               .shift = turn / 3 % 3 * 4 % bytes[b],
                               .index_type = id_types[t],
                               .in_there = turn % 5 != 3,
                               .rows_there = turn % 7 != 2};
      check_gather(&g);
    }
}

static void positions_beyond(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const uint64_t bad[] = {50, 0x7fffffff, 0xffffffff, UINT64_MAX};
  for (size_t t = 0; t < COUNT(id_types); t++)
    for (size_t k = 0; k < COUNT(bad); k++) {
      const struct gather g = {.bytes = 8,
                               .in_count = 50,
                               .n = 300,
                               .index_type = id_types[t],
                               .in_there = true,
                               .rows_there = (t + k) % 2 == 0,
                               .bad = bad[k]};
      check_gather(&g);
    }
}

/* ---- unique ---------------------------------------------------------------------------------- */

struct unique {
  heddle_type type, index_type;
  enum sort_kind kind;
  size_t n, shift;
  bool counts, first, inverse, on_device, found_there;
};

static uint64_t plain_unique(const struct unique *u, const char *in) {
  const size_t size = data_size(u->type);
  size_t *index = allocate(u->n * sizeof *index);
  uint64_t found = 0, *counts = (uint64_t *)(void *)wanted[2],
           *first = (uint64_t *)(void *)wanted[3];
  ref_sort(u->type, in, u->n, NULL, 0, index);
  for (size_t i = 0; i < u->n; i++) {
    if (!i || compare(u->type, in, index[i - 1], in, index[i])) {
      memcpy(wanted[1] + u->shift * size + found * size, in + index[i] * size, size);
      counts[found] = 0;
      first[found++] = index[i];
    }
    counts[found - 1]++;
    if (u->inverse) data_put(u->index_type, wanted[4], index[i], found - 1);
  }
  free(index);
  return found;
}

static void check_unique(const struct unique *u) {
  const size_t size = data_size(u->type), each = data_size(u->index_type);
  char *in = allocate(u->n * size + 8);
  uint64_t found = 77, *to_found = &found;
  sort_fill(u->kind, u->type, u->n + 1, u->n, in);
  const void *from = give(0, in, u->n * size, u->shift * size, u->on_device);
  void *values = take(1, u->shift * size, u->on_device), *counts = take(2, 0, u->on_device);
  void *first = take(3, 0, u->on_device), *inverse = take(4, 0, u->on_device);
  if (u->found_there) to_found = take(5, 0, true);
  same_status(HEDDLE_OK,
              heddle_unique(gpu_ctx, u->type, from, u->n, values, u->counts ? counts : NULL,
                            u->first ? first : NULL, u->index_type, u->inverse ? inverse : NULL,
                            to_found),
              "unique of %zu", u->n);
  assert_int_equal(heddle_sync(gpu_ctx), HEDDLE_OK);
  if (u->found_there) gpu_down(&found, to_found, sizeof found);
  const uint64_t expected = plain_unique(u, in);
#define OF "%s of %zu %s %s, %d %d %d, on the device %d %d"
#define IT(what)                                                                              \
  what, u->n, sort_name(u->kind), heddle_type_name(u->type), u->counts, u->first, u->inverse, \
      u->on_device, u->found_there
  same_bytes(&expected, &found, sizeof found, OF, IT("found"));
  const size_t behind = BESIDE, words = (size_t)found * 8 + behind;
  same_bytes(wanted[1], see(1, ((size_t)found + u->shift) * size, u->on_device),
             ((size_t)found + u->shift) * size + behind, OF, IT("values"));
  if (u->counts) same_bytes(wanted[2], see(2, words, u->on_device), words, OF, IT("counts"));
  if (u->first) same_bytes(wanted[3], see(3, words, u->on_device), words, OF, IT("first"));
  if (u->inverse)
    same_bytes(wanted[4], see(4, u->n * each, u->on_device), u->n * each + behind, OF,
               IT("inverse"));
  free(in);
}

static void uniques(void **state) {
  (void)state;
  static const size_t lengths[] = {1, 2, 33, 255, 300, 1025, 3000, 4096, 4097, 9000};
  if (!gpu_device()) skip();
  size_t turn = 0;
  for (size_t t = 0; t < type_count; t++)
    for (int kind = 0; kind < SORT_KINDS; kind++, turn++) {
      if (gpu_is_software() && (turn * 5 + t) % 3) continue;
      const struct unique u = {.type = all_types[t],
                               .index_type = turn % 3 ? HEDDLE_U32 : HEDDLE_U64,
                               .kind = (enum sort_kind)kind,
                               .n = lengths[turn * 3 % COUNT(lengths)],
                               .shift = turn % 2,
                               .counts = turn % 3 != 1,
                               .first = turn / 2 % 2,
                               .inverse = turn / 3 % 2,
                               .on_device = turn % 5 != 2,
                               .found_there = turn % 4 == 1};
      check_unique(&u);
    }
}

/* Unique, its values searched in all elements, and those gathered: found anew by each replay, and nothing waits. */
static void three_calls(heddle_context *ctx, size_t n) {
  uint64_t *counts = (uint64_t *)(void *)there[2], *found = (uint64_t *)(void *)there[5];
  same_status(HEDDLE_OK,
              heddle_unique(ctx, HEDDLE_F32, there[0], n, there[1], counts, NULL, HEDDLE_U32,
                            there[3], found),
              "captured unique");
  same_status(HEDDLE_OK, heddle_gather(ctx, 4, there[1], n, HEDDLE_U32, there[3], n, there[4]),
              "captured gather");
  same_status(HEDDLE_OK,
              heddle_search_sorted(ctx, HEDDLE_F32, there[4], n, there[0], n, HEDDLE_LEFT,
                                   HEDDLE_U32, there[3]),
              "captured search");
}

static void captured(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  const size_t n = 3000;
  gpu_handle stream, graph, ready;
  heddle_context *ctx = NULL;
  assert_int_equal(heddle_open(gpu_device(), &ctx), HEDDLE_OK);
  gpu_must(gpu.stream_create(&stream, GPU_NON_BLOCKING), "stream");
  assert_int_equal(heddle_set_stream(ctx, stream), HEDDLE_OK);
  sort_fill(SORT_FEW, HEDDLE_F32, 1, n, here[0]);
  gpu_up(there[0], here[0], n * 4);
  three_calls(ctx, n);
  assert_int_equal(heddle_sync(ctx), HEDDLE_OK);
  gpu_must(gpu.capture_begin(stream, GPU_CAPTURE_RELAXED), "capture");
  three_calls(ctx, n);
  gpu_must(gpu.capture_end(stream, &graph), "capture");
  gpu_must(gpu.graph_ready(&ready, graph, 0), "graph");
  for (size_t k = 0; k < 3; k++) { /* rising, so that what is gathered is a table */
    sorted_data(k ? SORT_FEW : SORT_ANY, HEDDLE_F32, k, n, here[0]);
    gpu_up(there[0], here[0], n * 4);
    gpu_must(gpu.sync(), "uploaded"); /* the stream waits for no other */
    gpu_must(gpu.graph_launch(ready, stream), "launch");
    gpu_must(gpu.stream_sync(stream), "wait");
    gpu_down(here[4], there[4], n * 4);
    gpu_down(here[3], there[3], n * 4);
    for (size_t i = 0; i < n; i++) {
      size_t first = i;
      while (first && !compare(HEDDLE_F32, here[0], first - 1, here[0], i)) first--;
      assert_int_equal(data_bits(HEDDLE_U32, here[3], i), first);
      memcpy(wanted[4] + i * 4, here[0] + first * 4, 4);
    }
    same_array(HEDDLE_F32, wanted[4], here[4], n, "replay %zu", k);
  }
  gpu_must(gpu.graph_forget(ready), "graph");
  gpu_must(gpu.graph_destroy(graph), "graph");
  heddle_close(ctx);
  gpu_must(gpu.stream_destroy(stream), "stream");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(searches), cmocka_unit_test(gathers),
                                     cmocka_unit_test(positions_beyond), cmocka_unit_test(uniques),
                                     cmocka_unit_test(captured)};
  return cmocka_run_group_tests(tests, setup, teardown);
}

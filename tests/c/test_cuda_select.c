/* test_cuda_select.c - select, partition, positions and runs on a device, against plain loops
 *
 * Method   Lengths around the tiles of src/cuda/select/choose.c, and around what one launch takes; every type,
 *          comparison and size of elements; arrays of the device, of the host and of both, between
 *          vectors, in place; counts of the host and of the device; a captured graph. What lies behind the result
 *          is left alone.
 * Limits   numbers of elements that the device's memory holds; longer than 400 lines because selects and runs
 *          share their arrays and how these lie */
#include <stdbool.h>

#include "gpu.h"
#include "reference.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const heddle_comparison comparisons[] = {
    HEDDLE_NONZERO,    HEDDLE_EQUAL,   HEDDLE_NOT_EQUAL,    HEDDLE_LESS,
    HEDDLE_LESS_EQUAL, HEDDLE_GREATER, HEDDLE_GREATER_EQUAL};

enum lie { ON_DEVICE, IN_PLACE, ON_HOST, OF_ON_HOST, OUT_ON_HOST, HOST_IN_PLACE, LIES };
static const char *const lies[] = {"device",           "in place",          "host",
                                   "`of` on the host", "`out` on the host", "host, in place"};
enum { BESIDE = 64 };

static size_t most;                                         /* elements */
static char *of_there, *in_there, *out_there, *place_there; /* on the device */
static char *of, *in, *wanted, *wanted_places, *got, *places, *work;
static uint64_t *count_there;

static int setup(void **state) {
  if (gpu_setup(state)) return 1;
  if (!gpu_device()) return 0;
  most = gpu_is_software() ? 40000 : 3000000;
  char **there[] = {&of_there, &in_there, &out_there, &place_there};
  char **here[] = {&of, &in, &wanted, &wanted_places, &got, &places, &work};
  for (size_t i = 0; i < COUNT(there); i++) *there[i] = gpu_memory(most * 16 + 4 * BESIDE);
  for (size_t i = 0; i < COUNT(here); i++) *here[i] = allocate(most * 16 + 4 * BESIDE);
  count_there = gpu_memory(64);
  return 0;
}

static int teardown(void **state) {
  char *there[] = {of_there, in_there, out_there, place_there, (char *)count_there};
  char *here[] = {of, in, wanted, wanted_places, got, places, work};
  for (size_t i = 0; i < COUNT(there) && gpu_device(); i++) gpu_forget(there[i]);
  for (size_t i = 0; i < COUNT(here); i++) free(here[i]);
  return gpu_teardown(state);
}

/* ---- the oracle ---------------------------------------------------------------------------- */

static bool is_nan(heddle_type type, ref_value x) { return ref_is_float(type) && x.f != x.f; }

static int compare(heddle_type type, ref_value a, ref_value b) {
  if (ref_is_float(type)) return (a.f > b.f) - (a.f < b.f);
  if (ref_is_signed(type)) return ((int64_t)a.u > (int64_t)b.u) - ((int64_t)a.u < (int64_t)b.u);
  return (a.u > b.u) - (a.u < b.u);
}

static bool is_selected(heddle_comparison comparison, heddle_type type, ref_value x, ref_value y) {
  const bool unordered = is_nan(type, x) || is_nan(type, y);
  const ref_value zero = {0, 0};
  switch (comparison) {
  case HEDDLE_NONZERO: return is_nan(type, x) || compare(type, x, zero) != 0;
  case HEDDLE_EQUAL: return !unordered && compare(type, x, y) == 0;
  case HEDDLE_NOT_EQUAL: return unordered || compare(type, x, y) != 0;
  case HEDDLE_LESS: return !unordered && compare(type, x, y) < 0;
  case HEDDLE_LESS_EQUAL: return !unordered && compare(type, x, y) <= 0;
  case HEDDLE_GREATER: return !unordered && compare(type, x, y) > 0;
  default: return !unordered && compare(type, x, y) >= 0;
  }
}

static bool are_equal(heddle_type type, ref_value a, ref_value b) {
  return (is_nan(type, a) && is_nan(type, b)) || is_selected(HEDDLE_EQUAL, type, a, b);
}

static void put_position(char *to, size_t i, uint64_t position, size_t bytes) {
  const uint32_t narrow = (uint32_t)position;
  memcpy(to + i * bytes, bytes == 8 ? (const void *)&position : (const void *)&narrow, bytes);
}

/* ---- calls --------------------------------------------------------------------------------- */

struct job {
  heddle_type type;
  heddle_comparison comparison;
  enum data_kind kind;
  enum lie lie;
  size_t n, bytes, shift; /* shift: elements before the arrays' own */
  bool rest, same, count_on_device;
};

#define WHERE "%s, %zu of %zu bytes, comparison %d of %s %s, shift %zu, rest %d, same %d"
#define IT(j)                                                                     \
  lies[(j)->lie], (j)->n, (j)->bytes, (int)(j)->comparison, data_name((j)->kind), \
      heddle_type_name((j)->type), (j)->shift, (j)->rest, (j)->same

/* The call's count, wherever it went. */
static uint64_t count_of(bool on_device, uint64_t here) {
  uint64_t found = here;
  assert_int_equal(heddle_sync(gpu_ctx), HEDDLE_OK);
  if (on_device) gpu_down(&found, count_there, sizeof found);
  return found;
}

static uint64_t expect(const struct job *j, const char *value) {
  const size_t size = data_size(j->type), b = j->bytes;
  const char *from = j->same ? of + j->shift * size : in + j->shift * b;
  const ref_value y = ref_load(j->type, value, 0);
  uint64_t found = 0, others = 0;
  for (size_t i = 0; i < j->n; i++)
    if (is_selected(j->comparison, j->type, ref_load(j->type, of, i + j->shift), y)) {
      put_position(wanted_places, found, i, 4);
      memcpy(wanted + BESIDE + found++ * b, from + i * b, b);
    }
  for (size_t i = 0; i < j->n && j->rest; i++)
    if (!is_selected(j->comparison, j->type, ref_load(j->type, of, i + j->shift), y))
      memcpy(wanted + BESIDE + (found + others++) * b, from + i * b, b);
  return found;
}

static void check(const struct job *j) {
  const size_t size = data_size(j->type), b = j->bytes, of_at = j->shift * size;
  const size_t in_at = j->same ? of_at : j->shift * b, n = j->n;
  const bool in_place = (j->lie == IN_PLACE || j->lie == HOST_IN_PLACE) && !j->rest;
  const bool of_here = j->lie == ON_HOST || j->lie == OF_ON_HOST || j->lie == HOST_IN_PLACE;
  const bool in_here = j->same ? of_here : j->lie == ON_HOST || j->lie == HOST_IN_PLACE;
  bool out_here = j->lie == ON_HOST || j->lie == OUT_ON_HOST;
  if (in_place) out_here = in_here;
  char value[8];
  data_fill(j->kind, j->type, n + 7, n + j->shift, of);
  memcpy(value, of + of_at + n / 2 * size, n ? size : 0);
  memset(wanted, 0x5a, n * b + 2 * BESIDE);
  heddle_where where = HEDDLE_WHERE_INIT;
  where.comparison = j->comparison, where.type = j->type;
  where.value = j->comparison == HEDDLE_NONZERO ? NULL : value;
  const uint64_t expected = expect(j, value);
  gpu_up(of_there, of, of_at + n * size);
  gpu_up(in_there, in, in_at + n * b);
  memset(got, 0x5a, n * b + 2 * BESIDE);
  gpu_up(out_there, got, n * b + 2 * BESIDE);
  memcpy(work, j->same ? of : in, in_at + n * b);
  where.of = (j->same && in_here ? work : of_here ? of : of_there) + of_at;
  const char *from = (in_here ? work : j->same ? of_there : in_there) + in_at;
  char *to = (out_here ? got : out_there) + BESIDE;
  if (in_place) to = (char *)(uintptr_t)from;
  uint64_t here = 99, found;
  uint64_t *count = j->count_on_device ? count_there : &here;
  same_status(HEDDLE_OK,
              j->rest ? heddle_partition(gpu_ctx, &where, b, from, n, to, count)
                      : heddle_select(gpu_ctx, &where, b, from, n, to, count),
              WHERE, IT(j));
  found = count_of(j->count_on_device, here);
  if (found != expected) fail_msg(WHERE ": %zu, not %zu", IT(j), (size_t)found, (size_t)expected);
  if (in_place) {
    if (in_here)
      memcpy(got, from, n * b);
    else if (n)
      gpu_down(got, (void *)(uintptr_t)from, n * b);
    same_bytes(wanted + BESIDE, got, found * b, WHERE, IT(j));
    memcpy(wanted, (j->same ? of : in) + in_at, n * b);
    if (n)
      same_bytes(wanted + found * b, got + found * b, (n - found) * b, WHERE " (behind)", IT(j));
    return;
  }
  if (!out_here) gpu_down(got, out_there, n * b + 2 * BESIDE);
  same_bytes(wanted, got, n * b + 2 * BESIDE, WHERE, IT(j));
}

static void check_positions(const struct job *j) {
  const size_t size = data_size(j->type), b = j->bytes == 8 ? 8 : 4, n = j->n;
  const bool of_here = j->lie == ON_HOST || j->lie == OF_ON_HOST;
  const bool out_here = j->lie == ON_HOST || j->lie == OUT_ON_HOST;
  char value[8];
  data_fill(j->kind, j->type, n + 8, n + j->shift, of);
  memcpy(value, of + (j->shift + n / 3) * size, n ? size : 0);
  heddle_where where = HEDDLE_WHERE_INIT;
  where.comparison = j->comparison, where.type = j->type;
  where.value = j->comparison == HEDDLE_NONZERO ? NULL : value;
  const ref_value y = ref_load(j->type, value, 0);
  uint64_t expected = 0, here = 5, found;
  memset(wanted, 0x5a, n * b + BESIDE);
  memset(got, 0x5a, n * b + BESIDE);
  for (size_t i = 0; i < n; i++)
    if (is_selected(j->comparison, j->type, ref_load(j->type, of, i + j->shift), y))
      put_position(wanted, expected++, i, b);
  gpu_up(of_there, of, (j->shift + n) * size);
  gpu_up(out_there, got, n * b + BESIDE);
  where.of = (of_here ? of : of_there) + j->shift * size;
  uint64_t *count = j->count_on_device ? count_there : &here;
  same_status(HEDDLE_OK,
              heddle_positions(gpu_ctx, &where, n, b == 8 ? HEDDLE_U64 : HEDDLE_U32,
                               out_here ? got : out_there, count),
              WHERE, IT(j));
  found = count_of(j->count_on_device, here);
  if (found != expected) fail_msg(WHERE ": %zu, not %zu", IT(j), (size_t)found, (size_t)expected);
  if (!out_here) gpu_down(got, out_there, n * b + BESIDE);
  same_bytes(wanted, got, n * b + BESIDE, WHERE, IT(j));
  same_status(HEDDLE_OK, heddle_positions(gpu_ctx, &where, n, HEDDLE_U32, NULL, count), WHERE,
              IT(j));
  found = count_of(j->count_on_device, here);
  if (found != expected) fail_msg(WHERE ": counted %zu", IT(j), (size_t)found);
}

/* Every size of elements, and every way for arrays to lie, in turn. */
static void check_turn(struct job *j, size_t turn) {
  static const size_t bytes[] = {4, 1, 8, 16, 2};
  j->comparison = comparisons[turn % COUNT(comparisons)];
  j->kind = (enum data_kind)(turn / 2 % DATA_KINDS);
  j->lie = (enum lie)(turn * 5 % LIES);
  j->bytes = bytes[turn % 5];
  j->shift = turn % 4 ? turn * 7 % 19 : 0;
  j->same = turn % 3 == 0;
  if (j->same) j->bytes = data_size(j->type);
  j->rest = turn % 4 == 3;
  j->count_on_device = turn % 2;
  check(j);
  if (turn % 3 == 1) check_positions(j);
}

static size_t tile(void) { return gpu_is_software() ? 2048 : 4096; } /* of four bytes */

static void lengths_around_tiles(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  const size_t t = tile();
  const size_t counts[] = {0,          1,     2,         31,        33,        t / 4 - 1, t / 4,
                           t / 2 + 1,  t - 1, t,         t + 1,     2 * t - 1, 2 * t + 1, 3 * t,
                           5 * t + 77, 12000, 12000 + 1, 9 * t + 1, 18 * t + 3};
  size_t turn = 0;
  for (size_t type = 0; type < type_count; type++)
    for (size_t k = 0; k < COUNT(counts); k++) {
      if (gpu_is_software() && counts[k] > t && (k + type) % 4) continue;
      struct job j = {.type = all_types[type], .n = counts[k]};
      const size_t times = gpu_is_software() ? 1 : 5;
      for (size_t r = 0; r < times; r++) check_turn(&j, turn++ * 11 + 3 * r);
    }
}

static void every_comparison(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  for (size_t type = 0; type < type_count; type++)
    for (int kind = 0; kind < DATA_KINDS; kind++)
      for (size_t c = 0; c < COUNT(comparisons); c++) {
        struct job j = {.type = all_types[type],
                        .kind = (enum data_kind)kind,
                        .comparison = comparisons[c],
                        .n = 700 + c,
                        .bytes = data_size(all_types[type]),
                        .same = true};
        if (gpu_is_software() && ((size_t)kind + c + type) % 3) continue;
        check(&j);
      }
}

/* A test as text gives what the comparison gives that it makes: of arrays here and there, in place, between
 * vectors. */
static void check_text(heddle_type type, const char *text, size_t n, size_t shift, bool here) {
  const size_t size = data_size(type), at = shift * size, bytes = n * size;
  char *const x = (here ? of : of_there) + at, *const to = here ? got : out_there;
  char three[8] = {3};
  heddle_where w = HEDDLE_WHERE_INIT;
  heddle_predicate p = HEDDLE_PREDICATE_INIT;
  uint64_t expected = 0, found = 0;
  if (type == HEDDLE_F16) memcpy(three, &(uint16_t){0x4200}, 2);
  if (type == HEDDLE_BF16) memcpy(three, &(uint16_t){0x4040}, 2);
  if (type == HEDDLE_F32) memcpy(three, &(float){3}, 4);
  if (type == HEDDLE_F64) memcpy(three, &(double){3}, 8);
  data_fill(DATA_SPECIAL, type, n, n + shift, of);
  gpu_up(of_there, of, at + bytes);
  w.type = type, w.of = x, w.value = three, w.comparison = HEDDLE_GREATER, p.cuda_source = text;
  for (int turn = 0; turn < 4; turn++) {
    w.comparison = turn % 2 ? HEDDLE_PREDICATE : HEDDLE_GREATER;
    w.predicate = turn % 2 ? &p : NULL;
    char *const out = turn == 3 && !here ? x : to; /* the last call in place */
    same_status(HEDDLE_OK,
                turn < 2 ? heddle_partition(gpu_ctx, &w, size, x, n, to, &found)
                         : heddle_select(gpu_ctx, &w, size, x, n, out, &found),
                "\"%s\" of %zu %s", text, n, heddle_type_name(type));
    assert_int_equal(heddle_sync(gpu_ctx), HEDDLE_OK);
    if (turn % 2 == 0) expected = found;
    assert_int_equal(found, expected);
    const size_t bytes_out = turn < 2 ? bytes : (size_t)found * size;
    if (here || !bytes_out)
      memcpy(work, to, bytes_out);
    else
      gpu_down(work, out, bytes_out);
    if (turn % 2)
      same_bytes(wanted, work, bytes_out, "\"%s\" of %zu %s, call %d, shift %zu, here %d", text, n,
                 heddle_type_name(type), turn, shift, here);
    memcpy(wanted, work, bytes_out);
  }
}

static void tests_as_text(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  const size_t t = tile();
  for (size_t k = 0; k < type_count; k++) {
    const size_t n[] = {t + 1 + k, 3 * t - k, k};
    const size_t times = gpu_is_software() ? 1 : 3;
    for (size_t r = 0; r < times; r++)
      check_text(all_types[k], "x > 3", n[(k + r) % 3], (k + r) % 5, (k + r) % 4 == 3);
  }
  check_text(HEDDLE_F32,
             "__device__ bool large(float x) { return x > 3; }\n"
             "__device__ bool heddle_test(float x) { return large(x); }",
             2 * t, 1, false);
}

static void texts_refused(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  heddle_where w = HEDDLE_WHERE_INIT;
  heddle_predicate p = HEDDLE_PREDICATE_INIT;
  uint64_t found;
  w.comparison = HEDDLE_PREDICATE, w.type = HEDDLE_F32, w.of = of_there, w.predicate = &p;
  same_status(HEDDLE_BAD_ARGUMENT, heddle_select(gpu_ctx, &w, 4, of_there, 9, out_there, &found),
              "no text");
  assert_non_null(strstr(heddle_message(), "`where->predicate->cuda_source` is NULL"));
  p.cuda_source = "x > nothing";
  same_status(HEDDLE_BAD_ARGUMENT, heddle_select(gpu_ctx, &w, 4, of_there, 9, out_there, &found),
              "a name that is none");
  assert_non_null(strstr(heddle_message(), "`where->predicate->cuda_source` does not compile"));
  assert_non_null(strstr(heddle_message(), "correct it"));
  assert_non_null(strstr(heddle_message(), "nothing"));
}

static void many_tiles(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  size_t turn = 3;
  for (size_t type = 0; type < type_count; type++) {
    const size_t times = gpu_is_software() ? 1 : 6;
    for (size_t r = 0; r < times; r++) {
      struct job j = {.type = all_types[type], .n = most - 40 - turn};
      check_turn(&j, turn++ * 5);
    }
  }
}

/* A value that is a NaN, and the ends of a type, by which intervals are empty or everything. */
static void ends_of_types(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  for (size_t t = 0; t < type_count; t++) {
    const heddle_type type = all_types[t];
    const size_t size = data_size(type), n = 300;
    const uint64_t bits[] = {0, UINT64_MAX, UINT64_MAX >> 1, (uint64_t)1 << (8 * size - 1),
                             ((uint64_t)1 << (8 * size - 1)) - 1};
    for (size_t v = 0; v < COUNT(bits); v++)
      for (size_t c = 1; c < COUNT(comparisons); c++) {
        heddle_where where = HEDDLE_WHERE_INIT;
        char value[8] = {0};
        uint64_t found = 0, expected = 0;
        if (gpu_is_software() && (t + v + c) % 3) continue;
        data_fill(DATA_SPECIAL, type, t, n, of);
        for (size_t i = 0; i < COUNT(bits); i++) data_put(type, of, i, bits[i]);
        data_put(type, value, 0, bits[v]);
        gpu_up(of_there, of, n * size);
        for (size_t i = 0; i < n; i++)
          expected +=
              is_selected(comparisons[c], type, ref_load(type, of, i), ref_load(type, value, 0));
        where.comparison = comparisons[c], where.type = type;
        where.of = of_there, where.value = value;
        same_status(HEDDLE_OK, heddle_positions(gpu_ctx, &where, n, HEDDLE_U64, NULL, &found),
                    "positions");
        if (found != expected)
          fail_msg("%s, comparison %d with %zu: %zu, not %zu", heddle_type_name(type), (int)c, v,
                   (size_t)found, (size_t)expected);
      }
  }
}

/* ---- runs ---------------------------------------------------------------------------------- */

/* Runs of `length` on average; zeros of both signs, and NaN with payloads, follow each other. */
static void fill_runs(heddle_type type, uint64_t seed, size_t length, size_t n, char *out) {
  const size_t size = data_size(type);
  uint64_t bits = 0;
  for (size_t i = 0; i < n; i++) {
    const uint64_t word = data_word(seed, i);
    const uint64_t all = size == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * size) - 1,
                   sign = all ^ all >> 1;
    if (!i || word % length == 0) bits = (word >> 8) % 9 ? data_word(seed + 1, word >> 8) : 0;
    if ((word >> 20) % 41 == 0) bits = sign; /* -0.0 */
    if ((word >> 20) % 41 == 1) bits = all - (word >> 30) % 7;
    data_put(type, out, i, bits & all);
  }
}

struct runs_job {
  heddle_type type;
  size_t n, length, shift;
  enum lie lie;
  bool keys, offsets, count_on_device;
};

#define RUNS "runs of %zu, %zu %s, %s, shift %zu, keys %d, offsets %d"
#define THESE(j)                                                                           \
  (j)->length, (j)->n, heddle_type_name((j)->type), lies[(j)->lie], (j)->shift, (j)->keys, \
      (j)->offsets

static void check_runs(const struct runs_job *j) {
  const size_t size = data_size(j->type), n = j->n, at = j->shift * size;
  const bool in_place = j->lie == IN_PLACE || j->lie == HOST_IN_PLACE;
  const bool in_here = j->lie == ON_HOST || j->lie == OF_ON_HOST || j->lie == HOST_IN_PLACE;
  const bool out_here = j->lie == ON_HOST || j->lie == OUT_ON_HOST || j->lie == HOST_IN_PLACE;
  uint64_t expected = 0, here = 3, found;
  fill_runs(j->type, n + 5, j->length, n + j->shift, of);
  memset(wanted, 0x5a, n * size + BESIDE);
  memset(wanted_places, 0x5a, (n + 1) * 8 + BESIDE);
  memset(got, 0x5a, n * size + BESIDE);
  memset(places, 0x5a, (n + 1) * 8 + BESIDE);
  for (size_t i = 0; i < n; i++) {
    if (i && are_equal(j->type, ref_load(j->type, of + at, i - 1), ref_load(j->type, of + at, i)))
      continue;
    memcpy(wanted + expected * size, of + at + i * size, size);
    put_position(wanted_places, expected++, i, 8);
  }
  put_position(wanted_places, expected, n, 8);
  gpu_up(in_there, of, at + n * size);
  gpu_up(out_there, got, n * size + BESIDE);
  gpu_up(place_there, places, (n + 1) * 8 + BESIDE);
  memcpy(work, of, at + n * size);
  const char *from = (in_here ? work : in_there) + at;
  char *to = in_place ? (char *)(uintptr_t)from : out_here ? got : out_there;
  char *to_places = out_here ? places : place_there;
  same_status(HEDDLE_OK,
              heddle_runs(gpu_ctx, j->type, from, n, j->keys ? to : NULL,
                          j->offsets ? (uint64_t *)(void *)to_places : NULL,
                          j->count_on_device ? count_there : &here),
              RUNS, THESE(j));
  found = count_of(j->count_on_device, here);
  if (found != expected) fail_msg(RUNS ": %zu, not %zu", THESE(j), (size_t)found, (size_t)expected);
  if (j->offsets) {
    if (!out_here) gpu_down(places, place_there, (n + 1) * 8 + BESIDE);
    same_bytes(wanted_places, places, (n + 1) * 8 + BESIDE, RUNS " (offsets)", THESE(j));
  }
  if (!j->keys || !n) return;
  const size_t bytes = in_place ? found * size : n * size + BESIDE;
  if (!out_here || in_place) {
    if (in_place && in_here)
      memcpy(got, from, bytes);
    else
      gpu_down(got, in_place ? (void *)(uintptr_t)from : out_there, bytes);
  }
  same_bytes(wanted, got, bytes, RUNS, THESE(j));
}

static void runs(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  const size_t t = tile(), lengths[] = {1, 2, 8, 100, 5000, 1000000};
  const size_t counts[] = {0, 1, 2, 33, t - 1, t, t + 1, 3 * t + 5, 12000, 12001, 30000};
  size_t turn = 0;
  for (size_t type = 0; type < type_count; type++)
    for (size_t k = 0; k < COUNT(counts); k++) {
      struct runs_job j = {.type = all_types[type], .n = counts[k]};
      if (gpu_is_software() && counts[k] > t && (k + type) % 3) continue;
      for (size_t r = 0; r < (gpu_is_software() ? 1 : 6); r++, turn++) {
        j.length = lengths[turn * 5 % COUNT(lengths)];
        j.shift = turn % 3 ? turn % 17 : 0;
        j.lie = (enum lie)(turn % LIES);
        j.keys = turn % 5 != 1, j.offsets = turn % 5 != 2;
        if (turn % 11 == 5) j.keys = j.offsets = false;
        j.count_on_device = turn % 2;
        check_runs(&j);
      }
    }
}

/* Of all different elements, in place: each stays where it is. */
static void runs_of_one_in_place(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  const size_t n = most;
  uint64_t found = 0;
  for (size_t i = 0; i < n; i++) ((uint32_t *)(void *)of)[i] = (uint32_t)i ^ 77u;
  gpu_up(in_there, of, n * 4);
  same_status(HEDDLE_OK, heddle_runs(gpu_ctx, HEDDLE_U32, in_there, n, in_there, NULL, &found),
              "runs");
  assert_int_equal(found, n);
  gpu_down(got, in_there, n * 4);
  same_bytes(of, got, n * 4, "in place");
}

/* ---- graphs -------------------------------------------------------------------------------- */

static void captured(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  const size_t n = gpu_is_software() ? 15000 : 200000;
  gpu_handle stream, graph, ready;
  heddle_context *ctx = NULL;
  heddle_where where = HEDDLE_WHERE_INIT;
  size_t scratch = 0;
  const float half = 0.0f;
  where.comparison = HEDDLE_GREATER, where.type = HEDDLE_F32, where.value = &half;
  where.of = in_there;
  assert_int_equal(heddle_open(gpu_device(), &ctx), HEDDLE_OK);
  gpu_must(gpu.stream_create(&stream, GPU_NON_BLOCKING), "stream");
  assert_int_equal(heddle_set_stream(ctx, stream), HEDDLE_OK);
  assert_int_equal(heddle_prepare_begin(ctx), HEDDLE_OK);
#define CALL                                                                            \
  (heddle_partition(ctx, &where, 4, in_there, n, out_there, count_there) ||             \
   heddle_runs(ctx, HEDDLE_F32, in_there, n, of_there, (uint64_t *)(void *)place_there, \
               count_there + 1))
  assert_int_equal(CALL, 0);
  assert_int_equal(heddle_prepare_end(ctx, &scratch), HEDDLE_OK);
  gpu_must(gpu.capture_begin(stream, GPU_CAPTURE_RELAXED), "capture");
  if (CALL) fail_msg("captured: %s", heddle_message());
  gpu_must(gpu.capture_end(stream, &graph), "capture");
  gpu_must(gpu.graph_ready(&ready, graph, 0), "graph");
  for (size_t k = 0; k < 3; k++) {
    uint64_t counts[2], a = 0, b = 0;
    data_fill(k == 1 ? DATA_SMALL : DATA_HOLES, HEDDLE_F32, k, n, of);
    gpu_up(in_there, of, n * 4);
    gpu_must(gpu.sync(), "uploaded"); /* the stream waits for no other */
    gpu_must(gpu.graph_launch(ready, stream), "launch");
    gpu_must(gpu.stream_sync(stream), "wait");
    gpu_down(counts, count_there, sizeof counts);
    where.of = of;
    assert_int_equal(heddle_partition(gpu_cpu, &where, 4, of, n, wanted, &a), HEDDLE_OK);
    assert_int_equal(
        heddle_runs(gpu_cpu, HEDDLE_F32, of, n, in, (uint64_t *)(void *)wanted_places, &b),
        HEDDLE_OK);
    assert_int_equal(counts[0], a);
    assert_int_equal(counts[1], b);
    gpu_down(got, out_there, n * 4);
    same_bytes(wanted, got, n * 4, "replay %zu", k);
    gpu_down(got, place_there, (b + 1) * 8);
    same_bytes(wanted_places, got, (b + 1) * 8, "replay %zu", k);
    gpu_down(got, of_there, b * 4);
    same_bytes(in, got, b * 4, "replay %zu", k);
  }
  gpu_must(gpu.graph_forget(ready), "graph");
  gpu_must(gpu.graph_destroy(graph), "graph");
  heddle_close(ctx);
  gpu_must(gpu.stream_destroy(stream), "stream");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lengths_around_tiles),
                                     cmocka_unit_test(every_comparison),
                                     cmocka_unit_test(tests_as_text),
                                     cmocka_unit_test(texts_refused),
                                     cmocka_unit_test(many_tiles),
                                     cmocka_unit_test(ends_of_types),
                                     cmocka_unit_test(runs),
                                     cmocka_unit_test(runs_of_one_in_place),
                                     cmocka_unit_test(captured)};
  return cmocka_run_group_tests(tests, setup, teardown);
}

/* test_sort_memory.c - sorts: where arrays and scratch lie, what fails, what is refused
 *
 * Method   Arrays at odd addresses and beside pages that fault; scratch as large as heddle_sort_scratch says,
 *          with an allocator that gives nothing; every allocation failing once; the poll; bad arguments by
 *          the words of their messages. */
#include <sys/mman.h>
#include <unistd.h>

#include "sort_reference.h"

/* ---- where arrays lie ------------------------------------------------------------------------ */

static void misaligned(void **state) {
  (void)state;
  static const heddle_type types[] = {HEDDLE_U16, HEDDLE_F32, HEDDLE_I64};
  static const size_t counts[] = {50, 3000, 200003};
  for (size_t t = 0; t < COUNT(types); t++)
    for (size_t k = 0; k < COUNT(counts); k++) {
      const heddle_sort_options options = sort_options(0, 0);
      struct sort_job j = sort_job_new(types[t], SORT_BITS, counts[k], &options);
      const size_t bytes = j.n * j.size;
      char *in = allocate(bytes + 64), *out = allocate(bytes + 64),
           *values = allocate(j.n * 16 + 64);
      for (size_t off = 1; off < 64; off += 11) {
        const machine *m = &sort_on.of[(off + k) % sort_on.cpus];
        memcpy(in + off, j.in, bytes);
        memset(out, 0x5a, bytes + 64);
        same_status(HEDDLE_OK, heddle_sort(m->ctx, j.type, in + off, j.n, out + 64 - off, &options),
                    "misaligned");
        same_array(j.type, j.sorted, out + 64 - off, j.n, "misaligned by %zu on %s", off, m->label);
        for (size_t i = 0; i < 64 - off; i++) assert_int_equal(out[i], 0x5a);
        for (size_t i = 64 - off + bytes; i < bytes + 64; i++) assert_int_equal(out[i], 0x5a);
        same_status(HEDDLE_OK, heddle_sort(m->ctx, j.type, in + off, j.n, in + off, &options),
                    "in place");
        same_array(j.type, j.sorted, in + off, j.n, "in place, misaligned, on %s", m->label);
        same_status(HEDDLE_OK,
                    heddle_argsort(m->ctx, j.type, j.in, j.n, HEDDLE_U64, values + off, &options),
                    "misaligned positions");
        same_bytes(j.index_wide, values + off, j.n * 8, "positions misaligned on %s", m->label);
      }
      free(in);
      free(out);
      free(values);
      sort_job_free(&j);
    }
}

enum { AREA = 1 << 20 };
static char *fence(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *all = mmap(NULL, AREA + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(all != MAP_FAILED);
  assert_int_equal(mprotect(all + page, AREA, PROT_READ | PROT_WRITE), 0);
  return all + page;
}

static void nothing_beyond_arrays(void **state) {
  (void)state;
  char *area[3] = {fence(), fence(), fence()};
  static const size_t counts[] = {1, 2, 5, 17, 33, 63, 100, 513, 1031, 70001, 131000};
  for (size_t t = 0; t < type_count; t++)
    for (size_t k = 0; k < COUNT(counts) * 2; k++) {
      const heddle_type type = all_types[t];
      const size_t n = counts[k / 2], size = data_size(type);
      const int last = (int)(k % 2);
      const machine *m = &sort_on.of[(k + t) % sort_on.cpus];
      if (n > 2000 && lightness() > 1 && t % 3) continue;
      char *in = last ? area[0] + AREA - n * size : area[0];
      char *out = last ? area[1] + AREA - n * size : area[1];
      char *index = last ? area[2] + AREA - n * 4 : area[2];
      sort_fill(SORT_BITS, type, n, n, in);
      same_status(HEDDLE_OK, heddle_sort(m->ctx, type, in, n, out, NULL),
                  "sort beside a guard page");
      same_status(HEDDLE_OK, heddle_argsort(m->ctx, type, in, n, HEDDLE_U32, index, NULL),
                  "argsort");
      same_status(HEDDLE_OK, heddle_sort_pairs(m->ctx, type, in, 4, index, n, out, index, NULL),
                  "pairs");
    }
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (size_t i = 0; i < 3; i++) munmap(area[i] - page, AREA + 2 * page);
}

/* ---- memory -------------------------------------------------------------------------------- */

static long left; /* allocations until one fails */
static long held;
static void *take(void *user, size_t bytes) {
  (void)user;
  if (left-- == 0) return NULL;
  held++;
  void *memory = allocate(bytes);
  memset(memory, 0xdd, bytes);
  return memory;
}
static void give(void *user, void *memory, size_t bytes) {
  (void)user, (void)bytes;
  held--;
  free(memory);
}

/* Every verb with the caller's scratch, which is as large as the query says, and no allocator. */
static void scratch_of_the_caller(void **state) {
  (void)state;
  static const heddle_sort_verb verbs[] = {HEDDLE_SORT_KEYS, HEDDLE_SORT_PAIRS, HEDDLE_ARGSORT};
  static const size_t counts[] = {1, 100, 3000, 40000, 100000};
  for (size_t t = 0; t < type_count; t++)
    for (int kind = 0; kind < SORT_KINDS; kind += 4)
      for (size_t k = 0; k < COUNT(counts); k++) {
        heddle_sort_options options = sort_options(0, 0);
        if ((k + t) % lightness()) continue;
        struct sort_job j = sort_job_new(all_types[t], (enum sort_kind)kind, counts[k], &options);
        char *keys = allocate(j.n * 8), *values = allocate(j.n * 8);
        for (size_t v = 0; v < COUNT(verbs); v++) {
          const heddle_sort_verb verb = verbs[v];
          const machine *m = &sort_on.of[(k + t + v) % sort_on.cpus];
          size_t bytes = 0;
          same_status(HEDDLE_OK,
                      heddle_sort_scratch(m->ctx, verb, j.type, 8, j.n, &options, &bytes),
                      "scratch");
          char *scratch = allocate(bytes + 1);
          options.scratch = scratch + 1;
          options.scratch_bytes = bytes;
          left = 0;
          assert_int_equal(heddle_set_allocator(m->ctx, take, give, NULL), HEDDLE_OK);
          const heddle_status status =
              verb == HEDDLE_SORT_KEYS ? heddle_sort(m->ctx, j.type, j.in, j.n, keys, &options)
              : verb == HEDDLE_SORT_PAIRS
                  ? heddle_sort_pairs(m->ctx, j.type, j.in, 8, j.index_wide, j.n, keys, values,
                                      &options)
                  : heddle_argsort(m->ctx, j.type, j.in, j.n, HEDDLE_U64, values, &options);
          assert_int_equal(heddle_set_allocator(m->ctx, NULL, NULL, NULL), HEDDLE_OK);
          same_status(HEDDLE_OK, status, "verb %d of %zu %s on %s", (int)verb, j.n,
                      heddle_type_name(j.type), m->label);
          if (verb == HEDDLE_SORT_KEYS) same_array(j.type, j.sorted, keys, j.n, "scratch");
          if (verb == HEDDLE_ARGSORT) same_bytes(j.index_wide, values, j.n * 8, "scratch");
          options.scratch = NULL;
          free(scratch);
        }
        free(keys);
        free(values);
        sort_job_free(&j);
      }
}

static void too_little_scratch(void **state) {
  (void)state;
  heddle_sort_options options = sort_options(0, 0);
  struct sort_job j = sort_job_new(HEDDLE_F32, SORT_ANY, 5000, &options);
  char *out = allocate(j.n * j.size), scratch[100];
  options.scratch = scratch;
  options.scratch_bytes = sizeof scratch;
  memset(out, 0x33, j.n * j.size);
  same_status(HEDDLE_OUT_OF_MEMORY,
              heddle_sort(sort_on.of[0].ctx, j.type, j.in, j.n, out, &options), "100 bytes");
  assert_non_null(strstr(heddle_message(), "heddle_sort_scratch"));
  for (size_t i = 0; i < j.n * j.size; i++) assert_int_equal(out[i], 0x33);
  free(out);
  sort_job_free(&j);
}

/* Nothing is written where memory fails, and nothing is kept. */
static void failing_allocations(void **state) {
  (void)state;
  static const size_t counts[] = {3000, 200000};
  const heddle_sort_options options = sort_options(0, 0);
  for (size_t k = 0; k < COUNT(counts); k++)
    for (int kind = SORT_ANY; kind <= SORT_UNEVEN; kind += SORT_UNEVEN) {
      struct sort_job j = sort_job_new(HEDDLE_U32, (enum sort_kind)kind, counts[k], &options);
      heddle_context *ctx = sort_on.of[sort_on.cpus - 1].ctx;
      char *out = allocate(j.n * 4);
      heddle_status status = HEDDLE_OUT_OF_MEMORY;
      assert_int_equal(heddle_set_allocator(ctx, take, give, NULL), HEDDLE_OK);
      for (long fails = 0; status; fails++) {
        assert_true(fails < 5);
        memset(out, 0x77, j.n * 4);
        left = fails;
        status = heddle_sort(ctx, j.type, j.in, j.n, out, &options);
        assert_int_equal(held, 0);
        if (!status) break;
        same_status(HEDDLE_OUT_OF_MEMORY, status, "allocation %ld", fails);
        for (size_t i = 0; i < j.n * 4; i++) assert_int_equal(out[i], 0x77);
      }
      same_array(j.type, j.sorted, out, j.n, "after failures");
      assert_int_equal(heddle_set_allocator(ctx, NULL, NULL, NULL), HEDDLE_OK);
      free(out);
      sort_job_free(&j);
    }
}

static void input_as_memory(void **state) {
  (void)state;
  for (int kind = 0; kind < SORT_KINDS; kind++) {
    heddle_sort_options options = sort_options(0, 0);
    struct sort_job j =
        sort_job_new(kind % 2 ? HEDDLE_F64 : HEDDLE_U32, (enum sort_kind)kind, 100001, &options);
    char *in = allocate(j.n * j.size), *out = allocate(j.n * j.size);
    options.overwrite = 1;
    for (size_t i = 0; i < sort_on.count; i = machines_after(&sort_on, i, 4)) {
      memcpy(in, j.in, j.n * j.size);
      same_status(HEDDLE_OK, heddle_sort(sort_on.of[i].ctx, j.type, in, j.n, out, &options),
                  "overwrite");
      same_array(j.type, j.sorted, out, j.n, "overwrite, %s, %s", sort_name(j.kind),
                 sort_on.of[i].label);
    }
    free(in);
    free(out);
    sort_job_free(&j);
  }
}

/* ---- arguments ----------------------------------------------------------------------------- */

static int asked;
static int stop(void *user) {
  (void)user;
  return ++asked > 1;
}

static void cancelled(void **state) {
  (void)state;
  const size_t n = 20 << 20;
  uint64_t *x = allocate(n * 8), *out = allocate(n * 8);
  heddle_context *ctx = sort_on.of[0].ctx;
  for (size_t i = 0; i < n; i++) x[i] = i * UINT64_C(0x9e3779b97f4a7c15);
  assert_int_equal(heddle_set_poll(ctx, stop, NULL), HEDDLE_OK);
  same_status(HEDDLE_CANCELLED, heddle_sort(ctx, HEDDLE_U64, x, n, out, NULL), "poll");
  assert_int_equal(heddle_set_poll(ctx, NULL, NULL), HEDDLE_OK);
  free(x);
  free(out);
}

static void refuse(heddle_status status, const char *word) {
  same_status(HEDDLE_BAD_ARGUMENT, status, "%s", word);
  if (!strstr(heddle_message(), word)) fail_msg("no \"%s\" in: %s", word, heddle_message());
}

static void bad_arguments(void **state) {
  (void)state;
  heddle_context *ctx = sort_on.of[0].ctx;
  uint32_t x[64] = {3, 1, 2}, out[64];
  uint64_t wide[64];
  heddle_sort_options o = sort_options(0, 0);
  size_t bytes;
  refuse(heddle_sort(NULL, HEDDLE_U32, x, 3, out, NULL), "`ctx`");
  refuse(heddle_sort(ctx, HEDDLE_CUSTOM, x, 3, out, NULL), "`type`");
  refuse(heddle_sort(ctx, HEDDLE_U32, NULL, 3, out, NULL), "`in`");
  refuse(heddle_sort(ctx, HEDDLE_U32, x, 3, NULL, NULL), "`out`");
  refuse(heddle_sort(ctx, HEDDLE_U32, x, SIZE_MAX / 2, out, NULL), "`in`");
  refuse(heddle_sort(ctx, HEDDLE_U32, x, 5, x + 1, NULL), "overlaps");
  refuse(heddle_sort_pairs(ctx, HEDDLE_U32, x, 3, wide, 3, out, wide, NULL), "`value_bytes`");
  refuse(heddle_sort_pairs(ctx, HEDDLE_U32, x, 4, x, 3, out, out, NULL), "overlaps");
  refuse(heddle_sort_pairs(ctx, HEDDLE_U32, x, 4, out, 3, out, wide, NULL), "overlaps");
  refuse(heddle_sort_pairs(ctx, HEDDLE_U32, x, 4, NULL, 3, out, wide, NULL), "`values`");
  refuse(heddle_argsort(ctx, HEDDLE_U32, x, 3, HEDDLE_I32, out, NULL), "`index_type`");
  refuse(heddle_argsort(ctx, HEDDLE_U32, x, 3, HEDDLE_U32, x, NULL), "overlaps");
  refuse(heddle_argsort(ctx, HEDDLE_U8, x, ((size_t)1 << 32) + 1, HEDDLE_U32, out, NULL),
         "HEDDLE_U64");
  refuse(heddle_sort_scratch(ctx, (heddle_sort_verb)4, HEDDLE_U8, 0, 3, NULL, &bytes), "`verb`");
  refuse(heddle_sort_scratch(ctx, HEDDLE_ARGSORT, HEDDLE_U8, 2, 3, NULL, &bytes), "`value_bytes`");
  refuse(heddle_sort_scratch(ctx, HEDDLE_SORT_KEYS, HEDDLE_U8, 2, 3, NULL, NULL), "`bytes`");
  o.bit_end = 33;
  refuse(heddle_sort(ctx, HEDDLE_U32, x, 3, out, &o), "`options->bit_begin`");
  o.bit_begin = o.bit_end = 8;
  refuse(heddle_sort(ctx, HEDDLE_U32, x, 3, out, &o), "`options->bit_begin`");
  o.bit_begin = 0;
  refuse(heddle_sort(ctx, HEDDLE_F32, x, 3, out, &o), "integers");
  o = sort_options(0, 0);
  o.scratch = x;
  o.scratch_bytes = 64;
  refuse(heddle_sort(ctx, HEDDLE_U32, x, 3, out, &o), "`options->scratch`");
  o.size = 3;
  refuse(heddle_sort(ctx, HEDDLE_U32, x, 3, out, &o), "size");
  same_status(HEDDLE_OK, heddle_sort(ctx, HEDDLE_U32, NULL, 0, NULL, NULL), "nothing");
}

int main(void) {
  const struct CMUnitTest cpu[] = {cmocka_unit_test(misaligned),
                                   cmocka_unit_test(nothing_beyond_arrays),
                                   cmocka_unit_test(scratch_of_the_caller),
                                   cmocka_unit_test(too_little_scratch),
                                   cmocka_unit_test(failing_allocations),
                                   cmocka_unit_test(input_as_memory),
                                   cmocka_unit_test(cancelled),
                                   cmocka_unit_test(bad_arguments)};
  const struct CMUnitTest device[] = {cmocka_unit_test(input_as_memory),
                                      cmocka_unit_test(bad_arguments)};
  if (!one_is_cpu()) return cmocka_run_group_tests(device, sort_open, sort_close);
  return cmocka_run_group_tests(cpu, sort_open, sort_close);
}

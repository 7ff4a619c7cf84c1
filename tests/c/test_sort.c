/* test_sort.c - sort, sort_pairs and argsort of arrays against a plain stable reference
 *
 * Method   Every type and distribution, lengths around the limits of the method, every option, on every
 *          instruction set and up to eight threads; results bit for bit, with values that tell every
 *          element from every other, out of place and in place. test_sort_memory.c has where arrays
 *          and scratch lie, and bad arguments. */
#include "sort_reference.h"

#define WHERE "%s of %zu %s %s, descending %d, nan first %d, bits %u-%u, on %s"
#define IT(what)                                                                    \
  what, j->n, sort_name(j->kind), heddle_type_name(j->type), j->options.descending, \
      j->options.nan_first, j->options.bit_begin, j->options.bit_end, m->label

static void check_keys(const struct sort_job *j, const machine *m, char *out) {
  same_status(HEDDLE_OK, heddle_sort(m->ctx, j->type, j->in, j->n, out, &j->options), WHERE,
              IT("sort"));
  same_array(j->type, j->sorted, out, j->n, WHERE, IT("sort"));
  memcpy(out, j->in, j->n * j->size);
  same_status(HEDDLE_OK, heddle_sort(m->ctx, j->type, out, j->n, out, &j->options), WHERE,
              IT("sort in place"));
  same_array(j->type, j->sorted, out, j->n, WHERE, IT("sort in place"));
}

static void check_positions(const struct sort_job *j, const machine *m, char *out) {
  same_status(HEDDLE_OK, heddle_argsort(m->ctx, j->type, j->in, j->n, HEDDLE_U32, out, &j->options),
              WHERE, IT("argsort"));
  same_array(HEDDLE_U32, j->index, out, j->n, WHERE, IT("argsort"));
  same_status(HEDDLE_OK, heddle_argsort(m->ctx, j->type, j->in, j->n, HEDDLE_U64, out, &j->options),
              WHERE, IT("argsort by u64"));
  same_array(HEDDLE_U64, j->index_wide, out, j->n, WHERE, IT("argsort by u64"));
}

static void check_pairs(const struct sort_job *j, const machine *m, size_t v, char *keys,
                        char *values) {
  const size_t size = (size_t)1 << v, bytes = j->n * size;
  same_status(HEDDLE_OK,
              heddle_sort_pairs(m->ctx, j->type, j->in, size, j->values[v], j->n, keys, values,
                                &j->options),
              WHERE, IT("pairs"));
  same_array(j->type, j->keys_sorted, keys, j->n, WHERE, IT("keys of pairs"));
  same_bytes(j->values_sorted[v], values, bytes, WHERE, IT("values of pairs"));
  memset(values, 0, bytes);
  same_status(HEDDLE_OK,
              heddle_sort_pairs(m->ctx, j->type, j->in, size, j->values[v], j->n, NULL, values,
                                &j->options),
              WHERE, IT("values alone"));
  same_bytes(j->values_sorted[v], values, bytes, WHERE, IT("values alone"));
  memcpy(keys, j->in, j->n * j->size);
  memcpy(values, j->values[v], bytes);
  same_status(
      HEDDLE_OK,
      heddle_sort_pairs(m->ctx, j->type, keys, size, values, j->n, keys, values, &j->options),
      WHERE, IT("pairs in place"));
  same_array(j->type, j->keys_sorted, keys, j->n, WHERE, IT("keys of pairs in place"));
  same_bytes(j->values_sorted[v], values, bytes, WHERE, IT("values of pairs in place"));
}

/* On every machine, and on every `step`-th of them one size of values; on one all sizes. */
static void check(heddle_type type, enum sort_kind kind, size_t n,
                  const heddle_sort_options *options, size_t step) {
  struct sort_job j = sort_job_new(type, kind, n, options);
  char *keys = allocate(n * 8 + 8), *values = allocate(n * 16 + 16);
  /* Longer ones on devices are test_cuda_sort.c's. */
  const size_t end = n > 20000 ? sort_on.cpus : sort_on.count;
  for (size_t i = 0; i < end; i = machines_after(&sort_on, i, step)) {
    const machine *m = &sort_on.of[i];
    check_keys(&j, m, keys);
    check_positions(&j, m, values);
    for (size_t v = 0; v < 5; v++)
      if (i == 0 || (n + i + (size_t)kind + (size_t)type) % 5 == v)
        check_pairs(&j, m, v, keys, values);
  }
  free(keys);
  free(values);
  sort_job_free(&j);
}

/* ---- arrays -------------------------------------------------------------------------------- */

/* Around a vector's lanes, what ranks and networks of each instruction set take, and digits of fewer bits. */
static const size_t short_lengths[] = {
    0,  1,  2,  3,  4,  5,  7,   8,   9,   15,  16,  17,  19,  20,  21,  22,  24,  25,  31,  32,
    33, 48, 49, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 511, 512, 513, 514, 767, 768, 777};
static const size_t lengths[] = {1023, 1025, 4095, 4096, 4097, 10007, 32767, 32768, 65537};

static void short_arrays(void **state) {
  (void)state;
  for (size_t t = 0; t < type_count; t++)
    for (int kind = 0; kind < SORT_KINDS; kind++)
      for (size_t k = (size_t)kind % lightness(); k < COUNT(short_lengths); k += lightness()) {
        const heddle_sort_options options = sort_options((k + t) % 2, (k + t) / 2 % 2);
        check(all_types[t], (enum sort_kind)kind, short_lengths[k], &options, 3);
      }
}

static void longer_arrays(void **state) {
  (void)state;
  const size_t every = lightness() > 1 ? 13 : 5;
  size_t turn = 0;
  for (size_t t = 0; t < type_count; t++)
    for (int kind = 0; kind < SORT_KINDS; kind++)
      for (size_t k = 0; k < COUNT(lengths); k++) {
        if (turn++ % every) continue;
        const heddle_sort_options options =
            sort_options((int)(turn / every % 2), (int)(turn / every / 2 % 2));
        check(all_types[t], (enum sort_kind)kind, lengths[k], &options, 3);
      }
}

/* Buckets, and buckets of buckets. */
static void large_arrays(void **state) {
  (void)state;
  static const heddle_type types[] = {HEDDLE_U32, HEDDLE_F32, HEDDLE_F64, HEDDLE_I64, HEDDLE_U16};
  size_t turn = 0;
  for (size_t t = 0; t < COUNT(types); t++)
    for (int kind = 0; kind < SORT_KINDS; kind++) {
      if (turn++ % (2 * lightness())) continue;
      const heddle_sort_options options = sort_options((int)turn / 2 % 2, (int)turn / 4 % 2);
      check(types[t], (enum sort_kind)kind, 140001 + 1000 * t, &options, 2);
    }
}

/* Numbers of few exponents, of which some bits tell next to nothing: buckets are cut by a sample. */
static void uneven_keys(void **state) {
  (void)state;
  enum { N = 700003 };
  static const heddle_type types[] = {HEDDLE_F32, HEDDLE_F64, HEDDLE_U32, HEDDLE_I64};
  for (size_t t = 0; t < COUNT(types); t++) {
    const heddle_sort_options options = sort_options((int)t % 2, 0);
    struct sort_job j = sort_job_new(types[t], SORT_CURVED, N, &options);
    char *keys = allocate(N * j.size), *index = allocate(N * 8);
    for (size_t i = 0; i < sort_on.cpus; i = machines_after(&sort_on, i, 2)) {
      check_keys(&j, &sort_on.of[i], keys);
      check_positions(&j, &sort_on.of[i], index);
    }
    free(keys);
    free(index);
    sort_job_free(&j);
  }
}

/* As many elements as eight threads are worth: all machines give what the first does, which is in order. */
static void every_thread(void **state) {
  (void)state;
  if (!sort_on.cpus) return;
  enum { N = 1200007 };
  static const enum sort_kind kinds[] = {SORT_ANY, SORT_UNEVEN, SORT_FALLING, SORT_RISING,
                                         SORT_PIPE};
  uint32_t *in = allocate(N * 4), *out = allocate(N * 4), *wanted = allocate(N * 4);
  uint32_t *index = allocate(N * 4), *wanted_index = allocate(N * 4);
  for (size_t k = 0; k < COUNT(kinds); k++) {
    sort_fill(kinds[k], HEDDLE_U32, k, N, in);
    for (size_t i = 0; i < sort_on.cpus; i++) {
      const machine *m = &sort_on.of[i];
      uint32_t *to = i ? out : wanted, *where = i ? index : wanted_index;
      same_status(HEDDLE_OK, heddle_sort(m->ctx, HEDDLE_U32, in, N, to, NULL), "sort");
      same_status(HEDDLE_OK, heddle_argsort(m->ctx, HEDDLE_U32, in, N, HEDDLE_U32, where, NULL),
                  "argsort");
      if (i) {
        same_array(HEDDLE_U32, wanted, out, N, "%s on %s", sort_name(kinds[k]), m->label);
        same_array(HEDDLE_U32, wanted_index, index, N, "%s on %s", sort_name(kinds[k]), m->label);
      }
    }
    for (size_t i = 0; i < N; i++) {
      if (wanted[i] != in[wanted_index[i]]) fail_msg("place %zu of %s", i, sort_name(kinds[k]));
      if (!i || wanted[i - 1] < wanted[i]) continue;
      if (wanted[i - 1] > wanted[i] || wanted_index[i - 1] >= wanted_index[i])
        fail_msg("places %zu of %s are not in order", i, sort_name(kinds[k]));
    }
  }
  free(in);
  free(out);
  free(wanted);
  free(index);
  free(wanted_index);
}

static void every_option(void **state) {
  (void)state;
  for (size_t t = 0; t < type_count; t++)
    for (int o = 0; o < 4; o++) {
      const heddle_sort_options options = sort_options(o % 2, o / 2);
      check(all_types[t], SORT_BITS, 1000, &options, 5);
      check(all_types[t], ref_is_float(all_types[t]) ? SORT_ZEROS : SORT_FEW, 90, &options, 5);
    }
}

static void bits_of_integers(void **state) {
  (void)state;
  for (size_t t = 0; t < type_count; t++) {
    const heddle_type type = all_types[t];
    const unsigned width = 8 * (unsigned)data_size(type);
    if (ref_is_float(type)) continue;
    for (unsigned begin = 0; begin < width; begin += width / 8)
      for (unsigned end = begin + 1; end <= width; end += width / 8 + (unsigned)lightness()) {
        heddle_sort_options options = sort_options((int)(begin + end) % 2, 0);
        options.bit_begin = begin;
        options.bit_end = end;
        check(type, SORT_BITS, (begin + end) % 3 ? 300 : 5000, &options, 7);
      }
    heddle_sort_options middle = sort_options(0, 0);
    middle.bit_begin = width / 4;
    middle.bit_end = width - width / 4;
    check(type, SORT_BITS, 140001, &middle, 7);
    check(type, SORT_FALLING, 300, &middle, 7);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(short_arrays),    cmocka_unit_test(longer_arrays),
      cmocka_unit_test(large_arrays),    cmocka_unit_test(uneven_keys),
      cmocka_unit_test(every_thread),    cmocka_unit_test(every_option),
      cmocka_unit_test(bits_of_integers)};
  return cmocka_run_group_tests(tests, sort_open, sort_close);
}

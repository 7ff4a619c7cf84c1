/* sort_reference.c - a stable merge sort of positions, and arrays to sort */
#include <math.h>

#include "sort_reference.h"

struct order {
  heddle_type type;
  const void *in;
  heddle_sort_options options;
  int bits;
};

/* -1, 0, 1 */
static int sign_of(int less, int greater) { return greater - less; }

static uint64_t top_of(heddle_type type) { return (uint64_t)1 << (8 * data_size(type) - 1); }

/* NaN: of positive sign by rising payload, then of negative sign by falling payload. */
static int compare_nan(const struct order *o, uint64_t a, uint64_t b) {
  const uint64_t top = top_of(o->type);
  if ((a ^ b) & top) return a & top ? 1 : -1;
  return a & top ? sign_of(a > b, a < b) : sign_of(a<b, a> b);
}

static int compare_floats(const struct order *o, size_t i, size_t j) {
  const double a = ref_load(o->type, o->in, i).f, b = ref_load(o->type, o->in, j).f;
  const uint64_t p = data_bits(o->type, o->in, i), q = data_bits(o->type, o->in, j);
  const int back = o->options.descending ? -1 : 1;
  if (isnan(a) != isnan(b)) return (isnan(a) ? 1 : -1) * (o->options.nan_first ? -1 : 1);
  if (isnan(a)) return o->bits ? back * compare_nan(o, p, q) : 0;
  if (a < b || a > b) return back * sign_of(a<b, a> b);
  if (!o->bits || a != 0) return 0;
  return back * sign_of(signbit(a) && !signbit(b), signbit(b) && !signbit(a));
}

static int compare_integers(const struct order *o, size_t i, size_t j) {
  const unsigned width = 8 * (unsigned)data_size(o->type);
  const unsigned begin = o->options.bit_begin,
                 end = o->options.bit_end ? o->options.bit_end : width;
  uint64_t a = data_bits(o->type, o->in, i), b = data_bits(o->type, o->in, j);
  if (ref_is_signed(o->type)) {
    a ^= top_of(o->type);
    b ^= top_of(o->type);
  }
  a = a << (64 - end) >> (64 - end) >> begin;
  b = b << (64 - end) >> (64 - end) >> begin;
  return o->options.descending ? sign_of(a > b, a < b) : sign_of(a<b, a> b);
}

static int compare(const struct order *o, size_t i, size_t j) {
  return ref_is_float(o->type) ? compare_floats(o, i, j) : compare_integers(o, i, j);
}

static void merge_sort(const struct order *o, size_t *x, size_t *room, size_t n) {
  if (n < 2) return;
  const size_t half = n / 2;
  merge_sort(o, x, room, half);
  merge_sort(o, x + half, room, n - half);
  memcpy(room, x, n * sizeof *x);
  size_t left = 0, right = half;
  for (size_t i = 0; i < n; i++) {
    const int from_right = left == half || (right < n && compare(o, room[right], room[left]) < 0);
    x[i] = from_right ? room[right++] : room[left++];
  }
}

void ref_sort(heddle_type type, const void *in, size_t count, const heddle_sort_options *options,
              int bits, size_t *index) {
  const heddle_sort_options defaults = HEDDLE_SORT_OPTIONS_INIT;
  const struct order o = {type, in, options ? *options : defaults, bits};
  size_t *room = allocate((count + 1) * sizeof *room);
  for (size_t i = 0; i < count; i++) index[i] = i;
  merge_sort(&o, index, room, count);
  free(room);
}

/* ---- arrays -------------------------------------------------------------------------------- */

static uint64_t infinity_bits(heddle_type type) {
  switch (type) {
  case HEDDLE_F16: return 0x7c00;
  case HEDDLE_BF16: return 0x7f80;
  case HEDDLE_F32: return 0x7f800000;
  default: return UINT64_C(0x7ff0000000000000);
  }
}

static uint64_t special(enum sort_kind kind, heddle_type type, uint64_t word) {
  const uint64_t sign = word & 1 ? top_of(type) : 0;
  if (!ref_is_float(type)) return kind == SORT_ZEROS ? word & 1 : top_of(type) - (word & 1);
  if (kind == SORT_ZEROS) return sign;
  const uint64_t payload = (word >> 8) & (top_of(type) - 1 - infinity_bits(type));
  return sign | infinity_bits(type) | (payload ? payload : 1);
}

static void set(heddle_type type, void *out, size_t i, double value) {
  ref_store(HEDDLE_F64, (ref_value){value, 0}, type, out, i);
}

/* What an element is by its place alone. */
static double step_of(enum sort_kind kind, size_t i, size_t n) {
  switch (kind) {
  case SORT_RISING: return (double)i;
  case SORT_FALLING: return (double)(n - i);
  case SORT_STEPS: return (double)((n - i) / 3);
  case SORT_PIPE: return (double)(i < n / 2 ? i : n - i);
  default: return 0;
  }
}

static double curved(heddle_type type, uint64_t word) {
  const double x = (double)(word >> 11) * 0x1p-53, small = x * x * x;
  if (ref_is_float(type)) return word % 3 ? x : small - 0.5;
  return floor(small * small * small * 0.9 * (double)top_of(type));
}

void sort_fill(enum sort_kind kind, heddle_type type, uint64_t seed, size_t count, void *out) {
  const uint64_t upper = data_word(seed, count) | 1;
  if (kind == SORT_ANY) data_fill(DATA_WIDE, type, seed, count, out);
  for (size_t i = 0; i < count; i++) {
    const uint64_t word = data_word(seed, i), width = 8 * data_size(type);
    const uint64_t below = (uint64_t)1 << (width - width / 3 - 2);
    switch (kind) {
    case SORT_BITS: data_put(type, out, i, word); break;
    case SORT_FEW: set(type, out, i, (double)(word % 5) - (ref_is_signed(type) ? 2 : 0)); break;
    case SORT_CONSTANT: data_put(type, out, i, upper >> 3 & (below - 1)); break;
    case SORT_ZEROS:
    case SORT_NAN: data_put(type, out, i, special(kind, type, word)); break;
    case SORT_LOW: data_put(type, out, i, i + 1 < count ? word % 200 : upper % below); break;
    case SORT_UNEVEN:
      data_put(type, out, i, word % 10 ? (upper & ~(below - 1)) | (word >> 8 & (below - 1)) : word);
      break;
    case SORT_PREFIXES:
    case SORT_CROWDS: {
      const uint64_t prefix = (word >> 32) % (count / (kind == SORT_CROWDS ? 300 : 50) + 1);
      data_put(type, out, i, (data_word(5, prefix) & ~(below - 1)) | (word & (below - 1)));
      break;
    }
    case SORT_CURVED: set(type, out, i, curved(type, word)); break;
    case SORT_RISING:
    case SORT_FALLING:
    case SORT_STEPS:
    case SORT_PIPE: {
      /* below what the type holds without rounding to infinity or wrapping */
      const double most = type == HEDDLE_U8 || type == HEDDLE_I8 ? 120 : 30000;
      const double scale = (double)count > most ? most / (double)count : 1;
      set(type, out, i, floor(step_of(kind, i, count) * scale));
      break;
    }
    default: break;
    }
  }
}

const char *sort_name(enum sort_kind kind) {
  static const char *const names[] = {"any",     "bits",   "few",      "constant", "rising",
                                      "falling", "steps",  "pipe",     "zeros",    "nan",
                                      "low",     "uneven", "prefixes", "crowds",   "curved"};
  return names[kind];
}

/* ---- jobs ---------------------------------------------------------------------------------- */

heddle_sort_options sort_options(int descending, int nan_first) {
  heddle_sort_options options = HEDDLE_SORT_OPTIONS_INIT;
  options.descending = descending;
  options.nan_first = nan_first;
  return options;
}

static void gather(const char *from, size_t size, const size_t *index, size_t n, char *to) {
  for (size_t i = 0; i < n; i++) memcpy(to + i * size, from + index[i] * size, size);
}

struct sort_job sort_job_new(heddle_type type, enum sort_kind kind, size_t n,
                             const heddle_sort_options *options) {
  struct sort_job j = {
      .type = type, .n = n, .size = data_size(type), .kind = kind, .options = *options};
  size_t *index = allocate((n + 1) * sizeof *index);
  j.in = allocate(n * j.size + 1);
  j.sorted = allocate(n * j.size + 1);
  j.keys_sorted = allocate(n * j.size + 1);
  j.index = allocate(n * 4 + 4);
  j.index_wide = allocate(n * 8 + 8);
  sort_fill(kind, type, n + 3, n, j.in);
  ref_sort(type, j.in, n, options, 1, index);
  gather(j.in, j.size, index, n, j.sorted);
  ref_sort(type, j.in, n, options, 0, index);
  gather(j.in, j.size, index, n, j.keys_sorted);
  for (size_t i = 0; i < n; i++) {
    j.index[i] = (uint32_t)index[i];
    j.index_wide[i] = index[i];
  }
  for (size_t v = 0; v < 5; v++) {
    const size_t size = (size_t)1 << v;
    j.values[v] = allocate(n * size + 1);
    j.values_sorted[v] = allocate(n * size + 1);
    for (size_t i = 0; i < n * size; i++)
      j.values[v][i] = (char)(data_word(v, i / size) >> (i % size * 4));
    gather(j.values[v], size, index, n, j.values_sorted[v]);
  }
  free(index);
  return j;
}

void sort_job_free(struct sort_job *j) {
  for (size_t v = 0; v < 5; v++) {
    free(j->values[v]);
    free(j->values_sorted[v]);
  }
  free(j->in);
  free(j->sorted);
  free(j->keys_sorted);
  free(j->index);
  free(j->index_wide);
}

machines sort_on;

int sort_open(void **state) {
  (void)state;
  machines_open(&sort_on, 8);
  return 0;
}

int sort_close(void **state) {
  (void)state;
  machines_close(&sort_on);
  return 0;
}

heddle_status sort_call(heddle_context *ctx, const struct sort_call *c, const void *keys,
                        const void *values, void *keys_out, void *values_out) {
  const heddle_type index = c->value_bytes == 4 ? HEDDLE_U32 : HEDDLE_U64;
  const heddle_sort_options *o = &c->options;
  switch (c->verb) {
  case HEDDLE_SORT_KEYS:
    return c->rows ? heddle_sort_rows(ctx, c->type, keys, c->rows, keys_out, o)
                   : heddle_sort(ctx, c->type, keys, c->n, keys_out, o);
  case HEDDLE_ARGSORT:
    return c->rows ? heddle_argsort_rows(ctx, c->type, keys, c->rows, index, values_out, o)
                   : heddle_argsort(ctx, c->type, keys, c->n, index, values_out, o);
  default: break;
  }
  return c->rows ? heddle_sort_pairs_rows(ctx, c->type, keys, c->value_bytes, values, c->rows,
                                          keys_out, values_out, o)
                 : heddle_sort_pairs(ctx, c->type, keys, c->value_bytes, values, c->n, keys_out,
                                     values_out, o);
}

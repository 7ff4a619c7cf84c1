/* arg_tmpl.h - where the least key of a type is, first place wins (rule 10)
 *
 * Parameters  ARG_NAME        the kernel's name
 *             ARG_IN          element type
 *             ARG_KEY         i8 to i64: the type of a key
 *             ARG_KEYS(p, i)  vector of the keys that begin at element i of the bytes p
 *             ARG_ONE(p, i)   the key of element i
 *             ARG_WIDER       what a total's key (order/total.h) is above ARG_ONE's
 *             ARG_NONE        the key of a NaN that is skipped, above all others; undefined if no
 *                             element is skipped
 *             and those of arg_search_tmpl.h
 * Method      Full chunks and rows are arg_chunks_tmpl.h's, columns arg_columns_tmpl.h's; a shorter chunk is
 *             searched by arg_search_tmpl.h alone. */
#define ARG_FN_(name, part) name##_##part
#define ARG_FN__(name, part) ARG_FN_(name, part)
#define ARG_FN(part) ARG_FN__(ARG_NAME, part)
#define ARG_V_(t) v##t
#define ARG_V(t) ARG_V_(t)
#define ARG_LESSER_(t) lesser_##t
#define ARG_LESSER__(t) ARG_LESSER_(t)
#define ARG_MARKS_(t) marks_##t
#define ARG_MARKS__(t) ARG_MARKS_(t)

enum { ARG_FN(STEP) = VEC_BYTES / sizeof(ARG_KEY), ARG_FN(CHUNK) = HD_CHUNK(sizeof(ARG_KEY)) };

/* *acc = the better of *acc and element i of x, whose key is known. */
static inline void ARG_FN(take)(struct hd_arg_total *acc, ARG_KEY key, const char *x, u64 first,
                                size_t i) {
#ifdef ARG_NONE
  if (key == ARG_NONE) return;
#endif
  if (acc->index != UINT64_MAX && acc->key <= key) return;
  ARG_IN element;
  memcpy(&element, x + i * sizeof element, sizeof element);
  acc->key = key;
  acc->index = first + i;
  acc->bits = 0;
  memcpy(&acc->bits, &element, sizeof element);
}

/* Where the first of n elements with a key is. */
static inline size_t ARG_FN(place)(const char *x, size_t n, ARG_KEY key) {
  enum { STEP = ARG_FN(STEP) };
  size_t i = 0;
  while (i + STEP <= n && !hist_any_i64((vi64)(ARG_KEYS(x, i) == key))) i += STEP;
  while (ARG_ONE(x, i) != key) i++;
  return i;
}

#ifdef ARG_NONE
/* Where the first of n elements is that is no NaN; n, if none is. */
static size_t ARG_FN(first_number)(const char *x, size_t n) {
  size_t i = 0;
  while (i < n && ARG_ONE(x, i) == ARG_NONE) i++;
  return i;
}
#endif

#include "arg_search_tmpl.h"

#include "arg_chunks_tmpl.h"

static heddle_status ARG_FN(tail)(const void *x, const void *y, u64 first, size_t n, void *acc,
                                  const heddle_custom *custom) {
  struct hd_arg_total total;
  (void)y, (void)custom;
  memcpy(&total, acc, sizeof total);
  total.key -= ARG_WIDER;
  if (n >= ARG_FN(STEP)) {
    const size_t i = ARG_FN(in_row)(x, n);
    if (i < n) ARG_FN(take)(&total, ARG_ONE(x, i), x, first, i);
  } else {
    for (size_t i = 0; i < n; i++) ARG_FN(take)(&total, ARG_ONE(x, i), x, first, i);
  }
  total.key += ARG_WIDER;
  memcpy(acc, &total, sizeof total);
  return HEDDLE_OK;
}

#include "arg_columns_tmpl.h"

static const struct hd_cpu_fold_kernel ARG_NAME = {
    sizeof(ARG_IN),
    ARG_FN(CHUNK),
    HD_TOTAL_ARG,
    {sizeof(struct hd_arg_total), true, arg_pairs, arg_combine, arg_identity},
    ARG_FN(chunks),
    ARG_FN(tail),
    HD_TEXT(ARG_NAME),
    "cpu/fold/arg_tmpl.h",
    NULL,
    &ARG_FN(strips),
    ARG_FN(settled),
    &ARG_FN(rows),
    NULL};

#undef ARG_FN_
#undef ARG_FN__
#undef ARG_FN
#undef ARG_V_
#undef ARG_V
#undef ARG_LESSER_
#undef ARG_LESSER__
#undef ARG_MARKS_
#undef ARG_MARKS__
#undef ARG_VECTOR
#undef ARG_NAME
#undef ARG_IN
#undef ARG_KEY
#undef ARG_KEYS
#undef ARG_ONE
#undef ARG_NONE
#undef ARG_NANS
#undef ARG_WIDER
#undef ARG_BEST
#undef ARG_LEAST
#undef ARG_BEATS
#undef ARG_WORST

/* sort_reference.h - sorting once more: merge sort by comparing values, nothing of the library's
 *
 * Result    the positions of a stable sort, by options as heddle.h has them; arrays of many distributions
 * Limits    values are compared as doubles or as integers, so no key of the library's has a part in it */
#ifndef TESTS_SORT_REFERENCE_H
#define TESTS_SORT_REFERENCE_H

#include "support.h"

/* index[i] = the position of the element that comes i-th. `bits`: elements that have one value but differ in
 * their bits (zeros, NaN) are ordered as heddle_sort has them; else they are equal. */
void ref_sort(heddle_type type, const void *in, size_t count, const heddle_sort_options *options,
              int bits, size_t *index);

enum sort_kind {
  SORT_ANY,      /* random values */
  SORT_BITS,     /* random bits: floats of all sizes, NaN with payloads */
  SORT_FEW,      /* five values */
  SORT_CONSTANT, /* one */
  SORT_RISING,
  SORT_FALLING,
  SORT_STEPS,  /* falling, with equal neighbours */
  SORT_PIPE,   /* rises, then falls */
  SORT_ZEROS,  /* zeros of both signs; integers: 0 and 1 */
  SORT_NAN,    /* nothing but NaN; integers: the ends of the range */
  SORT_LOW,    /* the low bits differ, far above all is one; the last element has other high bits */
  SORT_UNEVEN, /* nine in ten have the same upper bits, the others any */
  SORT_PREFIXES, /* as many upper halves as there are fifties of elements, any lower ones */
  SORT_CROWDS,   /* of three hundreds of elements */
  SORT_CURVED,   /* floats from -0.5 to 1, integers from 0 on, most of them small */
  SORT_KINDS
};
void sort_fill(enum sort_kind kind, heddle_type type, uint64_t seed, size_t count, void *out);
const char *sort_name(enum sort_kind kind);

heddle_sort_options sort_options(int descending, int nan_first);

/* One array to sort, and what has to come out. */
struct sort_job {
  heddle_type type;
  size_t n, size;
  enum sort_kind kind;
  heddle_sort_options options;
  char *in, *sorted, *values[5], *values_sorted[5],
      *keys_sorted; /* values of 1, 2, 4, 8, 16 bytes */
  uint32_t *index;
  uint64_t *index_wide;
};
struct sort_job sort_job_new(heddle_type type, enum sort_kind kind, size_t n,
                             const heddle_sort_options *options);
void sort_job_free(struct sort_job *j);

/* A call of any verb, of an array or along rows; positions are values of 4 or 8 bytes. */
struct sort_call {
  heddle_sort_verb verb;
  heddle_type type;
  size_t n, value_bytes;
  const heddle_rows *rows; /* NULL: one array */
  heddle_sort_options options;
};
heddle_status sort_call(heddle_context *ctx, const struct sort_call *c, const void *keys,
                        const void *values, void *keys_out, void *values_out);

/* All machines, set up by sort_open: group setup and teardown for cmocka. */
extern machines sort_on;
int sort_open(void **state);
int sort_close(void **state);

#define COUNT(array) (sizeof(array) / sizeof *(array))

#endif

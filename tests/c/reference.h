/* reference.h - order v1 once more, in scalar C, straight from docs/order.md
 *
 * Result    ref_reduce and the others: what heddle_reduce and the others must give, status
 *           included; nothing is written unless the status is HEDDLE_OK
 * Method    reference_order.c: the order, of elements of any size under any operator.
 *           reference_value.c: element types and built-in operators, one value at a time.
 *           reference_verbs.c, reference_describe.c: the verbs in those words
 * Limits    no checks of arguments; slow (a table of all block totals is built)
 * Source    docs/order.md; checked against tests/golden/, which comes from tests/order_v1.py */
#ifndef TESTS_REFERENCE_H
#define TESTS_REFERENCE_H

#include "heddle.h"

/* ---- the order ------------------------------------------------------------------------ */

typedef void ref_operator(void *acc, const void *x, const void *user); /* acc = acc op x */
typedef struct ref_order {
  size_t bytes;   /* an element */
  size_t lanes;   /* L; a chunk is 16 L elements */
  int neighbours; /* a full chunk is a binary tree too: operators that do not commute */
  ref_operator *op;
  /* NULL, or what gives the total of one full chunk in place of rule 2 (rule 9) */
  void (*chunk_total)(void *total, const void *x, const void *user);
  const void *user;
} ref_order;

/* The fold of n > 0 elements, rule 5. */
void ref_fold(const ref_order *order, const void *x, size_t n, void *total);
/* All n running totals, rule 6. */
void ref_running(const ref_order *order, const void *x, size_t n, void *totals);
/* Rule 2 for one chunk of rows of `lanes` elements. */
void ref_fold_lanes(const ref_order *order, const void *x, void *total);

/* ---- values ---------------------------------------------------------------------------- */

/* A value of any type: floats in f (f16, bf16 and f32 are exact in it); integers in u,
 * extended to 64 bits by their own sign. */
typedef struct ref_value {
  double f;
  uint64_t u;
} ref_value;

int ref_is_float(heddle_type type);
int ref_is_signed(heddle_type type); /* integer */

/* What an operator is of, by the reference's own table; REF_NONE: no built-in operator. */
typedef enum ref_class {
  REF_NONE,
  REF_ARITHMETIC, /* rounds: accumulates in a type of its own */
  REF_MINMAX,     /* picks an element */
  REF_BITWISE,    /* bits of integers */
  REF_LOGICAL     /* 0 or 1; of reduce only */
} ref_class;
ref_class ref_class_of(heddle_op op);
int ref_is_numeric(heddle_op op); /* arithmetic or minmax: defined for all types and both verbs */
/* 1 if reduce, or scan, of op is defined for the type. */
int ref_reduces(heddle_op op, heddle_type type);
int ref_scans(heddle_op op, heddle_type type);

ref_value ref_load(heddle_type type, const void *array, size_t index);
double ref_double(heddle_type type, const void *array, size_t index); /* the value, rounded once */
/* value, which is of type `from`, rounded or wrapped to `to`; NaN becomes canonical */
void ref_store(heddle_type from, ref_value value, heddle_type to, void *array, size_t index);
ref_value ref_apply(heddle_op op, heddle_type acc, ref_value a, ref_value b);
ref_value ref_identity(heddle_op op, heddle_type acc);

/* ---- the verbs ------------------------------------------------------------------------- */

heddle_type ref_acc_type(heddle_op op, heddle_type type, const heddle_options *options);
heddle_type ref_out_type(heddle_op op, heddle_type type, const heddle_options *options);

heddle_status ref_reduce(heddle_op op, heddle_type type, const void *in, size_t count, void *out,
                         const heddle_options *options);
heddle_status ref_scan(heddle_op op, heddle_scan_kind kind, heddle_type type, const void *in,
                       size_t count, void *out, const heddle_options *options);
heddle_status ref_dot(heddle_type type, const void *x, const void *y, size_t count, void *out,
                      const heddle_options *options);
heddle_status ref_argreduce(heddle_extreme which, heddle_type type, const void *in, size_t count,
                            void *value, uint64_t *index, const heddle_options *options);
heddle_status ref_describe(heddle_type type, const void *in, size_t count, heddle_description *out,
                           const heddle_options *options);

#endif

/* golden.h - the golden values of tests/golden, and what computes them
 *
 * Result    golden_value gives, by the verbs it is handed, what a line of order_v1.csv records
 * Source    tests/golden/make.py */
#ifndef TESTS_GOLDEN_H
#define TESTS_GOLDEN_H

#include "data.h"

typedef struct golden_row {
  char what[32];
  heddle_type type, acc;
  enum data_kind kind;
  size_t count;
  uint64_t bits;
} golden_row;

/* The lines of order_v1.csv, to be freed by free. Fails the test if the file is not right. */
golden_row *golden_load(size_t *rows);
/* Opens a file of tests/golden and skips its heading. */
void *golden_open(const char *name); /* a FILE */

typedef struct golden_verbs {
  heddle_status (*reduce)(heddle_context *, heddle_op, heddle_type, const void *, size_t, void *,
                          const heddle_options *);
  heddle_status (*scan)(heddle_context *, heddle_op, heddle_scan_kind, heddle_type, const void *,
                        size_t, void *, const heddle_options *);
  heddle_status (*dot)(heddle_context *, heddle_type, const void *, const void *, size_t, void *,
                       const heddle_options *);
  heddle_status (*describe)(heddle_context *, heddle_type, const void *, size_t,
                            heddle_description *, const heddle_options *);
} golden_verbs;

uint64_t golden_value(const golden_verbs *verbs, heddle_context *ctx, const golden_row *row);
void golden_forget(void); /* frees the data kept from one row to the next */

#endif

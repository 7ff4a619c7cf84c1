/* result.h - totals and results by type, on the host: init as a total, a total as a result
 *
 * For the host's side of every back end; a kernel has the same in order/total.h, where keys become
 * values, and order/moments.h. Totals are in the form of order/total.h; of custom operators, which are
 * their own results, nothing is asked here. */
#ifndef HEDDLE_ORDER_RESULT_H
#define HEDDLE_ORDER_RESULT_H

#include "total.h"
#include "types.h"

/* What a total is one of. */
struct hd_total_form {
  u32 kind; /* HD_TOTAL_U64 .. HD_TOTAL_CUSTOM */
  heddle_op op;
  heddle_type type; /* of elements */
};

/* *total = the element of `type` at `init` (rule 7), for kinds that are numbers. The NaN policy is
 * about elements: a NaN here propagates. */
void hd_total_of_init(const struct hd_total_form *form, heddle_type type, const void *init,
                      void *total);
/* *out = the total, rounded once to `type` (rules 7 and 12), for kinds that are numbers. nothing: no
 * element and no init entered it. False, and nothing is written, if it is an extreme of no value, which
 * in a row is the identity, of floats an infinity. */
bool hd_total_value(const struct hd_total_form *form, const void *total, bool nothing, bool is_row,
                    heddle_type type, void *out);

/* Makes every NaN of n totals canonical, as they leave a back end. */
void hd_totals_canonical(u32 kind, void *totals, size_t n);

/* The message of HEDDLE_EMPTY, that `what` ("no values") has no result. `late` is put behind it. */
enum { HD_NO_RESULT_BYTES = 512 };
const char *hd_no_result(char text[HD_NO_RESULT_BYTES], const char *entry, bool arg, heddle_op op,
                         const char *what, const char *late);

#endif

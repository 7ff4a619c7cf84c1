/* ask.h - what the files of ask_kernels share */
#ifndef TESTS_ASK_H
#define TESTS_ASK_H

#include <stddef.h>

#include "heddle.h"

extern heddle_context *ctx;
extern int reduced;    /* a part of types x operators */
extern char *array[3]; /* addresses on the device */
enum { SIZES = 3, SHIFTS = 2 };
extern const size_t sizes[SIZES];
#define HALF ((size_t)1 << 36) /* bytes of an array, which may be two */

/* Counts a call that failed for a reason that stub_driver.c does not explain. */
void allow(heddle_status status, const char *what);
int is_float(heddle_type type);

/* One of four of the pairs, if reduced. */
int wanted(heddle_op op, heddle_type type);

void histograms_of_axes(void);  /* ask_axes.c */
void selects_and_runs(void);    /* ask_select.c */
void order_statistics(void);    /* ask_ranks.c */
void searches_and_groups(void); /* ask_groups.c */

#endif

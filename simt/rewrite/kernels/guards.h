/* guards.h - plain kernels whose threads first ask whether they have work: `if (i < n) ..`
 *
 * Compiled as it stands, such a test around a loop's stores makes them masked ones, which some
 * processors are many times slower at. So a row of threads asks first (simt::guarded).
 */
#ifndef SIMT_REWRITE_KERNELS_GUARDS_H
#define SIMT_REWRITE_KERNELS_GUARDS_H

#include "rewrite/unit/unit.h"

/* guards_write - what a kernel's text begins with, as text that is left by `return` with whether the
 * thread has work; the kernel's own tests are edited, so that with `simt_inside` there they are none.
 * To be freed; NULL: there is nothing of the kind, and nothing is edited */
char *guards_write(struct unit *u, const struct declaration *d);

#endif

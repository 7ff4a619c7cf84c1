/* What the checker is notified of: the entries of its table of observations (observe.c).
 *
 * Rule     named like the entries of struct sd_observer, where each is explained
 */
#ifndef SIMT_CHECK_ENTRIES_H
#define SIMT_CHECK_ENTRIES_H

#include "observer.h"

#define OBSERVATION(name, ...) void ck_on_##name(__VA_ARGS__);
#include "observations.def"

/* ---- At the program's end */
void ck_report_leaks(void);     /* host/frees.c */
void ck_report_unchecked(void); /* host/unchecked_errors.c */

/* ck_look_at_parameters - of a kernel that begins: whether the host has taken the name of a variable of the
 * device for its address (host/device_variables.c) */
void ck_look_at_parameters(const struct grid *grid);
/* ck_host_forget - group numbers begin anew (host/host_accesses.c) */
void ck_host_forget(void);
/* ck_begin_anew - group numbers begin anew (forget.c) */
void ck_begin_anew(void);

#endif

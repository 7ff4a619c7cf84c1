/* What the checker is told: the entries of its table of observers (observe.c).
 *
 * Rule     named like the entries of struct sd_observer, where each is explained
 */
#ifndef SIMT_CHECK_ENTRIES_H
#define SIMT_CHECK_ENTRIES_H

#include "observer.h"

#define OBSERVATION(name, ...) void ck_on_##name(__VA_ARGS__);
#include "observations.def"

/* ---- observe.c has these two entries and those of modules: they take the checker's lock first */
void ck_begin_grid(struct grid *grid); /* blocks.c */
void ck_end_grid(struct grid *grid);
void ck_add_symbols(const struct simt_module *module); /* symbols.c */
void ck_remove_symbols(const struct simt_module *module);

/* ---- At the program's end */
void ck_tell_leaks(void);     /* memory.c */
void ck_tell_unchecked(void); /* unchecked_errors.c */

/* ck_call_explained - a finding has been made of the error that the running call will return
 * (unchecked_errors.c) */
void ck_call_explained(void);

/* CK_ALONE - to the end of its block no other thread of the host is in the checker, and no
 * kernel runs. A lane of the running kernel passes. One that has waited long passes, too: its
 * kernel may be waiting for it */
#define CK_ALONE __attribute__((cleanup(ck_leave), unused)) const bool ck_alone = ck_enter()
bool ck_enter(void);
bool ck_try_enter(void); /* false: somebody else is */
void ck_leave(const bool *entered);

#endif

/* passes.h - the passes over a unit, in their order (rewrite.c)
 *
 * Each notes edits at tokens; an error is a message of the unit's.
 */
#ifndef SIMT_REWRITE_PASSES_H
#define SIMT_REWRITE_PASSES_H

#include "rewrite/unit/unit.h"

/* rewrite_refuse_host_calls - device code calls functions of the host: reports each; false: there
 * are some */
bool rewrite_refuse_host_calls(struct unit *u); /* device/calls.c */
/* rewrite_mark_waiting - declaration.waits of every function */
void rewrite_mark_waiting(struct unit *u);  /* kernels/taint.c */
void rewrite_classes(struct unit *u);       /* device/classes.c */
void rewrite_local_arrays(struct unit *u);  /* kernels/local_arrays.c */
void rewrite_strides(struct unit *u);       /* loops/strides.c */
void rewrite_lockstep(struct unit *u);      /* loops/lockstep.c */
void rewrite_polling(struct unit *u);       /* loops/polling.c */
void rewrite_endless(struct unit *u);       /* loops/endless.c */
void rewrite_keywords(struct unit *u);      /* device/keywords.c */
void rewrite_shared(struct unit *u);        /* device/shared.c */
void rewrite_asm(struct unit *u);           /* device/asm.c */
void rewrite_linkage(struct unit *u);       /* device/linkage.c */
void rewrite_variables(struct unit *u);     /* device/variables.c */
void rewrite_static_locals(struct unit *u); /* device/static_locals.c */
void rewrite_kernels(struct unit *u);       /* kernels/kernels.c */
void rewrite_launches(struct unit *u);      /* kernels/launches.c */

#endif

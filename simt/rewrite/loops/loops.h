/* loops.h - what passes ask about loops */
#ifndef SIMT_REWRITE_LOOPS_LOOPS_H
#define SIMT_REWRITE_LOOPS_LOOPS_H

#include "rewrite/unit/unit.h"

/* loop_counts - the header of the loop whose keyword is at i changes a local variable that its
 * condition asks, and reads nothing that other threads might write (polling.c) */
bool loop_counts(const struct unit *u, uint32_t i);

#endif

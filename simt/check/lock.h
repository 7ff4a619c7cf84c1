/* Who may be in the checker: one thread of the host, or the lanes of the running kernel. */
#ifndef SIMT_CHECK_LOCK_H
#define SIMT_CHECK_LOCK_H

#include <stdbool.h>

/* ck_on - this process is checked */
extern bool ck_on;
/* ck_lock_open - before the first ck_enter */
void ck_lock_open(void);

/* CK_ALONE - to the end of its block no other thread of the host is in the checker, and no
 * kernel runs. A lane of the running kernel passes. One that has waited long passes, too: its
 * kernel may be waiting for it */
#define CK_ALONE __attribute__((cleanup(ck_leave), unused)) const bool ck_alone = ck_enter()
bool ck_enter(void);
bool ck_try_enter(void); /* false: somebody else is */
void ck_leave(const bool *entered);

#endif

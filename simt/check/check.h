/* What every room of the checker uses: findings, the running lane, the file. README.md has the
 * rooms.
 */
#ifndef SIMT_CHECK_H
#define SIMT_CHECK_H

#include "findings.h"
#include "grid.h"
#include "observer.h"

#include "lock.h"

/* ---- findings.c --------------------------------------------------------------------------- */

/* ck_finding - the entry for this class and these sites (keys: hashes of pcs or of file and
 * line): new, cleared but for class and count, if *fresh; NULL if it is not to be reported
 * again or the list is full. Fill it, then ck_publish. A known one is counted. */
struct finding *ck_finding(enum sd_class class, uint64_t key_a, uint64_t key_b);
void ck_publish(struct finding *finding);
/* ck_last_finding - the entry that ck_finding found or made last */
struct finding *ck_last_finding(void);
/* ck_finding_withdraw - one occurrence of it was something else; none is left: no finding */
void ck_finding_withdraw(enum sd_class class, uint64_t key_a, uint64_t key_b);
/* ck_give_up - what the checker could not do, in words; the first one is kept */
void ck_give_up(const char *what);
void ck_file_is(struct findings *mapped);
/* ck_add_thread - the running lane: block, thread, warp, lane, kernel; on the host: nothing */
void ck_add_thread(struct finding_side *side);
/* ck_add_stack - pcs from the frame of the function that was called by the program */
void ck_add_stack(struct finding_side *side, const void *pc, const void *frame);
uint64_t ck_hash(uint64_t a, uint64_t b);
struct findings *ck_file(void);

#endif

/* Whether two accesses of the same bytes are in order, and the finding if they are not. */
#ifndef SIMT_CHECK_RACE_H
#define SIMT_CHECK_RACE_H

#include "shadow/current.h"

/* ck_check_race - the access and the earlier one of `word` touch the same bytes: reports it unless
 * they are in order or both atomic */
enum ck_then { CK_READ, CK_READ_UNWRITTEN, CK_WROTE, CK_WROTE_UNWRITTEN };
void ck_check_race(const struct ck_access *access, uint32_t word, enum ck_then earlier);
/* ck_note_unwritten - a finding has been made of a read of what nobody has written */
void ck_note_unwritten(const struct ck_access *access);
/* ck_race_review - at a barrier or the end of the block: of races within a warp, those whose memory
 * other warps have accessed, too */
void ck_race_review(void);
void ck_race_settle(void); /* a write whose value was not yet known */
/* ck_is_ordered - the access of `word` happened before what the running lane does now; if not,
 * *reason is what would order them */
bool ck_is_ordered(uint32_t word, uintptr_t at, const char **reason);

/* ---- async.c: copies that a thread waits for
 * ck_async_begin - a launch; ck_async_end - the running lane has returned; ck_async_block_end - a block has
 * come to its end */
void ck_async_begin(void);
void ck_async_end(void);
void ck_async_block_end(uint64_t sequence);

/* ---- guess.c: plain reads that a compare and exchange makes good */
/* ck_check_guess - the program's own compare and exchange, which is about to be done */
void ck_check_guess(const volatile void *memory, size_t bytes, const void *expected);

#endif

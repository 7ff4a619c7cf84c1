/* Sites whose plain reads a compare and exchange makes good. */
#ifndef SIMT_CHECK_GUESSES_H
#define SIMT_CHECK_GUESSES_H

#include "shadow/current.h"

/* ck_is_guess - such a read of the word at `at`. ck_doubt - a race of it with an atomic operation
 * has been reported with these keys, and may have to be withdrawn */
bool ck_is_guess(uintptr_t at, const struct group *reader);
void ck_doubt(uintptr_t at, const struct group *reader, uint64_t key_a, uint64_t key_b);
/* ck_guess_holds - the reader has read what the exchange expects: its site is one of guesses, if
 * nothing was known of it */
void ck_guess_holds(uintptr_t at, const struct group *reader);
/* ck_guess_fails - it has read something else: its site is none. true: it was held for one so
 * far */
bool ck_guess_fails(uintptr_t at, const struct group *reader);

#endif

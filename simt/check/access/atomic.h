/* What an atomic or volatile access is beyond an access: perhaps an acquire, perhaps a release. */
#ifndef SIMT_CHECK_ATOMIC_H
#define SIMT_CHECK_ATOMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How an atomic operation accesses its memory. EXCHANGES: writes without a look at what was
 * there. */
enum { LOADS = 1, STORES = 2, MODIFIES = 3, EXCHANGES = 4 };

/* ck_atomic - an atomic operation is about to be done; false: nobody observes it */
bool ck_atomic(const volatile void *memory, size_t bytes, unsigned how, int order, const void *pc,
               const void *frame);
/* ck_observe - the running lane reads what another may have released; strict: only a fence
 * behind it makes that an acquire */
void ck_observe(uintptr_t address, int scope, bool strict, bool modified);
void ck_publish_write(uintptr_t address, bool ordered, int scope, bool keeps);

#endif

/* Whether an address is a multiple of what its access needs. */
#ifndef SIMT_CHECK_ALIGNMENT_H
#define SIMT_CHECK_ALIGNMENT_H

#include "shadow/current.h"

/* ck_note_misaligned - the running lane is about to access memory through this pointer, whose type
 * needs a `multiple`; not `accessed`: it has only made the pointer a reference, or an object of it */
void ck_note_misaligned(const struct worker *me, uintptr_t pointer, size_t multiple, bool accessed);
/* ck_check_alignment - reports the access if it is misaligned; `aligned`: the compiler takes the
 * address for a multiple of the size, or of 8 */
void ck_check_alignment(const struct ck_access *access, bool aligned);

#endif

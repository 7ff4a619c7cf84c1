/* Misaligned accesses: by their size, or by the type of the pointer that they go through.
 *
 * Method   the compiler's call before an access tells the size, and by its name that the address
 *          is a multiple of it, but of 8 at most: two doubles need no more. The type's own
 *          alignment comes from a call before that one, made only if the pointer is misaligned
 *          (ubsan.c, simt_misaligned); the last few such pointers of a lane are remembered
 * Limits   at -O1 a second look at the same pointer is left out by the compiler: then the access
 *          has to be at the very address that was looked at
 */
#include "alignment.h"
#include "check.h"
#include "invalid.h"

/* A statement that copies an object makes two accesses after it has looked at both pointers; what
 * lies within so many bytes of a pointer may be a part of what it points to. */
enum { ACCESSES = 2, REACH = 1 << 18, MOST_ALIGNED = 8 };

void ck_note_misaligned(const struct worker *me, uintptr_t pointer, size_t multiple,
                        bool accessed) {
  if (me->lane != ck_current.lane) ck_turn_to(me);
  if (me->locked || ck_current.skipped) return;
  ck_current.pointers[ck_current.pointer_count++ % CK_POINTERS] = (struct ck_pointer){
      pointer, multiple, accessed ? ck_current.accesses + ACCESSES : ck_current.accesses};
}

static bool leads_to(const struct ck_pointer *p, uintptr_t address) {
  const bool follows = ck_current.accesses <= p->until;
  return address == p->pointer || (follows && address - p->pointer < REACH);
}

/* What the type needs that the access goes through, if that pointer is misaligned; else 1. */
static size_t needed_by_type(uintptr_t address) {
  size_t needed = 1;
  const uint32_t count =
      ck_current.pointer_count < CK_POINTERS ? ck_current.pointer_count : CK_POINTERS;
  for (uint32_t i = 0; i < count; i++) {
    const struct ck_pointer *p = &ck_current.pointers[i];
    if (leads_to(p, address) && p->multiple > needed) needed = p->multiple;
  }
  return needed;
}

void ck_check_alignment(const struct ck_access *access, bool aligned) {
  const size_t sure = access->bytes < MOST_ALIGNED ? access->bytes : MOST_ALIGNED;
  const bool by_size = aligned && access->address % sure != 0;
  const size_t needed = by_size ? access->bytes : needed_by_type(access->address);
  if (access->address % needed != 0) ck_report_misaligned(access, needed);
}

SIMT_API void simt_misaligned(const void *address, size_t multiple) {
  const struct worker *me = sd_current;
  if (ck_on && me && me->lane) ck_note_misaligned(me, (uintptr_t)address, multiple, true);
}

/* Zones around arrays of the running thread's own, which nobody may touch,
 * and arrays that have not been written.
 *
 * Method   each 4 bytes of a zone are a mark: an access asks by looking at what it goes to. Whether
 *          a number that looks like a mark is one shows in what lies around it
 */
#ifndef SIMT_CHECK_LOCAL_H
#define SIMT_CHECK_LOCAL_H

#include "check.h"

enum { CK_ZONE_STEP = 16 }; /* no more than the marks of a zone */
#define CK_ZONE_MARK UINT32_C(0xB3D19C57)
#define CK_UNWRITTEN (CK_ZONE_MARK + 1)

static inline __attribute__((always_inline)) bool ck_is_zone(uintptr_t address) {
  return *(const uint32_t *)(address & ~(uintptr_t)3) == CK_ZONE_MARK;
}

/* ck_is_marked - either of them: what an access of up to 4 bytes has to ask */
static inline __attribute__((always_inline)) bool ck_is_marked(uintptr_t address) {
  return *(const uint32_t *)(address & ~(uintptr_t)3) - CK_ZONE_MARK <= 1;
}

/* ck_touches_zone - of an access to the running lane's own stack, perhaps */
static inline __attribute__((always_inline)) bool ck_touches_zone(uintptr_t address, size_t bytes) {
  if (ck_is_zone(address)) return true;
  if (bytes <= 4) return false;
  for (size_t at = CK_ZONE_STEP; at < bytes; at += CK_ZONE_STEP)
    if (ck_is_zone(address + at)) return true;
  return ck_is_zone(address + bytes - 1);
}

/* ck_is_unwritten_local - a read of 4 to 16 bytes finds nothing but what an array had before it was
 * written; of fewer bytes that is too likely a value */
static inline __attribute__((always_inline)) bool ck_is_unwritten_local(uintptr_t address,
                                                                        size_t bytes) {
  const uint32_t *word = (const uint32_t *)(address & ~(uintptr_t)3);
  if (bytes < sizeof *word || *word != CK_UNWRITTEN) return false;
  for (size_t i = 1; 4 * i < bytes; i++)
    if (word[i] != CK_UNWRITTEN) return false;
  return bytes <= 16;
}

/* ck_doubt_local - it does; ck_settle_doubt - the running lane's next write goes there; true: it writes nothing that
 * could be read */
void ck_doubt_local(uintptr_t address, size_t bytes, const void *pc, const void *frame);
bool ck_settle_doubt(uintptr_t address, enum finding_access kind);
/* ck_report_zone - if it does */
void ck_report_zone(uintptr_t address, size_t bytes, enum finding_access kind, const void *pc,
                    const void *frame);

#endif

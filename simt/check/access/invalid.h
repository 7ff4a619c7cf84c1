/* Accesses that are invalid by themselves: outside of their memory, never written, misaligned. */
#ifndef SIMT_CHECK_INVALID_H
#define SIMT_CHECK_INVALID_H

#include "shadow/current.h"

/* ck_check_first_access - nobody has written this cell yet. false: no variable and no allocation is
 * there, the access must not be entered into the cell */
bool ck_check_first_access(const struct ck_access *access, struct cell *cell, bool reads);
void ck_report_misaligned(const struct ck_access *access, size_t multiple);
void ck_report_constant_write(const struct ck_access *access);
/* ck_report_outside - of global memory; ends the launch where it would fault */
void ck_report_outside(const struct ck_access *access);
/* ck_fault_if_closed - ends the launch if nothing can be accessed there */
void ck_fault_if_closed(uintptr_t address, size_t bytes);
/* ck_known_outside - an index has been reported: true, if this is the access that it is of */
bool ck_known_outside(uintptr_t address, size_t bytes, enum ck_space space);

/* ---- other_space.c */
/* ck_check_other_space - neither device memory, nor shared, nor the lane's own stack */
void ck_check_other_space(uintptr_t address, size_t bytes, enum finding_access kind, const void *pc,
                          const void *frame);

#endif

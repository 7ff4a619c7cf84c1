/* What orders kernels, copies, fills and the host.
 *
 * Method   every operation has a number in its stream and a clock: for each stream, how many of
 *          its operations are done before. A stream's clock is its last operation's; events keep
 *          the clock of their record; the host has one, of what it has waited for. The legacy
 *          default stream joins all blocking streams and is joined by them. Operations that the
 *          host has waited for are forgotten
 * Limits   SLOTS streams with unfinished work, OPERATIONS operations; beyond, operations count as
 *          ordered. All threads of the host count as one
 * Source   CUDA C++ Programming Guide, section Asynchronous Concurrent Execution; CUDA Runtime
 *          API, sections API synchronization behavior and Stream synchronization behavior
 */
#ifndef SIMT_CHECK_STREAMS_H
#define SIMT_CHECK_STREAMS_H

#include "observer.h"

#include <stddef.h>
#include <stdint.h>

/* ck_op_begin - an operation starts; its access groups are `first_group` and above. `child`: a kernel
 * that was launched by a kernel, which belongs to its parent's operation */
void ck_op_begin(void *stream, uint32_t first_group, bool child);
/* ck_host_waits_operation - the running operation is over when the call returns */
void ck_host_waits_operation(void);
/* ck_ordered_below - all groups below are of operations ordered before the running one */
uint32_t ck_ordered_below(void);
/* ck_op_ordered - whether the operation of this group is ordered before the running one; groups
 * of the running one are not */
bool ck_op_ordered(uint32_t group);
/* ck_op_waited - whether the host (or the host function that a stream runs) may rely on the
 * operation of this group being done; ck_op_all_waited - all of them */
bool ck_op_waited(uint32_t group);
/* ck_op_first - the first group of the operation of this one, or of an earlier one of its stream */
uint32_t ck_op_first(uint32_t group);
bool ck_op_all_waited(void);
/* ck_op_name - "stream 2", "the default stream"; returns text */
const char *ck_op_name(uint32_t group, char *text, size_t size);
/* ck_conflict - the word of an access in [begin, begin + bytes) that is not ordered before a copy,
 * fill or free of now (writes: one that also conflicts with reads), 0 if there is none */
uint32_t ck_conflict(uintptr_t begin, size_t bytes, bool writes, uintptr_t *where);
/* ck_op_forget - group numbers begin anew: whatever was before is ordered */
void ck_op_forget(void);

#endif

/* What host code does with memory that the checker follows, and which errors are explained. */
#ifndef SIMT_CHECK_HOST_H
#define SIMT_CHECK_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ck_host_access - host code accesses memory of the arena. Not to be called for volatile and
 * atomic accesses of managed and pinned memory: these are how host and device talk */
void ck_host_access(uintptr_t address, size_t bytes, bool write, const void *pc, const void *frame);

/* ck_host_reads_again - host code reads memory of the arena, perhaps not for the first time, and perhaps
 * to see what a kernel does (polls.c) */
void ck_host_reads_again(uintptr_t address, bool is_volatile);
/* ck_host_sees - what it has read so there tells of what a kernel did before */
void ck_host_sees(uintptr_t address);

/* ck_host_block - host_heap.c: malloc or new gave a block that begins there and is still in use */
bool ck_host_block(uintptr_t begin, size_t *bytes);
/* ck_host_expects - an Async copy brings bytes there, in ordinary memory of the host; until it has
 * been waited for they are not to be touched. ck_expected: the range of all such bytes, to be
 * compared first; ck_host_expected_access - host code accesses some of that range */
struct ck_range {
  uintptr_t begin, bytes;
};
extern struct ck_range ck_expected;
void ck_host_expects(uintptr_t address, size_t bytes, uint32_t group);
void ck_host_expected_access(uintptr_t address, size_t bytes, bool write, const void *pc,
                             const void *frame);

/* ck_device_variables - the range of all variables of the device that host code may not touch, to be
 * compared first; ck_host_variable_access - it touches something of that range */
extern struct ck_range ck_device_variables;
void ck_host_variable_access(uintptr_t address, size_t bytes, bool write, bool is_volatile,
                             const void *pc, const void *frame);
/* ck_host_managed_access - inside the checker: it is a __managed__ variable, and no volatile access */
void ck_host_managed_access(uintptr_t address, size_t bytes, bool write, const void *pc,
                            const void *frame);
/* ck_look_at_end - of a copy or a fill: whether the host has taken a variable's name for its address */
void ck_look_at_end(uintptr_t address, bool writes);
/* ck_configured_pcs - the program's frames at its last <<<>>>; a hash of them (unchecked_errors.c) */
uint64_t ck_configured_pcs(uint64_t *pcs);
/* ck_host_range - host code reads or writes it by a function of a library (access/tsan.c) */
void ck_host_range(const void *memory, size_t bytes, bool writes, const void *pc,
                   const void *frame);
struct ck_call;
void ck_configured_at(const struct ck_call *call); /* that was it */

/* ck_call_explained - a finding has been made of the error that the running call will return
 * (unchecked_errors.c) */
void ck_call_explained(void);

#endif

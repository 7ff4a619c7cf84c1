/* The program's own frames at a call of the API, and what the program does with its result. */
#ifndef SIMT_CHECK_CALL_STACK_H
#define SIMT_CHECK_CALL_STACK_H

#include "findings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ck_host_stack - on the host or in a kernel: unwinds to the program's own frames, for calls
 * of the API. Returns a hash of them. */
uint64_t ck_host_stack(uint64_t pcs[FINDING_PCS]);
/* ck_host_frames - of host code: pc, then the frames above, by frame pointers */
void ck_host_frames(uint64_t pcs[FINDING_PCS], const void *pc, const void *frame);
/* ck_call_here - the call of the API in which we are, or by which what is done now was issued */
struct ck_call {
  const unsigned char *pcs[FINDING_PCS]; /* the program's frames, innermost first */
  int count;
  const void *ours; /* in the function that the program called, or in the driver's entry */
  bool driver;      /* the latter */
};
struct ck_call ck_call_here(void);
/* ck_call_is - what is done from now on was issued by this call; NULL: by the present one */
void ck_call_is(const struct ck_call *call);
uint64_t ck_call_pcs(const struct ck_call *call, uint64_t pcs[FINDING_PCS]);
/* ck_call_name - the function that the program called: "cudaMemcpy"; "" if it has no name */
void ck_call_name(const struct ck_call *call, char *name, size_t size);
/* ck_result_ignored - the program does not look at what that function returns: read from the
 * instructions behind the call */
bool ck_result_ignored(const struct ck_call *call);

#endif

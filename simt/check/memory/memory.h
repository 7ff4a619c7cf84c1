/* Allocations as the checker knows them, and the program's own frames at a call.
 *
 * Result   which allocation an address belongs to, live or freed, and the calls that made and
 *          freed it; whether an access lies wholly inside live memory
 * Method   memory.c keeps a table sorted by address; freed entries stay, the oldest go when there
 *          are many. A pointer that these functions return is good until the next allocation
 */
#ifndef SIMT_CHECK_MEMORY_H
#define SIMT_CHECK_MEMORY_H

#include "findings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ck_allocation {
  uintptr_t begin;
  size_t bytes;
  int kind; /* enum rt_kind */
  uint64_t serial;
  bool live;
  uint64_t made[FINDING_PCS], freed[FINDING_PCS];
  char maker[24], freer[24]; /* cudaMalloc, cudaFree */
};

/* ---- allocations.c --------------------------------------------------------------------------- */

/* ck_arena - all memory of the device but the program's variables; fixed before main */
void ck_arena(uintptr_t *begin, uintptr_t *end);
/* ck_allocation_at - the live or the last freed allocation that covers the address; if none does,
 * the nearest one, live ones first; NULL if there never was one */
const struct ck_allocation *ck_allocation_at(uintptr_t address);
/* ck_covers - whether it holds all these bytes, live or not */
bool ck_covers(const struct ck_allocation *a, uintptr_t address, size_t bytes);
/* ck_allocation_serial - another one after each allocation and free */
uint64_t ck_allocation_serial(void);
void ck_live_allocations(void (*each)(uintptr_t begin, size_t bytes));

/* ck_accessible - [address, address + bytes) is inside one live allocation */
struct ck_span {
  uintptr_t begin, end;
};
enum { CK_SPANS = 256 };
extern struct ck_span ck_last_spans[2], ck_spans[CK_SPANS];
bool ck_accessible_search(uintptr_t address, size_t bytes);

static inline bool ck_in_span(const struct ck_span *span, uintptr_t address, size_t bytes) {
  return address >= span->begin && address + bytes <= span->end;
}

static inline bool ck_accessible(uintptr_t address, size_t bytes) {
  return ck_in_span(&ck_last_spans[0], address, bytes) ||
         ck_in_span(&ck_last_spans[1], address, bytes) ||
         ck_in_span(&ck_spans[address >> 16 & (CK_SPANS - 1)], address, bytes) ||
         ck_accessible_search(address, bytes);
}

/* ck_describe - "4 bytes, 0 bytes behind the 400 bytes from cudaMalloc", also into the finding:
 * object, address, and the calls that made and freed the memory (sides 2 and 3) */
void ck_describe(uintptr_t address, size_t bytes, char *text, size_t size, struct finding *f);
/* ck_tell_allocation - sides 2 and 3 alone */
void ck_tell_allocation(struct finding *f, const struct ck_allocation *a);

/* ---- unwind.c: see ck_host_stack in check.h ------------------------------------------------------ */

/* ck_host_frames - of host code: pc, then the frames above, by frame pointers */
void ck_host_frames(uint64_t pcs[FINDING_PCS], const void *pc, const void *frame);
/* ck_call_here - the call of the API in which we are */
struct ck_call {
  const unsigned char *pcs[FINDING_PCS]; /* the program's frames, innermost first */
  int count;
  const void *ours; /* in the function that the program called, or in the driver's entry */
  bool driver;      /* the latter */
};
struct ck_call ck_call_here(void);
uint64_t ck_call_pcs(const struct ck_call *call, uint64_t pcs[FINDING_PCS]);
/* ck_call_name - the function that the program called: "cudaMemcpy"; "" if it has no name */
void ck_call_name(const struct ck_call *call, char *name, size_t size);
/* ck_result_ignored - the program does not look at what that function returns: read from the
 * instructions behind the call */
bool ck_result_ignored(const struct ck_call *call);

/* ---- host_accesses.c ----------------------------------------------------------------------------- */

/* ck_host_access - host code accesses memory of the arena. Not to be called for volatile and
 * atomic accesses of managed and pinned memory: these are how host and device talk */
void ck_host_access(uintptr_t address, size_t bytes, bool write, const void *pc, const void *frame);

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

#endif

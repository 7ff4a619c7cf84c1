/* Allocations as the checker knows them: which one an address belongs to, live or freed.
 *
 * Rule     a pointer that these functions return is good until the next allocation
 */
#ifndef SIMT_CHECK_ALLOCATIONS_H
#define SIMT_CHECK_ALLOCATIONS_H

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

/* ck_describe_address - "4 bytes, 0 bytes behind the 400 bytes from cudaMalloc", also into the
 * finding: object, address, and the calls that made and freed the memory (sides 2 and 3) */
void ck_describe_address(uintptr_t address, size_t bytes, char *text, size_t size,
                         struct finding *f);
/* ck_show_allocation - sides 2 and 3 alone */
void ck_show_allocation(struct finding *f, const struct ck_allocation *a);

/* ---- For who changes the table (host/frees.c) */

/* ck_allocation_add - a new one; freed ones that it covers go. NULL: no memory for the table */
struct ck_allocation *ck_allocation_add(uintptr_t begin, size_t bytes, int kind);
/* ck_allocation_begins - the live or last freed one that begins there; NULL if none does */
struct ck_allocation *ck_allocation_begins(uintptr_t address);
void ck_allocation_end(struct ck_allocation *a);
/* ck_allocations - all, sorted by address */
struct ck_allocation *ck_allocations(size_t *count);
/* ck_allocation_position - "byte 8 of the 400 bytes from cudaMalloc, which cudaFree freed" */
void ck_allocation_position(const struct ck_allocation *a, uintptr_t address, size_t bytes,
                            char *text, size_t size);
/* ck_maker - the usual function that makes memory of this kind */
const char *ck_maker(const struct ck_allocation *a);

/* ck_note_poll - what the running lane has looked at last may be what it waits for: is it memory that the
 * host may write? */
void ck_note_poll(void);

#endif

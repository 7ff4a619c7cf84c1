/* The table of allocations, for the checker's files that change it (allocations.c). */
#ifndef SIMT_CHECK_ALLOCATIONS_H
#define SIMT_CHECK_ALLOCATIONS_H

#include "memory.h"

/* ck_allocation_add - a new one; freed ones that it covers go. NULL: no memory for the table */
struct ck_allocation *ck_allocation_add(uintptr_t begin, size_t bytes, int kind);
/* ck_allocation_begins - the live or last freed one that begins there; NULL if none does */
struct ck_allocation *ck_allocation_begins(uintptr_t address);
void ck_allocation_end(struct ck_allocation *a);
/* ck_allocations - all, sorted by address */
struct ck_allocation *ck_allocations(size_t *count);
/* ck_allocation_place - "byte 8 of the 400 bytes from cudaMalloc, which cudaFree freed" */
void ck_allocation_place(const struct ck_allocation *a, uintptr_t address, size_t bytes, char *text,
                         size_t size);
/* ck_maker - the usual function that makes memory of this kind */
const char *ck_maker(const struct ck_allocation *a);

#endif

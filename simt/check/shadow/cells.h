/* The cell of an address, and what an earlier access in it is to the running lane.
 *
 * Method   an earlier access is surely in order if it was before the launch, or in this block
 *          before its last barrier: two comparisons of group numbers
 */
#ifndef SIMT_CHECK_CELLS_H
#define SIMT_CHECK_CELLS_H

#include "current.h"

#define CK_INLINE static inline __attribute__((always_inline))

CK_INLINE bool ck_is_sure(uint32_t word, enum ck_space space) {
  const uint32_t group = ck_group_of(word);
  if (space == CK_SHARED) return group < ck_current.barrier;
  return group < ck_current.ordered || (group >= ck_current.from && group < ck_current.barrier);
}

CK_INLINE bool ck_is_same(uint32_t a, uint32_t b) { return (a ^ b) >> CK_LANE_SHIFT == 0; }

/* Nobody has written it: since it was allocated, or in this block. */
CK_INLINE bool ck_is_fresh(uint32_t writer, enum ck_space space) {
  return space == CK_SHARED ? ck_group_of(writer) < ck_current.first : writer == 0;
}

CK_INLINE bool ck_word_is_atomic(uint32_t word) {
  return ck_groups[ck_group_of(word)].access == FINDING_ATOMIC;
}

/* Of an atomic operation: no other block's is in order with it. */
CK_INLINE bool ck_is_of_block(uint32_t word) { return ck_groups[ck_group_of(word)].of_block; }

CK_INLINE struct cell *ck_shared_cell(uintptr_t address) {
  if (address - ck_current.static_begin < ck_current.static_bytes)
    return ck_current.static_cells + (address / 4 - ck_current.static_begin / 4);
  if (address - ck_current.dynamic_begin < ck_current.dynamic_bytes)
    return ck_current.dynamic_cells + (address / 4 - ck_current.dynamic_begin / 4);
  return NULL;
}

CK_INLINE struct cell *ck_global_cell(uintptr_t address) {
  if (address - ck_current.arena < ck_current.arena_bytes)
    return ck_current.arena_cells + (address - ck_current.arena) / 4;
  if (address - ck_current.symbols < ck_current.symbols_bytes)
    return ck_current.symbol_cells + (address / 4 - ck_current.symbols / 4);
  return NULL;
}

#endif

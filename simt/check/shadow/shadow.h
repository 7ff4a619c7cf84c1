/* Shadow memory: who last wrote and read each 4 bytes.
 *
 * Method   12 bytes a cell: the last writer and two readers, each a word of access group, lane
 *          and byte mask. Groups are numbered in the order in which they first access, so
 *          a word is a time stamp, too. All zero: never touched. The arena's cells lie at a
 *          fixed offset, untouched pages cost nothing; shared memory has its cells in the
 *          block's own record
 * Limits   one writer a cell: where the bytes of a cell have several, the last one is known
 */
#ifndef SIMT_SHADOW_H
#define SIMT_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cell {
  uint32_t writer, reader, other;
};

/* A word: group 23 bits, lane 5 bits, bytes of the cell 4 bits. */
enum {
  CK_GROUP_SHIFT = 9,
  CK_LANE_SHIFT = 4,
  CK_ALL_BYTES = 15,
  CK_NOBODY = 0,
  CK_BEFORE = 1, /* the group of what was written before all that is remembered */
  CK_FIRST_GROUP = 3,
  CK_ASYNC = 1024, /* numbers of copies under way (race/async.c) */
  CK_FIRST_ASYNC = (1 << 23) - CK_ASYNC,
  CK_MOST_GROUPS = CK_FIRST_ASYNC - 2
};
/* What somebody has read though nobody had written it. */
#define CK_READ_BEFORE ((uint32_t)2 << CK_GROUP_SHIFT | CK_ALL_BYTES)
#define CK_WRITTEN_BEFORE ((uint32_t)CK_BEFORE << CK_GROUP_SHIFT | CK_ALL_BYTES)

static inline uint32_t ck_group_of(uint32_t word) { return word >> CK_GROUP_SHIFT; }
static inline uint32_t ck_lane_of(uint32_t word) { return word >> CK_LANE_SHIFT & 31; }

/* ck_cells - the cell of an address of the arena or of a __device__ variable; NULL elsewhere */
struct cell *ck_cells(uintptr_t address);

/* ck_shadow_new - fresh memory that nobody has written; ck_shadow_gone - it is no more.
 * ck_shadow_written - by the copy or fill `group`; ck_shadow_read likewise. ck_shadow_copied -
 * within the device: validity goes along. None of them looks for races: ck_conflict (streams.h) */
void ck_shadow_new(uintptr_t begin, size_t bytes);
void ck_shadow_gone(uintptr_t begin, size_t bytes);
void ck_shadow_written(uintptr_t begin, size_t bytes, uint32_t group);
void ck_shadow_read(uintptr_t begin, size_t bytes, uint32_t group);
void ck_shadow_copied(uintptr_t dst, uintptr_t src, size_t bytes, uint32_t group);

/* ck_shadow_open - reserves the cells of the arena; false: no address space */
bool ck_shadow_open(uintptr_t begin, uintptr_t end);

/* ck_is_ours - the address is one of the checker's tables */
bool ck_is_ours(uintptr_t address);

#endif

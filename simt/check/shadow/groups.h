/* Access groups: the lanes of one warp at one instruction between two synchronisations.
 *
 * Result   ck_group: the running lane's group for this instruction; a new one when its warp has
 *          synchronised since. Numbers ascend: they are the clock of the race rules
 * Limits   CK_MOST_GROUPS numbers, then all is forgotten but what was written (ck_forget)
 */
#ifndef SIMT_GROUPS_H
#define SIMT_GROUPS_H

#include "shadow.h"

struct group {
  uint32_t pcs[3];   /* in the program, innermost first; 0 ends */
  uint32_t launch;   /* number of the launch, or of the copy */
  uint32_t sequence; /* of the block */
  uint8_t warp, access, bytes;
  bool polled : 1;   /* a volatile read that waits for a write */
  bool of_block : 1; /* an atomic operation whose scope is the block */
  bool of_host : 1;  /* a copy from the host */
};

extern struct group *ck_groups;
extern uint32_t ck_next_group;

struct ck_cached {
  const void *pc, *caller;
  uint32_t tag, group;
};
enum { CK_CACHE = 2048 };
extern struct ck_cached ck_cache[CK_CACHE];

/* ck_groups_open - false: no address space. begin_anew: forgets all but what has been written, and
 * calls ck_groups_clear; asked when the numbers come to their end */
bool ck_groups_open(void (*begin_anew)(void));
void ck_groups_clear(void);
/* ck_forget - numbers begin anew */
void ck_forget(void);
/* ck_new_tag - of a warp since its last synchronisation; a group has one */
extern uint32_t ck_tags;
static inline uint32_t ck_new_tag(void) { return ++ck_tags; }
/* ck_group_hash - of the instruction and its callers: the key of findings about it */
uint64_t ck_group_hash(const struct group *group);
/* ck_group_new - for the running lane. `frame` is the frame of the function at `pc`. */
uint32_t ck_group_new(struct ck_cached *entry, const void *pc, const void *caller,
                      const void *frame, unsigned access, size_t bytes);
/* ck_group_of_call - for an operation of the host (copy, fill): pcs from ck_host_stack */
uint32_t ck_group_of_call(unsigned access, uint32_t launch, const uint64_t pcs[]);

#endif

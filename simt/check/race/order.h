/* What orders threads beyond barriers: a fence and an atomic write, then an atomic read.
 *
 * Method   a release is a node: all that its thread (its block up to a barrier, its warp up to a
 *          __syncwarp) had done before the fence. Reading what was released joins the node to what
 *          the reader knows. Whether an access is known is a search from there, newest first, done
 *          only when a conflict is at hand
 * Limits   the reader's side needs no fence, as most programs have none there; MOST nodes a
 *          launch, after which nothing between blocks is called a race (said in the report)
 * Source   the PTX memory consistency model: release and acquire patterns, cumulativity
 */
#ifndef SIMT_ORDER_H
#define SIMT_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ck_row {
  uint32_t known[32];
};

struct ck_node {
  struct ck_node *first, *second; /* what was known besides */
  uint64_t sequence;              /* of the block; UINT64_MAX: a mere join */
  uint32_t time, barrier, visit;
  uint32_t own; /* the group of the write itself */
  uint16_t thread;
  uint8_t scope;
  struct ck_row *row;
};

void ck_order_begin(void); /* a launch */
/* ck_release - the running lane has written `address` atomically. `ordered`: a release by itself,
 * without a fence; `keeps`: a read-modify-write, which carries on earlier releases */
void ck_release(uintptr_t address, bool ordered, int scope, bool keeps);
/* ck_acquire - it has read it */
void ck_acquire(uintptr_t address, bool strict);
void ck_fence(int scope);
struct ck_node *ck_join(struct ck_node *a, struct ck_node *b);
/* ck_order_knows - the running lane knows of this access */
bool ck_order_knows(uint64_t sequence, unsigned thread, uint32_t group);
bool ck_order_lost(void);
/* ck_order_meet - these lanes of a warp share what they have acquired */
struct ck_block;
/* ck_order_share_fences - after a __syncwarp each one's fences count for all that were before it */
void ck_order_share_fences(struct ck_block *block, size_t warp, unsigned lanes);
void ck_order_meet(struct ck_block *block, size_t warp, unsigned lanes);

#endif

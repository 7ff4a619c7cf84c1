/* How the blocks of a grid are dealt out to workers.
 *
 * Result   every block is taken by exactly one worker, and the number of those that have run to
 *          their end is known, so that a launch in which one was left out cannot pass for a good
 *          one
 * Method   a cursor and a counter that are moved by comparing and exchanging, so that they never
 *          pass their ends, not even for a moment: a worker that finds no room while its queue is
 *          empty leaves, and may do so only because another one has a block and will ask again.
 *          tests/simt/device_unit runs this text through all interleavings of its steps
 */
#ifndef SIMT_DEAL_H
#define SIMT_DEAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef SD_DEAL_STEP
#define SD_DEAL_STEP(word) ((void)0) /* before each access of a word that workers share */
#endif

struct sd_deal {
  uint64_t blocks;
  unsigned room;         /* blocks in run queues at once, all workers together */
  _Atomic uint64_t next; /* the first that nobody has taken */
  _Atomic uint64_t over; /* how many have run to their end */
  _Atomic unsigned queued;
};

/* sd_deal_run - takes up to `most` (at least one) blocks from *first on; how many, 0: none is
 * left */
static inline uint64_t sd_deal_run(struct sd_deal *deal, uint64_t most, uint64_t *first) {
  SD_DEAL_STEP(&deal->next);
  uint64_t next = atomic_load_explicit(&deal->next, memory_order_relaxed), count;
  do {
    const uint64_t left = deal->blocks - next;
    if (left == 0) return 0;
    count = most < left ? most : left;
    SD_DEAL_STEP(&deal->next);
  } while (!atomic_compare_exchange_strong(&deal->next, &next, next + count));
  *first = next;
  return count;
}

/* sd_deal_one - takes a block that stays in the run queue while others run; false: none is left, or
 * there is no room for it at present */
static inline bool sd_deal_one(struct sd_deal *deal, uint64_t *sequence) {
  SD_DEAL_STEP(&deal->next);
  if (atomic_load_explicit(&deal->next, memory_order_relaxed) == deal->blocks) return false;
  SD_DEAL_STEP(&deal->queued);
  unsigned queued = atomic_load(&deal->queued);
  do {
    if (queued >= deal->room) return false;
    SD_DEAL_STEP(&deal->queued);
  } while (!atomic_compare_exchange_strong(&deal->queued, &queued, queued + 1));
  if (sd_deal_run(deal, 1, sequence)) return true;
  SD_DEAL_STEP(&deal->queued);
  atomic_fetch_sub(&deal->queued, 1);
  return false;
}

/* sd_deal_over - so many blocks of a run have come to their end */
static inline void sd_deal_over(struct sd_deal *deal, uint64_t count) {
  SD_DEAL_STEP(&deal->over);
  atomic_fetch_add(&deal->over, count);
}

/* sd_deal_drop - a block has left the run queue; whole: it has come to its end */
static inline void sd_deal_drop(struct sd_deal *deal, bool whole) {
  if (whole) sd_deal_over(deal, 1);
  SD_DEAL_STEP(&deal->queued);
  atomic_fetch_sub(&deal->queued, 1);
}

/* sd_deal_left - when all workers have left: blocks that did not come to their end */
static inline uint64_t sd_deal_left(const struct sd_deal *deal) {
  return deal->blocks - atomic_load(&deal->over);
}

#endif

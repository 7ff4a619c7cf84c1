/* chain.h - chunk after chunk gets what the ones before it found
 *
 * Chunks are taken by a ticket, so that each waits for lower ones only, which have been taken before. */
#ifndef HEDDLE_CPU_SELECT_CHAIN_H
#define HEDDLE_CPU_SELECT_CHAIN_H

#include <stdatomic.h>

#include "host/context.h"

struct hd_cpu_chain {
  struct hd_cancellation *token;
  atomic_ullong ticket, turn;
};
void hd_cpu_chain_start(struct hd_cpu_chain *chain, struct hd_cancellation *token);
u64 hd_cpu_chain_take(struct hd_cpu_chain *chain);
/* Waits for the chunk's turn: what the one before wrote before it passed the turn on is seen. False: the call
 * was cancelled. */
bool hd_cpu_chain_wait(struct hd_cpu_chain *chain, u64 chunk);
void hd_cpu_chain_pass(struct hd_cpu_chain *chain, u64 chunk);

#endif

/* chain.c - chunks that take their turns, in order, between threads that work on several */
#include <sched.h>

#include "chain.h"

enum { PATIENCE = 256 }; /* pauses before another thread may have the processor */

void hd_cpu_chain_start(struct hd_cpu_chain *chain, struct hd_cancellation *token) {
  chain->token = token;
  atomic_init(&chain->ticket, 0);
  atomic_init(&chain->turn, 0);
}

u64 hd_cpu_chain_take(struct hd_cpu_chain *chain) {
  return atomic_fetch_add_explicit(&chain->ticket, 1, memory_order_relaxed);
}

bool hd_cpu_chain_wait(struct hd_cpu_chain *chain, u64 chunk) {
  for (unsigned spins = 1; atomic_load_explicit(&chain->turn, memory_order_acquire) != chunk;
       spins++) {
    if (spins % PATIENCE == 0) {
      if (hd_poll(chain->token)) return false;
      sched_yield();
      continue;
    }
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
  }
  return true;
}

void hd_cpu_chain_pass(struct hd_cpu_chain *chain, u64 chunk) {
  atomic_store_explicit(&chain->turn, chunk + 1, memory_order_release);
}

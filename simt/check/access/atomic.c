/* From the compiler's memory orders and scopes to accesses, acquires and releases.
 *
 * Limits   a compare and exchange that fails counts as one that writes. CUDA's own atomics are
 *          relaxed, and what they read counts as acquired without a fence behind it, as most
 *          programs have none there; cuda::atomic says its order, which is taken at its word
 */
#include "atomic.h"
#include "access.h"
#include "check.h"
#include "host/host.h"
#include "profile.h"
#include "race/order.h"
#include "usual.h"

static bool acquires(int order) {
  return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQ_REL ||
         order == __ATOMIC_SEQ_CST;
}

static bool releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/* Whose atomic write stands there: for the finding that a fence is missing. */
static void remember_writer(uintptr_t address, bool modified) {
  struct ck_block *block = ck_current.block;
  const struct cell *cell = ck_global_cell(address);
  if (!cell && modified) return; /* within a block only reading counts (race.c) */
  if (!cell) cell = ck_shared_cell(address);
  if (!cell || !cell->writer) return;
  const struct group *g = &ck_groups[ck_group_of(cell->writer)];
  if (g->launch != ck_current.launch) return;
  if (g->access != FINDING_ATOMIC && g->access != FINDING_VOLATILE_WRITE) return;
  const struct worker *me = sd_current;
  block->observed[block->observed_count++ % CK_OBSERVED] = (struct ck_observed){
      address, cell->writer, ck_current.barrier, (uint16_t)(me->lane - me->block->lanes), modified};
}

void ck_observe(uintptr_t address, int scope, bool strict, bool modified) {
  (void)scope;
  if (ck_current.skipped) return;
  remember_writer(address, modified);
  ck_acquire(address, strict);
}

void ck_publish_write(uintptr_t address, bool ordered, int scope, bool keeps) {
  if (ck_current.skipped || !(ordered || ck_current.fences)) return;
  ck_current.fences = true;
  ck_release(address, ordered, scope, keeps);
}

static void check_atomic(struct worker *me, uintptr_t address, size_t bytes, unsigned how, int word,
                         const void *pc, const void *frame) {
  const struct stack *stack = me->lane->stack;
  const int order = SIMT_ORDER_OF(word), scope = SIMT_SCOPE_OF(word);
  const bool strict = (word >> 16) != 0 && how == LOADS && !acquires(order);
  const bool reads = how == LOADS || how == MODIFIES, writes = how != LOADS;
  if (address - (uintptr_t)stack->base < stack->bytes) return;
  ck_current.looked_at = address;
  if (how != STORES) ck_observe(address, scope, strict, how != LOADS);
  ck_current.of_block = scope == SIMT_FENCE_BLOCK;
  ck_any_access(me, address, bytes, FINDING_ATOMIC, reads, writes, pc, frame);
  ck_current.of_block = false;
  if (writes) ck_publish_write(address, releases(order), scope, how != STORES);
}

bool ck_atomic(const volatile void *memory, size_t bytes, unsigned how, int order, const void *pc,
               const void *frame) {
  struct worker *me = sd_current;
  const bool plain = how != LOADS && SIMT_ORDER_OF(order) == __ATOMIC_RELAXED;
  if (plain && ck_usual_atomic(me, (uintptr_t)memory, bytes, pc, frame)) return true;
  if (pr_on) {
    pr_access(me, (const void *)memory, bytes, FINDING_ATOMIC, pc);
    return true;
  }
  if (ck_on && (!me || !me->lane) && how != STORES &&
      (uintptr_t)memory - ck_current.arena < ck_current.arena_bytes)
    ck_host_reads_again((uintptr_t)memory, true);
  if (!ck_on || !me || !me->lane) return false;
  check_atomic(me, (uintptr_t)memory, bytes, how, order, pc, frame);
  return true;
}

/* The accesses of lanes that run together, gathered by instruction.
 *
 * Method   between two basic blocks all lanes of a group make the same accesses in the same
 *          order, so that a lane's next one belongs to the request that is next in the list; its
 *          address is compared to be sure, and looked for where lanes differ. When the list is
 *          full the lane waits as if a basic block ended there
 * Limits   only global and shared memory count: not a thread's own stack, not the kernel's
 *          parameters, not the coordinates
 */
#include "profile.h"
#include "runtime.h"
#include "schedule/lockstep.h"

static struct pr_request requests[PR_SLOTS];

/* What a launch did not know yet: memory that is reserved with the first allocation. */
static bool is_global(uintptr_t address) {
  if (address - pr_current.body < pr_current.body_bytes) return false;
  return rt_is_symbol((const void *)address);
}

static uint64_t hash_of(const struct pr_request *r) {
  uint64_t hash = (uintptr_t)r->pc;
  for (unsigned i = 0; i < r->count; i++)
    hash = (hash ^ r->address[i]) * UINT64_C(0x9E3779B97F4A7C15) ^ hash >> 29;
  return hash | 1;
}

static void enter(const struct pr_request *r) {
  struct figures_record *record = pr_record(r->pc, (enum figures_kind)r->kind);
  struct pr_cost cost;
  if (!record) return;
  pr_measure(r, &cost);
  record->issues++;
  record->lanes += r->count;
  record->units += cost.units;
  record->ideal += cost.ideal;
  const uint64_t bytes = (uint64_t)r->count * r->bytes;
  if (r->reads) record->bytes_read += bytes;
  if (r->writes) record->bytes_written += bytes;
  if (cost.worst > record->worst) record->worst = cost.worst;
  if (!r->atomic) return;
  record->atomic = 1;
  record->turns += cost.contention;
  if (cost.contention > record->contention) record->contention = cost.contention;
  const uint64_t at_one = pr_contention(r);
  if (at_one > record->at_one) record->at_one = at_one;
}

uint64_t pr_flush(void) {
  uint64_t hash = 0;
  for (unsigned i = 0; i < pr_current.count; i++) {
    if (sd_lockstep.hashed) hash += hash_of(&requests[i]);
    enter(&requests[i]);
  }
  pr_current.count = 0;
  pr_current.ordinal = 0;
  pr_current.lane = NULL;
  return hash;
}

static struct pr_request *open_request(const void *pc, size_t bytes, int access, uint8_t kind) {
  struct pr_request *r = &requests[pr_current.count++];
  r->pc = pc;
  r->lanes = 0;
  r->count = 0;
  r->bytes = bytes < 4096 ? (uint32_t)bytes : 4096;
  r->kind = kind;
  r->atomic = access == PR_ATOMIC;
  r->writes = r->atomic || access == PR_WRITE || access == PR_VOLATILE_WRITE;
  r->reads = r->atomic || !r->writes;
  return r;
}

/* The next in the list was not it. NULL: no room. */
static struct pr_request *find(const void *pc, size_t bytes, int access, uint8_t kind,
                               uint32_t lane) {
  for (unsigned i = pr_current.ordinal; i < pr_current.count; i++) {
    struct pr_request *r = &requests[i];
    if (r->pc == pc && r->kind == kind && !(r->lanes & lane)) {
      pr_current.ordinal = i + 1;
      return r;
    }
  }
  if (pr_current.count == PR_SLOTS) return NULL;
  pr_current.ordinal = pr_current.count + 1;
  return open_request(pc, bytes, access, kind);
}

static void new_turn(const struct worker *me) {
  if (pr_current.warp != me->block->warp) pr_flush();
  pr_current.warp = me->block->warp;
  pr_current.lane = me->lane;
  pr_current.ordinal = 0;
}

void pr_access(struct worker *me, const void *address, size_t bytes, int kind, const void *pc) {
  if (!me || !me->lane || me->locked || !bytes) return;
  const uintptr_t a = (uintptr_t)address;
  uint8_t space = FIGURES_GLOBAL;
  if (a - pr_current.arena >= pr_current.arena_bytes) {
    if (a - pr_current.static_begin < pr_current.static_bytes ||
        a - pr_current.dynamic_begin < pr_current.dynamic_bytes)
      space = FIGURES_SHARED;
    else if (a - (uintptr_t)me->lane->stack->base < me->lane->stack->bytes || !is_global(a))
      return;
  }
  const uint32_t bit = me->lane->bit;
  if (pr_current.lane != me->lane) new_turn(me);
  struct pr_request *r = &requests[pr_current.ordinal];
  if (pr_current.ordinal < pr_current.count && r->pc == pc && r->kind == space &&
      !(r->lanes & bit)) {
    pr_current.ordinal++;
  } else {
    r = find(pc, bytes, kind, space, bit);
    while (!r) {
      sd_lockstep_split(me, pc);
      new_turn(me);
      r = find(pc, bytes, kind, space, bit);
    }
  }
  r->lanes |= bit;
  r->address[r->count++] = a;
}

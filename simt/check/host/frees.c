/* Allocations and frees: double and invalid frees, frees of what is still in use, leaks.
 *
 * Result   the table of allocations with the calls that made and freed each; findings of the
 *          classes double-free, invalid-free, leak, and races of cudaFreeAsync with operations of
 *          other streams
 * Method   cudaFree and cudaFreeHost wait for the device, as they do in practice. What is live at
 *          the program's end is a leak, unless it ended with an error of its own or a kernel had
 *          failed; cudaDeviceReset frees. Memory is zero when fresh: a read of what was never
 *          written is a finding anyway, and zeros keep runs repeatable
 */
#include "call_stack.h"
#include "check.h"
#include "entries.h"
#include "host.h"
#include "memory/allocations.h"
#include "memory/describe.h"
#include "shadow/launches.h"
#include "streams/streams.h"

#include "runtime.h"

#include <stdio.h>
#include <string.h>

static bool resetting;

void ck_on_allocated(const void *memory, size_t bytes, int kind) {
  CK_ALONE;
  struct ck_allocation *a = ck_allocation_add((uintptr_t)memory, bytes, kind);
  ck_shadow_new((uintptr_t)memory, bytes);
  if (!a) {
    ck_give_up("more allocations than the checker keeps");
    return;
  }
  const struct ck_call call = ck_call_here();
  ck_call_pcs(&call, a->made);
  if (kind != RT_HEAP) ck_call_name(&call, a->maker, sizeof a->maker);
}

void ck_on_freed(const void *memory, size_t bytes, int kind) {
  CK_ALONE;
  struct ck_allocation *a = ck_allocation_begins((uintptr_t)memory);
  ck_shadow_gone((uintptr_t)memory, bytes);
  if (!a || !a->live) return;
  const struct ck_call call = ck_call_here();
  ck_call_pcs(&call, a->freed);
  if (resetting)
    snprintf(a->freer, sizeof a->freer, "cudaDeviceReset");
  else if (kind == RT_HEAP)
    snprintf(a->freer, sizeof a->freer, "free in a kernel");
  else
    ck_call_name(&call, a->freer, sizeof a->freer);
  ck_allocation_end(a);
}

/* Notified twice, before and after: what is freed in between is freed by the reset. */
void ck_on_reset(void) {
  CK_ALONE;
  size_t count;
  struct ck_allocation *list = ck_allocations(&count);
  resetting = !resetting;
  if (resetting) ck_on_host_waits_all();
  for (size_t i = 0; i < count && resetting; i++)
    if (list[i].live && list[i].kind == RT_HEAP)
      ck_on_freed((const void *)list[i].begin, list[i].bytes, RT_HEAP);
}

/* ---- Frees in a stream ----------------------------------------------------------------------- */

static const char *access_kind(uint32_t word) {
  const uint32_t access = ck_groups[ck_group_of(word)].access;
  const bool reads = access == FINDING_READ || access == FINDING_COPY_READ ||
                     access == FINDING_VOLATILE_READ || access == FINDING_HOST_READ;
  return reads ? "read/write" : "write/write";
}

void ck_on_freeing(const void *memory, void *stream) {
  CK_ALONE;
  uint64_t pcs[FINDING_PCS];
  const struct ck_allocation *a = ck_allocation_begins((uintptr_t)memory);
  const uint64_t hash = ck_host_stack(pcs);
  uintptr_t where;
  if (!a || !a->live) return;
  ck_op_begin(stream, ck_next_group, false);
  ck_group_of_call(FINDING_FREE, ck_next_launch(NULL), pcs);
  const uint32_t word = ck_conflict(a->begin, a->bytes, true, &where);
  if (!word) return;
  struct finding *f = ck_finding(SD_RACE, hash, ck_groups[ck_group_of(word)].pcs[0]);
  if (!f) return;
  snprintf(f->kind, sizeof f->kind, "%s", access_kind(word));
  snprintf(f->space, sizeof f->space, "global");
  snprintf(f->reason, sizeof f->reason, "streams");
  snprintf(f->text, sizeof f->text, "the memory is freed while another stream may still use it");
  memcpy(f->sides[0].pcs, pcs, sizeof pcs);
  f->sides[0].access = FINDING_FREE;
  ck_op_name(ck_next_group - 1, f->sides[0].stream, sizeof f->sides[0].stream);
  ck_add_earlier(&f->sides[1], word);
  ck_op_name(ck_group_of(word), f->sides[1].stream, sizeof f->sides[1].stream);
  ck_describe_address(where, 4, f->object, sizeof f->object, f);
  ck_publish(f);
}

/* ---- Wrong frees ----------------------------------------------------------------------------- */

static void say_invalid(struct finding *f, const struct ck_allocation *a, uintptr_t address,
                        const char *call) {
  if (a && a->live && a->begin == address) {
    const bool pinned = a->kind == RT_PINNED;
    snprintf(f->text, sizeof f->text, "%s does not free memory from %s; %s does", call, ck_maker(a),
             pinned               ? "cudaFreeHost"
             : a->kind == RT_HEAP ? "free in a kernel"
                                  : "cudaFree");
  } else if (a && ck_covers(a, address, 1)) {
    snprintf(
        f->text, sizeof f->text,
        "%s of an address inside an allocation; only what the allocating call gave can be freed",
        call);
  } else {
    snprintf(f->text, sizeof f->text, "%s of memory that no allocation gave", call);
  }
}

void ck_on_bad_free(const void *memory) {
  CK_ALONE;
  const uintptr_t address = (uintptr_t)memory;
  const struct ck_allocation *a = rt_in_arena(memory) ? ck_allocation_at(address) : NULL;
  const bool second = a && !a->live && a->begin == address;
  struct finding_side side = {.access = FINDING_FREE};
  const struct ck_call here = ck_call_here();
  const uint64_t hash = ck_call_pcs(&here, side.pcs);
  char call[32];
  ck_call_explained();
  struct finding *f = ck_finding(second ? SD_DOUBLE_FREE : SD_INVALID_FREE, hash, 0);
  if (!f) return;
  ck_add_thread(&side);
  ck_call_name(&here, call, sizeof call);
  if (side.has_thread) snprintf(call, sizeof call, "free in a kernel");
  f->sides[0] = side;
  ck_describe_address(address, 1, f->object, sizeof f->object, f);
  if (!second) say_invalid(f, a, address, call[0] ? call : "cudaFree");
  ck_publish(f);
}

/* ---- Leaks ----------------------------------------------------------------------------------- */

static bool same_site(const struct ck_allocation *a, const struct ck_allocation *b) {
  return a->kind == b->kind && !memcmp(a->made, b->made, sizeof a->made);
}

/* All that one call site has allocated and not freed. */
static void report_leak(struct ck_allocation *list, size_t count) {
  const struct ck_allocation first = list[0];
  uint64_t hash = (uint64_t)first.kind;
  size_t bytes = 0, number = 0;
  for (size_t i = 0; i < count; i++) {
    if (!list[i].live || !same_site(&first, &list[i])) continue;
    bytes += list[i].bytes;
    number++;
    list[i].live = false;
  }
  for (int i = 0; i < FINDING_PCS; i++) hash = ck_hash(hash, first.made[i]);
  struct finding *f = ck_finding(SD_LEAK, hash, 0);
  if (!f) return;
  f->count = number;
  f->address = first.begin;
  memcpy(f->sides[0].pcs, first.made, sizeof first.made);
  f->sides[0].access = FINDING_ALLOCATION;
  f->sides[0].bytes = bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
  if (number == 1)
    snprintf(f->object, sizeof f->object, "%zu bytes from %s", bytes, ck_maker(&first));
  else
    snprintf(f->object, sizeof f->object, "%zu bytes in %zu allocations from %s", bytes, number,
             ck_maker(&first));
  ck_publish(f);
}

void ck_report_leaks(void) {
  size_t count;
  struct ck_allocation *list = ck_allocations(&count);
  for (size_t i = 0; i < count; i++)
    if (list[i].live) report_leak(list + i, count - i);
}

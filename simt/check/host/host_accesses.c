/* What host code does with memory of the arena.
 *
 * Result   device-pointer: memory of the device used on the host (works here, a GPU's host would
 *          crash); use-after-free and out-of-bounds of managed and pinned memory; races of the
 *          host with kernels and copies that it has not waited for
 * Method   the device's operations have run when their calls return, so that every conflict is
 *          seen from the host's side: its access meets the cells that the operation has written
 * Limits   memory that the host merely registered is not followed, nor is what library functions
 *          do with memory, but for those of access/library_calls.c
 */
#include "call_stack.h"
#include "check.h"
#include "entries.h"
#include "host.h"
#include "memory/allocations.h"
#include "memory/describe.h"
#include "shadow/current.h"
#include "streams/streams.h"

#include "runtime.h"

#include <stdio.h>
#include <string.h>

static void set_side(struct finding_side *side, size_t bytes, bool write, const void *pc,
                     const void *frame) {
  ck_host_frames(side->pcs, pc, frame);
  side->access = write ? FINDING_HOST_WRITE : FINDING_HOST_READ;
  side->bytes = (uint32_t)bytes;
}

static void wrong(enum sd_class class, uintptr_t address, size_t bytes, bool write, const void *pc,
                  const void *frame, const char *text) {
  struct finding_side side = {.access = FINDING_NO_ACCESS};
  set_side(&side, bytes, write, pc, frame);
  struct finding *f = ck_finding(class, side.pcs[0], side.pcs[1]);
  if (!f) return;
  f->sides[0] = side;
  snprintf(f->space, sizeof f->space, "global");
  snprintf(f->text, sizeof f->text, "%s", text);
  ck_describe_address(address, bytes, f->object, sizeof f->object, f);
  ck_publish(f);
}

static void race(uintptr_t address, size_t bytes, bool write, const void *pc, const void *frame,
                 uint32_t word) {
  const struct group *earlier = &ck_groups[ck_group_of(word)];
  struct finding_side side = {.access = FINDING_NO_ACCESS};
  set_side(&side, bytes, write, pc, frame);
  struct finding *f = ck_finding(SD_RACE, ck_hash(side.pcs[0], side.pcs[1]),
                                 ck_hash(earlier->pcs[0], earlier->access));
  if (!f) return;
  const bool wrote = earlier->access == FINDING_WRITE || earlier->access == FINDING_ATOMIC ||
                     earlier->access == FINDING_VOLATILE_WRITE ||
                     earlier->access == FINDING_COPY_WRITE;
  snprintf(f->kind, sizeof f->kind, "%s", write && wrote ? "write/write" : "read/write");
  snprintf(f->space, sizeof f->space, "global");
  snprintf(f->reason, sizeof f->reason, "host");
  f->sides[0] = side;
  ck_add_earlier(&f->sides[1], word);
  ck_op_name(ck_group_of(word), f->sides[1].stream, sizeof f->sides[1].stream);
  ck_describe_address(address, bytes, f->object, sizeof f->object, f);
  ck_publish(f);
}

/* What a kernel did up to an access that the host has seen: groups. */
static struct { uint32_t from, to; } seen;

void ck_host_forget(void) { seen.from = seen.to = 0; }

void ck_host_sees(uintptr_t address) {
  const struct cell *cell = ck_cells(address);
  const uint32_t group = cell ? ck_group_of(cell->writer) : 0;
  if (group < CK_FIRST_GROUP || !ck_current.fences || ck_op_waited(group)) return;
  const unsigned access = ck_groups[group].access;
  if (access != FINDING_ATOMIC && access != FINDING_VOLATILE_WRITE) return;
  if (group >= seen.from && group <= seen.to) return;
  seen.from = ck_op_first(group);
  seen.to = group;
}

/* Whether the host may not count on the end of the operation of this word's group. */
static bool conflicts(uint32_t word, uint32_t bytes) {
  const uint32_t group = ck_group_of(word);
  if (group >= seen.from && group <= seen.to) return false;
  return (word & bytes) && group >= CK_FIRST_GROUP && !ck_op_waited(group);
}

static uint32_t bytes_of(uintptr_t address, size_t bytes) {
  const size_t offset = address & 3;
  if (bytes >= 4 - offset) return (uint32_t)CK_ALL_BYTES << offset & CK_ALL_BYTES;
  return ((1u << bytes) - 1) << offset;
}

static void look_for_race(uintptr_t address, size_t bytes, bool write, const void *pc,
                          const void *frame) {
  const uintptr_t end = address + bytes;
  const struct cell *cell = ck_cells(address);
  for (uintptr_t at = address; cell && at < end; at = (at & ~(uintptr_t)3) + 4, cell++) {
    const uint32_t mask = bytes_of(at, end - at);
    const uint32_t word = conflicts(cell->writer, mask)            ? cell->writer
                          : write && conflicts(cell->reader, mask) ? cell->reader
                          : write && conflicts(cell->other, mask)  ? cell->other
                                                                   : 0;
    if (!word) continue;
    race(address, bytes, write, pc, frame, word);
    return;
  }
}

static struct ck_span last; /* of managed or pinned memory */
static uint64_t last_serial;

static void look_at(uintptr_t address, size_t bytes, bool write, const void *pc,
                    const void *frame) {
  const struct ck_allocation *a = ck_allocation_at(address);
  if (!a) return;
  const bool open = a->kind == RT_MANAGED || a->kind == RT_PINNED;
  if (!open) {
    wrong(SD_DEVICE_POINTER, address, bytes, write, pc, frame,
          "host code uses memory of the device; it must be copied to the host first");
  } else if (!ck_covers(a, address, 1) || (a->live && !ck_covers(a, address, bytes))) {
    wrong(SD_OUT_OF_BOUNDS, address, bytes, write, pc, frame, "");
  } else if (!a->live) {
    wrong(SD_USE_AFTER_FREE, address, bytes, write, pc, frame, "");
  } else {
    last = (struct ck_span){a->begin, a->begin + a->bytes};
    last_serial = ck_allocation_serial();
    if (!ck_op_all_waited()) look_for_race(address, bytes, write, pc, frame);
  }
}

/* While another thread of the host is at work here, this one's access is not looked at: a kernel
 * may be waiting for it. */
void ck_host_access(uintptr_t address, size_t bytes, bool write, const void *pc,
                    const void *frame) {
  if (bytes == 0) return;
  if (ck_op_all_waited() && last_serial == ck_allocation_serial() &&
      ck_in_span(&last, address, bytes))
    return;
  const bool entered = ck_try_enter();
  if (!entered) return;
  look_at(address, bytes, write, pc, frame);
  ck_leave(&entered);
}

void ck_host_managed_access(uintptr_t address, size_t bytes, bool write, const void *pc,
                            const void *frame) {
  if (!ck_op_all_waited()) look_for_race(address, bytes, write, pc, frame);
}

/* ---- Copies into ordinary memory of the host ------------------------------------------------- */

enum { EXPECTED = 64 };

struct ck_range ck_expected;

static struct expected {
  uintptr_t begin, end;
  uint32_t group;
} expected[EXPECTED];
static size_t expected_count;

/* What has been waited for goes; then the range of the rest. */
static void settle_expected(void) {
  size_t kept = 0;
  uintptr_t first = UINTPTR_MAX, last = 0;
  for (size_t i = 0; i < expected_count; i++) {
    const struct expected e = expected[i];
    if (ck_op_waited(e.group)) continue;
    expected[kept++] = e;
    if (e.begin < first) first = e.begin;
    if (e.end > last) last = e.end;
  }
  expected_count = kept;
  ck_expected = kept ? (struct ck_range){first, last - first} : (struct ck_range){0, 0};
}

void ck_host_expects(uintptr_t address, size_t bytes, uint32_t group) {
  settle_expected();
  if (expected_count == EXPECTED) return;
  expected[expected_count++] = (struct expected){address, address + bytes, group};
  settle_expected();
}

void ck_host_expected_access(uintptr_t address, size_t bytes, bool write, const void *pc,
                             const void *frame) {
  const bool entered = ck_try_enter();
  if (!entered) return;
  settle_expected();
  for (size_t i = 0; i < expected_count; i++) {
    const struct expected *e = &expected[i];
    if (address >= e->end || address + bytes <= e->begin) continue;
    race(address, bytes, write, pc, frame, e->group << CK_GROUP_SHIFT | CK_ALL_BYTES);
    break;
  }
  ck_leave(&entered);
}

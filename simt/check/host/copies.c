/* Copies and fills: what they access, in which order, and what is wrong with refused ones.
 *
 * Result   races with operations of other streams; reads of memory that nobody has written; for
 *          refused ones which end is wrong and how (host-pointer, device-pointer, null-pointer,
 *          out-of-bounds, use-after-free)
 * Method   a copy is an operation with an access group for what it reads and one for what it
 *          writes. The host waits for ordinary copies but for those within the device, for fills
 *          only of memory that it can reach. Pageable sources of Async copies are taken at once,
 *          so that the host may change them; on the arrival in pageable memory it may not count
 * Limits   never-written memory is reported when no byte of what is copied to the host was
 *          written: copying padding or the unused end of a buffer along is common and harmless
 * Source   CUDA Runtime API 13.0, section API synchronization behavior
 */
#include "copies.h"
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

/* ---- Rows ------------------------------------------------------------------------------------ */

typedef bool (*each_row)(const struct ck_end *end, uintptr_t row, size_t bytes, void *user);

/* Row by row until one says true; rows that follow each other closely are one. */
static bool rows(const struct sd_copy *copy, const struct ck_end *end, each_row each, void *user) {
  const size_t layer = (copy->height - 1) * end->pitch + copy->width;
  if (copy->height == 1 || end->pitch == copy->width) {
    for (size_t z = 0; z < copy->depth; z++)
      if (each(end, end->address + z * end->slice, layer, user)) return true;
    return false;
  }
  for (size_t z = 0; z < copy->depth; z++)
    for (size_t y = 0; y < copy->height; y++)
      if (each(end, end->address + z * end->slice + y * end->pitch, copy->width, user)) return true;
  return false;
}

/* ---- Races ----------------------------------------------------------------------------------- */

/* Unordered accesses of different instructions; the first few are reported. */
enum { CONFLICTS = 4 };
struct conflicts {
  size_t count;
  struct conflict {
    uint32_t word;
    uintptr_t where;
  } list[CONFLICTS];
};

static bool same_instruction(uint32_t a, uint32_t b) {
  const struct group *g = &ck_groups[ck_group_of(a)], *h = &ck_groups[ck_group_of(b)];
  return g == h || (g->pcs[0] == h->pcs[0] && g->access == h->access);
}

static void add_conflict(struct conflicts *c, uint32_t word, uintptr_t where) {
  const uint32_t group = ck_group_of(word);
  if (group < CK_FIRST_GROUP || group < ck_current.ordered || !(word & CK_ALL_BYTES)) return;
  for (size_t i = 0; i < c->count; i++)
    if (same_instruction(c->list[i].word, word)) return;
  if (c->count == CONFLICTS || ck_op_ordered(group)) return;
  c->list[c->count++] = (struct conflict){word, where};
}

static bool look(const struct ck_end *end, uintptr_t row, size_t bytes, void *user) {
  struct conflicts *found = user;
  const struct cell *cell = ck_cells(row);
  const size_t cells = (row + bytes - 1) / 4 - row / 4 + 1;
  for (size_t i = 0; cell && i < cells; i++) {
    const uintptr_t at = (row & ~(uintptr_t)3) + 4 * i;
    add_conflict(found, cell[i].writer, at);
    if (!end->writes) continue;
    add_conflict(found, cell[i].reader, at);
    add_conflict(found, cell[i].other, at);
  }
  return false;
}

static bool mark(const struct ck_end *end, uintptr_t row, size_t bytes, void *user) {
  const uint32_t group = *(const uint32_t *)user;
  if (end->writes) {
    ck_shadow_written(row, bytes, group);
    return false;
  }
  /* What the host itself has written into such memory has left no trace. */
  struct cell *cell = end->device ? NULL : ck_cells(row);
  for (size_t i = 0; cell && i <= (row + bytes - 1) / 4 - row / 4; i++)
    if (!cell[i].writer) cell[i].writer = CK_WRITTEN_BEFORE;
  ck_shadow_read(row, bytes, group);
  return false;
}

static bool earlier_reads(uint32_t word) {
  const uint32_t access = ck_groups[ck_group_of(word)].access;
  return access == FINDING_READ || access == FINDING_VOLATILE_READ || access == FINDING_COPY_READ;
}

static void report_race(const struct ck_end *end, const struct conflict *c, uint32_t group,
                        const uint64_t pcs[FINDING_PCS]) {
  const struct group *earlier = &ck_groups[ck_group_of(c->word)];
  struct finding *f = ck_finding(SD_RACE, ck_hash(pcs[0], pcs[1] + end->writes),
                                 ck_hash(earlier->pcs[0], earlier->access));
  if (!f) return;
  const bool read = !end->writes || earlier_reads(c->word);
  snprintf(f->kind, sizeof f->kind, "%s", read ? "read/write" : "write/write");
  snprintf(f->space, sizeof f->space, "global");
  snprintf(f->reason, sizeof f->reason, "streams");
  memcpy(f->sides[0].pcs, pcs, sizeof f->sides[0].pcs);
  f->sides[0].access = end->writes ? FINDING_COPY_WRITE : FINDING_COPY_READ;
  f->sides[0].bytes = end->bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)end->bytes;
  ck_op_name(group, f->sides[0].stream, sizeof f->sides[0].stream);
  ck_add_earlier(&f->sides[1], c->word);
  ck_op_name(ck_group_of(c->word), f->sides[1].stream, sizeof f->sides[1].stream);
  ck_describe_address(c->where, 1, f->object, sizeof f->object, f);
  ck_publish(f);
}

/* ---- Never written --------------------------------------------------------------------------- */

static bool is_written(const struct ck_end *end, uintptr_t row, size_t bytes, void *user) {
  const struct cell *cell = ck_cells(row);
  const size_t cells = (row + bytes - 1) / 4 - row / 4 + 1;
  (void)end;
  (void)user;
  for (size_t i = 0; cell && i < cells; i++)
    if (cell[i].writer) return true;
  return !cell;
}

static void report_unwritten(const struct ck_end *end, const uint64_t pcs[FINDING_PCS]) {
  struct finding *f = ck_finding(SD_UNINITIALISED, ck_hash(pcs[0], pcs[1]), 0);
  if (!f) return;
  snprintf(f->space, sizeof f->space, "global");
  snprintf(f->text, sizeof f->text, "memory that nobody has written is copied to the host");
  memcpy(f->sides[0].pcs, pcs, sizeof f->sides[0].pcs);
  f->sides[0].access = FINDING_COPY_READ;
  f->sides[0].bytes = end->bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)end->bytes;
  ck_describe_address(end->address, end->bytes, f->object, sizeof f->object, f);
  ck_publish(f);
}

/* ---- Operations ------------------------------------------------------------------------------ */

static uint32_t first_group; /* of the running operation */

static void use(const struct sd_copy *copy, const struct ck_end *end, uint32_t group,
                const uint64_t pcs[FINDING_PCS]) {
  struct conflicts found = {.count = 0};
  if (!end->tracked || ck_current.ordered == first_group) return; /* all before is ordered */
  rows(copy, end, look, &found);
  for (size_t i = 0; i < found.count; i++) report_race(end, &found.list[i], group, pcs);
}

/* A block of the host's heap that is too small for what is copied. */
static void look_at_host(const struct ck_end *end, const uint64_t pcs[FINDING_PCS]) {
  size_t room;
  if (!end->pageable || !ck_host_block(end->address, &room) || end->bytes <= room) return;
  struct finding *f = ck_finding(SD_OUT_OF_BOUNDS, ck_hash(pcs[0], pcs[1]), end->writes);
  if (!f) return;
  f->address = end->address;
  memcpy(f->sides[0].pcs, pcs, sizeof f->sides[0].pcs);
  f->sides[0].access = end->writes ? FINDING_COPY_WRITE : FINDING_COPY_READ;
  f->sides[0].bytes = end->bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)end->bytes;
  snprintf(f->object, sizeof f->object, "%zu bytes of the host's heap", room);
  snprintf(f->text, sizeof f->text, "%zu bytes do not fit there", end->bytes);
  ck_publish(f);
}

static bool is_empty(const struct sd_copy *c) { return !c->width || !c->height || !c->depth; }

/* In the lane of a kernel these calls are not followed. */
static bool on_lane(void) { return sd_current && sd_current->lane; }

static uint32_t begin_operation(void *stream) {
  if (ck_next_group + 4 >= CK_MOST_GROUPS) ck_forget();
  first_group = ck_next_group;
  ck_op_begin(stream, first_group, false);
  ck_current.ordered = ck_ordered_below();
  return ck_next_launch(NULL);
}

static bool host_waits(const struct sd_copy *copy, const struct ck_end *to,
                       const struct ck_end *from) {
  if (to->device && from->device) return false;
  return copy->waits || (!to->device && !from->device);
}

void ck_on_copied(const struct sd_copy *copy, int error) {
  CK_ALONE;
  uint64_t pcs[FINDING_PCS];
  if (is_empty(copy) || on_lane()) return;
  if (error) {
    ck_report_refused(copy, false);
    return;
  }
  const struct ck_end to = ck_end_of(copy, true), from = ck_end_of(copy, false);
  ck_host_stack(pcs);
  ck_look_at_end(from.address, false);
  ck_look_at_end(to.address, true);
  const uint32_t number = begin_operation(copy->stream);
  uint32_t reads = ck_group_of_call(FINDING_COPY_READ, number, pcs);
  uint32_t writes = ck_group_of_call(FINDING_COPY_WRITE, number, pcs);
  ck_groups[writes].of_host = !from.device;
  look_at_host(&from, pcs);
  look_at_host(&to, pcs);
  use(copy, &from, reads, pcs);
  use(copy, &to, writes, pcs);
  if (from.fresh && !to.device && !rows(copy, &from, is_written, NULL))
    report_unwritten(&from, pcs);
  const bool within = from.device && from.tracked && to.tracked && from.pitch == to.pitch &&
                      from.slice == to.slice && (copy->height == 1 || from.pitch == copy->width) &&
                      copy->depth == 1;
  const bool waits = host_waits(copy, &to, &from);
  if (from.tracked && !waits) rows(copy, &from, mark, &reads); /* else nothing can come between */
  if (within)
    ck_shadow_copied(to.address, from.address, to.bytes, writes);
  else if (to.tracked)
    rows(copy, &to, mark, &writes);
  if (waits)
    ck_host_waits_operation();
  else if (to.pageable)
    ck_host_expects(to.address, to.bytes, writes);
}

void ck_on_filled(const struct sd_copy *fill, int error) {
  CK_ALONE;
  uint64_t pcs[FINDING_PCS];
  if (is_empty(fill) || on_lane()) return;
  if (error) {
    ck_report_refused(fill, true);
    return;
  }
  const struct ck_end to = ck_end_of(fill, true);
  ck_host_stack(pcs);
  ck_look_at_end(to.address, true);
  const uint32_t number = begin_operation(fill->stream);
  uint32_t writes = ck_group_of_call(FINDING_COPY_WRITE, number, pcs);
  use(fill, &to, writes, pcs);
  if (to.tracked) rows(fill, &to, mark, &writes);
  if (fill->waits && !to.device) ck_host_waits_operation();
}

/* Accesses beside an array of the thread's own, and reads of one that has not been written (local.h).
 *
 * Method   a zone is marks, and at its far end a note of the launch and the array's size. From a
 *          mark the note is found behind marks on one side, the array on the other.
 *          A thread that was ended leaves its zones: those of another launch are none
 *          A read of what was never written counts if the thread's next write is to the same place, or
 *          to memory of others, and no function of a warp has come between
 * Limits   what lands beyond the zones; up to 3 bytes in front of an array of small elements
 */
#include "local.h"
#include "shadow/cells.h"
#include "shadow/current.h"

#include <stdio.h>
#include <string.h>

struct note {
  uint32_t magic, launch;
  uint64_t bytes;
};

/* Of a small zone; one more of a large one. */
enum { NOTE_BEFORE = 0x5C6EB1A6, NOTE_BEHIND = 0x5C6EB1A8 };

static size_t marks_bytes(bool large) {
  return (large ? SIMT_ZONE : SIMT_SMALL_ZONE) - sizeof(struct note);
}

/* The zone in front; it ends at a multiple of 4. */
static char *zone_before(const void *variable, size_t zone) {
  return (char *)((uintptr_t)variable & ~(uintptr_t)3) - zone;
}

static void set_note(void *to, uint32_t magic, size_t zone, size_t bytes) {
  const struct note note = {magic + (zone == SIMT_ZONE), ck_current.launch, bytes};
  memcpy(to, &note, sizeof note);
}

SIMT_API void simt_local_begin(const void *variable, size_t bytes, void *behind, size_t zone) {
  const struct worker *me = sd_current;
  char *before = zone_before(variable, zone);
  const size_t marks = zone - sizeof(struct note);
  const uint32_t mark = CK_ZONE_MARK;
  if (!ck_on || !me || !me->lane) return;
  for (size_t i = 0; i < marks; i += sizeof mark) {
    memcpy(before + sizeof(struct note) + i, &mark, sizeof mark);
    memcpy((char *)behind + i, &mark, sizeof mark);
  }
  set_note(before, NOTE_BEFORE, zone, bytes);
  set_note((char *)behind + marks, NOTE_BEHIND, zone, bytes);
}

SIMT_API void simt_local_end(const void *variable, void *behind, size_t zone) {
  const struct worker *me = sd_current;
  if (!ck_on || !me || !me->lane) return;
  memset(zone_before(variable, zone), 0, zone);
  memset(behind, 0, zone);
}

SIMT_API void simt_local_unwritten(void *variable, size_t bytes) {
  const struct worker *me = sd_current;
  if (!ck_on || !me || !me->lane) return;
  uint32_t *word = (uint32_t *)(((uintptr_t)variable + 3) & ~(uintptr_t)3);
  const uint32_t *end = (const uint32_t *)((uintptr_t)variable + bytes);
  while (word + 1 <= end) *word++ = CK_UNWRITTEN;
}

/* A read that found nothing, until the next write. */
static struct {
  const struct lane *lane;
  uintptr_t address;
  uint64_t key;
  struct finding_side side;
} doubt;

void ck_doubt_local(uintptr_t address, size_t bytes, const void *pc, const void *frame) {
  const struct worker *me = sd_current;
  if (ck_current.skipped || ck_current.quiet) return;
  if (ck_current.doubtful && doubt.lane == me->lane) return;
  memset(&doubt.side, 0, sizeof doubt.side);
  doubt.lane = me->lane;
  doubt.address = address;
  doubt.key = (uintptr_t)pc;
  ck_add_stack(&doubt.side, pc, frame);
  ck_add_thread(&doubt.side);
  doubt.side.access = FINDING_READ;
  doubt.side.bytes = (uint32_t)bytes;
  ck_current.doubtful = true;
}

/* What goes into another variable of the thread's own is moved, maybe for nothing: the last step of a
 * loop that reads ahead. So is what goes to shared memory, as the rest of a tile does that is turned there: that stays
 * as unwritten as it is. What is changed in place, or told to all, is used. */
bool ck_settle_doubt(uintptr_t address, enum finding_access kind) {
  const struct worker *me = sd_current;
  const bool moved =
      address != doubt.address && address - ck_current.stack < ck_current.stack_bytes;
  ck_current.doubtful = false;
  if (moved || doubt.lane != me->lane) return false;
  if (kind == FINDING_WRITE && !ck_global_cell(address) && ck_shared_cell(address)) return true;
  struct finding *f = ck_finding(SD_UNINITIALISED, doubt.key, 0);
  if (!f) return false;
  f->sides[0] = doubt.side;
  snprintf(f->space, sizeof f->space, "local");
  snprintf(f->object, sizeof f->object, "a variable of the thread's own");
  ck_publish(f);
  return false;
}

/* *marks: bytes of the zone that the note is of. */
static bool read_note(struct note *note, uintptr_t address, uint32_t magic, size_t *marks) {
  memcpy(note, (const void *)address, sizeof *note);
  *marks = marks_bytes(note->magic != magic);
  return note->magic - magic <= 1 && note->launch == ck_current.launch;
}

/* Whose zone the mark at `address` is of; false: it only looks like one, as what is written byte by byte may, in
 * a zone's neighbourhood. */
static bool find_array(uintptr_t address, size_t *array_bytes, size_t *distance, bool *behind) {
  struct note note;
  uintptr_t low = address & ~(uintptr_t)3, high = low + 4;
  const uintptr_t from = low;
  size_t marks;
  while (from - low < SIMT_ZONE && ck_is_zone(low - 4)) low -= 4;
  while (high - from < SIMT_ZONE && ck_is_zone(high)) high += 4;
  *behind = read_note(&note, high, NOTE_BEHIND, &marks) && from >= high - marks;
  if (*behind)
    *distance = address - (high - marks);
  else if (read_note(&note, low - sizeof note, NOTE_BEFORE, &marks) && from < low + marks)
    *distance = low + marks - address;
  else
    return false;
  *array_bytes = note.bytes;
  return true;
}

void ck_report_zone(uintptr_t address, size_t bytes, enum finding_access kind, const void *pc,
                    const void *frame) {
  size_t array_bytes, distance, i = 0;
  bool behind;
  while (i < bytes && !ck_is_zone(address + i)) i++;
  if (ck_current.skipped || !find_array(address + i, &array_bytes, &distance, &behind)) return;
  if (ck_current.quiet) { /* the index that led there has been reported */
    if (ck_current.outside)
      snprintf(ck_current.outside->space, sizeof ck_current.outside->space, "local");
    ck_current.quiet = 0;
    return;
  }
  struct finding *f = ck_finding(SD_OUT_OF_BOUNDS, (uintptr_t)pc, behind);
  if (!f) return;
  ck_add_stack(&f->sides[0], pc, frame);
  ck_add_thread(&f->sides[0]);
  f->sides[0].access = kind;
  f->sides[0].bytes = (uint32_t)bytes;
  f->address = address;
  snprintf(f->space, sizeof f->space, "local");
  snprintf(f->object, sizeof f->object, "%zu bytes %s the %zu bytes of a local variable", distance,
           behind ? "behind" : "before", array_bytes);
  ck_publish(f);
}

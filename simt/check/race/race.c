/* The rules in their order, and the finding that is made where none of them holds.
 *
 * Method   two accesses of the same bytes, one of them a write, race unless both are atomic, and for
 *          more than their own blocks where these differ, or the earlier one happened before: in an
 *          earlier launch, before a barrier of the block, before a __syncwarp of both lanes, or known
 *          through fences and atomics (order.c). What an asynchronous copy brings is nobody's before
 *          its thread has waited (async.c).
 *          Two volatile accesses are communication, and wrong only if a fence is missing; the
 *          warp-synchronous assignments of old programs count as plain ones (lockstep.hpp)
 * Limits   of two plain writes the value of the second is compared with what stood there
 */
#include "race.h"
#include "guesses.h"
#include "memory/describe.h"
#include "order.h"
#include "shadow/cells.h"
#include "shadow/launches.h"
#include "streams/streams.h"

#include <stdio.h>
#include <string.h>

static struct {
  struct finding *finding;
  uintptr_t address;
  size_t bytes;
  unsigned char before[16];
} unsettled;

/* The earlier thread has written something atomically since, and this one has read that. */
static bool was_observed(const struct group *earlier, uint32_t group, bool same_block,
                         uintptr_t at) {
  const struct ck_block *block = ck_current.block;
  const unsigned n = block->observed_count < CK_OBSERVED ? block->observed_count : CK_OBSERVED;
  const unsigned thread = (unsigned)(sd_current->lane - sd_current->block->lanes);
  for (unsigned i = 0; i < n; i++) {
    const struct ck_observed *o = &block->observed[i];
    const struct group *writer = &ck_groups[ck_group_of(o->writer)];
    if (ck_group_of(o->writer) < group || writer->sequence != earlier->sequence) continue;
    if (writer->launch != earlier->launch || (same_block && o->modified)) continue;
    if (o->address >> 2 == at >> 2) continue; /* the word itself is no flag for itself */
    if (o->thread == thread || o->barrier < ck_current.barrier) return true;
  }
  return false;
}

static bool is_ordered_in_block(const struct group *g, uint32_t word, uintptr_t at,
                                const char **reason) {
  const struct worker *me = sd_current;
  const uint32_t group = ck_group_of(word), lane = ck_lane_of(word);
  const size_t warp = (size_t)(me->block->warp - me->block->warp_list);
  if (group < ck_current.barrier) return true;
  if (g->warp == warp) {
    const unsigned own = (unsigned)__builtin_ctz(me->lane->bit);
    if (lane == own) return true;
    if (ck_current.block->warps[warp].rows &&
        ck_current.block->warps[warp].known[own][lane] > group)
      return true;
  }
  if (ck_order_knows(g->sequence, g->warp * 32u + lane, group)) return true;
  *reason = g->warp == warp ? "syncwarp" : was_observed(g, group, true, at) ? "fence" : "barrier";
  return false;
}

bool ck_is_ordered(uint32_t word, uintptr_t at, const char **reason) {
  const uint32_t group = ck_group_of(word);
  const struct group *g = &ck_groups[group];
  if (group < ck_current.ordered) return true;
  if (g->launch != ck_current.launch) {
    *reason = "streams";
    return ck_op_ordered(group);
  }
  if (g->sequence == (uint32_t)ck_current.block->sequence)
    return is_ordered_in_block(g, word, at, reason);
  if (ck_order_lost()) return true;
  if (ck_order_knows(g->sequence, g->warp * 32u + ck_lane_of(word), group)) return true;
  *reason = was_observed(g, group, false, at) ? "fence" : "blocks";
  return false;
}

/* ---- What is said ---------------------------------------------------------------------------- */

static void copy_name(char *to, size_t size, const char *from) {
  snprintf(to, size, "%s", from ? from : "");
}

static uint64_t key_of(const struct group *g) {
  return ck_hash(ck_hash(g->pcs[0], g->pcs[1]), ck_hash(g->pcs[2], g->access));
}

static const char *kind_of(const struct group *a, const struct group *b, bool earlier_wrote) {
  const bool both = a->access == FINDING_ATOMIC && b->access == FINDING_ATOMIC;
  const bool atomic = a->access == FINDING_ATOMIC || b->access == FINDING_ATOMIC;
  const bool writes = a->access == FINDING_WRITE || a->access == FINDING_VOLATILE_WRITE ||
                      a->access == FINDING_ATOMIC || a->access == FINDING_COPY_WRITE;
  if (both) return "atomic/atomic";
  if (atomic) return "atomic/plain";
  return earlier_wrote && writes ? "write/write" : "read/write";
}

static void note_value(struct finding *finding, const struct ck_access *a) {
  if (ck_current.unsettled || a->bytes > sizeof unsettled.before) return;
  unsettled.finding = finding;
  unsettled.address = a->address;
  unsettled.bytes = a->bytes;
  memcpy(unsettled.before, (const void *)a->address, a->bytes);
  ck_current.unsettled = true;
}

void ck_race_settle(void) {
  ck_current.unsettled = false;
  const bool same = !memcmp(unsettled.before, (const void *)unsettled.address, unsettled.bytes);
  struct finding *f = unsettled.finding;
  if (!f->kind[0] || !same) copy_name(f->kind, sizeof f->kind, same ? "same-value" : "write/write");
}

/* What would order two accesses, the stronger the later: one pair of lines has one reason. */
static unsigned rank(const char *reason) {
  static const char *const ranks[] = {"syncwarp", "barrier", "blocks", "fence", "streams", "copy"};
  for (unsigned i = 0; i < sizeof ranks / sizeof *ranks; i++)
    if (!strcmp(reason, ranks[i])) return i + 1;
  return 0;
}

/* Races within a warp, whose cells are looked at again when the block has gone on. */
enum { REVIEWED = 32 };
static struct {
  struct finding *finding;
  const struct cell *cell;
  unsigned warp;
} reviewed[REVIEWED];
static unsigned review_count;

static void review_later(struct finding *finding, const struct ck_access *a, unsigned warp) {
  const struct cell *cell = ck_global_cell(a->at);
  if (!cell) cell = ck_shared_cell(a->at);
  for (unsigned i = 0; i < review_count; i++)
    if (reviewed[i].finding == finding) return;
  if (review_count == REVIEWED) return;
  reviewed[review_count].finding = finding;
  reviewed[review_count].cell = cell;
  reviewed[review_count++].warp = warp;
}

static bool is_of_other_warp(uint32_t word, unsigned warp) {
  const uint32_t group = ck_group_of(word);
  if (group < ck_current.barrier || group < ck_current.from) return false;
  return ck_groups[group].warp != warp;
}

void ck_race_review(void) {
  for (unsigned i = 0; i < review_count; i++) {
    const struct cell *c = reviewed[i].cell;
    const unsigned warp = reviewed[i].warp;
    if (is_of_other_warp(c->writer, warp) || is_of_other_warp(c->reader, warp) ||
        is_of_other_warp(c->other, warp)) {
      struct finding *f = reviewed[i].finding;
      if (!strcmp(f->reason, "syncwarp")) copy_name(f->reason, sizeof f->reason, "barrier");
    }
  }
  review_count = 0;
}

static void describe(struct finding *f, const struct ck_access *a, uint32_t word,
                     const char *reason) {
  copy_name(f->space, sizeof f->space, a->space == CK_SHARED ? "shared" : "global");
  copy_name(f->reason, sizeof f->reason, reason);
  f->address = a->at;
  memset(f->sides, 0, sizeof f->sides);
  ck_add_access(&f->sides[0], a);
  ck_add_earlier(&f->sides[1], word);
  ck_name_memory(f, a->space, a->at, a->bytes);
}

/* Of an atomic operation and a plain read, which may be a guess: the read. NULL: something else. */
static const struct group *plain_reader(const struct group *now, const struct group *earlier) {
  if (earlier->access == FINDING_ATOMIC) return now->access == FINDING_READ ? now : NULL;
  if (now->access == FINDING_ATOMIC) return earlier->access == FINDING_READ ? earlier : NULL;
  return NULL;
}

static void report(const struct ck_access *a, const struct group *now, const struct group *earlier,
                   uint32_t word, bool earlier_wrote, const char *reason) {
  const char *kind = kind_of(now, earlier, earlier_wrote);
  const uint64_t x = key_of(now), y = key_of(earlier);
  const bool both_write = kind[0] == 'w', other_launch = earlier->launch != now->launch;
  const uint64_t pair = x < y ? ck_hash(x, y) : ck_hash(y, x);
  const uint64_t more = (uint64_t)a->space * 2 + other_launch;
  struct finding *f = ck_finding(SD_RACE, pair, more);
  if (f) {
    copy_name(f->kind, sizeof f->kind, both_write ? "" : kind);
    describe(f, a, word, reason);
    ck_publish(f);
  }
  f = ck_last_finding();
  if (f->count == 1 || rank(reason) > rank(f->reason)) describe(f, a, word, reason);
  if (!strcmp(f->reason, "syncwarp")) review_later(f, a, now->warp);
  if (both_write) note_value(f, a);
  const struct group *reader = plain_reader(now, earlier);
  if (reader) ck_doubt(a->at, reader, pair, more);
}

static bool is_volatile(const struct group *g) {
  return g->access == FINDING_VOLATILE_READ || g->access == FINDING_VOLATILE_WRITE;
}

/* The last reads of what nobody had written, since the cell forgets its reader when he writes there. */
enum { UNWRITTEN_READS = 1024 };
static struct {
  uintptr_t at;
  uint32_t word;
} unwritten_reads[UNWRITTEN_READS];

void ck_note_unwritten(const struct ck_access *a) {
  const size_t i = a->at / 4 % UNWRITTEN_READS;
  unwritten_reads[i].at = a->at;
  unwritten_reads[i].word = a->word;
}

static bool is_one_thread(uint32_t a, uint32_t b) {
  const struct group *x = &ck_groups[ck_group_of(a)], *y = &ck_groups[ck_group_of(b)];
  return ck_lane_of(a) == ck_lane_of(b) && x->warp == y->warp && x->sequence == y->sequence &&
         x->launch == y->launch;
}

/* What a thread has read unwritten, and then written, another one writes without waiting. */
static void withdraw_own_read(const struct ck_access *a, uint32_t earlier) {
  const size_t i = a->at / 4 % UNWRITTEN_READS;
  const uint32_t read = unwritten_reads[i].word;
  if (unwritten_reads[i].at != a->at || !read || read == earlier) return;
  if (!is_one_thread(read, earlier) || is_one_thread(read, a->word)) return;
  unwritten_reads[i].word = 0;
  ck_finding_withdraw(SD_UNINITIALISED, ck_group_hash(&ck_groups[ck_group_of(read)]), 0);
}

/* A read of what nobody had written turns out to be a race. */
static void withdraw_unwritten(uint32_t reader) {
  const struct group *g = &ck_groups[ck_group_of(reader)];
  ck_finding_withdraw(SD_UNINITIALISED, ck_group_hash(g), 0);
}

/* Atomic operations of two blocks, one of which is one only for its own. */
static bool are_too_narrow(const struct group *now, const struct group *earlier) {
  if (!now->of_block && !earlier->of_block) return false;
  return now->launch == earlier->launch && now->sequence != earlier->sequence;
}

void ck_check_race(const struct ck_access *a, uint32_t word, enum ck_then how) {
  const struct group *now = &ck_groups[ck_group_of(a->word)];
  const struct group *earlier = &ck_groups[ck_group_of(word)];
  const bool atomic_now = now->access == FINDING_ATOMIC;
  const bool atomic_then = earlier->access == FINDING_ATOMIC;
  if (atomic_now && atomic_then && !are_too_narrow(now, earlier)) return;
  const struct group *reader = plain_reader(now, earlier);
  if (reader && ck_is_guess(a->at, reader)) return;
  const char *reason = "";
  if (ck_group_of(word) >= CK_FIRST_ASYNC) {
    report(a, now, earlier, word, true, "copy");
    return;
  }
  if (ck_is_ordered(word, a->at, &reason)) return;
  if ((atomic_now && is_volatile(earlier)) || (atomic_then && is_volatile(now))) return;
  if (atomic_now && atomic_then) reason = "blocks";
  if (now->polled || earlier->polled) return; /* what is polled is a flag */
  if (is_volatile(now) && is_volatile(earlier) && strcmp(reason, "fence") != 0) return;
  if (how == CK_READ_UNWRITTEN || how == CK_WROTE_UNWRITTEN) withdraw_unwritten(word);
  if (how == CK_WROTE && now->access == FINDING_WRITE) withdraw_own_read(a, word);
  report(a, now, earlier, word, how == CK_WROTE || how == CK_WROTE_UNWRITTEN, reason);
}

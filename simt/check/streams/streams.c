/* A list of the operations that the host has not waited for, by their first access group.
 *
 * Method   an operation is entered with its first access group, its stream's slot and its number
 *          there. Neighbours in one slot become one entry as long as nobody else has taken that
 *          slot's clock in between, so that a program with one stream has one entry. What an
 *          operation conflicts with is looked up cell by cell, once for the whole of it
 */
#include "streams.h"
#include "call_stack.h"
#include "check.h"
#include "clocks.h"
#include "entries.h"
#include "shadow/current.h"

#include <stdio.h>
#include <string.h>

enum { OPERATIONS = 1 << 15 };

struct operation {
  uint32_t first;  /* access group */
  uint32_t number; /* in its slot */
  uint32_t slot;   /* CK_NO_SLOT: ordered before everything */
};

static struct operation operations[OPERATIONS];
static size_t begin, end;
static uint32_t now_first; /* of the running operation */
static unsigned now_slot;
static const struct ck_clock *now;
static _Thread_local bool in_host_function;

/* ---- Which are forgotten -------------------------------------------------------------------- */

static bool done_before(const struct operation *op, const struct ck_clock *clock) {
  return op->slot == CK_NO_SLOT || clock->done[op->slot] >= op->number;
}

/* From the front, what the host has waited for. */
static void trim(void) {
  while (begin < end && done_before(&operations[begin], ck_host_clock())) begin++;
  if (begin == end) begin = end = 0;
}

/* Neighbours that the host has waited for become one; if that does not help, the older half
 * counts as ordered. */
static void make_room(void) {
  size_t kept = 0;
  for (size_t i = begin; i < end; i++) {
    struct operation op = operations[i];
    if (done_before(&op, ck_host_clock())) op.slot = CK_NO_SLOT;
    if (op.slot == CK_NO_SLOT && kept && operations[kept - 1].slot == CK_NO_SLOT) continue;
    operations[kept++] = op;
  }
  begin = 0;
  end = kept;
  if (end > OPERATIONS / 4 * 3) {
    memmove(operations, operations + end / 2, (end - end / 2) * sizeof *operations);
    end -= end / 2;
  }
}

static void enter(unsigned slot, uint32_t number, uint32_t first) {
  struct operation *last = end > begin ? &operations[end - 1] : NULL;
  if (last && last->slot == slot && !ck_slot_seen(slot, last->number)) {
    last->number = number;
    return;
  }
  if (end == OPERATIONS) make_room();
  operations[end++] = (struct operation){first, number, slot};
}

/* ---- Questions ------------------------------------------------------------------------------- */

/* The last one that begins at or before this group; NULL: forgotten, so ordered. */
static const struct operation *find(uint32_t group) {
  size_t low = begin, high = end;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (operations[middle].first <= group)
      low = middle + 1;
    else
      high = middle;
  }
  return low > begin ? &operations[low - 1] : NULL;
}

uint32_t ck_ordered_below(void) {
  for (size_t i = begin; now && i < end && operations[i].first < now_first; i++)
    if (!done_before(&operations[i], now)) return operations[i].first;
  return now_first;
}

bool ck_op_ordered(uint32_t group) {
  if (!now) return true;
  if (group >= now_first) return false;
  const struct operation *op = find(group);
  return !op || done_before(op, now);
}

bool ck_op_waited(uint32_t group) {
  if (in_host_function) return ck_op_ordered(group);
  const struct operation *op = find(group);
  return !op || done_before(op, ck_host_clock());
}

uint32_t ck_op_first(uint32_t group) {
  const struct operation *op = find(group);
  return op ? op->first : group;
}

bool ck_op_all_waited(void) { return begin == end; }

const char *ck_op_name(uint32_t group, char *text, size_t size) {
  const struct operation *op = find(group);
  const unsigned slot = group >= now_first && now ? now_slot : op ? op->slot : CK_NO_SLOT;
  return ck_slot_name(slot, text, size);
}

void ck_op_forget(void) {
  begin = end = 0;
  now_first = 0;
  now = NULL;
}

/* ---- Operations ------------------------------------------------------------------------------ */

void ck_op_begin(void *stream, uint32_t first_group, bool child) {
  trim();
  if (child && now) { /* launched by a kernel: it goes on with its parent's work */
    now_first = first_group;
    return;
  }
  uint32_t number;
  now = ck_clock_operation(stream, &now_slot, &number);
  now_first = first_group;
  enter(now_slot, number, first_group);
}

void ck_on_host_begin(void *stream) {
  CK_ALONE;
  ck_call_is(NULL); /* what it calls is the program's own */
  uint32_t number;
  now = ck_clock_operation(stream, &now_slot, &number);
  now_first = ck_next_group;
  in_host_function = true;
}

void ck_on_host_end(void) {
  CK_ALONE;
  in_host_function = false;
}

/* ---- Waiting --------------------------------------------------------------------------------- */

void ck_host_waits_operation(void) {
  if (now) ck_clock_host_joins(now);
  trim();
}

void ck_on_host_waits_stream(void *stream) {
  CK_ALONE;
  ck_clock_host_joins(ck_clock_of_stream(stream));
  trim();
}

void ck_on_host_waits_event(void *event) {
  CK_ALONE;
  const struct ck_clock *clock = ck_clock_of_event(event);
  if (clock) ck_clock_host_joins(clock);
  trim();
}

void ck_on_host_waits_all(void) {
  CK_ALONE;
  ck_clock_host_joins_all();
  trim();
}

uint32_t ck_conflict(uintptr_t begin, size_t bytes, bool writes, uintptr_t *where) {
  const struct cell *first = bytes ? ck_cells(begin) : NULL;
  const struct cell *end = first ? first + ((begin + bytes - 1) / 4 - begin / 4 + 1) : first;
  for (const struct cell *c = first; c < end; c++) {
    const uint32_t words[3] = {c->writer, writes ? c->reader : 0, writes ? c->other : 0};
    for (int i = 0; i < 3; i++) {
      const uint32_t group = ck_group_of(words[i]);
      if (group < CK_FIRST_GROUP || group < ck_current.ordered || ck_op_ordered(group)) continue;
      *where = (begin & ~(uintptr_t)3) + (uintptr_t)(c - first) * 4;
      return words[i];
    }
  }
  return 0;
}

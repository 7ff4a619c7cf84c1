/* Asynchronous copies of a thread into shared memory, which it has to wait for.
 *
 * Method   the copy is done at once, but its cells say that a copy under way wrote them: a group
 *          number of ASYNC that no barrier is behind, so that every access of them is looked at by
 *          race.c. When the thread waits for the batch that the copy is of, they get a number of that
 *          moment. A thread's copies are a list in one pool
 * Limits   ASYNC instructions and COPIES copies under way; further ones count as complete. Copies that
 *          a barrier object or a pipeline of a block waits for are in order by what these release
 */
#include "check.h"
#include "order.h"
#include "race.h"
#include "shadow/cells.h"

enum { COPIES = 1 << 16 };

static struct copy {
  uintptr_t address;
  uint32_t bytes, batch, next, slot;
} copies[COPIES]; /* [0] is none */

static uint32_t made, spare; /* entries that were ever used; of those, a list of free ones */
static struct {
  uint32_t group, users; /* whose copy this number stands for; copies under way */
} slots[CK_ASYNC];
static uint32_t last_slot;

static struct ck_lane *own_lane(void) {
  const struct worker *me = sd_current;
  struct ck_lane *lane = &ck_current.block->lanes[me->lane - me->block->lanes];
  if (lane->async_launch != ck_current.launch || lane->async_block != me->block->sequence) {
    lane->async_launch = ck_current.launch;
    lane->async_block = me->block->sequence;
    lane->async_first = lane->async_batch = 0;
  }
  return lane;
}

/* The number for copies of this group; CK_ASYNC: all are in use. */
static uint32_t slot_of(uint32_t group) {
  if (slots[last_slot].users && slots[last_slot].group == group) return last_slot;
  for (uint32_t i = 1; i <= CK_ASYNC; i++) {
    const uint32_t slot = (last_slot + i) % CK_ASYNC;
    if (slots[slot].users) continue;
    slots[slot].group = group;
    ck_groups[CK_FIRST_ASYNC + slot] = ck_groups[group];
    return last_slot = slot;
  }
  return CK_ASYNC;
}

static uint32_t take(void) {
  const uint32_t entry = spare ? spare : made + 1 < COPIES ? ++made : 0;
  if (entry == spare && spare) spare = copies[spare].next;
  return entry;
}

/* The cells whose writer is of the group `from` get `to`. */
static void renumber(const struct copy *c, uint32_t from, uint32_t to) {
  struct cell *cell = ck_shared_cell(c->address);
  const uint32_t low = (1u << CK_GROUP_SHIFT) - 1;
  for (size_t n = (c->address + c->bytes - 1) / 4 - c->address / 4 + 1; cell && n; n--, cell++)
    if (ck_group_of(cell->writer) == from)
      cell->writer = to << CK_GROUP_SHIFT | (cell->writer & low);
}

static bool is_followed(void) {
  return ck_on && sd_current && sd_current->lane && ck_current.block && !ck_current.skipped;
}

SIMT_API void simt_async_copied(const void *to, size_t bytes) {
  const uintptr_t address = (uintptr_t)to;
  if (!is_followed() || !bytes || !ck_shared_cell(address) || !ck_shared_cell(address + bytes - 1))
    return;
  const uint32_t group = ck_group_of(ck_current.word), slot = slot_of(group);
  const uint32_t entry = slot < CK_ASYNC ? take() : 0;
  if (!entry) return;
  struct ck_lane *lane = own_lane();
  copies[entry] =
      (struct copy){address, (uint32_t)bytes, lane->async_batch, lane->async_first, slot};
  lane->async_first = entry;
  slots[slot].users++;
  renumber(&copies[entry], group, CK_FIRST_ASYNC + slot);
}

SIMT_API void simt_async_committed(void) {
  if (is_followed()) own_lane()->async_batch++;
}

static void complete(uint32_t entry) {
  struct copy *c = &copies[entry];
  if (ck_next_group >= CK_MOST_GROUPS) ck_forget();
  const uint32_t now = ck_next_group++;
  ck_groups[now] = ck_groups[CK_FIRST_ASYNC + c->slot];
  renumber(c, CK_FIRST_ASYNC + c->slot, now);
  slots[c->slot].users--;
  c->next = spare;
  spare = entry;
}

SIMT_API void simt_async_wait(size_t prior) {
  if (!is_followed()) return;
  if (ck_current.unsettled) ck_race_settle();
  struct ck_lane *lane = own_lane();
  uint32_t *link = &lane->async_first;
  while (*link) {
    const uint32_t entry = *link;
    if (copies[entry].batch + prior >= lane->async_batch) {
      link = &copies[entry].next;
      continue;
    }
    *link = copies[entry].next;
    complete(entry);
  }
}

void ck_async_end(void) {
  if (!made) return;
  simt_async_committed();
  simt_async_wait(0);
}

void ck_async_begin(void) {
  made = spare = last_slot = 0;
  for (uint32_t i = 0; i < CK_ASYNC; i++) slots[i].users = 0;
}

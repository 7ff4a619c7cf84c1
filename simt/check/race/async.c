/* Asynchronous copies of a thread into shared memory, which it has to wait for.
 *
 * Method   the copy is done at once, but its cells say that a copy under way wrote them: a group
 *          number of ASYNC that no barrier is behind, so that every access of them is looked at by
 *          race.c. When the thread waits for the batch that the copy is of, they get a number of that
 *          moment. A thread's copies are a list in one pool. Copies that are bound to a barrier object
 *          or to a stage of a block's pipeline are a list of that object's: when somebody has seen that
 *          its use is over they get the number of the copying access, so that they are in order by what
 *          the object releases
 * Limits   ASYNC instructions, COPIES copies and OBJECTS objects under way; further copies count as
 *          complete
 */
#include "check.h"
#include "order.h"
#include "race.h"
#include "shadow/cells.h"

enum { COPIES = 1 << 16, OBJECTS = 256 };

static struct copy {
  uintptr_t address;
  uint32_t bytes, batch, next, slot; /* batch: of an object its use */
} copies[COPIES];                    /* [0] is none */

static struct object {
  const void *at; /* NULL: none */
  uint64_t block; /* blocks have shared memory at the same address */
  uint32_t first; /* of its copies */
} objects[OBJECTS];
static size_t object_count;

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

/* A copy that has just been made, at the head of a list. */
static void add(const void *to, size_t bytes, uint32_t batch, uint32_t *first) {
  const uintptr_t address = (uintptr_t)to;
  if (!bytes || !ck_shared_cell(address) || !ck_shared_cell(address + bytes - 1)) return;
  const uint32_t group = ck_group_of(ck_current.word), slot = slot_of(group);
  const uint32_t entry = slot < CK_ASYNC ? take() : 0;
  if (!entry) return;
  copies[entry] = (struct copy){address, (uint32_t)bytes, batch, *first, slot};
  *first = entry;
  slots[slot].users++;
  renumber(&copies[entry], group, CK_FIRST_ASYNC + slot);
}

SIMT_API void simt_async_copied(const void *to, size_t bytes) {
  if (!is_followed()) return;
  struct ck_lane *lane = own_lane();
  add(to, bytes, lane->async_batch, &lane->async_first);
}

SIMT_API void simt_async_committed(void) {
  if (is_followed()) own_lane()->async_batch++;
}

/* Its cells' accesses are of the group `now`. */
static void complete(uint32_t entry, uint32_t now) {
  struct copy *c = &copies[entry];
  renumber(c, CK_FIRST_ASYNC + c->slot, now);
  slots[c->slot].users--;
  c->next = spare;
  spare = entry;
}

static void complete_now(uint32_t entry) {
  if (ck_next_group >= CK_MOST_GROUPS) ck_forget();
  const uint32_t now = ck_next_group++;
  ck_groups[now] = ck_groups[CK_FIRST_ASYNC + copies[entry].slot];
  complete(entry, now);
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
    complete_now(entry);
  }
}

/* ---- Objects --------------------------------------------------------------------------------- */

static struct object *object_at(const void *at, bool made_if_none) {
  const uint64_t block = sd_current->block->sequence;
  struct object *unused = NULL;
  for (size_t i = 0; i < object_count; i++) {
    if (objects[i].at == at && objects[i].block == block) return &objects[i];
    if (!objects[i].at) unused = &objects[i];
  }
  if (!made_if_none) return NULL;
  if (!unused && object_count < OBJECTS) unused = &objects[object_count++];
  if (unused) *unused = (struct object){at, block, 0};
  return unused;
}

SIMT_API void simt_async_bound(const void *to, size_t bytes, const void *object, unsigned use) {
  struct object *o = is_followed() ? object_at(object, true) : NULL;
  if (o) add(to, bytes, use, &o->first);
}

SIMT_API void simt_async_bind(const void *object, unsigned use) {
  struct object *o = is_followed() ? object_at(object, true) : NULL;
  if (!o) return;
  struct ck_lane *lane = own_lane();
  for (uint32_t entry; (entry = lane->async_first);) {
    lane->async_first = copies[entry].next;
    copies[entry].batch = use;
    copies[entry].next = o->first;
    o->first = entry;
  }
}

SIMT_API void simt_async_seen(const void *object, unsigned use) {
  struct object *o = is_followed() ? object_at(object, false) : NULL;
  if (!o || !o->first) return;
  if (ck_current.unsettled) ck_race_settle();
  for (uint32_t *link = &o->first, entry; (entry = *link);) {
    if ((int32_t)(use - copies[entry].batch) < 0) {
      link = &copies[entry].next;
      continue;
    }
    *link = copies[entry].next;
    complete(entry, slots[copies[entry].slot].group);
  }
}

/* Its shared memory goes to another block. */
void ck_async_block_end(uint64_t sequence) {
  for (size_t i = 0; i < object_count; i++) {
    if (!objects[i].at || objects[i].block != sequence) continue;
    for (uint32_t entry; (entry = objects[i].first);) {
      objects[i].first = copies[entry].next;
      slots[copies[entry].slot].users--;
      copies[entry].next = spare;
      spare = entry;
    }
    objects[i].at = NULL;
  }
}

/* ---- Lanes, launches ------------------------------------------------------------------------- */

void ck_async_end(void) {
  if (!made) return;
  simt_async_committed();
  simt_async_wait(0);
}

void ck_async_begin(void) {
  made = spare = last_slot = 0;
  object_count = 0;
  for (uint32_t i = 0; i < CK_ASYNC; i++) slots[i].users = 0;
}

/* A hash table over the list in the file: each class and pair of sites once, further ones
 * counted. */
#include "check.h"

#include <stdio.h>
#include <string.h>

enum { SLOTS = 4 * FINDINGS };

static struct findings *file;
static uint32_t slots[SLOTS]; /* index + 1 into the list, by key */
static struct finding *last;
static struct finding nowhere; /* is written when the list is full */

struct findings *ck_file(void) {
  return file;
}

void ck_file_is(struct findings *mapped) { file = mapped; }

uint64_t ck_hash(uint64_t a, uint64_t b) {
  uint64_t x = a * UINT64_C(0x9E3779B97F4A7C15) ^ (b + UINT64_C(0x7F4A7C15F39CC060));
  x = (x ^ x >> 32) * UINT64_C(0xD6E8FEB86659FD93);
  return x ^ x >> 29;
}

struct finding *ck_last_finding(void) {
  return last ? last : &nowhere;
}

static struct finding *add(uint32_t *slot, enum sd_class class, uint64_t key) {
  if (file->count >= FINDINGS) {
    file->lost++;
    last = &nowhere;
    return NULL;
  }
  struct finding *f = &file->list[file->count];
  memset(f, 0, sizeof *f);
  f->class = (uint32_t) class;
  f->key = key;
  f->count = 1;
  f->order = file->count;
  *slot = (uint32_t)++file->count;
  last = f;
  return f;
}

/* The slot of a key: empty, or that of the finding. */
static uint32_t *slot_of(enum sd_class class, uint64_t key) {
  size_t i = key % SLOTS;
  for (;; i = (i + 1) % SLOTS) {
    if (!slots[i]) return &slots[i];
    const struct finding *known = &file->list[slots[i] - 1];
    if (known->key == key && known->class == (uint32_t) class) return &slots[i];
  }
}

static uint64_t whole_key(enum sd_class class, uint64_t a, uint64_t b) {
  return ck_hash(ck_hash(a, (uint64_t) class), b);
}

struct finding *ck_finding(enum sd_class class, uint64_t key_a, uint64_t key_b) {
  const uint64_t key = whole_key(class, key_a, key_b);
  uint32_t *slot = slot_of(class, key);
  file->total++;
  if (!*slot) return add(slot, class, key);
  last = &file->list[*slot - 1];
  if (last->count++ == 0) ck_publish(last); /* it had been withdrawn */
  return NULL;
}

void ck_finding_withdraw(enum sd_class class, uint64_t key_a, uint64_t key_b) {
  const uint32_t *slot = slot_of(class, whole_key(class, key_a, key_b));
  if (!*slot) return;
  struct finding *finding = &file->list[*slot - 1];
  if (!finding->count) return;
  file->total--;
  if (--finding->count == 0) __atomic_store_n(&finding->used, 0, __ATOMIC_RELEASE);
}

void ck_publish(struct finding *finding) { __atomic_store_n(&finding->used, 1, __ATOMIC_RELEASE); }

void ck_give_up(const char *what) {
  if (!file->limits[0]) snprintf(file->limits, sizeof file->limits, "%s", what);
}

void ck_add_thread(struct finding_side *side) {
  const struct worker *me = sd_current;
  if (!me || !me->lane) return;
  const struct block *block = me->block;
  side->has_thread = 1;
  side->block[0] = block->index.x, side->block[1] = block->index.y, side->block[2] = block->index.z;
  side->thread[0] = me->lane->index.x;
  side->thread[1] = me->lane->index.y;
  side->thread[2] = me->lane->index.z;
  const unsigned t = (unsigned)(me->lane - block->lanes);
  side->warp = t / LANES;
  side->lane = t % LANES;
  snprintf(side->kernel, sizeof side->kernel, "%s", me->grid->kernel->name);
}

void ck_add_stack(struct finding_side *side, const void *pc, const void *frame) {
  const struct worker *me = sd_current;
  int n = 0;
  if (pc && sd_in_program(pc)) side->pcs[n++] = sd_module_offset(pc);
  if (!me || !me->lane) return;
  const struct stack *stack = me->lane->stack;
  uintptr_t at = (uintptr_t)frame;
  while (n < FINDING_PCS && at % 8 == 0 && at - (uintptr_t)stack->base < stack->bytes - 16) {
    const uintptr_t *words = (const uintptr_t *)at;
    if (!sd_in_program((const void *)words[1])) return;
    side->pcs[n++] = sd_module_offset((const void *)words[1]);
    if (words[0] <= at) return;
    at = words[0];
  }
}

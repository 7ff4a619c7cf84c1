/* A sorted table, asked by bisection behind a small cache of spans.
 *
 * Method   sorted by address, so that the nearest is found by bisection; most new ones come last,
 *          since the arena goes upward. Accesses ask two spans that were hit last, then one chosen
 *          by address: blocks are 64 KiB apart, so that each 64 KiB belong to one of them
 * Limits   of freed ones the older half is forgotten when there are KEPT; ROOM live ones
 */
#include "allocations.h"
#include "check.h"
#include "shadow/current.h"

#include "device.h"
#include "runtime.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { KEPT = 1 << 15, ROOM = 1 << 20 };

struct ck_span ck_last_spans[2], ck_spans[CK_SPANS];

static struct ck_allocation *table;
static size_t count, freed;
static uint64_t serial;

static bool start(void) {
  if (table) return true;
  void *memory = mmap(NULL, ROOM * sizeof *table, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  table = memory;
  return true;
}

static void forget_spans(void) {
  memset(ck_last_spans, 0, sizeof ck_last_spans);
  memset(ck_spans, 0, sizeof ck_spans);
}

/* The first one that begins behind `address`. */
static size_t behind(uintptr_t address) {
  size_t low = 0, high = count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (table[middle].begin <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void forget_old(void) {
  uint64_t oldest = UINT64_MAX;
  for (size_t i = 0; i < count; i++)
    if (!table[i].live && table[i].serial < oldest) oldest = table[i].serial;
  const uint64_t limit = oldest + (serial - oldest) / 2;
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (table[i].live || table[i].serial > limit) table[kept++] = table[i];
  freed -= count - kept;
  count = kept;
}

/* ---- Changes --------------------------------------------------------------------------------- */

struct ck_allocation *ck_allocation_add(uintptr_t begin, size_t bytes, int kind) {
  if (!start()) return NULL;
  if (freed >= KEPT) forget_old();
  size_t at = behind(begin);
  while (at && table[at - 1].begin + table[at - 1].bytes > begin) at--;
  size_t next = at;
  while (next < count && table[next].begin < begin + bytes) next++;
  if (next == at && count == ROOM) return NULL;
  memmove(table + at + 1, table + next, (count - next) * sizeof *table);
  freed -= next - at;
  count += 1 - (next - at);
  struct ck_allocation *a = &table[at];
  memset(a, 0, sizeof *a);
  *a = (struct ck_allocation){.begin = begin, .bytes = bytes, .kind = kind, .live = true};
  a->serial = ++serial;
  ck_current.odd_sizes |= bytes % 4 != 0;
  forget_spans();
  return a;
}

void ck_allocation_end(struct ck_allocation *a) {
  a->live = false;
  a->serial = ++serial;
  freed++;
  forget_spans();
}

struct ck_allocation *ck_allocation_begins(uintptr_t address) {
  const size_t i = behind(address);
  return i && table[i - 1].begin == address ? &table[i - 1] : NULL;
}

uint64_t ck_allocation_serial(void) { return serial; }

struct ck_allocation *ck_allocations(size_t *number) {
  *number = count;
  return table;
}

void ck_live_allocations(void (*each)(uintptr_t begin, size_t bytes)) {
  for (size_t i = 0; i < count; i++)
    if (table[i].live) each(table[i].begin, table[i].bytes);
}

/* ---- Questions ------------------------------------------------------------------------------- */

bool ck_covers(const struct ck_allocation *a, uintptr_t address, size_t bytes) {
  return address >= a->begin && address - a->begin < a->bytes &&
         bytes <= a->bytes - (address - a->begin);
}

bool ck_accessible_search(uintptr_t address, size_t bytes) {
  const size_t i = behind(address);
  if (!i || !table[i - 1].live || !ck_covers(&table[i - 1], address, bytes)) return false;
  const struct ck_span span = {table[i - 1].begin, table[i - 1].begin + table[i - 1].bytes};
  ck_last_spans[1] = ck_last_spans[0];
  ck_last_spans[0] = ck_spans[address >> 16 & (CK_SPANS - 1)] = span;
  return true;
}

static uintptr_t distance(const struct ck_allocation *a, uintptr_t address) {
  if (address < a->begin) return a->begin - address;
  return ck_covers(a, address, 1) ? 0 : address - (a->begin + a->bytes) + 1;
}

const struct ck_allocation *ck_allocation_at(uintptr_t address) {
  const size_t i = behind(address);
  const struct ck_allocation *before = i ? &table[i - 1] : NULL;
  const struct ck_allocation *after = i < count ? &table[i] : NULL;
  if (!before || !after) return before ? before : after;
  const uintptr_t from = distance(before, address), to = distance(after, address);
  if (from == 0 || before->live == after->live) return from <= to ? before : after;
  return before->live ? before : after;
}

/* ---- In words -------------------------------------------------------------------------------- */

const char *ck_maker(const struct ck_allocation *a) {
  static const char *const makers[] = {[RT_DEVICE] = "cudaMalloc",
                                       [RT_PINNED] = "cudaMallocHost",
                                       [RT_MANAGED] = "cudaMallocManaged",
                                       [RT_ARRAY] = "cudaMallocArray",
                                       [RT_HEAP] = "malloc in a kernel"};
  return a->maker[0] ? a->maker : makers[a->kind];
}

void ck_allocation_position(const struct ck_allocation *a, uintptr_t address, size_t bytes,
                            char *text, size_t size) {
  const uintptr_t end = a->begin + a->bytes;
  char position[96], fate[64] = "";
  if (address < a->begin)
    snprintf(position, sizeof position, "%zu bytes before", (size_t)(a->begin - address));
  else if (address >= end)
    snprintf(position, sizeof position, "%zu bytes behind", (size_t)(address - end));
  else if (bytes > end - address)
    snprintf(position, sizeof position, "byte %zu and %zu bytes behind the end of",
             (size_t)(address - a->begin), (size_t)(address + bytes - end));
  else
    snprintf(position, sizeof position, "byte %zu of", (size_t)(address - a->begin));
  if (!a->live) snprintf(fate, sizeof fate, ", freed by %s", a->freer[0] ? a->freer : "cudaFree");
  snprintf(text, size, "%s the %zu bytes from %s%s", position, a->bytes, ck_maker(a), fate);
}

void ck_show_allocation(struct finding *f, const struct ck_allocation *a) {
  memcpy(f->sides[2].pcs, a->made, sizeof a->made);
  f->sides[2].access = FINDING_ALLOCATION;
  f->sides[2].bytes = a->bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)a->bytes;
  if (a->live) return;
  memcpy(f->sides[3].pcs, a->freed, sizeof a->freed);
  f->sides[3].access = FINDING_FREE;
}

void ck_describe_address(uintptr_t address, size_t bytes, char *text, size_t size,
                         struct finding *f) {
  const bool ours = rt_in_arena((const void *)address);
  const struct ck_allocation *a = ours ? ck_allocation_at(address) : NULL;
  if (f) f->address = address;
  if (!a) {
    sd_describe_address((const void *)address, text, size);
    return;
  }
  ck_allocation_position(a, address, bytes, text, size);
  if (f) ck_show_allocation(f, a);
}

void ck_note_poll(void) {
  const uintptr_t at = ck_current.looked_at;
  uintptr_t begin;
  size_t bytes;
  if (!at) return;
  const struct ck_allocation *a = rt_in_arena((const void *)at) ? ck_allocation_at(at) : NULL;
  const bool of_host = a ? a->kind == RT_PINNED || a->kind == RT_MANAGED
                         : rt_registered((const void *)at, &begin, &bytes);
  if (of_host) sd_current->grid->polls_host = true;
  ck_current.looked_at = 0;
}

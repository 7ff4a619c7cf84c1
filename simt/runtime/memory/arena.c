/* The arena: all memory that the device can reach, laid out so that wrong addresses fault.
 *
 * Result   rt_allocate, rt_release, rt_find: blocks of their own pages, the end of each at a page
 *          that cannot be accessed; freed blocks cannot be accessed, and their addresses are
 *          used again only when the whole arena has been walked through
 * Method   one reservation of address space; a table of blocks sorted by address, which keeps
 *          freed blocks too, so that faults can be explained; a cursor that goes round
 * Limits   a block begins at the multiple of 16 to 256 bytes that its size allows, so up to 15
 *          bytes behind an odd-sized block do not fault; after simt_align_memory all begin at
 *          multiples of 256, as on a GPU, and it is up to 255 (slack.c guards them). Only GUARDED
 *          blocks at a time have pages of their own (each costs the kernel two mappings of 65,530);
 *          the rest lie side by side in one open zone, aligned to 256 While there is an observer,
 *          accesses are looked at one by one: then blocks are aligned as on a GPU, there is as much
 *          closed space behind each as it has itself (at least APART), and the reservation is at
 *          most 64 GiB, since three times as much goes to its shadow
 */
#include "observer.h"
#include "runtime.h"

#include "simt/driver.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

enum { GUARDED = 12288, KEPT = 65536, APART = 65536 };

static const size_t page = 4096, huge_page = 2u << 20, zone_step = 16u << 20;

static struct {
  uintptr_t begin, end; /* the reservation: guarded blocks, then the zone */
  uintptr_t cursor;     /* where the next guarded block is looked for */
  uintptr_t zone, zone_open, zone_next;
  struct rt_block *blocks; /* sorted by begin */
  size_t count, capacity, freed, guarded, zone_live;
  uint64_t serial;
  size_t used[RT_MOST_DEVICES][RT_HEAP + 1]; /* bytes in use */
} a;

static void *reserve(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

/* The largest reservation that the system grants, from 256 GiB (64) down to 1 GiB. */
static bool start(void) {
  if (a.begin) return true;
  a.capacity = 1u << 20;
  a.blocks = mmap(NULL, a.capacity * sizeof *a.blocks, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (a.blocks == MAP_FAILED) return false;
  const size_t most = (size_t)(sd_observer ? 64 : 256) << 30;
  for (size_t bytes = most; bytes >= (size_t)1 << 30; bytes /= 2) {
    void *memory = reserve(bytes);
    if (!memory) continue;
    a.begin = ((uintptr_t)memory + huge_page - 1) & ~(uintptr_t)(huge_page - 1);
    a.end = ((uintptr_t)memory + bytes) & ~(uintptr_t)(huge_page - 1);
    a.zone = a.end - (a.end - a.begin) / 4;
    a.zone &= ~(uintptr_t)(huge_page - 1);
    a.zone_open = a.zone_next = a.zone;
    a.cursor = a.begin + page;
    return true;
  }
  return false;
}

/* ---- The table ----------------------------------------------------------------------------- */

/* The first block whose pages end behind `address`. */
static size_t first_behind(uintptr_t address) {
  size_t low = 0, high = a.count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (a.blocks[middle].end <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Forgets the older half of the freed blocks, so that the table stays small. */
static void forget_old(void) {
  uint64_t oldest = UINT64_MAX;
  for (size_t i = 0; i < a.count; i++)
    if (!a.blocks[i].live && a.blocks[i].serial < oldest) oldest = a.blocks[i].serial;
  const uint64_t limit = oldest + (a.serial - oldest) / 2;
  size_t kept = 0;
  for (size_t i = 0; i < a.count; i++)
    if (a.blocks[i].live || a.blocks[i].serial > limit) a.blocks[kept++] = a.blocks[i];
  a.freed -= a.count - kept;
  a.count = kept;
}

/* Enters a block into the sorted table; freed ones that it covers go. */
static bool insert(const struct rt_block *block) {
  const size_t at = first_behind(block->first);
  size_t next = at;
  while (next < a.count && a.blocks[next].first < block->end) next++;
  const size_t gone = next - at;
  if (!gone && a.count == a.capacity) return false;
  memmove(a.blocks + at + 1, a.blocks + next, (a.count - next) * sizeof *a.blocks);
  a.blocks[at] = *block;
  a.count += 1 - gone;
  a.freed -= gone;
  return true;
}

/* ---- Blocks with pages of their own ---------------------------------------------------------- */

/* What stays closed behind so many bytes of pages. */
static size_t space_behind(size_t pages) {
  if (!sd_observer) return page;
  return pages > APART ? pages : APART;
}

/* A gap of `bytes` between live blocks, in [from, a.zone); 0 if there is none. */
static uintptr_t gap(uintptr_t from, size_t bytes) {
  for (size_t i = first_behind(from); i < a.count && a.blocks[i].first < a.zone; i++) {
    const struct rt_block *b = &a.blocks[i];
    if (!b->live) continue;
    if (b->first >= from + bytes) break;
    from = b->end + space_behind(b->end - b->first);
  }
  return from < a.zone && a.zone - from >= bytes ? from : 0;
}

static atomic_bool aligned;

void simt_align_memory(void) { atomic_store(&aligned, true); }

static size_t alignment(size_t bytes) {
  if (sd_observer || atomic_load(&aligned)) return 256;
  const size_t low = bytes & (~bytes + 1);
  return low < 16 ? 16 : low > 256 ? 256 : low;
}

static bool place_guarded(struct rt_block *block) {
  const size_t align = alignment(block->bytes);
  const size_t used = (block->bytes + align - 1) / align * align;
  size_t pages = (used + page - 1) / page * page;
  if (pages >= 2 * huge_page) pages = (pages + huge_page - 1) / huge_page * huge_page;
  const size_t step = pages >= 2 * huge_page ? huge_page : page;
  const size_t wanted = pages + space_behind(pages) + step;
  uintptr_t from = (a.cursor + step - 1) / step * step;
  uintptr_t first = gap(from, wanted);
  if (!first) first = gap(a.begin + page, wanted);
  if (!first) return false;
  first = (first + step - 1) / step * step;
  if (mprotect((void *)first, pages, PROT_READ | PROT_WRITE) != 0) return false;
  if (step == huge_page) madvise((void *)first, pages, MADV_HUGEPAGE);
  block->first = first;
  block->end = first + pages;
  block->begin = block->end - used;
  block->guarded = true;
  a.cursor = block->end + space_behind(pages);
  a.guarded++;
  return true;
}

/* ---- Blocks side by side --------------------------------------------------------------------- */

static bool place_in_zone(struct rt_block *block) {
  const size_t used = (block->bytes + 255) / 256 * 256 + (sd_observer ? page : 0);
  if (a.end - a.zone_next < used) return false;
  while (a.zone_open < a.zone_next + used) {
    if (mprotect((void *)a.zone_open, zone_step, PROT_READ | PROT_WRITE) != 0) return false;
    a.zone_open += zone_step;
  }
  block->begin = block->first = a.zone_next;
  block->end = a.zone_next += used;
  a.zone_live++;
  return true;
}

/* Closed again, its memory given back to the system. */
static void close_pages(uintptr_t first, uintptr_t end) {
  mmap((void *)first, end - first, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

static void release(struct rt_block *block) {
  a.used[block->device][block->kind] -= block->bytes;
  block->live = false;
  block->serial = ++a.serial;
  a.freed++;
  if (block->guarded) {
    rt_slack_forget(block->end);
    close_pages(block->first, block->end);
    a.guarded--;
  } else if (--a.zone_live == 0) {
    close_pages(a.zone, a.zone_open);
    a.zone_open = a.zone_next = a.zone;
  }
}

/* ---- What the other files use ---------------------------------------------------------------- */

/* Of this thread's device. */
static size_t bytes_in_use(void) {
  const size_t *used = a.used[rt_device()];
  return used[RT_DEVICE] + used[RT_ARRAY] + used[RT_MANAGED];
}

static bool fits(size_t bytes, enum rt_kind kind) {
  if (bytes > ((size_t)1 << 46)) return false;
  if (kind == RT_PINNED) return bytes <= rt_machine_bytes();
  const size_t used = bytes_in_use();
  return bytes <= rt_device_bytes_total() && used <= rt_device_bytes_total() - bytes;
}

void *rt_allocate(size_t bytes, enum rt_kind kind, unsigned flags, const void *pool) {
  struct rt_block block = {.bytes = bytes,
                           .kind = kind,
                           .flags = flags,
                           .device = rt_device(),
                           .live = true,
                           .pool = pool};
  bool done = false;
  rt_lock();
  if (start() && fits(bytes, kind)) {
    if (a.freed > KEPT) forget_old();
    block.serial = ++a.serial;
    done = a.guarded < GUARDED ? place_guarded(&block) : place_in_zone(&block);
    done = done && insert(&block);
    if (done) a.used[block.device][kind] += bytes;
    if (done && block.guarded && !sd_observer)
      rt_slack_add(block.end, block.end - block.begin - bytes, bytes);
  }
  rt_unlock();
  if (done && kind != RT_HEAP) SD_NOTIFY(allocated, (const void *)block.begin, bytes, (int)kind);
  return done ? (void *)block.begin : NULL;
}

static struct rt_block *live_at(uintptr_t address) {
  if (address < a.begin || address >= a.end) return NULL;
  const size_t i = first_behind(address);
  if (i == a.count || !a.blocks[i].live || a.blocks[i].first > address) return NULL;
  if (address < a.blocks[i].begin || address - a.blocks[i].begin >= a.blocks[i].bytes) return NULL;
  return &a.blocks[i];
}

bool rt_release(const void *address, unsigned kinds) {
  rt_lock();
  struct rt_block *block = live_at((uintptr_t)address);
  const bool found = block && block->begin == (uintptr_t)address && (kinds >> block->kind & 1) != 0;
  const struct rt_block copy = found ? *block : (struct rt_block){.live = false};
  if (found) release(block);
  rt_unlock();
  if (found) SD_NOTIFY(freed, address, copy.bytes, (int)copy.kind);
  return found;
}

bool rt_find(const void *address, struct rt_block *copy) {
  rt_lock();
  const struct rt_block *block = live_at((uintptr_t)address);
  if (block) *copy = *block;
  rt_unlock();
  return block;
}

bool rt_is_open(const void *address, size_t bytes) {
  const uintptr_t begin = (uintptr_t)address;
  const size_t i = first_behind(begin);
  if (i == a.count || !a.blocks[i].live) return false;
  return begin >= a.blocks[i].first && begin + bytes <= a.blocks[i].end;
}

void rt_arena(uintptr_t *begin, uintptr_t *end) {
  rt_lock();
  start();
  rt_unlock();
  *begin = a.begin;
  *end = a.end;
}

bool rt_in_arena(const void *address) {
  return (uintptr_t)address >= a.begin && (uintptr_t)address < a.end;
}

void rt_release_all(void) {
  for (size_t i = 0; i < a.count; i++) {
    rt_lock();
    const struct rt_block b = a.blocks[i];
    const bool goes = b.live && b.kind != RT_PINNED && b.device == rt_device();
    if (goes) release(&a.blocks[i]);
    rt_unlock();
    if (goes && b.kind != RT_HEAP) SD_NOTIFY(freed, (const void *)b.begin, b.bytes, (int)b.kind);
  }
}

/* What is in use, in pages: a GPU has no smaller unit either. */
size_t rt_device_bytes_used(void) {
  const size_t used = bytes_in_use();
  return (used + page - 1) / page * page;
}

const struct rt_block *rt_blocks(size_t *count) {
  *count = a.count;
  return a.blocks;
}

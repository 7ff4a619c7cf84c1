/* What an address is, for reports and for the checks of device code.
 *
 * Method   reads the table of blocks without its lock, since it is called from signal handlers;
 *          a table that changes meanwhile can give a wrong answer, not a crash
 */
#include "runtime.h"
#include "simt/driver.h"

#include <stdio.h>
#include <sys/mman.h>

static const char *const makers[] = {[RT_DEVICE] = "cudaMalloc",
                                     [RT_PINNED] = "cudaMallocHost",
                                     [RT_MANAGED] = "cudaMallocManaged",
                                     [RT_ARRAY] = "cudaMallocArray",
                                     [RT_HEAP] = "malloc in kernels"};

/* The last block that begins at or before `address`, or count. */
static size_t last_before(const struct rt_block *blocks, size_t count, uintptr_t address) {
  size_t low = 0, high = count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (blocks[middle].begin <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? low - 1 : count;
}

static bool holds(const struct rt_block *b, uintptr_t address) {
  return address >= b->begin && address - b->begin < b->bytes;
}

bool sd_is_foreign(const void *address, uintptr_t *begin, uintptr_t *end) {
  if (rt_devices() == 1 || !rt_in_arena(address)) return false;
  size_t count;
  const struct rt_block *blocks = rt_blocks(&count);
  const size_t i = last_before(blocks, count, (uintptr_t)address);
  if (i == count || !blocks[i].live || !holds(&blocks[i], (uintptr_t)address)) return false;
  if (blocks[i].kind != RT_DEVICE || !blocks[i].guarded) return false;
  *begin = blocks[i].first;
  *end = blocks[i].end;
  return !simt_reaches(rt_device(), blocks[i].device);
}

enum sd_space sd_space_of(const void *address) {
  uintptr_t begin;
  size_t bytes;
  if (rt_in_arena(address)) {
    size_t count;
    const struct rt_block *blocks = rt_blocks(&count);
    const size_t i = last_before(blocks, count, (uintptr_t)address);
    if (i == count || !blocks[i].live || !holds(&blocks[i], (uintptr_t)address)) return SD_NOWHERE;
    return blocks[i].kind == RT_PINNED || blocks[i].kind == RT_MANAGED ? SD_HOST_MEMORY_OPEN
                                                                       : SD_DEVICE_MEMORY;
  }
  if (rt_is_symbol(address) || rt_is_texture(address)) return SD_DEVICE_MEMORY;
  if (rt_registered(address, &begin, &bytes)) return SD_HOST_MEMORY_OPEN;
  if (rt_is_constant(address)) return SD_DEVICE_MEMORY;
  void *page = (void *)((uintptr_t)address & ~(uintptr_t)4095);
  unsigned char resident;
  return mincore(page, 1, &resident) == 0 ? SD_HOST_MEMORY : SD_NOWHERE;
}

/* The nearest block, live ones first: an address between two blocks belongs to the story of one. */
static const struct rt_block *nearest(uintptr_t address, uintptr_t *distance) {
  size_t count;
  const struct rt_block *blocks = rt_blocks(&count), *best = NULL;
  const size_t at = last_before(blocks, count, address);
  const size_t from = at == count ? 0 : at > 4 ? at - 4 : 0;
  const size_t to = at == count ? 4 : at + 5;
  for (size_t i = from; i < to && i < count; i++) {
    const struct rt_block *b = &blocks[i];
    const uintptr_t end = b->begin + b->bytes;
    const uintptr_t far = holds(b, address)    ? 0
                          : address < b->begin ? b->begin - address
                                               : address - end + 1;
    if (!best || far < *distance || (far == *distance && b->live)) {
      best = b;
      *distance = far;
    }
  }
  return best;
}

static void describe_arena(uintptr_t address, char *text, size_t bytes) {
  uintptr_t far = 0;
  const struct rt_block *b = nearest(address, &far);
  if (!b) {
    snprintf(text, bytes, "never allocated");
    return;
  }
  const char *freed = b->live ? "" : ", which were freed before";
  char position[48];
  if (far == 0)
    snprintf(position, sizeof position, "byte %zu of", (size_t)(address - b->begin));
  else if (address < b->begin)
    snprintf(position, sizeof position, "%zu bytes before", (size_t)far);
  else if (far == 1)
    snprintf(position, sizeof position, "just behind");
  else
    snprintf(position, sizeof position, "%zu bytes behind", (size_t)(far - 1));
  char owner[80] = "";
  if (sd_guarded((const void *)address))
    snprintf(owner, sizeof owner, " on device %d, which the kernel's is no enabled peer of",
             b->device);
  snprintf(text, bytes, "%s the %zu bytes at %p from %s%s%s", position, b->bytes, (void *)b->begin,
           makers[b->kind], owner, freed);
}

void sd_describe_address(const void *address, char *text, size_t bytes) {
  if ((uintptr_t)address < 4096) {
    snprintf(text, bytes, address ? "near the null pointer" : "the null pointer");
  } else if (rt_in_arena(address)) {
    describe_arena((uintptr_t)address, text, bytes);
  } else {
    switch (sd_space_of(address)) {
    case SD_DEVICE_MEMORY: snprintf(text, bytes, "a variable of the device"); break;
    case SD_HOST_MEMORY_OPEN: snprintf(text, bytes, "registered host memory"); break;
    case SD_HOST_MEMORY: snprintf(text, bytes, "host memory, which a GPU cannot reach"); break;
    case SD_NOWHERE: snprintf(text, bytes, "no memory at all"); break;
    }
  }
}

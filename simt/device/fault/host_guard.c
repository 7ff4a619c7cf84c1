/* Pointers that a kernel was given by mistake: to the host's memory, and to another device's.
 *
 * Method   before a launch the captured parameters are looked through for pointers into blocks of
 *          the host's heap, or of the main thread's stack if that thread launches. Their pages are
 *          closed while the grid runs: a kernel that uses the pointer faults. The host's own code
 *          may touch those pages too (a neighbour on the heap): such a fault opens them again and
 *          nothing is lost but the check. Any bytes may look like a pointer: those of a struct that
 *          nobody filled in are addresses of whatever was called before. So nothing is closed
 *          without which a fault could not be handled: stacks of other threads, thread-local
 *          storage, the dynamic linker's own data. Memory of a device to which the launching one has
 *          no access as its peer is closed likewise
 *          The host cannot run beside such a grid: its launch does not return before the end
 * Limits   pointers stored in device memory are not seen, nor are pointers to the host's variables;
 *          what tells a block of the heap are the words that glibc keeps in front of it
 */
#include "grid.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, MOST = 8, NEAR = 16 * PAGE, SMALLEST = 32, HEADER = 16 };
enum { IS_MAPPED = 2, IS_OTHERS = 4, FLAGS = 7 }; /* bits of a block's size */

static const uintptr_t arena_bytes = 64u << 20; /* of a thread's own heap, and its alignment */

struct area {
  uintptr_t begin, end;
};

enum mapping_kind { NOTHING_OURS, MAIN_HEAP, MAIN_STACK, NAMELESS };

struct mapping {
  struct area area;
  enum mapping_kind kind;
};

static struct area areas[MOST];
static _Atomic size_t closed;                           /* areas */
static atomic_uint changes;                             /* how often pages were closed or opened */
static _Atomic uintptr_t lowest = UINTPTR_MAX, highest; /* of all that were ever closed */

static bool ends_with(const char *line, const char *end, const char *name) {
  const size_t length = strlen(name);
  return (size_t)(end - line) >= length && memcmp(end - length, name, length) == 0;
}

/* By the words behind the addresses: "rw-p 00000000 00:00 0   [heap]". */
static enum mapping_kind kind_of(const char *rest, const char *end) {
  if (rest[1] != 'r' || rest[2] != 'w' || rest[4] != 'p') return NOTHING_OURS;
  if (ends_with(rest, end, "[heap]")) return MAIN_HEAP;
  if (ends_with(rest, end, "[stack]")) return MAIN_STACK;
  return memchr(rest, '/', (size_t)(end - rest)) || memchr(rest, '[', (size_t)(end - rest))
             ? NOTHING_OURS
             : NAMELESS;
}

/* The mapping around `address`, read without stdio. */
static bool find_mapping(uintptr_t address, struct mapping *found) {
  static char text[1 << 16];
  size_t used = 0;
  bool fine = false;
  const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  for (;;) {
    const ssize_t n = read(file, text + used, sizeof text - 1 - used);
    if (n > 0) used += (size_t)n;
    text[used] = 0;
    char *line = text, *end;
    while ((end = strchr(line, '\n'))) {
      char *rest;
      const uintptr_t begin = strtoull(line, &rest, 16);
      const uintptr_t stop = strtoull(rest + 1, &rest, 16);
      if (address >= begin && address < stop) {
        *found = (struct mapping){{begin, stop}, kind_of(rest, end)};
        fine = found->kind != NOTHING_OURS;
      }
      line = end + 1;
    }
    used -= (size_t)(line - text);
    memmove(text, line, used);
    if (n <= 0) break;
  }
  close(file);
  return fine;
}

/* ---- Blocks of the heap ---------------------------------------------------------------------- */

/* The word in front of a block. */
static size_t size_before(uintptr_t block) {
  size_t size;
  memcpy(&size, (const void *)(block - sizeof size), sizeof size);
  return size;
}

/* How far the object at `address` goes: a heap block tells, anything else is taken as near. */
static uintptr_t end_of_object(uintptr_t address, const struct area *mapping) {
  uintptr_t end = address + NEAR;
  if (address % HEADER == 0 && address - HEADER >= mapping->begin) {
    const size_t size = size_before(address) & ~(size_t)FLAGS;
    if (size >= SMALLEST && size <= mapping->end - (address - HEADER))
      end = address - HEADER + size;
  }
  return end < mapping->end ? end : mapping->end;
}

/* The size of the large block that begins at `at`; 0: the words there are none's. */
static size_t large_block_at(uintptr_t at, const struct area *mapping) {
  const size_t word = size_before(at + HEADER), size = word & ~(size_t)FLAGS;
  if ((word & FLAGS) != IS_MAPPED || size_before(at + HEADER / 2) != 0) return 0;
  return size % PAGE || size > mapping->end - at ? 0 : size;
}

/* A large block has pages of its own: whole ones, of which nothing else uses any. Such blocks may
 * lie side by side in one mapping, and are gone through from its begin. Where the system has made one
 * mapping of a block and what somebody else mapped in front of it, a pointer to its first byte is found. */
static bool in_large_block(uintptr_t address, const struct area *mapping, struct area *found) {
  uintptr_t at = mapping->begin;
  while (at < mapping->end) {
    const size_t size = large_block_at(at, mapping);
    if (!size) break;
    if (address < at + size) {
      *found = (struct area){address, at + size};
      return address >= at + HEADER;
    }
    at += size;
  }
  if (address % PAGE != HEADER) return false;
  const size_t size = large_block_at(address - HEADER, mapping);
  *found = (struct area){address, address - HEADER + size};
  return size != 0;
}

/* A block of a thread's own heap, which begins with its arena, the heap before it and its size. */
static bool in_own_heap(uintptr_t address, const struct area *mapping, struct area *found) {
  const uintptr_t heap = address & ~(arena_bytes - 1);
  if (heap < mapping->begin || address % HEADER || address - heap < 8 * HEADER) return false;
  uintptr_t words[3];
  memcpy(words, (const void *)heap, sizeof words);
  const size_t size = words[2], word = size_before(address);
  if (size == 0 || size % PAGE || size > arena_bytes || address >= heap + size) return false;
  if (!words[0] || (words[1] & (arena_bytes - 1)) || !(word & IS_OTHERS)) return false;
  if ((word & ~(size_t)FLAGS) < SMALLEST || (word & ~(size_t)FLAGS) > heap + size - address)
    return false;
  *found = (struct area){address, end_of_object(address, mapping)};
  return true;
}

static bool is_main_thread(void) { return syscall(SYS_gettid) == getpid(); }

/* What may be closed from `address` on. */
static bool find_object(uintptr_t address, struct area *found) {
  struct mapping m = {.kind = NOTHING_OURS};
  if (!find_mapping(address, &m)) return false;
  if (m.kind == MAIN_HEAP || (m.kind == MAIN_STACK && is_main_thread())) {
    *found = (struct area){address, end_of_object(address, &m.area)};
    return true;
  }
  return m.kind == NAMELESS &&
         (in_large_block(address, &m.area, found) || in_own_heap(address, &m.area, found));
}

static void guard(struct area object) {
  if (closed == MOST) return;
  const uintptr_t end = (object.end + PAGE - 1) / PAGE * PAGE;
  const uintptr_t begin = object.begin / PAGE * PAGE;
  areas[closed] = (struct area){begin, end};
  atomic_fetch_add(&changes, 1);
  if (begin < lowest) lowest = begin;
  if (end > highest) highest = end;
  closed++;
  if (mprotect((void *)begin, end - begin, PROT_NONE) != 0) closed--;
}

/* What must be closed because a kernel was given this word. */
static bool find_closed(uintptr_t word, struct area *object) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of find_mapping's buffer */
  if (word < 65536 || word >> 47) return false;
  if (sd_is_foreign((const void *)word, &object->begin, &object->end)) return true;
  if (sd_space_of((const void *)word) != SD_HOST_MEMORY) return false;
  pthread_mutex_lock(&lock);
  const bool found = find_object(word, object);
  pthread_mutex_unlock(&lock);
  return found;
}

bool sd_would_guard(const struct simt_kernel *kernel, const void *body) {
  uintptr_t word;
  struct area object;
  for (size_t i = 0; i + sizeof word <= kernel->body_bytes; i += sizeof word) {
    memcpy(&word, (const unsigned char *)body + i, sizeof word);
    if (find_closed(word, &object)) return true;
  }
  return false;
}

void sd_guard_host(const struct grid *grid) {
  uintptr_t word;
  for (size_t i = 0; i + sizeof word <= grid->kernel->body_bytes; i += sizeof word) {
    memcpy(&word, (const unsigned char *)grid->body + i, sizeof word);
    struct area object;
    if (!sd_guarded((const void *)word) && find_closed(word, &object)) guard(object);
  }
}

bool sd_guarded(const void *address) {
  for (size_t i = 0; i < closed; i++)
    if ((uintptr_t)address >= areas[i].begin && (uintptr_t)address < areas[i].end) return true;
  return false;
}

/* Several threads may come to it at once. */
bool sd_open_host(void) {
  bool done = true;
  for (size_t i = 0; i < closed; i++)
    done &= mprotect((void *)areas[i].begin, areas[i].end - areas[i].begin,
                     PROT_READ | PROT_WRITE) == 0;
  return done;
}

/* A thread may come to its fault when the grid is over and the pages are open again, and closed
 * once more for the next one: it tries again. A fault that stays is no such one. */
bool sd_opened_since(const void *address) {
  enum { MOST_TRIES = 16 };
  static __thread unsigned seen, tries;
  const unsigned now = atomic_load(&changes);
  if ((uintptr_t)address < lowest || (uintptr_t)address >= highest) return false;
  tries = seen == now ? tries + 1 : 0;
  seen = now;
  return tries < MOST_TRIES;
}

void sd_unguard_host(void) {
  if (closed) sd_open_host();
  if (closed) atomic_fetch_add(&changes, 1);
  closed = 0;
}

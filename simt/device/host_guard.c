/* Host pointers that a kernel was given by mistake.
 *
 * Method   before a launch the captured parameters are looked through for pointers into
 *          memory of the host. Its pages are closed while the grid runs: a kernel that uses
 *          the pointer faults. The host's own code may touch those pages too (its stack, a
 *          neighbour on the heap): such a fault opens them again and nothing is lost but the
 *          check
 * Limits   pointers stored in device memory are not seen; memory of the host next to device
 *          variables stays open
 */
#include "grid.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, MOST = 8, NEAR = 16 * PAGE };

struct area {
  uintptr_t begin, end;
};

static struct area areas[MOST];
static volatile size_t closed;

/* Not a library's variables: anonymous memory, the heap, the stack, the program's own file. */
static bool is_users(const char *line, const char *end) {
  static char program[4096];
  if (!program[0] && readlink("/proc/self/exe", program, sizeof program - 1) < 0) return false;
  const char *path = memchr(line, '/', (size_t)(end - line));
  const size_t length = path ? (size_t)(end - path) : 0;
  return !path || (strlen(program) == length && memcmp(path, program, length) == 0);
}

/* The writable private mapping around `address`, read without stdio. */
static bool find_mapping(uintptr_t address, struct area *found) {
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
        fine = rest[1] == 'r' && rest[2] == 'w' && rest[4] == 'p' && is_users(rest, end);
        *found = (struct area){begin, stop};
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

/* How far the object at `address` goes: a heap block tells, anything else is taken as near. */
static uintptr_t end_of_object(uintptr_t address, const struct area *mapping) {
  uintptr_t end = address + NEAR;
  if (address % 16 == 0 && address - 16 >= mapping->begin) {
    size_t size;
    memcpy(&size, (const void *)(address - 8), sizeof size);
    size &= ~(size_t)7;
    if (size >= 32 && size <= mapping->end - (address - 16)) end = address - 16 + size;
  }
  return end < mapping->end ? end : mapping->end;
}

static void guard(uintptr_t address) {
  struct area mapping;
  if (closed == MOST || !find_mapping(address, &mapping)) return;
  const uintptr_t end = (end_of_object(address, &mapping) + PAGE - 1) / PAGE * PAGE;
  const uintptr_t begin = address / PAGE * PAGE;
  areas[closed] = (struct area){begin, end};
  ++closed;
  if (mprotect((void *)begin, end - begin, PROT_NONE) != 0) --closed;
}

void sd_guard_host(const struct grid *grid) {
  uintptr_t word;
  for (size_t i = 0; i + sizeof word <= grid->kernel->body_bytes; i += sizeof word) {
    memcpy(&word, (const unsigned char *)grid->body + i, sizeof word);
    if (word < 65536 || word >> 47) continue;
    if (sd_guarded((const void *)word)) continue;
    if (sd_space_of((const void *)word) == SD_HOST_MEMORY) guard(word);
  }
}

bool sd_guarded(const void *address) {
  for (size_t i = 0; i < closed; ++i)
    if ((uintptr_t)address >= areas[i].begin && (uintptr_t)address < areas[i].end) return true;
  return false;
}

void sd_unguard_host(void) {
  while (closed) {
    --closed;
    mprotect((void *)areas[closed].begin, areas[closed].end - areas[closed].begin,
             PROT_READ | PROT_WRITE);
  }
}

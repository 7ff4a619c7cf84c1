/* map.c - mmap, and a SIGBUS handler that ends the process with a message
 *
 * Reading a mapped page that the file no longer has raises SIGBUS on whichever thread reads. The
 * handler here knows the maps, says what happened, removes unfinished result files and ends the
 * process with status 1; any other SIGBUS goes to the handler before it.
 * Limits    at most MAX_MAPS at a time; the handler calls only write, unlink and _exit. */
#define _GNU_SOURCE
#include "map.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>

#include "output/file.h"
#include "report/failure.h"

enum { MAX_MAPS = 8, NAME_BYTES = 512 };

static struct {
  const char *volatile base; /* NULL: free */
  volatile size_t bytes;
  char name[NAME_BYTES];
} maps[MAX_MAPS];

static struct sigaction before;

static void say(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

static void on_bus_error(int number, siginfo_t *info, void *context) {
  (void)number;
  (void)context;
  const uintptr_t address = (uintptr_t)info->si_addr;
  for (size_t i = 0; i < MAX_MAPS; i++) {
    const uintptr_t base = (uintptr_t)maps[i].base;
    if (base == 0 || address < base || address - base >= maps[i].bytes) continue;
    say("heddle: ");
    say(maps[i].name);
    say(" became shorter, or its disk failed, while it was being read; let no other program "
        "write to it and run this again\n");
    output_file_drop_all();
    _exit(EXIT_DATA);
  }
  (void)sigaction(SIGBUS, &before, NULL); /* the access is tried again and ends there */
}

static void set_handler(void) {
  struct sigaction action;
  if (sigaction(SIGBUS, NULL, &action) == 0 && (action.sa_flags & SA_SIGINFO) != 0 &&
      action.sa_sigaction == on_bus_error)
    return;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  (void)sigaction(SIGBUS, &action, &before);
}

const void *map_file(int fd, size_t bytes, const char *name) {
  size_t slot = 0;
  while (slot < MAX_MAPS && maps[slot].base) slot++;
  if (slot == MAX_MAPS || bytes == 0) return NULL;
  set_handler();
  void *const base = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
  if (base == MAP_FAILED) return NULL;
  (void)madvise(base, bytes, MADV_SEQUENTIAL);
  strncpy(maps[slot].name, name, NAME_BYTES - 1);
  maps[slot].name[NAME_BYTES - 1] = '\0';
  maps[slot].bytes = bytes;
  maps[slot].base = base;
  return base;
}

void unmap_file(const void *base) {
  for (size_t i = 0; base && i < MAX_MAPS; i++) {
    if (maps[i].base != base) continue;
    munmap((void *)(uintptr_t)base, maps[i].bytes);
    maps[i].base = NULL;
  }
}

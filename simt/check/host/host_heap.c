/* The host's heap as the program's own code uses it.
 *
 * Result   how large a block is that malloc or new gave (copies are held against it); free and
 *          delete of memory of the device, which are findings and then do nothing
 * Method   heddle-cc --check links with --wrap, so that these calls come here first. Sizes are
 *          kept in a table by address: open addressing, entries move up when one goes
 * Limits   only addresses at which a block begins are known; ROOM blocks, then no more
 */
#include "check.h"
#include "entries.h"
#include "host.h"

#include "runtime.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#define ENTRY __attribute__((visibility("default")))

enum { ROOM = 1 << 20 }; /* half of it is used */

static struct host_block {
  uintptr_t begin;
  size_t bytes;
} * blocks;
static size_t count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool start(void) {
  if (blocks) return true;
  void *memory = mmap(NULL, ROOM * sizeof *blocks, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory != MAP_FAILED) blocks = memory;
  return blocks;
}

static size_t slot_of(uintptr_t begin) {
  return (begin >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 44 & (ROOM - 1);
}

/* Its entry, or the empty one where it would be. */
static size_t find(uintptr_t begin) {
  size_t i = slot_of(begin);
  while (blocks[i].begin && blocks[i].begin != begin) i = (i + 1) & (ROOM - 1);
  return i;
}

static void *note(void *memory, size_t bytes) {
  if (!ck_on || !memory) return memory;
  pthread_mutex_lock(&lock);
  if (start()) {
    const size_t i = find((uintptr_t)memory);
    const bool known = blocks[i].begin != 0;
    if (known || count < ROOM / 2) {
      count += !known;
      blocks[i] = (struct host_block){(uintptr_t)memory, bytes};
    }
  }
  pthread_mutex_unlock(&lock);
  return memory;
}

static void forget(const void *memory) {
  if (!ck_on || !memory || !blocks) return;
  pthread_mutex_lock(&lock);
  size_t hole = find((uintptr_t)memory);
  if (blocks[hole].begin) {
    count--;
    for (size_t i = (hole + 1) & (ROOM - 1); blocks[i].begin; i = (i + 1) & (ROOM - 1)) {
      const size_t home = slot_of(blocks[i].begin);
      if (((i - home) & (ROOM - 1)) < ((i - hole) & (ROOM - 1))) continue;
      blocks[hole] = blocks[i];
      hole = i;
    }
    blocks[hole].begin = 0;
  }
  pthread_mutex_unlock(&lock);
}

bool ck_host_block(uintptr_t begin, size_t *bytes) {
  if (!blocks) return false;
  pthread_mutex_lock(&lock);
  const struct host_block b = blocks[find(begin)];
  pthread_mutex_unlock(&lock);
  *bytes = b.bytes;
  return b.begin != 0;
}

/* ---- What the program calls ------------------------------------------------------------------ */

void *_Znwm(size_t bytes) __attribute__((weak)); /* operator new and its kin, of C++ */
void *_Znam(size_t bytes) __attribute__((weak));
void _ZdlPv(void *memory) __attribute__((weak));
void _ZdaPv(void *memory) __attribute__((weak));

/* A program that needs nothing else of C++'s library is linked without it: these were all. */
static void *operator_new(void *(*own)(size_t), size_t bytes) {
  return own ? own(bytes) : malloc(bytes ? bytes : 1);
}

static void operator_delete(void (*own)(void *), void *memory) {
  if (own)
    own(memory);
  else
    free(memory);
}

/* In a kernel the device's own heap is meant. */
static bool on_lane(void) { return sd_current && sd_current->lane; }

ENTRY void *__wrap_malloc(size_t bytes) { return note(malloc(bytes), bytes); }

ENTRY void *__wrap_calloc(size_t n, size_t bytes) { return note(calloc(n, bytes), n * bytes); }

ENTRY void *__wrap_realloc(void *memory, size_t bytes) {
  forget(memory);
  return note(realloc(memory, bytes), bytes);
}

ENTRY void *__wrap__Znwm(size_t bytes) {
  return on_lane() ? simt_malloc(bytes) : note(operator_new(_Znwm, bytes), bytes);
}
ENTRY void *__wrap__Znam(size_t bytes) {
  return on_lane() ? simt_malloc(bytes) : note(operator_new(_Znam, bytes), bytes);
}

/* Memory of the device: it has been reported. */
static bool is_devices(void *memory) {
  if (on_lane()) {
    simt_free(memory);
    return true;
  }
  if (!ck_on || !rt_in_arena(memory)) return false;
  ck_on_bad_free(memory);
  return true;
}

ENTRY void __wrap_free(void *memory) {
  if (is_devices(memory)) return;
  forget(memory);
  free(memory);
}

ENTRY void __wrap__ZdlPv(void *memory) {
  if (is_devices(memory)) return;
  forget(memory);
  operator_delete(_ZdlPv, memory);
}

ENTRY void __wrap__ZdaPv(void *memory) {
  if (is_devices(memory)) return;
  forget(memory);
  operator_delete(_ZdaPv, memory);
}

ENTRY void __wrap__ZdlPvm(void *memory, size_t bytes) {
  (void)bytes;
  if (is_devices(memory)) return;
  forget(memory);
  operator_delete(_ZdlPv, memory);
}

ENTRY void __wrap__ZdaPvm(void *memory, size_t bytes) {
  (void)bytes;
  if (is_devices(memory)) return;
  forget(memory);
  operator_delete(_ZdaPv, memory);
}

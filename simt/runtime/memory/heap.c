/* malloc and free in kernels.
 *
 * Method   one block of cudaLimitMallocHeapSize bytes, taken at the first request; pieces of
 *          powers of two from 32 bytes, each behind its 16-byte head; freed pieces are used again
 *          for the same size, first the last one. While there is an observer, pieces have some room
 *          behind them, and freed ones are used again only when the heap is full
 * Limits   overruns of a piece are not seen but by the observer; pieces are never joined
 * Source   CUDA C++ Programming Guide, section Dynamic Global Memory Allocation and Operations
 */
#include "observer.h"
#include "runtime.h"

#include <pthread.h>

enum { SMALLEST = 5, LARGEST = 40 };
static const uint64_t in_use = 0x51AB1E5C0FFEE001, given_back = 0xDEADF7EE5C0FFEE0;

struct piece {
  uint64_t state;
  uint32_t order;
  uint32_t unused;
  struct piece *next; /* overlaps the memory that is given out, as the last member */
};
enum { HEAD = 16, APART = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char *heap;
static size_t size, used;
static struct piece *spare[LARGEST + 1];

static struct piece *cut(unsigned order) {
  if (!heap) {
    size = rt_heap_limit();
    heap = rt_allocate(size, RT_HEAP, 0, NULL);
    if (!heap) return NULL;
  }
  const size_t bytes = (size_t)1 << order;
  if (bytes > size - used) return NULL;
  struct piece *piece = (struct piece *)(void *)(heap + used);
  used += bytes;
  return piece;
}

void *sd_heap_allocate(size_t bytes) {
  unsigned order = SMALLEST;
  if (bytes == 0) return NULL;
  const size_t with_room = bytes + HEAD + (sd_observer ? APART : 0);
  while (order <= LARGEST && ((size_t)1 << order) < with_room) order++;
  if (order > LARGEST || with_room < bytes) return NULL;
  pthread_mutex_lock(&lock);
  struct piece *piece = sd_observer ? cut(order) : NULL;
  if (!piece && spare[order]) {
    piece = spare[order];
    spare[order] = piece->next;
  } else if (!piece) {
    piece = cut(order);
  }
  if (piece) {
    piece->state = in_use;
    piece->order = order;
  }
  pthread_mutex_unlock(&lock);
  if (!piece) return NULL;
  unsigned char *memory = (unsigned char *)piece + HEAD;
  SD_NOTIFY(allocated, memory, bytes, RT_HEAP);
  return memory;
}

bool sd_heap_free(void *memory) {
  const uintptr_t p = (uintptr_t)memory, begin = (uintptr_t)heap;
  if (!heap || p < begin + HEAD || p >= begin + used) return false;
  struct piece *piece = (struct piece *)(void *)((unsigned char *)memory - HEAD);
  pthread_mutex_lock(&lock);
  const bool fine = piece->state == in_use && piece->order <= LARGEST;
  const size_t bytes = fine ? ((size_t)1 << piece->order) - HEAD : 0;
  if (fine) {
    piece->state = given_back;
    piece->next = spare[piece->order];
    spare[piece->order] = piece;
  }
  pthread_mutex_unlock(&lock);
  if (fine)
    SD_NOTIFY(freed, memory, bytes, RT_HEAP);
  else if (sd_observer && sd_observer->bad_free)
    sd_observer->bad_free(memory);
  else
    sd_report("free in a kernel: %p is not in use", memory);
  return true;
}

bool sd_heap_refuses(const void *memory) {
  if (!rt_in_arena(memory) && !simt_on_device()) return false;
  if (sd_observer && sd_observer->bad_free)
    sd_observer->bad_free(memory);
  else
    sd_report("free of %p, which malloc did not give", memory);
  return true;
}

bool rt_heap_used(void) { return heap; }

/* After a reset the block is gone. */
void rt_heap_forget(void) {
  pthread_mutex_lock(&lock);
  heap = NULL;
  size = used = 0;
  for (unsigned i = 0; i <= LARGEST; i++) spare[i] = NULL;
  pthread_mutex_unlock(&lock);
}

/* Small objects without malloc: streams, events, arrays, textures, memory pools.
 *
 * Result   addresses that can be checked: rt_pool_holds says whether a handle that the program
 *          hands in is a live object of its kind
 * Method   one mapping a kind, a bit for each object; given-back objects are taken again last
 */
#include "runtime.h"

#include <string.h>
#include <sys/mman.h>

static bool start(struct rt_pool *pool) {
  if (pool->memory) return true;
  const size_t bits = (pool->capacity + 63) / 64 * sizeof(uint64_t);
  const size_t bytes = pool->capacity * pool->object_bytes + bits;
  unsigned char *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  pool->used = (uint64_t *)(void *)memory;
  pool->memory = memory + bits;
  return true;
}

static bool taken(const struct rt_pool *pool, size_t i) {
  return (pool->used[i / 64] >> (i % 64) & 1) != 0;
}

void *rt_pool_take(struct rt_pool *pool) {
  void *object = NULL;
  rt_lock();
  if (start(pool)) {
    for (size_t n = 0; n < pool->capacity && !object; n++) {
      const size_t i = (pool->hint + n) % pool->capacity;
      if (taken(pool, i)) continue;
      pool->used[i / 64] |= (uint64_t)1 << (i % 64);
      pool->hint = i + 1;
      object = memset(pool->memory + i * pool->object_bytes, 0, pool->object_bytes);
    }
  }
  rt_unlock();
  return object;
}

bool rt_pool_holds(const struct rt_pool *pool, const void *object) {
  const uintptr_t p = (uintptr_t)object, begin = (uintptr_t)pool->memory;
  if (!pool->memory || p < begin || (p - begin) % pool->object_bytes) return false;
  const size_t i = (p - begin) / pool->object_bytes;
  return i < pool->capacity && taken(pool, i);
}

void rt_pool_give(struct rt_pool *pool, void *object) {
  const size_t i = ((uintptr_t)object - (uintptr_t)pool->memory) / pool->object_bytes;
  rt_lock();
  pool->used[i / 64] &= ~((uint64_t)1 << (i % 64));
  rt_unlock();
}

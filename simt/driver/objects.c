/* Handles that are alive (entry.h): a hash table with linear probing.
 *
 * Result   a handle that a program passes is looked up before it is used, so that a wrong one is an
 *          error; and what a context leaves behind goes with it
 */
#include "entry.h"

#include <stdlib.h>

static struct object *table;
static size_t room, used; /* used: with places of removed ones */

#define GONE ((enum object_kind)(-1)) /* was here: the search goes on */

static size_t home(uintptr_t handle) {
  return (size_t)((handle >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (room - 1);
}

static struct object *find(uintptr_t handle, enum object_kind kind) {
  if (!room) return NULL;
  for (size_t i = home(handle);; i = (i + 1) & (room - 1)) {
    if (!table[i].kind) return NULL;
    if (table[i].handle == handle && table[i].kind == kind) return &table[i];
  }
}

static void put(struct object object) {
  size_t i = home(object.handle);
  while (table[i].kind) i = (i + 1) & (room - 1);
  table[i] = object;
  used++;
}

static bool grow(void) {
  struct object *old = table;
  const size_t before = room;
  size_t live = 0;
  for (size_t i = 0; i < before; i++) live += old[i].kind && old[i].kind != GONE;
  size_t wanted = 64;
  while (wanted < 4 * live) wanted *= 2;
  struct object *fresh = calloc(wanted, sizeof *fresh);
  if (!fresh) return false;
  table = fresh;
  room = wanted;
  used = 0;
  for (size_t i = 0; i < before; i++)
    if (old[i].kind && old[i].kind != GONE) put(old[i]);
  free(old);
  return true;
}

static bool add(const void *handle, struct context *context, enum object_kind kind) {
  if (2 * (used + 1) > room && !grow()) return false;
  put((struct object){(uintptr_t)handle, context, kind});
  return true;
}

bool object_add(const void *handle, enum object_kind kind) {
  return add(handle, context_current(), kind);
}

bool object_add_free(const void *handle, enum object_kind kind) { return add(handle, NULL, kind); }

void object_remove(const void *handle, enum object_kind kind) {
  struct object *object = find((uintptr_t)handle, kind);
  if (object) object->kind = GONE;
}

const struct object *object_find(const void *handle, enum object_kind kind) {
  return find((uintptr_t)handle, kind);
}

bool object_any(const struct context *context, struct object *object) {
  for (size_t i = 0; i < room; i++) {
    if (!table[i].kind || table[i].kind == GONE || table[i].context != context) continue;
    *object = table[i];
    return true;
  }
  return false;
}

bool object_stream_ok(CUstream stream) {
  return (uintptr_t)stream <= 2 || object_find(stream, OBJECT_STREAM);
}

bool object_stream_current(CUstream stream) {
  const struct object *object = object_find(stream, OBJECT_STREAM);
  return (uintptr_t)stream <= 2 || (object && object->context == context_current());
}

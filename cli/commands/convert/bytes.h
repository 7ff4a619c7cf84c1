/* bytes.h - bytes put together in memory, least first, that are patched later */
#ifndef HEDDLE_CLI_COMMANDS_CONVERT_BYTES_H
#define HEDDLE_CLI_COMMANDS_CONVERT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct bytes {
  unsigned char *data;
  size_t used, room;
  bool full; /* there was no memory: what came then is lost */
};

static inline void bytes_put(struct bytes *b, const void *data, size_t count) {
  if (count > b->room - b->used) {
    const size_t room = 2 * (b->used + count) + 1024;
    unsigned char *const larger = b->full ? NULL : realloc(b->data, room);
    b->full = !larger;
    if (!larger) return;
    b->data = larger;
    b->room = room;
  }
  if (count > 0) memcpy(b->data + b->used, data, count);
  b->used += count;
}

static inline void bytes_number(struct bytes *b, uint64_t value, size_t count) {
  unsigned char little[8];
  for (size_t i = 0; i < 8; i++) little[i] = (unsigned char)(value >> 8 * i);
  bytes_put(b, little, count);
}

static inline void bytes_zeros(struct bytes *b, size_t count) {
  for (; count > 0 && !b->full; count--) bytes_number(b, 0, 1);
}

/* Zeros up to a multiple of `unit`. */
static inline void bytes_align(struct bytes *b, size_t unit) {
  bytes_zeros(b, (unit - b->used % unit) % unit);
}

static inline void bytes_patch(struct bytes *b, size_t at, uint64_t value, size_t count) {
  for (size_t i = 0; i < count && !b->full; i++) b->data[at + i] = (unsigned char)(value >> 8 * i);
}

#endif

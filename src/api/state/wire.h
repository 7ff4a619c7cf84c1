/* wire.h - little-endian numbers into bytes and out of them again, within bounds
 *
 * A writer counts what it is given, and writes it where there is room; a reader that is asked for more than is
 * left gives zeros, and remembers. Numbers lie side by side without padding. */
#ifndef HEDDLE_API_STATE_WIRE_H
#define HEDDLE_API_STATE_WIRE_H

#include <string.h>

#include "order/types.h"

#ifdef __BYTE_ORDER__
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "memory is as the wire");
#endif

struct hd_writer {
  unsigned char *to; /* NULL: only counted */
  size_t bytes;
};

static inline void hd_put(struct hd_writer *w, const void *from, size_t bytes) {
  if (w->to && bytes) memcpy(w->to + w->bytes, from, bytes);
  w->bytes += bytes;
}
static inline void hd_put_u32(struct hd_writer *w, u32 value) { hd_put(w, &value, sizeof value); }
static inline void hd_put_u64(struct hd_writer *w, u64 value) { hd_put(w, &value, sizeof value); }
static inline void hd_put_f64(struct hd_writer *w, f64 value) { hd_put(w, &value, sizeof value); }

struct hd_reader {
  const unsigned char *from;
  size_t left;
  bool cut; /* more was asked for than there was */
};

/* The next bytes, or NULL. */
static inline const void *hd_take(struct hd_reader *r, size_t bytes) {
  const unsigned char *at = r->from;
  if (bytes > r->left) {
    r->cut = true;
    return NULL;
  }
  r->from += bytes, r->left -= bytes;
  return at;
}
static inline void hd_get(struct hd_reader *r, void *to, size_t bytes) {
  const void *from = hd_take(r, bytes);
  if (from && bytes)
    memcpy(to, from, bytes);
  else if (bytes)
    memset(to, 0, bytes);
}
static inline u32 hd_get_u32(struct hd_reader *r) {
  u32 value;
  hd_get(r, &value, sizeof value);
  return value;
}
static inline u64 hd_get_u64(struct hd_reader *r) {
  u64 value;
  hd_get(r, &value, sizeof value);
  return value;
}
static inline f64 hd_get_f64(struct hd_reader *r) {
  f64 value;
  hd_get(r, &value, sizeof value);
  return value;
}

/* FNV-1a, of words of 8 bytes and then of bytes: for bytes that were changed by accident, not by a foe. */
static inline u64 hd_checksum(const void *from, size_t bytes) {
  const unsigned char *at = from;
  u64 sum = 0xcbf29ce484222325u, word;
  for (; bytes >= sizeof word; at += sizeof word, bytes -= sizeof word) {
    memcpy(&word, at, sizeof word);
    sum = (sum ^ word) * 0x100000001b3u;
    sum ^= sum >> 32;
  }
  for (; bytes; at++, bytes--) sum = (sum ^ *at) * 0x100000001b3u;
  return sum;
}

#endif

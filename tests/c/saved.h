/* saved.h - states as bytes, which tests draw at, change and load
 *
 * draw      a number below another one
 * saved     a state's bytes, in memory of their own
 * make_fit  bytes that were changed, with the checksum that fits them */
#ifndef HEDDLE_TESTS_SAVED_H
#define HEDDLE_TESTS_SAVED_H

#include "support.h"

static inline size_t draw(uint64_t *seed, size_t below) {
  return (size_t)(data_word(*seed += 19, 5) >> 11) % below;
}

static inline unsigned char *saved(heddle_state *state, size_t *bytes) {
  *bytes = 0;
  same_status(HEDDLE_OK, heddle_state_save(state, NULL, bytes), "size: %s", heddle_message());
  unsigned char *to = allocate(*bytes);
  same_status(HEDDLE_OK, heddle_state_save(state, to, bytes), "save: %s", heddle_message());
  return to;
}

/* The checksum of state/wire.h, again. */
static inline void make_fit(unsigned char *bytes, size_t count) {
  uint64_t sum = 0xcbf29ce484222325u, word;
  size_t at = 0;
  for (; count - 8 - at >= 8; at += 8) {
    memcpy(&word, bytes + at, 8);
    sum = (sum ^ word) * 0x100000001b3u;
    sum ^= sum >> 32;
  }
  for (; at < count - 8; at++) sum = (sum ^ bytes[at]) * 0x100000001b3u;
  memcpy(bytes + count - 8, &sum, 8);
}

#endif

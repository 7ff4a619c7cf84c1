/* saved.h - states as bytes, which tests draw at, change and load
 *
 * draw      a number below another one
 * saved     a state's bytes, in memory of their own
 * loaded    a state again, by way of its bytes, which are the same then
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

static inline heddle_state *loaded(heddle_context *ctx, heddle_state *state) {
  size_t bytes, others;
  heddle_state *again = NULL;
  unsigned char *first = saved(state, &bytes);
  same_status(HEDDLE_OK, heddle_state_load(ctx, first, bytes, NULL, &again), "load: %s",
              heddle_message());
  unsigned char *second = saved(again, &others);
  assert_int_equal(bytes, others);
  same_bytes(first, second, bytes, "a state that was saved and loaded");
  free(first);
  free(second);
  return again;
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

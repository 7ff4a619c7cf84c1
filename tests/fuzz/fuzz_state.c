/* fuzz_state.c - any bytes as a saved state
 *
 * Checked: nothing is read outside the bytes; what loads takes more elements, merges with itself loaded again, gives
 * a result and is saved; saved and loaded again, it is saved as the same bytes. The checksum is made to fit, or
 * hardly anything would come past it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "heddle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition) {
  if (!condition) abort();
}

/* As src/api/state/wire.h has it. */
static void make_fit(unsigned char *bytes, size_t count) {
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

static unsigned char *saved(heddle_state *state, size_t *bytes) {
  *bytes = 0;
  require(heddle_state_save(state, NULL, bytes) == HEDDLE_OK);
  unsigned char *to = malloc(*bytes);
  require(to && heddle_state_save(state, to, bytes) == HEDDLE_OK);
  return to;
}

/* Quantiles, elements of ranks and first elements: as many results as there are asked for, or held. */
static void ranked(heddle_state *state, const heddle_state_details *details) {
  size_t found, most = details->shares + details->ranks;
  if (details->first)
    most = details->count < details->first ? (size_t)details->count : details->first;
  if (!most) return;
  double *out = malloc(most * sizeof *out);
  uint64_t *index = malloc(most * sizeof *index);
  require(out && index);
  (void)!heddle_quantiles_finish(state, out);
  (void)!heddle_nth_finish(state, out);
  if (details->first) {
    require(heddle_partial_sort_finish(state, out, HEDDLE_U64, index, &found) == HEDDLE_OK);
    require(found == most);
  }
  free(out);
  free(index);
}

static void finish(heddle_state *state) {
  double value[16];
  uint64_t index;
  heddle_description description = HEDDLE_DESCRIPTION_INIT;
  heddle_state_details details = HEDDLE_STATE_DETAILS_INIT;
  require(heddle_state_info(state, &details) == HEDDLE_OK);
  (void)!heddle_reduce_finish(state, value);
  (void)!heddle_argreduce_finish(state, value, &index);
  (void)!heddle_dot_finish(state, value);
  (void)!heddle_describe_finish(state, &description);
  (void)!heddle_scan_finish(state, value);
  ranked(state, &details);
}

static void go_on(heddle_state *state) {
  static const double x[512];
  static double out[512];
  (void)!heddle_reduce_update(state, x, 500);
  (void)!heddle_argreduce_update(state, x, 500);
  (void)!heddle_dot_update(state, x, x, 500);
  (void)!heddle_describe_update(state, x, 500);
  (void)!heddle_scan_update(state, x, 500, out);
  int again = 1;
  (void)!heddle_quantiles_update(state, x, 500);
  (void)!heddle_partial_sort_update(state, x, 500);
  while (again && heddle_quantiles_round(state, &again) == HEDDLE_OK) {
  }
  finish(state);
}

static void use(heddle_context *ctx, heddle_state *state) {
  heddle_state *again = NULL;
  size_t bytes, others;
  unsigned char *first = saved(state, &bytes);
  require(heddle_state_load(ctx, first, bytes, NULL, &again) == HEDDLE_OK);
  unsigned char *second = saved(again, &others);
  require(bytes == others && memcmp(first, second, bytes) == 0);
  (void)!heddle_state_merge(again, state);
  finish(again);
  finish(state);
  go_on(state);
  heddle_state_free(again);
  free(first);
  free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static heddle_context *ctx;
  heddle_state *state = NULL;
  if (!ctx) require(heddle_open("cpu:1", &ctx) == HEDDLE_OK);
  if (size < 8 || size > 1 << 16) return 0;
  unsigned char *bytes =
      malloc(size); /* of exactly this size: the sanitizer sees a read behind it */
  if (!bytes) return 0;
  memcpy(bytes, data, size);
  make_fit(bytes, size);
  if (heddle_state_load(ctx, bytes, size, NULL, &state) == HEDDLE_OK) {
    use(ctx, state);
    heddle_state_free(state);
  } else {
    require(*heddle_message());
  }
  free(bytes);
  return 0;
}

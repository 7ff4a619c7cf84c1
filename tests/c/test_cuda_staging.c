/* test_cuda_staging.c - host arrays in slices through pinned memory (white-box)
 *
 * Result   every byte of every array arrives and comes back, for arrays side by side of several
 *          element sizes and places, in slices that are whole granules, at lengths around those of
 *          slices; cancelling and failing half-way leave the context usable */
#include <unistd.h>

#include "cuda/core/inside.h"
#include "host/status.h"
#include "support.h"

enum { SLICE = 16 << 20 }; /* bytes, as staging.c has it */

static heddle_context *ctx;

static int open_simt(void **state) {
  (void)state;
  return heddle_open("simt", &ctx) != HEDDLE_OK;
}

static int close_simt(void **state) {
  (void)state;
  heddle_close(ctx);
  return 0;
}

static unsigned char *random_bytes(size_t bytes, uint64_t seed) {
  unsigned char *out = malloc(bytes + 8);
  assert_non_null(out);
  for (size_t i = 0; i < bytes; i += 8) {
    uint64_t word = data_word(seed, i);
    memcpy(out + i, &word, 8);
  }
  return out;
}

/* ---- a kernel's stand-in ------------------------------------------------------------------------- */

/* Streams 0 and 1 are inputs, 2 is the first one's copy, 3 (in place) stays as it is but for its
 * first byte in each slice, which becomes the first byte of stream 1. */
struct work {
  struct hd_cuda_call *call;
  size_t element_bytes[HD_OPERANDS];
  size_t granule, next, count;
  unsigned how_many, slices, fail_at, nap_us;
  size_t first[100]; /* where each slice began */
};

static heddle_status work(void *arg, u64 first, size_t n, const cu_pointer *device) {
  struct work *w = arg;
  const struct hd_cuda_driver *cu = w->call->cu;
  assert_int_equal(first, w->next);
  assert_true(n > 0 && (n % w->granule == 0 || first + n == w->count));
  w->next += n;
  if (w->slices < 100) w->first[w->slices] = first;
  (void)usleep(w->nap_us);
  if (++w->slices == w->fail_at) return hd_fail(HEDDLE_BAD_DATA, "half-way");
  assert_false(cu->copy_device(device[2], device[0], n * w->element_bytes[0], w->call->stream));
  if (w->how_many == 4) assert_false(cu->copy_device(device[3], device[1], 1, w->call->stream));
  return HEDDLE_OK;
}

struct arrays {
  struct hd_cuda_operand streams[HD_OPERANDS];
  unsigned char *in[2], *out, *place;
  size_t bytes[HD_OPERANDS];
};

static void make_arrays(struct arrays *a, size_t count, size_t narrow, size_t wide) {
  const size_t sizes[HD_OPERANDS] = {narrow, wide, narrow, wide};
  for (unsigned i = 0; i < HD_OPERANDS; i++) a->bytes[i] = count * sizes[i];
  a->in[0] = random_bytes(a->bytes[0], 1);
  a->in[1] = random_bytes(a->bytes[1], 2);
  a->out = random_bytes(a->bytes[2], 3);
  a->place = random_bytes(a->bytes[3], 4);
  for (unsigned i = 0; i < HD_OPERANDS; i++)
    a->streams[i] = (struct hd_cuda_operand){
        .what = "array", .element_bytes = sizes[i], .space = HD_SPACE_HOST};
  a->streams[0].in = a->in[0];
  a->streams[1].in = a->in[1];
  a->streams[2].out = a->out;
  a->streams[3].in = a->streams[3].out = a->place;
}

static void free_arrays(struct arrays *a) {
  free(a->in[0]);
  free(a->in[1]);
  free(a->out);
  free(a->place);
}

static heddle_status run(struct arrays *a, struct work *w) {
  struct hd_cuda_call call;
  same_status(HEDDLE_OK, hd_cuda_enter(ctx, "test", &call), "enter");
  w->call = &call;
  for (unsigned i = 0; i < HD_OPERANDS; i++) w->element_bytes[i] = a->streams[i].element_bytes;
  heddle_status status =
      hd_cuda_slices(&call, a->streams, w->how_many, w->count, w->granule, work, w);
  return hd_cuda_leave(&call, status);
}

static void check(size_t count, size_t narrow, size_t wide, size_t granule, unsigned how_many) {
  struct arrays a;
  struct work w = {.granule = granule, .count = count, .how_many = how_many};
  make_arrays(&a, count, narrow, wide);
  unsigned char *place = malloc(a.bytes[3] + 1);
  assert_non_null(place);
  memcpy(place, a.place, a.bytes[3]);
  same_status(HEDDLE_OK, run(&a, &w), "%zu elements", count);
  assert_int_equal(w.next, count);
  same_bytes(a.in[0], a.out, a.bytes[2], "%zu elements of %zu bytes in %u slices", count, narrow,
             w.slices);
  const size_t each = how_many == 4 ? 2 * narrow + 2 * wide : 2 * narrow + wide;
  assert_true(w.slices >= count * each / SLICE || granule * each > SLICE);
  for (unsigned i = 0; how_many == 4 && i < w.slices; i++)
    place[w.first[i] * wide] = a.in[1][w.first[i] * wide];
  if (memcmp(place, a.place, a.bytes[3])) fail_msg("in place: %zu elements", count);
  free(place);
  free_arrays(&a);
}

static void every_byte_arrives(void **state) {
  (void)state;
  const size_t step = SLICE / (2 * 4 + 8); /* elements a slice of f32, f64, f32 */
  const size_t counts[] = {1,        255,          4097,         step - 1,     step,
                           step + 1, 2 * step + 7, 3 * step - 1, 3 * step + 1, 7 * step + 12345};
  for (size_t i = 0; i<sizeof counts / sizeof *counts; i += lightness()> 4 ? 3 : 1)
    check(counts[i], 4, 8, 1, 3);
  check(9 * step / 2, 4, 8, 1 << 10, 4);
  check(step, 1, 2, 3000, 4);
  check(SLICE / 8, 12, 3, 999, 4);
  check(5 << 20, 4, 8, 3 << 20, 3); /* a granule beyond a slice */
}

/* ---- trouble ---------------------------------------------------------------------------------------- */

static int stop(void *user) {
  (void)user;
  return 1;
}

static void stopped_half_way(void **state) {
  (void)state;
  struct arrays a;
  const size_t count = 40 << 20;
  make_arrays(&a, count, 1, 1);
  struct work w = {.granule = 1, .count = count, .how_many = 3, .fail_at = 5};
  same_status(HEDDLE_BAD_DATA, run(&a, &w), "a slice fails");
  check(4 << 20, 4, 8, 1, 4);
  same_status(HEDDLE_OK, heddle_set_poll(ctx, stop, NULL), "poll");
  w = (struct work){.granule = 1, .count = count, .how_many = 3, .nap_us = 30000};
  same_status(HEDDLE_CANCELLED, run(&a, &w), "a callback that asks to stop");
  assert_true(w.next < count);
  same_status(HEDDLE_OK, heddle_set_poll(ctx, NULL, NULL), "poll");
  check(4 << 20, 4, 8, 1, 4);
  free_arrays(&a);
}

/* heddle_copy goes the same way, at any alignment, and leaves what is beside alone. */
static void copies_both_ways(void **state) {
  (void)state;
  const size_t counts[] = {1, 63, 100000, SLICE, 3 * (size_t)SLICE + 1, 5 * (size_t)SLICE + 4321};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    const size_t n = counts[i];
    unsigned char *from = random_bytes(n + 1, 5), *to = random_bytes(n + 2, 6);
    void *device = NULL;
    same_status(HEDDLE_OK, heddle_device_alloc(ctx, n, &device), "alloc");
    same_status(HEDDLE_OK, heddle_copy(ctx, device, from + 1, n), "up");
    const unsigned char before = to[0], after = to[n + 1];
    same_status(HEDDLE_OK, heddle_copy(ctx, to + 1, device, n), "down");
    same_bytes(from + 1, to + 1, n, "%zu bytes", n);
    assert_int_equal(to[0], before);
    assert_int_equal(to[n + 1], after);
    same_status(HEDDLE_OK, heddle_device_free(ctx, device), "free");
    free(from);
    free(to);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_byte_arrives),
      cmocka_unit_test(stopped_half_way),
      cmocka_unit_test(copies_both_ways),
  };
  return cmocka_run_group_tests(tests, open_simt, close_simt);
}

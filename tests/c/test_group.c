/* test_group.c - a context on several devices: what it is, and calls on it
 *
 * Method   four software devices. Plain calls on arrays of the host, large enough to be shared, and on
 *          device memory of each member have the CPU's bits; what a group refuses says why. */
#include <pthread.h>

#include "support.h"

enum { DEVICES = 4, N = 600000 }; /* of f32: shared by all four */

static heddle_context *cpu, *group, *owner[DEVICES];

static heddle_context *opened(const char *name) {
  heddle_context *ctx = NULL;
  if (heddle_open(name, &ctx)) fail_msg("%s: %s", name, heddle_message());
  return ctx;
}

static int setup(void **unused) {
  (void)unused;
  (void)setenv("SIMT_DEVICES", "4", 1);
  cpu = opened("cpu:1");
  group = opened("simt:0,1,2,3");
  for (int d = 0; d < DEVICES; d++) {
    char name[24];
    (void)snprintf(name, sizeof name, "simt:%d", d);
    owner[d] = opened(name);
  }
  return 0;
}

static int teardown(void **unused) {
  (void)unused;
  for (int d = 0; d < DEVICES; d++) heddle_close(owner[d]);
  heddle_close(group);
  heddle_close(cpu);
  return 0;
}

static void *on_device(int d, const void *from, size_t bytes) {
  void *memory;
  assert_int_equal(heddle_device_alloc(owner[d], bytes, &memory), HEDDLE_OK);
  assert_int_equal(heddle_copy(owner[d], memory, from, bytes), HEDDLE_OK);
  return memory;
}
static void drop(int d, void *memory) {
  assert_int_equal(heddle_device_free(owner[d], memory), HEDDLE_OK);
}

static void expect(heddle_status wanted, heddle_status got, const char *words) {
  same_status(wanted, got, "%s", words);
  if (!strstr(heddle_message(), words)) fail_msg("\"%s\" lacks \"%s\"", heddle_message(), words);
}

/* ---- names ------------------------------------------------------------------------------------ */

static void names(void **unused) {
  (void)unused;
  static const struct {
    const char *name, *device, *is;
    unsigned threads;
  } good[] = {{"simt:0,1,2,3", "simt:0,1,2,3", "4 x ", 16},
              {"simt:all", "simt:0,1,2,3", "4 x ", 16},
              {"simt:3,1", "simt:3,1", "2 x ", 8},
              {"simt:2", "simt:2", "", 4}};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    heddle_context *ctx = opened(good[i].name);
    heddle_device_info info = HEDDLE_DEVICE_INFO_INIT;
    assert_int_equal(heddle_info(ctx, &info), HEDDLE_OK);
    assert_string_equal(info.device, good[i].device);
    assert_int_equal(info.threads, good[i].threads);
    if (strncmp(info.name, good[i].is, strlen(good[i].is))) fail_msg("name %s", info.name);
    assert_string_equal(info.isa, "sm_90");
    heddle_close(ctx);
  }
}

static void refused_names(void **unused) {
  (void)unused;
  static const struct {
    const char *name;
    heddle_status status;
    const char *words;
  } bad[] = {
      {"simt:0,4", HEDDLE_NO_DEVICE,
       "heddle_open: \"simt:0,4\": there is no device 4; this process sees 4, numbered from 0"},
      {"simt:1,2,1", HEDDLE_BAD_ARGUMENT, "device 1 is named twice; name each once"},
      {"simt:,", HEDDLE_NO_DEVICE,
       "a number is missing; list devices by number, as in \"simt:0,1\""},
      {"simt:0,", HEDDLE_NO_DEVICE, "a number is missing"},
      {"simt:,1", HEDDLE_NO_DEVICE, "a number is missing"},
      {"simt:0,,1", HEDDLE_NO_DEVICE, "a number is missing"},
      {"simt:0,x", HEDDLE_NO_DEVICE, "what is no number names no device"},
      {"simt:0,1x", HEDDLE_NO_DEVICE, "what is no number names no device"},
      {"simt:0,-1", HEDDLE_NO_DEVICE, "what is no number names no device"},
      {"simt:0, 1", HEDDLE_NO_DEVICE, "what is no number names no device"},
      {"simt:all,0", HEDDLE_NO_DEVICE, "what is no number names no device"},
      {"simt:99999999999999999999,0", HEDDLE_NO_DEVICE, "there is no device"},
      {"simt:4", HEDDLE_NO_DEVICE, "names no GPU"},
      {"cpu:all", HEDDLE_NO_DEVICE, "cpu:all"},
      {"cpu:1,2", HEDDLE_NO_DEVICE, "cpu:1,2"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    heddle_context *ctx = cpu;
    expect(bad[i].status, heddle_open(bad[i].name, &ctx), bad[i].words);
    assert_null(ctx);
  }
}

/* ---- arrays of the host ----------------------------------------------------------------------- */

struct results {
  float sum, dot, min, mean, scan_end;
  uint64_t place;
  heddle_description description;
};

static void call_all(heddle_context *ctx, const float *x, const float *y, size_t n, float *scan,
                     struct results *r) {
  heddle_options mean = HEDDLE_OPTIONS_INIT;
  mean.figures = HEDDLE_FIGURES_DEVIATION;
  memset(r, 0, sizeof *r);
  r->description.size = sizeof r->description;
  assert_int_equal(heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, n, &r->sum, NULL), HEDDLE_OK);
  assert_int_equal(heddle_dot(ctx, HEDDLE_F32, x, y, n, &r->dot, NULL), HEDDLE_OK);
  assert_int_equal(heddle_argreduce(ctx, HEDDLE_ARGMIN, HEDDLE_F32, x, n, &r->min, &r->place, NULL),
                   HEDDLE_OK);
  assert_int_equal(heddle_describe(ctx, HEDDLE_F32, x, n, &r->description, NULL), HEDDLE_OK);
  assert_int_equal(heddle_figure(ctx, HEDDLE_F32, x, n, &r->mean, &mean), HEDDLE_OK);
  assert_int_equal(heddle_scan(ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, x, n, scan, NULL),
                   HEDDLE_OK);
  r->scan_end = scan[n - 1];
}

static void host_arrays(void **unused) {
  (void)unused;
  static const size_t lengths[] = {1, 65536, 131071, 131072, 131075, 200000, 262144, 262145, N};
  float *x = data_new(DATA_WIDE, HEDDLE_F32, 3, N), *y = data_new(DATA_WIDE, HEDDLE_F32, 4, N);
  float *scan[2] = {allocate(N * sizeof(float)), allocate(N * sizeof(float))};
  struct results expected, got;
  for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
    const size_t n = lengths[l];
    call_all(cpu, x, y, n, scan[0], &expected);
    call_all(group, x, y, n, scan[1], &got);
    same_bytes(&expected, &got, sizeof got, "%zu elements", n);
    same_array(HEDDLE_F32, scan[0], scan[1], n, "scan of %zu", n);
  }
  free(scan[0]);
  free(scan[1]);
  free(x);
  free(y);
}

/* A member fails in its thread: the caller has the message. */
static void failures_of_threads(void **unused) {
  (void)unused;
  float *x = data_new(DATA_WIDE, HEDDLE_F32, 3, N), out;
  (void)setenv("SIMT_FAIL", "cuLaunchKernel:1+:719", 1);
  const heddle_status status = heddle_reduce(group, HEDDLE_SUM, HEDDLE_F32, x, N, &out, NULL);
  (void)unsetenv("SIMT_FAIL");
  same_status(HEDDLE_DEVICE_ERROR, status, "%s", heddle_message());
  if (!strstr(heddle_message(), "CUDA_ERROR_LAUNCH_FAILED")) fail_msg("%s", heddle_message());
  free(x);
}

/* ---- arrays of devices ------------------------------------------------------------------------ */

static void device_arrays(void **unused) {
  (void)unused;
  enum { SHORT = 5000 };
  float *x = data_new(DATA_WIDE, HEDDLE_F32, 9, SHORT), expected, got,
        *scanned = allocate(4 * SHORT);
  assert_int_equal(heddle_reduce(cpu, HEDDLE_SUM, HEDDLE_F32, x, SHORT, &expected, NULL),
                   HEDDLE_OK);
  for (int d = 0; d < DEVICES; d++) {
    float *there = on_device(d, x, 4 * SHORT), *out = on_device(d, x, 4 * SHORT);
    assert_int_equal(heddle_reduce(group, HEDDLE_SUM, HEDDLE_F32, there, SHORT, &got, NULL),
                     HEDDLE_OK);
    same_bytes(&expected, &got, sizeof got, "on device %d", d);
    assert_int_equal(
        heddle_scan(group, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, there, SHORT, out, NULL),
        HEDDLE_OK);
    assert_int_equal(heddle_sync(group), HEDDLE_OK);
    assert_int_equal(heddle_copy(group, scanned, out, 4 * SHORT), HEDDLE_OK);
    same_bytes(&expected, &scanned[SHORT - 1], sizeof expected, "scan on device %d", d);
    /* The operand is the host's, the result the device's. */
    assert_int_equal(heddle_reduce(group, HEDDLE_SUM, HEDDLE_F32, x, SHORT, out + 7, NULL),
                     HEDDLE_OK);
    assert_int_equal(heddle_copy(group, &got, out + 7, sizeof got), HEDDLE_OK);
    same_bytes(&expected, &got, sizeof got, "to device %d", d);
    drop(d, there);
    drop(d, out);
  }
  free(scanned);
  free(x);
}

/* From one member's memory to another's, in pieces that are no multiple of what goes at once. */
static void copies_across(void **unused) {
  (void)unused;
  enum { BYTES = (9 << 20) + 5 };
  unsigned char *x = data_new(DATA_WIDE, HEDDLE_U8, 2, BYTES), *back = allocate(BYTES);
  memset(back, 0, BYTES);
  void *from = on_device(3, x, BYTES), *to = on_device(1, back, BYTES), *own;
  assert_int_equal(heddle_copy(group, to, from, BYTES), HEDDLE_OK);
  assert_int_equal(heddle_copy(group, back, to, BYTES), HEDDLE_OK);
  same_bytes(x, back, BYTES, "copied from device 3 to device 1");
  drop(3, from);
  drop(1, to);
  assert_int_equal(heddle_device_alloc(group, 100, &own), HEDDLE_OK);
  assert_int_equal(heddle_copy(group, own, x, 100), HEDDLE_OK);
  assert_int_equal(heddle_device_free(group, own), HEDDLE_OK);
  free(back);
  free(x);
}

/* Two operands of two devices are nobody's. */
static void mixed_operands(void **unused) {
  (void)unused;
  float x[4] = {1, 2, 3, 4}, out;
  void *a = on_device(1, x, sizeof x), *b = on_device(2, x, sizeof x);
  expect(HEDDLE_BAD_ARGUMENT, heddle_dot(group, HEDDLE_F32, a, b, 4, &out, NULL),
         "`y` is memory of GPU 2, but `ctx` is on simt:1");
  drop(1, a);
  drop(2, b);
}

/* ---- hooks, streams, states ------------------------------------------------------------------- */

static int polls;
static pthread_t caller;
static int polled(void *user) {
  assert_true(pthread_equal(pthread_self(), caller));
  polls++;
  return *(int *)user;
}

static void polling(void **unused) {
  (void)unused;
  enum { LONG = 8000000 };
  float *x = data_new(DATA_WIDE, HEDDLE_F32, 3, LONG), expected, got = 0;
  int stop = 0;
  caller = pthread_self();
  assert_int_equal(heddle_reduce(cpu, HEDDLE_SUM, HEDDLE_F32, x, LONG, &expected, NULL), HEDDLE_OK);
  assert_int_equal(heddle_set_poll(group, polled, &stop), HEDDLE_OK);
  assert_int_equal(heddle_reduce(group, HEDDLE_SUM, HEDDLE_F32, x, LONG, &got, NULL), HEDDLE_OK);
  same_bytes(&expected, &got, sizeof got, "polled %d times", polls);
  stop = 1;
  for (int tries = 0; tries < 50; tries++) {
    const heddle_status status = heddle_reduce(group, HEDDLE_SUM, HEDDLE_F32, x, LONG, &got, NULL);
    if (status == HEDDLE_CANCELLED) break;
    same_status(HEDDLE_OK, status, "%s", heddle_message());
    if (tries == 49) fail_msg("never cancelled, polled %d times", polls);
  }
  assert_int_equal(heddle_set_poll(group, NULL, NULL), HEDDLE_OK);
  assert_int_equal(heddle_reduce(group, HEDDLE_SUM, HEDDLE_F32, x, LONG, &got, NULL), HEDDLE_OK);
  same_bytes(&expected, &got, sizeof got, "after it was cancelled");
  free(x);
}

static size_t held, runs;
static void *take(void *user, size_t bytes) {
  (void)user;
  held += bytes;
  return aligned_alloc(64, (bytes + 63) & ~(size_t)63);
}
static void give(void *user, void *memory, size_t bytes) {
  (void)user;
  held -= bytes;
  free(memory);
}
static void in_turn(void *user, size_t count, heddle_task *task, void *arg) {
  (void)user;
  runs++;
  for (size_t i = count; i-- > 0;) task(arg, i);
}

/* Memory and threads are the caller's. */
static void hooks(void **unused) {
  (void)unused;
  heddle_context *ctx = opened("simt:1,2,3");
  float *x = data_new(DATA_WIDE, HEDDLE_F32, 3, N), expected, got;
  heddle_state *state;
  assert_int_equal(heddle_reduce(cpu, HEDDLE_SUM, HEDDLE_F32, x, N, &expected, NULL), HEDDLE_OK);
  assert_int_equal(heddle_set_allocator(ctx, take, give, NULL), HEDDLE_OK);
  assert_int_equal(heddle_set_executor(ctx, in_turn, NULL), HEDDLE_OK);
  assert_int_equal(heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, N, &got, NULL), HEDDLE_OK);
  same_bytes(&expected, &got, sizeof got, "on an executor");
  assert_true(runs > 0);
  assert_int_equal(held, 0);
  assert_int_equal(heddle_reduce_begin(ctx, HEDDLE_SUM, HEDDLE_F32, NULL, &state), HEDDLE_OK);
  assert_true(held > 0);
  expect(HEDDLE_BAD_ARGUMENT, heddle_set_allocator(ctx, NULL, NULL, NULL), "still holds");
  assert_int_equal(heddle_reduce_update(state, x, 1000), HEDDLE_OK);
  assert_int_equal(heddle_reduce_update(state, x + 1000, N - 1000), HEDDLE_OK);
  assert_int_equal(heddle_reduce_finish(state, &got), HEDDLE_OK);
  same_bytes(&expected, &got, sizeof got, "in pieces");
  heddle_state_free(state);
  assert_int_equal(held, 0);
  heddle_close(ctx);
  free(x);
}

static void refused(void **unused) {
  (void)unused;
  expect(
      HEDDLE_UNSUPPORTED, heddle_prepare_begin(group),
      "heddle_prepare_begin: `ctx` is the group simt:0,1,2,3, and this is done for one device at "
      "a time; open a context on each, as \"simt:0\"");
  expect(HEDDLE_BAD_ARGUMENT, heddle_prepare_end(group, NULL), "is not preparing");
  expect(HEDDLE_UNSUPPORTED, heddle_set_scratch(group, NULL, 0), "heddle_set_scratch");
  expect(HEDDLE_UNSUPPORTED, heddle_set_device_allocator(group, NULL, NULL, NULL),
         "heddle_set_device_allocator");
  expect(HEDDLE_BAD_ARGUMENT, heddle_set_stream(group, (void *)(uintptr_t)4096),
         "`stream` belongs to no device of the group simt:0,1,2,3");
  assert_int_equal(heddle_set_stream(group, NULL), HEDDLE_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names),         cmocka_unit_test(refused_names),
      cmocka_unit_test(host_arrays),   cmocka_unit_test(device_arrays),
      cmocka_unit_test(copies_across), cmocka_unit_test(mixed_operands),
      cmocka_unit_test(polling),       cmocka_unit_test(hooks),
      cmocka_unit_test(refused),       cmocka_unit_test(failures_of_threads)};
  return cmocka_run_group_tests(tests, setup, teardown);
}

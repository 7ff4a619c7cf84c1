/* test_cuda_graph.c - every primitive captured into a CUDA graph once prepared, and replayed three
 * times on changing data: right each time. Runs on the first device of HEDDLE_TEST_DEVICES. */
#include "gpu.h"

enum { COUNT = 5003, ROWS = 61, OUT = COUNT * 8 + 64, POISON = 0xA5 };

/* What one call reads and writes, on the device or in host memory. */
typedef struct places {
  heddle_context *ctx;
  const void *x, *y;
  const uint64_t *offsets;
  void *out, *more;
} places;

typedef heddle_status call(const places *p);

static heddle_status sum(const places *p) {
  return heddle_reduce(p->ctx, HEDDLE_SUM, HEDDLE_F32, p->x, COUNT, p->out, NULL);
}
static heddle_status least(const places *p) {
  return heddle_reduce(p->ctx, HEDDLE_MIN, HEDDLE_I64, p->x, COUNT, p->out, NULL);
}
static heddle_status dot(const places *p) {
  return heddle_dot(p->ctx, HEDDLE_F64, p->x, p->y, COUNT, p->out, NULL);
}
static heddle_status place(const places *p) {
  return heddle_argreduce(p->ctx, HEDDLE_ARGMAX, HEDDLE_F32, p->x, COUNT, p->out, p->more, NULL);
}
static heddle_status describe(const places *p) {
  return heddle_describe(p->ctx, HEDDLE_F32, p->x, COUNT, p->out, NULL);
}
static heddle_status scan(const places *p) {
  return heddle_scan(p->ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, p->x, COUNT, p->out, NULL);
}
static heddle_status scan_before(const places *p) {
  return heddle_scan(p->ctx, HEDDLE_MAX, HEDDLE_EXCLUSIVE, HEDDLE_U8, p->x, COUNT, p->out, NULL);
}

static const size_t shape[2] = {ROWS, COUNT / ROWS};
static heddle_rows axis_of(size_t axis) {
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.dims = 2;
  rows.axis = axis;
  rows.shape = shape;
  return rows;
}
static heddle_rows segments_of(const places *p) {
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.offsets = p->offsets;
  rows.segments = ROWS;
  return rows;
}
static heddle_status rows(const places *p) {
  const heddle_rows r = axis_of(1);
  return heddle_reduce_rows(p->ctx, HEDDLE_SUM, HEDDLE_F32, p->x, &r, p->out, NULL);
}
static heddle_status columns(const places *p) {
  const heddle_rows r = axis_of(0);
  return heddle_reduce_rows(p->ctx, HEDDLE_SUM, HEDDLE_F32, p->x, &r, p->out, NULL);
}
static heddle_status segments(const places *p) {
  const heddle_rows r = segments_of(p);
  return heddle_reduce_rows(p->ctx, HEDDLE_SUM, HEDDLE_F32, p->x, &r, p->out, NULL);
}
static heddle_status scanned_segments(const places *p) {
  const heddle_rows r = segments_of(p);
  return heddle_scan_rows(p->ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, p->x, &r, p->out, NULL);
}
static heddle_status bytes(const places *p) {
  const heddle_bins bins = {sizeof bins, HEDDLE_BINS_INTEGER, 256, 0, 0, 0, NULL, 0};
  return heddle_histogram(p->ctx, HEDDLE_U8, p->x, COUNT, &bins, p->out, NULL, NULL);
}
static heddle_status even(const places *p) {
  const heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, 100, -100, 100, 0, NULL, 0};
  return heddle_histogram(p->ctx, HEDDLE_F32, p->x, COUNT, &bins, p->out, NULL, NULL);
}
static heddle_status weighted(const places *p) {
  const heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, 50, -100, 100, 0, NULL, 0};
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  options.weights = p->y;
  options.weights_type = HEDDLE_F32;
  options.weight_exponent = 128;
  options.sums = p->out;
  return heddle_histogram(p->ctx, HEDDLE_F32, p->x, COUNT, &bins, p->more, NULL, &options);
}

static heddle_status weighted_exactly(const places *p) {
  const heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, 50, -100, 100, 0, NULL, 0};
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  options.weights = p->y;
  options.weights_type = HEDDLE_F32;
  options.exact = 1;
  options.sums = p->out;
  return heddle_histogram(p->ctx, HEDDLE_F32, p->x, COUNT, &bins, p->more, NULL, &options);
}

static const struct {
  const char *name;
  call *run;
  size_t out, more; /* bytes of each result */
} jobs[] = {{"sum", sum, 4, 0},
            {"min", least, 8, 0},
            {"dot", dot, 8, 0},
            {"argmax", place, 4, 8},
            {"describe", describe, sizeof(heddle_description), 0},
            {"scan", scan, COUNT * 4, 0},
            {"exclusive scan", scan_before, COUNT, 0},
            {"rows", rows, ROWS * 4, 0},
            {"columns", columns, COUNT / ROWS * 4, 0},
            {"segments", segments, ROWS * 4, 0},
            {"scan of segments", scanned_segments, COUNT * 4, 0},
            {"histogram of bytes", bytes, 256 * 8, 0},
            {"histogram", even, 100 * 8, 0},
            {"weights", weighted, 50 * 8, 50 * 8},
            {"exact weights", weighted_exactly, 50 * 8, 50 * 8}};
enum { JOBS = sizeof jobs / sizeof *jobs };

/* Results on the device, copied back, and the CPU's. */
static void judge(size_t j, const places *on_gpu, const places *on_cpu, int replay) {
  static unsigned char got[OUT], more[OUT];
  gpu_down(got, on_gpu->out, OUT);
  gpu_down(more, on_gpu->more, OUT);
  memset(on_cpu->out, POISON, OUT);
  memset(on_cpu->more, POISON, OUT);
  *(heddle_description *)on_cpu->out = (heddle_description)HEDDLE_DESCRIPTION_INIT;
  same_status(HEDDLE_OK, jobs[j].run(on_cpu), "%s on the CPU", jobs[j].name);
  same_bytes(on_cpu->out, got, jobs[j].out, "%s, replay %d", jobs[j].name, replay);
  same_bytes(on_cpu->more, more, jobs[j].more, "%s, replay %d: the second result", jobs[j].name,
             replay);
  for (size_t i = jobs[j].out; i < OUT; i++)
    if (got[i] != POISON) fail_msg("%s, replay %d: byte %zu was written", jobs[j].name, replay, i);
}

/* New data: f32 that are i64, f64 and u8 as well, all of them ordinary numbers there. */
static void new_data(const places *on_gpu, const places *on_cpu, uint64_t seed) {
  for (int array = 0; array < 2; array++) {
    void *host = (void *)(uintptr_t)(array ? on_cpu->y : on_cpu->x);
    data_fill(DATA_WIDE, HEDDLE_F32, seed + (uint64_t)array * 100, 2 * COUNT, host);
    gpu_up((void *)(uintptr_t)(array ? on_gpu->y : on_gpu->x), host, COUNT * 8);
  }
  gpu_fill(on_gpu->out, POISON, OUT);
  gpu_fill(on_gpu->more, POISON, OUT);
}

static gpu_handle captured(size_t j, const places *p, gpu_handle stream) {
  gpu_handle graph = NULL, ready = NULL;
  gpu_must(gpu.capture_begin(stream, GPU_CAPTURE_RELAXED), "cuStreamBeginCapture");
  const heddle_status status = jobs[j].run(p);
  gpu_must(gpu.capture_end(stream, &graph), "cuStreamEndCapture");
  same_status(HEDDLE_OK, status, "%s while captured", jobs[j].name);
  gpu_must(gpu.graph_ready(&ready, graph, 0), "cuGraphInstantiate");
  gpu_must(gpu.graph_destroy(graph), "cuGraphDestroy");
  return ready;
}

static void replayed_three_times(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  uint64_t offsets[ROWS + 1] = {0};
  for (uint64_t i = 0; i < ROWS; i++) offsets[i + 1] = offsets[i] + data_word(1, i) % 160;
  offsets[ROWS] = COUNT;
  uint64_t *on_device = gpu_memory(sizeof offsets);
  gpu_up(on_device, offsets, sizeof offsets);
  const places g = {gpu_ctx,   gpu_memory(COUNT * 8), gpu_memory(COUNT * 8),
                    on_device, gpu_memory(OUT),       gpu_memory(OUT)};
  const places c = {gpu_cpu, allocate(COUNT * 8), allocate(COUNT * 8),
                    offsets, allocate(OUT),       allocate(OUT)};
  gpu_handle stream = NULL, graphs[JOBS];
  size_t scratch = 0;
  gpu_must(gpu.stream_create(&stream, GPU_NON_BLOCKING), "cuStreamCreate");
  same_status(HEDDLE_OK, heddle_set_stream(gpu_ctx, stream), "set_stream");
  new_data(&g, &c, 1);
  same_status(HEDDLE_OK, heddle_prepare_begin(gpu_ctx), "prepare_begin");
  for (size_t j = 0; j < JOBS; j++)
    same_status(HEDDLE_OK, jobs[j].run(&g), "%s while preparing", jobs[j].name);
  same_status(HEDDLE_OK, heddle_prepare_end(gpu_ctx, &scratch), "prepare_end");
  for (size_t j = 0; j < JOBS; j++) graphs[j] = captured(j, &g, stream);
  for (int replay = 0; replay < 3; replay++)
    for (size_t j = 0; j < JOBS; j++) {
      new_data(&g, &c, 10 * (uint64_t)replay + j);
      gpu_must(gpu.graph_launch(graphs[j], stream), "cuGraphLaunch");
      gpu_must(gpu.stream_sync(stream), "cuStreamSynchronize");
      judge(j, &g, &c, replay);
    }
  /* A plain call between replays of its graph. */
  for (size_t j = 0; j < JOBS; j++) {
    new_data(&g, &c, 100 + j);
    same_status(HEDDLE_OK, jobs[j].run(&g), "%s", jobs[j].name);
    same_status(HEDDLE_OK, heddle_sync(gpu_ctx), "%s", jobs[j].name);
    judge(j, &g, &c, 3);
    new_data(&g, &c, 200 + j);
    gpu_must(gpu.graph_launch(graphs[j], stream), "cuGraphLaunch");
    gpu_must(gpu.stream_sync(stream), "cuStreamSynchronize");
    judge(j, &g, &c, 4);
    gpu_must(gpu.graph_forget(graphs[j]), "cuGraphExecDestroy");
  }
  same_status(HEDDLE_OK, heddle_set_stream(gpu_ctx, NULL), "set_stream");
  gpu_must(gpu.stream_destroy(stream), "cuStreamDestroy");
  void *const device[] = {(void *)(uintptr_t)g.x, (void *)(uintptr_t)g.y, on_device, g.out, g.more};
  void *const host[] = {(void *)(uintptr_t)c.x, (void *)(uintptr_t)c.y, c.out, c.more};
  for (size_t i = 0; i < 5; i++) gpu_forget(device[i]);
  for (size_t i = 0; i < 4; i++) free(host[i]);
}

/* Not prepared, or with host memory: a status with the remedy, and both capture and context go on. */
static void what_cannot_be_captured(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  heddle_context *ctx = NULL;
  gpu_handle stream = NULL, graph = NULL;
  float total = 0, host[16] = {0};
  same_status(HEDDLE_OK, heddle_open(gpu_device(), &ctx), "open");
  gpu_must(gpu.stream_create(&stream, GPU_NON_BLOCKING), "cuStreamCreate");
  same_status(HEDDLE_OK, heddle_set_stream(ctx, stream), "set_stream");
  float *x = gpu_memory(sizeof host), *out = gpu_memory(sizeof total);
  gpu_up(x, host, sizeof host);
  gpu_must(gpu.capture_begin(stream, GPU_CAPTURE_RELAXED), "cuStreamBeginCapture");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_reduce(ctx, HEDDLE_PROD, HEDDLE_F64, x, 8, out, NULL),
              "not prepared");
  assert_non_null(strstr(heddle_message(), "heddle_prepare"));
  same_status(HEDDLE_BAD_ARGUMENT, heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, host, 16, out, NULL),
              "host memory");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, 16, &total, NULL),
              "a host result");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_sync(ctx), "heddle_sync while captured");
  gpu_must(gpu.capture_end(stream, &graph), "cuStreamEndCapture");
  gpu_must(gpu.graph_destroy(graph), "cuGraphDestroy");
  same_status(HEDDLE_OK, heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, 16, &total, NULL), "after");
  heddle_close(ctx);
  gpu_must(gpu.stream_destroy(stream), "cuStreamDestroy");
  gpu_forget(x);
  gpu_forget(out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(replayed_three_times),
      cmocka_unit_test(what_cannot_be_captured),
  };
  return cmocka_run_group_tests_name("graphs", tests, gpu_setup, gpu_teardown);
}

/* test_cuda_shifts.c - scans on a device whose input and output begin at any element behind a multiple
 * of 16 bytes, each at its own
 *
 * Result   the bits of a CPU, and no byte written around them: whole arrays of each kernel's sizes, in
 *          place too, and arrays in pieces, where a tile begins with what came before
 * Method   the input ends where its memory does and nothing was ever written before it, so that the
 *          checker sees what is read around it
 * Limits   every shift of the input is taken with one of the output, and in place; the software device
 *          takes fewer lengths */
#include "gpu.h"
#include "lists.h"

enum { MOST_TILES = 545, MOST_BYTES = MOST_TILES * 8192 * 8, VECTOR = 16 };

struct job {
  heddle_op op;
  heddle_type type, acc, out;
  size_t tile; /* elements */
  heddle_scan_kind kind;
  int init;
};

/* Lanes that hold 16, 8 and 4 bytes of input and 2 to 64 of output. A device compiles dozens of kernels for
 * each: it has the first few, and all with HEDDLE_TEST_FULL. */
static const struct job jobs[] = {
    {HEDDLE_SUM, HEDDLE_F32, HEDDLE_TYPE_DEFAULT, HEDDLE_F32, 2048, HEDDLE_INCLUSIVE, 0},
    {HEDDLE_SUM, HEDDLE_F64, HEDDLE_TYPE_DEFAULT, HEDDLE_F64, 1024, HEDDLE_EXCLUSIVE, 0},
    {HEDDLE_SUM, HEDDLE_U8, HEDDLE_TYPE_DEFAULT, HEDDLE_U8, 4096, HEDDLE_INCLUSIVE, 0},
    {HEDDLE_SUM, HEDDLE_BF16, HEDDLE_F64, HEDDLE_F32, 1024, HEDDLE_INCLUSIVE, 0},
    {HEDDLE_SUM, HEDDLE_F16, HEDDLE_TYPE_DEFAULT, HEDDLE_F16, 2048, HEDDLE_INCLUSIVE, 1},
    {HEDDLE_SUM, HEDDLE_U8, HEDDLE_TYPE_DEFAULT, HEDDLE_U16, 4096, HEDDLE_EXCLUSIVE, 1},
    {HEDDLE_SUM, HEDDLE_I8, HEDDLE_TYPE_DEFAULT, HEDDLE_I64, 4096, HEDDLE_INCLUSIVE, 0},
    {HEDDLE_SUM, HEDDLE_I64, HEDDLE_TYPE_DEFAULT, HEDDLE_U8, 1024, HEDDLE_EXCLUSIVE, 0},
    {HEDDLE_SUM, HEDDLE_F64, HEDDLE_TYPE_DEFAULT, HEDDLE_F32, 1024, HEDDLE_INCLUSIVE, 1},
    {HEDDLE_MIN, HEDDLE_F32, HEDDLE_TYPE_DEFAULT, HEDDLE_F32, 1024, HEDDLE_INCLUSIVE, 0}};
enum { JOBS = sizeof jobs / sizeof *jobs, FEW_JOBS = 4 };

static char *wanted, *got;

static int setup(void **state) {
  if (gpu_setup(state)) return 1;
  wanted = malloc(MOST_BYTES);
  got = malloc(MOST_BYTES);
  return !wanted || !got;
}

static int teardown(void **state) {
  free(wanted);
  free(got);
  return gpu_teardown(state);
}

/* Arrays on the device, so many elements behind a multiple of 16 bytes, and what they hold. */
struct arrays {
  const struct job *job;
  heddle_options options;
  size_t n, in_at, out_at;
  int in_place;
  gpu_address in, out;
  void *x;
};

static char *at(gpu_address memory, size_t bytes) { return (char *)(uintptr_t)memory + bytes; }

static void arrays_open(struct arrays *a) {
  static const uint64_t start[2] = {0x4050, 0};
  const size_t size = data_size(a->job->type), out_size = data_size(a->job->out);
  a->options = (heddle_options)HEDDLE_OPTIONS_INIT;
  a->options.acc_type = a->job->acc;
  a->options.out_type = a->job->out;
  if (a->job->init) a->options.init = start;
  a->x = data_new(DATA_WIDE, a->job->type, a->n, a->n + 1);
  gpu_must(gpu.alloc(&a->in, (a->in_at + a->n) * size), "cuMemAlloc");
  gpu_up(at(a->in, a->in_at * size), a->x, a->n * size);
  a->out = a->in;
  if (!a->in_place) {
    gpu_must(gpu.alloc(&a->out, (a->out_at + a->n + VECTOR) * out_size), "cuMemAlloc");
    gpu_fill(at(a->out, 0), 0xA5, (a->out_at + a->n + VECTOR) * out_size);
  }
  memset(wanted, 0xA5, (a->out_at + a->n + VECTOR) * out_size);
  same_status(HEDDLE_OK,
              heddle_scan(gpu_cpu, a->job->op, a->job->kind, a->job->type, a->x, a->n,
                          wanted + a->out_at * out_size, &a->options),
              "the CPU's scan");
}

static void arrays_close(struct arrays *a, const char *how) {
  const size_t out_size = data_size(a->job->out), before = a->in_place ? a->out_at * out_size : 0;
  const size_t bytes = (a->out_at + a->n + (a->in_place ? 0 : VECTOR)) * out_size - before;
  gpu_down(got, at(a->out, before), bytes);
  same_bytes(wanted + before, got, bytes,
             "%s%s: %s of %zu elements of %s into %s, kind %d, input %zu, output %zu behind", how,
             a->in_place ? " in place" : "", op_name(a->job->op), a->n,
             heddle_type_name(a->job->type), heddle_type_name(a->job->out), (int)a->job->kind,
             a->in_at, a->out_at);
  gpu_must(gpu.release(a->in), "cuMemFree");
  if (!a->in_place) gpu_must(gpu.release(a->out), "cuMemFree");
  free(a->x);
}

static void whole(struct arrays a) {
  const size_t size = data_size(a.job->type), out_size = data_size(a.job->out);
  arrays_open(&a);
  same_status(HEDDLE_OK,
              heddle_scan(gpu_ctx, a.job->op, a.job->kind, a.job->type, at(a.in, a.in_at * size),
                          a.n, at(a.out, a.out_at * out_size), &a.options),
              "a scan of %zu elements", a.n);
  arrays_close(&a, "a whole array");
}

/* Two pieces: with what the first leaves of a tile the second begins. */
static void pieces(struct arrays a, size_t first) {
  const size_t size = data_size(a.job->type), out_size = data_size(a.job->out);
  heddle_state *s = NULL;
  arrays_open(&a);
  same_status(HEDDLE_OK,
              heddle_scan_begin(gpu_ctx, a.job->op, a.job->kind, a.job->type, &a.options, &s),
              "begin");
  for (size_t done = 0; done < a.n;) {
    const size_t take = done ? a.n - done : first;
    same_status(HEDDLE_OK,
                heddle_scan_update(s, at(a.in, (a.in_at + done) * size), take,
                                   at(a.out, (a.out_at + done) * out_size)),
                "%zu elements behind %zu", take, done);
    done += take;
  }
  heddle_state_free(s);
  arrays_close(&a, "pieces");
}

/* Of each shift of the input with one of the output, and with the same one in place, calls `then` with the
 * pair's number. */
static void every_shift(const struct job *job, void (*then)(struct arrays, size_t)) {
  const size_t ins = VECTOR / data_size(job->type), outs = VECTOR / data_size(job->out);
  size_t number = 0;
  for (size_t in = 0; in < ins; in++)
    for (size_t out = 0; out < outs; out++) {
      if (out != (5 * in + 1) % outs && !(in == out && ins == outs)) continue;
      const struct arrays a = {
          .job = job, .in_at = in, .out_at = out, .in_place = ins == outs && in == out};
      then(a, number++);
    }
}

/* Lengths around the ends of tiles, units of 16 bytes and spans. */
static size_t some_length(const struct job *job, size_t tiles, size_t number) {
  static const int rests[] = {0, -1, 1, 7, -13, 16, 3, -2};
  return tiles * job->tile + (size_t)(rests[number % 8] + (number % 3 ? 0 : (int)job->tile / 3));
}

static void short_arrays(struct arrays a, size_t number) {
  static const size_t tiles[] = {1, 3, 6, 21};
  for (size_t i = 0; i < 4; i++) {
    if (gpu_is_software() && i != number % 4) continue;
    a.n = some_length(a.job, tiles[i], number + i);
    whole(a);
  }
  a.n = 1 + number % 15;
  whole(a);
}

static void long_arrays(struct arrays a, size_t number) {
  if (number % 4) return;
  a.n = some_length(a.job, gpu_is_software() ? 141 : 529, number / 2);
  whole(a);
}

/* The second piece begins in the first, the last and some tile of a span, or in the tile's last
 * element, and has an element or many. */
static void in_pieces(struct arrays a, size_t number) {
  const size_t tile = a.job->tile;
  const size_t firsts[] = {1, 8 * tile + 5, tile - 1, 8 * tile, 4 * tile + tile / 2, 3 * tile + 2};
  const size_t seconds[] = {5 * tile + 3, 11 * tile, 1, tile - 1, 17 * tile - 3};
  for (size_t i = 0; i < 30; i++) {
    if (i % (gpu_is_software() ? 15 : 5) != number % (gpu_is_software() ? 15 : 5)) continue;
    const size_t first = firsts[i % 6];
    a.n = first + seconds[i % 5];
    pieces(a, first);
  }
}

static void of_every_job(void (*then)(struct arrays, size_t)) {
  if (!gpu_device()) skip();
  const size_t few = getenv("HEDDLE_TEST_FULL") ? JOBS : FEW_JOBS;
  for (size_t j = 0; j < few; j++) every_shift(&jobs[j], then);
}

static void of_short_arrays(void **state) { (void)state, of_every_job(short_arrays); }
static void of_long_arrays(void **state) { (void)state, of_every_job(long_arrays); }
static void of_pieces(void **state) { (void)state, of_every_job(in_pieces); }

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_pieces), cmocka_unit_test(of_long_arrays),
                                     cmocka_unit_test(of_short_arrays)};
  return cmocka_run_group_tests_name("shifts", tests, setup, teardown);
}

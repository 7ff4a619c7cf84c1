/* compare.c - one call on every machine, against the reference; see compare.h */
#include <math.h>

#include "compare.h"

enum { EDGE = 64, CANARY = 0xA5, THREADS = 8, THREADED_BYTES = 1 << 17 };

machines compare_on;

const size_t compare_lengths[] = {0,    1,    2,    3,    5,    7,    8,     15,    16,      17,
                                  31,   32,   33,   63,   64,   65,   100,   127,   128,     129,
                                  255,  256,  257,  511,  512,  513,  1023,  1024,  1025,    1500,
                                  2047, 2048, 2049, 3071, 3072, 3073, 4095,  4096,  4097,    5119,
                                  6143, 6145, 8191, 8192, 8193, 9999, 14336, 16385, SIZE_MAX};

int compare_setup(void **state) {
  (void)state;
  machines_open(&compare_on, THREADS);
  return 0;
}

int compare_teardown(void **state) {
  (void)state;
  machines_close(&compare_on);
  return 0;
}

uint64_t compare_job(const char *verb, int op, heddle_type type, const heddle_options *options) {
  uint64_t hash = 14695981039346656037u;                /* FNV-1a */
  const int step = getenv("HEDDLE_TEST_FULL") ? 4 : 11; /* a device compiles a kernel for each */
  const int sum_of = strcmp(verb, "before") == 0 ? 2 * step : step; /* exclusive scans: half */
  for (; *verb; verb++) hash = (hash ^ (unsigned char)*verb) * 1099511628211u;
  const unsigned plain = !options || (!options->nan && !options->acc_type && !options->out_type);
  const int fields[5] = {op, (int)type, options ? (int)options->nan : 0,
                         options ? (int)options->acc_type : 0,
                         options ? (int)options->out_type : 0};
  for (size_t i = 0; i < 5; i++) hash = (hash ^ (unsigned)fields[i]) * 1099511628211u;
  const int sum = op == HEDDLE_SUM && (type == HEDDLE_F32 || type == HEDDLE_F64);
  const unsigned chosen = plain && ((op + (int)type) % sum_of == 0 || sum || type == HEDDLE_CUSTOM);
  return hash << 2 | plain << 1 | chosen; /* 62 bits tell jobs apart */
}

/* How often each job was asked for, by the hash. */
enum { JOBS = 1 << 14 };
static struct { uint64_t job, calls; } asked[JOBS];

static uint64_t count_call(uint64_t job) {
  size_t i = (size_t)(job >> 7) % JOBS;
  while (asked[i].calls && asked[i].job != job) i = (i + 1) % JOBS;
  asked[i].job = job;
  return ++asked[i].calls;
}

static uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

static int is_fibonacci(uint64_t n) {
  uint64_t a = 1, b = 2;
  while (a < n) {
    b += a;
    a = b - a;
  }
  return a == n;
}

/* Which of the four machines of a slow device takes this call of a job: 4 for none. */
static unsigned taken_by(uint64_t job) {
  unsigned jobs = 256, calls = 61;
  const char *sample = getenv("HEDDLE_TEST_SAMPLE");
  if (sample) (void)sscanf(sample, "%u,%u", &jobs, &calls);
  const uint64_t call = count_call(job);
  if (jobs <= 1 && calls <= 1) return (unsigned)(call % 4);
  if (!(job & 1) && mixed(job) % (jobs ? jobs : 1) != 0) return 4;
  if (!is_fibonacci(call) && mixed(job + call) % (calls ? calls : 1) != 0) return 4;
  return (unsigned)(mixed(job ^ call) >> 8) % 4;
}

int compare_takes(size_t i, uint64_t job) {
  if (!compare_on.of[i].slow) return 1;
  return taken_by(job) == (i - compare_on.cpus) % 4;
}

int compare_is_device(const machine *m) { return (size_t)(m - compare_on.of) >= compare_on.cpus; }

/* What one thread does with a short array is the whole of it; in a light run, too, all of an instruction
 * set's code for a long one is run in reverse. */
static int is_cpu_for(const machine *m, size_t bytes) {
  const int full = lightness() == 1;
  if (bytes < THREADED_BYTES) return m->threads == 1 || (m->threads == 0 && m->best && full);
  return full || m->best || m->threads != 1;
}

const machine *compare_next(size_t *at, size_t bytes, uint64_t job) {
  static unsigned taker;
  if (*at == 0) taker = compare_on.of[compare_on.count - 1].slow ? taken_by(job) : 4;
  while (*at < compare_on.count) {
    const size_t i = (*at)++;
    const machine *m = &compare_on.of[i];
    if (i >= compare_on.cpus) {
      if (!m->slow || (i - compare_on.cpus) % 4 == taker) return m;
      continue;
    }
    if (is_cpu_for(m, bytes)) return m;
  }
  return NULL;
}

/* A buffer with canaries on both sides of `bytes` bytes that start at p + EDGE. */
static unsigned char *guarded(size_t bytes) {
  unsigned char *p = allocate(bytes + 2 * EDGE);
  memset(p, CANARY, bytes + 2 * EDGE);
  return p;
}

static void expect_untouched(const unsigned char *p, size_t bytes, const char *label) {
  for (size_t i = 0; i < bytes; i++)
    if (p[i] != CANARY) fail_msg("%s: byte %zu beside the result was written", label, i);
}

/* Only the `bytes` after the first EDGE may differ from the canary. */
static void expect_guards(const unsigned char *p, size_t bytes, const char *label) {
  expect_untouched(p, EDGE, label);
  expect_untouched(p + EDGE + bytes, EDGE, label);
}

static void options_label(char *text, size_t size, const heddle_options *o) {
  if (!o)
    (void)snprintf(text, size, "defaults");
  else
    (void)snprintf(text, size, "nan %d acc %s out %s init %d", (int)o->nan,
                   o->acc_type ? heddle_type_name(o->acc_type) : "default",
                   o->out_type ? heddle_type_name(o->out_type) : "default", o->init != NULL);
}

/* Status and bytes of one machine's answer. */
static void judge(const char *label, heddle_status expected_status, heddle_status status,
                  heddle_type type, const void *expected, const unsigned char *got, size_t count) {
  same_status(expected_status, status, "%s", label);
  const size_t bytes = status == HEDDLE_OK ? count * data_size(type) : 0;
  expect_guards(got, bytes, label);
  if (status == HEDDLE_OK) same_array(type, expected, got + EDGE, count, "%s", label);
}

void compare_reduce(heddle_op op, heddle_type type, const void *in, size_t n,
                    const heddle_options *options) {
  const heddle_type out_type = ref_out_type(op, type, options);
  const uint64_t job = compare_job("reduce", (int)op, type, options);
  const size_t bytes = n * data_size(type);
  size_t at = 0;
  const machine *m = compare_next(&at, bytes, job);
  if (!m) return;
  unsigned char expected[8];
  char settings[80];
  char label[240];
  options_label(settings, sizeof settings, options);
  const heddle_status status = ref_reduce(op, type, in, n, expected, options);
  for (; m; m = compare_next(&at, bytes, job)) {
    unsigned char got[8 + 2 * EDGE];
    memset(got, CANARY, sizeof got);
    (void)snprintf(label, sizeof label, "reduce %s of %zu %s at %zu, %s, %s", op_name(op), n,
                   heddle_type_name(type), (size_t)in % 64, settings, m->label);
    judge(label, status, heddle_reduce(m->ctx, op, type, in, n, got + EDGE, options), out_type,
          expected, got, 1);
  }
}

void compare_dot(heddle_type type, const void *x, const void *y, size_t n,
                 const heddle_options *options) {
  const heddle_type out_type = ref_out_type(HEDDLE_SUM, type, options);
  const uint64_t job = compare_job("dot", HEDDLE_SUM, type, options);
  const size_t bytes = n * data_size(type);
  size_t at = 0;
  const machine *m = compare_next(&at, bytes, job);
  if (!m) return;
  unsigned char expected[8];
  char settings[80];
  char label[240];
  options_label(settings, sizeof settings, options);
  const heddle_status status = ref_dot(type, x, y, n, expected, options);
  for (; m; m = compare_next(&at, bytes, job)) {
    unsigned char got[8 + 2 * EDGE];
    memset(got, CANARY, sizeof got);
    (void)snprintf(label, sizeof label, "dot of %zu %s at %zu and %zu, %s, %s", n,
                   heddle_type_name(type), (size_t)x % 64, (size_t)y % 64, settings, m->label);
    judge(label, status, heddle_dot(m->ctx, type, x, y, n, got + EDGE, options), out_type, expected,
          got, 1);
  }
}

void compare_scan(heddle_op op, heddle_scan_kind kind, heddle_type type, const void *in, size_t n,
                  const heddle_options *options) {
  const heddle_type out_type = options && options->out_type ? options->out_type : type;
  const size_t bytes = n * data_size(out_type), in_bytes = n * data_size(type);
  const uint64_t job =
      compare_job(kind == HEDDLE_EXCLUSIVE ? "before" : "scan", (int)op, type, options);
  size_t at = 0;
  const machine *m = compare_next(&at, in_bytes, job);
  if (!m) return;
  unsigned char *expected = allocate(bytes);
  char settings[80], label[240];
  options_label(settings, sizeof settings, options);
  const heddle_status status = ref_scan(op, kind, type, in, n, expected, options);
  unsigned char *got = guarded(bytes);
  for (; m; m = compare_next(&at, in_bytes, job)) {
    memset(got, CANARY, bytes + 2 * EDGE);
    (void)snprintf(label, sizeof label, "%s scan %s of %zu %s at %zu, %s, %s",
                   kind == HEDDLE_EXCLUSIVE ? "exclusive" : "inclusive", op_name(op), n,
                   heddle_type_name(type), (size_t)in % 64, settings, m->label);
    judge(label, status, heddle_scan(m->ctx, op, kind, type, in, n, got + EDGE, options), out_type,
          expected, got, n);
  }
  free(got);
  free(expected);
}

void compare_argreduce(heddle_extreme which, heddle_type type, const void *in, size_t n,
                       const heddle_options *options) {
  const uint64_t job = compare_job("argreduce", 2 * (int)which, type, options);
  const size_t bytes = n * data_size(type);
  size_t at = 0;
  const machine *m = compare_next(&at, bytes, job);
  if (!m) return;
  uint64_t expected_index = 0;
  unsigned char expected[8];
  char label[240];
  const heddle_status status =
      ref_argreduce(which, type, in, n, expected, &expected_index, options);
  for (; m; m = compare_next(&at, bytes, job)) {
    unsigned char got[8 + 2 * EDGE], untouched[8];
    uint64_t index;
    memset(got, CANARY, sizeof got);
    memset(&index, CANARY, sizeof index);
    memset(untouched, CANARY, sizeof untouched);
    (void)snprintf(label, sizeof label, "%s of %zu %s at %zu, nan %d, %s",
                   which == HEDDLE_ARGMIN ? "argmin" : "argmax", n, heddle_type_name(type),
                   (size_t)in % 64, options ? (int)options->nan : 0, m->label);
    judge(label, status, heddle_argreduce(m->ctx, which, type, in, n, got + EDGE, &index, options),
          type, expected, got, 1);
    same_bytes(status == HEDDLE_OK ? (const void *)&expected_index : untouched, &index,
               sizeof index, "%s: index", label);
    if (status != HEDDLE_OK) continue;
    index = 0;
    same_status(HEDDLE_OK, heddle_argreduce(m->ctx, which, type, in, n, NULL, &index, options),
                "%s, without a value", label);
    same_bytes(&expected_index, &index, sizeof index, "%s: index without a value", label);
  }
}

/* Figures that are asked for alone are those of describe; others may be there, or NaN. */
static void compare_figures(const machine *m, heddle_type type, const void *in, size_t n,
                            const heddle_options *options, heddle_figures figures,
                            const heddle_description *expected) {
  heddle_options some = HEDDLE_OPTIONS_INIT;
  heddle_description got = HEDDLE_DESCRIPTION_INIT;
  if (options) some = *options;
  some.figures = figures;
  same_status(HEDDLE_OK, heddle_describe(m->ctx, type, in, n, &got, &some), "describe");
  if (isnan(got.min)) got.min = expected->min;
  if (isnan(got.max)) got.max = expected->max;
  if (isnan(got.sum)) got.sum = expected->sum;
  if (isnan(got.skewness)) got.skewness = expected->skewness;
  if (figures == HEDDLE_FIGURES_MEAN && isnan(got.variance)) got.variance = expected->variance;
  same_description(expected, &got, "figures %d of %zu %s at %zu, nan %d, %s", (int)figures, n,
                   heddle_type_name(type), (size_t)in % 64, (int)some.nan, m->label);
}

void compare_describe(heddle_type type, const void *in, size_t n, const heddle_options *options) {
  const uint64_t job = compare_job("describe", (int)type % 4, type, options);
  const size_t bytes = n * data_size(type);
  size_t at = 0;
  const machine *m = compare_next(&at, bytes, job);
  if (!m) return;
  heddle_description expected = HEDDLE_DESCRIPTION_INIT;
  assert_int_equal(ref_describe(type, in, n, &expected, options), HEDDLE_OK);
  for (; m; m = compare_next(&at, bytes, job)) {
    heddle_description got = HEDDLE_DESCRIPTION_INIT;
    same_status(HEDDLE_OK, heddle_describe(m->ctx, type, in, n, &got, options), "describe");
    same_description(&expected, &got, "describe %zu %s at %zu, nan %d, %s", n,
                     heddle_type_name(type), (size_t)in % 64, options ? (int)options->nan : 0,
                     m->label);
    for (size_t f = 0; f < 3; f++)
      compare_figures(m, type, in, n, options, every_figures[f], &expected);
  }
}

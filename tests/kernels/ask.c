/* ask.c - makes the library ask its compiler for every kernel that it can need
 *
 * Result   exit status 0 when every call came to a status that stub_driver.c explains; the texts are
 *          written by record_nvrtc.c
 * Method   public calls on device "cuda": verbs x types x operators x options x few and many elements
 *          x alignments, plain, in rows and in pieces. `ask reduced`: of types x operators those whose
 *          numbers add up to a multiple of four, so that each type and each operator is there.
 * Limits   kernels that are chosen by data are asked for only if the stub's zeros choose them */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle.h"

static heddle_context *ctx;
static int reduced, failures;
static char *array[3]; /* addresses on the device */

enum { SIZES = 3, SHIFTS = 2 };
static const size_t HALF = (size_t)1 << 36; /* bytes of an array, which may be two */
static const size_t sizes[SIZES] = {1000, (size_t)1 << 21, (size_t)1 << 33};

static void allow(heddle_status status, const char *what) {
  if (status == HEDDLE_OK || status == HEDDLE_UNSUPPORTED || status == HEDDLE_EMPTY) return;
  if (failures++ < 20) fprintf(stderr, "%s: %s\n", what, heddle_message());
}

static int wanted(int op, int type) { return !reduced || (op + type) % 4 == 0; }

static int is_float(int type) { return type >= HEDDLE_F16; }

static void plain(heddle_op op, heddle_type type, const heddle_options *o, size_t n,
                  const char *x) {
  allow(heddle_reduce(ctx, op, type, x, n, array[2], o), "reduce");
  if (op >= HEDDLE_ANY) return;
  for (int kind = 0; kind < 2; kind++)
    allow(heddle_scan(ctx, op, (heddle_scan_kind)kind, type, x, n, array[1], o), "scan");
}

static void others(heddle_type type, const heddle_options *o, size_t n, const char *x) {
  uint64_t *index = (uint64_t *)(void *)array[2];
  allow(heddle_dot(ctx, type, x, array[1], n, array[2], o), "dot");
  allow(heddle_dot(ctx, type, x, x, n, array[2], o), "dot");
  allow(heddle_describe(ctx, type, x, n, (heddle_description *)(void *)array[2], o), "describe");
  for (int which = 1; which <= 2; which++) {
    allow(heddle_argreduce(ctx, (heddle_extreme)which, type, x, n, array[1], index, o), "argmax");
    allow(heddle_argreduce(ctx, (heddle_extreme)which, type, x, n, NULL, index, o), "argmax");
  }
}

/* ---- rows ---------------------------------------------------------------------------------------- */

static const size_t shapes[][3] = {
    {2, 4096, 65536}, {2, 1 << 20, 256}, {2, 1 << 22, 5}, {3, 300, 70}, {1, 1 << 24, 1}};

static void by_rows(heddle_op op, heddle_type type, const heddle_options *o,
                    const heddle_rows *rows) {
  uint64_t *index = (uint64_t *)(void *)array[2];
  const char *x = array[0];
  allow(heddle_reduce_rows(ctx, op, type, x, rows, array[2], o), "reduce_rows");
  if (op < HEDDLE_ANY)
    for (int kind = 0; kind < 2; kind++)
      allow(heddle_scan_rows(ctx, op, (heddle_scan_kind)kind, type, x, rows, array[1], o),
            "scan_rows");
  if (op != HEDDLE_SUM && op != HEDDLE_MIN) return;
  allow(heddle_dot_rows(ctx, type, x, array[1], rows, array[2], o), "dot_rows");
  allow(heddle_describe_rows(ctx, type, x, rows, (heddle_description *)(void *)array[2], o),
        "describe_rows");
  allow(heddle_argreduce_rows(ctx, op == HEDDLE_MIN ? HEDDLE_ARGMIN : HEDDLE_ARGMAX, type, x, rows,
                              array[1], index, o),
        "argreduce_rows");
}

static void every_rows(heddle_op op, heddle_type type, const heddle_options *o) {
  static uint64_t few[4] = {0, 7, 100000, 3000000}, many[4097];
  for (size_t i = 0; i < 4097; i++) many[i] = i * i % 97 + i * 50;
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.offsets = few;
  rows.segments = 3;
  by_rows(op, type, o, &rows);
  for (size_t i = 1; i < 4097; i++)
    if (many[i] < many[i - 1]) many[i] = many[i - 1];
  rows.offsets = many;
  rows.segments = 4096;
  by_rows(op, type, o, &rows);
  rows.offsets = (const uint64_t *)(const void *)(array[1] + HALF);
  by_rows(op, type, o, &rows);
  rows = (heddle_rows)HEDDLE_ROWS_INIT;
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    const size_t shape[3] = {shapes[s][1], shapes[s][2], 9};
    rows.dims = shapes[s][0];
    rows.shape = shape;
    for (rows.axis = 0; rows.axis < rows.dims; rows.axis++) by_rows(op, type, o, &rows);
  }
}

/* ---- pieces -------------------------------------------------------------------------------------- */

static void in_pieces(heddle_op op, heddle_type type, const heddle_options *o) {
  heddle_state *s = NULL;
  if (heddle_reduce_begin(ctx, op, type, o, &s) == HEDDLE_OK) {
    for (size_t i = 0; i < SIZES; i++) allow(heddle_reduce_update(s, array[0], sizes[i]), "update");
    allow(heddle_reduce_finish(s, array[2]), "finish");
    heddle_state_free(s);
  }
  s = NULL;
  if (op < HEDDLE_ANY && heddle_scan_begin(ctx, op, HEDDLE_EXCLUSIVE, type, o, &s) == HEDDLE_OK) {
    for (size_t i = 0; i < SIZES; i++)
      allow(heddle_scan_update(s, array[0], sizes[i], array[1]), "scan_update");
    allow(heddle_scan_finish(s, array[2]), "finish");
    heddle_state_free(s);
  }
}

static void folds_and_scans(void) {
  for (int type = HEDDLE_U8; type <= HEDDLE_F64; type++)
    for (int op = HEDDLE_SUM; op <= HEDDLE_ALL; op++) {
      if (!wanted(op, type) && !(op == HEDDLE_SUM && type >= HEDDLE_F32)) continue;
      heddle_options o = HEDDLE_OPTIONS_INIT;
      for (int nan = 0; nan <= is_float(type); nan++)
        for (int wide = 0; wide <= is_float(type); wide++) {
          o.nan = (heddle_nan)nan;
          o.acc_type = wide ? HEDDLE_F64 : HEDDLE_TYPE_DEFAULT;
          if (reduced && nan + wide == 1) continue;
          for (size_t n = 0; n < SIZES; n++)
            for (size_t shift = 0; shift < SHIFTS; shift++) {
              const char *x = array[0] + shift * heddle_type_size((heddle_type)type);
              plain((heddle_op)op, (heddle_type)type, &o, sizes[n], x);
              if (op == HEDDLE_SUM || reduced) others((heddle_type)type, &o, sizes[n], x);
            }
          in_pieces((heddle_op)op, (heddle_type)type, &o);
          every_rows((heddle_op)op, (heddle_type)type, &o);
        }
      o = (heddle_options)HEDDLE_OPTIONS_INIT;
      for (int out = is_float(type) ? HEDDLE_F16 : HEDDLE_U8; out <= HEDDLE_F64; out++) {
        o.out_type = (heddle_type)out;
        if (reduced && out != 1 + type % 12) continue;
        plain((heddle_op)op, (heddle_type)type, &o, sizes[1], array[0]);
        plain((heddle_op)op, (heddle_type)type, &o, sizes[0], array[0]);
      }
    }
}

/* ---- custom operators ------------------------------------------------------------------------------ */

static void custom_operators(void) {
  static const char text[] =
      "typedef struct { unsigned char at[%zu]; } heddle_element;\n"
      "__device__ heddle_element heddle_combine(heddle_element a, heddle_element b) {\n"
      "  for (int i = 0; i < %zu; i++) a.at[i] ^= b.at[i];\n  return a;\n}\n";
  static const unsigned char zeros[256];
  static const size_t bytes[] = {1, 3, 16, 100, 256};
  char source[sizeof text + 64];
  for (size_t b = 0; b < 6; b++)
    for (int commutative = 0; commutative < 2; commutative++) {
      if (reduced && b % 2 != (size_t)commutative) continue;
      const size_t size = b < 5 ? bytes[b] : 8;
      (void)snprintf(source, sizeof source, text, size, size);
      const heddle_custom custom = {
          sizeof custom, size, zeros, commutative,
          NULL,          NULL, NULL,  b < 5 ? source : "float2: make_float2(a.x + b.x, a.y * b.y)"};
      heddle_options o = HEDDLE_OPTIONS_INIT;
      o.custom = &custom;
      for (size_t n = 0; n < SIZES; n++)
        plain(HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, &o, sizes[n] / 256, array[0]);
      for (int kind = 0; kind < 2; kind++)
        allow(heddle_scan(ctx, HEDDLE_OP_CUSTOM, (heddle_scan_kind)kind, HEDDLE_CUSTOM, array[0],
                          10000, array[1], &o),
              "custom scan");
    }
}

/* ---- histograms ------------------------------------------------------------------------------------ */

static void count(heddle_type type, heddle_bins bins, size_t channels, heddle_type weights,
                  size_t n) {
  heddle_histogram_options o = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  o.channels = channels;
  n = n / channels * channels;
  if (weights) {
    o.weights = array[1];
    o.weights_type = weights;
    o.sums = (double *)(void *)array[2];
  }
  for (int given = 0; given <= (weights ? 1 : 0); given++) {
    if (given) o.weight_exponent = 3;
    allow(heddle_histogram(ctx, type, array[0], n, &bins, (uint64_t *)(void *)(array[2] + HALF),
                           NULL, &o),
          "histogram");
  }
}

static void histograms(void) {
  static double edges[4097];
  for (size_t i = 0; i < 4097; i++) edges[i] = (double)(i * i);
  static const size_t counts[] = {10, 256, 2048, 16384, 49152, 262144, 1 << 22};
  for (int type = HEDDLE_U8; type <= HEDDLE_F64; type++)
    for (size_t c = 0; c < 7; c++)
      for (int kind = HEDDLE_BINS_INTEGER; kind <= HEDDLE_BINS_EDGES; kind++) {
        heddle_bins bins = {sizeof bins, (heddle_binning)kind, counts[c], 1, 100, 0, edges, 0};
        if (kind == HEDDLE_BINS_EDGES && counts[c] > 4096) continue;
        if (reduced && (c + (size_t)type + (size_t)kind) % 3) continue;
        for (size_t n = 0; n < SIZES; n++) count((heddle_type)type, bins, 1, 0, sizes[n]);
        for (size_t channels = 2; channels <= 4; channels++)
          if (!reduced || c == channels) count((heddle_type)type, bins, channels, 0, sizes[1]);
        for (int weights = HEDDLE_U8; weights <= HEDDLE_F64; weights++)
          if (!reduced || (weights + type + kind) % 12 == 0)
            count((heddle_type)type, bins, 1, (heddle_type)weights, sizes[1]);
        if (kind != HEDDLE_BINS_EVEN && kind != HEDDLE_BINS_LOG) continue;
        bins.auto_range = 1;
        if (c == 1) count((heddle_type)type, bins, 1, 0, sizes[1]);
      }
}

int main(int argc, char **argv) {
  reduced = argc > 1 && strcmp(argv[1], "reduced") == 0;
  if (heddle_open("cuda", &ctx) != HEDDLE_OK) {
    fprintf(stderr, "ask: %s\n", heddle_message());
    return 1;
  }
  for (int i = 0; i < 3; i++) {
    void *memory = NULL;
    allow(heddle_device_alloc(ctx, 2 * HALF, &memory), "heddle_device_alloc");
    array[i] = memory;
  }
  folds_and_scans();
  custom_operators();
  histograms();
  allow(heddle_sync(ctx), "heddle_sync");
  heddle_close(ctx);
  if (failures) fprintf(stderr, "ask: %d calls failed\n", failures);
  return failures != 0;
}

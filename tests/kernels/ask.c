/* ask.c - makes the library ask its compiler for every kernel that it can need
 *
 * Result   exit status 0 when every call came to a status that stub_driver.c explains; the texts are
 *          written by record_nvrtc.c
 * Method   calls on device "cuda": verbs x types x operators x options x few and many elements
 *          x alignments, plain, in rows and in pieces; totals of parts, which have no public entry;
 *          what is not defined is refused and asks for nothing. `ask reduced`: of types x operators
 *          those whose numbers add up to a multiple of four, so that each type and each operator
 *          is there.
 * Limits   kernels that are chosen by data are asked for only if the stub's zeros choose them; not those
 *          that sort segments, whose offsets the host reads; longer than 400 lines because it is one list of
 *          calls */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/backend.h"
#include "ask.h"
#include "lists.h"

heddle_context *ctx;
int reduced;
static int failures;
char *array[3];
const size_t sizes[SIZES] = {1000, (size_t)1 << 21, (size_t)1 << 33};

void allow(heddle_status status, const char *what) {
  if (status == HEDDLE_OK || status == HEDDLE_UNSUPPORTED || status == HEDDLE_EMPTY) return;
  if (failures++ < 20) fprintf(stderr, "%s: %s\n", what, heddle_message());
}

int wanted(heddle_op op, heddle_type type) { return !reduced || ((int)op + (int)type) % 4 == 0; }

int is_float(heddle_type type) {
  for (size_t i = 0; i < float_type_count; i++)
    if (float_types[i] == type) return 1;
  return 0;
}

static void plain(heddle_op op, heddle_type type, const heddle_options *o, size_t n,
                  const char *x) {
  allow(heddle_reduce(ctx, op, type, x, n, array[2], o), "reduce");
  const size_t given = heddle_type_size(o->out_type), size = given ? given : heddle_type_size(type);
  for (size_t kind = 0; kind < 2; kind++)
    for (size_t shift = 0; shift < SHIFTS; shift++)
      allow(heddle_scan(ctx, op, scan_kinds[kind], type, x, n, array[1] + shift * size, o), "scan");
}

static void others(heddle_type type, const heddle_options *o, size_t n, const char *x) {
  uint64_t *index = (uint64_t *)(void *)array[2];
  allow(heddle_dot(ctx, type, x, array[1], n, array[2], o), "dot");
  allow(heddle_dot(ctx, type, x, x, n, array[2], o), "dot");
  allow(heddle_describe(ctx, type, x, n, (heddle_description *)(void *)array[2], o), "describe");
  for (size_t which = 0; which < 2; which++) {
    allow(heddle_argreduce(ctx, extremes[which], type, x, n, array[1], index, o), "argmax");
    allow(heddle_argreduce(ctx, extremes[which], type, x, n, NULL, index, o), "argmax");
  }
}

/* ---- rows ---------------------------------------------------------------------------------------- */

static const size_t shapes[][3] = {{2, 4096, 65536}, {2, 1 << 20, 256}, {2, 1 << 22, 5},
                                   {2, 1 << 22, 3},  {2, 1 << 22, 12},  {2, 1 << 22, 1},
                                   {2, 1 << 22, 2},  {3, 300, 70},      {1, 1 << 24, 1}};

static void by_rows(heddle_op op, heddle_type type, const heddle_options *o,
                    const heddle_rows *rows) {
  uint64_t *index = (uint64_t *)(void *)array[2];
  const char *x = array[0];
  allow(heddle_reduce_rows(ctx, op, type, x, rows, array[2], o), "reduce_rows");
  for (size_t kind = 0; kind < 2; kind++)
    allow(heddle_scan_rows(ctx, op, scan_kinds[kind], type, x, rows, array[1], o), "scan_rows");
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
  if (heddle_scan_begin(ctx, op, HEDDLE_EXCLUSIVE, type, o, &s) == HEDDLE_OK) {
    for (size_t i = 0; i < SIZES; i++)
      allow(heddle_scan_update(s, array[0], sizes[i], array[1]), "scan_update");
    allow(heddle_scan_finish(s, array[2]), "finish");
    heddle_state_free(s);
  }
}

/* Exact sums: shapes of rows beside `shapes` are those that choose other kernels. */
static void exact_sums(heddle_type type, heddle_nan nan) {
  static const size_t few[][3] = {{2, 300, 20000}, {2, 3, 1 << 25}, {2, 9000, 16}};
  heddle_options o = HEDDLE_OPTIONS_INIT;
  heddle_rows rows = HEDDLE_ROWS_INIT;
  o.nan = nan, o.exact = 1;
  for (size_t shift = 0; shift < SHIFTS; shift++) {
    const char *x = array[0] + shift * heddle_type_size(type), *y = array[1];
    allow(heddle_reduce(ctx, HEDDLE_SUM, type, x, sizes[1], array[2], &o), "an exact sum");
    allow(heddle_reduce(ctx, HEDDLE_SUM_SQUARES, type, x, sizes[1], array[2], &o), "exact squares");
    allow(heddle_dot(ctx, type, x, y, sizes[1], array[2], &o), "an exact dot");
  }
  for (size_t s = 0; s < sizeof few / sizeof *few; s++) {
    const size_t shape[2] = {few[s][1], few[s][2]};
    rows.dims = 2, rows.shape = shape;
    for (rows.axis = 0; rows.axis < 2; rows.axis++) {
      allow(heddle_reduce_rows(ctx, HEDDLE_SUM, type, array[0], &rows, array[2], &o), "exact rows");
      allow(heddle_dot_rows(ctx, type, array[0], array[1], &rows, array[2], &o), "exact rows");
    }
  }
}

/* Sums that are divided. */
static void quotients(heddle_type type, heddle_type acc) {
  heddle_options o = HEDDLE_OPTIONS_INIT;
  o.acc_type = acc;
  heddle_rows rows = HEDDLE_ROWS_INIT;
  o.divisor = 3;
  for (size_t n = 0; n < SIZES; n++)
    allow(heddle_reduce(ctx, HEDDLE_SUM, type, array[0], sizes[n], array[2], &o), "a mean");
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    const size_t shape[3] = {shapes[s][1], shapes[s][2], 9};
    rows.dims = shapes[s][0], rows.shape = shape;
    for (rows.axis = 0; rows.axis < rows.dims; rows.axis++)
      allow(heddle_reduce_rows(ctx, HEDDLE_SUM, type, array[0], &rows, array[2], &o), "means");
  }
}

/* One figure, with NaN and without; 2^33 elements are more than a launch takes. */
static void one_figure(heddle_type type) {
  heddle_options o = HEDDLE_OPTIONS_INIT;
  heddle_rows rows = HEDDLE_ROWS_INIT;
  o.figures = HEDDLE_FIGURES_VARIANCE;
  for (int nan = 0; nan <= is_float(type); nan++) {
    o.nan = nan_policies[nan];
    for (size_t n = 0; n < SIZES; n++)
      for (size_t shift = 0; shift < SHIFTS; shift++)
        allow(heddle_figure(ctx, type, array[0] + shift * heddle_type_size(type), sizes[n],
                            array[2], &o),
              "a figure");
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
      const size_t shape[3] = {shapes[s][1], shapes[s][2], 9};
      rows.dims = shapes[s][0], rows.shape = shape;
      for (rows.axis = 0; rows.axis < rows.dims; rows.axis++)
        allow(heddle_figure_rows(ctx, type, array[0], &rows, array[2], &o), "figures");
    }
    static uint64_t few[4] = {0, 7, 100000, 3000000};
    heddle_rows segments = HEDDLE_ROWS_INIT;
    segments.offsets = few, segments.segments = 3;
    allow(heddle_figure_rows(ctx, type, array[0], &segments, array[2], &o), "figures of segments");
  }
}

static void folds_and_scans(void) {
  for (size_t t = 0; t < type_count; t++)
    for (size_t p = 0; p < op_count; p++) {
      const heddle_type type = all_types[t];
      const heddle_op op = all_ops[p];
      const int sum = op == HEDDLE_SUM && (type == HEDDLE_F32 || type == HEDDLE_F64);
      if (!wanted(op, type) && !sum) continue;
      heddle_options o = HEDDLE_OPTIONS_INIT;
      for (int nan = 0; nan <= is_float(type); nan++)
        for (int wide = 0; wide <= is_float(type); wide++) {
          o.nan = nan_policies[nan];
          o.acc_type = wide ? HEDDLE_F64 : HEDDLE_TYPE_DEFAULT;
          if (reduced && nan + wide == 1) continue;
          for (size_t n = 0; n < SIZES; n++)
            for (size_t shift = 0; shift < SHIFTS; shift++) {
              const char *x = array[0] + shift * heddle_type_size(type);
              plain(op, type, &o, sizes[n], x);
              if (op == HEDDLE_SUM || reduced) others(type, &o, sizes[n], x);
            }
          in_pieces(op, type, &o);
          every_rows(op, type, &o);
        }
      o = (heddle_options)HEDDLE_OPTIONS_INIT;
      for (size_t out = 0; out < type_count; out++) {
        o.out_type = all_types[out];
        if (is_float(type) && !is_float(o.out_type)) continue;
        if (reduced && out != (t + 1) % type_count) continue;
        plain(op, type, &o, sizes[1], array[0]);
        plain(op, type, &o, sizes[0], array[0]);
      }
      if (op == HEDDLE_SUM && wanted(op, type)) quotients(type, HEDDLE_TYPE_DEFAULT);
      if (op == HEDDLE_SUM && is_float(type)) quotients(type, HEDDLE_F64);
      if (op == HEDDLE_SUM) one_figure(type);
      if (op == HEDDLE_SUM && is_float(type))
        for (size_t nan = 0; nan < 2; nan++) exact_sums(type, nan_policies[nan]);
    }
}

/* ---- custom operators ------------------------------------------------------------------------------ */

/* Totals of two halves, merged. */
static void in_parts(const heddle_custom *custom) {
  static unsigned char left[4096], right[4096], both[8192];
  const struct hd_fold fold = {.entry = "ask",
                               .verb = HD_REDUCE,
                               .op = HEDDLE_OP_CUSTOM,
                               .type = HEDDLE_CUSTOM,
                               .acc_type = HEDDLE_CUSTOM,
                               .out_type = HEDDLE_CUSTOM,
                               .nan = HEDDLE_NAN_PROPAGATE,
                               .custom = custom};
  const uint64_t half = 4 * hd_chunk_of(custom->element_bytes);
  const struct hd_run runs[2] = {{0, half}, {half, half}};
  allow(ctx->backend->partial(ctx, &fold, array[0], NULL, runs[0], left), "partial");
  allow(ctx->backend->partial(ctx, &fold, array[0], NULL, runs[1], right), "partial");
  allow(ctx->backend->merge(ctx, &fold, runs[0], left, runs[1], right, both), "merge");
}

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
      for (size_t kind = 0; kind < 2; kind++)
        allow(heddle_scan(ctx, HEDDLE_OP_CUSTOM, scan_kinds[kind], HEDDLE_CUSTOM, array[0], 10000,
                          array[1], &o),
              "custom scan");
      in_parts(&custom);
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
  uint64_t *counts = (uint64_t *)(void *)(array[2] + HALF);
  for (int given = 0; given <= (weights ? 1 : 0); given++) {
    if (given) o.weight_exponent = 3;
    allow(heddle_histogram(ctx, type, array[0], n, &bins, counts, NULL, &o), "histogram");
  }
  o.weight_exponent = HEDDLE_FIND_EXPONENT;
  for (o.exact = 0; weights && o.exact <= is_float(weights); o.exact++) {
    if (o.exact) allow(heddle_histogram(ctx, type, array[0], n, &bins, counts, NULL, &o), "exact");
    if (weights == HEDDLE_F32)
      allow(heddle_histogram(ctx, type, array[0], n, &bins, NULL, NULL, &o), "sums alone");
  }
}

static void histograms(void) {
  static double edges[20001];
  for (size_t i = 0; i < 20001; i++) edges[i] = (double)(i * i);
  static const size_t counts[] = {10, 256, 2048, 16384, 49152, 262144, 1 << 22, 20000, 100000};
  for (size_t t = 0; t < type_count; t++)
    for (size_t c = 0; c < 9; c++)
      for (size_t k = 0; k < sizeof binnings / sizeof *binnings; k++) {
        const heddle_type type = all_types[t];
        const heddle_binning kind = binnings[k];
        heddle_bins bins = {sizeof bins, kind, counts[c], 1, 100, 0, edges, 0};
        if (kind == HEDDLE_BINS_EDGES && counts[c] > 4096 && counts[c] != 20000) continue;
        if (reduced && (c + t + k + 2) % 3) continue;
        for (size_t n = 0; n < SIZES; n++) count(type, bins, 1, 0, sizes[n]);
        for (size_t channels = 2; channels <= 4; channels++)
          if (!reduced || c == channels) count(type, bins, channels, 0, sizes[1]);
        for (size_t w = 0; w < type_count; w++)
          if (!reduced || (w + t + k + 3) % type_count == 0)
            count(type, bins, 1, all_types[w], sizes[1]);
        if (kind != HEDDLE_BINS_EVEN && kind != HEDDLE_BINS_LOG) continue;
        bins.auto_range = 1;
        if (c == 1) count(type, bins, 1, 0, sizes[1]);
      }
}

/* So many weights that limbs are carried between launches. */
static void many_exact_weights(void) {
  heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, 10, 1, 100, 0, NULL, 0};
  heddle_histogram_options o = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  o.weights = array[1], o.weights_type = HEDDLE_F64, o.exact = 1;
  o.sums = (double *)(void *)array[2];
  uint64_t *counts = (uint64_t *)(void *)(array[2] + HALF);
  allow(heddle_histogram(ctx, HEDDLE_F64, array[0], sizes[2], &bins, counts, NULL, &o), "carried");
}

/* ---- sorts --------------------------------------------------------------------------------------- */

static void sorts_of(heddle_type type, const heddle_rows *rows, size_t n) {
  static const size_t bytes[] = {1, 2, 4, 8, 16};
  const char *x = array[0];
  char *out = array[1], *with = array[2];
  allow(rows ? heddle_sort_rows(ctx, type, x, rows, out, NULL)
             : heddle_sort(ctx, type, x, n, out, NULL),
        "sort");
  for (size_t v = 0; v < 5; v++) {
    if (reduced && (v + (size_t)n + bytes[v]) % 5 > 1) continue;
    allow(rows ? heddle_sort_pairs_rows(ctx, type, x, bytes[v], x + HALF, rows, out, with, NULL)
               : heddle_sort_pairs(ctx, type, x, bytes[v], x + HALF, n, out, with, NULL),
          "sort_pairs");
  }
  for (size_t wide = 0; wide < 2; wide++) {
    const heddle_type index = wide ? HEDDLE_U64 : HEDDLE_U32;
    allow(rows                     ? heddle_argsort_rows(ctx, type, x, rows, index, with, NULL)
          : wide || n < UINT32_MAX ? heddle_argsort(ctx, type, x, n, index, with, NULL)
                                   : HEDDLE_OK,
          "argsort");
  }
}

static void sorts(void) {
  const size_t shape[2] = {300, 70}, lengths[] = {2, 4, 7, 16, 32, 200, 5000, 12000};
  const size_t more[] = {10000, 50000, (size_t)1 << 25};
  for (size_t t = 0; t < type_count; t++) {
    heddle_rows rows = HEDDLE_ROWS_INIT;
    heddle_sort_options bits = HEDDLE_SORT_OPTIONS_INIT;
    for (size_t n = 0; n < SIZES; n++) sorts_of(all_types[t], NULL, sizes[n]);
    for (size_t i = 0; i < 3; i++)
      if (!reduced || (t + i) % 3 == 0) sorts_of(all_types[t], NULL, more[i]);
    rows.dims = 2;
    rows.shape = shape;
    for (rows.axis = 0; rows.axis < 2; rows.axis++) sorts_of(all_types[t], &rows, 0);
    for (size_t i = 0; i < 8; i++) {
      const size_t some[2] = {3000, lengths[i]};
      rows.shape = some, rows.axis = 1;
      if (!reduced || (t + i) % 3 == 0) sorts_of(all_types[t], &rows, i);
    }
    if (is_float(all_types[t])) continue;
    bits.bit_end = 7;
    allow(heddle_sort(ctx, all_types[t], array[0], sizes[1], array[1], &bits), "sort by bits");
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
  many_exact_weights();
  histograms_of_axes();
  sorts();
  selects_and_runs();
  order_statistics();
  searches_and_groups();
  allow(heddle_sync(ctx), "heddle_sync");
  heddle_close(ctx);
  if (failures) fprintf(stderr, "ask: %d calls failed\n", failures);
  return failures != 0;
}

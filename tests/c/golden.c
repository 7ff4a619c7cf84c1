/* golden.c - reads the golden values and computes them anew; see golden.h */
#include "golden.h"

#include "support.h"

/* Data of the longest row of one type, by kind and seed; shorter rows are its prefixes. */
static struct {
  heddle_type type;
  size_t count;
  void *data[DATA_KINDS][3];
} kept;

void golden_forget(void) {
  for (size_t i = 0; i < DATA_KINDS; i++)
    for (size_t seed = 0; seed < 3; seed++) {
      free(kept.data[i][seed]);
      kept.data[i][seed] = NULL;
    }
}

static const void *data_of(const golden_row *row, uint64_t seed) {
  if (kept.type != row->type || kept.count < row->count) {
    golden_forget();
    kept.type = row->type;
    kept.count = row->count > 131073 ? row->count : 131073;
  }
  void **here = &kept.data[row->kind][seed];
  if (!*here) *here = data_new(row->kind, row->type, seed, kept.count);
  return *here;
}

void *golden_open(const char *name) {
  char path[1024], line[256];
  (void)snprintf(path, sizeof path, "%s/%s", HEDDLE_TEST_GOLDEN, name);
  FILE *file = fopen(path, "r");
  if (!file) { /* a build that was carried elsewhere, run in its source tree */
    (void)snprintf(path, sizeof path, "tests/golden/%s", name);
    file = fopen(path, "r");
  }
  if (!file) fail_msg("cannot open %s", path);
  assert_non_null(fgets(line, sizeof line, file));
  return file;
}

static enum data_kind kind_of(const char *name) {
  int kind = 0;
  while (kind < DATA_KINDS && strcmp(data_name((enum data_kind)kind), name) != 0) kind++;
  assert_true(kind < DATA_KINDS);
  return (enum data_kind)kind;
}

static heddle_type type_of(const char *name) {
  const heddle_type type = heddle_type_parse(name);
  assert_true(ref_is_float(type));
  return type;
}

golden_row *golden_load(size_t *rows) {
  enum { MOST = 10000 };
  FILE *file = golden_open("order_v1.csv");
  golden_row *all = calloc(MOST, sizeof *all);
  char type[16], acc[16], kind[16];
  unsigned long long bits;
  size_t n = 0;
  assert_non_null(all);
  while (n < MOST && fscanf(file, "%31[^,],%15[^,],%15[^,],%15[^,],%zu,%llx\n", all[n].what, type,
                            acc, kind, &all[n].count, &bits) == 6) {
    all[n].type = type_of(type);
    all[n].acc = type_of(acc);
    all[n].kind = kind_of(kind);
    all[n++].bits = bits;
  }
  assert_true(feof(file));
  assert_true(n > 1000);
  (void)fclose(file);
  *rows = n;
  return all;
}

static int is(const golden_row *row, const char *what) { return strcmp(row->what, what) == 0; }

static void expect_ok(heddle_status status, const golden_row *row) {
  same_status(HEDDLE_OK, status, "%s of %zu", row->what, row->count);
}

static uint64_t described(const golden_verbs *verbs, heddle_context *ctx, const golden_row *row,
                          const void *x, const heddle_options *options) {
  heddle_description d = HEDDLE_DESCRIPTION_INIT;
  expect_ok(verbs->describe(ctx, row->type, x, row->count, &d, options), row);
  const double value = is(row, "describe_sum")        ? d.sum
                       : is(row, "describe_mean")     ? d.mean
                       : is(row, "describe_variance") ? d.variance
                                                      : d.skewness;
  return data_bits(HEDDLE_F64, &value, 0);
}

static uint64_t scanned(const golden_verbs *verbs, heddle_context *ctx, const golden_row *row,
                        const void *x) {
  const int product = is(row, "scan_prod");
  const heddle_type out_type = product ? row->type : row->acc;
  const heddle_options options = make_options(HEDDLE_NAN_PROPAGATE, row->acc, out_type, NULL);
  void *out = allocate(row->count * data_size(out_type));
  expect_ok(verbs->scan(ctx, product ? HEDDLE_PROD : HEDDLE_SUM,
                        is(row, "exclusive") ? HEDDLE_EXCLUSIVE : HEDDLE_INCLUSIVE, row->type, x,
                        row->count, out, &options),
            row);
  const uint64_t value = is(row, "scan_middle") ? data_bits(out_type, out, row->count / 2)
                                                : data_checksum(out_type, out, row->count);
  free(out);
  return value;
}

uint64_t golden_value(const golden_verbs *verbs, heddle_context *ctx, const golden_row *row) {
  const void *x = data_of(row, 1);
  uint64_t out = 0;
  const heddle_nan nan = row->kind == DATA_HOLES ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  const heddle_options options = make_options(nan, row->acc, HEDDLE_TYPE_DEFAULT, NULL);
  if (strncmp(row->what, "describe_", 9) == 0) return described(verbs, ctx, row, x, &options);
  if (strncmp(row->what, "scan", 4) == 0 || is(row, "exclusive"))
    return scanned(verbs, ctx, row, x);
  if (is(row, "dot"))
    expect_ok(verbs->dot(ctx, row->type, x, data_of(row, 2), row->count, &out, &options), row);
  else if (is(row, "prod"))
    expect_ok(verbs->reduce(ctx, HEDDLE_PROD, row->type, x, row->count, &out, &options), row);
  else if (is(row, "sum") || is(row, "sum_skip"))
    expect_ok(verbs->reduce(ctx, HEDDLE_SUM, row->type, x, row->count, &out, &options), row);
  else
    fail_msg("unknown kind of golden value: %s", row->what);
  return out;
}

/* columns.c - a table's columns, as many at a time as are read at once, in one pass where that will do
 *
 * Method  A column is of numbers until a field says otherwise; then the pass begins again. Numbers go to a describing
 *         state, so that the figures have the bits of `heddle describe -c`, and to the brackets of ranks.h, which a
 *         sample of the file has set. Quartiles that are not found there are looked for in further passes by
 *         heddle_quantiles_begin.
 * Limits  What is between brackets, and the distinct texts, have half of --memory each. */

#include "describing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/sort/sort.h"
#include "input/sample.h"

enum { PIECE = 1 << 12, PIECES_MOST = 4096, SAMPLED_SHARE = 32, SAMPLED_LEAST = 4 << 20 };
#define MEMORY_DEFAULT ((size_t)160 << 20)

/* ---- a pass ------------------------------------------------------------------------------------------ */

int describing_room(struct describing *d, size_t rows, struct failure *why) {
  if (rows <= d->room) return 0;
  free(d->real);
  free(d->there);
  d->room = 0;
  d->real = command_allocate(rows, sizeof *d->real, "values", why);
  d->there = d->real ? command_allocate(rows, sizeof *d->there, "values", why) : NULL;
  if (!d->there) return -1;
  d->room = rows;
  return 0;
}

const double *describing_values(struct describing *d, const struct batch *b, size_t c,
                                struct failure *why) {
  const struct batch_column *const column = &b->column[c];
  if (column->type == HEDDLE_F64) return (const double *)(const void *)column->values;
  return command_check(heddle_convert(column->type, column->values, HEDDLE_F64, d->real, b->rows),
                       d->src->path, why) == 0
             ? d->real
             : NULL;
}

/* Those of them that are no NaN. */
static const double *that_are_there(struct describing *d, const double *values, size_t rows,
                                    size_t *count) {
  size_t n = 0;
  for (size_t i = 0; i < rows; i++) n += values[i] == values[i];
  *count = n;
  if (n == rows) return values;
  n = 0;
  for (size_t i = 0; i < rows; i++) {
    d->there[n] = values[i];
    n += values[i] == values[i];
  }
  return d->there;
}

/* Whether f64 holds all of a batch's integers. */
static bool is_rounded(const struct batch_column *column, const double *real, size_t rows) {
  const int64_t whole = (int64_t)1 << 53; /* up to here it does */
  bool rounded = column->rounded, large = false;
  if (column->type != HEDDLE_I64) return rounded;
  for (size_t i = 0; i < rows; i++) large |= fabs(real[i]) >= (double)whole;
  for (size_t i = 0; i < rows && large && !rounded; i++)
    rounded = real[i] >= 0x1p63 || (int64_t)real[i] != (int64_t)column->values[i];
  return rounded;
}

static int take_numbers(struct describing *d, const struct batch *b, size_t c,
                        struct failure *why) {
  struct column *const to = &d->column[c];
  size_t count;
  const double *const values = describing_values(d, b, c, why);
  if (values) to->rounded |= is_rounded(&b->column[c], values, b->rows);
  if (!values ||
      command_check(heddle_describe_update(to->state, values, b->rows), d->src->path, why) != 0)
    return -1;
  const double *const there = that_are_there(d, values, b->rows, &count);
  ranks_add(&to->ranks, there, count, &d->budget);
  return 0;
}

/* Columns that are not what they were taken for: 1, and this pass is over. */
static int look_for_words(struct describing *d, const struct batch *b) {
  for (size_t c = 0; c < d->q.columns; c++) {
    if (d->q.column[c].text || !b->column[c].words) continue;
    d->column[c].words = d->words = true;
  }
  return d->words;
}

static int take(void *user, struct batch *b, struct failure *why) {
  struct describing *const d = user;
  if (look_for_words(d, b)) return 1;
  if (b->rows == 0) return 0;
  if (describing_room(d, b->rows, why) != 0) return -1;
  for (size_t c = 0; c < d->q.columns; c++) {
    struct column *const to = &d->column[c];
    to->rows += b->rows;
    if ((d->q.column[c].text
             ? texts_add(&to->texts, &b->column[c].texts, b->rows, d->memory / d->q.columns, why)
             : take_numbers(d, b, c, why)) != 0)
      return -1;
  }
  return 0;
}

/* ---- its start --------------------------------------------------------------------------------------- */

static void clear(struct describing *d) {
  for (size_t c = 0; c < DESCRIBE_COLUMNS; c++) {
    struct column *const column = &d->column[c];
    heddle_state_free(column->state);
    heddle_state_free(column->passes);
    ranks_free(&column->ranks);
    texts_free(&column->texts);
    memset(column, 0, sizeof *column);
  }
  d->budget = d->memory;
}

int describing_open(struct describing *d, struct records **records, struct failure *why) {
  const struct expression *const where = &d->q.where;
  return records_open(d->src->in, where->columns, d->q.condition ? where->column_count : 0, false,
                      records, why);
}

/* Brackets from a sample, whose bad lines are left out. */
static int aim(struct describing *d, const struct batch *sample, size_t c, struct failure *why) {
  size_t count = 0;
  ranks_hold(&d->column[c].ranks);
  if (sample->rows < RANKS_SAMPLE || sample->column[c].words) return 0;
  const double *const values = describing_values(d, sample, c, why);
  if (!values) return -1;
  const double *const there = that_are_there(d, values, sample->rows, &count);
  return count < RANKS_SAMPLE ? 0 : ranks_aim(&d->column[c].ranks, d->ctx, there, count, why);
}

static int start_pass(struct describing *d, const struct batch *sample, struct failure *why) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.nan = HEDDLE_NAN_SKIP;
  if (describing_room(d, sample->rows, why) != 0) return -1;
  for (size_t c = 0; c < d->q.columns; c++) {
    if (d->q.column[c].text) continue;
    if (aim(d, sample, c, why) != 0 ||
        command_check(heddle_describe_begin(d->ctx, HEDDLE_F64, &options, &d->column[c].state),
                      d->src->path, why) != 0)
      return -1;
  }
  return 0;
}

/* Rows from all over the file; none of a small one, all of whose values are held. */
static int read_sample(struct describing *d, const struct records *records, struct batch *sample,
                       struct failure *why) {
  uint64_t done, bytes;
  struct wanted wanted;
  struct settings lenient = *d->s;
  struct asked q = d->q;
  struct records_block block = {NULL, 0, 0, false};
  input_progress(d->src->in, &done, &bytes);
  batch_start(sample, &d->q);
  if (bytes < SAMPLED_LEAST) return 0;
  const uint64_t pieces = bytes / SAMPLED_SHARE / PIECE;
  int status = input_sample(d->src->in, pieces < PIECES_MOST ? (size_t)pieces : PIECES_MOST, PIECE,
                            &block, why);
  lenient.skip_bad = true;
  q.s = &lenient;
  sample->q = &q;
  batch_wanted(records_layout(records), &d->options, &wanted);
  if (status == 0 && block.bytes > 0) status = batch_parse(sample, &wanted, &block, why);
  sample->q = &d->q;
  free(block.text);
  return status;
}

int describing_pass(struct describing *d, struct records *records, reader_take *to,
                    struct failure *why) {
  const struct reader reader = {.src = d->src,
                                .records = records,
                                .options = &d->options,
                                .q = &d->q,
                                .threads = reader_threads(d->ctx),
                                .take = to,
                                .user = d};
  return reader_read(&reader, why);
}

/* The first pass, which begins again with every column that turns out to be text. */
static int first_pass(struct describing *d, struct records **records, struct failure *why) {
  struct batch sample;
  for (;;) {
    int status = read_sample(d, *records, &sample, why);
    if (status == 0) status = start_pass(d, &sample, why);
    batch_free(&sample);
    d->words = false;
    if (status == 0) status = describing_pass(d, *records, take, why);
    if (status != 1) return status;
    for (size_t c = 0; c < d->q.columns; c++) d->q.column[c].text |= d->column[c].words;
    clear(d);
    records_close(*records);
    *records = NULL;
    if (source_rewind(d->src, why) != 0 || describing_open(d, records, why) != 0) return -1;
  }
}

/* ---- results ----------------------------------------------------------------------------------------- */

static int finish_numbers(struct describing *d, struct column *from, struct column_row *row,
                          struct failure *why) {
  heddle_description figures = HEDDLE_DESCRIPTION_INIT;
  if (command_check(heddle_describe_finish(from->state, &figures), d->src->path, why) != 0)
    return -1;
  row->count = figures.count - figures.nan;
  row->missing = figures.nan;
  const double n = (double)row->count, left = n - (double)d->s->ddof;
  row->mean = row->deviation = row->least = row->greatest = NAN;
  for (size_t i = 0; i < QUARTILES; i++) row->quartile[i] = NAN;
  if (row->count == 0) return 0;
  row->mean = figures.mean;
  if (left > 0 && figures.infinite == 0) row->deviation = sqrt(figures.variance * (n / left));
  row->least = figures.min;
  row->greatest = figures.max;
  const int status = ranks_quartiles(&from->ranks, d->ctx, row->count, row->quartile, why);
  from->again = status == 1;
  return status < 0 ? -1 : 0;
}

static int finish_texts(const struct describing *d, const struct column *from,
                        struct column_row *row, struct failure *why) {
  struct texts_summary sum;
  texts_sum_up(&from->texts, d->options.missing.count > 0 ? &d->options.missing : NULL, &sum);
  row->missing = sum.missing;
  row->count = from->rows - sum.missing;
  row->distinct = sum.distinct;
  row->at_least = from->texts.full;
  row->frequency = sum.frequency;
  if (sum.missing > 0 && d->s->nan_error)
    return fail(why, EXIT_DATA,
                "%s: a column of text has %llu fields that are missing; --nan skip leaves such out",
                command_file_label(d->src->path), (unsigned long long)sum.missing);
  if (!sum.top) return 0;
  row->top = command_allocate(sum.top_bytes + 1, 1, "a text", why);
  if (!row->top) return -1;
  memcpy(row->top, sum.top, sum.top_bytes);
  row->top_bytes = sum.top_bytes;
  return 0;
}

static int add_rows(struct describing *d, const struct text_layout *layout, struct column_rows *out,
                    struct failure *why) {
  for (size_t c = 0; c < d->q.columns; c++) {
    struct column_row *const row = column_rows_add(out, why);
    if (!row) return -1;
    row->text = d->q.column[c].text;
    if (column_row_name(row, d->s->file_count > 1 ? d->src->path : NULL, layout->label[c],
                        d->options.every_first + c + 1, why) != 0 ||
        (row->text ? finish_texts(d, &d->column[c], row, why)
                   : finish_numbers(d, &d->column[c], row, why)) != 0)
      return -1;
    if (d->column[c].rounded && !row->text)
      command_note(d->s, "%s: integers beyond 2^53 in column %zu were rounded to f64",
                   command_file_label(d->src->path), d->options.every_first + c + 1);
  }
  return 0;
}

/* ---- the table --------------------------------------------------------------------------------------- */

/* As many columns as are read at once, from `first` on. */
static int describe_some(struct describing *d, struct column_rows *out, struct failure *why) {
  struct records *records = NULL;
  const size_t before = out->count;
  memset(d->q.column, 0, sizeof d->q.column);
  int status = describing_open(d, &records, why);
  if (status == 0) {
    d->columns = records_layout(records)->columns;
    const size_t rest = d->columns - d->options.every_first;
    d->q.columns = rest < d->options.every_count ? rest : d->options.every_count;
    for (size_t c = 0; c < d->q.columns; c++) d->q.column[c].any = true;
    status = d->columns <= 1 ? 1 : first_pass(d, &records, why);
  }
  if (status == 0) status = add_rows(d, records_layout(records), out, why);
  records_close(records);
  if (status == 0) status = describing_again(d, out->rows + before, why);
  if (status == 0 && d->s->page) status = describing_histograms(d, out->rows + before, why);
  clear(d);
  return status;
}

static int prepare(struct describing *d, struct failure *why) {
  d->memory = MEMORY_DEFAULT;
  if (d->s->memory && sort_memory(d->s->memory, &d->memory, why) != 0) return -1;
  d->memory /= 2;
  d->budget = d->memory;
  d->q.s = d->s;
  d->q.path = d->src->path;
  return asked_condition(&d->q, why);
}

int columns_describe(const struct settings *s, heddle_context *ctx, struct source *src,
                     const struct input_options *options, struct column_rows *out,
                     struct failure *why) {
  struct describing *const d = command_allocate(1, sizeof *d, "descriptions", why);
  if (!d) return -1;
  const size_t before = out->count;
  d->s = s;
  d->ctx = ctx;
  d->src = src;
  d->options = *options;
  int status = prepare(d, why);
  while (status == 0) {
    status = describe_some(d, out, why);
    d->options.every_first += d->options.every_count;
    if (status != 0 || d->options.every_first >= d->columns) break;
    input_every(src->in, d->options.every_first, d->options.every_count);
    status = source_rewind(src, why);
  }
  if (status != 0) column_rows_cut(out, before);
  asked_free(&d->q);
  free(d->real);
  free(d->there);
  free(d);
  return status;
}

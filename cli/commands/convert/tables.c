/* tables.c - columns in one type, block by block, to a format of tables
 *
 * Limits  Columns of several types are written in the one that holds all, as the input delivers them. */
#include "tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "options/args.h"

const struct writer_format *convert_format(int to) {
  switch (to) {
  case TO_NPZ: return &npz_writer;
  case TO_JSONL: return &lines_writer;
  case TO_ARROW: return &arrow_writer;
  case TO_ARROW_STREAM: return &arrow_stream_writer;
  case TO_CSV:
  case TO_TSV: return &csv_writer;
  default: return &parquet_writer;
  }
}

struct table_conversion {
  struct writer w;
  heddle_type from;
  void *converted[INPUT_MAX_COLUMNS];
  size_t room; /* elements of each */
  char numbers[INPUT_MAX_COLUMNS][24];
};

static void take_names(struct table_conversion *t) {
  for (size_t k = 0; k < t->w.columns; k++) {
    const char *const label = input_label(t->w.src->in, k);
    t->w.named |= *label != '\0';
    (void)snprintf(t->numbers[k], sizeof t->numbers[k], "%zu", k + 1);
    t->w.name[k] = *label != '\0' ? label : t->w.columns == 1 ? "value" : t->numbers[k];
  }
}

static int convert_block(struct table_conversion *t, const void *data[], size_t n,
                         struct failure *why) {
  if (t->from == t->w.type) return 0;
  for (size_t k = 0; k < t->w.columns; k++) {
    if (n > t->room) {
      free(t->converted[k]);
      t->converted[k] = command_allocate(n, heddle_type_size(t->w.type), "elements", why);
      if (!t->converted[k]) return -1;
    }
    if (command_check(heddle_convert(t->from, data[k], t->w.type, t->converted[k], n), NULL, why) !=
            0 ||
        convert_check_range(t->w.src, t->from, t->w.type, data[k], t->converted[k], n, why) != 0)
      return -1;
    data[k] = t->converted[k];
  }
  if (n > t->room) t->room = n;
  return 0;
}

static int write_all(struct table_conversion *t, struct failure *why) {
  struct writer *const w = &t->w;
  int status = w->format->begin(w, why);
  for (size_t n = 1; status == 0 && n > 0 && !w->sink.failed;) {
    const void *data[INPUT_MAX_COLUMNS];
    status = source_next(w->src, data, &n, why);
    if (status == 0 && n > 0) status = convert_block(t, data, n, why);
    if (status == 0 && n > 0) status = w->format->block(w, data, n, why);
  }
  if (status == 0 && !w->sink.failed) status = w->format->end(w, why);
  return status;
}

int convert_table(const struct settings *s, int to, struct failure *why) {
  struct source src;
  struct table_conversion *const t = calloc(1, sizeof *t);
  if (!t) return fail(why, EXIT_DATA, "out of memory");
  const bool found = to == TO_JSONL && s->out_type == HEDDLE_TYPE_DEFAULT;
  const enum passes passes = found ? ONE_PASS : SETTLED;
  int status = convert_open(s, to, passes, &src, why);
  if (status != CONVERT_NUMBERS) {
    free(t);
    if (status == CONVERT_WRITTEN) return 0;
    return status == CONVERT_FAILED ? -1 : convert_again(s, to, passes, why);
  }
  t->from = input_type(src.in);
  t->w = (struct writer){.format = convert_format(to),
                         .src = &src,
                         .path = s->output,
                         .columns = input_columns(src.in)};
  t->w.type = s->out_type == HEDDLE_TYPE_DEFAULT ? t->from : (heddle_type)s->out_type;
  src.integers = found && t->from == HEDDLE_F64 && input_has_integers(src.in);
  take_names(t);
  status = sink_open(&t->w.sink, s->output, why);
  if (status == 0) {
    if (to != TO_JSONL && t->w.sink.terminal)
      status = fail(why, EXIT_USAGE,
                    "binary elements are not written to a terminal; name a file with -o FILE, or "
                    "pipe the output");
    if (status == 0) status = write_all(t, why);
    t->w.format->free(&t->w);
    if (status == 0)
      status = sink_close(&t->w.sink, why);
    else
      sink_drop(&t->w.sink);
  }
  for (size_t k = 0; k < t->w.columns; k++) free(t->converted[k]);
  source_close(&src);
  free(t);
  return status == 0 ? 0 : convert_again(s, to, passes, why);
}

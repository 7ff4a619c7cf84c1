/* typed_convert.c - which tables are converted by the types of their columns: those with a column of text, and to Arrow
 * and Parquet those with columns of integers beside others
 *
 * Method  The first block of a text is looked at, and a table's schema. Where all is numbers, the input goes back to
 *         its start for who reads such. A text whose first word comes later is converted again from its start, which
 *         takes a file, and an output that has not gone anywhere yet.
 * Limits  --type, --out-type and --skip-bad ask for numbers: a word is then no number, or its line a bad one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands/command.h"
#include "options/args.h"
#include "tables.h"

struct typed_conversion {
  struct typed typed;
  struct writer w;
  char *names[INPUT_MAX_COLUMNS];
};

static bool asks_for_numbers(const struct settings *s) {
  return s->type != HEDDLE_TYPE_DEFAULT || s->out_type != HEDDLE_TYPE_DEFAULT || s->bytes ||
         s->skip_bad || s->format == INPUT_NPY || s->format == INPUT_RAW || s->nan_error;
}

static bool has_texts(int to) { return to == TO_CSV || to == TO_TSV || to >= TO_JSONL; }

/* ---- written ------------------------------------------------------------------------------- */

static int begin(void *user, struct typed *t, struct failure *why) {
  struct typed_conversion *const c = user;
  struct writer *const w = &c->w;
  char number[24];
  w->columns = t->columns;
  for (size_t k = 0; k < t->columns; k++) {
    const char *const label = t->column[k].name;
    w->named |= label && *label != '\0';
    (void)snprintf(number, sizeof number, "%zu", k + 1);
    c->names[k] = strdup(label && *label != '\0' ? label : t->columns == 1 ? "value" : number);
    if (!c->names[k]) return fail(why, EXIT_DATA, "out of memory for a name");
    w->name[k] = t->column[k].name = c->names[k];
  }
  return w->format->begin(w, why);
}

static int take(void *user, struct typed *t, struct failure *why) {
  struct typed_conversion *const c = user;
  if (c->w.sink.failed) return fail(why, EXIT_DATA, "%s", c->w.sink.why.text);
  return c->w.format->rows(&c->w, t, why);
}

static int write_typed(const struct settings *s, int to, struct source *src, struct failure *why) {
  struct typed_conversion *const c = command_allocate(1, sizeof *c, "columns", why);
  if (!c) return -1;
  memset(c, 0, sizeof *c);
  c->w = (struct writer){.format = convert_format(to),
                         .src = src,
                         .path = s->output,
                         .type = HEDDLE_F64,
                         .separator = to == TO_TSV ? '\t' : ',',
                         .typed = &c->typed};
  int status = sink_open(&c->w.sink, s->output, why);
  if (status == 0) {
    if (to >= TO_ARROW && c->w.sink.terminal)
      status = fail(why, EXIT_USAGE,
                    "binary elements are not written to a terminal; name a file with -o FILE, or "
                    "pipe the output");
    if (status == 0)
      status = input_table(src->in) ? typed_table_read(src, &c->typed, begin, take, c, why)
                                    : typed_text_read(s, src, &c->typed, begin, take, c, why);
    if (status == 0 && !c->w.sink.failed) status = c->w.format->end(&c->w, why);
    c->w.format->free(&c->w);
    if (status == 0)
      status = sink_close(&c->w.sink, why);
    else
      sink_drop(&c->w.sink);
  }
  for (size_t k = 0; k < INPUT_MAX_COLUMNS; k++) free(c->names[k]);
  typed_free(&c->typed);
  free(c);
  return status;
}

/* ---- opened -------------------------------------------------------------------------------- */

/* A table has all of its columns, unless some are chosen. */
static int open_columns(const struct settings *s, enum passes passes, bool typed,
                        struct source *src, struct failure *why) {
  struct input_options options;
  if (source_settings(s, s->files[0], passes, &options, why) != 0) return -1;
  options.records = options.typed = options.typed_all = typed;
  options.two_passes |= typed;
  if (s->column_count == 0) options.every_count = SIZE_MAX;
  return source_open_options(s, &options, src, why);
}

static int no_texts(const struct source *src, struct failure *why) {
  return fail(why, EXIT_DATA,
              "%s: a column that is wanted holds text, and arrays hold numbers alone: write "
              ".arrow, .parquet, .jsonl, .csv or .tsv, or choose others with -c",
              command_file_label(src->path));
}

int convert_open(const struct settings *s, int to, enum passes passes, struct source *src,
                 struct failure *why) {
  enum typed_found found = FOUND_REALS;
  struct failure ignored;
  if (!has_texts(to) || asks_for_numbers(s)) return open_columns(s, passes, false, src, why);
  if (open_columns(s, passes, true, src, why) != 0) return -1;
  bool typed = input_table(src->in) != NULL;
  if (!typed && !input_has_records(src->in)) return CONVERT_NUMBERS;
  if (!typed) (void)typed_text_look(s, src, true, &found, &ignored); /* what fails does so again */
  typed |= found == FOUND_TEXT || (found == FOUND_NUMBERS && to >= TO_ARROW);
  if (!typed) {
    if (input_as_numbers(src->in, why) == 0) return CONVERT_NUMBERS;
    source_close(src);
    return -1;
  }
  const int status = write_typed(s, to, src, why);
  source_close(src);
  return status == 0 ? CONVERT_WRITTEN : CONVERT_FAILED;
}

/* ---- again --------------------------------------------------------------------------------- */

static bool can_begin_again(const struct settings *s, int to, enum passes passes) {
  struct stat file;
  const bool kept = s->output && strcmp(s->output, "-") != 0;
  if (strcmp(s->files[0], "-") == 0 || asks_for_numbers(s)) return false;
  if (stat(s->files[0], &file) != 0 || !S_ISREG(file.st_mode)) return false;
  return !has_texts(to) || passes == SETTLED || kept;
}

/* What could be done about it. */
static int advise(const struct settings *s, int to, struct failure *why) {
  const size_t used = strlen(why->text);
  if (!has_texts(to) || asks_for_numbers(s) || !strstr(why->text, "is not a number")) return -1;
  (void)snprintf(why->text + used, sizeof why->text - used,
                 "; if the column is one of texts: the first one comes so late that it takes a "
                 "file to read and "
                 "-o FILE to write");
  return -1;
}

int convert_again(const struct settings *s, int to, enum passes passes, struct failure *why) {
  struct source src;
  struct failure other;
  enum typed_found found = FOUND_REALS;
  if (why->exit_code != EXIT_DATA || to <= ARRAY_TEXT) return -1;
  if (!can_begin_again(s, to, passes)) return advise(s, to, why);
  if (open_columns(s, passes, true, &src, &other) != 0) return -1;
  int status = -1;
  if (input_table(src.in))
    found = FOUND_TEXT;
  else if (input_has_records(src.in))
    (void)typed_text_look(s, &src, false, &found, &other);
  const bool text = found == FOUND_TEXT;
  if (text && !has_texts(to))
    (void)no_texts(&src, why);
  else if (text)
    status = write_typed(s, to, &src, why);
  source_close(&src);
  return status;
}

/* table.c - a record's fields as the condition has them; the lines of those for which it holds
 *
 * Text    What stands before the first row stays in front; comments and blank lines behind it go.
 * Limits  A field with doubled quotes is copied to be compared, any other is compared where it stands. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/group/reader.h"
#include "input/records.h"
#include "options/format.h"
#include "output/sink.h"
#include "select.h"

struct table {
  struct selecting *g;
  struct records *records;
  char *copies[EXPRESSION_COLUMNS]; /* of the latest record, or NULL */
  uint64_t rows, bad, comments;
  struct sink out; /* of lines, or */
  struct array_sink positions;
};

static void free_copies(struct table *t) {
  for (size_t k = 0; k < EXPRESSION_COLUMNS; k++) {
    free(t->copies[k]);
    t->copies[k] = NULL;
  }
}

static int take_fields(struct table *t, const struct text_field *from,
                       struct expression_field *fields, struct failure *why) {
  const size_t wanted = records_layout(t->records)->wanted;
  free_copies(t);
  for (size_t k = 0; k < wanted; k++) {
    const size_t length = (size_t)(from[k].end - from[k].begin);
    fields[k] = (struct expression_field){.text = from[k].begin, .length = length};
    if (!from[k].quoted || !memchr(from[k].begin, '"', length)) continue;
    t->copies[k] = text_field_copy(&from[k]);
    if (!t->copies[k])
      return fail(why, EXIT_DATA, "%s: out of memory", command_file_label(t->g->src.path));
    fields[k].text = t->copies[k];
    fields[k].length = strlen(t->copies[k]);
  }
  return 0;
}

/* 1: the condition holds for the record at hand; 0: it does not, or the line is bad and passed over. */
static int ask(struct table *t, struct failure *why) {
  struct text_field from[EXPRESSION_COLUMNS];
  struct expression_field fields[EXPRESSION_COLUMNS];
  char shown[60], what[200];
  size_t column = 0;
  enum expression_answer answer = EXPRESSION_NO_NUMBER;
  const int split = records_fields(t->records, from, why);
  if (split == 0) {
    if (take_fields(t, from, fields, why) != 0) return -1;
    answer = expression_holds(&t->g->e, fields, &column);
    if (answer <= EXPRESSION_YES) return answer == EXPRESSION_YES;
  }
  if (t->g->s->skip_bad) {
    t->bad += 1;
    return 0;
  }
  if (split != 0) return -1;
  text_show(fields[column].text, fields[column].length, shown, sizeof shown);
  (void)snprintf(what, sizeof what, "'%s' is %s; --skip-bad passes over such lines", shown,
                 answer == EXPRESSION_NO_NUMBER ? "no number, and is compared with one"
                                                : "text, and has no order with a number");
  return records_fail(t->records, from[column].start, what, why);
}

static int read_records(struct table *t, struct failure *why) {
  const struct settings *const s = t->g->s;
  const char *begin, *end;
  int next;
  while ((next = source_record(&t->g->src, t->records, &begin, &end, why)) == RECORDS_ONE) {
    const uint64_t row = t->rows++;
    if (row < s->offset) continue;
    if (row - s->offset >= s->count) return 0;
    const int holds = ask(t, why);
    if (holds < 0) return -1;
    if (holds == 0) continue;
    if (s->positions)
      array_write(&t->positions, &row, 1);
    else
      sink_write(&t->out, begin, (size_t)(end - begin) + 1);
    if (t->out.failed) return 0; /* the close tells why */
  }
  return next < 0 ? -1 : 0;
}

/* ---- by several threads ------------------------------------------------------------------------------ */

static int take(void *user, struct batch *b, struct failure *why) {
  struct table *const t = user;
  (void)why; /* the close tells what went wrong with the output */
  for (size_t row = 0; row < b->rows && t->g->s->positions; row++) {
    const uint64_t place = t->rows + b->places[row];
    array_write(&t->positions, &place, 1);
  }
  if (!t->g->s->positions) sink_write(&t->out, b->kept, b->kept_bytes);
  t->rows += b->records;
  return t->out.failed || t->positions.sink.failed;
}

/* Blocks of records, each asked on one of the threads; their lines come in order. */
static int read_blocks(struct table *t, struct failure *why) {
  const struct selecting *const g = t->g;
  struct input_options options;
  struct asked *const q = command_allocate(1, sizeof *q, "what is asked", why);
  if (!q) return -1;
  q->s = g->s;
  q->path = g->src.path;
  q->lines = q->condition = true;
  q->where = g->e;
  if (g->e.element) q->where.column_count = 1; /* the only one there is */
  const struct reader reader = {.src = &t->g->src,
                                .records = t->records,
                                .options = &options,
                                .q = q,
                                .threads = reader_threads(g->ctx),
                                .take = take,
                                .user = t,
                                .comments = &t->comments};
  int status = args_input_options(g->s, g->src.path, &options, why);
  if (status == 0) status = reader_read(&reader, why);
  free(q);
  return status < 0 ? -1 : 0;
}

static int read_table(struct table *t, struct failure *why) {
  const bool all = t->g->s->offset == 0 && t->g->s->count == UINT64_MAX;
  if (all && reader_threads(t->g->ctx) > 1) return read_blocks(t, why);
  const int status = read_records(t, why);
  t->comments = records_comments(t->records);
  return status;
}

static void note(const struct table *t) {
  const char *const label = command_file_label(t->g->src.path);
  const uint64_t comments = t->comments;
  if (t->bad > 0)
    command_note(t->g->s, "%s: %llu bad line%s passed over", label, (unsigned long long)t->bad,
                 t->bad == 1 ? "" : "s");
  if (comments > 0 && !t->g->s->positions)
    command_note(t->g->s, "%s: %llu comment%s behind the first row passed over", label,
                 (unsigned long long)comments, comments == 1 ? "" : "s");
}

static int write_table(struct table *t, struct failure *why) {
  const struct settings *const s = t->g->s;
  const enum array_format format = output_array_format(s->output);
  size_t bytes;
  const char *const front = records_front(t->records, &bytes);
  if (s->positions) {
    if (array_open(&t->positions, s->output, format, HEDDLE_U64, 0, NULL, ARRAY_C, why) != 0)
      return -1;
    if (read_table(t, why) == 0) return array_close(&t->positions, why);
    sink_drop(&t->positions.sink);
    return -1;
  }
  if (format != ARRAY_TEXT)
    return fail(why, EXIT_USAGE,
                "-o %s asks for elements, and whole lines are text; --positions writes where they "
                "are",
                s->output);
  if (output_check_lines(s, records_layout(t->records)->delimiter,
                         command_file_label(t->g->src.path), why) != 0 ||
      sink_open(&t->out, s->output, why) != 0)
    return -1;
  sink_write(&t->out, front, bytes);
  if (read_table(t, why) == 0) return sink_close(&t->out, why);
  sink_drop(&t->out);
  return -1;
}

int select_table(struct selecting *g, struct failure *why) {
  static const char *const only[] = {"1"};
  const struct expression *const e = &g->e;
  struct table t = {.g = g};
  int status = records_open(g->src.in, e->element ? only : e->columns,
                            e->element ? 1 : e->column_count, false, &t.records, why);
  if (status == 0 && e->element && records_layout(t.records)->columns > 1)
    status = fail(why, EXIT_USAGE,
                  "%s has %zu columns: say in the condition which ones are meant, as in '`2` > 3'",
                  command_file_label(g->src.path), records_layout(t.records)->columns);
  if (status == 0) status = write_table(&t, why);
  if (status == 0) note(&t);
  free_copies(&t);
  records_close(t.records);
  return status;
}

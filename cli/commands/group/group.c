/* group.c - heddle group: figures of the rows that have one key
 *
 * Method  The file's rows into a table of groups (reader.c), and figures of each group (figures.c). Where memory was
 *         full, rows of some groups are in files by their keys' hashes: each file is a table of its own, and may be
 *         cut again. Sorted groups of all of these tables are merged. */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/sort/sort.h"
#include "group.h"
#include "options/commands.h"
#include "reader.h"
#include "results.h"
#include "show.h"
#include "text/record.h"

/* Parts of less are many files of next to nothing. */
enum { MEMORY_LEAST = 1 << 16 };

struct grouping {
  struct asked q;
  heddle_context *ctx;
  size_t memory;
  struct show show;
  struct result_runs runs;
  heddle_type types[INPUT_MAX_COLUMNS]; /* of columns, once all is read */
  bool rounded[INPUT_MAX_COLUMNS];
  char *labels[INPUT_MAX_COLUMNS];
};

static void take_rounded(struct grouping *g, const struct group_table *t) {
  for (size_t c = 0; c < g->q.columns; c++) g->rounded[c] |= t->column[c].rounded;
}

static void note_rounded(const struct grouping *g) {
  for (size_t c = 0; c < g->q.columns; c++) {
    char shown[60];
    if (!g->rounded[c]) continue;
    text_show(g->q.column[c].name, strlen(g->q.column[c].name), shown, sizeof shown);
    command_note(g->q.s, "%s: integers beyond 2^53 in column '%s' were rounded to f64",
                 command_file_label(g->q.path), shown);
  }
}

static int add_batch(void *user, struct batch *b, struct failure *why) {
  return table_add(user, b, why);
}

/* The names of keys by the header. */
static int take_labels(struct grouping *g, const struct input *in, const struct records *records,
                       struct failure *why) {
  for (size_t k = 0; k < g->q.keys; k++) {
    const char *const label = records ? records_layout(records)->label[k] : input_label(in, k);
    if (!label) continue;
    g->labels[k] = strdup(label);
    if (!g->labels[k]) return fail(why, EXIT_DATA, "out of memory for a name");
  }
  return 0;
}

static int read_rows(struct grouping *g, struct source *src, const struct input_options *options,
                     struct group_table *t, struct failure *why) {
  struct reader reader = {.src = src, .options = options, .q = &g->q, .take = add_batch, .user = t};
  int status = reader_records(&g->q, src, &reader.records, why);
  if (status == 0) status = take_labels(g, src->in, reader.records, why);
  reader.threads = reader_threads(g->ctx);
  if (status == 0) status = reader_read(&reader, why);
  records_close(reader.records);
  return status;
}

static int read_table(struct grouping *g, struct group_table *t, struct failure *why) {
  struct input_options options;
  struct source src;
  if (reader_open(&g->q, &options, &src, why) != 0) return -1;
  int status = read_rows(g, &src, &options, t, why);
  source_close(&src);
  if (status == 0) status = spill_end(&t->spill, why);
  for (size_t c = 0; c < g->q.columns; c++) g->types[c] = t->column[c].type;
  take_rounded(g, t);
  g->runs.order.keys = g->q.keys;
  memcpy(g->runs.order.numbers, t->numbers, sizeof t->numbers);
  g->show.rows = t->taken;
  return status;
}

/* ---- groups in memory -------------------------------------------------------------------------------- */

static int show_all(struct grouping *g, const struct group_table *t, const struct results *r,
                    struct failure *why) {
  struct show *const s = &g->show;
  s->types = r->type;
  show_start(s);
  if (g->q.s->style == STYLE_TABLE &&
      results_each(t, r, &g->runs.order, show_measure, s, why) != 0) {
    free(s->text);
    return -1;
  }
  if (show_open(s, why) != 0) return -1;
  return show_close(s, results_each(t, r, &g->runs.order, show_row, s, why), why);
}

/* ---- groups in parts --------------------------------------------------------------------------------- */

/* A table's groups to a run. It is measured for a table on its way back: results_merge is repeatable, its files are
 * not, so that measuring is done here. */
static int table_to_run(struct grouping *g, struct group_table *t, struct results *r,
                        struct failure *why) {
  int status = figures_find(t, r, why);
  if (status == 0 && g->q.s->style == STYLE_TABLE) {
    g->show.types = r->type;
    status = results_each(t, r, &g->runs.order, show_measure, &g->show, why);
  }
  if (status == 0) status = results_to_run(&g->runs, t, r, why);
  return status;
}

/* A part's rows, and what they were cut into again: as deep as a hash has bits. */
static int take_part(struct grouping *g, struct spill *spill, size_t part, unsigned level,
                     struct failure *why) {
  if (spill->part[part].runs.count == 0) return 0;
  struct group_table *const t = malloc(sizeof *t);
  struct results r;
  if (!t) return fail(why, EXIT_DATA, "out of memory for a part of the groups");
  memset(&r, 0, sizeof r);
  table_start(t, &g->q, g->ctx, g->memory, level);
  for (size_t c = 0; c < g->q.columns; c++) t->column[c].type = g->types[c];
  int status = spill_read(spill, part, g->types, add_batch, t, why);
  if (status == 0) status = spill_end(&t->spill, why);
  take_rounded(g, t);
  if (status == 0 && t->keys.count > 0) status = table_to_run(g, t, &r, why);
  figures_free(&r);
  table_release(t);
  for (size_t i = 0; t->spill.open && i < SPILL_PARTS && status == 0; i++)
    status = take_part(g, &t->spill, i, level + 1, why);
  table_free(t);
  free(t);
  return status;
}

static int show_parts(struct grouping *g, struct group_table *t, struct results *r,
                      struct failure *why) {
  struct show *const s = &g->show;
  heddle_type types[GROUP_FIGURES];
  show_start(s);
  int status = table_to_run(g, t, r, why);
  memcpy(types, r->type, sizeof types);
  figures_free(r);
  table_release(t);
  for (size_t i = 0; i < SPILL_PARTS && status == 0; i++)
    status = take_part(g, &t->spill, i, 1, why);
  s->types = types;
  if (status != 0 || show_open(s, why) != 0) {
    free(s->text);
    return -1;
  }
  return show_close(s, results_merge(&g->runs, show_row, s, why), why);
}

/* ---- the command ------------------------------------------------------------------------------------- */

static int run(struct grouping *g, struct failure *why) {
  struct group_table *const t = malloc(sizeof *t);
  struct results r;
  if (!t) return fail(why, EXIT_DATA, "out of memory for the groups");
  memset(&r, 0, sizeof r);
  table_start(t, &g->q, g->ctx, g->memory, 0);
  int status = read_table(g, t, why);
  if (status == 0 && t->spill.open) {
    status = show_parts(g, t, &r, why);
  } else if (status == 0) {
    status = figures_find(t, &r, why);
    if (status == 0) status = show_all(g, t, &r, why);
  }
  figures_free(&r);
  table_free(t);
  free(t);
  return status;
}

int command_group(const struct settings *s, struct failure *why) {
  return group_file(s, NULL, why);
}

int group_file(const struct settings *s, const char *path, struct failure *why) {
  struct grouping *const g = calloc(1, sizeof *g);
  if (!g) return fail(why, EXIT_DATA, "out of memory for what is asked");
  g->q.path = path;
  int status = asked_read(s, &g->q, why);
  if (status == 0) status = sort_memory(s->memory, &g->memory, why);
  if (g->memory < MEMORY_LEAST) g->memory = MEMORY_LEAST;
  if (status == 0) status = command_context(s, &g->ctx, why);
  if (status == 0) {
    g->show.q = g->runs.q = &g->q;
    g->show.labels = g->labels;
    g->runs.memory = g->memory;
    g->runs.runs.use = (struct spool_use){command_file_label(g->q.path), s->tmp,
                                          "is grouped in parts", "name by --tmp a folder"};
    status = run(g, why);
    if (status == 0) note_rounded(g);
    runs_close(&g->runs.runs);
    heddle_close(g->ctx);
  }
  for (size_t k = 0; k < INPUT_MAX_COLUMNS; k++) free(g->labels[k]);
  asked_free(&g->q);
  free(g);
  return status;
}

/* lines.c - heddle uniq on text: whole lines, or the lines of a table by one column's text
 *
 * Method  Each line is counted in a table of distinct keys, so that only those take memory; when that is full
 *         the table becomes a run, in order, and starts anew. There is a table a thread, and a key's hash says which has it (blocks.c). One by one are
 *         lines counted that are told by their number, by --offset and --count, and those of --consecutive, where
 *         the key before is all that is held. */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/group/reader.h"
#include "options/format.h"
#include "uniq.h"

enum { TABLE_LEAST = 1 << 16 }; /* smaller ones make runs faster than these are merged */

/* The key of the record at hand; 1: it is a bad line, and passed over. *copy, to be freed, is it where the field has doubled quotes. */
static int find_key(struct uniq *q, struct counted_line *l, char **copy, struct failure *why) {
  struct text_field f;
  *copy = NULL;
  l->key = l->line;
  l->key_bytes = l->line_bytes;
  if (q->s->key_count == 0) return 0;
  if (records_fields(q->records, &f, why) != 0) {
    q->bad += 1;
    return q->s->skip_bad ? 1 : -1;
  }
  l->key = f.begin;
  l->key_bytes = (size_t)(f.end - f.begin);
  if (!f.quoted || !memchr(f.begin, '"', l->key_bytes)) return 0;
  *copy = text_field_copy(&f);
  if (!*copy) return fail(why, EXIT_DATA, "%s: out of memory", command_file_label(q->g.src.path));
  l->key = *copy;
  l->key_bytes = strlen(*copy);
  return 0;
}

/* ---- all lines ----------------------------------------------------------------------------- */

int uniq_add_run(struct uniq *q, struct line_table *t, struct failure *why) {
  struct run_writer w;
  if (line_table_order(t, q->g.ctx, why) != 0 || run_writer_open(&q->g.runs, &w, why) != 0)
    return -1;
  int status = 0;
  for (size_t i = 0; i < t->count && status == 0; i++) {
    const struct line_entry *const e = line_table_ordered(t, i);
    status = run_write(&w, e, sizeof *e, why);
    if (status == 0) status = run_write(&w, t->text + e->text, e->bytes, why);
  }
  w.run->items = t->count;
  line_table_clear(t);
  return run_writer_close(&w, status, why);
}

static int count_line(struct uniq *q, const struct counted_line *l, struct failure *why) {
  bool full;
  if (line_table_add(q->tables, l, q->g.memory, &full, why) != 0) return -1;
  if (!full) return 0;
  if (uniq_add_run(q, q->tables, why) != 0 || uniq_merge_levels(q, why) != 0) return -1;
  return line_table_add(q->tables, l, q->g.memory, &full, why);
}

/* ---- lines that follow each other ---------------------------------------------------------- */

/* The table holds the run at hand: one entry. */
static int follow_line(struct uniq *q, const struct counted_line *l, struct failure *why) {
  struct line_table *const t = q->tables;
  const struct line_entry *const e = t->entries;
  bool full;
  if (t->count > 0 &&
      key_compare(t->text + e->text + e->key_at, e->key_bytes, l->key, l->key_bytes) == 0) {
    t->entries->count += 1;
    return 0;
  }
  if (t->count > 0) writer_line(&q->out, q->s, e->count, t->text + e->text, e->line_bytes);
  line_table_clear(t);
  return line_table_add(t, l, SIZE_MAX, &full, why);
}

/* ---- the command --------------------------------------------------------------------------- */

static int read_lines(struct uniq *q, struct failure *why) {
  const struct settings *const s = q->s;
  const char *begin, *end;
  uint64_t row = 0;
  int next;
  while ((next = source_record(&q->g.src, q->records, &begin, &end, why)) == RECORDS_ONE) {
    struct counted_line l = {.line = begin, .line_bytes = (size_t)(end - begin)};
    char *copy;
    if (row++ < s->offset) continue;
    if (row - s->offset > s->count) break;
    int status = find_key(q, &l, &copy, why);
    l.place = row;
    l.tag = status == 0 ? line_table_tag(l.key, l.key_bytes) : 0;
    if (status == 0) status = s->consecutive ? follow_line(q, &l, why) : count_line(q, &l, why);
    free(copy);
    if (status < 0) return -1;
    if (q->out.out.failed) break; /* the close tells why */
  }
  q->comments = records_comments(q->records);
  return next < 0 ? -1 : 0;
}

/* What stands before the first row; the column of counts has a name where the others have. */
static void write_front(struct uniq *q) {
  size_t bytes;
  const char *const front = records_front(q->records, &bytes);
  const size_t header = records_header(q->records);
  sink_write(&q->out.out, front, header);
  if (q->out.counts && header < bytes) sink_print(&q->out.out, "count%c", q->out.delimiter);
  sink_write(&q->out.out, front + header, bytes - header);
}

static int finish(struct uniq *q, struct failure *why) {
  if (q->g.runs.count == 0) return uniq_merge_tables(q, why); /* consecutive: the last line */
  for (size_t i = 0; i < q->table_count; i++) {
    if (i > 0 && uniq_merge_levels(q, why) != 0) return -1;
    if (q->tables[i].count > 0 && uniq_add_run(q, &q->tables[i], why) != 0) return -1;
    line_table_free(&q->tables[i]); /* the memory is for buffers */
  }
  return uniq_merge(q, why);
}

/* As many as there are threads, of TABLE_LEAST bytes each, or one for lines one by one. */
static int make_tables(struct uniq *q, struct failure *why) {
  const struct settings *const s = q->s;
  const bool blocks = !s->consecutive && s->offset == 0 && s->count == UINT64_MAX;
  q->table_count = blocks ? reader_threads(q->g.ctx) : 1;
  if (q->table_count > UNIQ_THREADS_MOST) q->table_count = UNIQ_THREADS_MOST;
  if (q->table_count > q->g.memory / TABLE_LEAST)
    q->table_count = q->g.memory < TABLE_LEAST ? 1 : q->g.memory / TABLE_LEAST;
  q->tables = calloc(q->table_count, sizeof *q->tables);
  if (!q->tables) return fail(why, EXIT_DATA, "out of memory for the tables of lines");
  return blocks ? uniq_blocks(q, why) : read_lines(q, why);
}

static int write_lines(struct uniq *q, struct failure *why) {
  const struct text_layout *const layout = records_layout(q->records);
  const char delimiter = layout->delimiter == TEXT_NONE ? ',' : layout->delimiter;
  if (output_array_format(q->s->output) != ARRAY_TEXT)
    return fail(
        why, EXIT_USAGE,
        "-o %s asks for elements, and whole lines are text; --numbers reads them as numbers",
        q->s->output);
  if (output_check_lines(q->s, layout->delimiter, command_file_label(q->g.src.path), why) != 0 ||
      sink_open(&q->out.out, q->s->output, why) != 0)
    return -1;
  q->out.counts = q->s->counts != 0;
  q->out.delimiter = q->s->key_count > 0 || q->s->style == STYLE_CSV ? delimiter : '\0';
  write_front(q);
  int status = make_tables(q, why);
  if (status == 0) status = finish(q, why);
  if (status == 0) return sink_close(&q->out.out, why);
  sink_drop(&q->out.out);
  return -1;
}

int uniq_lines(struct uniq *q, struct failure *why) {
  int status = records_open(q->g.src.in, q->s->keys, q->s->key_count, q->s->key_count == 0,
                            &q->records, why);
  if (status == 0) status = write_lines(q, why);
  if (status == 0 && q->bad > 0)
    command_note(q->s, "%s: %llu bad line%s passed over", command_file_label(q->g.src.path),
                 (unsigned long long)q->bad, q->bad == 1 ? "" : "s");
  if (status == 0 && q->comments > 0)
    command_note(q->s, "%s: %llu comment%s behind the first row passed over",
                 command_file_label(q->g.src.path), (unsigned long long)q->comments,
                 q->comments == 1 ? "" : "s");
  for (size_t i = 0; i < q->table_count && q->tables; i++) line_table_free(&q->tables[i]);
  free(q->tables);
  records_close(q->records);
  return status;
}

/* sort.c - heddle sort and heddle argsort: what is asked for, and which way it goes
 *
 * Method  Lines of a table by keys: lines.c. Positions: positions.c. Elements: elements.c. An array that is
 *         mapped and fits the memory is sorted from where it lies.
 * Limits  One file; but for -k, one column. */
#include "sort.h"

#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "options/commands.h"
#include "options/format.h"
#include "output.h"

static int check(const struct settings *s, struct failure *why) {
  if (s->key_count == 0) return 0;
  const struct {
    const char *option, *reason;
    bool given;
  } others[] = {{"--argsort", "writes positions of one column, chosen by -c", s->argsort != 0},
                {"--column", "writes the elements of one column", s->column_count > 0},
                {"--json", "writes elements", s->style == STYLE_JSON},
                {"--bytes", "reads no text", s->bytes != 0},
                {"--format", "is text's where lines are sorted",
                 s->format != INPUT_AUTO && s->format != INPUT_TEXT}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (others[i].given)
      return fail(why, EXIT_USAGE, "--key sorts whole lines of a table, and %s %s: give one",
                  others[i].option, others[i].reason);
  return 0;
}

/* Text is read by so many threads that what they hold, up to 9 MiB each, is little beside what is sorted. */
enum { A_THREAD = 64 << 20 };

static int open_source(struct sorting *g, struct failure *why) {
  const struct settings *const s = g->s;
  struct input_options options;
  if (args_input_options(s, s->files[0], &options, why) != 0) return -1;
  if (s->key_count > 0) {
    memcpy(options.columns, s->keys, sizeof options.columns);
    options.column_count = s->key_count;
    options.lines = true;
  } else { /* where elements are equal only as floats, which are left out depends on what is to come */
    options.settle = s->argsort || (g->unique && g->head != UINT64_MAX);
  }
  options.threads = g->memory / A_THREAD > 0 ? g->memory / A_THREAD : 1;
  return source_open_options(s, &options, &g->src, why);
}

static int write_whole(struct sorting *g, const void *data, size_t count, void *result,
                       struct failure *why) {
  heddle_sort_options options = HEDDLE_SORT_OPTIONS_INIT;
  const heddle_type type = input_type(g->src.in);
  struct sort_output out;
  options.descending = g->reverse;
  const heddle_status status =
      g->s->argsort ? heddle_argsort(g->ctx, type, data, count, HEDDLE_U64, result, &options)
                    : heddle_sort(g->ctx, type, data, count, result, &options);
  if (command_check(status, g->src.path, why) != 0) return -1;
  if (sort_output_open(g, g->s->argsort ? HEDDLE_U64 : type, count, &out, why) != 0) return -1;
  return sort_output_close(&out, sort_output_write(&out, result, count, why), why);
}

int sort_source(struct sorting *g, struct failure *why) {
  size_t count, capacity;
  if (g->s->key_count > 0) return sort_lines(g, why);
  if (source_single(&g->src, why) != 0) return -1;
  const heddle_type type = input_type(g->src.in);
  const void *const data = input_whole(g->src.in, &count);
  const size_t size = g->s->argsort ? sizeof(uint64_t) : heddle_type_size(type);
  const heddle_sort_verb verb = g->s->argsort ? HEDDLE_ARGSORT : HEDDLE_SORT_KEYS;
  if (sort_capacity(g, verb, type, sizeof(uint64_t), size, &capacity, why) != 0) return -1;
  if (data && count <= capacity && g->head == UINT64_MAX && !g->unique) {
    void *const result = command_allocate(count, size, "results", why);
    const int status = result ? write_whole(g, data, count, result, why) : -1;
    free(result);
    return status;
  }
  return g->s->argsort ? sort_positions(g, why) : sort_elements(g, why);
}

int command_sort(const struct settings *s, struct failure *why) {
  struct sorting g = {
      .s = s, .reverse = s->reverse != 0, .unique = s->unique != 0, .head = s->head};
  if (check(s, why) != 0 || sort_memory(s->memory, &g.memory, why) != 0 ||
      command_context(s, &g.ctx, why) != 0)
    return -1;
  int status = open_source(&g, why);
  if (status == 0) {
    g.runs.use = (struct spool_use){command_file_label(g.src.path), s->tmp, "is sorted in parts",
                                    "name by --tmp a folder"};
    status = sort_source(&g, why);
    runs_close(&g.runs);
    source_close(&g.src);
  }
  heddle_close(g.ctx);
  return status;
}

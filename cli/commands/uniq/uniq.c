/* uniq.c - heddle uniq: what is asked for, and which way it goes
 *
 * Method  Text is taken line by line (lines.c), numbers are sorted as by heddle sort and counted on their way
 *         out (tally.c), or, with --consecutive, as they come.
 * Limits  One file; of numbers one column. */
#include "uniq.h"

#include <stdlib.h>

#include "commands/command.h"
#include "options/commands.h"
#include "tally.h"

static int check(const struct settings *s, struct failure *why) {
  if (s->repeated && s->single)
    return fail(why, EXIT_USAGE, "nothing is both there once (-u) and repeated (-d): give one");
  if (s->key_count > 1 || (s->key_count == 1 && s->key_reversed[0]))
    return fail(why, EXIT_USAGE, "-k takes one column, in rising order");
  if (s->key_count == 1 && s->numbers)
    return fail(why, EXIT_USAGE, "-k keeps whole lines, and --numbers reads elements: give one");
  return 0;
}

static int open_source(struct uniq *q, struct failure *why) {
  const struct settings *const s = q->s;
  struct input_options options;
  if (args_input_options(s, s->files[0], &options, why) != 0) return -1;
  const bool typed = s->type != HEDDLE_TYPE_DEFAULT || s->bytes;
  if (typed && s->key_count > 0)
    return fail(why, EXIT_USAGE, "-k keeps lines of text, whose columns have no --type or --bytes");
  options.records = !s->numbers && !typed;
  options.settle = s->consecutive != 0; /* what was written cannot become of another type */
  if (s->key_count > 0 && options.format == INPUT_AUTO) options.format = INPUT_TEXT;
  return source_open_options(s, &options, &q->g.src, why);
}

static int take_blocks(struct sorting *g, struct tally *t, struct failure *why) {
  for (;;) {
    const void *data[INPUT_MAX_COLUMNS];
    size_t count = 0;
    if (source_next(&g->src, data, &count, why) != 0) return -1;
    if (count == 0) return 0;
    if (tally_take(t, data[0], count, why) != 0) return -1;
  }
}

static int uniq_numbers(struct uniq *q, struct failure *why) {
  const struct settings *const s = q->s;
  struct tally t = {.s = s};
  const struct sort_taker taker = {tally_open, tally_take, tally_close, &t};
  if (source_single(&q->g.src, why) != 0) return -1;
  if (s->consecutive) {
    if (tally_open(&t, input_type(q->g.src.in), why) != 0) return -1;
    return tally_close(&t, take_blocks(&q->g, &t, why), why);
  }
  q->g.taker = &taker;
  q->g.unique = !s->counts && !s->repeated && !s->single; /* nobody counts: fewer are kept */
  return sort_source(&q->g, why);
}

int command_uniq(const struct settings *s, struct failure *why) {
  struct uniq q = {.s = s, .g = {.s = s, .head = UINT64_MAX}};
  if (check(s, why) != 0 || sort_memory(s->memory, &q.g.memory, why) != 0 ||
      command_context(s, &q.g.ctx, why) != 0)
    return -1;
  int status = open_source(&q, why);
  if (status == 0) {
    q.g.runs.use = (struct spool_use){command_file_label(q.g.src.path), s->tmp,
                                      "is sorted in parts", "name by --tmp a folder"};
    status = input_has_records(q.g.src.in) ? uniq_lines(&q, why) : uniq_numbers(&q, why);
    runs_close(&q.g.runs);
    source_close(&q.g.src);
  }
  heddle_close(q.g.ctx);
  return status;
}

/* passes.c - a state of heddle_quantiles_begin, or of heddle_nth_begin, a column; the file is read until none asks for another pass
 *
 * Limits  How much memory text takes is told by its length: four bytes a byte of it, what a digit and its line's end
 *         become. */
#include "passes.h"

#include <string.h>

#include <sys/stat.h>

#include "commands/command.h"
#include "commands/part.h"

enum { TEXT_GROWTH = 4 };

/* ---- whether ----------------------------------------------------------------------------------- */

int passes_are_needed(const struct settings *s, const char *path, size_t memory,
                      struct failure *why) {
  const bool standard = strcmp(path, "-") == 0;
  struct source src;
  struct stat info;
  if (s->part) return 1;
  if ((standard ? fstat(0, &info) : stat(path, &info)) != 0) return 0; /* opening it says why */
  if (!S_ISREG(info.st_mode)) return s->memory != NULL;
  const uint64_t bytes = info.st_size > 0 ? (uint64_t)info.st_size : 0;
  if (standard || bytes <= memory / TEXT_GROWTH) return bytes > memory / TEXT_GROWTH;
  if (source_open(s, path, ONE_PASS, &src, why) != 0) return -1;
  const uint64_t count = input_count(src.in);
  const size_t each = input_columns(src.in) * heddle_type_size(input_type(src.in));
  source_close(&src);
  return count == UINT64_MAX || count > memory / each;
}

/* ---- a pass ------------------------------------------------------------------------------------ */

struct column {
  heddle_state *state;
  int again; /* the state takes this pass */
};

static int take(struct source *src, size_t column, const void *data, size_t n, void *user,
                struct failure *why) {
  const struct column *const of = (const struct column *)user + column;
  if (!of->again) return 0;
  return command_check(heddle_quantiles_update(of->state, data, n), src->path, why);
}

/* 1: another pass. All processes come to the same, from the one state that all parts have been merged into. */
static int end(const struct settings *s, heddle_context *ctx, const struct source *src,
               struct column *of, size_t columns, struct failure *why) {
  int again = 0;
  for (size_t c = 0; c < columns; c++) {
    if (!of[c].again) continue;
    if (s->part && s->part->merge(s->part, ctx, &of[c].state, why) != 0) return -1;
    if (command_check(heddle_quantiles_round(of[c].state, &of[c].again), src->path, why) != 0)
      return -1;
    again |= of[c].again;
  }
  if (again && s->part)
    s->part->merged = 0; /* a process that fails from here on owes the next merge */
  return again;
}

static int begin(const struct settings *s, heddle_context *ctx, const struct source *src,
                 struct column *of, size_t columns, struct failure *why) {
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  options.method = (heddle_quantile_method)s->method;
  options.nan = (heddle_nan)s->nan;
  for (size_t c = 0; c < columns; c++) {
    const heddle_type type = input_type(src->in);
    of[c].again = 1;
    if (command_check(s->command == COMMAND_NTH
                          ? heddle_nth_begin(ctx, type, s->ranks, s->rank_count, NULL, &of[c].state)
                          : heddle_quantiles_begin(ctx, type, s->shares, s->share_count, &options,
                                                   &of[c].state),
                      src->path, why) != 0)
      return -1;
  }
  return 0;
}

static heddle_status finish(const struct settings *s, const struct source *src, heddle_state *state,
                            size_t column, void *found) {
  const size_t bytes = heddle_type_size(input_type(src->in));
  if (s->command == COMMAND_NTH)
    return heddle_nth_finish(state, (unsigned char *)found + column * s->rank_count * bytes);
  return heddle_quantiles_finish(state, (double *)found + column * s->share_count);
}

int passes_find(const struct settings *s, heddle_context *ctx, struct source *src, size_t columns,
                void *found, uint64_t *count, struct failure *why) {
  struct column of[INPUT_MAX_COLUMNS];
  heddle_state_details details = HEDDLE_STATE_DETAILS_INIT;
  memset(of, 0, sizeof of);
  int status = begin(s, ctx, src, of, columns, why), again = 1;
  while (status == 0 && again) {
    status = source_each(src, take, of, why);
    if (status != 0) break;
    again = end(s, ctx, src, of, columns, why);
    status = again < 0 ? -1 : again > 0 ? source_rewind(src, why) : 0;
  }
  for (size_t c = 0; c < columns && status == 0; c++)
    status = command_check(finish(s, src, of[c].state, c, found), src->path, why);
  if (status == 0) status = command_check(heddle_state_info(of[0].state, &details), src->path, why);
  *count = details.whole;
  for (size_t c = 0; c < columns; c++) heddle_state_free(of[c].state);
  return status;
}

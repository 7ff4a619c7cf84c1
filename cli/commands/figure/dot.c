/* dot.c - heddle dot: the sum of products of two files, or of two columns of a table
 *
 * Method  The library's. Of integers out of text, as long as nothing else comes, the exact sum is
 *         kept beside it. */
#include <string.h>

#include "commands/command.h"
#include "commands/fold.h"
#include "commands/show_values.h"
#include "commands/source.h"
#include "commands/whole.h"
#include "options/commands.h"

struct dot {
  heddle_state *state;
  struct value_row *row;
  struct whole whole;
  bool exact; /* nothing but integers so far */
};

static void add_exact(struct dot *d, const void *const integers[2], const heddle_type type[2],
                      size_t n) {
  d->exact = d->exact && integers[0] && integers[1];
  if (d->exact) whole_add_products(&d->whole, type[0], integers[0], type[1], integers[1], n);
}

static int begin(const struct settings *s, heddle_context *ctx, const struct source *src,
                 struct value_row *row, heddle_state **state, struct failure *why) {
  const heddle_type type = input_type(src->in);
  heddle_options options;
  if (fold_check_exact(s, type, src->path, why) != 0) return -1;
  command_options(s, &options);
  options.start = src->first;
  row->type = fold_result_type(s, HEDDLE_DOT, type);
  options.out_type = row->type;
  return command_check(heddle_dot_begin(ctx, type, &options, state), src->path, why);
}

static int dot_columns(struct dot *d, struct source *src, struct failure *why) {
  for (;;) {
    const void *data[INPUT_MAX_COLUMNS];
    size_t n = 0;
    if (source_next(src, data, &n, why) != 0) return -1;
    if (n == 0) return 0;
    const void *integers[2];
    heddle_type type[2];
    for (size_t c = 0; c < 2; c++) {
      size_t rows;
      integers[c] = input_integers(src->in, c, &rows, &type[c]);
      if (rows < n) integers[c] = NULL;
    }
    add_exact(d, integers, type, n);
    if (command_check(heddle_dot_update(d->state, data[0], data[1], n), src->path, why) != 0)
      return -1;
    d->row->count += n;
  }
}

static int dot_files(struct dot *d, struct source *a, struct source *b, struct failure *why) {
  struct pair pair;
  pair_start(&pair, a, b);
  for (;;) {
    const void *x, *y, *integers[2];
    size_t n = 0;
    if (pair_next(&pair, &x, &y, integers, &n, why) != 0) return -1;
    if (n == 0) return 0;
    add_exact(d, integers, pair.integer_type, n);
    if (command_check(heddle_dot_update(d->state, x, y, n), a->path, why) != 0) return -1;
    d->row->count += n;
  }
}

static int one_file(const struct settings *s, heddle_context *ctx, struct dot *d,
                    struct failure *why) {
  struct source src;
  if (s->column_count != 2)
    return fail(why, EXIT_USAGE,
                "dot takes two files, or one table and two of its columns: "
                "heddle dot -c X,Y FILE");
  if (source_open(s, s->files[0], ONE_PASS, &src, why) != 0) return -1;
  int status = 0;
  src.integers = d->exact;
  if (input_columns(src.in) != 2)
    status = fail(why, EXIT_USAGE, "%s has no columns to choose two of; dot takes two files",
                  command_file_label(src.path));
  if (status == 0) status = begin(s, ctx, &src, d->row, &d->state, why);
  if (status == 0) status = dot_columns(d, &src, why);
  source_close(&src);
  return status;
}

/* Of parts: pair_next sees two that are as long. */
static int same_length(const struct source *a, const struct source *b, struct failure *why) {
  const struct source *shorter = a->all < b->all ? a : b, *longer = a->all < b->all ? b : a;
  if (a->all == b->all) return 0;
  return fail(why, EXIT_DATA,
              "%s ends after %llu elements, but %s has more; both must have as many",
              command_file_label(shorter->path), (unsigned long long)shorter->all,
              command_file_label(longer->path));
}

static int two_files(const struct settings *s, heddle_context *ctx, struct dot *d,
                     struct failure *why) {
  struct source a, b;
  if (source_open(s, s->files[0], ONE_PASS, &a, why) != 0) return -1;
  if (source_open(s, s->files[1], ONE_PASS, &b, why) != 0) {
    source_close(&a);
    return -1;
  }
  b.progress.on = false; /* one line for both */
  a.integers = b.integers = d->exact;
  heddle_type x = input_type(a.in), y = input_type(b.in);
  int status = 0;
  if (x != y)
    status = fail(why, EXIT_DATA,
                  "%s holds %s, but %s holds %s; convert one: heddle convert "
                  "--out-type",
                  command_file_label(a.path), heddle_type_name(x), command_file_label(b.path),
                  heddle_type_name(y));
  if (status == 0) status = same_length(&a, &b, why);
  if (status == 0) status = source_single(&a, why);
  if (status == 0) status = source_single(&b, why);
  if (status == 0) status = begin(s, ctx, &a, d->row, &d->state, why);
  if (status == 0) status = dot_files(d, &a, &b, why);
  if (s->part) d->row->count = a.all;
  source_close(&b);
  source_close(&a);
  return status;
}

static int finish(const struct settings *s, const struct dot *d, struct failure *why) {
  char text[WHOLE_TEXT];
  if (!d->exact || d->row->count == 0)
    return command_check(heddle_dot_finish(d->state, d->row->value), d->row->file, why);
  if (whole_text(&d->whole, text))
    return fold_store_exact(d->row->file, "dot", text, (heddle_type)s->out_type, d->row, why);
  return fail(why, EXIT_DATA,
              "%s: the sum of products passes 128 bits; --format text --type f64 rounds it",
              command_file_label(d->row->file));
}

int command_dot(const struct settings *s, struct failure *why) {
  struct values v = {.op = "dot"};
  struct dot d = {.state = NULL, .exact = s->acc == HEDDLE_TYPE_DEFAULT && !s->part};
  heddle_context *ctx;
  whole_start(&d.whole, HEDDLE_SUM);
  d.row = values_add(&v, why);
  if (!d.row) return -1;
  int status = command_context(s, &ctx, why);
  if (status == 0) {
    d.row->file = s->files[0];
    status = s->file_count == 2 ? two_files(s, ctx, &d, why) : one_file(s, ctx, &d, why);
    if (status == 0) status = command_merge(s, ctx, &d.state, why);
    if (status == 0) status = finish(s, &d, why);
    heddle_state_free(d.state);
    heddle_close(ctx);
  }
  if (status == 0) status = show_values(s, &v, why);
  values_free(&v);
  return status < 0 ? -1 : 0;
}

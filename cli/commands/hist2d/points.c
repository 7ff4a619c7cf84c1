/* points.c - blocks of coordinates; see points.h */
#include "points.h"

#include <string.h>

#include "commands/command.h"

static int open_columns(const struct settings *s, enum passes passes, struct points *in,
                        struct failure *why) {
  if (s->column_count != 2)
    return fail(why, EXIT_USAGE,
                "hist2d takes two files, or one table and two of its columns: "
                "heddle hist2d -c X,Y FILE");
  if (source_open(s, s->files[0], passes, &in->a, why) != 0) return -1;
  if (input_columns(in->a.in) == 2) return 0;
  source_close(&in->a);
  return fail(why, EXIT_USAGE, "%s has no columns to choose two of; hist2d takes two files",
              command_file_label(s->files[0]));
}

static int check_files(const struct points *in, struct failure *why) {
  const heddle_type x = input_type(in->a.in), y = input_type(in->b.in);
  if (source_single(&in->a, why) != 0 || source_single(&in->b, why) != 0) return -1;
  if (x == y) return 0;
  return fail(why, EXIT_DATA,
              "%s holds %s, but %s holds %s; convert one: heddle convert --out-type",
              command_file_label(in->a.path), heddle_type_name(x), command_file_label(in->b.path),
              heddle_type_name(y));
}

int points_open(const struct settings *s, bool two_passes, struct points *in, struct failure *why) {
  const enum passes passes = two_passes ? TWO_PASSES : ONE_PASS;
  memset(in, 0, sizeof *in);
  if (s->file_count < 2) return open_columns(s, passes, in, why);
  if (source_open(s, s->files[0], passes, &in->a, why) != 0) return -1;
  if (source_open(s, s->files[1], passes, &in->b, why) != 0) {
    source_close(&in->a);
    return -1;
  }
  in->two = true;
  in->b.progress.on = false; /* one line for both */
  if (check_files(in, why) != 0) {
    points_close(in);
    return -1;
  }
  pair_start(&in->pair, &in->a, &in->b);
  return 0;
}

int points_next(struct points *in, const void *x[2], size_t *count, struct failure *why) {
  const void *columns[INPUT_MAX_COLUMNS];
  if (in->two) return pair_next(&in->pair, &x[0], &x[1], NULL, count, why);
  if (source_next(&in->a, columns, count, why) != 0) return -1;
  x[0] = columns[0];
  x[1] = columns[1];
  return 0;
}

int points_rewind(struct points *in, struct failure *why) {
  if (source_rewind(&in->a, why) != 0) return -1;
  if (!in->two) return 0;
  pair_start(&in->pair, &in->a, &in->b);
  return source_rewind(&in->b, why);
}

void points_close(struct points *in) {
  source_close(&in->a);
  if (in->two) source_close(&in->b);
}

heddle_type points_type(const struct points *in) { return input_type(in->a.in); }

const char *points_name(const struct points *in, const struct settings *s, size_t axis) {
  if (in->two) return command_file_label(s->files[axis]);
  const char *label = input_label(in->a.in, axis);
  return label && *label ? label : s->columns[axis];
}

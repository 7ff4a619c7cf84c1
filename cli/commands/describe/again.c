/* again.c - quartiles that are not between the values where a sample has them: in passes, by the library's states */
#include "commands/command.h"
#include "describing.h"

static int take_again(void *user, struct batch *b, struct failure *why) {
  struct describing *const d = user;
  if (b->rows == 0) return 0;
  if (describing_room(d, b->rows, why) != 0) return -1;
  for (size_t c = 0; c < d->q.columns; c++) {
    if (!d->column[c].again) continue;
    const double *const values = describing_values(d, b, c, why);
    if (!values || command_check(heddle_quantiles_update(d->column[c].passes, values, b->rows),
                                 d->src->path, why) != 0)
      return -1;
  }
  return 0;
}

static int begin_again(struct describing *d, struct failure *why) {
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  int any = 0;
  options.nan = HEDDLE_NAN_SKIP;
  for (size_t c = 0; c < d->q.columns; c++) {
    if (!d->column[c].again) continue;
    any = 1;
    if (command_check(heddle_quantiles_begin(d->ctx, HEDDLE_F64, ranks_shares, QUARTILES, &options,
                                             &d->column[c].passes),
                      d->src->path, why) != 0)
      return -1;
  }
  return any;
}

static int end_pass(struct describing *d, struct failure *why) {
  int any = 0;
  for (size_t c = 0; c < d->q.columns; c++) {
    struct column *const column = &d->column[c];
    if (column->again &&
        command_check(heddle_quantiles_round(column->passes, &column->again), d->src->path, why))
      return -1;
    any |= column->again;
  }
  return any;
}

int describing_again(struct describing *d, struct column_row *rows, struct failure *why) {
  int again = begin_again(d, why);
  while (again > 0) {
    struct records *records = NULL;
    int status = source_rewind(d->src, why);
    if (status == 0) status = describing_open(d, &records, why);
    if (status == 0) status = describing_pass(d, records, take_again, why);
    records_close(records);
    again = status < 0 ? -1 : end_pass(d, why);
  }
  for (size_t c = 0; c < d->q.columns && again == 0; c++)
    if (d->column[c].passes &&
        command_check(heddle_quantiles_finish(d->column[c].passes, rows[c].quartile), d->src->path,
                      why) != 0)
      again = -1;
  return again;
}

/* asked.c - what a call of heddle_explain's would run on a CPU, by the chooser of its room */
#include "cpu/rank/rank.h"
#include "cpu/select/select.h"

heddle_status hd_cpu_call_explain(heddle_context *ctx, const struct hd_asked *asked,
                                  const heddle_rows *rows, size_t count, heddle_plan *out) {
  struct hd_cpu_choice choice;
  switch (asked->call) {
  case HEDDLE_CALL_SELECT:
  case HEDDLE_CALL_PARTITION:
  case HEDDLE_CALL_POSITIONS: hd_cpu_select_choose(ctx, &asked->select, count, &choice); break;
  default:
    if (rows)
      hd_cpu_rank_rows_choose(ctx, asked, rows, &choice);
    else
      hd_cpu_rank_choose(ctx, asked, count, &choice);
  }
  return hd_cpu_explain(ctx, &choice, out);
}

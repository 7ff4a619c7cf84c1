/* asked.c - what a call of heddle_explain's would run on a CPU, by the chooser of its room */
#include "cpu/groups/groups.h"
#include "cpu/histogram/axes/axes.h"
#include "cpu/rank/rank.h"
#include "cpu/runs/runs.h"
#include "cpu/select/select.h"
#include "host/status.h"

heddle_status hd_cpu_call_explain(heddle_context *ctx, const struct hd_asked *asked,
                                  const heddle_rows *rows, size_t count, heddle_plan *out) {
  struct hd_cpu_choice choice;
  switch (asked->call) {
  case HEDDLE_CALL_SELECT:
  case HEDDLE_CALL_PARTITION:
  case HEDDLE_CALL_POSITIONS: hd_cpu_select_choose(ctx, &asked->select, count, &choice); break;
  case HEDDLE_CALL_REDUCE_BY_KEY:
  case HEDDLE_CALL_SCAN_BY_KEY: hd_cpu_by_key_choose(ctx, asked, count, &choice); break;
  case HEDDLE_CALL_GROUPS_REDUCE:
  case HEDDLE_CALL_SCATTER_REDUCE: hd_cpu_groups_choose(ctx, asked, count, &choice); break;
  case HEDDLE_CALL_HISTOGRAM_ND:
    HD_TRY(hd_cpu_histogram_nd_choose(ctx, asked, count, &choice));
    break;
  default:
    if (rows)
      hd_cpu_rank_rows_choose(ctx, asked, rows, &choice);
    else
      hd_cpu_rank_choose(ctx, asked, count, &choice);
  }
  return hd_cpu_explain(ctx, &choice, out);
}

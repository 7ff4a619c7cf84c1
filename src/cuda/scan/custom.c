/* custom.c - scans by an operator of the caller's: the launches of kernels/scan/custom.cu
 *
 * Method   Totals of chunks, a tree of aligned blocks above them, what comes before each chunk, and
 *          the results: the input is read twice. What such operators cost is their own work. */

#include "cuda/core/inside.h"
#include "host/status.h"
#include "scan.h"

#include "kernels/scan/custom_args.h" /* needs their types */

enum { THREADS = 128, WARPS = THREADS / 32 };

static const char file[] = "scan/custom.cu", totals[] = "heddle_scan_custom_totals",
                  prefixes[] = "heddle_scan_custom_prefixes";

static u64 blocks_of(u64 items, unsigned a_block) { return (items + a_block - 1) / a_block; }

static heddle_status launch(struct hd_cuda_call *call, const struct hd_cuda_kernel_key *key,
                            const char *name, u64 items, unsigned a_block,
                            const struct scan_custom_args *args) {
  struct hd_cuda_kernel kernel;
  HD_TRY(hd_cuda_kernel(call, key, name, THREADS, 0, &kernel));
  return hd_cuda_launch(call, &kernel, blocks_of(items, a_block), args, sizeof *args);
}

/* The first chunk where held elements begin it: both parts side by side. */
static heddle_status join_head(struct hd_cuda_call *call, const struct hd_cuda_scan_plan *plan,
                               const struct hd_cuda_scan_piece *piece, u64 *head) {
  const size_t size = plan->in_bytes, held = piece->held * size;
  size_t rest = (plan->tile - piece->held) * size;
  if (rest > piece->count * size) rest = piece->count * size;
  if (!held) return HEDDLE_OK;
  HD_TRY(hd_cuda_scratch(call, plan->tile * size, head));
  if (call->preparing) return HEDDLE_OK;
  HD_TRY(hd_cuda_check(call, call->cu->copy_device(*head, piece->partial, held, call->stream),
                       "copying the chunk under way"));
  return hd_cuda_check(call, call->cu->copy_device(*head + held, piece->in, rest, call->stream),
                       "copying the chunk under way");
}

static heddle_status make_tree(struct hd_cuda_call *call, const struct hd_cuda_kernel_key *key,
                               const struct hd_cuda_scan_plan *plan,
                               struct scan_custom_args *args) {
  const u64 first = args->first, end = first + args->full;
  u32 levels = 0;
  u64 items = 0;
  for (u32 k = 0; k < CUSTOM_LEVELS; k++) {
    args->starts[k] = items;
    if (end >> k > first >> k) levels = k + 1;
    items += (end >> k) - (first >> k);
  }
  HD_TRY(hd_cuda_scratch(call, (items + 1) * plan->in_bytes, &args->tree));
  HD_TRY(launch(call, key, totals, args->full, WARPS, args));
  for (args->level = 1; args->level < levels; args->level++) {
    args->below = args->tree + args->starts[args->level - 1] * plan->in_bytes;
    args->above = args->tree + args->starts[args->level] * plan->in_bytes;
    HD_TRY(launch(call, key, "heddle_scan_custom_level",
                  (end >> args->level) - (first >> args->level), THREADS, args));
  }
  return HEDDLE_OK;
}

/* Without a full chunk there are no totals to take. */
struct hd_cuda_choice hd_cuda_scan_custom_choice(const struct hd_cuda_scan_plan *plan, u64 count) {
  const u64 full = count / plan->tile;
  return (struct hd_cuda_choice){.strategy = "custom",
                                 .file = file,
                                 .kernel = full ? totals : prefixes,
                                 .threads = THREADS,
                                 .blocks = full ? blocks_of(full, WARPS) : 1};
}

heddle_status hd_cuda_scan_custom_pass(struct hd_cuda_call *call,
                                       const struct hd_cuda_scan_plan *plan,
                                       const struct hd_cuda_scan_piece *piece) {
  const struct hd_fold *fold = &plan->scan.fold;
  struct hd_cuda_kernel_key key = {.file = file};
  struct scan_custom_args args = {.in = piece->in,
                                  .out = piece->out,
                                  .slots = piece->slots,
                                  .count = piece->count,
                                  .first = piece->chunks,
                                  .full = (piece->held + piece->count) / plan->tile,
                                  .held = piece->held};
  hd_cuda_fold_ends(fold, fold->init != NULL, &args.ends);
  hd_cuda_fold_defines(&key, fold);
  hd_cuda_kernel_define(&key, "HEDDLE_ALIGN", 1);
  hd_cuda_kernel_define(&key, "HEDDLE_EXCLUSIVE", plan->scan.kind == HEDDLE_EXCLUSIVE);
  hd_cuda_kernel_define(&key, "HEDDLE_INIT", fold->init != NULL);
  HD_TRY(join_head(call, plan, piece, &args.head));
  HD_TRY(make_tree(call, &key, plan, &args));
  HD_TRY(hd_cuda_scratch(call, (args.full + 1) * plan->in_bytes, &args.prefix));
  HD_TRY(launch(call, &key, prefixes, args.full + 1, THREADS, &args));
  const u64 chunks = (args.held + args.count + plan->tile - 1) / plan->tile;
  return launch(call, &key, "heddle_scan_custom_outputs", chunks, WARPS, &args);
}

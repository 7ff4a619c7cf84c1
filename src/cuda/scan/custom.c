/* custom.c - scans by an operator of the caller's: the launches of kernels/scan/custom.cu
 *
 * Method   Totals of chunks, a tree of aligned blocks above them, what comes before each chunk, and
 *          the results: the input is read twice. What such operators cost is their own work. */
#include <string.h>

#include "cuda/core/inside.h"
#include "host/status.h"
#include "scan.h"

enum { THREADS = 128, WARPS = THREADS / 32, LEVELS = 40 };

/* What the kernels take; addresses on the device. */
struct pass {
  cu_pointer in, out, head, slots, tree, prefix;
  u64 count, first, full;
  u32 held;
  u64 starts[LEVELS]; /* struct custom_tree */
  unsigned levels;    /* of the tree that there are */
  _Alignas(16) unsigned char identity[HD_FOLD_TOTAL_BYTES], init[HD_FOLD_TOTAL_BYTES];
};

static heddle_status launch(struct hd_cuda_call *call, const struct hd_cuda_kernel_key *key,
                            const char *name, u64 items, unsigned a_block, void **arguments) {
  struct hd_cuda_kernel kernel;
  HD_TRY(hd_cuda_kernel(call, key, name, THREADS, 0, &kernel));
  return items ? hd_cuda_launch(call, &kernel, (items + a_block - 1) / a_block, arguments)
               : HEDDLE_OK;
}

/* The first chunk where held elements begin it: both parts side by side. */
static heddle_status join_head(struct hd_cuda_call *call, const struct hd_cuda_scan_plan *plan,
                               const struct hd_cuda_scan_piece *piece, struct pass *p) {
  const size_t size = plan->in_bytes, held = piece->held * size;
  size_t rest = (plan->tile - piece->held) * size;
  if (rest > piece->count * size) rest = piece->count * size;
  if (!held) return HEDDLE_OK;
  HD_TRY(hd_cuda_scratch(call, plan->tile * size, &p->head));
  if (call->preparing) return HEDDLE_OK;
  HD_TRY(hd_cuda_check(call, call->cu->copy_device(p->head, piece->partial, held, call->stream),
                       "copying the chunk under way"));
  return hd_cuda_check(call, call->cu->copy_device(p->head + held, piece->in, rest, call->stream),
                       "copying the chunk under way");
}

static heddle_status make_tree(struct hd_cuda_call *call, const struct hd_cuda_kernel_key *key,
                               const struct hd_cuda_scan_plan *plan, struct pass *p) {
  const u64 end = p->first + p->full;
  u64 items = 0;
  for (unsigned k = 0; k < LEVELS; k++) {
    p->starts[k] = items;
    if (end >> k > p->first >> k) p->levels = k + 1;
    items += (end >> k) - (p->first >> k);
  }
  HD_TRY(hd_cuda_scratch(call, (items + 1) * plan->in_bytes, &p->tree));
  void *totals[] = {&p->in, &p->head, &p->held, &p->full, &p->tree};
  HD_TRY(launch(call, key, "custom_totals", p->full, WARPS, totals));
  for (unsigned k = 1; k < p->levels; k++) {
    cu_pointer below = p->tree + p->starts[k - 1] * plan->in_bytes;
    cu_pointer above = p->tree + p->starts[k] * plan->in_bytes;
    int level = (int)k;
    u64 last = end;
    void *arguments[] = {&below, &p->slots, &p->first, &last, &level, &above};
    HD_TRY(launch(call, key, "custom_level", (end >> k) - (p->first >> k), THREADS, arguments));
  }
  return HEDDLE_OK;
}

heddle_status hd_cuda_scan_custom_pass(struct hd_cuda_call *call,
                                       const struct hd_cuda_scan_plan *plan,
                                       const struct hd_cuda_scan_piece *piece) {
  const struct hd_fold *fold = &plan->scan.fold;
  struct hd_cuda_kernel_key key = {.file = "scan/custom.cu"};
  struct pass p = {.in = piece->in, .out = piece->out, .count = piece->count};
  p.slots = piece->slots, p.first = piece->chunks, p.held = piece->held;
  p.full = (p.held + p.count) / plan->tile;
  memcpy(p.identity, fold->custom->identity, plan->in_bytes);
  if (fold->init) hd_cuda_fold_init_total(fold, p.init);
  hd_cuda_fold_defines(&key, fold);
  hd_cuda_kernel_define(&key, "HEDDLE_ALIGN", 1);
  hd_cuda_kernel_define(&key, "HEDDLE_EXCLUSIVE", plan->scan.kind == HEDDLE_EXCLUSIVE);
  hd_cuda_kernel_define(&key, "HEDDLE_INIT", fold->init != NULL);
  HD_TRY(join_head(call, plan, piece, &p));
  HD_TRY(make_tree(call, &key, plan, &p));
  HD_TRY(hd_cuda_scratch(call, (p.full + 1) * plan->in_bytes, &p.prefix));
  void *prefixes[] = {&p.tree, p.starts, &p.slots, &p.first, &p.full, p.identity, &p.prefix};
  HD_TRY(launch(call, &key, "custom_prefixes", p.full + 1, THREADS, prefixes));
  void *results[] = {&p.in, &p.head, &p.held, &p.count, &p.full, &p.prefix, p.init, &p.out};
  const u64 chunks = (p.held + p.count + plan->tile - 1) / plan->tile;
  return launch(call, &key, "custom_scan", chunks, WARPS, results);
}

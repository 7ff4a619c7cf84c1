/* scan.c - running totals of a whole array on a device
 *
 * An array in device memory is one pass (plan.c). One in host memory passes in slices, as a
 * state would be fed: a fold under way (cuda/fold/run.c) says what comes before each. */
#include "scan.h"

#include "cuda/core/inside.h"

struct transfer {
  struct hd_cuda_call *call;
  const struct hd_cuda_scan_plan *plan;
  struct hd_cuda_fold_run *run;
};

/* Scans a piece in place. The run takes the input up before it is overwritten, and the total before
 * the piece is copied first. */
static heddle_status scan_in_place(struct transfer *p, struct hd_cuda_scan_piece *piece) {
  const struct hd_cuda_call *call = p->call;
  const size_t bytes = hd_cuda_fold_run_bytes(p->run);
  cu_pointer copy;
  HD_TRY(hd_cuda_scratch(p->call, bytes, &copy));
  if (!call->preparing)
    HD_TRY(hd_cuda_check(call, call->cu->copy_device(copy, p->run->memory, bytes, call->stream),
                         "copying what was scanned so far"));
  piece->slots += copy - p->run->memory;
  piece->partial += copy - p->run->memory;
  HD_TRY(hd_cuda_fold_append(p->call, p->run, piece->in, 0, piece->count));
  return hd_cuda_scan_pass(p->call, p->plan, piece);
}

/* What comes next, behind what the run has. */
static struct hd_cuda_scan_piece piece_of(const struct hd_cuda_fold_run *run, cu_pointer in,
                                          cu_pointer out, size_t count) {
  return (struct hd_cuda_scan_piece){.in = in,
                                     .out = out,
                                     .count = count,
                                     .run = run,
                                     .slots = hd_cuda_fold_run_slots(run),
                                     .partial = hd_cuda_fold_run_partial(run, 0),
                                     .chunks = run->chunks,
                                     .held = run->held};
}

static heddle_status scan_slice(void *arg, u64 first, size_t n, const cu_pointer *device) {
  struct transfer *p = arg;
  struct hd_cuda_scan_piece piece = piece_of(p->run, device[0], device[1], n);
  (void)first;
  if (piece.in == piece.out) return scan_in_place(p, &piece);
  HD_TRY(hd_cuda_scan_pass(p->call, p->plan, &piece));
  return hd_cuda_fold_append(p->call, p->run, piece.in, 0, n);
}

static heddle_status operands_of(struct hd_cuda_call *call, const struct hd_cuda_scan_plan *plan,
                                 const void *in, size_t count, void *out,
                                 struct hd_cuda_operand operands[2]) {
  const size_t size = plan->in_bytes, out_size = plan->out_bytes;
  operands[0] = (struct hd_cuda_operand){.what = "in", .in = in, .element_bytes = size};
  operands[1] = (struct hd_cuda_operand){.what = "out", .out = out, .element_bytes = out_size};
  HD_TRY(hd_cuda_find_space(call, "in", in, count * size, size, &operands[0].space));
  return hd_cuda_find_space(call, "out", out, count * out_size, out_size, &operands[1].space);
}

static heddle_status take(struct hd_cuda_call *call, const struct hd_cuda_scan_plan *plan,
                          struct hd_cuda_fold_run *run, struct hd_cuda_operand operands[2],
                          size_t count) {
  struct transfer transfer = {call, plan, run};
  return hd_cuda_slices(call, operands, 2, count, hd_cuda_fold_granule(run), scan_slice, &transfer);
}

heddle_status hd_cuda_scan_take(struct hd_cuda_call *call, const struct hd_cuda_scan_plan *plan,
                                struct hd_cuda_fold_run *run, const void *in, size_t count,
                                void *out) {
  struct hd_cuda_operand operands[2];
  HD_TRY(operands_of(call, plan, in, count, out, operands));
  return take(call, plan, run, operands, count);
}

static heddle_status scan_array(struct hd_cuda_call *call, const struct hd_scan *scan,
                                const void *in, size_t count, void *out) {
  struct hd_cuda_scan_plan plan;
  struct hd_cuda_fold_run run;
  struct hd_cuda_operand operands[2];
  hd_cuda_scan_plan(&plan, scan);
  HD_TRY(operands_of(call, &plan, in, count, out, operands));
  if (operands[0].space == HD_SPACE_DEVICE && operands[1].space == HD_SPACE_DEVICE) {
    const struct hd_cuda_scan_piece all = {
        .in = (cu_pointer)(uintptr_t)in, .out = (cu_pointer)(uintptr_t)out, .count = count};
    return hd_cuda_scan_pass(call, &plan, &all);
  }
  hd_cuda_fold_run_start(&run, &scan->fold);
  HD_TRY(hd_cuda_scratch(call, hd_cuda_fold_run_bytes(&run), &run.memory));
  return take(call, &plan, &run, operands, count);
}

heddle_status hd_cuda_scan(heddle_context *ctx, const struct hd_scan *scan, const void *in,
                           size_t count, void *out) {
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(ctx, scan->fold.entry, &call));
  return hd_cuda_leave(&call, scan_array(&call, scan, in, count, out));
}

/* ---- behind other elements ------------------------------------------------------------------- */

struct before {
  u64 count;
  const void *totals, *x;
};

/* Device memory is one pass, and nobody asks for the state behind it. */
static heddle_status scan_behind(struct hd_cuda_call *call, const struct hd_scan *scan,
                                 const struct before *before, const void *in, size_t count,
                                 void *out) {
  struct hd_cuda_scan_plan plan;
  struct hd_cuda_fold_run run;
  struct hd_cuda_operand operands[2];
  hd_cuda_scan_plan(&plan, scan);
  HD_TRY(operands_of(call, &plan, in, count, out, operands));
  hd_cuda_fold_run_start(&run, &scan->fold);
  HD_TRY(hd_cuda_scratch(call, hd_cuda_fold_run_bytes(&run), &run.memory));
  HD_TRY(hd_cuda_fold_stand_behind(call, &run, before->count, before->totals, before->x));
  if (operands[0].space != HD_SPACE_DEVICE || operands[1].space != HD_SPACE_DEVICE)
    return take(call, &plan, &run, operands, count);
  const struct hd_cuda_scan_piece all =
      piece_of(&run, (cu_pointer)(uintptr_t)in, (cu_pointer)(uintptr_t)out, count);
  return hd_cuda_scan_pass(call, &plan, &all);
}

heddle_status hd_cuda_scan_behind(heddle_context *ctx, const struct hd_scan *scan, u64 before,
                                  const void *totals, const void *x, const void *in, size_t count,
                                  void *out) {
  const struct before what = {before, totals, x};
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(ctx, scan->fold.entry, &call));
  return hd_cuda_leave(&call, scan_behind(&call, scan, &what, in, count, out));
}

/* exact.c - the exact sum of an array on a device, and in pieces
 *
 * Method   An array in device memory is one launch, which adds to a sum that is zero between calls, and whose
 *          last block rounds it. One in host memory passes in slices, which add to a sum of the call; so do
 *          the pieces of a state, to one of its own. Integers add up in any order.
 * Memory   a sum: 1,152 bytes */
#include "exact.h"
#include "cuda/fold/fold.h"

#include <string.h>

#include "order/convert.h"
#include "order/exact/format.h"

enum {
  VECTOR = 16,
  LINE = 128,
  TICKET_AT = 64, /* bytes into the region of tickets: the first are the rows' */
  SUM_AT = 256,
  GRANULE = 4096,        /* elements that slices are multiples of */
  CARRY_AFTER = 1 << 27, /* blocks, each of which adds at most 2^33 to a limb */
};

void hd_cuda_exact_run_start(struct hd_cuda_exact_run *run, const struct hd_fold *fold) {
  *run =
      (struct hd_cuda_exact_run){.fold = *fold, .element_bytes = (u32)heddle_type_size(fold->type)};
}

heddle_status hd_cuda_exact_run_memory(struct hd_cuda_call *call, struct hd_cuda_exact_run *run) {
  HD_TRY(hd_cuda_scratch(call, sizeof(struct hd_exact), &run->sum));
  return hd_cuda_zero(call, run->sum, sizeof(struct hd_exact));
}

static u32 products_of(const struct hd_fold *fold) {
  if (fold->verb == HD_DOT) return HD_EXACT_OF_PRODUCTS;
  return fold->op == HEDDLE_SUM_SQUARES ? HD_EXACT_OF_SQUARES : HD_EXACT_OF_VALUES;
}

struct exact_result hd_cuda_exact_result(const struct hd_fold *fold) {
  struct hd_exact_span span = hd_exact_span_of(hd_exact_format_of_type(fold->type),
                                               products_of(fold) != HD_EXACT_OF_VALUES);
  struct exact_result result = {.out_type = (i32)fold->out_type, .has_init = fold->init != NULL};
  if (fold->init) { /* an element of its own type */
    const struct hd_exact_span wide =
        hd_exact_span_of(hd_exact_format_of_type(fold->out_type), false);
    if (wide.first < span.first) span.first = wide.first;
    if (wide.end > span.end) span.end = wide.end;
    hd_convert_one(fold->out_type, fold->init, HEDDLE_F64, &result.init);
  }
  result.divisor = fold->divisor == fold->divisor ? (u64)fold->divisor : HD_EXACT_NO_DIVISOR;
  result.first = span.first, result.end = span.end;
  return result;
}

void hd_cuda_exact_key(const struct hd_fold *fold, const char *file,
                       struct hd_cuda_kernel_key *key) {
  hd_cuda_kernel_file(key, file);
  hd_cuda_kernel_define(key, "HEDDLE_TYPE", fold->type);
  hd_cuda_kernel_define(key, "HEDDLE_PRODUCTS", products_of(fold));
  hd_cuda_kernel_define(key, "HEDDLE_NAN", fold->nan == HEDDLE_NAN_SKIP);
}

/* Elements before the first vector of bulk copies, which are slower from where a line of the cache does not begin. */
static u32 head_of(const struct hd_fold *fold, u64 x, u64 count) {
  const u64 head = (0 - x) % LINE / heddle_type_size(fold->type);
  return (u32)(head < count ? head : count);
}

static void choose(const struct hd_cuda_limits *limits, const struct hd_fold *fold, u64 count,
                   u64 skew, struct hd_cuda_exact_choice *choice) {
  const u32 bytes = (u32)heddle_type_size(fold->type);
  const struct hd_cuda_exact_array array = {.products = products_of(fold),
                                            .element_bytes = bytes,
                                            .skips = fold->nan == HEDDLE_NAN_SKIP,
                                            .align = hd_cuda_alignment(skew, VECTOR),
                                            .vectors = count / (VECTOR / bytes)};
  hd_cuda_exact_choose(limits, &array, choice);
}

static heddle_status launch(struct hd_cuda_call *call, struct hd_cuda_exact_run *run, cu_pointer x,
                            cu_pointer y, u64 count, u32 then, cu_pointer out) {
  struct exact_args args = {.x = count ? x : 0,
                            .y = count ? y : 0,
                            .count = count,
                            .sum = run->sum,
                            .out = out,
                            .result = hd_cuda_exact_result(&run->fold),
                            .then = then};
  struct hd_cuda_exact_choice choice;
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  args.head = head_of(&run->fold, args.x, count);
  const u64 skew = run->fold.verb == HD_DOT ? args.y + args.head * run->element_bytes : 0;
  choose(hd_cuda_limits(call->cuda), &run->fold, count - args.head, skew, &choice);
  HD_TRY(hd_cuda_region(call, HD_REGION_TICKETS, SUM_AT + sizeof(struct hd_exact), &args.ticket));
  if (!args.sum) args.sum = args.ticket + SUM_AT;
  args.ticket += TICKET_AT;
  hd_cuda_exact_key(&run->fold, choice.launch.file, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_ALIGN", hd_cuda_alignment(skew, VECTOR));
  hd_cuda_kernel_define(&key, "HEDDLE_LOADS", choice.loads);
  hd_cuda_kernel_define(&key, "HEDDLE_STAGES", choice.stages);
  hd_cuda_kernel_define(&key, "HEDDLE_BLOCKS", choice.at_once);
  HD_TRY(hd_cuda_kernel(call, &key, choice.launch.kernel, choice.launch.threads,
                        choice.launch.shared_bytes, &kernel));
  run->blocks += choice.launch.blocks;
  return hd_cuda_launch(call, &kernel, choice.launch.blocks, &args, sizeof args);
}

heddle_status hd_cuda_exact_append(struct hd_cuda_call *call, struct hd_cuda_exact_run *run,
                                   cu_pointer x, cu_pointer y, u64 count) {
  if (!count) return HEDDLE_OK;
  HD_TRY(launch(call, run, x, y, count, EXACT_ADDS, 0));
  if (run->blocks < CARRY_AFTER) return HEDDLE_OK;
  run->blocks = 0;
  return launch(call, run, 0, 0, 0, EXACT_CARRIES, 0);
}

heddle_status hd_cuda_exact_result_of(struct hd_cuda_call *call, struct hd_cuda_exact_run *run,
                                      cu_pointer x, cu_pointer y, u64 count, cu_pointer out) {
  return launch(call, run, x, y, count, run->sum ? EXACT_KEEPS : EXACT_CLEARS, out);
}

/* ---- an array -------------------------------------------------------------------------------- */

struct transfer {
  struct hd_cuda_call *call;
  struct hd_cuda_exact_run *run;
};

static heddle_status take_slice(void *arg, u64 first, size_t n, const cu_pointer *device) {
  struct transfer *p = arg;
  (void)first;
  return hd_cuda_exact_append(p->call, p->run, device[0],
                              p->run->fold.verb == HD_DOT ? device[1] : 0, n);
}

static heddle_status take(struct hd_cuda_call *call, struct hd_cuda_exact_run *run,
                          struct hd_cuda_operand operands[2], size_t count) {
  struct transfer transfer = {call, run};
  return hd_cuda_slices(call, operands, run->fold.verb == HD_DOT ? 2 : 1, count, GRANULE,
                        take_slice, &transfer);
}

static heddle_status output_of(struct hd_cuda_call *call, const struct hd_fold *fold, void *out,
                               cu_pointer *device) {
  const size_t bytes = heddle_type_size(fold->out_type);
  return hd_cuda_output(call, "out", out, bytes, bytes, device);
}

static heddle_status sum_array(struct hd_cuda_call *call, const struct hd_fold *fold, const void *x,
                               const void *y, size_t count, void *to) {
  struct hd_cuda_exact_run run;
  struct hd_cuda_operand operands[2];
  cu_pointer out;
  hd_cuda_exact_run_start(&run, fold);
  HD_TRY(hd_cuda_fold_operands(call, fold, x, y, count, operands));
  HD_TRY(output_of(call, fold, to, &out));
  if (operands[0].space == HD_SPACE_DEVICE && operands[1].space == HD_SPACE_DEVICE)
    return hd_cuda_exact_result_of(call, &run, (cu_pointer)(uintptr_t)x, (cu_pointer)(uintptr_t)y,
                                   count, out);
  HD_TRY(hd_cuda_exact_run_memory(call, &run));
  HD_TRY(take(call, &run, operands, count));
  return hd_cuda_exact_result_of(call, &run, 0, 0, 0, out);
}

heddle_status hd_cuda_exact(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                            const void *y, size_t count, struct hd_fold_out out) {
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(ctx, fold->entry, &call));
  return hd_cuda_leave(&call, sum_array(&call, fold, x, y, count, out.value));
}

heddle_status hd_cuda_exact_explain(heddle_context *ctx, const struct hd_fold *fold, size_t count,
                                    u32 align, heddle_plan *out) {
  struct hd_cuda_exact_choice choice;
  choose(hd_cuda_limits(ctx->data), fold, count - head_of(fold, align, count), 0, &choice);
  return hd_cuda_explain(ctx, &choice.launch, NULL, out);
}

/* ---- in pieces ------------------------------------------------------------------------------- */

struct exact_state {
  struct hd_cuda_state own; /* first */
  struct hd_cuda_exact_run run;
  u64 init; /* a copy of the caller's */
};

heddle_status hd_cuda_exact_begin(heddle_context *ctx, const struct hd_fold *fold, void **state) {
  struct hd_cuda_call call;
  struct exact_state *s = hd_cuda_state_make(ctx, sizeof *s);
  if (!s) return HEDDLE_OUT_OF_MEMORY;
  hd_cuda_exact_run_start(&s->run, fold);
  if (fold->init) {
    memcpy(&s->init, fold->init, heddle_type_size(fold->out_type));
    s->run.fold.init = &s->init;
  }
  HD_TRY(hd_cuda_state_enter(&s->own, fold->entry, &call));
  heddle_status status = hd_cuda_memory(&call, sizeof(struct hd_exact), &s->own.memory);
  if (!status) status = hd_cuda_zero(&call, s->own.memory, sizeof(struct hd_exact));
  s->run.sum = s->own.memory;
  return hd_cuda_state_leave(&call, status, &s->own, state);
}

heddle_status hd_cuda_exact_update(void *state, const void *x, const void *y, size_t count) {
  struct exact_state *s = state;
  struct hd_cuda_operand operands[2];
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(s->own.ctx, s->run.fold.entry, &call));
  heddle_status status = hd_cuda_fold_operands(&call, &s->run.fold, x, y, count, operands);
  if (!status) status = take(&call, &s->run, operands, count);
  return hd_cuda_leave(&call, status);
}

heddle_status hd_cuda_exact_finish(void *state, struct hd_fold_out out) {
  struct exact_state *s = state;
  struct hd_cuda_call call;
  cu_pointer to;
  HD_TRY(hd_cuda_enter(s->own.ctx, s->run.fold.entry, &call));
  heddle_status status = output_of(&call, &s->run.fold, out.value, &to);
  if (!status) status = hd_cuda_exact_result_of(&call, &s->run, 0, 0, 0, to);
  return hd_cuda_leave(&call, status);
}

void hd_cuda_exact_free(void *state) { hd_cuda_state_free(state); }

/* ---- as limbs -------------------------------------------------------------------------------- */

static struct hd_exact_span own_span(const struct hd_fold *fold) {
  return hd_exact_span_of(hd_exact_format_of_type(fold->type),
                          products_of(fold) != HD_EXACT_OF_VALUES);
}

static void *device_sum(const struct exact_state *s) { return (void *)(uintptr_t)s->run.sum; }

heddle_status hd_cuda_exact_export(void *state, struct hd_exact *sum) {
  const struct exact_state *s = state;
  const struct exact_result result = hd_cuda_exact_result(&s->run.fold);
  const struct hd_exact_span wide = {result.first, result.end};
  HD_TRY(hd_cuda_copy(s->own.ctx, sum, device_sum(s), sizeof *sum));
  hd_exact_narrow(sum, wide, own_span(&s->run.fold));
  return HEDDLE_OK;
}

/* Seldom: the sum makes a round trip by the host. */
heddle_status hd_cuda_exact_add(void *state, const struct hd_exact *sum) {
  struct exact_state *s = state;
  struct hd_exact both;
  HD_TRY(hd_cuda_exact_export(state, &both));
  hd_exact_merge(&both, sum, own_span(&s->run.fold));
  hd_exact_carry(&both, own_span(&s->run.fold));
  s->run.blocks = 0;
  return hd_cuda_copy(s->own.ctx, device_sum(s), &both, sizeof both);
}

/* rows.c - sorts along rows: segments, or an axis of a strided array
 *
 * Method   Rows that lie one behind the other are sorted where they are. Others are brought together in
 *          scratch (kernels/sort/strided.cu), sorted there, and put where the result has them.
 * Limits   offsets in device memory are copied to the host, for which the call waits */
#include "cuda/rows/rows.h"
#include "cuda/core/inside.h"
#include "sort.h"

enum { STRIDED_THREADS = 256 };

struct strided {
  const struct hd_cuda_sort_job *job;
  const struct hd_cuda_row_plan *plan; /* of the inputs */
  struct hd_cuda_row_plan to;          /* of the outputs: in C order, of the same shape */
  u64 elements;
  i64 low, high; /* of the inputs: where their elements are */
};

/* ---- strided rows ---------------------------------------------------------------------------- */

static u64 distance(i64 stride) { return stride < 0 ? 0 - (u64)stride : (u64)stride; }

static heddle_status move_rows(const struct strided *s, const struct hd_cuda_row_plan *plan,
                               u32 bytes, cu_pointer strided, cu_pointer dense, bool back) {
  struct hd_cuda_call *call = s->job->call;
  const struct row_view *view = &plan->view;
  const bool across = view->shape[0] > 1 && distance(view->stride[0]) < distance(plan->step);
  struct sort_strided_args a = {.rows = view->rows,
                                .length = view->length,
                                .strided = strided,
                                .dense = dense,
                                .step = plan->step,
                                .dims = view->dims};
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  const u64 squares = ((a.rows + 31) / 32) * ((a.length + 31) / 32);
  for (u64 d = 0; d < view->dims; d++) a.shape[d] = view->shape[d], a.stride[d] = view->stride[d];
  hd_cuda_kernel_file(&key, "sort/strided.cu");
  hd_cuda_kernel_define(&key, "HEDDLE_BYTES", bytes);
  hd_cuda_kernel_define(&key, "HEDDLE_BACK", back);
  hd_cuda_kernel_define(&key, "HEDDLE_ACROSS", across);
  HD_TRY(hd_cuda_kernel(call, &key, "heddle_sort_strided", STRIDED_THREADS, 0, &kernel));
  const bool software = hd_cuda_limits(call->cuda)->software;
  const u64 most = software ? 4 : hd_cuda_blocks_at_once(call, &kernel);
  return hd_cuda_launch(call, &kernel, squares < most ? squares : most, &a, sizeof a);
}

/* An input, as the device reaches it, and its rows brought together. */
static heddle_status gather(const struct strided *s, const char *what, const void *from, u32 bytes,
                            cu_pointer *dense) {
  const char *low = (const char *)from + s->low * (i64)bytes;
  cu_pointer at;
  *dense = 0;
  if (!from) return HEDDLE_OK;
  HD_TRY(hd_cuda_sort_bring_array(s->job, what, low, (u64)(s->high - s->low), bytes, &at));
  HD_TRY(hd_cuda_scratch(s->job->call, s->elements * bytes, dense));
  return move_rows(s, s->plan, bytes, at - (cu_pointer)(s->low * (i64)bytes), *dense, false);
}

static heddle_status scatter(const struct strided *s, u32 bytes, cu_pointer to, cu_pointer dense) {
  return to ? move_rows(s, &s->to, bytes, to, dense, true) : HEDDLE_OK;
}

static heddle_status sort_strided(struct strided *s, const struct hd_sort_arrays *arrays,
                                  const struct hd_cuda_sort_rows *rows) {
  const struct hd_cuda_sort_job *job = s->job;
  const u32 keys = job->key_bytes, values = job->sort->value_bytes;
  const struct hd_sort_arrays outs = {NULL, NULL, arrays->keys_out, arrays->values_out};
  struct hd_cuda_sort_arrays dense = {.overwrite = true};
  struct hd_cuda_sort_host host;
  HD_TRY(hd_cuda_sort_bring(job, &outs, 0, s->elements, &host));
  HD_TRY(gather(s, values ? "keys" : "in", arrays->keys, keys, &dense.keys));
  HD_TRY(gather(s, "values", arrays->values, values, &dense.values));
  if (arrays->keys_out) dense.keys_out = dense.keys;
  dense.values_out = dense.values;
  if (job->positions) HD_TRY(hd_cuda_scratch(job->call, s->elements * values, &dense.values_out));
  HD_TRY(hd_cuda_sort_dense(job, &dense, rows));
  HD_TRY(scatter(s, keys, host.arrays.keys_out, dense.keys_out));
  HD_TRY(scatter(s, values, host.arrays.values_out, dense.values_out));
  return hd_cuda_sort_send(job, &host);
}

/* ---- the call -------------------------------------------------------------------------------- */

/* Whether inputs and outputs lie one row behind the other. */
static bool is_dense(const struct hd_cuda_row_plan *from, const struct hd_cuda_row_plan *to) {
  return to->step == 1 && to->view.dims == 1 && from->step == 1 && from->view.dims == 1 &&
         (from->view.rows == 1 || from->view.stride[0] == (i64)from->view.length);
}

heddle_status hd_cuda_sort_rows_input(const struct hd_cuda_sort_job *job, const char *what,
                                      const void *in, u32 bytes, const heddle_rows *rows,
                                      const struct hd_cuda_row_plan *plan, cu_pointer *dense) {
  struct strided s = {.job = job, .plan = plan, .elements = plan->view.rows * plan->view.length};
  heddle_rows out = *rows;
  out.strides = NULL;
  hd_cuda_row_plan_make(&s.to, &out, false);
  if (is_dense(plan, &s.to))
    return hd_cuda_sort_bring_array(job, what, in, s.elements, bytes, dense);
  hd_cuda_row_span(plan, 0, plan->view.rows, &s.low, &s.high);
  return gather(&s, what, in, bytes, dense);
}

static heddle_status sort_axis(const struct hd_cuda_sort_job *job,
                               const struct hd_sort_arrays *arrays, const heddle_rows *rows,
                               const struct hd_cuda_row_plan *plan) {
  struct hd_cuda_sort_rows dense = {.rows = plan->view.rows, .length = plan->view.length};
  heddle_rows out = *rows;
  dense.elements = dense.rows * dense.length;
  out.strides = NULL;
  struct strided s = {.job = job, .plan = plan, .elements = dense.elements};
  hd_cuda_row_plan_make(&s.to, &out, false);
  if (is_dense(plan, &s.to)) return hd_cuda_sort_arrays(job, arrays, &dense, 0, dense.elements);
  hd_cuda_row_span(plan, 0, dense.rows, &s.low, &s.high);
  return sort_strided(&s, arrays, &dense);
}

static heddle_status sort_segments(const struct hd_cuda_sort_job *job,
                                   const struct hd_sort_arrays *arrays, const heddle_rows *rows,
                                   struct hd_cuda_row_plan *plan) {
  struct hd_cuda_call *call = job->call;
  struct hd_cuda_sort_rows dense = {.rows = rows->segments};
  if (!plan->offsets) return HEDDLE_OK; /* while preparing: they are not there yet */
  dense.offsets = plan->offsets;
  dense.elements = plan->offsets[dense.rows] - plan->offsets[0];
  for (u64 r = 0; r < dense.rows; r++)
    if (plan->offsets[r + 1] - plan->offsets[r] > dense.length)
      dense.length = plan->offsets[r + 1] - plan->offsets[r];
  if (!dense.elements) return HEDDLE_OK;
  HD_TRY(hd_cuda_input(call, "rows->offsets", rows->offsets, (dense.rows + 1) * sizeof(u64),
                       sizeof(u64), &dense.device));
  return hd_cuda_sort_arrays(job, arrays, &dense, plan->offsets[0], plan->offsets[dense.rows]);
}

static heddle_status sort_rows(struct hd_cuda_call *call, const struct hd_sort *sort,
                               const struct hd_sort_arrays *arrays, const heddle_rows *rows) {
  struct hd_cuda_sort_scratch scratch = {0};
  struct hd_cuda_sort_job job;
  struct hd_cuda_row_plan plan;
  hd_cuda_sort_job_make(&job, call, sort, &scratch);
  hd_cuda_row_plan_make(&plan, rows, hd_on_device(call->ctx, rows->offsets));
  if (!rows->offsets) return plan.view.rows ? sort_axis(&job, arrays, rows, &plan) : HEDDLE_OK;
  plan.view.offsets = (cu_pointer)(uintptr_t)rows->offsets;
  heddle_status status = hd_cuda_row_fetch_offsets(call, &plan);
  if (!status) status = sort_segments(&job, arrays, rows, &plan);
  hd_cuda_row_plan_end(call, &plan);
  return status;
}

heddle_status hd_cuda_sort_rows(heddle_context *ctx, const struct hd_sort *sort,
                                const struct hd_sort_arrays *arrays, const heddle_rows *rows) {
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(ctx, sort->entry, &call));
  return hd_cuda_leave(&call, sort_rows(&call, sort, arrays, rows));
}

/* ---- what a call would run ------------------------------------------------------------------- */

/* As far as the host sees segments: those of offsets on the device are taken to be short. */
static void see_segments(heddle_context *ctx, const heddle_rows *rows,
                         struct hd_cuda_sort_rows *dense) {
  static const u64 one[2] = {0, 1};
  const bool seen = !hd_on_device(ctx, rows->offsets);
  *dense = (struct hd_cuda_sort_rows){
      .rows = rows->segments, .length = 1, .elements = 1, .offsets = seen ? rows->offsets : one};
  if (seen) dense->elements = rows->offsets[rows->segments] - rows->offsets[0];
  for (u64 r = 0; seen && r < dense->rows; r++)
    if (rows->offsets[r + 1] - rows->offsets[r] > dense->length)
      dense->length = rows->offsets[r + 1] - rows->offsets[r];
}

static heddle_status choose_rows(struct hd_cuda_sort_job *job, const heddle_rows *rows,
                                 struct hd_cuda_choice *first, struct hd_cuda_choice *then) {
  struct hd_cuda_sort_rows dense;
  struct hd_cuda_row_plan from, to;
  if (rows->offsets) {
    see_segments(job->call->ctx, rows, &dense);
    return hd_cuda_sort_dense_choose(job, &dense, first, then);
  }
  heddle_rows out = *rows;
  out.strides = NULL;
  hd_cuda_row_plan_make(&from, rows, false);
  hd_cuda_row_plan_make(&to, &out, false);
  dense = (struct hd_cuda_sort_rows){.rows = from.view.rows, .length = from.view.length};
  dense.elements = dense.rows * dense.length;
  HD_TRY(hd_cuda_sort_dense_choose(job, &dense, first, then));
  if (is_dense(&from, &to)) return HEDDLE_OK;
  *then = *first;
  *first = (struct hd_cuda_choice){.strategy = "strided",
                                   .file = "sort/strided.cu",
                                   .kernel = "heddle_sort_strided",
                                   .threads = STRIDED_THREADS};
  return HEDDLE_OK;
}

heddle_status hd_cuda_sort_explain(heddle_context *ctx, const struct hd_sort *sort,
                                   const heddle_rows *rows, size_t count, heddle_plan *out) {
  struct hd_cuda_call call;
  struct hd_cuda_sort_scratch scratch = {0};
  struct hd_cuda_sort_job job;
  struct hd_cuda_choice first, then;
  const struct hd_cuda_sort_rows one = {.rows = 1, .length = count, .elements = count};
  HD_TRY(hd_cuda_enter(ctx, "heddle_explain", &call));
  hd_cuda_sort_job_make(&job, &call, sort, &scratch);
  HD_TRY(hd_cuda_leave(&call, rows ? choose_rows(&job, rows, &first, &then)
                                   : hd_cuda_sort_dense_choose(&job, &one, &first, &then)));
  return hd_cuda_explain(ctx, &first, &then, out);
}

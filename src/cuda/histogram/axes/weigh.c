/* weigh.c - weights of points, and counts of large grids: slots first, then as on one axis
 *
 * Method   Slices of points have their slots written to scratch, and these are the elements of a histogram of
 *          integer bins (../launch.c), with the weights or their squares. The exponent of squares comes from
 *          the range of the weights, in a pass before.
 * Limits   scratch: 4 bytes a point of a slice, 8 more for squares */
#include "axes.h"
#include "cuda/core/inside.h"
#include "cuda/histogram/weights.h"
#include "cuda/histogram/window.h"
#include "host/status.h"
#include "kernels/axes/args.h"

enum {
  SLICE = 1 << 26,
  HOST_SLICE = 1 << 22,
  SOFTWARE_SLICE = 3000, /* so that there are several */
  LEAST_SLICE = 1 << 18,
  SQUARES_THREADS = 256,
  SQUARES_EACH = 4, /* elements a thread, at least */
  SOFTWARE_BLOCKS = 4
};

struct weigh {
  struct hd_cuda_axes_pass *pass;
  struct hd_cuda_count *count;
  cu_pointer slots, squares; /* room for a slice */
  cu_pointer range;          /* f64[3], of the weights whose squares are summed by rule 14; or 0 */
  struct hd_cuda_window window;
  bool single; /* one slice */
};

/* ---- room ------------------------------------------------------------------------------------ */

static heddle_status take_room(struct weigh *w, size_t n) {
  struct hd_cuda_call *call = w->pass->axes->call;
  HD_TRY(hd_cuda_scratch(call, HD_CUDA_SLOTS_BYTES(n), &w->slots));
  return w->pass->squares ? hd_cuda_scratch(call, n * sizeof(f64), &w->squares) : HEDDLE_OK;
}

/* Scratch for a slice, of fewer points where there is not enough. */
static heddle_status find_room(struct weigh *w) {
  struct hd_cuda_points *points = &w->pass->axes->points;
  const struct hd_cuda_limits *limits = hd_cuda_limits(points->call->cuda);
  size_t most = points->on_host ? HOST_SLICE : SLICE;
  struct hd_message kept;
  if (limits->software) most = SOFTWARE_SLICE;
  if (points->most > most) points->most = most;
  const struct hd_cuda_mark mark = hd_cuda_scratch_mark(points->call);
  hd_message_keep(&kept);
  for (;; points->most /= 2) {
    const heddle_status status = take_room(w, points->most);
    if (!status) hd_message_restore(&kept);
    if (status != HEDDLE_OUT_OF_MEMORY || points->most < LEAST_SLICE) return status;
    hd_cuda_scratch_retry(points->call, mark);
  }
}

/* ---- exponents ------------------------------------------------------------------------------- */

static struct hd_cuda_operand weights_of(const struct hd_cuda_points *points) {
  return (struct hd_cuda_operand){.what = "options->weights",
                                  .in = points->weights,
                                  .element_bytes = points->weight_bytes,
                                  .space = points->weights_space};
}

static heddle_status begin_window(struct weigh *w) {
  w->window = (struct hd_cuda_window){.range_words = w->pass->tables.memory + HD_RANGE_WORDS_AT,
                                      .whole = w->single};
  return hd_cuda_scratch(w->pass->axes->call, 4 * sizeof(u32), &w->window.words);
}

static heddle_status settle_squares(struct weigh *w) {
  const struct hd_cuda_points *points = &w->pass->axes->points;
  struct hd_cuda_operand weights = weights_of(points);
  if (w->pass->grid.exact) return begin_window(w); /* of the first slice's squares */
  if (!points->count) return HEDDLE_OK;
  HD_TRY(hd_cuda_scratch(points->call, 3 * sizeof(f64), &w->range));
  HD_TRY(hd_cuda_scratch(points->call, sizeof(i32), &w->count->args.exponent));
  return hd_cuda_range_find(points->call, w->pass->axes->job.weights_type, HD_RANGE_MAGNITUDE,
                            &weights, points->count, w->pass->tables.memory, w->range, 0);
}

static heddle_status settle_weights(struct weigh *w) {
  const struct hd_cuda_points *points = &w->pass->axes->points;
  struct hd_cuda_histogram_arrays arrays = {.operands = 2, .count = points->count};
  arrays.operand[0].space = w->single ? HD_SPACE_DEVICE : HD_SPACE_HOST; /* the latter: no guess */
  arrays.operand[1] = weights_of(points);
  if (!w->pass->grid.exact)
    return hd_cuda_weights_settle(points->call, &w->pass->grid, &arrays, &w->pass->tables,
                                  w->count);
  HD_TRY(begin_window(w));
  return hd_cuda_window_find(w->count, &arrays.operand[1], points->count, &w->window);
}

static heddle_status settle(struct weigh *w) {
  if (w->pass->grid.weights_type == HEDDLE_TYPE_DEFAULT) return HEDDLE_OK;
  return w->pass->squares ? settle_squares(w) : settle_weights(w);
}

/* ---- slices ---------------------------------------------------------------------------------- */

/* The squares of a slice's weights, which take their place. */
static heddle_status square(struct weigh *w, struct hd_cuda_some_points *some) {
  const struct hd_cuda_axes *axes = w->pass->axes;
  const bool software = hd_cuda_limits(axes->call->cuda)->software;
  const struct squares_args args = {.in = some->weights,
                                    .count = some->n,
                                    .out = w->squares,
                                    .range = w->range,
                                    .exponent = w->count->args.exponent};
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  u64 blocks = some->n / (SQUARES_THREADS * SQUARES_EACH) + 1;
  hd_cuda_kernel_file(&key, "axes/squares.cu");
  hd_cuda_kernel_define(&key, "HEDDLE_TYPE", axes->job.weights_type);
  HD_TRY(hd_cuda_kernel(axes->call, &key, "heddle_axes_squares", SQUARES_THREADS, 0, &kernel));
  const u64 most = software ? SOFTWARE_BLOCKS : hd_cuda_blocks_at_once(axes->call, &kernel);
  HD_TRY(hd_cuda_launch(axes->call, &kernel, blocks < most ? blocks : most, &args, sizeof args));
  some->weights = w->squares;
  if (!w->pass->grid.exact) return HEDDLE_OK;
  const struct hd_cuda_operand squares = {.what = "squares",
                                          .in = (const void *)(uintptr_t)w->squares,
                                          .element_bytes = sizeof(f64),
                                          .space = HD_SPACE_DEVICE};
  return hd_cuda_window_find(w->count, &squares, some->n, &w->window);
}

static heddle_status weigh_some(struct weigh *w, struct hd_cuda_some_points *some) {
  struct hist_args *args = &w->count->args;
  cu_pointer slots = w->slots;
  HD_TRY(hd_cuda_points_place(&w->pass->axes->points, ~0u, true, some));
  const bool last = some->at + some->n == w->pass->axes->points.count;
  HD_TRY(hd_cuda_axes_slots(w->pass, some, &slots));
  if (w->pass->squares) HD_TRY(square(w, some));
  HD_TRY(hd_cuda_count_some(w->count, slots, some->weights, some->n, last));
  if (args->attempt != HD_ATTEMPT_GUESS) return HEDDLE_OK;
  args->attempt = HD_ATTEMPT_AGAIN; /* of a single slice */
  args->thin = HD_THIN_NEVER;
  return hd_cuda_count_some(w->count, slots, some->weights, some->n, last);
}

heddle_status hd_cuda_axes_weigh(struct hd_cuda_axes_pass *pass) {
  struct weigh w = {.pass = pass, .count = &pass->count};
  const struct hd_cuda_points *points = &pass->axes->points;
  struct hd_cuda_some_points some = {.at = 0};
  HD_TRY(find_room(&w));
  w.single = points->most == points->count;
  HD_TRY(settle(&w));
  for (; some.at < points->count; some.at += some.n) HD_TRY(weigh_some(&w, &some));
  return points->count ? HEDDLE_OK : hd_cuda_count_finish(&pass->count);
}

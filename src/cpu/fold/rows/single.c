/* single.c - rows of one element, copied
 *
 * Method   Integers are copied, floats by the vectors that make the one NaN of all, which a sum's kernel has for
 *          its accumulators.
 * Limits   On the caller's thread: a copy of so much that more threads help is left to the columns. */
#include "single.h"

#include <string.h>

enum { MOST = 1 << 17 /* elements */ };

/* Of floats of a type that sums have for accumulators; NULL: it is none. */
static const struct hd_cpu_fold_columns *values_of(const heddle_context *ctx, heddle_type type) {
  const struct hd_cpu_kernels *kernels = ctx->kernels;
  const struct hd_cpu_arithmetic *arithmetic = kernels->arithmetic[type][0];
  const struct hd_cpu_fold_kernel *sum = arithmetic ? arithmetic->op[0][HEDDLE_SUM] : NULL;
  const bool own = sum && sum->columns && sum->columns->bytes == sum->element_bytes;
  return own && sum->columns->values ? sum->columns : NULL;
}

bool hd_cpu_fold_is_single(const heddle_context *ctx, const struct hd_fold *fold,
                           const struct hd_cpu_row_walk *walk) {
  const heddle_rows *rows = walk->rows;
  if (rows->offsets || rows->shape[rows->axis] != 1) return false;
  if (walk->inner != 1 || walk->inner_run != walk->count) return false;
  if (walk->count > MOST && ctx->threads > 1) return false;
  if (fold->verb != HD_REDUCE || fold->init || fold->custom || fold->out_type != fold->type)
    return false;
  if (hd_is_logical(fold->op) || hd_op_map(fold->op) != HD_MAP_VALUE) return false;
  if (!hd_is_float(fold->type)) return true;
  const struct hd_cpu_fold_columns *columns = values_of(ctx, fold->type);
  return columns && fold->nan == HEDDLE_NAN_PROPAGATE && walk->count >= columns->least;
}

void hd_cpu_fold_single(const heddle_context *ctx, const struct hd_fold *fold,
                        const struct hd_cpu_row_walk *walk, const void *x, void *out) {
  const size_t count = (size_t)walk->count;
  if (hd_is_float(fold->type))
    values_of(ctx, fold->type)->values(x, count, out);
  else
    memmove(out, x, count * heddle_type_size(fold->type));
}

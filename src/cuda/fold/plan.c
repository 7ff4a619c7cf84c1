/* plan.c - from a checked job to what the kernels are compiled with and what they are given
 *
 * Kinds of totals and their sizes are order/total.h's, as the kernels' are. */
#include <string.h>

#include "fold.h"
#include "host/status.h"
#include "order/device/types.h"

#include "kernels/base/args.h" /* needs their types */

_Static_assert((int)HD_FOLD_TOTAL_BYTES == (int)TOTAL_MOST_BYTES, "the largest total");

/* order/device/types.h has the numbers again, and which row of types.def each is. */
#define ROW_NUMBER(type, ...) HEDDLE_##type
#define ASSERT_TYPE(type, ...)                                  \
  _Static_assert((int)HEDDLE_##type == HD_##type, "HD_" #type); \
  _Static_assert((int)HD_TYPE_AT(ROW_NUMBER, HD_##type) == HD_##type, "its row");
#define ASSERT_OP(op, name, class, combine, ...) \
  _Static_assert((int)HEDDLE_##combine == HD_OP_##combine, "HD_OP_" #combine);
HD_TYPES(ASSERT_TYPE)
HD_OPS(ASSERT_OP)
_Static_assert((int)HEDDLE_CUSTOM == HD_CUSTOM && (int)HEDDLE_OP_CUSTOM == HD_OP_CUSTOM, "custom");
_Static_assert(HD_REDUCE == 0 && HD_ARGREDUCE == 1 && HD_DOT == 2 && HD_DESCRIBE == 3 &&
                   HD_FIGURE == 4,
               "verbs");

static bool is_custom(const struct hd_fold *fold) { return fold->op == HEDDLE_OP_CUSTOM; }

struct hd_total_form hd_cuda_fold_form(const struct hd_fold *fold) {
  return hd_fold_form_of(fold).total;
}

u32 hd_cuda_fold_lanes(const struct hd_fold *fold) {
  if (is_custom(fold)) return hd_lanes_of(fold->custom->element_bytes);
  return hd_fold_kind(fold) == HD_TOTAL_F32 ? HD_LANES(4) : HD_LANES(8);
}

bool hd_cuda_fold_is_order_free(const struct hd_fold *fold) {
  return HD_TOTAL_IS_ORDER_FREE(hd_fold_kind(fold));
}

size_t hd_cuda_fold_element_bytes(const struct hd_fold *fold) {
  return hd_fold_form_of(fold).element_bytes;
}

size_t hd_cuda_fold_result_bytes(const struct hd_fold *fold) {
  return fold->verb == HD_DESCRIBE ? sizeof(heddle_description) : hd_fold_result_bytes(fold);
}

size_t hd_cuda_fold_total_bytes(const struct hd_fold *fold) { return hd_fold_form_of(fold).bytes; }

void hd_cuda_fold_defines(struct hd_cuda_kernel_key *key, const struct hd_fold *fold) {
  const bool is_float = hd_is_float(fold->type);
  /* What makes no difference has one value, so that one module serves. */
  const bool skips = is_float && fold->nan == HEDDLE_NAN_SKIP && fold->op != HEDDLE_ALL;
  const bool in_f64 = is_float && hd_is_arithmetic(fold->op) && fold->acc_type == HEDDLE_F64;
  hd_cuda_kernel_define(key, "HEDDLE_TYPE", fold->type);
  hd_cuda_kernel_define(key, "HEDDLE_VERB", fold->verb);
  hd_cuda_kernel_define(key, "HEDDLE_OP", hd_op_combine(fold->op));
  hd_cuda_kernel_define(key, "HEDDLE_MAP", hd_op_map(fold->op));
  hd_cuda_kernel_define(key, "HEDDLE_ACC", in_f64 ? HEDDLE_F64 : HEDDLE_F32);
  hd_cuda_kernel_define(key, "HEDDLE_NAN", skips);
  if (fold->verb == HD_REDUCE && fold->divisor != 0)
    hd_cuda_kernel_define(key, "HEDDLE_QUOTIENT", 1);
  if (!is_custom(fold)) return;
  hd_cuda_kernel_define(key, "HEDDLE_LANES", hd_cuda_fold_lanes(fold));
  hd_cuda_kernel_define(key, "HEDDLE_COMMUTATIVE", fold->custom->commutative != 0);
  key->custom = fold->custom->cuda_source;
  key->element_bytes = fold->custom->element_bytes;
}

/* ---- init ----------------------------------------------------------------------------------- */

void hd_cuda_fold_init_total(const struct hd_fold *fold, void *total) {
  const struct hd_total_form form = hd_cuda_fold_form(fold);
  if (is_custom(fold))
    memcpy(total, fold->init, fold->custom->element_bytes);
  else
    hd_total_of_init(&form, fold->out_type, fold->init, total);
}

void hd_cuda_fold_ends(const struct hd_fold *fold, bool has_init, struct total_ends *ends) {
  const size_t bytes = hd_cuda_fold_total_bytes(fold);
  if (has_init) hd_cuda_fold_init_total(fold, ends->bytes);
  if (is_custom(fold)) memcpy(ends->bytes + bytes, fold->custom->identity, bytes);
}

heddle_status hd_cuda_fold_empty(const struct hd_fold *fold) {
  const bool extreme = fold->op == HEDDLE_MIN || fold->op == HEDDLE_MAX;
  if (!extreme || fold->init) return HEDDLE_OK;
  char text[HD_NO_RESULT_BYTES];
  return hd_fail(
      HEDDLE_EMPTY, "%s",
      hd_no_result(text, fold->entry, fold->verb == HD_ARGREDUCE, fold->op, "no values", ""));
}

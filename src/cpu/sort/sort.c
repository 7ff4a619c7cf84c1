/* sort.c - sort, sort_pairs and argsort of an array, on a CPU */
#include "cpu/cpu.h"

#include "host/status.h"
#include "sort.h"

enum { STACK_BYTES = 4096 }; /* of items that need no memory of the context */

heddle_status hd_cpu_sort_array(struct hd_cpu_sort_call *call, size_t n) {
  u64 room[2][STACK_BYTES / sizeof(u64)];
  const size_t bytes = n * call->engine->bytes;
  if (hd_cpu_sort_is_counted(call, n)) return hd_cpu_sort_counted(call, n);
  if (hd_cpu_sort_is_placed(call, n)) return hd_cpu_sort_placed(call, n);
  if (n > call->near_items) return hd_cpu_sort_far(call, n);
  char *a = (char *)room[0], *b = (char *)room[1];
  if (bytes > STACK_BYTES) {
    a = hd_cpu_sort_take(call, 2 * bytes);
    if (!a) return HEDDLE_OUT_OF_MEMORY;
    b = a + bytes;
  }
  hd_cpu_sort_near(call, &call->io, n, a, b);
  return HEDDLE_OK;
}

heddle_status hd_cpu_sort(heddle_context *ctx, const struct hd_sort *sort,
                          const struct hd_sort_arrays *arrays, size_t count) {
  struct hd_cpu_sort_call call;
  hd_cpu_sort_call_start(&call, ctx, sort, arrays, count);
  hd_cancellation_start(&call.token, ctx);
  pthread_mutex_lock(&ctx->lock);
  const heddle_status status = hd_cpu_sort_array(&call, count);
  pthread_mutex_unlock(&ctx->lock);
  hd_cpu_sort_call_end(&call);
  return status;
}

/* By words of an item (kernels.h). */
static const char *const kernel_names[] = {"sort_u32", "sort_u64", "sort_16", "sort_24", "sort_32"};

void hd_cpu_sort_choose(const struct hd_cpu_sort_call *call, size_t n,
                        struct hd_cpu_choice *choice) {
  const bool placed = hd_cpu_sort_is_placed(call, n);
  const bool counted = placed || hd_cpu_sort_is_counted(call, n), far = n > call->near_items;
  *choice =
      (struct hd_cpu_choice){.strategy = counted ? "counting"
                                         : far   ? "partition"
                                                 : "near",
                             .kernel = kernel_names[call->io.words],
                             .file = placed    ? "cpu/sort/places.c"
                                     : counted ? "cpu/sort/counting.c"
                                     : far     ? "cpu/sort/partition.c"
                                               : "cpu/sort/near.c",
                             .threads = counted || far ? hd_cpu_sort_workers(call->ctx, n) : 1};
}

heddle_status hd_cpu_sort_explain(heddle_context *ctx, const struct hd_sort *sort,
                                  const heddle_rows *rows, size_t count, heddle_plan *out) {
  struct hd_cpu_sort_call call;
  struct hd_cpu_choice choice;
  if (rows) {
    hd_cpu_sort_rows_choose(ctx, sort, rows, &choice);
  } else {
    hd_cpu_sort_call_make(&call, ctx, sort, count, false);
    hd_cpu_sort_choose(&call, count, &choice);
  }
  return hd_cpu_explain(ctx, &choice, out);
}

heddle_status hd_cpu_sort_scratch(heddle_context *ctx, const struct hd_sort *sort, size_t count,
                                  size_t *bytes) {
  struct hd_cpu_sort_call call;
  const bool special = sort->what == HD_SORT_PAIRS && hd_is_float(sort->type);
  hd_cpu_sort_call_make(&call, ctx, sort, count, special);
  if (hd_cpu_sort_bytes(&call, count, bytes)) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: %zu elements take more scratch than memory holds",
                 sort->entry, count);
}

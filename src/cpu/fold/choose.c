/* choose.c - which kernel folds a checked job, and which strategy an array of a size
 *
 * Method   The kernel is an entry of the instruction set's table. Strategies are the tests that fold.c
 *          makes on its way, in its order: the first line that takes the array. */
#include "fold.h"

const struct hd_cpu_fold_kernel *hd_cpu_fold_kernel(const struct hd_cpu_kernels *kernels,
                                                    const struct hd_fold *fold,
                                                    struct hd_cpu_fold_kernel *storage) {
  const bool skip = fold->nan == HEDDLE_NAN_SKIP;
  const bool in_f64 = fold->acc_type == HEDDLE_F64;
  switch (fold->verb) {
  case HD_DOT: return kernels->arithmetic[fold->type][in_f64]->dot[skip];
  case HD_ARGREDUCE: return kernels->arg[skip][fold->type][fold->op == HEDDLE_MAX];
  case HD_FIGURE: /* a device's; this is what the CPU makes it of */
  case HD_DESCRIBE: return kernels->describe[skip][fold->type]->figures[fold->figures];
  case HD_REDUCE: break;
  }
  if (hd_is_arithmetic(fold->op))
    return kernels->arithmetic[fold->type][in_f64]->op[skip][fold->op];
  if (fold->op != HEDDLE_OP_CUSTOM) return kernels->select[skip][fold->type][fold->op];
  hd_cpu_custom_kernel(fold->custom, storage);
  return storage;
}

/* ---- the table of strategies ----------------------------------------------------------------- */

typedef const struct hd_cpu_fold_kernel kernel_t;

static bool is_short(const heddle_context *ctx, kernel_t *kernel, size_t count) {
  return (void)ctx, hd_cpu_fold_is_short(kernel, count);
}
static bool is_few(const heddle_context *ctx, kernel_t *kernel, size_t count) {
  return (void)ctx, hd_cpu_fold_is_few(kernel, count / kernel->chunk);
}
static bool is_one_thread(const heddle_context *ctx, kernel_t *kernel, size_t count) {
  return hd_cpu_fold_is_one_thread(ctx, kernel, count / kernel->chunk);
}
static bool is_any(const heddle_context *ctx, kernel_t *kernel, size_t count) {
  return (void)ctx, (void)kernel, (void)count, true;
}

static const struct strategy {
  const char *name;
  bool parallel;
  bool (*takes)(const heddle_context *, kernel_t *, size_t);
} table[] = {
    {"short_chunk", false, is_short},
    {"few_chunks", false, is_few},
    {"one_thread", false, is_one_thread},
    {"waves", true, is_any},
};

struct hd_cpu_choice hd_cpu_fold_choice(const heddle_context *ctx, kernel_t *kernel, size_t count) {
  const struct strategy *line = table;
  while (!line->takes(ctx, kernel, count)) line++;
  const size_t threads =
      line->parallel ? hd_cpu_fold_wave_workers(ctx, kernel, count / kernel->chunk) : 1;
  return (struct hd_cpu_choice){line->name, kernel->name, kernel->file, threads};
}

heddle_status hd_cpu_fold_explain(heddle_context *ctx, const struct hd_fold *fold, size_t count,
                                  u32 align, heddle_plan *out) {
  struct hd_cpu_fold_kernel storage;
  const struct hd_cpu_choice choice =
      hd_cpu_fold_choice(ctx, hd_cpu_fold_kernel(ctx->kernels, fold, &storage), count);
  (void)align;
  return hd_cpu_explain(ctx, &choice, out);
}

/* kernel.c - the kernel for a checked job */
#include "cpu/isa/kernels.h"

const struct hd_cpu_fold_kernel *hd_cpu_fold_kernel(const struct hd_cpu_kernels *kernels,
                                                    const struct hd_fold *fold,
                                                    struct hd_cpu_fold_kernel *storage) {
  const bool skip = fold->nan == HEDDLE_NAN_SKIP;
  const bool in_f64 = fold->acc_type == HEDDLE_F64;
  switch (fold->verb) {
  case HD_DOT: return kernels->arithmetic[fold->type][in_f64]->dot[skip];
  case HD_ARGREDUCE: return kernels->arg[skip][fold->type][fold->op == HEDDLE_MAX];
  case HD_DESCRIBE: return kernels->describe[skip][fold->type];
  case HD_REDUCE: break;
  }
  if (hd_is_arithmetic(fold->op))
    return kernels->arithmetic[fold->type][in_f64]->op[skip][fold->op];
  if (fold->op != HEDDLE_OP_CUSTOM) return kernels->select[skip][fold->type][fold->op];
  hd_cpu_custom_kernel(fold->custom, storage);
  return storage;
}

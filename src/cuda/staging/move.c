/* move.c - a whole array between wherever it is and device memory, through the slices of staging.c */
#include "move.h"

struct copy {
  struct hd_cuda_call *call;
  cu_pointer at;
  bool back;
};

static heddle_status copy_slice(void *arg, u64 first, size_t n, const cu_pointer *device) {
  const struct copy *copy = arg;
  const struct hd_cuda_driver *cu = copy->call->cu;
  const cu_pointer at = copy->at + first;
  return hd_cuda_check(copy->call,
                       copy->back ? cu->copy_device(device[0], at, n, copy->call->stream)
                                  : cu->copy_device(at, device[0], n, copy->call->stream),
                       "copying an array");
}

heddle_status hd_cuda_move(struct hd_cuda_call *call, struct hd_cuda_operand operand, cu_pointer at,
                           size_t bytes) {
  struct copy copy = {call, at, operand.out != NULL};
  if (call->preparing) return HEDDLE_OK;
  return hd_cuda_slices(call, &operand, 1, bytes, 1, copy_slice, &copy);
}

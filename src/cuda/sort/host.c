/* host.c - arrays of the host on their way to a sort on the device, and back
 *
 * Method   Through the pinned slices of cuda/staging/staging.c, an array after the other. What a sort
 *          writes for the host lies in scratch until it is copied back. */
#include "sort.h"

#include "host/status.h"

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

static heddle_status move_array(struct hd_cuda_call *call, struct hd_cuda_operand operand,
                                cu_pointer at, size_t bytes) {
  struct copy copy = {call, at, operand.out != NULL};
  if (call->preparing) return HEDDLE_OK;
  return hd_cuda_slices(call, &operand, 1, bytes, 1, copy_slice, &copy);
}

heddle_status hd_cuda_sort_bring_array(const struct hd_cuda_sort_job *job, const char *what,
                                       const void *from, u64 count, u32 bytes, cu_pointer *device) {
  struct hd_cuda_operand operand = {.what = what, .in = from, .element_bytes = 1};
  *device = (cu_pointer)(uintptr_t)from;
  if (!from) return HEDDLE_OK;
  HD_TRY(hd_cuda_find_space(job->call, what, from, count * bytes, bytes, &operand.space));
  if (operand.space == HD_SPACE_DEVICE) return HEDDLE_OK;
  HD_TRY(hd_cuda_scratch(job->call, count * bytes, device));
  return move_array(job->call, operand, *device, count * bytes);
}

/* Where the device writes what is to come to `to`: `as_in`, the copy of its input, where both are one. */
static heddle_status place_out(const struct hd_cuda_sort_job *job, const char *what, void *to,
                               u64 count, u32 bytes, const void *in, cu_pointer as_in,
                               struct hd_cuda_sort_back *back, cu_pointer *device) {
  *device = (cu_pointer)(uintptr_t)to;
  *back = (struct hd_cuda_sort_back){.operand = {.what = what, .out = to, .element_bytes = 1}};
  if (!to) return HEDDLE_OK;
  HD_TRY(hd_cuda_find_space(job->call, what, to, count * bytes, bytes, &back->operand.space));
  if (back->operand.space == HD_SPACE_DEVICE) return HEDDLE_OK;
  back->bytes = count * bytes;
  if (to == in)
    *device = as_in;
  else
    HD_TRY(hd_cuda_scratch(job->call, back->bytes, device));
  back->from = *device;
  return HEDDLE_OK;
}

/* Elements from `first` on: arrays of the device and of the host begin `shift` bytes on. */
static const void *from(const void *array, u64 shift) {
  return array ? (const char *)array + shift : NULL;
}
static void back(cu_pointer *device, u64 shift) {
  if (*device) *device -= shift;
}

heddle_status hd_cuda_sort_bring(const struct hd_cuda_sort_job *job,
                                 const struct hd_sort_arrays *arrays, u64 first, u64 end,
                                 struct hd_cuda_sort_host *host) {
  const u32 key_bytes = job->key_bytes, value_bytes = job->sort->value_bytes;
  const u64 keys = first * key_bytes, values = first * value_bytes, n = end - first;
  const void *in = from(arrays->keys, keys), *with = from(arrays->values, values);
  struct hd_cuda_sort_arrays *a = &host->arrays;
  HD_TRY(hd_cuda_sort_bring_array(job, job->positions || !value_bytes ? "in" : "keys", in, n,
                                  key_bytes, &a->keys));
  HD_TRY(hd_cuda_sort_bring_array(job, "values", with, n, value_bytes, &a->values));
  HD_TRY(place_out(job, value_bytes ? "keys_out" : "out",
                   (void *)(uintptr_t)from(arrays->keys_out, keys), n, key_bytes, in, a->keys,
                   &host->keys, &a->keys_out));
  HD_TRY(place_out(job, job->positions ? "index" : "values_out",
                   (void *)(uintptr_t)from(arrays->values_out, values), n, value_bytes, with,
                   a->values, &host->values, &a->values_out));
  back(&a->keys, keys), back(&a->keys_out, keys);
  back(&a->values, values), back(&a->values_out, values);
  a->overwrite = job->sort->overwrite;
  return HEDDLE_OK;
}

heddle_status hd_cuda_sort_send(const struct hd_cuda_sort_job *job,
                                const struct hd_cuda_sort_host *host) {
  if (host->keys.bytes)
    HD_TRY(move_array(job->call, host->keys.operand, host->keys.from, host->keys.bytes));
  if (!host->values.bytes) return HEDDLE_OK;
  return move_array(job->call, host->values.operand, host->values.from, host->values.bytes);
}

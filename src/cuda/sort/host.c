/* host.c - arrays of the host on their way to a sort on the device, and back
 *
 * Method   Through the pinned slices of cuda/staging/staging.c, an array after the other. What a sort
 *          writes for the host lies in scratch until it is copied back. */
#include "cuda/staging/move.h"
#include "host/status.h"
#include "sort.h"

/* ---- where arrays are ------------------------------------------------------------------------ */

struct spaces {
  enum hd_cuda_memory_space of[4]; /* keys, values, and their outputs */
  u64 copies;                      /* bytes of device memory in the place of host memory */
  bool all_host;                   /* nothing is on the device */
};

/* Elements from `first` on: arrays of the device and of the host begin `shift` bytes on. */
static const void *from(const void *array, u64 shift) {
  return array ? (const char *)array + shift : NULL;
}
static void back(cu_pointer *device, u64 shift) {
  if (*device) *device -= shift;
}

static void name_arrays(const struct hd_cuda_sort_job *job, const char *name[4]) {
  const bool pairs = !job->positions && job->sort->value_bytes;
  name[0] = pairs ? "keys" : "in";
  name[1] = "values";
  name[2] = job->sort->value_bytes ? "keys_out" : "out";
  name[3] = job->positions ? "index" : "values_out";
}

static heddle_status find_spaces(const struct hd_cuda_sort_job *job,
                                 const struct hd_sort_arrays *arrays, u64 first, u64 end,
                                 struct spaces *s) {
  const u32 key = job->key_bytes, value = job->sort->value_bytes;
  const void *array[4] = {arrays->keys, arrays->values, arrays->keys_out, arrays->values_out};
  const u32 bytes[4] = {key, value, key, value};
  const char *name[4];
  name_arrays(job, name);
  *s = (struct spaces){.all_host = true};
  for (int i = 0; i < 4; i++) {
    if (!array[i]) continue;
    HD_TRY(hd_cuda_find_space(job->call, name[i], from(array[i], first * bytes[i]),
                              (end - first) * bytes[i], bytes[i], &s->of[i]));
    if (s->of[i] == HD_SPACE_DEVICE)
      s->all_host = false;
    else if (i < 2 || array[i] != array[i - 2])
      s->copies += ((end - first) * bytes[i] + 255) & ~(u64)255;
  }
  return HEDDLE_OK;
}

/* ---- to the device, and back ----------------------------------------------------------------- */

static heddle_status bring_in(const struct hd_cuda_sort_job *job, const char *what,
                              enum hd_cuda_memory_space space, const void *in, u64 bytes,
                              cu_pointer *device) {
  const struct hd_cuda_operand operand = {
      .what = what, .in = in, .element_bytes = 1, .space = space};
  *device = (cu_pointer)(uintptr_t)in;
  if (!in || space == HD_SPACE_DEVICE) return HEDDLE_OK;
  HD_TRY(hd_cuda_scratch(job->call, bytes, device));
  return hd_cuda_move(job->call, operand, *device, bytes);
}

heddle_status hd_cuda_sort_bring_array(const struct hd_cuda_sort_job *job, const char *what,
                                       const void *in, u64 count, u32 bytes, cu_pointer *device) {
  enum hd_cuda_memory_space space = HD_SPACE_DEVICE;
  if (in) HD_TRY(hd_cuda_find_space(job->call, what, in, count * bytes, bytes, &space));
  return bring_in(job, what, space, in, count * bytes, device);
}

/* Where the device writes what is to come to `to`: `as_in`, the copy of its input, where both are one. */
static heddle_status place_out(const struct hd_cuda_sort_job *job, const char *what,
                               enum hd_cuda_memory_space space, void *to, u64 bytes, const void *in,
                               cu_pointer as_in, struct hd_cuda_sort_back *out,
                               cu_pointer *device) {
  *device = (cu_pointer)(uintptr_t)to;
  *out = (struct hd_cuda_sort_back){
      .operand = {.what = what, .out = to, .element_bytes = 1, .space = space}};
  if (!to || space == HD_SPACE_DEVICE) return HEDDLE_OK;
  out->bytes = bytes;
  if (to == in)
    *device = as_in;
  else
    HD_TRY(hd_cuda_scratch(job->call, bytes, device));
  out->from = *device;
  return HEDDLE_OK;
}

static heddle_status bring(const struct hd_cuda_sort_job *job, const struct hd_sort_arrays *arrays,
                           u64 first, u64 end, const struct spaces *s,
                           struct hd_cuda_sort_host *host) {
  const u64 key_bytes = job->key_bytes, value_bytes = job->sort->value_bytes, n = end - first;
  const u64 keys = first * key_bytes, values = first * value_bytes;
  const void *in = from(arrays->keys, keys), *with = from(arrays->values, values);
  struct hd_cuda_sort_arrays *a = &host->arrays;
  const char *name[4];
  *a = (struct hd_cuda_sort_arrays){.overwrite = job->sort->overwrite};
  name_arrays(job, name);
  HD_TRY(bring_in(job, name[0], s->of[0], in, n * key_bytes, &a->keys));
  HD_TRY(bring_in(job, name[1], s->of[1], with, n * value_bytes, &a->values));
  HD_TRY(place_out(job, name[2], s->of[2], (void *)(uintptr_t)from(arrays->keys_out, keys),
                   n * key_bytes, in, a->keys, &host->keys, &a->keys_out));
  HD_TRY(place_out(job, name[3], s->of[3], (void *)(uintptr_t)from(arrays->values_out, values),
                   n * value_bytes, with, a->values, &host->values, &a->values_out));
  back(&a->keys, keys), back(&a->keys_out, keys);
  back(&a->values, values), back(&a->values_out, values);
  return HEDDLE_OK;
}

heddle_status hd_cuda_sort_bring(const struct hd_cuda_sort_job *job,
                                 const struct hd_sort_arrays *arrays, u64 first, u64 end,
                                 struct hd_cuda_sort_host *host) {
  struct spaces spaces;
  HD_TRY(find_spaces(job, arrays, first, end, &spaces));
  return bring(job, arrays, first, end, &spaces, host);
}

heddle_status hd_cuda_sort_send(const struct hd_cuda_sort_job *job,
                                const struct hd_cuda_sort_host *host) {
  if (host->keys.bytes)
    HD_TRY(hd_cuda_move(job->call, host->keys.operand, host->keys.from, host->keys.bytes));
  if (!host->values.bytes) return HEDDLE_OK;
  return hd_cuda_move(job->call, host->values.operand, host->values.from, host->values.bytes);
}

/* ---- the sort of rows, wherever they are ----------------------------------------------------- */

/* Whether the device has room for all of it: it is allocated then, for what comes next. */
static heddle_status reserve(const struct hd_cuda_sort_job *job, const struct spaces *s,
                             const struct hd_cuda_sort_rows *rows) {
  const struct hd_cuda_mark mark = hd_cuda_scratch_mark(job->call);
  const u64 work = job->sort->scratch ? 0 : hd_cuda_sort_rows_bytes(job, rows);
  cu_pointer memory;
  HD_TRY(hd_cuda_scratch(job->call, s->copies + work, &memory));
  hd_cuda_scratch_reset(job->call, mark);
  return HEDDLE_OK;
}

static heddle_status sort_halves(const struct hd_cuda_sort_job *job,
                                 const struct hd_sort_arrays *arrays,
                                 const struct hd_cuda_sort_rows *rows, u64 first) {
  const struct hd_cuda_mark mark = hd_cuda_scratch_mark(job->call);
  struct hd_cuda_sort_rows half = *rows;
  for (u64 done = 0; done < rows->rows; done += half.rows) {
    half.rows = done ? rows->rows - done : rows->rows / 2;
    u64 from = first + done * rows->length, end = from + half.rows * rows->length;
    if (rows->offsets) {
      half.offsets = rows->offsets + done;
      half.device = rows->device + done * sizeof(u64);
      from = half.offsets[0], end = half.offsets[half.rows];
    }
    half.elements = end - from;
    if (half.elements) HD_TRY(hd_cuda_sort_arrays(job, arrays, &half, from, end));
    hd_cuda_scratch_reset(job->call, mark); /* the other half is behind it on the stream */
  }
  return HEDDLE_OK;
}

/* Fewer rows at a time, or parts of one. */
static heddle_status sort_less(const struct hd_cuda_sort_job *job,
                               const struct hd_sort_arrays *arrays,
                               const struct hd_cuda_sort_rows *rows, u64 first, u64 end,
                               const struct spaces *s) {
  const u64 keys = first * job->key_bytes, values = first * job->sort->value_bytes;
  const struct hd_sort_arrays row = {from(arrays->keys, keys), from(arrays->values, values),
                                     (void *)(uintptr_t)from(arrays->keys_out, keys),
                                     (void *)(uintptr_t)from(arrays->values_out, values)};
  return rows->rows > 1 ? sort_halves(job, arrays, rows, first)
                        : hd_cuda_sort_parts(job, &row, end - first, s->of);
}

heddle_status hd_cuda_sort_arrays(const struct hd_cuda_sort_job *job,
                                  const struct hd_sort_arrays *arrays,
                                  const struct hd_cuda_sort_rows *rows, u64 first, u64 end) {
  struct hd_cuda_call *call = job->call;
  const struct hd_cuda_mark mark = hd_cuda_scratch_mark(call);
  struct hd_cuda_sort_host host;
  struct spaces spaces;
  struct hd_message kept;
  HD_TRY(find_spaces(job, arrays, first, end, &spaces));
  hd_message_keep(&kept);
  const bool copied = spaces.copies && !call->preparing;
  heddle_status status = copied ? reserve(job, &spaces, rows) : HEDDLE_OK;
  if (!status) status = bring(job, arrays, first, end, &spaces, &host);
  if (!status) status = hd_cuda_sort_dense(job, &host.arrays, rows);
  if (!status) return hd_cuda_sort_send(job, &host);
  if (status != HEDDLE_OUT_OF_MEMORY || !copied || !spaces.all_host) return status;
  (void)call->cu->stream_sync(call->stream); /* nothing has been written but to scratch */
  hd_cuda_scratch_retry(call, mark);
  status = sort_less(job, arrays, rows, first, end, &spaces);
  if (!status) hd_message_restore(&kept);
  return status;
}

/* staging.c - host arrays in slices through pinned memory
 *
 * Result   kernels work on arrays of the host, of any size, while copies of other slices run
 * Method   Four slots, each a part of pinned memory and of device memory. A slice of the array is
 *          copied into the slot's pinned part by all threads (pageable memory only: copy.c),
 *          from there to the device on a stream of its own, worked on in the context's stream, and
 *          copied back on a third stream; events order the three. While slice k moves, threads fill
 *          k + 1 and hand over what came back, and k - 1 is worked on. Middling arrays are cut into
 *          PIECES slices, so that they overlap, too; a call of one slice takes the context's stream
 *          for all of it. Small arrays are not copied: kernels reach the pinned memory that they
 *          are put into.
 * Limits   the slots stay until close: four times at most SLICE_BYTES, or one granule if that is
 *          more. A device that has not enough memory gets smaller slices. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "copy.h"
#include "cuda/core/inside.h"
#include "host/machine.h"
#include "host/status.h"

enum { SLOTS = 4, PIECES = 8, SLICE_BYTES = 16 << 20, LEAST_SLICE_BYTES = 1 << 20 };

struct hd_cuda_staging {
  cu_stream in, out;
  cu_event begun, arrived[SLOTS], worked[SLOTS], left[SLOTS];
  char *pinned;
  cu_pointer device;
  size_t slot_bytes; /* of each of both */
  bool cached;       /* the pinned slots fit into the last cache */
};

/* One call's transfer. */
struct transfer {
  struct hd_cuda_call *call;
  struct hd_cuda_staging *staging;
  struct hd_cuda_operand *operands;
  unsigned how_many;
  size_t count, step;         /* elements in all, and a slice */
  size_t offset[HD_OPERANDS]; /* of an array's part in a slot */
  bool single;
  hd_cuda_slice *slice;
  void *arg;
  /* What threads copy: of each slot and array, [0] to pinned memory, [1] from it. */
  struct hd_cuda_bulk_copy copy[SLOTS][HD_OPERANDS][2];
};

/* ---- the slots ------------------------------------------------------------------------------- */

static void free_slots(struct hd_cuda_context *cuda, bool alive) {
  struct hd_cuda_staging *staging = cuda->staging;
  if (alive && staging->pinned) (void)cuda->cu->host_free(staging->pinned);
  if (alive && staging->device) hd_cuda_give_back(cuda, staging->device);
  staging->pinned = NULL;
  staging->device = 0;
  staging->slot_bytes = 0;
}

void hd_cuda_staging_close(struct hd_cuda_context *cuda, bool alive) {
  struct hd_cuda_staging *staging = cuda->staging;
  if (!staging) return;
  if (alive) {
    const struct hd_cuda_driver *cu = cuda->cu;
    if (staging->in) (void)cu->stream_destroy(staging->in);
    if (staging->out) (void)cu->stream_destroy(staging->out);
    if (staging->begun) (void)cu->event_destroy(staging->begun);
    for (int s = 0; s < SLOTS; s++) {
      if (staging->arrived[s]) (void)cu->event_destroy(staging->arrived[s]);
      if (staging->worked[s]) (void)cu->event_destroy(staging->worked[s]);
      if (staging->left[s]) (void)cu->event_destroy(staging->left[s]);
    }
  }
  free_slots(cuda, alive);
  free(staging);
  cuda->staging = NULL;
}

static cu_result make_streams(const struct hd_cuda_driver *cu, struct hd_cuda_staging *staging) {
  cu_result result = CU_SUCCESS;
  if (!staging->in) result = cu->stream_create(&staging->in, CU_STREAM_NON_BLOCKING);
  if (!result && !staging->out) result = cu->stream_create(&staging->out, CU_STREAM_NON_BLOCKING);
  if (!result && !staging->begun)
    result = cu->event_create(&staging->begun, CU_EVENT_DISABLE_TIMING);
  for (int s = 0; s < SLOTS && !result; s++) {
    if (staging->left[s]) continue;
    result = cu->event_create(&staging->arrived[s], CU_EVENT_DISABLE_TIMING);
    if (!result) result = cu->event_create(&staging->worked[s], CU_EVENT_DISABLE_TIMING);
    if (!result) result = cu->event_create(&staging->left[s], CU_EVENT_DISABLE_TIMING);
  }
  return result;
}

static heddle_status make_slots(struct hd_cuda_call *call, size_t slot_bytes) {
  struct hd_cuda_context *cuda = call->cuda;
  if (!cuda->staging) cuda->staging = calloc(1, sizeof *cuda->staging);
  struct hd_cuda_staging *staging = cuda->staging;
  if (!staging)
    return hd_fail(HEDDLE_OUT_OF_MEMORY, "%s: no memory for a table of streams", call->entry);
  HD_TRY(hd_cuda_check(call, make_streams(call->cu, staging), "making streams"));
  if (staging->slot_bytes >= slot_bytes) return HEDDLE_OK;
  free_slots(cuda, true);
  size_t bytes = LEAST_SLICE_BYTES / 16;
  while (bytes < slot_bytes) bytes *= 2;
  void *pinned = NULL;
  HD_TRY(hd_cuda_obtain(call, SLOTS * bytes, false, &staging->device));
  cu_result result = call->cu->host_alloc(&pinned, SLOTS * bytes, CU_HOST_PORTABLE);
  if (result) {
    free_slots(cuda, true);
    return hd_cuda_check(call, result, "allocating pinned memory");
  }
  staging->pinned = pinned;
  staging->slot_bytes = bytes;
  staging->cached = SLOTS * bytes <= hd_machine_cache();
  return HEDDLE_OK;
}

/* ---- slices ---------------------------------------------------------------------------------- */

/* Elements a slice, and where each array's part lies in a slot; the bytes of a slot. */
static size_t lay_out(struct transfer *p, size_t granule, size_t most_bytes) {
  size_t each = 0;
  for (unsigned i = 0; i < p->how_many; i++)
    if (p->operands[i].space != HD_SPACE_DEVICE) each += p->operands[i].element_bytes;
  size_t piece = each > SIZE_MAX / p->count ? most_bytes : each * p->count / PIECES;
  if (piece < LEAST_SLICE_BYTES) piece = LEAST_SLICE_BYTES;
  if (piece < most_bytes) most_bytes = piece;
  size_t granules = most_bytes / each / granule;
  p->step = granules ? granules * granule : granule;
  if (p->step >= p->count) p->step = p->count;
  size_t bytes = 0;
  for (unsigned i = 0; i < p->how_many; i++) {
    p->offset[i] = bytes;
    if (p->operands[i].space != HD_SPACE_DEVICE)
      bytes += (p->step * p->operands[i].element_bytes + 255) & ~(size_t)255;
  }
  return bytes;
}

static heddle_status find_room(struct transfer *p, size_t granule) {
  struct hd_message kept;
  hd_message_keep(&kept);
  for (size_t most = SLICE_BYTES;; most /= 2) {
    heddle_status status = make_slots(p->call, lay_out(p, granule, most));
    if (!status) hd_message_restore(&kept);
    if (status != HEDDLE_OUT_OF_MEMORY || most <= LEAST_SLICE_BYTES || p->step == granule)
      return status;
  }
}

/* Whether all arrays that are not on the device fit into the memory for small ones. */
static bool is_small(const struct transfer *p) {
  size_t bytes = 0;
  for (unsigned i = 0; i < p->how_many; i++) {
    const struct hd_cuda_operand *s = &p->operands[i];
    if (s->space == HD_SPACE_DEVICE) continue;
    if (p->count > HD_SMALL_BYTES / s->element_bytes) return false;
    bytes += (p->count * s->element_bytes + 255) & ~(size_t)255;
  }
  return bytes <= HD_SMALL_BYTES;
}

/* Results are handed over when the call leaves, unless there was a fault. */
static heddle_status pass_small(struct transfer *p) {
  struct hd_cuda_call *call = p->call;
  char *pinned = call->cuda->pinned + HD_PINNED_SMALL;
  cu_pointer device[HD_OPERANDS];
  for (unsigned i = 0; i < p->how_many; i++) {
    const struct hd_cuda_operand *s = &p->operands[i];
    const size_t bytes = p->count * s->element_bytes;
    device[i] = (cu_pointer)(uintptr_t)(s->in ? s->in : s->out);
    if (s->space == HD_SPACE_DEVICE) continue;
    device[i] = (cu_pointer)(uintptr_t)pinned;
    if (s->in) memcpy(pinned, s->in, bytes);
    if (s->out) hd_cuda_await(call, s->out, pinned, bytes, true);
    pinned += (bytes + 255) & ~(size_t)255;
  }
  return p->slice(p->arg, 0, p->count, device);
}

static char *pinned_part(const struct transfer *p, unsigned i, unsigned slot) {
  return p->staging->pinned + slot * p->staging->slot_bytes + p->offset[i];
}

static cu_pointer device_part(const struct transfer *p, unsigned i, unsigned slot, size_t first) {
  const struct hd_cuda_operand *s = &p->operands[i];
  if (s->space == HD_SPACE_DEVICE)
    return (cu_pointer)(uintptr_t)(s->in ? s->in : s->out) + first * s->element_bytes;
  return p->staging->device + slot * p->staging->slot_bytes + p->offset[i];
}

/* Results go past the caches, since the caller reads them later. So does what is on its way to the
 * device, unless the slots stay in a cache: the device reads them out of it, and memory is left
 * alone (H200, 16 cores, 2^30 f32: 54 GB/s, past the caches 43; the bus alone 55). */
static void begin_fill(struct transfer *p, unsigned slot, size_t first, size_t n) {
  for (unsigned i = 0; i < p->how_many; i++) {
    const struct hd_cuda_operand *s = &p->operands[i];
    if (!s->in || s->space != HD_SPACE_HOST) continue;
    hd_cuda_bulk_copy_end(&p->copy[slot][i][1]); /* in place: what came back lies there */
    hd_cuda_bulk_copy_begin(p->call->ctx, &p->copy[slot][i][0], pinned_part(p, i, slot),
                            (const char *)s->in + first * s->element_bytes, n * s->element_bytes,
                            !p->staging->cached);
  }
}

/* After this the slot's pinned memory is the device's. */
static void end_copies(struct transfer *p, unsigned slot) {
  for (unsigned i = 0; i < p->how_many; i++) {
    hd_cuda_bulk_copy_end(&p->copy[slot][i][1]);
    hd_cuda_bulk_copy_end(&p->copy[slot][i][0]);
  }
}

static heddle_status copy_in(struct transfer *p, unsigned slot, size_t first, size_t n) {
  const struct hd_cuda_driver *cu = p->call->cu;
  cu_stream stream = p->single ? p->call->stream : p->staging->in;
  cu_result result = CU_SUCCESS;
  end_copies(p, slot);
  for (unsigned i = 0; i < p->how_many && !result; i++) {
    const struct hd_cuda_operand *s = &p->operands[i];
    if (!s->in || s->space == HD_SPACE_DEVICE) continue;
    const char *from = s->space == HD_SPACE_HOST ? pinned_part(p, i, slot)
                                                 : (const char *)s->in + first * s->element_bytes;
    result = cu->copy_in(device_part(p, i, slot, first), from, n * s->element_bytes, stream);
  }
  if (!result && !p->single) {
    result = cu->event_record(p->staging->arrived[slot], stream);
    if (!result) result = cu->stream_wait(p->call->stream, p->staging->arrived[slot], 0);
  }
  return hd_cuda_check(p->call, result, "copying an array to the device");
}

static heddle_status copy_out(struct transfer *p, unsigned slot, size_t first, size_t n) {
  const struct hd_cuda_driver *cu = p->call->cu;
  cu_stream stream = p->single ? p->call->stream : p->staging->out;
  cu_result result = CU_SUCCESS;
  if (!p->single) {
    result = cu->event_record(p->staging->worked[slot], p->call->stream);
    if (!result) result = cu->stream_wait(stream, p->staging->worked[slot], 0);
  }
  for (unsigned i = 0; i < p->how_many && !result; i++) {
    const struct hd_cuda_operand *s = &p->operands[i];
    if (!s->out || s->space == HD_SPACE_DEVICE) continue;
    char *to = s->space == HD_SPACE_HOST ? pinned_part(p, i, slot)
                                         : (char *)s->out + first * s->element_bytes;
    result = cu->copy_out(to, device_part(p, i, slot, first), n * s->element_bytes, stream);
  }
  if (!result && !p->single) result = cu->event_record(p->staging->left[slot], stream);
  return hd_cuda_check(p->call, result, "copying an array to the host");
}

/* The results of a call of one slice are handed over when it leaves, unless there was a fault. */
static void deliver_later(struct transfer *p) {
  struct hd_cuda_call *call = p->call;
  for (unsigned i = 0; i < p->how_many; i++) {
    const struct hd_cuda_operand *s = &p->operands[i];
    if (!s->out || s->space != HD_SPACE_HOST) continue;
    hd_cuda_await(call, s->out, pinned_part(p, i, 0), p->count * s->element_bytes, true);
  }
}

/* Waits until the slot's slice is done with, and has its results handed to pageable memory. */
static heddle_status finish(struct transfer *p, size_t k) {
  const unsigned slot = (unsigned)(k % SLOTS);
  const size_t first = k * p->step, n = p->count - first < p->step ? p->count - first : p->step;
  HD_TRY(hd_cuda_check(p->call, p->call->cu->event_sync(p->staging->left[slot]),
                       "waiting for the device"));
  for (unsigned i = 0; i < p->how_many; i++) {
    const struct hd_cuda_operand *s = &p->operands[i];
    if (s->out && s->space == HD_SPACE_HOST)
      hd_cuda_bulk_copy_begin(p->call->ctx, &p->copy[slot][i][1],
                              (char *)s->out + first * s->element_bytes, pinned_part(p, i, slot),
                              n * s->element_bytes, true);
  }
  return HEDDLE_OK;
}

/* Sends slice k, which is filled or being filled, through the device. */
static heddle_status work_on(struct transfer *p, size_t k) {
  const unsigned slot = (unsigned)(k % SLOTS);
  const size_t first = k * p->step, n = p->count - first < p->step ? p->count - first : p->step;
  cu_pointer device[HD_OPERANDS];
  HD_TRY(copy_in(p, slot, first, n));
  for (unsigned i = 0; i < p->how_many; i++) device[i] = device_part(p, i, slot, first);
  const struct hd_cuda_mark mark = hd_cuda_scratch_mark(p->call);
  HD_TRY(p->slice(p->arg, first, n, device));
  hd_cuda_scratch_reset(p->call, mark); /* slices follow each other on the stream */
  return copy_out(p, slot, first, n);
}

/* `left` comes after `worked`, so a slot that was finished is free on the device, too. The threads
 * fill slice k while slice k - 1 is queued. */
static heddle_status pass(struct transfer *p) {
  const size_t slices = (p->count + p->step - 1) / p->step;
  for (size_t k = 0; k <= slices; k++) {
    if (hd_poll(&p->call->token)) return hd_cancellation_status(&p->call->token, p->call->entry);
    if (k < slices) {
      const size_t first = k * p->step, n = p->count - first < p->step ? p->count - first : p->step;
      if (k >= SLOTS) HD_TRY(finish(p, k - SLOTS));
      begin_fill(p, (unsigned)(k % SLOTS), first, n);
    }
    if (k) HD_TRY(work_on(p, k - 1));
  }
  if (p->single) {
    deliver_later(p);
    return HEDDLE_OK;
  }
  for (size_t k = slices > SLOTS ? slices - SLOTS : 0; k < slices; k++) HD_TRY(finish(p, k));
  return HEDDLE_OK;
}

/* The streams begin behind the context's, and nothing is under way at the end, whatever
 * happened. */
static heddle_status pass_in_order(struct transfer *p) {
  const struct hd_cuda_driver *cu = p->call->cu;
  struct hd_cuda_staging *staging = p->staging;
  cu_result result = CU_SUCCESS;
  if (!p->single) {
    result = cu->event_record(staging->begun, p->call->stream);
    if (!result) result = cu->stream_wait(staging->in, staging->begun, 0);
  }
  HD_TRY(hd_cuda_check(p->call, result, "ordering streams"));
  heddle_status status = pass(p);
  for (unsigned slot = 0; slot < SLOTS; slot++) end_copies(p, slot);
  if (status && !p->single) {
    (void)cu->stream_sync(staging->in);
    (void)cu->stream_sync(p->call->stream);
    (void)cu->stream_sync(staging->out);
  }
  return status;
}

static heddle_status pass_staged(struct transfer *p, size_t granule) {
  struct hd_cuda_call *call = p->call;
  HD_TRY(hd_cuda_no_capture(call, "copying host memory"));
  HD_TRY(hd_cuda_unstage(call)); /* a call may pass through more than once */
  call->staged = true;
  if (is_small(p)) return pass_small(p);
  HD_TRY(find_room(p, granule));
  p->staging = call->cuda->staging;
  p->single = p->step == p->count;
  return pass_in_order(p);
}

/* Some array is not on the device. */
static heddle_status begin_transfer(struct hd_cuda_call *call, struct hd_cuda_operand *operands,
                                    unsigned how_many, size_t count, size_t granule,
                                    hd_cuda_slice *slice, void *arg, const cu_pointer *device) {
  struct transfer p = {.call = call,
                       .operands = operands,
                       .how_many = how_many,
                       .count = count,
                       .slice = slice,
                       .arg = arg};
  call->synchronous = true;
  if (!call->preparing) return pass_staged(&p, granule);
  (void)lay_out(&p, granule, SLICE_BYTES);
  return slice(arg, 0, p.step, device);
}

heddle_status hd_cuda_slices(struct hd_cuda_call *call, struct hd_cuda_operand *operands,
                             unsigned how_many, size_t count, size_t granule, hd_cuda_slice *slice,
                             void *arg) {
  cu_pointer device[HD_OPERANDS];
  bool staged = false;
  assert(how_many <= HD_OPERANDS && granule > 0);
  if (!count) return HEDDLE_OK;
  for (unsigned i = 0; i < how_many; i++) {
    const struct hd_cuda_operand *s = &operands[i];
    const bool here = s->space == HD_SPACE_DEVICE;
    device[i] = here ? (cu_pointer)(uintptr_t)(s->in ? s->in : s->out) : HD_FAKE_ADDRESS;
    staged |= !here;
  }
  if (!staged) return slice(arg, 0, count, device);
  return begin_transfer(call, operands, how_many, count, granule, slice, arg, device);
}

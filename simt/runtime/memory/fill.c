/* Fills of linear memory.
 *
 * Method   the memory is checked against the tables first; elements of 1, 2 or 4 bytes
 * Source   CUDA Runtime API 13.0, section Memory Management; CUDA Driver API 13.0, the same section
 */
#include "observer.h"
#include "runtime.h"
#include "simt/driver.h"

#include <string.h>

static cudaError_t fill(void *memory, size_t pitch, int value, size_t width, size_t height,
                        cudaStream_t stream, bool waits) {
  const struct sd_copy observed = {.dst = memory,
                                   .dpitch = pitch,
                                   .width = width,
                                   .height = height,
                                   .depth = 1,
                                   .stream = stream,
                                   .waits = waits};
  if (height > 1 && width > pitch) return cudaErrorInvalidValue;
  const cudaError_t error = rt_check_rows(memory, pitch, width, height, RT_DEVICE_SIDE);
  SD_NOTIFY(filled, &observed, (int)error);
  if (error || width == 0) return error;
  if (width == pitch) {
    memset(memory, value, width * height);
    return cudaSuccess;
  }
  for (size_t y = 0; y < height; y++) memset((char *)memory + y * pitch, value, width);
  return cudaSuccess;
}

cudaError_t cudaMemset(void *devPtr, int value, size_t count) {
  const cudaError_t error = rt_begin();
  return rt_end(error ? error : fill(devPtr, count, value, count, 1, NULL, true));
}

struct fill_job {
  void *memory;
  size_t pitch, width, height;
  int value;
};

static cudaError_t run_fill(const void *user) {
  const struct fill_job *j = user;
  return rt_end(
      fill(j->memory, j->pitch, j->value, j->width, j->height, rt_issued_stream(), false));
}

/* False: to be done now, or refused. */
static bool fill_later(const struct fill_job *j, cudaStream_t stream) {
  if (j->width == 0 || (j->height > 1 && j->width > j->pitch)) return false;
  if (rt_check_rows(j->memory, j->pitch, j->width, j->height, RT_DEVICE_SIDE)) return false;
  return rt_issue(stream, run_fill, j, sizeof *j);
}

cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream) {
  const struct fill_job job = {devPtr, count, count, 1, value};
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  if (rt_capture_add(stream, cudaGraphNodeTypeMemset, run_fill, &job, sizeof job))
    return cudaSuccess;
  if (fill_later(&job, stream)) return cudaSuccess;
  const cudaError_t error = rt_begin();
  return rt_end(error ? error : fill(devPtr, count, value, count, 1, stream, false));
}

cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height) {
  const cudaError_t error = rt_begin();
  return rt_end(error ? error : fill(devPtr, pitch, value, width, height, NULL, true));
}

cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  const struct fill_job job = {devPtr, pitch, width, height, value};
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  if (rt_capture_add(stream, cudaGraphNodeTypeMemset, run_fill, &job, sizeof job))
    return cudaSuccess;
  if (fill_later(&job, stream)) return cudaSuccess;
  const cudaError_t error = rt_begin();
  return rt_end(error ? error : fill(devPtr, pitch, value, width, height, stream, false));
}

static cudaError_t fill_3d(struct cudaPitchedPtr p, int value, struct cudaExtent extent,
                           cudaStream_t stream, bool waits) {
  cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (extent.width > p.pitch || extent.height > p.ysize) return rt_end(cudaErrorInvalidValue);
  const size_t layer = p.pitch * p.ysize;
  for (size_t z = 0; z < extent.depth && !error; z++)
    error =
        fill((char *)p.ptr + z * layer, p.pitch, value, extent.width, extent.height, stream, waits);
  return rt_end(error);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent) {
  return fill_3d(pitched, value, extent, NULL, true);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent,
                              cudaStream_t stream) {
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  return fill_3d(pitched, value, extent, stream, false);
}

/* ---- Elements -------------------------------------------------------------------------------- */

struct element_job {
  void *memory;
  size_t element, count;
  unsigned value;
};

static cudaError_t spread(const struct element_job *j, cudaStream_t stream, bool waits) {
  const size_t bytes = j->element * j->count;
  const struct sd_copy observed = {.dst = j->memory,
                                   .dpitch = bytes,
                                   .width = bytes,
                                   .height = 1,
                                   .depth = 1,
                                   .stream = stream,
                                   .waits = waits};
  const cudaError_t error = rt_check_rows(j->memory, bytes, bytes, 1, RT_DEVICE_SIDE);
  SD_NOTIFY(filled, &observed, (int)error);
  if (error) return error;
  unsigned char *at = j->memory;
  if (j->element == 1) memset(at, (int)j->value, bytes);
  for (size_t i = 0; j->element > 1 && i < j->count; i++, at += j->element)
    memcpy(at, &j->value, j->element);
  return cudaSuccess;
}

static cudaError_t run_elements(const void *user) { return rt_end(spread(user, NULL, false)); }

cudaError_t simt_fill(void *memory, unsigned value, size_t element, size_t count,
                      cudaStream_t stream, int waits) {
  const struct element_job job = {memory, element, count, value};
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  if (count > SIZE_MAX / element || (uintptr_t)memory % element) return cudaErrorInvalidValue;
  if (!waits && rt_capture_add(stream, cudaGraphNodeTypeMemset, run_elements, &job, sizeof job))
    return cudaSuccess;
  return rt_end(spread(&job, stream, waits != 0));
}

/* Copies and fills of linear memory.
 *
 * Method   both ends are checked against the tables first, so that a wrong pointer is an error and
 *          no crash; then memmove. Pageable host memory can be anything and is not checked. With
 *          unified addressing a host side may be memory of the device too, not the reverse
 * Source   CUDA Runtime API 13.0, section Memory Management; details as an H200 with CUDA 13.0 has
 *          them
 */
#include "observer.h"
#include "runtime.h"

#include <string.h>

static cudaError_t inside(const void *address, size_t bytes, uintptr_t begin, size_t size) {
  const size_t offset = (uintptr_t)address - begin;
  return bytes <= size - offset ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t rt_check_span(const void *address, size_t bytes, enum rt_side side) {
  struct rt_block block;
  uintptr_t begin;
  size_t size;
  if (!address) return cudaErrorInvalidValue;
  if (rt_find(address, &block)) {
    if (block.kind == RT_HEAP || block.kind == RT_ARRAY) return cudaErrorInvalidValue;
    return inside(address, bytes, block.begin, block.bytes);
  }
  if (rt_in_arena(address)) return cudaErrorInvalidValue;
  if (side == RT_DEVICE_SIDE) {
    if (rt_registered(address, &begin, &size)) return inside(address, bytes, begin, size);
    const size_t room = rt_symbol_room(address);
    return room && bytes <= room ? cudaSuccess : cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

bool rt_sides(enum cudaMemcpyKind kind, enum rt_side *to, enum rt_side *from) {
  static const struct {
    enum rt_side to, from;
  } sides[] = {[cudaMemcpyHostToHost] = {RT_ANY_SIDE, RT_ANY_SIDE},
               [cudaMemcpyHostToDevice] = {RT_DEVICE_SIDE, RT_ANY_SIDE},
               [cudaMemcpyDeviceToHost] = {RT_ANY_SIDE, RT_DEVICE_SIDE},
               [cudaMemcpyDeviceToDevice] = {RT_DEVICE_SIDE, RT_DEVICE_SIDE},
               [cudaMemcpyDefault] = {RT_ANY_SIDE, RT_ANY_SIDE}};
  if ((unsigned)kind > cudaMemcpyDefault) return false;
  *to = sides[kind].to;
  *from = sides[kind].from;
  return true;
}

static cudaError_t copy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                        cudaStream_t stream, bool waits) {
  const struct sd_copy observed = {.dst = dst,
                                   .src = src,
                                   .width = count,
                                   .height = 1,
                                   .depth = 1,
                                   .kind = (int)kind,
                                   .stream = stream,
                                   .waits = waits};
  enum rt_side to, from;
  if (count == 0) return cudaSuccess;
  if (!rt_sides(kind, &to, &from)) return cudaErrorInvalidMemcpyDirection;
  cudaError_t error = rt_check_span(dst, count, to);
  if (!error) error = rt_check_span(src, count, from);
  SD_NOTIFY(copied, &observed, (int)error);
  if (!error) memmove(dst, src, count);
  return error;
}

/* Puts an asynchronous copy into the queue; false: to be done now, or refused. What a pageable end has
 * must be read before the call returns, as CUDA does it. */
static bool copy_later(const struct rt_copy_job *j, cudaStream_t stream) {
  enum rt_side to, from;
  if (j->width == 0 || !rt_sides(j->kind, &to, &from)) return false;
  if (j->height != 1 && (j->width > j->dpitch || j->width > j->spitch)) return false;
  if (rt_check_rows(j->dst, j->dpitch, j->width, j->height, to) ||
      rt_check_rows(j->src, j->spitch, j->width, j->height, from))
    return false;
  if (sd_space_of(j->dst) == SD_HOST_MEMORY || sd_space_of(j->src) == SD_HOST_MEMORY) return false;
  return rt_issue(stream, rt_run_copy, j, sizeof *j);
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind) {
  const cudaError_t error = rt_begin();
  return rt_end(error ? error : copy(dst, src, count, kind, NULL, true));
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
  const struct rt_copy_job job = {dst, src, count, count, count, 1, kind};
  bool skip;
  cudaError_t error = rt_begin_issue(&skip);
  if (error) return rt_end(error);
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  if (rt_capture_add(stream, cudaGraphNodeTypeMemcpy, rt_run_copy, &job, sizeof job))
    return cudaSuccess;
  if (copy_later(&job, stream)) return cudaSuccess;
  error = rt_begin_later(&skip);
  if (error) return rt_end(error);
  return rt_end(skip ? cudaSuccess : copy(dst, src, count, kind, stream, false));
}

cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_device_ok(dstDevice) || !rt_device_ok(srcDevice)) return rt_end(cudaErrorInvalidDevice);
  return rt_end(copy(dst, src, count, cudaMemcpyDefault, NULL, true));
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice,
                                size_t count, cudaStream_t stream) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  if (!rt_device_ok(dstDevice) || !rt_device_ok(srcDevice)) return rt_end(cudaErrorInvalidDevice);
  return rt_end(copy(dst, src, count, cudaMemcpyDefault, stream, false));
}

/* ---- Rows ------------------------------------------------------------------------------------ */

cudaError_t rt_check_rows(const void *address, size_t pitch, size_t width, size_t rows,
                          enum rt_side side) {
  if (width == 0 || rows == 0) return cudaSuccess;
  if (rows > 1 && pitch > ((size_t)1 << 47) / (rows - 1)) return cudaErrorInvalidValue;
  return rt_check_span(address, (rows - 1) * pitch + width, side);
}

static cudaError_t copy_rows(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                             size_t height, enum cudaMemcpyKind kind, cudaStream_t stream,
                             bool waits) {
  const struct sd_copy observed = {.dst = dst,
                                   .src = src,
                                   .dpitch = dpitch,
                                   .spitch = spitch,
                                   .width = width,
                                   .height = height,
                                   .depth = 1,
                                   .kind = (int)kind,
                                   .stream = stream,
                                   .waits = waits};
  enum rt_side to, from;
  if (!rt_sides(kind, &to, &from)) return cudaErrorInvalidMemcpyDirection;
  if (width > dpitch || width > spitch)
    return height > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue;
  cudaError_t error = rt_check_rows(dst, dpitch, width, height, to);
  if (!error) error = rt_check_rows(src, spitch, width, height, from);
  SD_NOTIFY(copied, &observed, (int)error);
  if (error || width == 0) return error;
  for (size_t y = 0; y < height; y++)
    memmove((char *)dst + y * dpitch, (const char *)src + y * spitch, width);
  return cudaSuccess;
}

cudaError_t rt_run_copy(const void *user) {
  const struct rt_copy_job *j = user;
  const cudaStream_t stream = rt_issued_stream();
  if (j->height == 1) return rt_end(copy(j->dst, j->src, j->width, j->kind, stream, false));
  return rt_end(
      copy_rows(j->dst, j->dpitch, j->src, j->spitch, j->width, j->height, j->kind, stream, false));
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  return rt_end(copy_rows(dst, dpitch, src, spitch, width, height, kind, NULL, true));
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream) {
  const struct rt_copy_job job = {dst, src, dpitch, spitch, width, height, kind};
  cudaError_t error = rt_begin_at(0, false);
  if (error) return rt_end(error);
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  if (rt_capture_add(stream, cudaGraphNodeTypeMemcpy, rt_run_copy, &job, sizeof job))
    return cudaSuccess;
  if (copy_later(&job, stream)) return cudaSuccess;
  error = rt_begin();
  if (error) return rt_end(error);
  return rt_end(copy_rows(dst, dpitch, src, spitch, width, height, kind, stream, false));
}

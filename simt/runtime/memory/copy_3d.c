/* Copies of boxes: between linear memory and arrays in any pairing.
 *
 * Method   both ends become a base address with a pitch and a slice; one loop copies rows
 * Source   CUDA Runtime API 13.0, section Memory Management
 */
#include "observer.h"
#include "runtime.h"

#include <string.h>

struct box {
  char *base;
  size_t pitch, slice; /* bytes */
};

/* Whether a kind lets the device be the target, or the source: an array is nowhere else. */
static bool reaches_device(enum cudaMemcpyKind kind, bool target) {
  return kind == cudaMemcpyDefault || kind == cudaMemcpyDeviceToDevice ||
         kind == (target ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
}

static size_t one_if_none(size_t n) { return n ? n : 1; }

/* A box of an array: offsets and widths in bytes, whole elements. */
static cudaError_t in_array(struct cudaArray *a, size_t x, size_t y, size_t z, size_t width,
                            size_t height, size_t depth, struct box *box) {
  if (!a) return cudaErrorInvalidResourceHandle;
  const size_t row = a->extent.width * a->element_bytes;
  if (x % a->element_bytes || width % a->element_bytes) return cudaErrorInvalidValue;
  if (x > row || width > row - x) return cudaErrorInvalidValue;
  const size_t rows = one_if_none(a->extent.height), layers = one_if_none(a->extent.depth);
  if (y > rows || height > rows - y || z > layers || depth > layers - z)
    return cudaErrorInvalidValue;
  *box = (struct box){(char *)a->data + z * a->slice + y * a->pitch + x, a->pitch, a->slice};
  return cudaSuccess;
}

/* How a copy was asked for: what the observer is copy of it. */
struct manner {
  enum cudaMemcpyKind kind;
  cudaStream_t stream;
  bool waits;
};

static void notify(const struct box *to, const struct box *from, size_t width, size_t height,
                   size_t depth, struct manner m, cudaError_t error) {
  const struct sd_copy copy = {to->base, from->base, to->pitch, from->pitch, to->slice, from->slice,
                               width,    height,     depth,     (int)m.kind, m.stream,  m.waits};
  SD_NOTIFY(copied, &copy, (int)error);
}

static cudaError_t move_box(const struct box *to, const struct box *from, size_t width,
                            size_t height, size_t depth, struct manner manner, cudaError_t error) {
  notify(to, from, width, height, depth, manner, error);
  for (size_t z = 0; z < depth && !error; z++)
    for (size_t y = 0; y < height; y++)
      memmove(to->base + z * to->slice + y * to->pitch,
              from->base + z * from->slice + y * from->pitch, width);
  return error;
}

/* ---- Arrays and rows ------------------------------------------------------------------------- */

static cudaError_t into_array(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                              size_t spitch, size_t width, size_t height, struct manner manner) {
  const enum cudaMemcpyKind kind = manner.kind;
  enum rt_side to, from;
  struct box target;
  cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_sides(kind, &to, &from) || !reaches_device(kind, true))
    return rt_end(cudaErrorInvalidMemcpyDirection);
  if (width > spitch) return rt_end(cudaErrorInvalidPitchValue);
  error = in_array(rt_array(dst), wOffset, hOffset, 0, width, height, 1, &target);
  if (error) return rt_end(error);
  error = rt_check_rows(src, spitch, width, height, from);
  const struct box source = {(char *)(uintptr_t)src, spitch, 0};
  return rt_end(move_box(&target, &source, width, height, 1, manner, error));
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                size_t spitch, size_t width, size_t height,
                                enum cudaMemcpyKind kind) {
  const struct manner manner = {kind, NULL, true};
  return into_array(dst, wOffset, hOffset, src, spitch, width, height, manner);
}

static cudaError_t out_of_array(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                size_t hOffset, size_t width, size_t height, struct manner manner) {
  const enum cudaMemcpyKind kind = manner.kind;
  enum rt_side to, from;
  struct box source;
  cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_sides(kind, &to, &from) || !reaches_device(kind, false))
    return rt_end(cudaErrorInvalidMemcpyDirection);
  if (width > dpitch) return rt_end(cudaErrorInvalidPitchValue);
  error = in_array(rt_array(src), wOffset, hOffset, 0, width, height, 1, &source);
  if (error) return rt_end(error);
  error = rt_check_rows(dst, dpitch, width, height, to);
  const struct box target = {dst, dpitch, 0};
  return rt_end(move_box(&target, &source, width, height, 1, manner, error));
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                  size_t hOffset, size_t width, size_t height,
                                  enum cudaMemcpyKind kind) {
  const struct manner manner = {kind, NULL, true};
  return out_of_array(dst, dpitch, src, wOffset, hOffset, width, height, manner);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                     const void *src, size_t spitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream) {
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  const struct manner manner = {kind, stream, false};
  return into_array(dst, wOffset, hOffset, src, spitch, width, height, manner);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src,
                                       size_t wOffset, size_t hOffset, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream) {
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  const struct manner manner = {kind, stream, false};
  return out_of_array(dst, dpitch, src, wOffset, hOffset, width, height, manner);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                     cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                     size_t width, size_t height, enum cudaMemcpyKind kind) {
  struct box target, source;
  cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return rt_end(cudaErrorInvalidMemcpyDirection);
  error = in_array(rt_array(dst), wOffsetDst, hOffsetDst, 0, width, height, 1, &target);
  if (!error) error = in_array(rt_array(src), wOffsetSrc, hOffsetSrc, 0, width, height, 1, &source);
  if (error) return rt_end(error);
  const struct manner manner = {kind, NULL, true};
  return rt_end(move_box(&target, &source, width, height, 1, manner, cudaSuccess));
}

/* `count` bytes that go on from row to row of an array. */
static cudaError_t copy_run(struct cudaArray *a, size_t x, size_t y, char *linear, size_t count,
                            bool into, enum cudaMemcpyKind kind) {
  const size_t row = a->extent.width * a->element_bytes, rows = one_if_none(a->extent.height);
  if (x > row || y > rows || count > (rows - y) * row - x) return cudaErrorInvalidValue;
  const struct box in = {(char *)a->data + y * a->pitch + x, 0, 0}, out = {linear, 0, 0};
  notify(into ? &in : &out, into ? &out : &in, count, 1, 1, (struct manner){kind, NULL, true},
         cudaSuccess);
  while (count) {
    const size_t part = count < row - x ? count : row - x;
    char *at = (char *)a->data + y * a->pitch + x;
    if (into)
      memmove(at, linear, part);
    else
      memmove(linear, at, part);
    linear += part;
    count -= part;
    x = 0;
    y++;
  }
  return cudaSuccess;
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                              size_t count, enum cudaMemcpyKind kind) {
  enum rt_side to, from;
  cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_sides(kind, &to, &from) || !reaches_device(kind, true))
    return rt_end(cudaErrorInvalidMemcpyDirection);
  if (!rt_array(dst)) return rt_end(cudaErrorInvalidResourceHandle);
  error = rt_check_span(src, count, from);
  if (!error) error = copy_run(dst, wOffset, hOffset, (char *)(uintptr_t)src, count, true, kind);
  return rt_end(error);
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                size_t count, enum cudaMemcpyKind kind) {
  enum rt_side to, from;
  cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_sides(kind, &to, &from) || !reaches_device(kind, false))
    return rt_end(cudaErrorInvalidMemcpyDirection);
  if (!rt_array(src)) return rt_end(cudaErrorInvalidResourceHandle);
  error = rt_check_span(dst, count, to);
  if (!error) error = copy_run(rt_array(src), wOffset, hOffset, dst, count, false, kind);
  return rt_end(error);
}

/* ---- Boxes ----------------------------------------------------------------------------------- */

/* One end of a cudaMemcpy3D: an array (its position in elements) or pitched memory (in bytes). */
static cudaError_t end_of(cudaArray_t array, struct cudaPos pos, struct cudaPitchedPtr p,
                          struct cudaExtent bytes, enum rt_side side, bool fits, struct box *box) {
  if (array) {
    struct cudaArray *a = rt_array(array);
    const size_t x = a ? pos.x * a->element_bytes : 0;
    if (!fits) return cudaErrorInvalidMemcpyDirection;
    return in_array(a, x, pos.y, pos.z, bytes.width, bytes.height, bytes.depth, box);
  }
  if (!p.ptr) return cudaErrorInvalidValue;
  /* Without a height of its own the memory is as high as what is copied. */
  const size_t rows = p.ysize ? p.ysize : bytes.height;
  if (bytes.height > 1 || bytes.depth > 1) {
    if (pos.x + bytes.width > p.pitch) return cudaErrorInvalidPitchValue;
    if (bytes.depth > 1 && bytes.height + pos.y > rows) return cudaErrorInvalidValue;
  }
  box->pitch = p.pitch;
  box->slice = p.pitch * rows;
  box->base = (char *)p.ptr + pos.z * box->slice + pos.y * p.pitch + pos.x;
  if (!bytes.width || !bytes.height || !bytes.depth) return cudaSuccess;
  return rt_check_span(
      box->base, (bytes.depth - 1) * box->slice + (bytes.height - 1) * p.pitch + bytes.width, side);
}

static cudaError_t move(const struct cudaMemcpy3DParms *p, cudaStream_t stream, bool waits) {
  enum rt_side to, from;
  struct box target = {NULL, 0, 0}, source = {NULL, 0, 0};
  cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!p) return rt_end(cudaErrorInvalidValue);
  if (!rt_sides(p->kind, &to, &from)) return rt_end(cudaErrorInvalidMemcpyDirection);
  const struct cudaArray *a = p->srcArray ? rt_array(p->srcArray) : NULL;
  const struct cudaArray *b = p->dstArray ? rt_array(p->dstArray) : NULL;
  if (a && b && a->element_bytes != b->element_bytes) return rt_end(cudaErrorInvalidValue);
  struct cudaExtent bytes = p->extent;
  bytes.width *= a ? a->element_bytes : b ? b->element_bytes : 1;
  const struct manner manner = {p->kind, stream, waits};
  const cudaError_t second = end_of(p->srcArray, p->srcPos, p->srcPtr, bytes, from,
                                    reaches_device(p->kind, false), &source);
  error =
      end_of(p->dstArray, p->dstPos, p->dstPtr, bytes, to, reaches_device(p->kind, true), &target);
  if (!error) error = second;
  if (error && (!source.base || !target.base)) return rt_end(error);
  return rt_end(move_box(&target, &source, bytes.width, bytes.height, bytes.depth, manner, error));
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p) { return move(p, NULL, true); }

cudaError_t rt_run_box(const void *job) { return move(job, NULL, false); }

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream) {
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  if (!p) return rt_end(cudaErrorInvalidValue);
  if (rt_capture_add(stream, cudaGraphNodeTypeMemcpy, rt_run_box, p, sizeof *p)) return cudaSuccess;
  return move(p, stream, false);
}

static cudaError_t move_peer(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream,
                             bool waits) {
  if (!p) return rt_end(cudaErrorInvalidValue);
  if (!rt_device_ok(p->srcDevice) || !rt_device_ok(p->dstDevice))
    return rt_end(cudaErrorInvalidDevice);
  const struct cudaMemcpy3DParms same = {p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                                         p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDefault};
  return move(&same, stream, waits);
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p) {
  return move_peer(p, NULL, true);
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream) {
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  return move_peer(p, stream, false);
}

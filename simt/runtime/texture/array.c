/* CUDA arrays: memory for textures and surfaces, without addresses.
 *
 * Method   rows after rows in ordinary memory of the device; a texture has no use for another
 *          order here. Layers and the third axis are the same thing
 * Limits   no mipmapped arrays
 * Source   CUDA Runtime API 13.0, section Memory Management
 */
#include "observer.h"
#include "runtime.h"

static const uint64_t magic = 0x51A27A22A9000001;

static struct rt_pool arrays = {.object_bytes = sizeof(struct cudaArray), .capacity = 1u << 16};

struct cudaArray *rt_array(cudaArray_const_t array) {
  return rt_pool_holds(&arrays, array) && array->magic == magic ? (cudaArray_t)(uintptr_t)array
                                                                : NULL;
}

size_t rt_format_bytes(const struct cudaChannelFormatDesc *f) {
  const int bits[4] = {f->x, f->y, f->z, f->w};
  int channels = 0;
  if (f->x != 8 && f->x != 16 && f->x != 32) return 0;
  if (f->f == cudaChannelFormatKindFloat && f->x == 8) return 0;
  if ((unsigned)f->f > cudaChannelFormatKindFloat) return 0;
  while (channels < 4 && bits[channels] == f->x) channels++;
  for (int i = channels; i < 4; i++)
    if (bits[i] != 0) return 0;
  return channels == 3 ? 0 : (size_t)channels * (size_t)f->x / 8;
}

static size_t one_if_none(size_t n) { return n ? n : 1; }

static bool shape_ok(struct cudaExtent e, unsigned flags) {
  if (e.width == 0 || e.width > 131072) return false;
  if (flags & cudaArrayCubemap) {
    const bool layers = (flags & cudaArrayLayered) != 0;
    return e.width == e.height && e.width <= 32768 &&
           (layers ? e.depth != 0 && e.depth % 6 == 0 && e.depth <= 2046 : e.depth == 6);
  }
  if (flags & cudaArrayLayered) return e.depth != 0 && e.depth <= 2048 && e.height <= 32768;
  if (e.depth) return e.height != 0 && e.width <= 16384 && e.height <= 16384 && e.depth <= 16384;
  return e.height <= 65536;
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned flags) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!array || !desc) return rt_end(cudaErrorInvalidValue);
  const size_t element = rt_format_bytes(desc);
  if (!element) return rt_end(cudaErrorInvalidChannelDescriptor);
  if (!shape_ok(extent, flags)) return rt_end(cudaErrorInvalidValue);
  struct cudaArray *made = rt_pool_take(&arrays);
  if (!made) return rt_end(cudaErrorMemoryAllocation);
  made->pitch = (extent.width * element + 15) / 16 * 16;
  made->slice = made->pitch * one_if_none(extent.height);
  made->data = rt_allocate(made->slice * one_if_none(extent.depth), RT_ARRAY, 0, NULL);
  if (!made->data) {
    rt_pool_give(&arrays, made);
    return rt_end(cudaErrorMemoryAllocation);
  }
  made->magic = magic;
  made->format = *desc;
  made->extent = extent;
  made->element_bytes = element;
  made->flags = flags;
  *array = made;
  return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height, unsigned flags) {
  return cudaMalloc3DArray(array, desc, make_cudaExtent(width, height, 0), flags);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  const cudaError_t error = rt_begin();
  if (error || !array) return rt_end(error);
  if (!rt_array(array)) return rt_end(cudaErrorInvalidResourceHandle);
  SD_NOTIFY_BARE(host_waits_all);
  rt_release(array->data, 1u << RT_ARRAY);
  array->magic = 0;
  rt_pool_give(&arrays, array);
  return cudaSuccess;
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned *flags, cudaArray_t array) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_array(array)) return rt_end(cudaErrorInvalidResourceHandle);
  if (desc) *desc = array->format;
  if (extent) *extent = array->extent;
  if (flags) *flags = array->flags;
  return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!desc) return rt_end(cudaErrorInvalidValue);
  if (!rt_array(array)) return rt_end(cudaErrorInvalidResourceHandle);
  *desc = array->format;
  return cudaSuccess;
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f) {
  const struct cudaChannelFormatDesc desc = {x, y, z, w, f};
  return desc;
}

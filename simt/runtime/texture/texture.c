/* Texture and surface objects: making, checking, forgetting.
 *
 * Limits   no mipmaps, no views in another format
 * Source   CUDA Runtime API 13.0, sections Texture Object Management, Surface Object Management
 */
#include "texture.h"

static struct rt_pool objects = {.object_bytes = sizeof(struct simt_texture), .capacity = 1u << 16};

bool rt_is_texture(const void *address) {
  const uintptr_t p = (uintptr_t)address, begin = (uintptr_t)objects.memory;
  return begin && p >= begin && p < begin + objects.capacity * objects.object_bytes;
}

static struct simt_texture *live(unsigned long long object, bool surface) {
  struct simt_texture *t = (struct simt_texture *)(uintptr_t)object;
  return rt_pool_holds(&objects, t) && t->surface == surface ? t : NULL;
}

static cudaError_t set_format(struct simt_texture *t, const struct cudaChannelFormatDesc *format) {
  const size_t bytes = rt_format_bytes(format);
  if (!bytes) return cudaErrorInvalidChannelDescriptor;
  t->bits = format->x;
  t->channels = (int)(bytes * 8) / t->bits;
  t->kind = format->f;
  return cudaSuccess;
}

static cudaError_t set_array(struct simt_texture *t, cudaArray_t array) {
  const struct cudaArray *a = rt_array(array);
  if (!a) return cudaErrorInvalidResourceHandle;
  t->data = a->data;
  t->width = a->extent.width;
  t->height = a->extent.height ? a->extent.height : 1;
  t->depth = a->extent.depth ? a->extent.depth : 1;
  t->pitch = a->pitch;
  t->slice = a->slice;
  t->layered = (a->flags & cudaArrayLayered) != 0;
  t->cubemap = (a->flags & cudaArrayCubemap) != 0;
  return set_format(t, &a->format);
}

static cudaError_t set_memory(struct simt_texture *t, const struct cudaResourceDesc *r) {
  const bool rows = r->resType == cudaResourceTypePitch2D;
  const struct cudaChannelFormatDesc *format = rows ? &r->res.pitch2D.desc : &r->res.linear.desc;
  const size_t element = rt_format_bytes(format);
  if (!element) return cudaErrorInvalidChannelDescriptor;
  t->depth = 1;
  if (rows) {
    t->data = r->res.pitch2D.devPtr;
    t->width = r->res.pitch2D.width;
    t->height = r->res.pitch2D.height;
    t->pitch = r->res.pitch2D.pitchInBytes;
    if (!t->width || !t->height || t->pitch < t->width * element || t->pitch % 32)
      return cudaErrorInvalidValue;
  } else {
    t->data = r->res.linear.devPtr;
    t->width = r->res.linear.sizeInBytes / element;
    t->height = 1;
    t->pitch = t->width * element;
    t->linear = true;
    if ((uintptr_t)t->data % 16) return cudaErrorInvalidValue;
  }
  const cudaError_t error =
      rt_check_rows(t->data, t->pitch, t->width * element, t->height, RT_DEVICE_SIDE);
  return error ? error : set_format(t, format);
}

static cudaError_t set_resource(struct simt_texture *t, const struct cudaResourceDesc *r) {
  t->resource = *r;
  switch (r->resType) {
  case cudaResourceTypeArray: return set_array(t, r->res.array.array);
  case cudaResourceTypeLinear:
  case cudaResourceTypePitch2D: return set_memory(t, r);
  default: return cudaErrorInvalidValue;
  }
}

static cudaError_t set_description(struct simt_texture *t, const struct cudaTextureDesc *d) {
  const bool integers = t->kind != cudaChannelFormatKindFloat;
  t->description = *d;
  t->as_float = !integers || d->readMode == cudaReadModeNormalizedFloat;
  t->normalized = d->normalizedCoords != 0;
  t->filter = d->filterMode;
  t->srgb = d->sRGB && t->kind == cudaChannelFormatKindUnsigned && t->bits == 8;
  for (int i = 0; i < 4; i++) t->border[i] = d->borderColor[i];
  if (integers && d->readMode == cudaReadModeNormalizedFloat && t->bits == 32)
    return cudaErrorInvalidNormSetting;
  if (t->filter == cudaFilterModeLinear && !t->as_float) return cudaErrorInvalidFilterSetting;
  for (int i = 0; i < 3; i++) {
    enum cudaTextureAddressMode mode = d->addressMode[i];
    if ((unsigned)mode > cudaAddressModeBorder) return cudaErrorInvalidValue;
    /* Coordinates in elements cannot wrap. */
    const bool wraps = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
    t->address[i] = wraps && !t->normalized ? cudaAddressModeClamp : mode;
  }
  return cudaSuccess;
}

static cudaError_t make(unsigned long long *object, const struct cudaResourceDesc *resource,
                        const struct cudaTextureDesc *texture) {
  if (!object || !resource) return cudaErrorInvalidValue;
  struct simt_texture *t = rt_pool_take(&objects);
  if (!t) return cudaErrorMemoryAllocation;
  cudaError_t error = set_resource(t, resource);
  if (!error && texture) error = set_description(t, texture);
  if (error) {
    rt_pool_give(&objects, t);
    return error;
  }
  t->surface = !texture;
  *object = (uintptr_t)t;
  return cudaSuccess;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *texture,
                                    const struct cudaResourceViewDesc *view) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!texture) return rt_end(cudaErrorInvalidResourceHandle);
  if (view && view->format != cudaResViewFormatNone) return rt_end(cudaErrorNotSupported);
  return rt_end(make(object, resource, texture));
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                    const struct cudaResourceDesc *resource) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!resource || resource->resType != cudaResourceTypeArray) return rt_end(cudaErrorInvalidValue);
  return rt_end(make(object, resource, NULL));
}

static cudaError_t destroy(unsigned long long object, bool surface) {
  const cudaError_t error = rt_begin();
  if (error || !object) return rt_end(error);
  struct simt_texture *t = live(object, surface);
  if (!t) return rt_end(cudaErrorInvalidValue);
  rt_pool_give(&objects, t);
  return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) { return destroy(object, false); }
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) { return destroy(object, true); }

static cudaError_t resource_of(struct cudaResourceDesc *desc, unsigned long long object,
                               bool surface) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  const struct simt_texture *t = live(object, surface);
  if (!t || !desc) return rt_end(cudaErrorInvalidValue);
  *desc = t->resource;
  return cudaSuccess;
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *desc,
                                             cudaTextureObject_t object) {
  return resource_of(desc, object, false);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *desc,
                                             cudaSurfaceObject_t object) {
  return resource_of(desc, object, true);
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *desc,
                                            cudaTextureObject_t object) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  const struct simt_texture *t = live(object, false);
  if (!t || !desc) return rt_end(cudaErrorInvalidValue);
  *desc = t->description;
  return cudaSuccess;
}

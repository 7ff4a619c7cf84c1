// Texture fetches, surface reads and writes, by object.
//
// Method   the library gives four components of 32 bits; a template narrows them to the type that
//          the kernel asks for. Each fetch comes in both of CUDA's forms: returning the value, and
//          through a pointer
// Limits   no mipmaps (levels and gradients are ignored); texture references, which
//          CUDA 12 removed, are absent
// Source   CUDA C++ Programming Guide, sections Texture Functions and Surface Functions
#ifndef SIMT_TEXTURE_HPP
#define SIMT_TEXTURE_HPP

#include "../../channel_descriptor.h"
#include "../../driver_types.h"
#include "../instrumented.hpp"
#include "texture_object.h"
#include <string.h>

namespace simt {

// The component that a type's own base wants.
template <class B> struct texel_as {
  static SIMT_QUIET B get(const simt_texel &t, int i) { return static_cast<B>(t.u[i]); }
};
template <> struct texel_as<float> {
  static SIMT_QUIET float get(const simt_texel &t, int i) { return t.f[i]; }
};

template <class T, int Number> struct narrow;
template <class T> struct narrow<T, 1> {
  static SIMT_QUIET T get(const simt_texel &t) {
    typedef texel_as<typename format_of<T>::base> as;
    const auto x = as::get(t, 0);
    T value;
    memcpy(&value, &x, sizeof value);
    return value;
  }
};
template <class T> struct narrow<T, 2> {
  static SIMT_QUIET T get(const simt_texel &t) {
    typedef texel_as<typename format_of<T>::base> as;
    return T{as::get(t, 0), as::get(t, 1)};
  }
};
template <class T> struct narrow<T, 4> {
  static SIMT_QUIET T get(const simt_texel &t) {
    typedef texel_as<typename format_of<T>::base> as;
    return T{as::get(t, 0), as::get(t, 1), as::get(t, 2), as::get(t, 3)};
  }
};

template <class T> inline SIMT_QUIET T texel_to(const simt_texel &t) {
  return narrow<T, format_of<T>::number>::get(t);
}

// Arrays have an order of their own on a GPU, so that a profiler learns nothing from their addresses.
SIMT_SEEN void notify_of_array(const void *memory, size_t bytes, bool writes) {
#if defined __SIMT_CHECK__ && SIMT_INSTRUMENTED
  writes ? notify_write(const_cast<void *>(memory), bytes) : notify_read(memory, bytes);
#else
  (void)memory, (void)bytes, (void)writes;
#endif
}

// What the last fetch has read.
SIMT_SEEN void notify_of_texels() {
#if defined __SIMT_CHECK__ && SIMT_INSTRUMENTED
  size_t bytes;
  const void *const *texels;
  for (int left = simt_texels(&texels, &bytes); left > 0; --left)
    notify_read(texels[left - 1], bytes);
#endif
}

template <class T>
SIMT_SEEN T fetch(cudaTextureObject_t object, int axes, float x, float y, float z, int layer) {
  const simt_position at = {x, y, z, layer};
  simt_texel texel;
  simt_texture_fetch(object, axes, &at, &texel);
  notify_of_texels();
  return texel_to<T>(texel);
}

template <class T>
SIMT_SEEN T fetch_cubemap(cudaTextureObject_t object, float x, float y, float z, int layer) {
  const simt_position at = {x, y, z, layer};
  simt_texel texel;
  simt_texture_cubemap(object, &at, &texel);
  notify_of_texels();
  return texel_to<T>(texel);
}

} // namespace simt

// ---- Textures --------------------------------------------------------------------------------

template <class T> SIMT_SEEN T tex1Dfetch(cudaTextureObject_t object, int x) {
  simt_texel texel;
#if SIMT_INSTRUMENTED
  size_t bytes = 0;
  const void *const place = simt_texture_place(object, x, &bytes);
  simt::notify_read(place, bytes);
#endif
  simt_texture_element(object, x, &texel);
  return simt::texel_to<T>(texel);
}
template <class T> SIMT_SEEN T tex1D(cudaTextureObject_t object, float x) {
  return simt::fetch<T>(object, 1, x, 0, 0, 0);
}
template <class T> SIMT_SEEN T tex2D(cudaTextureObject_t object, float x, float y) {
  return simt::fetch<T>(object, 2, x, y, 0, 0);
}
template <class T> SIMT_SEEN T tex3D(cudaTextureObject_t object, float x, float y, float z) {
  return simt::fetch<T>(object, 3, x, y, z, 0);
}
template <class T> SIMT_SEEN T tex1DLayered(cudaTextureObject_t object, float x, int layer) {
  return simt::fetch<T>(object, 1, x, 0, 0, layer);
}
template <class T>
SIMT_SEEN T tex2DLayered(cudaTextureObject_t object, float x, float y, int layer) {
  return simt::fetch<T>(object, 2, x, y, 0, layer);
}
template <class T> SIMT_SEEN T texCubemap(cudaTextureObject_t object, float x, float y, float z) {
  return simt::fetch_cubemap<T>(object, x, y, z, 0);
}
template <class T>
SIMT_SEEN T texCubemapLayered(cudaTextureObject_t object, float x, float y, float z, int layer) {
  return simt::fetch_cubemap<T>(object, x, y, z, layer);
}
template <class T>
SIMT_SEEN T texCubemapLod(cudaTextureObject_t object, float x, float y, float z, float) {
  return texCubemap<T>(object, x, y, z);
}
template <class T>
SIMT_SEEN T texCubemapLayeredLod(cudaTextureObject_t object, float x, float y, float z, int layer,
                                 float) {
  return texCubemapLayered<T>(object, x, y, z, layer);
}
template <class T> SIMT_SEEN T tex1DLod(cudaTextureObject_t object, float x, float) {
  return tex1D<T>(object, x);
}
template <class T> SIMT_SEEN T tex2DLod(cudaTextureObject_t object, float x, float y, float) {
  return tex2D<T>(object, x, y);
}
template <class T>
SIMT_SEEN T tex3DLod(cudaTextureObject_t object, float x, float y, float z, float) {
  return tex3D<T>(object, x, y, z);
}
template <class T>
SIMT_SEEN T tex2DLayeredLod(cudaTextureObject_t object, float x, float y, int layer, float) {
  return tex2DLayered<T>(object, x, y, layer);
}
template <class T> SIMT_SEEN T tex1DGrad(cudaTextureObject_t object, float x, float, float) {
  return tex1D<T>(object, x);
}
template <class T>
SIMT_SEEN T tex2DGrad(cudaTextureObject_t object, float x, float y, float2, float2) {
  return tex2D<T>(object, x, y);
}
template <class T>
SIMT_SEEN T tex2Dgather(cudaTextureObject_t object, float x, float y, int component = 0) {
  simt_texel texel;
  simt_texture_gather(object, x, y, component, &texel);
  simt::notify_of_texels();
  return simt::texel_to<T>(texel);
}

template <class T> SIMT_SEEN void tex1Dfetch(T *value, cudaTextureObject_t object, int x) {
  *value = tex1Dfetch<T>(object, x);
}
template <class T> SIMT_SEEN void tex1D(T *value, cudaTextureObject_t object, float x) {
  *value = tex1D<T>(object, x);
}
template <class T> SIMT_SEEN void tex2D(T *value, cudaTextureObject_t object, float x, float y) {
  *value = tex2D<T>(object, x, y);
}
template <class T>
SIMT_SEEN void tex3D(T *value, cudaTextureObject_t object, float x, float y, float z) {
  *value = tex3D<T>(object, x, y, z);
}
template <class T>
SIMT_SEEN void tex1DLayered(T *value, cudaTextureObject_t object, float x, int layer) {
  *value = tex1DLayered<T>(object, x, layer);
}
template <class T>
SIMT_SEEN void tex2DLayered(T *value, cudaTextureObject_t object, float x, float y, int layer) {
  *value = tex2DLayered<T>(object, x, y, layer);
}

template <class T>
SIMT_SEEN void texCubemap(T *value, cudaTextureObject_t object, float x, float y, float z) {
  *value = texCubemap<T>(object, x, y, z);
}
template <class T>
SIMT_SEEN void texCubemapLayered(T *value, cudaTextureObject_t object, float x, float y, float z,
                                 int layer) {
  *value = texCubemapLayered<T>(object, x, y, z, layer);
}

// ---- Surfaces: x counts bytes -----------------------------------------------------------------

namespace simt {

template <class T>
SIMT_SEEN T surface_read(cudaSurfaceObject_t object, int x, int y, int z,
                         cudaSurfaceBoundaryMode mode) {
  T value;
  const void *place = simt_surface_address(object, x, y, z, int(sizeof(T)), int(mode));
  notify_of_array(place, place ? sizeof value : 0, false);
  if (place)
    __builtin_memcpy(&value, place, sizeof value);
  else
    __builtin_memset(&value, 0, sizeof value);
  return value;
}

template <class T>
SIMT_SEEN void surface_write(const T &value, cudaSurfaceObject_t object, int x, int y, int z,
                             cudaSurfaceBoundaryMode mode) {
  void *place = simt_surface_address(object, x, y, z, int(sizeof(T)), int(mode));
  notify_of_array(place, place ? sizeof value : 0, true);
  if (place) __builtin_memcpy(place, &value, sizeof value);
}

} // namespace simt

template <class T>
SIMT_SEEN T surf1Dread(cudaSurfaceObject_t object, int x,
                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  return simt::surface_read<T>(object, x, 0, 0, mode);
}
template <class T>
SIMT_SEEN T surf2Dread(cudaSurfaceObject_t object, int x, int y,
                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  return simt::surface_read<T>(object, x, y, 0, mode);
}
template <class T>
SIMT_SEEN T surf3Dread(cudaSurfaceObject_t object, int x, int y, int z,
                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  return simt::surface_read<T>(object, x, y, z, mode);
}
template <class T>
SIMT_SEEN T surf1DLayeredread(cudaSurfaceObject_t object, int x, int layer,
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  return simt::surface_read<T>(object, x, 0, layer, mode);
}
template <class T>
SIMT_SEEN T surf2DLayeredread(cudaSurfaceObject_t object, int x, int y, int layer,
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  return simt::surface_read<T>(object, x, y, layer, mode);
}

template <class T>
SIMT_SEEN void surf1Dread(T *value, cudaSurfaceObject_t object, int x,
                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  *value = surf1Dread<T>(object, x, mode);
}
template <class T>
SIMT_SEEN void surf2Dread(T *value, cudaSurfaceObject_t object, int x, int y,
                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  *value = surf2Dread<T>(object, x, y, mode);
}
template <class T>
SIMT_SEEN void surf3Dread(T *value, cudaSurfaceObject_t object, int x, int y, int z,
                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  *value = surf3Dread<T>(object, x, y, z, mode);
}
template <class T>
SIMT_SEEN void surf2DLayeredread(T *value, cudaSurfaceObject_t object, int x, int y, int layer,
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  *value = surf2DLayeredread<T>(object, x, y, layer, mode);
}

template <class T>
SIMT_SEEN T surfCubemapread(cudaSurfaceObject_t object, int x, int y, int face,
                            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  return simt::surface_read<T>(object, x, y, face, mode);
}
// layerFace: 6 * layer + face
template <class T>
SIMT_SEEN T surfCubemapLayeredread(cudaSurfaceObject_t object, int x, int y, int layerFace,
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  return simt::surface_read<T>(object, x, y, layerFace, mode);
}
template <class T>
SIMT_SEEN void surfCubemapread(T *value, cudaSurfaceObject_t object, int x, int y, int face,
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  *value = surfCubemapread<T>(object, x, y, face, mode);
}
template <class T>
SIMT_SEEN void surfCubemapLayeredread(T *value, cudaSurfaceObject_t object, int x, int y,
                                      int layerFace,
                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  *value = surfCubemapLayeredread<T>(object, x, y, layerFace, mode);
}
template <class T>
SIMT_SEEN void surfCubemapwrite(T value, cudaSurfaceObject_t object, int x, int y, int face,
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  simt::surface_write(value, object, x, y, face, mode);
}
template <class T>
SIMT_SEEN void surfCubemapLayeredwrite(T value, cudaSurfaceObject_t object, int x, int y,
                                       int layerFace,
                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  simt::surface_write(value, object, x, y, layerFace, mode);
}

template <class T>
SIMT_SEEN void surf1Dwrite(T value, cudaSurfaceObject_t object, int x,
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  simt::surface_write(value, object, x, 0, 0, mode);
}
template <class T>
SIMT_SEEN void surf2Dwrite(T value, cudaSurfaceObject_t object, int x, int y,
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  simt::surface_write(value, object, x, y, 0, mode);
}
template <class T>
SIMT_SEEN void surf3Dwrite(T value, cudaSurfaceObject_t object, int x, int y, int z,
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  simt::surface_write(value, object, x, y, z, mode);
}
template <class T>
SIMT_SEEN void surf1DLayeredwrite(T value, cudaSurfaceObject_t object, int x, int layer,
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  simt::surface_write(value, object, x, 0, layer, mode);
}
template <class T>
SIMT_SEEN void surf2DLayeredwrite(T value, cudaSurfaceObject_t object, int x, int y, int layer,
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  simt::surface_write(value, object, x, y, layer, mode);
}

#endif

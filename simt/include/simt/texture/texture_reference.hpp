// Texture references: the textures that CUDA had before version 12, for old programs.
//
// Result   texture<T, type, mode> at file scope, cudaBindTexture and its kin, fetches by reference
// Method   the rewriter gives texture<...> the name that it has here, unless the program has a
//          template of its own by that name. Binding makes a texture object; the reference only
//          holds it
// Limits   one, two and three dimensions; no layers, no mipmaps
// Source   CUDA C++ Programming Guide of version 11, section Texture Reference API
#ifndef SIMT_TEXTURE_REFERENCE_HPP
#define SIMT_TEXTURE_REFERENCE_HPP

#include "../internal.h"
#include "texture.hpp"

struct textureReference {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  cudaTextureObject_t object; // 0: not bound
};

template <class T, int Type = cudaTextureType1D, cudaTextureReadMode Mode = cudaReadModeElementType>
struct simt_texture_reference : textureReference {
  simt_texture_reference(int norm = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
                         cudaTextureAddressMode address = cudaAddressModeClamp)
      : textureReference() {
    set(norm, filter, address, cudaCreateChannelDesc<T>());
  }
  simt_texture_reference(int norm, cudaTextureFilterMode filter, cudaTextureAddressMode address,
                         cudaChannelFormatDesc desc)
      : textureReference() {
    set(norm, filter, address, desc);
  }

private:
  void set(int norm, cudaTextureFilterMode filter, cudaTextureAddressMode address,
           cudaChannelFormatDesc desc) {
    normalized = norm;
    filterMode = filter;
    addressMode[0] = addressMode[1] = addressMode[2] = address;
    channelDesc = desc;
  }
};

namespace simt {

// What a fetch gives: the element, or as many floats.
template <int Number> struct floats;
template <> struct floats<1> { typedef float type; };
template <> struct floats<2> { typedef float2 type; };
template <> struct floats<4> { typedef float4 type; };
template <class T, cudaTextureReadMode Mode> struct fetched { typedef T type; };
template <class T> struct fetched<T, cudaReadModeNormalizedFloat> {
  typedef typename floats<format_of<T>::number>::type type;
};

template <class T, int Type, cudaTextureReadMode Mode>
inline cudaError_t bind(const simt_texture_reference<T, Type, Mode> &reference,
                        const cudaResourceDesc &resource) {
  simt_texture_reference<T, Type, Mode> &own =
      const_cast<simt_texture_reference<T, Type, Mode> &>(reference);
  cudaTextureDesc desc = {};
  for (int i = 0; i < 3; i++) desc.addressMode[i] = own.addressMode[i];
  desc.filterMode = own.filterMode;
  desc.readMode = Mode;
  desc.normalizedCoords = own.normalized;
  desc.sRGB = own.sRGB;
  if (own.object) ::cudaDestroyTextureObject(own.object);
  own.object = 0;
  return ::cudaCreateTextureObject(&own.object, &resource, &desc, nullptr);
}

} // namespace simt

// ---- Binding -----------------------------------------------------------------------------------

template <class T, int Type, cudaTextureReadMode Mode>
inline cudaError_t
cudaBindTexture(size_t *offset, const simt_texture_reference<T, Type, Mode> &reference,
                const void *devPtr, const cudaChannelFormatDesc &desc, size_t size = UINT_MAX) {
  cudaResourceDesc resource = {};
  cudaPointerAttributes attributes;
  if (offset) *offset = 0;
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<void *>(devPtr);
  resource.res.linear.desc = desc;
  resource.res.linear.sizeInBytes = size == UINT_MAX ? simt_bytes_from(devPtr) : size;
  return simt::bind(reference, resource);
}
template <class T, int Type, cudaTextureReadMode Mode>
inline cudaError_t cudaBindTexture(size_t *offset,
                                   const simt_texture_reference<T, Type, Mode> &reference,
                                   const void *devPtr, size_t size = UINT_MAX) {
  return cudaBindTexture(offset, reference, devPtr, reference.channelDesc, size);
}
template <class T, int Type, cudaTextureReadMode Mode>
inline cudaError_t cudaBindTexture2D(size_t *offset,
                                     const simt_texture_reference<T, Type, Mode> &reference,
                                     const void *devPtr, const cudaChannelFormatDesc &desc,
                                     size_t width, size_t height, size_t pitch) {
  cudaResourceDesc resource = {};
  if (offset) *offset = 0;
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = const_cast<void *>(devPtr);
  resource.res.pitch2D.desc = desc;
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  return simt::bind(reference, resource);
}
template <class T, int Type, cudaTextureReadMode Mode>
inline cudaError_t
cudaBindTexture2D(size_t *offset, const simt_texture_reference<T, Type, Mode> &reference,
                  const void *devPtr, size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, reference, devPtr, reference.channelDesc, width, height, pitch);
}
template <class T, int Type, cudaTextureReadMode Mode>
inline cudaError_t cudaBindTextureToArray(const simt_texture_reference<T, Type, Mode> &reference,
                                          cudaArray_const_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return simt::bind(reference, resource);
}
template <class T, int Type, cudaTextureReadMode Mode>
inline cudaError_t cudaBindTextureToArray(const simt_texture_reference<T, Type, Mode> &reference,
                                          cudaArray_const_t array, const cudaChannelFormatDesc &) {
  return cudaBindTextureToArray(reference, array);
}
template <class T, int Type, cudaTextureReadMode Mode>
inline cudaError_t cudaUnbindTexture(const simt_texture_reference<T, Type, Mode> &reference) {
  simt_texture_reference<T, Type, Mode> &own =
      const_cast<simt_texture_reference<T, Type, Mode> &>(reference);
  const cudaTextureObject_t object = own.object;
  own.object = 0;
  return ::cudaDestroyTextureObject(object);
}

namespace simt {
// The reference itself is an object of the host's.
template <class Reference>
SIMT_QUIET inline cudaTextureObject_t object_of(const Reference &reference) {
  return reference.object;
}
} // namespace simt

// ---- Fetches -----------------------------------------------------------------------------------

template <class T, int Type, cudaTextureReadMode Mode>
SIMT_SEEN typename simt::fetched<T, Mode>::type
tex1Dfetch(const simt_texture_reference<T, Type, Mode> &reference, int x) {
  return tex1Dfetch<typename simt::fetched<T, Mode>::type>(simt::object_of(reference), x);
}
template <class T, int Type, cudaTextureReadMode Mode>
SIMT_SEEN typename simt::fetched<T, Mode>::type
tex1D(const simt_texture_reference<T, Type, Mode> &reference, float x) {
  return tex1D<typename simt::fetched<T, Mode>::type>(simt::object_of(reference), x);
}
template <class T, int Type, cudaTextureReadMode Mode>
SIMT_SEEN typename simt::fetched<T, Mode>::type
tex2D(const simt_texture_reference<T, Type, Mode> &reference, float x, float y) {
  return tex2D<typename simt::fetched<T, Mode>::type>(simt::object_of(reference), x, y);
}
template <class T, int Type, cudaTextureReadMode Mode>
SIMT_SEEN typename simt::fetched<T, Mode>::type
tex3D(const simt_texture_reference<T, Type, Mode> &reference, float x, float y, float z) {
  return tex3D<typename simt::fetched<T, Mode>::type>(simt::object_of(reference), x, y, z);
}

#endif

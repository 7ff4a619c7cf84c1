/* The inside of texture and surface objects: texture.c makes them, fetch.c reads. */
#ifndef SIMT_TEXTURE_H
#define SIMT_TEXTURE_H

#include "runtime.h"
#include "simt/texture/texture_object.h"

struct simt_texture {
  const unsigned char *data;
  size_t width, height, depth; /* elements; layers and faces count as depth */
  size_t pitch, slice;
  int channels, bits; /* a channel's */
  enum cudaChannelFormatKind kind;
  bool linear, normalized, as_float, srgb, surface, layered, cubemap;
  enum cudaTextureAddressMode address[3];
  enum cudaTextureFilterMode filter;
  float border[4];
  struct cudaResourceDesc resource;
  struct cudaTextureDesc description;
};

#endif

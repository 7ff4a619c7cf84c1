/* Texture and surface objects as kernels see them.
 *
 * Result   simt_texture_fetch: one texel, filtered, as the texture's description says
 * Limits   private: program and library come from one build
 */
#ifndef SIMT_TEXTURE_OBJECT_H
#define SIMT_TEXTURE_OBJECT_H

#include "../abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Components of 32 bits: floats where the texture gives floats, else integers. */
union simt_texel {
  float f[4];
  int i[4];
  unsigned u[4];
};

struct simt_position {
  float x, y, z;
  int layer;
};

/* A cudaTextureObject_t is the address of one of these; nobody outside the runtime looks in. */
struct simt_texture;

/* simt_texture_fetch - the texel at a position of 1 to 3 axes */
SIMT_API void simt_texture_fetch(unsigned long long object, int axes,
                                 const struct simt_position *at, union simt_texel *texel);
/* simt_texture_cubemap - the texel of a cube map in the direction of a position */
SIMT_API void simt_texture_cubemap(unsigned long long object, const struct simt_position *at,
                                   union simt_texel *texel);
/* simt_texture_element - element i of linear memory, 0 outside */
SIMT_API void simt_texture_element(unsigned long long object, int i, union simt_texel *texel);
/* simt_texture_place - where element i of linear memory is; *bytes: its size, 0 outside */
SIMT_API const void *simt_texture_place(unsigned long long object, int i, size_t *bytes);
/* simt_texture_gather - one component of the four texels that a bilinear fetch would use, in
 * CUDA's order: lower left, lower right, upper right, upper left */
SIMT_API void simt_texture_gather(unsigned long long object, float x, float y, int component,
                                  union simt_texel *texel);
/* simt_texels - where the elements are that this thread's last fetch has read, each of *bytes bytes; how
 * many. Only while there is an observer */
SIMT_API int simt_texels(const void *const **texels, size_t *bytes);

/* simt_surface_address - where the element of `bytes` bytes at byte x of row y, layer z is. NULL
 * outside, where reads give 0 and writes do nothing; `mode` is a cudaSurfaceBoundaryMode */
SIMT_API void *simt_surface_address(unsigned long long object, int x, int y, int z, int bytes,
                                    int mode);

#ifdef __cplusplus
}
#endif
#endif

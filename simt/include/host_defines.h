/* Qualifiers of CUDA C.
 *
 * Result   in CUDA sources __global__, __device__, __host__, __shared__, __constant__,
 *          __managed__, __launch_bounds__, __grid_constant__ and __noinline__ stay as they are: the
 *          rewriter reads them after preprocessing. In plain C and C++ they mean nothing
 * Source   CUDA C++ Programming Guide, section C++ Language Extensions
 */
#ifndef SIMT_HOST_DEFINES_H
#define SIMT_HOST_DEFINES_H
#define __HOST_DEFINES_H__ /* asked for by headers that programs share */

#ifndef __CUDACC__
#define __global__
#define __device__
#define __host__
#define __shared__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
#endif

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __thread__ __thread
#define __inline_hint__
#define __no_return__ __attribute__((noreturn))
#define __builtin_align__(n) __align__(n)
#define __CUDA_ALIGN__(n) __align__(n)
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#ifdef __cplusplus
#define __specialization_static
#endif

#endif

/* api.h - the part of the CUDA driver API that is offered: types and values
 *
 * Limits   our own declarations; names are those of the interface, values are its ABI
 * Source   CUDA Driver API 13.0, sections Data types, Error Handling and those of the entries
 */
#ifndef SIMT_DRIVER_API_H
#define SIMT_DRIVER_API_H

#include "driver_types.h"

#include <stddef.h>
#include <stdint.h>

#define API_EXPORT __attribute__((visibility("default")))

typedef int CUresult; /* numbers and names in results.def */
#define API_RESULT(name, number) CUDA_##name = number,
enum {
#include "results.def"
};

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct context *CUcontext;
typedef struct module *CUmodule;
typedef struct function *CUfunction;
typedef struct library *CUlibrary;
typedef struct kernel *CUkernel;
typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef struct user_object *CUuserObject;
typedef struct CUstream_st *CUstream; /* the runtime's own handles */
typedef struct CUevent_st *CUevent;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUgraphNode_st *CUgraphNode;
typedef void (*CUhostFn)(void *user);
typedef size_t (*CUoccupancyB2DSize)(int threads);

enum { CU_DEVICE_INVALID = -2 };
enum { CU_CTX_FLAGS = 0xFF };
enum { CU_CAPTURE_GLOBAL, CU_CAPTURE_THREAD_LOCAL, CU_CAPTURE_RELAXED };

enum { /* CUdevice_attribute: those that are not answered from the runtime's table */
       CU_ATTRIBUTE_MULTIPROCESSORS = 16,
       CU_ATTRIBUTE_MAJOR = 75,
       CU_ATTRIBUTE_MINOR = 76,
};

enum { /* CUpointer_attribute */
       CU_POINTER_CONTEXT = 1,
       CU_POINTER_MEMORY_TYPE,
       CU_POINTER_DEVICE_POINTER,
       CU_POINTER_HOST_POINTER,
       CU_POINTER_SYNC_MEMOPS = 6,
       CU_POINTER_BUFFER_ID,
       CU_POINTER_IS_MANAGED,
       CU_POINTER_DEVICE_ORDINAL,
       CU_POINTER_IPC_CAPABLE,
       CU_POINTER_RANGE_START,
       CU_POINTER_RANGE_SIZE,
       CU_POINTER_MAPPED,
       CU_POINTER_HANDLE_TYPES,
       CU_POINTER_RDMA_CAPABLE,
       CU_POINTER_ACCESS_FLAGS,
       CU_POINTER_MEMPOOL,
};
enum { CU_MEMORY_HOST = 1, CU_MEMORY_DEVICE = 2 };

enum { /* CUfunction_attribute */
       CU_FUNCTION_MOST_THREADS,
       CU_FUNCTION_SHARED_BYTES,
       CU_FUNCTION_CONST_BYTES,
       CU_FUNCTION_LOCAL_BYTES,
       CU_FUNCTION_REGISTERS,
       CU_FUNCTION_PTX_VERSION,
       CU_FUNCTION_BINARY_VERSION,
       CU_FUNCTION_CACHE_CA,
       CU_FUNCTION_DYNAMIC_SHARED,
       CU_FUNCTION_CARVEOUT,
       CU_FUNCTION_CLUSTER_NEEDED,
       CU_FUNCTION_NON_PORTABLE_CLUSTER = 14,
       CU_FUNCTION_CLUSTER_POLICY,
};

enum { CU_MODULE_EAGER = 1 };
enum { CU_JIT_ERROR_LOG = 5, CU_JIT_ERROR_LOG_BYTES }; /* CUjit_option */
enum { CU_LIBRARY_KEEPS_IMAGE = 1 };                   /* CUlibraryOption: the last of them */

enum { CU_PARAM_END, CU_PARAM_BUFFER, CU_PARAM_BUFFER_BYTES }; /* `extra` of cuLaunchKernel */

enum { /* CUlaunchAttributeID */
       CU_LAUNCH_IGNORE,
       CU_LAUNCH_ACCESS_POLICY,
       CU_LAUNCH_COOPERATIVE,
       CU_LAUNCH_SYNC_POLICY,
       CU_LAUNCH_CLUSTER_DIMENSION,
       CU_LAUNCH_CLUSTER_POLICY,
       CU_LAUNCH_PROGRAMMATIC_SERIALIZATION,
       CU_LAUNCH_PRIORITY = 8,
       CU_LAUNCH_SYNC_DOMAIN_MAP,
       CU_LAUNCH_SYNC_DOMAIN,
       CU_LAUNCH_PREFERRED_CLUSTER,
       CU_LAUNCH_CARVEOUT = 14,
};

enum { CU_INSTANTIATE_SUCCESS, CU_INSTANTIATE_ERROR };
typedef struct {
  unsigned long long flags;
  CUstream upload;
  CUgraphNode failed;
  int result; /* CU_INSTANTIATE_* */
} CUgraphInstantiateParams;

typedef struct {
  int id; /* CU_LAUNCH_* */
  int padding;
  union {
    int cooperative;
    unsigned cluster[3];
    char bytes[64];
  } value;
} CUlaunchAttribute;

typedef struct {
  unsigned grid[3], block[3], shared_bytes;
  CUstream stream;
  CUlaunchAttribute *attributes;
  unsigned attribute_count;
} CUlaunchConfig;

#endif

/* The CUDA runtime API for C: everything here is a function of libsimt.so.
 *
 * Limits   one device; streams run in issue order, so asynchronous calls have finished when they
 *          return; external memory, inter-process handles and graphics interoperation are absent,
 *          and using them does not compile
 * Source   CUDA Runtime API 13.0
 */
#ifndef SIMT_CUDA_RUNTIME_API_H
#define SIMT_CUDA_RUNTIME_API_H
#include "simt/names_begin.inc"
#define __CUDA_RUNTIME_API_H__ /* asked for by headers that programs share */

#include "channel_descriptor.h"
#include "driver_types.h"
#include "host_defines.h"
#include "simt/abi.h"

#define CUDART_VERSION 13000

#ifdef __cplusplus
#define SIMT_OR(value) = value
#else
#define SIMT_OR(value)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Errors ------------------------------------------------------------------------------- */

SIMT_API cudaError_t cudaGetLastError(void);
SIMT_API cudaError_t cudaPeekAtLastError(void);
SIMT_API const char *cudaGetErrorName(cudaError_t error);
SIMT_API const char *cudaGetErrorString(cudaError_t error);

/* ---- Devices ------------------------------------------------------------------------------ */

SIMT_API cudaError_t cudaGetDeviceCount(int *count);
SIMT_API cudaError_t cudaGetDevice(int *device);
SIMT_API cudaError_t cudaSetDevice(int device);
SIMT_API cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags);
SIMT_API cudaError_t cudaSetValidDevices(int *devices, int count);
SIMT_API cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop);
SIMT_API cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);
SIMT_API cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device);
SIMT_API cudaError_t cudaDeviceSynchronize(void);
SIMT_API cudaError_t cudaDeviceReset(void);
SIMT_API cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
SIMT_API cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
SIMT_API cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
SIMT_API cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
SIMT_API cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
SIMT_API cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
SIMT_API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
SIMT_API cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pciBusId);
SIMT_API cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device);
SIMT_API cudaError_t cudaSetDeviceFlags(unsigned int flags);
SIMT_API cudaError_t cudaGetDeviceFlags(unsigned int *flags);
SIMT_API cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int source,
                                               int destination);
SIMT_API cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
SIMT_API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
SIMT_API cudaError_t cudaDeviceDisablePeerAccess(int peer);
SIMT_API cudaError_t cudaDriverGetVersion(int *version);
SIMT_API cudaError_t cudaRuntimeGetVersion(int *version);
SIMT_API cudaError_t cudaThreadSynchronize(void);
SIMT_API cudaError_t cudaThreadExit(void);
SIMT_API cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value);
SIMT_API cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit);
SIMT_API cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config);
SIMT_API cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config);
SIMT_API cudaError_t cudaProfilerStart(void);
SIMT_API cudaError_t cudaProfilerStop(void);

/* ---- Streams and events --------------------------------------------------------------------- */

SIMT_API cudaError_t cudaStreamCreate(cudaStream_t *stream);
SIMT_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
SIMT_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags,
                                                  int priority);
SIMT_API cudaError_t cudaStreamDestroy(cudaStream_t stream);
SIMT_API cudaError_t cudaStreamSynchronize(cudaStream_t stream);
SIMT_API cudaError_t cudaStreamQuery(cudaStream_t stream);
SIMT_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                         unsigned int flags SIMT_OR(0));
SIMT_API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                           void *userData, unsigned int flags);
SIMT_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData);
SIMT_API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
SIMT_API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
SIMT_API cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id);
SIMT_API cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device);
SIMT_API cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                            const cudaLaunchAttributeValue *value);
SIMT_API cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                            cudaLaunchAttributeValue *value);
SIMT_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr,
                                              size_t length SIMT_OR(0),
                                              unsigned int flags SIMT_OR(cudaMemAttachSingle));
SIMT_API cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                           enum cudaStreamCaptureStatus *status);
SIMT_API cudaError_t cudaCtxResetPersistingL2Cache(void);

SIMT_API cudaError_t cudaEventCreate(cudaEvent_t *event);
SIMT_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
SIMT_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream SIMT_OR(0));
SIMT_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream SIMT_OR(0),
                                              unsigned int flags SIMT_OR(0));
SIMT_API cudaError_t cudaEventQuery(cudaEvent_t event);
SIMT_API cudaError_t cudaEventSynchronize(cudaEvent_t event);
SIMT_API cudaError_t cudaEventDestroy(cudaEvent_t event);
SIMT_API cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);

/* ---- Graphs ---------------------------------------------------------------------------------- */

SIMT_API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
SIMT_API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
SIMT_API cudaError_t cudaStreamGetCaptureInfo(
    cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id SIMT_OR(0),
    cudaGraph_t *graph SIMT_OR(0), const cudaGraphNode_t **dependencies SIMT_OR(0),
    const cudaGraphEdgeData **edges SIMT_OR(0), size_t *count SIMT_OR(0));
SIMT_API cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                         cudaGraphNode_t *dependencies,
                                                         const cudaGraphEdgeData *edges,
                                                         size_t count,
                                                         unsigned int flags SIMT_OR(0));
SIMT_API cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                              const cudaGraphNode_t *dependencies, size_t number,
                                              struct cudaMemAllocNodeParams *params);
SIMT_API cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                                    struct cudaMemAllocNodeParams *params);
SIMT_API cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                             const cudaGraphNode_t *dependencies, size_t number,
                                             void *dptr);
SIMT_API cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *dptr);
SIMT_API cudaError_t cudaDeviceGraphMemTrim(int device);
SIMT_API cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                                    void *value);
SIMT_API cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                                    void *value);
SIMT_API cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                   const cudaGraphNode_t *dependencies,
                                                   const cudaGraphEdgeData *edges, size_t count,
                                                   enum cudaStreamCaptureMode mode);
SIMT_API cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle,
                                                      cudaGraph_t graph,
                                                      unsigned int value SIMT_OR(0),
                                                      unsigned int flags SIMT_OR(0));
SIMT_API void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);
SIMT_API cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                      const cudaGraphNode_t *dependencies,
                                      const cudaGraphEdgeData *edges, size_t number,
                                      struct cudaGraphNodeParams *params);
SIMT_API cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);
SIMT_API cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags);
SIMT_API cudaError_t cudaGraphDestroy(cudaGraph_t graph);
SIMT_API cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph);
SIMT_API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                            const cudaGraphNode_t *dependencies, size_t number,
                                            const struct cudaKernelNodeParams *params);
SIMT_API cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                            const cudaGraphNode_t *dependencies, size_t number,
                                            const struct cudaMemcpy3DParms *params);
SIMT_API cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                              const cudaGraphNode_t *dependencies, size_t number,
                                              void *dst, const void *src, size_t count,
                                              enum cudaMemcpyKind kind);
SIMT_API cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                            const cudaGraphNode_t *dependencies, size_t number,
                                            const struct cudaMemsetParams *params);
SIMT_API cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies, size_t number,
                                          const struct cudaHostNodeParams *params);
SIMT_API cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *dependencies, size_t number);
SIMT_API cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                                const cudaGraphNode_t *dependencies, size_t number,
                                                cudaGraph_t child);
SIMT_API cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                                 const cudaGraphNode_t *dependencies, size_t number,
                                                 cudaEvent_t event);
SIMT_API cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                               const cudaGraphNode_t *dependencies, size_t number,
                                               cudaEvent_t event);
SIMT_API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                              const cudaGraphNode_t *to,
                                              const cudaGraphEdgeData *edgeData, size_t number);
SIMT_API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *number);
SIMT_API cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                                           size_t *number);
SIMT_API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type);
SIMT_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags SIMT_OR(0));
SIMT_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                                   unsigned long long flags SIMT_OR(0));
SIMT_API cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
SIMT_API cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
SIMT_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
SIMT_API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                      const struct cudaKernelNodeParams *params);
SIMT_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                         cudaGraphExecUpdateResultInfo *info);

/* ---- Kernels -------------------------------------------------------------------------------- */

SIMT_API cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                                      size_t sharedMem, cudaStream_t stream);
SIMT_API cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim,
                                                 void **args, size_t sharedMem,
                                                 cudaStream_t stream);
SIMT_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func,
                                         void **args);
SIMT_API cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value);
SIMT_API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func);
SIMT_API cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config);
SIMT_API cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config);
SIMT_API cudaError_t cudaFuncGetName(const char **name, const void *func);

SIMT_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func,
                                                                   int blockSize,
                                                                   size_t dynamicSMemSize);
SIMT_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *func, int blockSize, size_t dynamicSMemSize, unsigned int flags);
SIMT_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *func,
                                                               int blocks, int blockSize);

/* ---- Memory --------------------------------------------------------------------------------- */

SIMT_API cudaError_t cudaMalloc(void **devPtr, size_t size);
SIMT_API cudaError_t cudaFree(void *devPtr);
SIMT_API cudaError_t cudaMallocHost(void **ptr, size_t size);
SIMT_API cudaError_t cudaHostAlloc(void **ptr, size_t size, unsigned int flags);
SIMT_API cudaError_t cudaFreeHost(void *ptr);
SIMT_API cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags);
SIMT_API cudaError_t cudaHostUnregister(void *ptr);
SIMT_API cudaError_t cudaHostGetDevicePointer(void **devPtr, void *hostPtr, unsigned int flags);
SIMT_API cudaError_t cudaHostGetFlags(unsigned int *flags, void *hostPtr);
SIMT_API cudaError_t cudaMallocManaged(void **devPtr, size_t size,
                                       unsigned int flags SIMT_OR(cudaMemAttachGlobal));
SIMT_API cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height);
SIMT_API cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitched, struct cudaExtent extent);
SIMT_API cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t stream);
SIMT_API cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t stream);
SIMT_API cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
SIMT_API cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                              const void *ptr);

SIMT_API cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t pool,
                                             cudaStream_t stream);
SIMT_API cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props);
SIMT_API cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
SIMT_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep);
SIMT_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr,
                                             void *value);
SIMT_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr,
                                             void *value);
SIMT_API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list,
                                          size_t count);
SIMT_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
SIMT_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
SIMT_API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);

/* In C the signatures of CUDA 13; C++ programs may use those of CUDA 12 too (simt/runtime.hpp). */
SIMT_API cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count,
                                          struct cudaMemLocation location, unsigned int flags,
                                          cudaStream_t stream SIMT_OR(0));
SIMT_API cudaError_t cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                                   struct cudaMemLocation location);
SIMT_API cudaError_t cudaMemRangeGetAttribute(void *data, size_t dataSize,
                                              enum cudaMemRangeAttribute attribute,
                                              const void *devPtr, size_t count);

/* ---- Copies --------------------------------------------------------------------------------- */

SIMT_API cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind);
SIMT_API cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count,
                                     enum cudaMemcpyKind kind, cudaStream_t stream SIMT_OR(0));
SIMT_API cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice,
                                    size_t count);
SIMT_API cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice,
                                         size_t count, cudaStream_t stream SIMT_OR(0));
SIMT_API cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch,
                                  size_t width, size_t height, enum cudaMemcpyKind kind);
SIMT_API cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
                                       size_t width, size_t height, enum cudaMemcpyKind kind,
                                       cudaStream_t stream SIMT_OR(0));
SIMT_API cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p);
SIMT_API cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p,
                                       cudaStream_t stream SIMT_OR(0));
SIMT_API cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p);
SIMT_API cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p,
                                           cudaStream_t stream SIMT_OR(0));
SIMT_API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count,
                                        size_t offset SIMT_OR(0),
                                        enum cudaMemcpyKind kind SIMT_OR(cudaMemcpyHostToDevice));
SIMT_API cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count,
                                          size_t offset SIMT_OR(0),
                                          enum cudaMemcpyKind kind SIMT_OR(cudaMemcpyDeviceToHost));
SIMT_API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count,
                                             size_t offset, enum cudaMemcpyKind kind,
                                             cudaStream_t stream SIMT_OR(0));
SIMT_API cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count,
                                               size_t offset, enum cudaMemcpyKind kind,
                                               cudaStream_t stream SIMT_OR(0));
SIMT_API cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol);
SIMT_API cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol);

SIMT_API cudaError_t cudaMemset(void *devPtr, int value, size_t count);
SIMT_API cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count,
                                     cudaStream_t stream SIMT_OR(0));
SIMT_API cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width,
                                  size_t height);
SIMT_API cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width,
                                       size_t height, cudaStream_t stream SIMT_OR(0));
SIMT_API cudaError_t cudaMemset3D(struct cudaPitchedPtr pitched, int value,
                                  struct cudaExtent extent);
SIMT_API cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitched, int value,
                                       struct cudaExtent extent, cudaStream_t stream SIMT_OR(0));

/* ---- Arrays, textures, surfaces -------------------------------------------------------------- */

SIMT_API cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                                     size_t width, size_t height SIMT_OR(0),
                                     unsigned int flags SIMT_OR(0));
SIMT_API cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                                       struct cudaExtent extent, unsigned int flags SIMT_OR(0));
SIMT_API cudaError_t cudaFreeArray(cudaArray_t array);
SIMT_API cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                                      unsigned int *flags, cudaArray_t array);
SIMT_API cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                         const void *src, size_t spitch, size_t width,
                                         size_t height, enum cudaMemcpyKind kind);
SIMT_API cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src,
                                           size_t wOffset, size_t hOffset, size_t width,
                                           size_t height, enum cudaMemcpyKind kind);
SIMT_API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                              const void *src, size_t spitch, size_t width,
                                              size_t height, enum cudaMemcpyKind kind,
                                              cudaStream_t stream SIMT_OR(0));
SIMT_API cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src,
                                                size_t wOffset, size_t hOffset, size_t width,
                                                size_t height, enum cudaMemcpyKind kind,
                                                cudaStream_t stream SIMT_OR(0));
SIMT_API cudaError_t
cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                         cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc, size_t width,
                         size_t height, enum cudaMemcpyKind kind SIMT_OR(cudaMemcpyDeviceToDevice));
SIMT_API cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                       const void *src, size_t count, enum cudaMemcpyKind kind);
SIMT_API cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t wOffset,
                                         size_t hOffset, size_t count, enum cudaMemcpyKind kind);

SIMT_API cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc,
                                        cudaArray_const_t array);
SIMT_API struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                            enum cudaChannelFormatKind f);
SIMT_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                             const struct cudaResourceDesc *resource,
                                             const struct cudaTextureDesc *texture,
                                             const struct cudaResourceViewDesc *view);
SIMT_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
SIMT_API cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *desc,
                                                      cudaTextureObject_t object);
SIMT_API cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *desc,
                                                     cudaTextureObject_t object);
SIMT_API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                             const struct cudaResourceDesc *resource);
SIMT_API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
SIMT_API cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *desc,
                                                      cudaSurfaceObject_t object);

#ifdef __cplusplus
}
#endif

/* make_cudaExtent and its kin: plain structures from their members. */
static inline struct cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) {
  struct cudaExtent e;
  e.width = w, e.height = h, e.depth = d;
  return e;
}
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  struct cudaPos p;
  p.x = x, p.y = y, p.z = z;
  return p;
}
static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *d, size_t p, size_t xsz, size_t ysz) {
  struct cudaPitchedPtr r;
  r.ptr = d, r.pitch = p, r.xsize = xsz, r.ysize = ysz;
  return r;
}

#if defined(__cplusplus)
#include "simt/runtime.hpp"
#endif
#undef SIMT_OR

#include "simt/names_end.inc"
#endif

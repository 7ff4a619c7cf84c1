/* What the device says of itself.
 *
 * Result   cudaGetDeviceProperties and cudaDeviceGetAttribute, both made of the list
 *          simt/device_attributes.def
 * Source   CUDA Runtime API 13.0, section Device Management
 */
#include "runtime.h"

#include <stdio.h>
#include <string.h>

static const char device_name[] = "simt (software CUDA device)";

#define SIMT_ATTRIBUTE(name, number, value) [number] = {true, value},
static const struct {
  bool known;
  int value;
} attributes[] = {
#include "simt/device_attributes.def"
};

static int of(enum cudaDeviceAttr attribute) { return attributes[attribute].value; }

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device) {
  if (!rt_device_ok(device)) return rt_end(cudaErrorInvalidDevice);
  if (!value || (size_t)attr >= sizeof attributes / sizeof attributes[0] || !attributes[attr].known)
    return rt_end(cudaErrorInvalidValue);
  *value = of(attr);
  return cudaSuccess;
}

static void textures(struct cudaDeviceProp *p) {
  p->textureAlignment = (size_t)of(cudaDevAttrTextureAlignment);
  p->texturePitchAlignment = (size_t)of(cudaDevAttrTexturePitchAlignment);
  p->surfaceAlignment = (size_t)of(cudaDevAttrSurfaceAlignment);
  p->maxTexture1D = of(cudaDevAttrMaxTexture1DWidth);
  p->maxTexture1DMipmap = of(cudaDevAttrMaxTexture1DMipmappedWidth);
  p->maxTexture1DLinear = of(cudaDevAttrMaxTexture1DLinearWidth);
  p->maxTexture2D[0] = of(cudaDevAttrMaxTexture2DWidth);
  p->maxTexture2D[1] = of(cudaDevAttrMaxTexture2DHeight);
  p->maxTexture2DMipmap[0] = of(cudaDevAttrMaxTexture2DMipmappedWidth);
  p->maxTexture2DMipmap[1] = of(cudaDevAttrMaxTexture2DMipmappedHeight);
  p->maxTexture2DLinear[0] = of(cudaDevAttrMaxTexture2DLinearWidth);
  p->maxTexture2DLinear[1] = of(cudaDevAttrMaxTexture2DLinearHeight);
  p->maxTexture2DLinear[2] = of(cudaDevAttrMaxTexture2DLinearPitch);
  p->maxTexture2DGather[0] = of(cudaDevAttrMaxTexture2DGatherWidth);
  p->maxTexture2DGather[1] = of(cudaDevAttrMaxTexture2DGatherHeight);
  p->maxTexture3D[0] = of(cudaDevAttrMaxTexture3DWidth);
  p->maxTexture3D[1] = of(cudaDevAttrMaxTexture3DHeight);
  p->maxTexture3D[2] = of(cudaDevAttrMaxTexture3DDepth);
  p->maxTexture3DAlt[0] = of(cudaDevAttrMaxTexture3DWidthAlt);
  p->maxTexture3DAlt[1] = of(cudaDevAttrMaxTexture3DHeightAlt);
  p->maxTexture3DAlt[2] = of(cudaDevAttrMaxTexture3DDepthAlt);
  p->maxTextureCubemap = of(cudaDevAttrMaxTextureCubemapWidth);
  p->maxTexture1DLayered[0] = of(cudaDevAttrMaxTexture1DLayeredWidth);
  p->maxTexture1DLayered[1] = of(cudaDevAttrMaxTexture1DLayeredLayers);
  p->maxTexture2DLayered[0] = of(cudaDevAttrMaxTexture2DLayeredWidth);
  p->maxTexture2DLayered[1] = of(cudaDevAttrMaxTexture2DLayeredHeight);
  p->maxTexture2DLayered[2] = of(cudaDevAttrMaxTexture2DLayeredLayers);
  p->maxTextureCubemapLayered[0] = of(cudaDevAttrMaxTextureCubemapLayeredWidth);
  p->maxTextureCubemapLayered[1] = of(cudaDevAttrMaxTextureCubemapLayeredLayers);
}

static void surfaces(struct cudaDeviceProp *p) {
  p->maxSurface1D = of(cudaDevAttrMaxSurface1DWidth);
  p->maxSurface2D[0] = of(cudaDevAttrMaxSurface2DWidth);
  p->maxSurface2D[1] = of(cudaDevAttrMaxSurface2DHeight);
  p->maxSurface3D[0] = of(cudaDevAttrMaxSurface3DWidth);
  p->maxSurface3D[1] = of(cudaDevAttrMaxSurface3DHeight);
  p->maxSurface3D[2] = of(cudaDevAttrMaxSurface3DDepth);
  p->maxSurface1DLayered[0] = of(cudaDevAttrMaxSurface1DLayeredWidth);
  p->maxSurface1DLayered[1] = of(cudaDevAttrMaxSurface1DLayeredLayers);
  p->maxSurface2DLayered[0] = of(cudaDevAttrMaxSurface2DLayeredWidth);
  p->maxSurface2DLayered[1] = of(cudaDevAttrMaxSurface2DLayeredHeight);
  p->maxSurface2DLayered[2] = of(cudaDevAttrMaxSurface2DLayeredLayers);
  p->maxSurfaceCubemap = of(cudaDevAttrMaxSurfaceCubemapWidth);
  p->maxSurfaceCubemapLayered[0] = of(cudaDevAttrMaxSurfaceCubemapLayeredWidth);
  p->maxSurfaceCubemapLayered[1] = of(cudaDevAttrMaxSurfaceCubemapLayeredLayers);
}

static void limits(struct cudaDeviceProp *p) {
  p->totalGlobalMem = rt_device_bytes_total();
  p->sharedMemPerBlock = (size_t)of(cudaDevAttrMaxSharedMemoryPerBlock);
  p->sharedMemPerBlockOptin = (size_t)of(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  p->sharedMemPerMultiprocessor = (size_t)of(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  p->reservedSharedMemPerBlock = (size_t)of(cudaDevAttrReservedSharedMemoryPerBlock);
  p->regsPerBlock = of(cudaDevAttrMaxRegistersPerBlock);
  p->regsPerMultiprocessor = of(cudaDevAttrMaxRegistersPerMultiprocessor);
  p->warpSize = of(cudaDevAttrWarpSize);
  p->memPitch = (size_t)of(cudaDevAttrMaxPitch);
  p->maxThreadsPerBlock = of(cudaDevAttrMaxThreadsPerBlock);
  p->maxThreadsDim[0] = of(cudaDevAttrMaxBlockDimX);
  p->maxThreadsDim[1] = of(cudaDevAttrMaxBlockDimY);
  p->maxThreadsDim[2] = of(cudaDevAttrMaxBlockDimZ);
  p->maxGridSize[0] = of(cudaDevAttrMaxGridDimX);
  p->maxGridSize[1] = of(cudaDevAttrMaxGridDimY);
  p->maxGridSize[2] = of(cudaDevAttrMaxGridDimZ);
  p->totalConstMem = (size_t)of(cudaDevAttrTotalConstantMemory);
  p->maxThreadsPerMultiProcessor = of(cudaDevAttrMaxThreadsPerMultiProcessor);
  p->maxBlocksPerMultiProcessor = of(cudaDevAttrMaxBlocksPerMultiprocessor);
  p->persistingL2CacheMaxSize = of(cudaDevAttrMaxPersistingL2CacheSize);
  p->accessPolicyMaxWindowSize = of(cudaDevAttrMaxAccessPolicyWindowSize);
}

static void features(struct cudaDeviceProp *p) {
  p->major = of(cudaDevAttrComputeCapabilityMajor);
  p->minor = of(cudaDevAttrComputeCapabilityMinor);
  p->multiProcessorCount = of(cudaDevAttrMultiProcessorCount);
  p->clockRate = of(cudaDevAttrClockRate);
  p->memoryClockRate = of(cudaDevAttrMemoryClockRate);
  p->memoryBusWidth = of(cudaDevAttrGlobalMemoryBusWidth);
  p->l2CacheSize = of(cudaDevAttrL2CacheSize);
  p->deviceOverlap = of(cudaDevAttrGpuOverlap);
  p->asyncEngineCount = of(cudaDevAttrAsyncEngineCount);
  p->canMapHostMemory = of(cudaDevAttrCanMapHostMemory);
  p->concurrentKernels = of(cudaDevAttrConcurrentKernels);
  p->unifiedAddressing = of(cudaDevAttrUnifiedAddressing);
  p->streamPrioritiesSupported = of(cudaDevAttrStreamPrioritiesSupported);
  p->globalL1CacheSupported = of(cudaDevAttrGlobalL1CacheSupported);
  p->localL1CacheSupported = of(cudaDevAttrLocalL1CacheSupported);
  p->managedMemory = of(cudaDevAttrManagedMemory);
  p->concurrentManagedAccess = of(cudaDevAttrConcurrentManagedAccess);
  p->pageableMemoryAccess = of(cudaDevAttrPageableMemoryAccess);
  p->computePreemptionSupported = of(cudaDevAttrComputePreemptionSupported);
  p->singleToDoublePrecisionPerfRatio = of(cudaDevAttrSingleToDoublePrecisionPerfRatio);
  p->canUseHostPointerForRegisteredMem = of(cudaDevAttrCanUseHostPointerForRegisteredMem);
  p->cooperativeLaunch = of(cudaDevAttrCooperativeLaunch);
  p->hostRegisterSupported = of(cudaDevAttrHostRegisterSupported);
  p->hostRegisterReadOnlySupported = of(cudaDevAttrHostRegisterReadOnlySupported);
  p->memoryPoolsSupported = of(cudaDevAttrMemoryPoolsSupported);
  p->clusterLaunch = of(cudaDevAttrClusterLaunch);
  p->unifiedFunctionPointers = 1;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device) {
  if (!prop) return rt_end(cudaErrorInvalidValue);
  if (!rt_device_ok(device)) return rt_end(cudaErrorInvalidDevice);
  memset(prop, 0, sizeof *prop);
  snprintf(prop->name, sizeof prop->name, "%s", device_name);
  memcpy(prop->uuid.bytes, "simt-software-0", 16);
  prop->uuid.bytes[14] = (char)("0123456789abcdef"[device]);
  prop->pciBusID = device;
  limits(prop);
  features(prop);
  textures(prop);
  surfaces(prop);
  return cudaSuccess;
}

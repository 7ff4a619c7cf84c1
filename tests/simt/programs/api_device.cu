// The device: properties against attributes, limits, choice, peers, versions.
// expect: pass
#include <cstdio>
#include <cstring>

static int wrong;
#define EXPECT(condition) \
  if (!(condition)) ++wrong, printf("line %d: %s\n", __LINE__, #condition)
#define OK(call) EXPECT((call) == cudaSuccess)

static int attribute(cudaDeviceAttr which) {
  int value = -1;
  OK(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

static void properties() {
  cudaDeviceProp p;
  OK(cudaGetDeviceProperties(&p, 0));
  EXPECT(p.name[0] && p.warpSize == 32 && p.maxThreadsPerBlock == 1024);
  EXPECT(p.maxThreadsDim[0] == 1024 && p.maxThreadsDim[1] == 1024 && p.maxThreadsDim[2] == 64);
  EXPECT(p.maxGridSize[0] == 2147483647 && p.maxGridSize[1] == 65535 && p.maxGridSize[2] == 65535);
  EXPECT(p.sharedMemPerBlock == 49152 && p.totalConstMem == 65536 && p.regsPerBlock == 65536);
  EXPECT(p.major == attribute(cudaDevAttrComputeCapabilityMajor));
  EXPECT(p.minor == attribute(cudaDevAttrComputeCapabilityMinor));
  EXPECT(p.multiProcessorCount == attribute(cudaDevAttrMultiProcessorCount));
  EXPECT(p.l2CacheSize == attribute(cudaDevAttrL2CacheSize));
  EXPECT((int)p.sharedMemPerBlockOptin == attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  EXPECT(p.maxThreadsPerMultiProcessor == attribute(cudaDevAttrMaxThreadsPerMultiProcessor));
  EXPECT(p.managedMemory == 1 && p.unifiedAddressing == 1 && p.cooperativeLaunch == 1);
  EXPECT(attribute(cudaDevAttrClockRate) > 0 && attribute(cudaDevAttrMemoryClockRate) > 0);
  size_t free, total;
  OK(cudaMemGetInfo(&free, &total));
  EXPECT(free <= total && total <= p.totalGlobalMem && total > p.totalGlobalMem / 2);
  EXPECT(cudaGetDeviceProperties(&p, 99) == cudaErrorInvalidDevice);
  EXPECT(cudaGetDeviceProperties(nullptr, 0) == cudaErrorInvalidValue);
  int value;
  EXPECT(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0) == cudaErrorInvalidValue);
  EXPECT(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 99) == cudaErrorInvalidDevice);
}

static void limits() {
  size_t v = 0;
  OK(cudaDeviceGetLimit(&v, cudaLimitStackSize));
  EXPECT(v == 1024);
  OK(cudaDeviceSetLimit(cudaLimitStackSize, 8000));
  OK(cudaDeviceGetLimit(&v, cudaLimitStackSize));
  EXPECT(v == 8000);
  OK(cudaDeviceGetLimit(&v, cudaLimitMallocHeapSize));
  EXPECT(v == 8388608);
  OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20));
  OK(cudaDeviceGetLimit(&v, cudaLimitMallocHeapSize));
  EXPECT(v == 64 << 20);
  EXPECT(cudaDeviceSetLimit((cudaLimit)99, 1) == cudaErrorInvalidValue);
  EXPECT(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 2) == cudaErrorUnsupportedLimit);
}

static void choice() {
  int n = 0, device = -1, version = 0, can = -1;
  char bus[32];
  OK(cudaGetDeviceCount(&n));
  EXPECT(n >= 1);
  OK(cudaSetDevice(0));
  OK(cudaGetDevice(&device));
  EXPECT(device == 0);
  EXPECT(cudaSetDevice(-1) == cudaErrorInvalidDevice);
  EXPECT(cudaSetDevice(n) == cudaErrorInvalidDevice);
  OK(cudaDriverGetVersion(&version));
  EXPECT(version >= 13000);
  OK(cudaRuntimeGetVersion(&version));
  EXPECT(version == CUDART_VERSION);
  OK(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
  EXPECT(strlen(bus) == 12);
  OK(cudaDeviceGetByPCIBusId(&device, bus));
  EXPECT(device == 0);
  OK(cudaDeviceCanAccessPeer(&can, 0, 0));
  EXPECT(can == 0);
  EXPECT(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessUnsupported);
  EXPECT(cudaDeviceDisablePeerAccess(0) == cudaErrorPeerAccessNotEnabled);
}

__device__ int variable = 7;
__global__ void change() { variable = 100; }

static void reset() {
  void *p;
  int v = 0;
  OK(cudaMalloc(&p, 100));
  change<<<1, 1>>>();
  OK(cudaMemcpyFromSymbol(&v, variable, sizeof v));
  EXPECT(v == 100);
  OK(cudaDeviceReset());
  EXPECT(cudaFree(p) == cudaErrorInvalidValue);
  cudaGetLastError();
  OK(cudaMemcpyFromSymbol(&v, variable, sizeof v));
  EXPECT(v == 7);
}

int main() {
  properties();
  limits();
  choice();
  reset();
  puts(wrong ? "FAILED" : "PASSED");
  return wrong != 0;
}

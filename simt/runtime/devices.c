/* The devices: how many there are, which one a thread uses, which reach each other's memory.
 *
 * Result   SIMT_DEVICES (1 to 16) of them, else one. All are alike and share the machine's processors;
 *          each has its memory, its streams and its peers
 * Method   one arena of memory for all, whose blocks say whose they are: any copy between devices is a
 *          copy. The number is read once
 * Limits   a failed kernel is the process's, not a device's. Variables of a program are one for all
 *          devices. A kernel that uses memory of a device without access as its peer is caught where
 *          its parameters point there (../device/fault/host_guard.c)
 * Source   CUDA Runtime API 13.0, sections Device Management, Peer Device Memory Access
 */
#include "runtime.h"
#include "simt/driver.h"

#include <stdatomic.h>
#include <stdlib.h>

static _Thread_local int current;
/* Bit p of [d]: d has access to p's memory. */
static _Atomic unsigned reached[RT_MOST_DEVICES];

int rt_devices(void) {
  static atomic_int known;
  int count = atomic_load(&known);
  if (count) return count;
  const char *text = getenv("SIMT_DEVICES");
  char *end = NULL;
  const long wished = text ? strtol(text, &end, 10) : 1;
  count = text && *end == 0 && wished >= 1 && wished <= RT_MOST_DEVICES ? (int)wished : 1;
  atomic_store(&known, count);
  return count;
}

bool rt_device_ok(int device) { return device >= 0 && device < rt_devices(); }
int rt_device(void) { return current; }

int simt_device_count(void) { return rt_devices(); }
void simt_use_device(int device) { current = device; }

cudaError_t cudaGetDeviceCount(int *count) {
  if (!count) return rt_end(cudaErrorInvalidValue);
  *count = rt_devices();
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device) {
  if (!device) return rt_end(cudaErrorInvalidValue);
  *device = current;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  if (!rt_device_ok(device)) return rt_end(cudaErrorInvalidDevice);
  current = device;
  return cudaSuccess;
}

cudaError_t cudaInitDevice(int device, unsigned deviceFlags, unsigned flags) {
  (void)deviceFlags;
  (void)flags;
  return rt_device_ok(device) ? cudaSuccess : rt_end(cudaErrorInvalidDevice);
}

cudaError_t cudaSetValidDevices(int *devices, int count) {
  for (int i = 0; i < count; i++)
    if (!rt_device_ok(devices[i])) return rt_end(cudaErrorInvalidDevice);
  return rt_end(rt_begin());
}

/* ---- Peers ----------------------------------------------------------------------------------- */

int simt_reaches(int device, int peer) {
  return device == peer || (atomic_load(&reached[device]) >> peer & 1) != 0;
}

int simt_peer(int device, int peer, int wanted) {
  const unsigned bit = 1u << peer;
  const unsigned before =
      wanted ? atomic_fetch_or(&reached[device], bit) : atomic_fetch_and(&reached[device], ~bit);
  return (before & bit) != 0;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  if (!rt_device_ok(device) || !rt_device_ok(peer)) return rt_end(cudaErrorInvalidDevice);
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!can) return rt_end(cudaErrorInvalidValue);
  *can = device != peer;
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_device_ok(peer)) return rt_end(cudaErrorInvalidDevice);
  if (flags) return rt_end(cudaErrorInvalidValue);
  if (peer == current) return rt_end(cudaErrorPeerAccessUnsupported);
  return rt_end(simt_peer(current, peer, 1) ? cudaErrorPeerAccessAlreadyEnabled : cudaSuccess);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_device_ok(peer)) return rt_end(cudaErrorInvalidDevice);
  if (peer == current) return rt_end(cudaErrorPeerAccessNotEnabled);
  return rt_end(simt_peer(current, peer, 0) ? cudaSuccess : cudaErrorPeerAccessNotEnabled);
}

/* All are alike, a link from each to each, and atomic operations on it. */
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int source,
                                      int destination) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_device_ok(source) || !rt_device_ok(destination) || source == destination)
    return rt_end(cudaErrorInvalidDevice);
  if (!value) return rt_end(cudaErrorInvalidValue);
  *value = attr != cudaDevP2PAttrPerformanceRank;
  return cudaSuccess;
}

/* Devices that reach each other's memory, and copies between them.
 *
 * Method   all memory lies in one arena, so a copy between contexts is a copy
 * Limits   access is the device's, not the context's
 * Source   CUDA Driver API 13.0, sections Peer Context Memory Access and Memory Management
 */
#include "entry.h"

#include "cuda_runtime_api.h"

API_EXPORT CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  if (!can) return api_leave(CUDA_ERROR_INVALID_VALUE);
  return api_leave(api_result((int)cudaDeviceCanAccessPeer(can, device, peer)));
}

API_EXPORT CUresult cuDeviceGetP2PAttribute(int *value, int attribute, CUdevice device,
                                            CUdevice peer) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  return api_leave(api_result(
      (int)cudaDeviceGetP2PAttribute(value, (enum cudaDeviceP2PAttr)attribute, device, peer)));
}

static CUresult check_peer(const struct context *peer) {
  if (!context_ok(peer)) return CUDA_ERROR_INVALID_CONTEXT;
  return peer->live ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

API_EXPORT CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  const CUresult refused = api_enter(__func__, API_CONTEXT);
  if (refused) return refused;
  CUresult result = check_peer(peer);
  if (!result && flags) result = CUDA_ERROR_INVALID_VALUE;
  const int device = context_current()->device;
  if (!result && peer->device == device) result = CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
  if (!result && simt_peer(device, peer->device, 1))
    result = CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
  return api_leave(result);
}

API_EXPORT CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  const CUresult refused = api_enter(__func__, API_CONTEXT);
  if (refused) return refused;
  CUresult result = check_peer(peer);
  const int device = context_current()->device;
  if (!result && (peer->device == device || !simt_peer(device, peer->device, 0)))
    result = CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
  return api_leave(result);
}

/* ---- Copies ---------------------------------------------------------------------------------- */

static CUresult check_both(const struct context *to, const struct context *from) {
  const CUresult result = check_peer(to);
  return result ? result : check_peer(from);
}

API_EXPORT CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                                 CUcontext from_context, size_t bytes) {
  const CUresult refused = api_enter(__func__, API_UNSAFE);
  if (refused) return refused;
  const CUresult result = check_both(to_context, from_context);
  if (result) return api_leave(result);
  return api_leave(api_result((int)cudaMemcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from,
                                              bytes, cudaMemcpyDeviceToDevice)));
}

API_EXPORT CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                                      CUcontext from_context, size_t bytes, CUstream stream) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  if (refused) return refused;
  const CUresult result = check_both(to_context, from_context);
  if (result) return api_leave(result);
  if (!object_stream_ok(stream)) return api_leave(CUDA_ERROR_INVALID_HANDLE);
  if (capture_implicit(stream)) return api_leave(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  if (api_skips()) return api_leave(CUDA_SUCCESS);
  return api_leave(
      api_result((int)cudaMemcpyAsync((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes,
                                      cudaMemcpyDeviceToDevice, stream)));
}

/* Streams that are recorded, and graphs.
 *
 * Method   the recording itself is the runtime's; what must not happen meanwhile is in recordings.c
 * Source   CUDA Driver API 13.0, sections Stream Management and Graph Management
 */
#include "entry.h"

#include "cuda_runtime_api.h"

API_EXPORT CUresult cuThreadExchangeStreamCaptureMode(int *mode) {
  if (!mode || *mode < CU_CAPTURE_GLOBAL || *mode > CU_CAPTURE_RELAXED)
    return CUDA_ERROR_INVALID_VALUE;
  *mode = capture_exchange_mode(*mode);
  return CUDA_SUCCESS;
}

API_EXPORT CUresult cuStreamBeginCapture_v2(CUstream stream, int mode) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  if (refused) return refused;
  if (!object_stream_ok(stream)) return api_leave(CUDA_ERROR_INVALID_HANDLE);
  if (!capture_has_room()) return api_leave(CUDA_ERROR_OUT_OF_MEMORY);
  const cudaError_t error = cudaStreamBeginCapture(stream, (enum cudaStreamCaptureMode)mode);
  if (!error) capture_note(stream, mode);
  return api_leave(api_result((int)error));
}

API_EXPORT CUresult cuStreamEndCapture(CUstream stream, CUgraph *out) {
  CUgraph graph = NULL;
  const CUresult refused = api_enter(__func__, API_QUEUE);
  if (refused) return refused;
  if (!object_stream_ok(stream)) return api_leave(CUDA_ERROR_INVALID_HANDLE);
  if (!out) return api_leave(CUDA_ERROR_INVALID_VALUE);
  if (stream && capture_is_of_another_thread(stream))
    return api_leave(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
  const cudaError_t error = cudaStreamEndCapture(stream, &graph);
  *out = NULL;
  if (error != cudaErrorStreamCaptureUnmatched) capture_stream_gone(stream);
  if (error) return api_leave(api_result((int)error));
  if (!object_add(graph, OBJECT_GRAPH)) {
    cudaGraphDestroy(graph);
    return api_leave(CUDA_ERROR_OUT_OF_MEMORY);
  }
  *out = graph;
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuStreamIsCapturing(CUstream stream, int *status) {
  enum cudaStreamCaptureStatus now;
  const CUresult refused = api_enter(__func__, API_QUEUE);
  if (refused) return refused;
  if (!status) return api_leave(CUDA_ERROR_INVALID_VALUE);
  if (!object_stream_ok(stream)) return api_leave(CUDA_ERROR_INVALID_HANDLE);
  if (capture_implicit(stream)) return api_leave(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  const cudaError_t error = cudaStreamIsCapturing(stream, &now);
  if (!error) *status = (int)now;
  return api_leave(api_result((int)error));
}

/* What comes next would depend on: not said. */
API_EXPORT CUresult cuStreamGetCaptureInfo_v2(CUstream stream, int *status, uint64_t *id,
                                              CUgraph *graph, const CUgraphNode **dependencies,
                                              size_t *count) {
  enum cudaStreamCaptureStatus now;
  unsigned long long number = 0;
  const CUresult refused = api_enter(__func__, API_QUEUE);
  if (refused) return refused;
  if (!status) return api_leave(CUDA_ERROR_INVALID_VALUE);
  if (!object_stream_ok(stream)) return api_leave(CUDA_ERROR_INVALID_HANDLE);
  if (dependencies || count) return api_leave(CUDA_ERROR_NOT_SUPPORTED);
  const cudaError_t error = cudaStreamIsCapturing(stream, &now);
  const CUgraph recorded = simt_capture_info(stream, &number);
  if (error) return api_leave(api_result((int)error));
  *status = (int)now;
  if (now == cudaStreamCaptureStatusActive) {
    if (id) *id = number;
    if (graph) *graph = recorded;
  }
  return api_leave(CUDA_SUCCESS);
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

static CUresult instantiate(CUgraphExec *out, CUgraph graph, unsigned long long flags) {
  CUgraphExec exec = NULL;
  if (!out || !object_find(graph, OBJECT_GRAPH)) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t error = cudaGraphInstantiateWithFlags(&exec, graph, flags);
  if (error) return api_result((int)error);
  if (!user_objects_copy(graph, exec) || !object_add(exec, OBJECT_EXEC)) {
    user_objects_drop(exec);
    cudaGraphExecDestroy(exec);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  *out = exec;
  return CUDA_SUCCESS;
}

API_EXPORT CUresult cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph graph,
                                                unsigned long long flags) {
  const CUresult refused = api_enter(__func__, API_CONTEXT);
  return refused ? refused : api_leave(instantiate(out, graph, flags));
}

/* There is nothing to upload, into whichever stream. */
API_EXPORT CUresult cuGraphInstantiateWithParams(CUgraphExec *out, CUgraph graph,
                                                 CUgraphInstantiateParams *p) {
  enum { UPLOAD = 2 };
  const CUresult refused = api_enter(__func__, API_CONTEXT);
  if (refused) return refused;
  if (!p) return api_leave(CUDA_ERROR_INVALID_VALUE);
  if ((p->flags & UPLOAD) && !object_stream_ok(p->upload))
    return api_leave(CUDA_ERROR_INVALID_HANDLE);
  const CUresult result = instantiate(out, graph, p->flags & ~(unsigned long long)UPLOAD);
  p->failed = NULL;
  p->result = result ? CU_INSTANTIATE_ERROR : CU_INSTANTIATE_SUCCESS;
  return api_leave(result);
}

API_EXPORT CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  if (refused) return refused;
  if (!object_find(exec, OBJECT_EXEC)) return api_leave(CUDA_ERROR_INVALID_VALUE);
  return api_leave(object_stream_ok(stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}

API_EXPORT CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  if (refused) return refused;
  if (!object_find(exec, OBJECT_EXEC)) return api_leave(CUDA_ERROR_INVALID_VALUE);
  if (!object_stream_ok(stream)) return api_leave(CUDA_ERROR_INVALID_HANDLE);
  if (api_skips()) return api_leave(CUDA_SUCCESS);
  return api_leave(api_result((int)cudaGraphLaunch(exec, stream)));
}

API_EXPORT CUresult cuGraphExecDestroy(CUgraphExec exec) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  if (refused) return refused;
  if (!object_find(exec, OBJECT_EXEC)) return api_leave(CUDA_ERROR_INVALID_VALUE);
  object_remove(exec, OBJECT_EXEC);
  const cudaError_t error = cudaGraphExecDestroy(exec);
  user_objects_drop(exec);
  return api_leave(api_result((int)error));
}

API_EXPORT CUresult cuGraphDestroy(CUgraph graph) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  if (refused) return refused;
  if (!object_find(graph, OBJECT_GRAPH)) return api_leave(CUDA_ERROR_INVALID_VALUE);
  object_remove(graph, OBJECT_GRAPH);
  const cudaError_t error = cudaGraphDestroy(graph);
  user_objects_drop(graph);
  return api_leave(api_result((int)error));
}

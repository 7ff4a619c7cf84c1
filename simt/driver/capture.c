/* Streams that are recorded, and graphs.
 *
 * Method   the recording itself is the runtime's; here is what must not happen meanwhile. A call
 *          that could disturb a recording is refused and spoils it, by the mode of the recording
 *          and that of the calling thread, and so is the use of the legacy stream while a stream
 *          that waits for it is recorded
 * Source   CUDA Driver API 13.0, sections Stream Management and Graph Management
 */
#include "entry.h"

#include "cuda_runtime_api.h"

#include <pthread.h>

enum { RECORDINGS = 256 };

static struct recording {
  CUstream stream; /* NULL: a free place */
  int mode;
  pthread_t thread;
} recordings[RECORDINGS];
static size_t active;

static _Thread_local int own_mode = CU_CAPTURE_GLOBAL;

/* Whether this recording forbids the calling thread what is unsafe. */
static bool forbids(const struct recording *r) {
  if (!r->stream || r->mode == CU_CAPTURE_RELAXED || own_mode == CU_CAPTURE_RELAXED) return false;
  if (pthread_equal(r->thread, pthread_self())) return true;
  return own_mode == CU_CAPTURE_GLOBAL && r->mode == CU_CAPTURE_GLOBAL;
}

bool capture_forbids(void) {
  bool any = false;
  for (size_t i = 0; active && i < RECORDINGS; i++) {
    if (!forbids(&recordings[i])) continue;
    simt_capture_spoil(recordings[i].stream);
    any = true;
  }
  return any;
}

/* A stream that does not wait for the legacy one is not disturbed. */
bool capture_implicit(CUstream stream) {
  enum { NON_BLOCKING = 1 };
  bool any = false;
  if ((uintptr_t)stream > 1 || !active) return false;
  for (size_t i = 0; i < RECORDINGS; i++) {
    unsigned flags = NON_BLOCKING;
    if (recordings[i].stream) cudaStreamGetFlags(recordings[i].stream, &flags);
    if (flags & NON_BLOCKING) continue;
    simt_capture_spoil(recordings[i].stream);
    any = true;
  }
  return any;
}

void capture_stream_gone(CUstream stream) {
  for (size_t i = 0; stream && i < RECORDINGS; i++) {
    if (recordings[i].stream != stream) continue;
    recordings[i].stream = NULL;
    active--;
  }
}

API_EXPORT CUresult cuThreadExchangeStreamCaptureMode(int *mode) {
  if (!mode || *mode < CU_CAPTURE_GLOBAL || *mode > CU_CAPTURE_RELAXED)
    return CUDA_ERROR_INVALID_VALUE;
  const int before = own_mode;
  own_mode = *mode;
  *mode = before;
  return CUDA_SUCCESS;
}

API_EXPORT CUresult cuStreamBeginCapture_v2(CUstream stream, int mode) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  if (refused) return refused;
  if (!object_stream_ok(stream)) return api_leave(CUDA_ERROR_INVALID_HANDLE);
  size_t i = 0;
  while (i < RECORDINGS && recordings[i].stream) i++;
  if (i == RECORDINGS) return api_leave(CUDA_ERROR_OUT_OF_MEMORY);
  const cudaError_t error = cudaStreamBeginCapture(stream, (enum cudaStreamCaptureMode)mode);
  if (!error) {
    recordings[i] = (struct recording){stream, mode, pthread_self()};
    active++;
  }
  return api_leave(api_result((int)error));
}

/* Whether another thread began it, who alone may end it. */
static bool is_strangers(CUstream stream) {
  for (size_t i = 0; i < RECORDINGS; i++)
    if (recordings[i].stream == stream && recordings[i].mode != CU_CAPTURE_RELAXED)
      return !pthread_equal(recordings[i].thread, pthread_self());
  return false;
}

API_EXPORT CUresult cuStreamEndCapture(CUstream stream, CUgraph *out) {
  CUgraph graph = NULL;
  const CUresult refused = api_enter(__func__, API_QUEUE);
  if (refused) return refused;
  if (!object_stream_ok(stream)) return api_leave(CUDA_ERROR_INVALID_HANDLE);
  if (!out) return api_leave(CUDA_ERROR_INVALID_VALUE);
  if (stream && is_strangers(stream)) return api_leave(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
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

API_EXPORT CUresult cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph graph,
                                                unsigned long long flags) {
  CUgraphExec exec = NULL;
  const CUresult refused = api_enter(__func__, API_CONTEXT);
  if (refused) return refused;
  if (!out) return api_leave(CUDA_ERROR_INVALID_VALUE);
  if (!object_find(graph, OBJECT_GRAPH)) return api_leave(CUDA_ERROR_INVALID_VALUE);
  const cudaError_t error = cudaGraphInstantiateWithFlags(&exec, graph, flags);
  if (error) return api_leave(api_result((int)error));
  if (!object_add(exec, OBJECT_EXEC)) {
    cudaGraphExecDestroy(exec);
    return api_leave(CUDA_ERROR_OUT_OF_MEMORY);
  }
  *out = exec;
  return api_leave(CUDA_SUCCESS);
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
  return api_leave(api_result((int)cudaGraphExecDestroy(exec)));
}

API_EXPORT CUresult cuGraphDestroy(CUgraph graph) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  if (refused) return refused;
  if (!object_find(graph, OBJECT_GRAPH)) return api_leave(CUDA_ERROR_INVALID_VALUE);
  object_remove(graph, OBJECT_GRAPH);
  return api_leave(api_result((int)cudaGraphDestroy(graph)));
}

/* Streams that are recorded, and graphs.
 *
 * Method   the recording itself is the runtime's; here is what must not happen meanwhile. A call
 *          that could disturb a recording is refused and spoils it, by the mode of the recording
 *          and that of the calling thread, and so is the use of the legacy stream while a stream
 *          that waits for it is recorded
 * Source   CUDA Driver API 13.0, sections Stream Management and Graph Management
 */
#include "door.h"

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

bool door_capture_forbids(void) {
  bool any = false;
  for (size_t i = 0; active && i < RECORDINGS; i++) {
    if (!forbids(&recordings[i])) continue;
    simt_capture_spoil(recordings[i].stream);
    any = true;
  }
  return any;
}

/* A stream that does not wait for the legacy one is not disturbed. */
bool door_capture_implicit(CUstream stream) {
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

void door_capture_stream_gone(CUstream stream) {
  for (size_t i = 0; stream && i < RECORDINGS; i++) {
    if (recordings[i].stream != stream) continue;
    recordings[i].stream = NULL;
    active--;
  }
}

DOOR_API CUresult cuThreadExchangeStreamCaptureMode(int *mode) {
  if (!mode || *mode < CU_CAPTURE_GLOBAL || *mode > CU_CAPTURE_RELAXED)
    return CUDA_ERROR_INVALID_VALUE;
  const int before = own_mode;
  own_mode = *mode;
  *mode = before;
  return CUDA_SUCCESS;
}

DOOR_API CUresult cuStreamBeginCapture_v2(CUstream stream, int mode) {
  const CUresult refused = door_enter(__func__, DOOR_QUEUE);
  if (refused) return refused;
  if (!door_stream_ok(stream)) return door_leave(CUDA_ERROR_INVALID_HANDLE);
  size_t i = 0;
  while (i < RECORDINGS && recordings[i].stream) i++;
  if (i == RECORDINGS) return door_leave(CUDA_ERROR_OUT_OF_MEMORY);
  const cudaError_t error = cudaStreamBeginCapture(stream, (enum cudaStreamCaptureMode)mode);
  if (!error) {
    recordings[i] = (struct recording){stream, mode, pthread_self()};
    active++;
  }
  return door_leave(door_result((int)error));
}

/* Whether another thread began it, who alone may end it. */
static bool is_strangers(CUstream stream) {
  for (size_t i = 0; i < RECORDINGS; i++)
    if (recordings[i].stream == stream && recordings[i].mode != CU_CAPTURE_RELAXED)
      return !pthread_equal(recordings[i].thread, pthread_self());
  return false;
}

DOOR_API CUresult cuStreamEndCapture(CUstream stream, CUgraph *out) {
  CUgraph graph = NULL;
  const CUresult refused = door_enter(__func__, DOOR_QUEUE);
  if (refused) return refused;
  if (!door_stream_ok(stream)) return door_leave(CUDA_ERROR_INVALID_HANDLE);
  if (!out) return door_leave(CUDA_ERROR_INVALID_VALUE);
  if (stream && is_strangers(stream)) return door_leave(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
  const cudaError_t error = cudaStreamEndCapture(stream, &graph);
  *out = NULL;
  if (error != cudaErrorStreamCaptureUnmatched) door_capture_stream_gone(stream);
  if (error) return door_leave(door_result((int)error));
  if (!door_object_add(graph, DOOR_GRAPH)) {
    cudaGraphDestroy(graph);
    return door_leave(CUDA_ERROR_OUT_OF_MEMORY);
  }
  *out = graph;
  return door_leave(CUDA_SUCCESS);
}

DOOR_API CUresult cuStreamIsCapturing(CUstream stream, int *status) {
  enum cudaStreamCaptureStatus now;
  const CUresult refused = door_enter(__func__, DOOR_QUEUE);
  if (refused) return refused;
  if (!status) return door_leave(CUDA_ERROR_INVALID_VALUE);
  if (!door_stream_ok(stream)) return door_leave(CUDA_ERROR_INVALID_HANDLE);
  if (door_capture_implicit(stream)) return door_leave(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  const cudaError_t error = cudaStreamIsCapturing(stream, &now);
  if (!error) *status = (int)now;
  return door_leave(door_result((int)error));
}

/* What comes next would depend on: not said. */
DOOR_API CUresult cuStreamGetCaptureInfo_v2(CUstream stream, int *status, uint64_t *id,
                                            CUgraph *graph, const CUgraphNode **dependencies,
                                            size_t *count) {
  enum cudaStreamCaptureStatus now;
  unsigned long long number = 0;
  const CUresult refused = door_enter(__func__, DOOR_QUEUE);
  if (refused) return refused;
  if (!status) return door_leave(CUDA_ERROR_INVALID_VALUE);
  if (!door_stream_ok(stream)) return door_leave(CUDA_ERROR_INVALID_HANDLE);
  if (dependencies || count) return door_leave(CUDA_ERROR_NOT_SUPPORTED);
  const cudaError_t error = cudaStreamIsCapturing(stream, &now);
  const CUgraph recorded = simt_capture_info(stream, &number);
  if (error) return door_leave(door_result((int)error));
  *status = (int)now;
  if (now == cudaStreamCaptureStatusActive) {
    if (id) *id = number;
    if (graph) *graph = recorded;
  }
  return door_leave(CUDA_SUCCESS);
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

DOOR_API CUresult cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph graph,
                                              unsigned long long flags) {
  CUgraphExec exec = NULL;
  const CUresult refused = door_enter(__func__, DOOR_CONTEXT);
  if (refused) return refused;
  if (!out) return door_leave(CUDA_ERROR_INVALID_VALUE);
  if (!door_object(graph, DOOR_GRAPH)) return door_leave(CUDA_ERROR_INVALID_VALUE);
  const cudaError_t error = cudaGraphInstantiateWithFlags(&exec, graph, flags);
  if (error) return door_leave(door_result((int)error));
  if (!door_object_add(exec, DOOR_EXEC)) {
    cudaGraphExecDestroy(exec);
    return door_leave(CUDA_ERROR_OUT_OF_MEMORY);
  }
  *out = exec;
  return door_leave(CUDA_SUCCESS);
}

DOOR_API CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  const CUresult refused = door_enter(__func__, DOOR_QUEUE);
  if (refused) return refused;
  if (!door_object(exec, DOOR_EXEC)) return door_leave(CUDA_ERROR_INVALID_VALUE);
  if (!door_stream_ok(stream)) return door_leave(CUDA_ERROR_INVALID_HANDLE);
  if (door_skips()) return door_leave(CUDA_SUCCESS);
  return door_leave(door_result((int)cudaGraphLaunch(exec, stream)));
}

DOOR_API CUresult cuGraphExecDestroy(CUgraphExec exec) {
  const CUresult refused = door_enter(__func__, DOOR_QUEUE);
  if (refused) return refused;
  if (!door_object(exec, DOOR_EXEC)) return door_leave(CUDA_ERROR_INVALID_VALUE);
  door_object_remove(exec, DOOR_EXEC);
  return door_leave(door_result((int)cudaGraphExecDestroy(exec)));
}

DOOR_API CUresult cuGraphDestroy(CUgraph graph) {
  const CUresult refused = door_enter(__func__, DOOR_QUEUE);
  if (refused) return refused;
  if (!door_object(graph, DOOR_GRAPH)) return door_leave(CUDA_ERROR_INVALID_VALUE);
  door_object_remove(graph, DOOR_GRAPH);
  return door_leave(door_result((int)cudaGraphDestroy(graph)));
}

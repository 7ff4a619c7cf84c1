/* Stream capture: operations become nodes instead of being done.
 *
 * Method   a capturing stream knows its graph and its last node; what comes next depends on that
 *          node. Another stream joins by waiting for an event that a capturing stream recorded. The
 *          order of issue is one that all dependencies allow
 * Limits   a joined stream need not be joined back before the end; allocations cannot be captured
 * Source   CUDA C++ Programming Guide, section Creating a Graph Using Stream Capture
 */
#include "graph.h"

#include <stdatomic.h>
#include <string.h>

bool rt_capturing(cudaStream_t stream) {
  const struct rt_capture *c = rt_capture_of(stream);
  return c && c->graph;
}

bool rt_capture_add(cudaStream_t stream, enum cudaGraphNodeType type, rt_step run, const void *job,
                    size_t bytes) {
  struct rt_capture *c = rt_capture_of(stream);
  if (!c || !c->graph) return false;
  cudaGraphNode_t node = rt_graph_add(c->graph, type, run, job, bytes);
  if (!node || (c->last && !rt_graph_edge(c->graph, c->last->index, node->index)))
    c->invalid = true;
  else
    c->last = node;
  return true;
}

void rt_capture_join(cudaStream_t stream, const struct rt_capture *from) {
  struct rt_capture *c = rt_capture_of(stream);
  if (!c || (c->graph && c->graph != from->graph)) return;
  if (c->graph && c->last && from->last) {
    /* Two things to wait for become one. */
    const cudaGraphNode_t own = c->last;
    if (own == from->last ||
        !rt_capture_add(stream, cudaGraphNodeTypeEmpty, rt_run_nothing, NULL, 0))
      return;
    rt_graph_edge(c->graph, from->last->index, c->last->index);
    return;
  }
  c->graph = from->graph;
  c->last = from->last;
  c->number = from->number;
}

cudaError_t rt_capture_forbids(cudaStream_t stream) {
  struct rt_capture *c = rt_capture_of(stream);
  if (!c || !c->graph) return cudaSuccess;
  c->invalid = true;
  return cudaErrorStreamCaptureUnsupported;
}

/* ---- Kernels ------------------------------------------------------------------------------------ */

struct captured_kernel {
  const struct simt_kernel *kernel;
  struct simt_config config;
  void *body;
};

static cudaError_t run_captured(const void *user) {
  const struct captured_kernel *job = user;
  simt_configure(&job->config);
  simt_enter(job->kernel, job->body);
  return simt_launch_result();
}

bool sd_capture_launch(const struct simt_kernel *kernel, const struct simt_config *config,
                       const void *body) {
  struct rt_capture *c = rt_capture_of(config->stream);
  if (!c || !c->graph) return false;
  const size_t align = kernel->body_align > 16 ? kernel->body_align : 16;
  struct captured_kernel job = {kernel, *config,
                                rt_graph_memory(c->graph, kernel->body_bytes + 1, align)};
  job.config.stream = NULL;
  if (job.body)
    memcpy(job.body, body, kernel->body_bytes);
  else
    c->invalid = true;
  return rt_capture_add(config->stream, cudaGraphNodeTypeKernel, run_captured, &job, sizeof job);
}

/* ---- Begin and end --------------------------------------------------------------------------------- */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if ((unsigned int)mode > cudaStreamCaptureModeRelaxed) return rt_end(cudaErrorInvalidValue);
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  struct rt_capture *c = rt_capture_of(stream);
  if (!c) return rt_end(cudaErrorStreamCaptureUnsupported);
  if (c->graph) return rt_end(cudaErrorIllegalState);
  static atomic_ullong numbers;
  *c = (struct rt_capture){
      .graph = rt_graph_make(), .origin = true, .number = 1 + atomic_fetch_add(&numbers, 1)};
  return rt_end(c->graph ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  struct rt_capture *c = rt_capture_of(stream);
  if (!graph || !c || !c->graph) return rt_end(cudaErrorIllegalState);
  if (!c->origin) return rt_end(cudaErrorStreamCaptureUnmatched);
  const cudaGraph_t made = c->graph;
  const bool invalid = rt_capture_end(made);
  *graph = invalid ? NULL : made;
  if (invalid) rt_graph_drop(made);
  return rt_end(invalid ? cudaErrorStreamCaptureInvalidated : cudaSuccess);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  if (!status) return rt_end(cudaErrorInvalidValue);
  const struct rt_capture *c = rt_capture_of(stream);
  *status = !c || !c->graph ? cudaStreamCaptureStatusNone
            : c->invalid    ? cudaStreamCaptureStatusInvalidated
                            : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
  static _Thread_local enum cudaStreamCaptureMode own = cudaStreamCaptureModeGlobal;
  if (!mode || (unsigned int)*mode > cudaStreamCaptureModeRelaxed)
    return rt_end(cudaErrorInvalidValue);
  const enum cudaStreamCaptureMode before = own;
  own = *mode;
  *mode = before;
  return cudaSuccess;
}

/* Stream capture: operations become nodes instead of being done.
 *
 * Method   a capturing stream knows its graph and the nodes that what comes next depends on: the
 *          last one, and those of streams that it waited for. Another stream joins by waiting for
 *          an event that a capturing stream recorded. The order of issue is one that all
 *          dependencies allow
 * Limits   a joined stream need not be joined back before the end
 * Source   CUDA C++ Programming Guide, section Creating a Graph Using Stream Capture
 */
#include "graph.h"

#include <stdatomic.h>
#include <string.h>

bool rt_capturing(cudaStream_t stream) {
  const struct rt_capture *c = rt_capture_of(stream);
  return c && c->graph;
}

/* The next node will depend on these; false: memory is short. */
static bool set_after(struct rt_capture *c, const cudaGraphNode_t *nodes, size_t count) {
  cudaGraphNode_t *copy = rt_graph_memory(c->graph, count * sizeof *nodes + 1, 16);
  if (!copy) return false;
  if (count) memcpy(copy, nodes, count * sizeof *nodes);
  c->after = copy;
  c->after_count = count;
  return true;
}

static bool is_after(const struct rt_capture *c, cudaGraphNode_t node) {
  for (size_t i = 0; i < c->after_count; i++)
    if (c->after[i] == node) return true;
  return false;
}

/* These, too. */
static bool add_after(struct rt_capture *c, const cudaGraphNode_t *nodes, size_t count) {
  cudaGraphNode_t *all =
      rt_graph_memory(c->graph, (c->after_count + count) * sizeof *nodes + 1, 16);
  size_t n = c->after_count;
  if (!all) return false;
  if (n) memcpy(all, c->after, n * sizeof *nodes);
  for (size_t i = 0; i < count; i++)
    if (!is_after(c, nodes[i])) all[n++] = nodes[i];
  c->after = all;
  c->after_count = n;
  return true;
}

bool rt_capture_add(cudaStream_t stream, enum cudaGraphNodeType type, rt_step run, const void *job,
                    size_t bytes) {
  struct rt_capture *c = rt_capture_of(stream);
  if (!c || !c->graph) return false;
  cudaGraphNode_t node = rt_graph_add(c->graph, type, run, job, bytes);
  for (size_t i = 0; node && i < c->after_count; i++)
    if (!rt_graph_edge(c->graph, c->after[i]->index, node->index)) node = NULL;
  if (!node || !set_after(c, &node, 1)) c->invalid = true;
  return true;
}

void rt_capture_join(cudaStream_t stream, const struct rt_capture *from) {
  struct rt_capture *c = rt_capture_of(stream);
  if (!c || (c->graph && c->graph != from->graph)) return;
  if (c->graph) {
    if (!add_after(c, from->after, from->after_count)) c->invalid = true;
    return;
  }
  c->graph = from->graph;
  c->after = from->after;
  c->after_count = from->after_count;
  c->number = from->number;
}

cudaError_t rt_capture_forbids(cudaStream_t stream) {
  struct rt_capture *c = rt_capture_of(stream);
  if (!c || !c->graph) return cudaSuccess;
  c->invalid = true;
  return cudaErrorStreamCaptureUnsupported;
}

/* ---- Kernels --------------------------------------------------------------------------------- */

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

/* ---- Begin and end --------------------------------------------------------------------------- */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if ((unsigned)mode > cudaStreamCaptureModeRelaxed) return rt_end(cudaErrorInvalidValue);
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
  const bool lent = c->lent, invalid = rt_capture_end(made);
  *graph = invalid ? NULL : made;
  if (invalid && !lent) rt_graph_drop(made);
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
  if (!mode || (unsigned)*mode > cudaStreamCaptureModeRelaxed) return rt_end(cudaErrorInvalidValue);
  const enum cudaStreamCaptureMode before = own;
  own = *mode;
  *mode = before;
  return cudaSuccess;
}

/* ---- What comes next depends on -------------------------------------------------------------- */

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **dependencies,
                                     const cudaGraphEdgeData **edges, size_t *count) {
  const cudaError_t error = cudaStreamIsCapturing(stream, status);
  if (error || *status != cudaStreamCaptureStatusActive) return error;
  const struct rt_capture *c = rt_capture_of(stream);
  if (id) *id = c->number;
  if (graph) *graph = c->graph;
  if (dependencies) *dependencies = c->after;
  if (edges) *edges = NULL;
  if (count) *count = c->after_count;
  return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                const cudaGraphEdgeData *edges, size_t count,
                                                unsigned flags) {
  const cudaError_t error = rt_begin();
  (void)edges;
  if (error) return rt_end(error);
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  struct rt_capture *c = rt_capture_of(stream);
  if (!c || !c->graph) return rt_end(cudaErrorIllegalState);
  if (c->invalid) return rt_end(cudaErrorStreamCaptureInvalidated);
  if (flags > cudaStreamSetCaptureDependencies || (count && !dependencies))
    return rt_end(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; i++)
    if (!dependencies[i] || dependencies[i]->graph != c->graph)
      return rt_end(cudaErrorInvalidValue);
  const bool fine = flags == cudaStreamSetCaptureDependencies ? set_after(c, dependencies, count)
                                                              : add_after(c, dependencies, count);
  return rt_end(fine ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies,
                                          const cudaGraphEdgeData *edges, size_t count,
                                          enum cudaStreamCaptureMode mode) {
  if (!rt_graph_ok(graph) || (count && !dependencies)) return rt_end(cudaErrorInvalidValue);
  const cudaError_t error = cudaStreamBeginCapture(stream, mode);
  if (error) return error;
  struct rt_capture *c = rt_capture_of(stream);
  rt_graph_drop(c->graph);
  c->graph = graph;
  c->lent = true;
  return cudaStreamUpdateCaptureDependencies(stream, (cudaGraphNode_t *)(uintptr_t)dependencies,
                                             edges, count, cudaStreamSetCaptureDependencies);
}

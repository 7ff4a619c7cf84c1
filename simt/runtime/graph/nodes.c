/* Nodes made by hand.
 *
 * Method   every kind of node is a job and the step that does it; arguments of kernels are copied
 *          when the node is made, as CUDA has it
 * Source   CUDA Runtime API 13.0, section Graph Management
 */
#include "graph.h"
#include "observer.h"

#include <string.h>

/* What a function that adds a node begins with. */
cudaError_t rt_graph_check(cudaGraphNode_t *node, cudaGraph_t graph,
                           const cudaGraphNode_t *dependencies, size_t number) {
  const cudaError_t error = rt_begin();
  if (error) return error;
  if (!node || !rt_graph_ok(graph) || (number && !dependencies)) return cudaErrorInvalidValue;
  for (size_t i = 0; i < number; i++)
    if (!dependencies[i] || dependencies[i]->graph != graph) return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t rt_graph_attach(cudaGraphNode_t *node, cudaGraph_t graph,
                            const cudaGraphNode_t *dependencies, size_t number,
                            enum cudaGraphNodeType type, rt_step run, const void *job,
                            size_t bytes) {
  cudaGraphNode_t made = rt_graph_add(graph, type, run, job, bytes);
  if (!made) return rt_end(cudaErrorMemoryAllocation);
  for (size_t i = 0; i < number; i++)
    if (!rt_graph_edge(graph, dependencies[i]->index, made->index))
      return rt_end(cudaErrorMemoryAllocation);
  *node = made;
  return cudaSuccess;
}

/* ---- Kernels --------------------------------------------------------------------------------- */

struct kernel_job {
  const void *address;
  struct simt_config config;
  void **arguments;
};

static cudaError_t run_kernel(const void *user) {
  const struct kernel_job *job = user;
  const struct simt_stub *stub = simt_find_kernel(job->address);
  simt_configure(&job->config);
  stub->invoke(job->address, job->arguments);
  return simt_launch_result();
}

static cudaError_t read_kernel(cudaGraph_t graph, const struct cudaKernelNodeParams *p,
                               struct kernel_job *job) {
  if (!p) return cudaErrorInvalidValue;
  const struct simt_stub *stub = p->func ? simt_find_kernel(p->func) : NULL;
  if (!stub) return rt_no_function(p->func);
  if (stub->parameters && !p->kernelParams) return cudaErrorInvalidValue;
  const struct uint3 grid = {p->gridDim.x, p->gridDim.y, p->gridDim.z};
  const struct uint3 block = {p->blockDim.x, p->blockDim.y, p->blockDim.z};
  *job = (struct kernel_job){p->func, {grid, block, {1, 1, 1}, p->sharedMemBytes, NULL, 0}, NULL};
  job->arguments = rt_graph_memory(graph, (stub->parameters + 1) * sizeof(void *), 16);
  if (!job->arguments) return cudaErrorMemoryAllocation;
  for (size_t i = 0; i < stub->parameters; i++) {
    job->arguments[i] = rt_graph_memory(graph, stub->parameter_bytes[i], 64);
    if (!job->arguments[i]) return cudaErrorMemoryAllocation;
    memcpy(job->arguments[i], p->kernelParams[i], stub->parameter_bytes[i]);
  }
  return cudaSuccess;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies, size_t number,
                                   const struct cudaKernelNodeParams *params) {
  struct kernel_job job;
  cudaError_t error = rt_graph_check(node, graph, dependencies, number);
  if (!error) error = read_kernel(graph, params, &job);
  if (error) return rt_end(error);
  return rt_graph_attach(node, graph, dependencies, number, cudaGraphNodeTypeKernel, run_kernel,
                         &job, sizeof job);
}

cudaError_t rt_graph_kernel(cudaGraph_t graph, const struct cudaKernelNodeParams *params,
                            rt_step *run, const void **job) {
  struct kernel_job made;
  const cudaError_t error = read_kernel(graph, params, &made);
  if (error) return error;
  struct kernel_job *copy = rt_graph_memory(graph, sizeof made, 16);
  if (!copy) return cudaErrorMemoryAllocation;
  *copy = made;
  *job = copy;
  *run = run_kernel;
  return cudaSuccess;
}

/* ---- Copies and fills ------------------------------------------------------------------------ */

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies, size_t number,
                                   const struct cudaMemcpy3DParms *params) {
  const cudaError_t error = rt_graph_check(node, graph, dependencies, number);
  if (error || !params) return rt_end(error ? error : cudaErrorInvalidValue);
  return rt_graph_attach(node, graph, dependencies, number, cudaGraphNodeTypeMemcpy, rt_run_box,
                         params, sizeof *params);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies, size_t number, void *dst,
                                     const void *src, size_t count, enum cudaMemcpyKind kind) {
  const struct rt_copy_job job = {dst, src, count, count, count, 1, kind};
  const cudaError_t error = rt_graph_check(node, graph, dependencies, number);
  if (error) return rt_end(error);
  return rt_graph_attach(node, graph, dependencies, number, cudaGraphNodeTypeMemcpy, rt_run_copy,
                         &job, sizeof job);
}

static cudaError_t run_memset(const void *user) {
  const struct cudaMemsetParams *p = user;
  const size_t pitch = p->height > 1 ? p->pitch : p->width * p->elementSize;
  const cudaError_t error =
      rt_check_rows(p->dst, pitch, p->width * p->elementSize, p->height, RT_DEVICE_SIDE);
  const size_t width = p->width * p->elementSize;
  const struct sd_copy fill = {
      .dst = p->dst, .dpitch = pitch, .width = width, .height = p->height, .depth = 1};
  SD_NOTIFY(filled, &fill, (int)error);
  if (error) return rt_end(error);
  for (size_t y = 0; y < p->height; y++)
    for (size_t x = 0; x < p->width; x++)
      memcpy((char *)p->dst + y * pitch + x * p->elementSize, &p->value, p->elementSize);
  return cudaSuccess;
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies, size_t number,
                                   const struct cudaMemsetParams *params) {
  const cudaError_t error = rt_graph_check(node, graph, dependencies, number);
  if (error) return rt_end(error);
  if (!params || (params->elementSize != 1 && params->elementSize != 2 && params->elementSize != 4))
    return rt_end(cudaErrorInvalidValue);
  return rt_graph_attach(node, graph, dependencies, number, cudaGraphNodeTypeMemset, run_memset,
                         params, sizeof *params);
}

/* ---- The others ------------------------------------------------------------------------------ */

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *dependencies, size_t number,
                                 const struct cudaHostNodeParams *params) {
  const cudaError_t error = rt_graph_check(node, graph, dependencies, number);
  if (error) return rt_end(error);
  if (!params || !params->fn) return rt_end(cudaErrorInvalidValue);
  return rt_graph_attach(node, graph, dependencies, number, cudaGraphNodeTypeHost, rt_run_host,
                         params, sizeof *params);
}

cudaError_t rt_run_nothing(const void *job) {
  (void)job;
  return cudaSuccess;
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *dependencies, size_t number) {
  const cudaError_t error = rt_graph_check(node, graph, dependencies, number);
  if (error) return rt_end(error);
  return rt_graph_attach(node, graph, dependencies, number, cudaGraphNodeTypeEmpty, rt_run_nothing,
                         NULL, 0);
}

static cudaError_t run_child(const void *job) { return rt_graph_run(*(const cudaGraph_t *)job); }

/* The child is copied: what is added to it later does not count. */
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *dependencies, size_t number,
                                       cudaGraph_t child) {
  cudaError_t error = rt_graph_check(node, graph, dependencies, number);
  cudaGraph_t clone = NULL;
  if (!error) error = cudaGraphClone(&clone, child);
  if (error) return rt_end(error);
  rt_graph_own(graph, clone);
  return rt_graph_attach(node, graph, dependencies, number, cudaGraphNodeTypeGraph, run_child,
                         &clone, sizeof clone);
}

static cudaError_t run_record(const void *job) {
  return cudaEventRecord(*(const cudaEvent_t *)job, NULL);
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                        const cudaGraphNode_t *dependencies, size_t number,
                                        cudaEvent_t event) {
  const cudaError_t error = rt_graph_check(node, graph, dependencies, number);
  if (error) return rt_end(error);
  return rt_graph_attach(node, graph, dependencies, number, cudaGraphNodeTypeEventRecord,
                         run_record, &event, sizeof event);
}

static cudaError_t run_wait(const void *job) {
  return cudaStreamWaitEvent(NULL, *(const cudaEvent_t *)job, 0);
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                      const cudaGraphNode_t *dependencies, size_t number,
                                      cudaEvent_t event) {
  const cudaError_t error = rt_graph_check(node, graph, dependencies, number);
  if (error) return rt_end(error);
  return rt_graph_attach(node, graph, dependencies, number, cudaGraphNodeTypeWaitEvent, run_wait,
                         &event, sizeof event);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, const cudaGraphEdgeData *edgeData,
                                     size_t number) {
  const cudaError_t error = rt_begin();
  (void)edgeData;
  if (error) return rt_end(error);
  if (!rt_graph_ok(graph) || (number && (!from || !to))) return rt_end(cudaErrorInvalidValue);
  for (size_t i = 0; i < number; i++) {
    if (!from[i] || !to[i] || from[i]->graph != graph || to[i]->graph != graph)
      return rt_end(cudaErrorInvalidValue);
    if (!rt_graph_edge(graph, from[i]->index, to[i]->index))
      return rt_end(cudaErrorMemoryAllocation);
  }
  return cudaSuccess;
}

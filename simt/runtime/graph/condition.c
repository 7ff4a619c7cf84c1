/* Conditional nodes: if, while and switch in graphs; and nodes of any type by one call.
 *
 * Method   a condition is a number that kernels set; the node reads it when its turn has come. Its
 *          graphs are the program's to fill, and belong to the node's graph
 * Limits   what is added to such a graph after the instantiation is done, too
 * Source   CUDA Runtime API 13.0, section Graph Management; Programming Guide, Conditional Graph
 *          Nodes
 */
#include "graph.h"

#include <stdatomic.h>

enum { CONDITIONS = 1 << 12, MOST_BODIES = 1 << 12 };

static struct condition {
  cudaGraph_t graph; /* NULL: free */
  unsigned initial;
  bool assigned; /* initial, at each launch */
  atomic_uint value;
} conditions[CONDITIONS];

static struct condition *condition_of(cudaGraphConditionalHandle handle) {
  struct condition *c = handle - 1 < CONDITIONS ? &conditions[handle - 1] : NULL;
  return c && c->graph ? c : NULL;
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned value, unsigned flags) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!handle || !rt_graph_ok(graph) || flags > cudaGraphCondAssignDefault)
    return rt_end(cudaErrorInvalidValue);
  size_t i = 0;
  rt_lock();
  while (i < CONDITIONS && conditions[i].graph) i++;
  if (i < CONDITIONS) {
    conditions[i].graph = graph;
    conditions[i].initial = value;
    conditions[i].assigned = flags == cudaGraphCondAssignDefault;
    atomic_store(&conditions[i].value, value);
  }
  rt_unlock();
  if (i == CONDITIONS) return rt_end(cudaErrorMemoryAllocation);
  *handle = i + 1;
  return cudaSuccess;
}

/* On the device. */
void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value) {
  struct condition *c = condition_of(handle);
  if (c) atomic_store(&c->value, value);
}

void rt_conditions_begin(cudaGraph_t graph) {
  for (size_t i = 0; i < CONDITIONS; i++) {
    cudaGraph_t whole = conditions[i].graph;
    while (whole && whole != graph) whole = whole->owner;
    if (whole && conditions[i].assigned) atomic_store(&conditions[i].value, conditions[i].initial);
  }
}

void rt_conditions_forget(cudaGraph_t graph) {
  for (size_t i = 0; i < CONDITIONS; i++)
    if (conditions[i].graph == graph) conditions[i].graph = NULL;
}

/* ---- The node -------------------------------------------------------------------------------- */

static cudaError_t run(const void *user) {
  const struct cudaConditionalNodeParams *p = user;
  struct condition *c = condition_of(p->handle);
  cudaError_t error = cudaSuccess;
  if (!c) return rt_end(cudaErrorInvalidValue);
  if (p->type == cudaGraphCondTypeWhile) {
    while (!error && atomic_load(&c->value)) error = rt_graph_run(p->phGraph_out[0]);
    return error;
  }
  unsigned chosen = atomic_load(&c->value);
  if (p->type == cudaGraphCondTypeIf) chosen = !chosen;
  return chosen < p->size ? rt_graph_run(p->phGraph_out[chosen]) : cudaSuccess;
}

static cudaError_t add(cudaGraphNode_t *node, cudaGraph_t graph,
                       const cudaGraphNode_t *dependencies, size_t number,
                       struct cudaConditionalNodeParams *p) {
  const unsigned most = p->type == cudaGraphCondTypeWhile ? 1
                        : p->type == cudaGraphCondTypeIf  ? 2
                                                          : MOST_BODIES;
  const cudaError_t error = rt_graph_check(node, graph, dependencies, number);
  if (error) return rt_end(error);
  if (!condition_of(p->handle) || p->size == 0 || p->size > most ||
      (unsigned)p->type > cudaGraphCondTypeSwitch)
    return rt_end(cudaErrorInvalidValue);
  cudaGraph_t *bodies = rt_graph_memory(graph, p->size * sizeof *bodies, 16);
  if (!bodies) return rt_end(cudaErrorMemoryAllocation);
  for (unsigned i = 0; i < p->size; i++) {
    bodies[i] = rt_graph_make();
    if (!bodies[i]) return rt_end(cudaErrorMemoryAllocation);
    rt_graph_own(graph, bodies[i]);
  }
  p->phGraph_out = bodies;
  return rt_graph_attach(node, graph, dependencies, number, cudaGraphNodeTypeConditional, run, p,
                         sizeof *p);
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                             const cudaGraphNode_t *before, const cudaGraphEdgeData *edges,
                             size_t number, struct cudaGraphNodeParams *p) {
  (void)edges;
  if (!p) return rt_end(cudaErrorInvalidValue);
  switch (p->type) {
  case cudaGraphNodeTypeKernel:
    return cudaGraphAddKernelNode(node, graph, before, number, &p->kernel);
  case cudaGraphNodeTypeMemcpy:
    return cudaGraphAddMemcpyNode(node, graph, before, number, &p->memcpy.copyParams);
  case cudaGraphNodeTypeMemset:
    return cudaGraphAddMemsetNode(node, graph, before, number, &p->memset);
  case cudaGraphNodeTypeHost: return cudaGraphAddHostNode(node, graph, before, number, &p->host);
  case cudaGraphNodeTypeGraph:
    return cudaGraphAddChildGraphNode(node, graph, before, number, p->graph.graph);
  case cudaGraphNodeTypeEmpty: return cudaGraphAddEmptyNode(node, graph, before, number);
  case cudaGraphNodeTypeWaitEvent:
    return cudaGraphAddEventWaitNode(node, graph, before, number, p->eventWait.event);
  case cudaGraphNodeTypeEventRecord:
    return cudaGraphAddEventRecordNode(node, graph, before, number, p->eventRecord.event);
  case cudaGraphNodeTypeMemAlloc:
    return cudaGraphAddMemAllocNode(node, graph, before, number, &p->alloc);
  case cudaGraphNodeTypeMemFree:
    return cudaGraphAddMemFreeNode(node, graph, before, number, p->free.dptr);
  case cudaGraphNodeTypeConditional: return add(node, graph, before, number, &p->conditional);
  }
  return rt_end(cudaErrorInvalidValue);
}

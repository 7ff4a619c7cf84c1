/* Executable graphs.
 *
 * Method   the nodes in an order that their dependencies allow, done one after the other inside
 *          cudaGraphLaunch; the jobs stay in the memory of the graph they came from
 * Source   CUDA Runtime API 13.0, section Graph Management
 */
#include "graph.h"
#include "observer.h"

/* The observer learns which nodes this one depends on. */
static void notify_of_node(const struct CUgraphNode_st *node) {
  enum { MOST = 8192 };
  size_t before[MOST], count = 0;
  const struct CUgraph_st *graph = node->graph;
  for (size_t e = 0; e < graph->edge_count && count < MOST; e++)
    if (graph->edges[e].to == node->index) before[count++] = graph->edges[e].from;
  SD_NOTIFY(graph_node, node->index, before, count);
}

struct CUgraphExec_st {
  cudaGraph_t graph; /* keeps the jobs alive */
  struct step {
    cudaGraphNode_t node;
    rt_step run;
    const void *job;
  } * steps;
  size_t count;
  bool frees; /* what is left of its memory, when it is launched again */
};

static struct rt_pool executables = {.object_bytes = sizeof(struct CUgraphExec_st),
                                     .capacity = 1u << 14};

cudaError_t rt_graph_run(cudaGraph_t graph) {
  const bool known =
      graph->order && graph->ordered == graph->count && graph->ordered_edges == graph->edge_count;
  struct CUgraphNode_st **order =
      known ? graph->order : rt_graph_memory(graph, graph->count * sizeof *order + 1, 16);
  cudaError_t error =
      known || (order && rt_graph_order(graph, order)) ? cudaSuccess : cudaErrorInvalidValue;
  graph->order = error ? NULL : order;
  graph->ordered = graph->count;
  graph->ordered_edges = graph->edge_count;
  SD_NOTIFY(graph_begin, NULL, graph->count);
  for (size_t i = 0; i < graph->count && !error; i++) {
    if (sd_observer) notify_of_node(order[i]);
    error = order[i]->run(order[i]->job);
    sd_drain(); /* a kernel may only have been issued */
  }
  SD_NOTIFY_BARE(graph_end);
  return error;
}

/* A copy shares the jobs with the original, which it keeps from then on. */
cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!clone || !rt_graph_ok(graph)) return rt_end(cudaErrorInvalidValue);
  cudaGraph_t made = rt_graph_make();
  if (!made) return rt_end(cudaErrorMemoryAllocation);
  rt_graph_keep(graph);
  for (size_t i = 0; i < graph->count; i++) {
    const struct CUgraphNode_st *from = graph->nodes[i];
    cudaGraphNode_t node = rt_graph_add(made, from->type, from->run, NULL, 0);
    if (!node) return rt_end(cudaErrorMemoryAllocation);
    node->job = from->job;
  }
  for (size_t e = 0; e < graph->edge_count; e++)
    if (!rt_graph_edge(made, graph->edges[e].from, graph->edges[e].to))
      return rt_end(cudaErrorMemoryAllocation);
  *clone = made;
  return cudaSuccess;
}

/* ---- Making ---------------------------------------------------------------------------------- */

static cudaError_t fill(struct CUgraphExec_st *exec, cudaGraph_t graph) {
  struct CUgraphNode_st **order = rt_graph_memory(graph, graph->count * sizeof *order + 1, 16);
  struct step *steps = rt_graph_memory(graph, graph->count * sizeof *steps + 1, 16);
  if (!order || !steps) return cudaErrorMemoryAllocation;
  if (!rt_graph_order(graph, order)) return cudaErrorInvalidValue;
  for (size_t i = 0; i < graph->count; i++)
    steps[i] = (struct step){order[i], order[i]->run, order[i]->job};
  *exec = (struct CUgraphExec_st){graph, steps, graph->count, false};
  rt_graph_keep(graph);
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!exec || !rt_graph_ok(graph)) return rt_end(cudaErrorInvalidValue);
  if (flags & cudaGraphInstantiateFlagDeviceLaunch) return rt_end(cudaErrorNotSupported);
  struct CUgraphExec_st *made = rt_pool_take(&executables);
  if (!made) return rt_end(cudaErrorMemoryAllocation);
  error = fill(made, graph);
  if (error)
    rt_pool_give(&executables, made);
  else
    *exec = made;
  made->frees = !error && (flags & cudaGraphInstantiateFlagAutoFreeOnLaunch);
  return rt_end(error);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_pool_holds(&executables, exec)) return rt_end(cudaErrorInvalidValue);
  rt_graph_drop(exec->graph);
  rt_pool_give(&executables, exec);
  return cudaSuccess;
}

/* ---- Changing -------------------------------------------------------------------------------- */

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *params) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_pool_holds(&executables, exec)) return rt_end(cudaErrorInvalidValue);
  for (size_t i = 0; i < exec->count; i++)
    if (exec->steps[i].node == node && node->type == cudaGraphNodeTypeKernel)
      return rt_end(rt_graph_kernel(exec->graph, params, &exec->steps[i].run, &exec->steps[i].job));
  return rt_end(cudaErrorInvalidValue);
}

/* The steps become those of `graph`, if it has the same kinds of nodes in the same order. */
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *info) {
  struct CUgraphExec_st fresh;
  cudaGraphExecUpdateResultInfo result = {cudaGraphExecUpdateSuccess, NULL, NULL};
  cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_pool_holds(&executables, exec) || !rt_graph_ok(graph))
    return rt_end(cudaErrorInvalidValue);
  if (graph->count != exec->count) result.result = cudaGraphExecUpdateErrorTopologyChanged;
  error = fill(&fresh, graph);
  if (error) return rt_end(error);
  for (size_t i = 0; i < fresh.count && result.result == cudaGraphExecUpdateSuccess; i++)
    if (fresh.steps[i].node->type != exec->steps[i].node->type) {
      result.result = cudaGraphExecUpdateErrorNodeTypeChanged;
      result.errorNode = fresh.steps[i].node;
    }
  const bool fine = result.result == cudaGraphExecUpdateSuccess;
  for (size_t i = 0; fine && i < fresh.count; i++) /* the handles stay those of the first graph */
    fresh.steps[i].node = exec->steps[i].node;
  rt_graph_drop(fine ? exec->graph : graph);
  fresh.frees = exec->frees;
  if (fine) *exec = fresh;
  if (info) *info = result;
  return rt_end(fine ? cudaSuccess : cudaErrorGraphExecUpdateFailure);
}

/* ---- Running --------------------------------------------------------------------------------- */

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  return rt_end(rt_pool_holds(&executables, exec) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  bool skip;
  cudaError_t error = rt_begin_later(&skip);
  if (error) return rt_end(error);
  if (!rt_pool_holds(&executables, exec)) return rt_end(cudaErrorInvalidValue);
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  if (rt_capturing(stream)) return rt_end(cudaErrorStreamCaptureUnsupported);
  if (exec->frees && !skip) rt_graph_free_all(exec->graph);
  if (!skip) rt_conditions_begin(exec->graph);
  SD_NOTIFY(graph_begin, stream, exec->graph->count);
  for (size_t i = 0; !skip && i < exec->count && !error; i++) {
    if (sd_observer) notify_of_node(exec->steps[i].node);
    error = exec->steps[i].run(exec->steps[i].job);
    sd_drain();
  }
  SD_NOTIFY_BARE(graph_end);
  return rt_end(error);
}

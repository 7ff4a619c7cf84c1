/* Graphs: recorded operations. graph.c keeps them, nodes.c adds nodes by hand, run.c runs them,
 * capture.c records what is issued to a stream. */
#ifndef SIMT_GRAPH_H
#define SIMT_GRAPH_H

#include "runtime.h"

struct CUgraphNode_st {
  enum cudaGraphNodeType type;
  cudaGraph_t graph;
  size_t index; /* in the order of creation */
  rt_step run;
  const void *job;
};

struct rt_edge {
  size_t from, to;
};

struct CUgraph_st {
  cudaGraph_t owner;                /* whose node it is a part of; NULL: the program's own */
  cudaGraph_t owned, next_of_owner; /* those of its own nodes */
  struct CUgraphNode_st **order;    /* of so many nodes and edges */
  size_t ordered, ordered_edges;
  unsigned references;     /* the program's own, and one of each executable made of it */
  struct rt_chunk *chunks; /* memory of nodes and jobs */
  struct CUgraphNode_st **nodes;
  size_t count, capacity;
  struct rt_edge *edges;
  size_t edge_count, edge_capacity;
};

cudaGraph_t rt_graph_make(void);
bool rt_graph_ok(cudaGraph_t graph);
void rt_graph_keep(cudaGraph_t graph);
void rt_graph_drop(cudaGraph_t graph);
/* rt_graph_memory - lives as long as the graph; NULL if there is none */
void *rt_graph_memory(cudaGraph_t graph, size_t bytes, size_t align);
bool rt_graph_edge(cudaGraph_t graph, size_t from, size_t to);
/* rt_graph_add - a node with a copy of its job; NULL if memory is short */
cudaGraphNode_t rt_graph_add(cudaGraph_t graph, enum cudaGraphNodeType type, rt_step run,
                             const void *job, size_t bytes);
/* rt_graph_order - the nodes so that each comes behind those it depends on; false: a circle */
bool rt_graph_order(cudaGraph_t graph, struct CUgraphNode_st **order);
/* rt_graph_own - `part` goes when the graph does */
void rt_graph_own(cudaGraph_t graph, cudaGraph_t part);
/* rt_conditions_begin - conditions of the graph, and of what it owns, get their defaults;
 * rt_conditions_forget - the graph is gone */
void rt_conditions_begin(cudaGraph_t graph);
void rt_conditions_forget(cudaGraph_t graph);
/* rt_graph_run - all nodes once */
cudaError_t rt_graph_run(cudaGraph_t graph);
/* rt_graph_check - what a function that adds a node begins with */
cudaError_t rt_graph_check(cudaGraphNode_t *node, cudaGraph_t graph,
                           const cudaGraphNode_t *dependencies, size_t number);
/* rt_graph_attach - a node behind others, for the program */
cudaError_t rt_graph_attach(cudaGraphNode_t *node, cudaGraph_t graph,
                            const cudaGraphNode_t *dependencies, size_t number,
                            enum cudaGraphNodeType type, rt_step run, const void *job,
                            size_t bytes);
/* rt_graph_forget_memory - the graph is gone; rt_graph_free_all - what it allocated is freed */
void rt_graph_forget_memory(cudaGraph_t graph);
void rt_graph_free_all(cudaGraph_t graph);
/* rt_graph_kernel - the step and job of a kernel node */
cudaError_t rt_graph_kernel(cudaGraph_t graph, const struct cudaKernelNodeParams *params,
                            rt_step *run, const void **job);

#endif

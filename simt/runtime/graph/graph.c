/* Graphs as objects: nodes, edges, memory.
 *
 * Method   memory comes from mappings of the graph's own and goes with the last reference, so that
 *          an executable graph outlives the graph it was made of
 * Source   CUDA Runtime API 13.0, section Graph Management
 */
#include "graph.h"

#include <string.h>
#include <sys/mman.h>

struct rt_chunk {
  struct rt_chunk *next;
  size_t bytes, used;
};

enum { CHUNK = 64 * 1024 };

static struct rt_pool graphs = {.object_bytes = sizeof(struct CUgraph_st), .capacity = 1u << 14};

cudaGraph_t rt_graph_make(void) {
  cudaGraph_t graph = rt_pool_take(&graphs);
  if (graph) graph->references = 1;
  return graph;
}

bool rt_graph_ok(cudaGraph_t graph) { return rt_pool_holds(&graphs, graph); }

void rt_graph_keep(cudaGraph_t graph) { graph->references++; }

void rt_graph_own(cudaGraph_t graph, cudaGraph_t part) {
  part->owner = graph;
  part->next_of_owner = graph->owned;
  graph->owned = part;
}

void rt_graph_drop(cudaGraph_t graph) {
  if (--graph->references) return;
  rt_graph_forget_memory(graph);
  rt_conditions_forget(graph);
  for (cudaGraph_t part = graph->owned; part;) {
    const cudaGraph_t next = part->next_of_owner;
    rt_graph_drop(part);
    part = next;
  }
  for (struct rt_chunk *c = graph->chunks; c;) {
    struct rt_chunk *next = c->next;
    munmap(c, c->bytes);
    c = next;
  }
  rt_pool_give(&graphs, graph);
}

void *rt_graph_memory(cudaGraph_t graph, size_t bytes, size_t align) {
  struct rt_chunk *c = graph->chunks;
  if (!c || c->bytes - c->used < bytes + align) {
    size_t size = sizeof *c + bytes + align;
    size = size < CHUNK ? CHUNK : (size + 4095) / 4096 * 4096;
    c = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (c == MAP_FAILED) return NULL;
    *c = (struct rt_chunk){graph->chunks, size, sizeof *c};
    graph->chunks = c;
  }
  const uintptr_t at = ((uintptr_t)c + c->used + align - 1) / align * align;
  c->used = at + bytes - (uintptr_t)c;
  return (void *)at;
}

/* Room for one more element; the old array stays in the graph's memory. */
static void *grow(cudaGraph_t graph, void *old, size_t count, size_t *capacity, size_t bytes) {
  if (count < *capacity) return old;
  const size_t more = *capacity ? *capacity * 2 : 16;
  void *memory = rt_graph_memory(graph, more * bytes, 16);
  if (!memory) return NULL;
  if (count) memcpy(memory, old, count * bytes);
  *capacity = more;
  return memory;
}

bool rt_graph_edge(cudaGraph_t graph, size_t from, size_t to) {
  void *edges =
      grow(graph, graph->edges, graph->edge_count, &graph->edge_capacity, sizeof *graph->edges);
  if (!edges) return false;
  graph->edges = edges;
  graph->edges[graph->edge_count++] = (struct rt_edge){from, to};
  return true;
}

cudaGraphNode_t rt_graph_add(cudaGraph_t graph, enum cudaGraphNodeType type, rt_step run,
                             const void *job, size_t bytes) {
  void *nodes = grow(graph, graph->nodes, graph->count, &graph->capacity, sizeof *graph->nodes);
  cudaGraphNode_t node = rt_graph_memory(graph, sizeof *node, 16);
  void *copy = bytes ? rt_graph_memory(graph, bytes, 16) : NULL;
  if (!nodes || !node || (bytes && !copy)) return NULL;
  if (bytes) memcpy(copy, job, bytes);
  graph->nodes = nodes;
  *node = (struct CUgraphNode_st){type, graph, graph->count, run, copy};
  graph->nodes[graph->count++] = node;
  return node;
}

/* ---- Order ----------------------------------------------------------------------------------- */

/* Whether all that node `to` depends on has been placed. */
static bool ready(const struct CUgraph_st *graph, size_t to, const bool *placed) {
  for (size_t e = 0; e < graph->edge_count; e++)
    if (graph->edges[e].to == to && !placed[graph->edges[e].from]) return false;
  return true;
}

bool rt_graph_order(cudaGraph_t graph, struct CUgraphNode_st **order) {
  bool backwards = false;
  for (size_t e = 0; e < graph->edge_count; e++)
    backwards |= graph->edges[e].from >= graph->edges[e].to;
  if (!backwards) { /* the order of creation will do */
    if (graph->count) memcpy(order, graph->nodes, graph->count * sizeof *order);
    return true;
  }
  bool *placed = rt_graph_memory(graph, graph->count, 16);
  size_t done = 0, before;
  if (!placed) return false;
  memset(placed, 0, graph->count);
  do {
    before = done;
    for (size_t i = 0; i < graph->count; i++) {
      if (placed[i] || !ready(graph, i, placed)) continue;
      placed[i] = true;
      order[done++] = graph->nodes[i];
    }
  } while (done > before);
  return done == graph->count;
}

/* ---- Questions ------------------------------------------------------------------------------- */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!graph || flags) return rt_end(cudaErrorInvalidValue);
  *graph = rt_graph_make();
  return rt_end(*graph ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_graph_ok(graph)) return rt_end(cudaErrorInvalidValue);
  rt_graph_drop(graph);
  return cudaSuccess;
}

static cudaError_t list(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *number, bool roots) {
  const cudaError_t error = rt_begin();
  size_t found = 0;
  if (error) return rt_end(error);
  if (!rt_graph_ok(graph) || !number) return rt_end(cudaErrorInvalidValue);
  for (size_t i = 0; i < graph->count; i++) {
    bool root = true;
    for (size_t e = 0; roots && e < graph->edge_count; e++) root &= graph->edges[e].to != i;
    if (!root) continue;
    if (nodes && found < *number) nodes[found] = graph->nodes[i];
    found++;
  }
  for (size_t i = found; nodes && i < *number; i++) nodes[i] = NULL;
  if (!nodes || found < *number) *number = found;
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *number) {
  return list(graph, nodes, number, false);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *number) {
  return list(graph, nodes, number, true);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!node || !type) return rt_end(cudaErrorInvalidValue);
  *type = node->type;
  return cudaSuccess;
}

/* Memory that graphs allocate and free: nodes, and what is captured of cudaMallocAsync.
 *
 * Method   an allocation has its address from the moment its node is made, as CUDA has it, and its
 *          memory for as long; running the node makes it live, running a node that frees it,
 *          cudaFree or cudaFreeAsync ends that. It is given back when its graph is gone and it is
 *          not live
 * Limits   two allocations that are never live together do not share memory; using one that is not
 *          live goes unnoticed
 * Source   CUDA Runtime API 13.0, section Graph Management; Programming Guide, Graph Memory Nodes
 */
#include "graph.h"

struct allocation {
  void *memory;
  size_t bytes;
  cudaGraph_t graph; /* NULL: that is gone */
  bool live;
};

static struct rt_pool allocations = {.object_bytes = sizeof(struct allocation),
                                     .capacity = 1u << 12};
static uint64_t used, high, reserved, reserved_high;

static struct allocation *at(size_t i) {
  struct allocation *a =
      (struct allocation *)(void *)(allocations.memory + i * allocations.object_bytes);
  return allocations.memory && rt_pool_holds(&allocations, a) ? a : NULL;
}

static struct allocation *of_address(const void *memory) {
  for (size_t i = 0; memory && i < allocations.capacity; i++) {
    struct allocation *a = at(i);
    if (a && a->memory == memory) return a;
  }
  return NULL;
}

static void give_back(struct allocation *a) {
  reserved -= a->bytes;
  rt_release(a->memory, 1u << RT_DEVICE);
  rt_pool_give(&allocations, a);
}

static void end(struct allocation *a) {
  a->live = false;
  used -= a->bytes;
  if (!a->graph) give_back(a);
}

bool rt_graph_frees(const void *memory, cudaError_t *error) {
  struct allocation *a = of_address(memory);
  if (!a) return false;
  *error = a->live ? cudaSuccess : cudaErrorInvalidValue;
  if (a->live) end(a);
  return true;
}

void rt_graph_forget_memory(cudaGraph_t graph) {
  for (size_t i = 0; i < allocations.capacity && allocations.memory; i++) {
    struct allocation *a = at(i);
    if (!a || a->graph != graph) continue;
    a->graph = NULL;
    if (!a->live) give_back(a);
  }
}

void rt_graph_free_all(cudaGraph_t graph) {
  for (size_t i = 0; i < allocations.capacity && allocations.memory; i++) {
    struct allocation *a = at(i);
    if (a && a->graph == graph && a->live) end(a);
  }
}

/* ---- Steps ----------------------------------------------------------------------------------- */

struct allocate_job {
  struct allocation *allocation;
  struct cudaMemAllocNodeParams params;
};

/* A graph that runs again before its memory was freed is refused. */
static cudaError_t run_allocate(const void *user) {
  struct allocation *a = ((const struct allocate_job *)user)->allocation;
  if (a->live) return rt_end(cudaErrorInvalidValue);
  a->live = true;
  used += a->bytes;
  if (used > high) high = used;
  return cudaSuccess;
}

static cudaError_t run_free(const void *user) {
  cudaError_t error = cudaErrorInvalidValue;
  rt_graph_frees(*(void *const *)user, &error);
  return rt_end(error);
}

static cudaError_t make(cudaGraph_t graph, const struct cudaMemAllocNodeParams *params,
                        struct allocate_job *job) {
  const struct cudaMemPoolProps *p = &params->poolProps;
  if (!params->bytesize || p->allocType != cudaMemAllocationTypePinned || p->handleTypes ||
      p->location.type != cudaMemLocationTypeDevice || p->location.id != 0)
    return cudaErrorInvalidValue;
  struct allocation *a = rt_pool_take(&allocations);
  void *memory = a ? rt_allocate(params->bytesize, RT_DEVICE, 0, NULL) : NULL;
  if (!memory) {
    if (a) rt_pool_give(&allocations, a);
    return cudaErrorMemoryAllocation;
  }
  *a = (struct allocation){memory, params->bytesize, graph, false};
  reserved += a->bytes;
  if (reserved > reserved_high) reserved_high = reserved;
  *job = (struct allocate_job){a, *params};
  job->params.dptr = memory;
  return cudaSuccess;
}

cudaError_t rt_capture_allocate(cudaStream_t stream, size_t bytes, void **memory) {
  struct rt_capture *c = rt_capture_of(stream);
  struct allocate_job job;
  const struct cudaMemAllocNodeParams params = {
      .poolProps = {.allocType = cudaMemAllocationTypePinned,
                    .location = {.type = cudaMemLocationTypeDevice}},
      .bytesize = bytes};
  const cudaError_t error = make(c->graph, &params, &job);
  if (error) return error;
  rt_capture_add(stream, cudaGraphNodeTypeMemAlloc, run_allocate, &job, sizeof job);
  *memory = job.params.dptr;
  return cudaSuccess;
}

void rt_capture_free(cudaStream_t stream, void *memory) {
  rt_capture_add(stream, cudaGraphNodeTypeMemFree, run_free, &memory, sizeof memory);
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies, size_t number,
                                     struct cudaMemAllocNodeParams *params) {
  struct allocate_job job;
  cudaError_t error = rt_graph_check(node, graph, dependencies, number);
  if (!error) error = params ? make(graph, params, &job) : cudaErrorInvalidValue;
  if (error) return rt_end(error);
  params->dptr = job.params.dptr;
  return rt_graph_attach(node, graph, dependencies, number, cudaGraphNodeTypeMemAlloc, run_allocate,
                         &job, sizeof job);
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *dependencies, size_t number,
                                    void *dptr) {
  cudaError_t error = rt_graph_check(node, graph, dependencies, number);
  if (!error && !of_address(dptr)) error = cudaErrorInvalidValue;
  if (error) return rt_end(error);
  return rt_graph_attach(node, graph, dependencies, number, cudaGraphNodeTypeMemFree, run_free,
                         &dptr, sizeof dptr);
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           struct cudaMemAllocNodeParams *params) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!node || !params || node->type != cudaGraphNodeTypeMemAlloc)
    return rt_end(cudaErrorInvalidValue);
  *params = ((const struct allocate_job *)node->job)->params;
  return cudaSuccess;
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *dptr) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!node || !dptr || node->type != cudaGraphNodeTypeMemFree)
    return rt_end(cudaErrorInvalidValue);
  *(void **)dptr = *(void *const *)node->job;
  return cudaSuccess;
}

/* ---- The device's account -------------------------------------------------------------------- */

/* Nothing is kept back. */
cudaError_t cudaDeviceGraphMemTrim(int device) {
  const cudaError_t error = rt_begin();
  return rt_end(error ? error : device ? cudaErrorInvalidDevice : cudaSuccess);
}

static cudaError_t account(int device, enum cudaGraphMemAttributeType attr, const void *value,
                           uint64_t **number) {
  uint64_t *const all[] = {&used, &high, &reserved, &reserved_high};
  const cudaError_t error = rt_begin();
  if (error) return error;
  if (device) return cudaErrorInvalidDevice;
  if (!value || (unsigned)attr > cudaGraphMemAttrReservedMemHigh) return cudaErrorInvalidValue;
  *number = all[attr];
  return cudaSuccess;
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                           void *value) {
  uint64_t *number = NULL;
  const cudaError_t error = account(device, attr, value, &number);
  if (!error) *(uint64_t *)value = *number;
  return rt_end(error);
}

/* High marks can be set to 0, which is where they begin anew from what is in use. */
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                           void *value) {
  uint64_t *number = NULL;
  cudaError_t error = account(device, attr, value, &number);
  if (!error && (*(const uint64_t *)value || (number != &high && number != &reserved_high)))
    error = cudaErrorInvalidValue;
  if (!error) *number = number == &high ? used : reserved;
  return rt_end(error);
}

/* heddle_nccl.h - one array over the GPUs of an NCCL communicator
 *
 * Every rank holds `count` elements of one array, in the order of the ranks; a rank may hold none. Each
 * call below is heddle.h's of the same name on the whole array: it has its bits, on every rank, however many ranks
 * there are and wherever they cut. Only states travel, mostly less than a KiB each.
 *
 * Use       #include <heddle_nccl.h> in C or C++ and compile with your own CUDA and NCCL (2.7 or later): these are
 *           inline functions over their C interfaces and over heddle.h. Link to libheddle, libcudart and libnccl.
 *           heddle_nccl_begin, calls, heddle_nccl_end
 * Calls     are collective: all ranks, with the same operator, types, options and bins. options->start has to be
 *           0. A rank's context is on the communicator's GPU, arrays are device memory or the host's
 * Errors    A status other than HEDDLE_OK on one rank is returned by all of them: that of the lowest rank that
 *           failed. heddle_nccl_message() tells which and why; results are undefined then, on every rank. Alone is a
 *           rank that lacks memory to merge what all have sent, and one that meets a failure of CUDA or NCCL
 *           itself, HEDDLE_DEVICE_ERROR
 * Cost      the plain call on count elements, and two small all-gathers, for which the host waits. States are
 *           merged on the host, by every rank, in the order of the ranks
 * Threads   a heddle_nccl is of one thread at a time
 *
 * Longer than 400 lines because whoever takes it takes one file. */
#ifndef HEDDLE_NCCL_H
#define HEDDLE_NCCL_H

#include <cuda_runtime_api.h>
#include <nccl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { HEDDLE_NCCL_TEXT = 1024, HEDDLE_NCCL_ROOM = 24 << 10 };

/* What the calls of one rank share. Members are the calls' own. */
typedef struct heddle_nccl {
  ncclComm_t comm;
  cudaStream_t stream;
  heddle_context *ctx;    /* the caller's, on this rank's GPU */
  heddle_context *merger; /* a CPU's, which merges states */
  int rank, ranks;
  size_t room;                  /* bytes of a rank's message */
  unsigned char *device, *host; /* a message of every rank, and behind them this rank's */
  char text[HEDDLE_NCCL_TEXT];
} heddle_nccl;

/* Of the last failing call: the rank that failed, what, where, why and what to do. */
static inline const char *heddle_nccl_message(const heddle_nccl *n) { return n->text; }

/* ---- failures ---------------------------------------------------------------------------- */

static inline heddle_status hd_nccl_fail(heddle_nccl *n, heddle_status status, const char *why) {
  (void)snprintf(n->text, sizeof n->text, "%s", why);
  return status;
}
static inline heddle_status hd_nccl_check(heddle_nccl *n, heddle_status status) {
  return status == HEDDLE_OK ? status : hd_nccl_fail(n, status, heddle_message());
}
static inline heddle_status hd_nccl_cuda(heddle_nccl *n, cudaError_t error) {
  if (error == cudaSuccess) return HEDDLE_OK;
  (void)snprintf(n->text, sizeof n->text, "CUDA: %s", cudaGetErrorString(error));
  return HEDDLE_DEVICE_ERROR;
}
static inline heddle_status hd_nccl_did(heddle_nccl *n, ncclResult_t result) {
  if (result == ncclSuccess) return HEDDLE_OK;
  (void)snprintf(n->text, sizeof n->text, "NCCL: %s", ncclGetErrorString(result));
  return HEDDLE_DEVICE_ERROR;
}

/* ---- begin and end ----------------------------------------------------------------------- */

static inline void hd_nccl_drop(heddle_nccl *n) {
  (void)cudaFree(n->device);
  (void)cudaFreeHost(n->host);
  n->device = n->host = NULL;
  n->room = 0;
}

/* Memory for messages of `room` bytes; what there is of it is kept in *n, also after a failure. */
static inline heddle_status hd_nccl_make(heddle_nccl *n, size_t room) {
  const size_t bytes = ((size_t)n->ranks + 1) * room;
  void *device = NULL, *host = NULL;
  heddle_status status = hd_nccl_cuda(n, cudaMalloc(&device, bytes));
  if (status == HEDDLE_OK) status = hd_nccl_cuda(n, cudaMallocHost(&host, bytes));
  n->device = (unsigned char *)device;
  n->host = (unsigned char *)host;
  n->room = room;
  return status;
}

/* heddle_nccl_end - gives back what heddle_nccl_begin made; the communicator, stream and context are the caller's */
static inline void heddle_nccl_end(heddle_nccl *n) {
  hd_nccl_drop(n);
  heddle_close(n->merger);
  n->merger = NULL;
}

/* heddle_nccl_begin - what the calls of this rank need
 *
 * Result    *n, to be ended by heddle_nccl_end, also after a failure
 * Arguments comm    the rank's; its GPU is the current one, now and at every call
 *           stream  on which messages travel, behind what was queued on it
 *           ctx     on that GPU, with its stream set to `stream` if arrays are device memory
 * Memory    24 KiB a rank, on the device and the host; more where states are larger (histograms) */
static inline heddle_status heddle_nccl_begin(heddle_nccl *n, ncclComm_t comm, cudaStream_t stream,
                                              heddle_context *ctx) {
  heddle_status status;
  memset(n, 0, sizeof *n);
  n->comm = comm;
  n->stream = stream;
  n->ctx = ctx;
  status = hd_nccl_did(n, ncclCommUserRank(comm, &n->rank));
  if (status == HEDDLE_OK) status = hd_nccl_did(n, ncclCommCount(comm, &n->ranks));
  if (status == HEDDLE_OK) status = hd_nccl_check(n, heddle_open("cpu:1", &n->merger));
  return status == HEDDLE_OK ? hd_nccl_make(n, HEDDLE_NCCL_ROOM) : status;
}

/* ---- messages ---------------------------------------------------------------------------- */

/* What stands before the bytes of a state, or before the text of a failure. */
struct hd_nccl_head {
  uint64_t status, size; /* of all bytes, also where there is no room for them */
};

static inline unsigned char *hd_nccl_mine(const heddle_nccl *n) {
  return n->host + (size_t)n->ranks * n->room;
}
static inline struct hd_nccl_head hd_nccl_head_of(const heddle_nccl *n, int rank) {
  struct hd_nccl_head head;
  memcpy(&head, n->host + (size_t)rank * n->room, sizeof head);
  return head;
}

/* This rank's message to all; `bytes` of each arrive. */
static inline heddle_status hd_nccl_gather(heddle_nccl *n, size_t bytes) {
  unsigned char *const mine = n->device + (size_t)n->ranks * n->room;
  heddle_status status = hd_nccl_cuda(
      n, cudaMemcpyAsync(mine, hd_nccl_mine(n), bytes, cudaMemcpyHostToDevice, n->stream));
  if (status == HEDDLE_OK)
    status = hd_nccl_did(n, ncclAllGather(mine, n->device, bytes, ncclUint8, n->comm, n->stream));
  if (status == HEDDLE_OK)
    status =
        hd_nccl_cuda(n, cudaMemcpy2DAsync(n->host, n->room, n->device, bytes, bytes,
                                          (size_t)n->ranks, cudaMemcpyDeviceToHost, n->stream));
  return status == HEDDLE_OK ? hd_nccl_cuda(n, cudaStreamSynchronize(n->stream)) : status;
}

/* The status of the lowest rank that failed, and its message. */
static inline heddle_status hd_nccl_first_failure(heddle_nccl *n) {
  char text[HEDDLE_NCCL_TEXT];
  for (int rank = 0; rank < n->ranks; rank++) {
    const struct hd_nccl_head head = hd_nccl_head_of(n, rank);
    if (head.status == HEDDLE_OK) continue;
    (void)snprintf(text, sizeof text, "rank %d: %.900s", rank,
                   (const char *)n->host + (size_t)rank * n->room + sizeof head);
    return hd_nccl_fail(n, (heddle_status)head.status, text);
  }
  return HEDDLE_OK;
}

/* Puts a head, and of a failure its text, into this rank's message. */
static inline void hd_nccl_put(heddle_nccl *n, heddle_status status, uint64_t size) {
  const struct hd_nccl_head head = {(uint64_t)status, size};
  memcpy(hd_nccl_mine(n), &head, sizeof head);
  if (status != HEDDLE_OK) memcpy(hd_nccl_mine(n) + sizeof head, n->text, sizeof n->text);
}

/* The status that all ranks share. */
static inline heddle_status hd_nccl_agree(heddle_nccl *n, heddle_status mine) {
  heddle_status status;
  hd_nccl_put(n, mine, 0);
  status = hd_nccl_gather(n, sizeof(struct hd_nccl_head) + HEDDLE_NCCL_TEXT);
  return status == HEDDLE_OK ? hd_nccl_first_failure(n) : status;
}

static inline heddle_status hd_nccl_save(heddle_nccl *n, heddle_state *state, uint64_t *size) {
  size_t bytes = 0;
  heddle_status status = hd_nccl_check(n, heddle_state_save(state, NULL, &bytes));
  *size = bytes;
  if (status != HEDDLE_OK || sizeof(struct hd_nccl_head) + bytes > n->room) return status;
  return hd_nccl_check(
      n, heddle_state_save(state, hd_nccl_mine(n) + sizeof(struct hd_nccl_head), &bytes));
}

/* Memory for larger messages, on all ranks or none: the smaller ones are what they agree by. */
static inline heddle_status hd_nccl_grow(heddle_nccl *n, size_t room) {
  heddle_nccl next = *n;
  heddle_status status = hd_nccl_make(&next, room);
  if (status != HEDDLE_OK) status = hd_nccl_fail(n, status, next.text);
  status = hd_nccl_agree(n, status);
  if (status != HEDDLE_OK) {
    hd_nccl_drop(&next);
    return status;
  }
  hd_nccl_drop(n);
  *n = next;
  return HEDDLE_OK;
}

/* The states of all ranks as messages; `local` is this rank's status so far. Larger ones than there is room for come
 * by a second gather. */
static inline heddle_status hd_nccl_gather_states(heddle_nccl *n, heddle_status local,
                                                  heddle_state *state) {
  uint64_t size = 0, most = 0;
  heddle_status status;
  if (local == HEDDLE_OK) local = hd_nccl_save(n, state, &size);
  hd_nccl_put(n, local, size);
  status = hd_nccl_gather(n, n->room);
  if (status == HEDDLE_OK) status = hd_nccl_first_failure(n);
  if (status != HEDDLE_OK) return status;
  for (int rank = 0; rank < n->ranks; rank++)
    if (hd_nccl_head_of(n, rank).size > most) most = hd_nccl_head_of(n, rank).size;
  if (sizeof(struct hd_nccl_head) + most <= n->room) return HEDDLE_OK;
  status = hd_nccl_grow(n, (sizeof(struct hd_nccl_head) + (size_t)most + 255) & ~(size_t)255);
  if (status != HEDDLE_OK) return status;
  status = hd_nccl_save(n, state, &size);
  hd_nccl_put(n, status, size);
  status = hd_nccl_gather(n, n->room);
  return status == HEDDLE_OK ? hd_nccl_first_failure(n) : status;
}

/* *out = the states of ranks first to end - 1, merged; NULL: there are none. */
static inline heddle_status hd_nccl_merge_ranks(heddle_nccl *n, heddle_context *ctx, int first,
                                                int end, const heddle_options *options,
                                                heddle_state **out) {
  heddle_state *all = NULL;
  heddle_status status = HEDDLE_OK;
  for (int rank = first; rank < end && status == HEDDLE_OK; rank++) {
    heddle_state *one = NULL;
    status = hd_nccl_check(
        n, heddle_state_load(ctx, n->host + (size_t)rank * n->room + sizeof(struct hd_nccl_head),
                             (size_t)hd_nccl_head_of(n, rank).size, options, &one));
    if (status != HEDDLE_OK || !all) {
      all = status == HEDDLE_OK ? one : all;
      continue;
    }
    status = hd_nccl_check(n, heddle_state_merge(all, one));
    heddle_state_free(one);
  }
  if (status != HEDDLE_OK) {
    heddle_state_free(all);
    all = NULL;
  }
  *out = all;
  return status;
}

/* Where states merge: the host, but for operators that are CUDA C text alone. */
static inline heddle_context *hd_nccl_merger(const heddle_nccl *n, const heddle_options *options) {
  const heddle_custom *custom = options ? options->custom : NULL;
  return custom && (!custom->combine || !custom->pairs) ? n->ctx : n->merger;
}

static inline int hd_nccl_on_device(const void *memory) {
  struct cudaPointerAttributes found;
  if (!memory || cudaPointerGetAttributes(&found, memory) != cudaSuccess) {
    (void)cudaGetLastError();
    return 0;
  }
  return found.type == cudaMemoryTypeDevice;
}

/* *state, of this rank's GPU, becomes that of the whole array, of the host; of the GPU if a result is to be
 * device memory. */
static inline heddle_status hd_nccl_merge(heddle_nccl *n, heddle_status local,
                                          const heddle_options *options, int on_device,
                                          heddle_state **state) {
  heddle_context *const merger = hd_nccl_merger(n, options);
  heddle_state *all = NULL;
  heddle_status status = hd_nccl_gather_states(n, local, *state);
  heddle_state_free(*state);
  *state = NULL;
  if (status == HEDDLE_OK) status = hd_nccl_merge_ranks(n, merger, 0, n->ranks, options, &all);
  if (status == HEDDLE_OK && on_device && merger != n->ctx) {
    size_t bytes = n->room;
    status = hd_nccl_check(n, heddle_state_save(all, hd_nccl_mine(n), &bytes));
    if (status == HEDDLE_OK)
      status = hd_nccl_check(n, heddle_state_load(n->ctx, hd_nccl_mine(n), bytes, options, state));
    heddle_state_free(all);
    return status;
  }
  *state = all;
  return status;
}

/* ---- the calls of heddle.h --------------------------------------------------------------- */

/* The options of a rank's piece: where it begins. */
static inline heddle_status hd_nccl_options(heddle_nccl *n, const heddle_options *given,
                                            size_t count, heddle_options *out) {
  const heddle_options standard = HEDDLE_OPTIONS_INIT;
  heddle_status status = HEDDLE_OK;
  *out = standard;
  if (given) memcpy(out, given, given->size < sizeof *out ? given->size : sizeof *out);
  out->size = sizeof *out;
  if (out->start != 0 || out->prefix)
    status = hd_nccl_fail(n, HEDDLE_BAD_ARGUMENT,
                          "options->start and prefix: leave them 0 and NULL, the ranks say them");
  hd_nccl_put(n, status, count);
  status = hd_nccl_gather(n, sizeof(struct hd_nccl_head) + HEDDLE_NCCL_TEXT);
  if (status == HEDDLE_OK) status = hd_nccl_first_failure(n);
  for (int rank = 0; rank < n->rank && status == HEDDLE_OK; rank++) {
    const uint64_t size = hd_nccl_head_of(n, rank).size;
    if (out->start + size < size)
      return hd_nccl_fail(n, HEDDLE_BAD_ARGUMENT, "count: there are more than 2^64 - 1 elements");
    out->start += size;
  }
  return status;
}

/* heddle_nccl_reduce - heddle_reduce of the whole array */
static inline heddle_status heddle_nccl_reduce(heddle_nccl *n, heddle_op op, heddle_type type,
                                               const void *in, size_t count, void *out,
                                               const heddle_options *options) {
  heddle_state *state = NULL;
  heddle_options piece;
  heddle_status status = hd_nccl_options(n, options, count, &piece);
  if (status != HEDDLE_OK) return status;
  status = hd_nccl_check(n, heddle_reduce_begin(n->ctx, op, type, &piece, &state));
  if (status == HEDDLE_OK) status = hd_nccl_check(n, heddle_reduce_update(state, in, count));
  status = hd_nccl_merge(n, status, options, hd_nccl_on_device(out), &state);
  if (status == HEDDLE_OK) status = hd_nccl_check(n, heddle_reduce_finish(state, out));
  heddle_state_free(state);
  return status;
}

/* heddle_nccl_argreduce - heddle_argreduce of the whole array, *index counting from rank 0's first element */
static inline heddle_status heddle_nccl_argreduce(heddle_nccl *n, heddle_extreme which,
                                                  heddle_type type, const void *in, size_t count,
                                                  void *value, uint64_t *index,
                                                  const heddle_options *options) {
  heddle_state *state = NULL;
  heddle_options piece;
  heddle_status status = hd_nccl_options(n, options, count, &piece);
  if (status != HEDDLE_OK) return status;
  status = hd_nccl_check(n, heddle_argreduce_begin(n->ctx, which, type, &piece, &state));
  if (status == HEDDLE_OK) status = hd_nccl_check(n, heddle_argreduce_update(state, in, count));
  status = hd_nccl_merge(n, status, options, hd_nccl_on_device(value) || hd_nccl_on_device(index),
                         &state);
  if (status == HEDDLE_OK) status = hd_nccl_check(n, heddle_argreduce_finish(state, value, index));
  heddle_state_free(state);
  return status;
}

/* heddle_nccl_dot - heddle_dot of two arrays that are cut alike */
static inline heddle_status heddle_nccl_dot(heddle_nccl *n, heddle_type type, const void *x,
                                            const void *y, size_t count, void *out,
                                            const heddle_options *options) {
  heddle_state *state = NULL;
  heddle_options piece;
  heddle_status status = hd_nccl_options(n, options, count, &piece);
  if (status != HEDDLE_OK) return status;
  status = hd_nccl_check(n, heddle_dot_begin(n->ctx, type, &piece, &state));
  if (status == HEDDLE_OK) status = hd_nccl_check(n, heddle_dot_update(state, x, y, count));
  status = hd_nccl_merge(n, status, options, hd_nccl_on_device(out), &state);
  if (status == HEDDLE_OK) status = hd_nccl_check(n, heddle_dot_finish(state, out));
  heddle_state_free(state);
  return status;
}

/* heddle_nccl_describe - heddle_describe of the whole array */
static inline heddle_status heddle_nccl_describe(heddle_nccl *n, heddle_type type, const void *in,
                                                 size_t count, heddle_description *out,
                                                 const heddle_options *options) {
  heddle_state *state = NULL;
  heddle_options piece;
  heddle_status status = hd_nccl_options(n, options, count, &piece);
  if (status != HEDDLE_OK) return status;
  status = hd_nccl_check(n, heddle_describe_begin(n->ctx, type, &piece, &state));
  if (status == HEDDLE_OK) status = hd_nccl_check(n, heddle_describe_update(state, in, count));
  status = hd_nccl_merge(n, status, options, hd_nccl_on_device(out), &state);
  if (status == HEDDLE_OK) status = hd_nccl_check(n, heddle_describe_finish(state, out));
  heddle_state_free(state);
  return status;
}

/* heddle_nccl_histogram - heddle_histogram of the whole array
 *
 * Arguments weights  NULL, or one weight an element, of options->weights_type; options->weights is not read
 *           counts, result, options->sums  as heddle_histogram, on every rank; the host's memory
 *           count    a multiple of channels on every rank
 * Errors    as heddle_histogram_begin: bins->auto_range and HEDDLE_FIND_EXPONENT need all elements first */
static inline heddle_status heddle_nccl_histogram(heddle_nccl *n, heddle_type type, const void *in,
                                                  const void *weights, size_t count,
                                                  const heddle_bins *bins, uint64_t *counts,
                                                  heddle_histogram_result *result,
                                                  const heddle_histogram_options *options) {
  heddle_state *state = NULL;
  heddle_status status =
      hd_nccl_check(n, heddle_histogram_begin(n->ctx, type, bins, options, &state));
  if (status == HEDDLE_OK)
    status = hd_nccl_check(n, heddle_histogram_update(state, in, weights, count));
  status = hd_nccl_merge(n, status, NULL, 0, &state);
  if (status == HEDDLE_OK)
    status = hd_nccl_check(n, heddle_histogram_finish(state, counts, result,
                                                      options && weights ? options->sums : NULL));
  heddle_state_free(state);
  return status;
}

/* heddle_nccl_scan - heddle_scan of the whole array: out has this rank's count of its results
 *
 * Overlap   as heddle_scan
 * Cost      two reads and a write an element */
static inline heddle_status heddle_nccl_scan(heddle_nccl *n, heddle_op op, heddle_scan_kind kind,
                                             heddle_type type, const void *in, size_t count,
                                             void *out, const heddle_options *options) {
  heddle_state *state = NULL, *before = NULL;
  heddle_options piece, scan;
  heddle_status status = hd_nccl_options(n, options, count, &piece);
  if (status != HEDDLE_OK) return status;
  scan = piece;
  scan.start = 0;
  piece.init = NULL;
  piece.out_type = HEDDLE_TYPE_DEFAULT;
  status = hd_nccl_check(n, heddle_reduce_begin(n->ctx, op, type, &piece, &state));
  if (status == HEDDLE_OK) status = hd_nccl_check(n, heddle_reduce_update(state, in, count));
  status = hd_nccl_gather_states(n, status, state);
  heddle_state_free(state);
  if (status != HEDDLE_OK) return status;
  status = hd_nccl_merge_ranks(n, hd_nccl_merger(n, options), 0, n->rank, &piece, &before);
  scan.prefix = before;
  if (status == HEDDLE_OK)
    status = hd_nccl_check(n, heddle_scan(n->ctx, op, kind, type, in, count, out, &scan));
  heddle_state_free(before);
  return hd_nccl_agree(n, status);
}

#ifdef __cplusplus
}
#endif
#endif

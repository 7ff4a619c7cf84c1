/* lazy_driver.c - the software device's driver, but that everything queued runs as late as it may
 *
 * Result   a libsimt_cuda.so that shows missing waits: what the device itself does at once is kept in
 *          a list a stream, and done when somebody waits for it, on the host or on another stream
 * Method   The entries below stand before those of the driver that this library is linked to, which
 *          has all others. lazy_queue.c runs them in their order. Parameters of kernels are copied,
 *          as CUDA copies them.
 * Limits   copies out of pageable memory run at once, as CUDA stages them. Captured work is the
 *          driver's own affair; a graph that is launched is one operation. Errors of an operation are
 *          reported where it is waited for. */
#include <stdlib.h>
#include <string.h>

#include "driver/entry.h"
#include "lazy.h"
#include "simt/abi.h"

/* ---- what is queued ------------------------------------------------------------------------------------ */

typedef int copy(uintptr_t to, uintptr_t from, size_t bytes, void *stream);

static int put_copy(enum kind kind, copy *at_once, int now, uintptr_t to, uintptr_t from,
                    size_t bytes, void *stream) {
  if (now || is_captured(stream)) return lazy_leave(at_once(to, from, bytes, stream));
  struct op *op = put(stream, kind);
  op->to = to, op->from = from, op->bytes = bytes;
  return lazy_leave(0);
}

static int is_pinned(uintptr_t host) {
  enum { MEMORY_TYPE = 2, HOST = 1 };
  unsigned type = 0;
  int which = MEMORY_TYPE;
  void *value = &type;
  return !real.attributes(1, &which, &value, host) && type == HOST;
}

API_EXPORT int cuMemcpyHtoDAsync_v2(uintptr_t to, uintptr_t from, size_t bytes, void *stream) {
  lazy_enter();
  const int now = !is_pinned(from);
  if (now && !is_captured(stream)) run_for(stream);
  return put_copy(COPY_IN, real.copy_in, now, to, from, bytes, stream);
}

API_EXPORT int cuMemcpyDtoHAsync_v2(uintptr_t to, uintptr_t from, size_t bytes, void *stream) {
  lazy_enter();
  return put_copy(COPY_OUT, real.copy_out, 0, to, from, bytes, stream);
}

API_EXPORT int cuMemcpyDtoDAsync_v2(uintptr_t to, uintptr_t from, size_t bytes, void *stream) {
  lazy_enter();
  return put_copy(COPY_DEVICE, real.copy_device, 0, to, from, bytes, stream);
}

API_EXPORT int cuMemcpyAsync(uintptr_t to, uintptr_t from, size_t bytes, void *stream) {
  lazy_enter();
  return put_copy(COPY_ANY, real.copy_any, 0, to, from, bytes, stream);
}

API_EXPORT int cuMemsetD8Async(uintptr_t to, unsigned char value, size_t bytes, void *stream) {
  lazy_enter();
  if (is_captured(stream)) return lazy_leave(real.fill(to, value, bytes, stream));
  struct op *op = put(stream, FILL);
  op->to = to, op->value = value, op->bytes = bytes;
  return lazy_leave(0);
}

static void copy_arguments(struct op *op, const struct simt_stub *table, void **arguments) {
  size_t bytes = 64, at = 0;
  for (size_t i = 0; i < table->parameters; i++) bytes += (table->parameter_bytes[i] + 63) & ~63ul;
  op->data = aligned_alloc(64, bytes);
  op->arguments = calloc(table->parameters + 1, sizeof *op->arguments);
  if (!op->data || !op->arguments) abort();
  for (size_t i = 0; i < table->parameters; i++) {
    op->arguments[i] = op->data + at;
    memcpy(op->data + at, arguments[i], table->parameter_bytes[i]);
    at += (table->parameter_bytes[i] + 63) & ~63ul;
  }
}

API_EXPORT int cuLaunchKernel(void *kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                              unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                              void *stream, void **arguments, void **extra) {
  lazy_enter();
  if (extra || is_captured(stream))
    return lazy_leave(real.launch(kernel, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared,
                                  stream, arguments, extra));
  struct op *op = put(stream, LAUNCH);
  op->object = kernel;
  op->grid[0] = grid_x, op->grid[1] = grid_y, op->grid[2] = grid_z;
  op->block[0] = block_x, op->block[1] = block_y, op->block[2] = block_z;
  op->shared = shared;
  copy_arguments(op, ((const struct function *)kernel)->table, arguments);
  return lazy_leave(0);
}

API_EXPORT int cuGraphLaunch(void *graph, void *stream) {
  lazy_enter();
  put(stream, GRAPH)->object = graph;
  return lazy_leave(0);
}

API_EXPORT int cuEventRecord(void *event, void *stream) {
  lazy_enter();
  if (is_captured(stream)) return lazy_leave(real.record(event, stream));
  struct event *e = event_of(event);
  struct op *op = put(stream, RECORD);
  op->object = event;
  op->version = e->queued = op->number;
  e->stream = handle_of(stream);
  return lazy_leave(0);
}

API_EXPORT int cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
  lazy_enter();
  if (is_captured(stream)) return lazy_leave(real.wait(stream, event, flags));
  const struct event *e = event_of(event);
  struct op *op = put(stream, WAIT);
  op->object = event;
  op->version = e->queued;
  op->from = (uintptr_t)e->stream;
  return lazy_leave(0);
}

/* ---- what waits ------------------------------------------------------------------------------------------ */

API_EXPORT int cuEventSynchronize(void *event) {
  lazy_enter();
  struct event *e = event_of(event);
  reach(e, e->queued, e->stream);
  const int code = heard();
  return lazy_leave(code ? code : real.event_sync(event));
}

API_EXPORT int cuEventQuery(void *event) { return cuEventSynchronize(event); }

static int wait_for(void *stream, int (*then)(void *)) {
  if (!is_captured(stream)) run_for(stream);
  const int code = heard();
  return lazy_leave(code ? code : then(stream));
}

API_EXPORT int cuStreamSynchronize(void *stream) {
  lazy_enter();
  return wait_for(stream, real.stream_sync);
}

API_EXPORT int cuStreamQuery(void *stream) {
  lazy_enter();
  return wait_for(stream, real.stream_query);
}

API_EXPORT int cuCtxSynchronize(void) {
  lazy_enter();
  run_all();
  const int code = heard();
  return lazy_leave(code ? code : real.sync());
}

API_EXPORT int cuMemcpyDtoH_v2(void *to, uintptr_t from, size_t bytes) {
  lazy_enter();
  run_for(NULL);
  return lazy_leave(real.download(to, from, bytes));
}

API_EXPORT int cuMemcpyHtoD_v2(uintptr_t to, const void *from, size_t bytes) {
  lazy_enter();
  run_for(NULL);
  return lazy_leave(real.upload(to, from, bytes));
}

API_EXPORT int cuMemsetD8_v2(uintptr_t to, unsigned char value, size_t bytes) {
  lazy_enter();
  run_for(NULL);
  return lazy_leave(real.fill_now(to, value, bytes));
}

/* ---- what ends ---------------------------------------------------------------------------------------------- */

API_EXPORT int cuStreamCreate(void **out, unsigned flags) {
  lazy_enter();
  const int code = real.stream_create(out, flags);
  if (!code && (flags & 1)) set_apart(*out);
  return lazy_leave(code);
}

API_EXPORT int cuStreamDestroy_v2(void *stream) {
  lazy_enter();
  run_for(stream);
  return lazy_leave(real.stream_destroy(stream));
}

API_EXPORT int cuEventDestroy_v2(void *event) {
  lazy_enter();
  struct event *e = event_of(event);
  reach(e, e->queued, e->stream);
  e->queued = e->done = 0; /* its address may be another event's soon */
  return lazy_leave(real.event_destroy(event));
}

API_EXPORT int cuStreamBeginCapture_v2(void *stream, int mode) {
  lazy_enter();
  run_one(stream); /* or it would be recorded */
  return lazy_leave(real.capture(stream, mode));
}

/* Its memory may be in use by what is late. */
static int after_all(int (*then)(void *), void *what) {
  lazy_enter();
  run_all();
  return lazy_leave(then(what));
}

API_EXPORT int cuMemFree_v2(void *memory) { return after_all(real.release, memory); }
/* Behind what its own stream has to do, and no other. */
API_EXPORT int cuMemFreeAsync(uintptr_t memory, void *stream) {
  lazy_enter();
  run_for(stream);
  return lazy_leave(real.release_behind(memory, stream));
}
API_EXPORT int cuMemFreeHost(void *memory) { return after_all(real.unpin, memory); }
API_EXPORT int cuModuleUnload(void *module) { return after_all(real.unload, module); }

API_EXPORT int cuDevicePrimaryCtxRelease_v2(int device) {
  lazy_enter();
  run_all();
  return lazy_leave(real.primary_release(device));
}

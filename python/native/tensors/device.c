/* device.c - contexts of devices are those of the package (heddle/_context.py), found once a thread */
#include "device.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "call.h"
#include "tensors.h"

enum { DEVICES_MOST = 64 };
/* CUDA's own numbers of its two default streams, which are ordered: the library knows the first as NULL. */
enum { DEFAULT_STREAM = 1, THREADS_STREAM = 2 };

static python_object
    *open_device; /* the handle of the calling thread's context on the device of a number */
static _Thread_local struct {
  heddle_context *at[DEVICES_MOST];
  unsigned forks;
} own;
/* Contexts do not survive a fork. */
static atomic_uint forks;

static void count_fork(void) { atomic_fetch_add(&forks, 1); }

void heddle_py_devices(python_object *open) {
  if (!open_device) (void)pthread_atfork(NULL, NULL, count_fork);
  python.keep(open);
  open_device = open;
}

static heddle_context *open_at(int ordinal) {
  python_object *number = python.from_signed(ordinal), *handle = NULL;
  if (number) handle = python.call(open_device, number, NULL);
  if (number) python.drop(number);
  if (handle) own.at[ordinal] = (heddle_context *)python.as_size(handle);
  if (handle) python.drop(handle);
  python.clear_error(); /* Python's code asks again, and says what is wrong */
  return own.at[ordinal];
}

static heddle_context *context_at(int ordinal) {
  if (!open_device || ordinal >= DEVICES_MOST || heddle_py_depth()) return NULL;
  if (own.forks != atomic_load(&forks)) {
    memset(own.at, 0, sizeof own.at);
    own.forks = atomic_load(&forks);
  }
  return own.at[ordinal] ? own.at[ordinal] : open_at(ordinal);
}

/* The context for an array, which is on a device, with the framework's stream; NULL: there is none. */
static heddle_context *device_context(const struct array *a) {
  void *stream = NULL;
  heddle_context *ctx = context_at(a->ordinal);
  if (!ctx || !exchange_stream(a, &stream)) return NULL;
  if ((uintptr_t)stream == DEFAULT_STREAM || (uintptr_t)stream == THREADS_STREAM) stream = NULL;
  return heddle_set_stream(ctx, stream) == HEDDLE_OK ? ctx : NULL;
}

bool device_begin(struct device_call *c, python_object *object) {
  c->ctx = NULL, c->made = NULL, c->at = NULL, c->thread = NULL;
  c->l.copy = NULL, c->l.converted = NULL, c->l.mask = NULL;
  if (!exchange_begin(&c->l.a, object)) return false;
  if (c->l.a.ordinal != ARRAY_OF_HOST) c->ctx = device_context(&c->l.a);
  if (c->ctx) return true;
  array_end(&c->l.a);
  return false;
}

bool device_lines(struct device_call *c, python_object *axis, bool keepdims,
                  enum lines_order order) {
  if (!lines_of_held(&c->l, NULL, axis, keepdims, order)) return false;
  if (c->l.rest == 1 && !c->l.copied) return true;
  lines_end(&c->l);
  return false;
}

bool device_line(struct device_call *c) {
  if (!device_lines(c, NULL, false, LINES_IN_ORDER)) return false;
  c->l.result_dims = 1, c->l.result_shape[0] = c->l.a.count;
  return true;
}

bool device_result(struct device_call *c, heddle_type type, bool as_bool) {
  const bool is_float =
      type == HEDDLE_BF16 || type == HEDDLE_F16 || type == HEDDLE_F32 || type == HEDDLE_F64;
  const struct array_kind kind = {type == HEDDLE_BF16 ? HEDDLE_F32 : type, as_bool, is_float};
  c->made = exchange_new(&c->l.a, kind, c->l.result_dims, c->l.result_shape, &c->at);
  if (c->made) c->thread = python.save_thread();
  return c->made;
}

python_object *device_end(struct device_call *c, heddle_status status) {
  call_come_back(c->thread);
  lines_end(&c->l);
  if (status == HEDDLE_OK) return c->made;
  python.drop(c->made);
  return call_failed(status);
}

python_object *device_none(struct device_call *c) {
  lines_end(&c->l);
  python.clear_error();
  return array_decline();
}

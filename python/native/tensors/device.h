/* device.h - a call on a tensor in the memory of a CUDA device
 *
 * Result   device_begin: false, without an exception, for what is no such tensor
 * Streams  the context's stream is the framework's current one from device_begin on; calls are queued, and
 *          results are in the framework's memory for what it queues behind them
 * Owner    l.a is held until device_end or device_none */
#ifndef HEDDLE_PYTHON_TENSORS_DEVICE_H
#define HEDDLE_PYTHON_TENSORS_DEVICE_H

#include "exchange.h"
#include "lines.h"

struct device_call {
  struct lines l;
  heddle_context *ctx;
  python_object *made; /* the result */
  void *at;            /* its memory */
  python_thread *thread;
};

/* The tensor as c->l.a, which is not laid out. */
bool device_begin(struct device_call *c, python_object *object);
/* The lines of the tensor, where the library reads them as they lie. False: they have ended. */
bool device_lines(struct device_call *c, python_object *axis, bool keepdims,
                  enum lines_order order);
/* All of it as one line, in C order. False: they have ended. */
bool device_line(struct device_call *c);
/* A new tensor of the lines' results of a type, bf16 as f32. The interpreter's lock is left if there is one. */
bool device_result(struct device_call *c, heddle_type type, bool as_bool);
/* What the call comes to; the lines end. */
python_object *device_end(struct device_call *c, heddle_status status);
/* The call is for Python's code; the lines end. */
python_object *device_none(struct device_call *c);

#endif

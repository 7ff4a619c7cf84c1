/* interrupt.c - signals during long calls: Ctrl-C; see fast.h
 *
 * Method   The library asks heddle_py_poll about every 50 ms of a long call. Handlers run with the
 *          interpreter's lock; what one raises is kept for this thread, since the calls of
 *          ctypes.CDLL must not return with an exception set, and raised when the call has ended */
#include "fast.h"

static _Thread_local struct { python_object *type, *value, *trace; } raised;

static void forget(void) {
  if (raised.type) python.drop(raised.type);
  if (raised.value) python.drop(raised.value);
  if (raised.trace) python.drop(raised.trace);
  raised.type = raised.value = raised.trace = NULL;
}

int heddle_py_poll(void *unused) {
  (void)unused;
  if (!python.check_signals) return 0;
  const int lock = python.ensure_thread();
  const int stop = python.check_signals() != 0;
  if (stop) {
    forget(); /* of an earlier call, whose end nobody has asked about */
    python.take_error(&raised.type, &raised.value, &raised.trace);
  }
  python.release_thread(lock);
  return stop;
}

python_object *heddle_py_raise(void) {
  python_object *type = raised.type, *value = raised.value, *trace = raised.trace;
  raised.type = raised.value = raised.trace = NULL;
  if (type) python.set_error(type, value, trace);
  return NULL;
}

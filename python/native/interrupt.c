/* interrupt.c - signals during long calls, and the end of Python during them
 *
 * Method   The library asks heddle_py_poll about every 50 ms of a long call. Handlers run with the
 *          interpreter's lock; what one raises is kept for this thread, since the calls of
 *          ctypes.CDLL must not return with an exception set, and raised when the call has ended.
 *          A handler may call heddle: heddle_py_depth tells those calls from the one that they
 *          interrupt, whose context is busy.
 *          A thread that asks for the lock while Python ends is ended there and then, in the middle
 *          of the library's call. So from heddle_py_end on calls are cancelled instead */
#include <fenv.h>
#include <stdatomic.h>
#include <time.h>

#include "array.h"

static _Thread_local struct { python_object *type, *value, *trace; } raised;
static _Thread_local int depth;
static atomic_int polling; /* threads that have the lock, or wait for it */
static atomic_bool ended;

static void forget(void) {
  if (raised.type) python.drop(raised.type);
  if (raised.value) python.drop(raised.value);
  if (raised.trace) python.drop(raised.trace);
  raised.type = raised.value = raised.trace = NULL;
}

static int run_handlers(void) {
  const int lock = python.ensure_thread();
  fexcept_t flags; /* of the call, which errors/errors.h goes by: arithmetic of NumPy clears them */
  fegetexceptflag(&flags, FE_ALL_EXCEPT);
  depth++;
  const int stop = python.check_signals() != 0;
  depth--;
  if (stop) {
    forget(); /* of an earlier call, whose end nobody has asked about */
    python.take_error(&raised.type, &raised.value, &raised.trace);
  }
  fesetexceptflag(&flags, FE_ALL_EXCEPT);
  python.release_thread(lock);
  return stop;
}

int heddle_py_poll(void *unused) {
  (void)unused;
  if (!python.check_signals) return 0;
  atomic_fetch_add(&polling, 1);
  const int stop = atomic_load(&ended) || run_handlers();
  atomic_fetch_sub(&polling, 1);
  return stop;
}

int heddle_py_depth(void) { return depth; }

void heddle_py_end(void) {
  atomic_store(&ended, true);
  for (int i = 0; i < 1000 && atomic_load(&polling); i++)
    (void)nanosleep(&(struct timespec){0, 1000000}, NULL);
}

int heddle_py_has_ended(void) { return atomic_load(&ended); }

python_object *heddle_py_raise(void) {
  python_object *type = raised.type, *value = raised.value, *trace = raised.trace;
  raised.type = raised.value = raised.trace = NULL;
  if (!type) return array_decline(); /* ctypes takes no NULL without an exception */
  python.set_error(type, value, trace);
  return NULL;
}

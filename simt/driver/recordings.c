/* Streams that are being recorded, and what must not happen meanwhile (entry.h).
 *
 * Method   a call that could disturb a recording is refused and spoils it, by the mode of the
 *          recording and that of the calling thread, and so is the use of the legacy stream while a
 *          stream that waits for it is recorded
 * Limits   RECORDINGS at a time
 */
#include "entry.h"

#include "cuda_runtime_api.h"

#include <pthread.h>

enum { RECORDINGS = 256 };

static struct recording {
  CUstream stream; /* NULL: none */
  int mode;
  pthread_t thread;
} recordings[RECORDINGS];
static size_t active;

static _Thread_local int own_mode = CU_CAPTURE_GLOBAL;

/* Whether this recording forbids the calling thread what is unsafe. */
static bool forbids(const struct recording *r) {
  if (!r->stream || r->mode == CU_CAPTURE_RELAXED || own_mode == CU_CAPTURE_RELAXED) return false;
  if (pthread_equal(r->thread, pthread_self())) return true;
  return own_mode == CU_CAPTURE_GLOBAL && r->mode == CU_CAPTURE_GLOBAL;
}

bool capture_forbids(void) {
  bool any = false;
  for (size_t i = 0; active && i < RECORDINGS; i++) {
    if (!forbids(&recordings[i])) continue;
    simt_capture_spoil(recordings[i].stream);
    any = true;
  }
  return any;
}

/* A stream that does not wait for the legacy one is not disturbed. */
bool capture_implicit(CUstream stream) {
  enum { NON_BLOCKING = 1 };
  bool any = false;
  if ((uintptr_t)stream > 1 || !active) return false;
  for (size_t i = 0; i < RECORDINGS; i++) {
    unsigned flags = NON_BLOCKING;
    if (recordings[i].stream) cudaStreamGetFlags(recordings[i].stream, &flags);
    if (flags & NON_BLOCKING) continue;
    simt_capture_spoil(recordings[i].stream);
    any = true;
  }
  return any;
}

void capture_stream_gone(CUstream stream) {
  for (size_t i = 0; stream && i < RECORDINGS; i++) {
    if (recordings[i].stream != stream) continue;
    recordings[i].stream = NULL;
    active--;
  }
}

int capture_exchange_mode(int mode) {
  const int before = own_mode;
  own_mode = mode;
  return before;
}

bool capture_has_room(void) { return active < RECORDINGS; }

void capture_note(CUstream stream, int mode) {
  size_t i = 0;
  while (recordings[i].stream) i++;
  recordings[i] = (struct recording){stream, mode, pthread_self()};
  active++;
}

bool capture_is_of_another_thread(CUstream stream) {
  for (size_t i = 0; i < RECORDINGS; i++)
    if (recordings[i].stream == stream && recordings[i].mode != CU_CAPTURE_RELAXED)
      return !pthread_equal(recordings[i].thread, pthread_self());
  return false;
}

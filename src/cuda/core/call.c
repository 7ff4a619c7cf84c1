/* call.c - entering and leaving a call, waiting, faults, and what the driver's codes mean
 *
 * Result   a call runs with the context's lock held and its CUDA context current, and leaves the
 *          thread as it found it
 * Method   A call on device memory is queued and returns. One that has host memory in play waits,
 *          reads its fault word, and only then hands results over: on a fault nothing is written.
 * Faults   Kernels write to pinned words. A call that waits has one of its own, which it reads
 *          and clears; the others, and replayed graphs, share one an entry, which stays until
 *          heddle_sync reads it: a fault is reported once, and by the name of its entry.
 * Streams  Whatever a call may have queued is waited for, on the device, by the stream that is set
 *          next. One that is captured cannot wait: `pending_event` keeps it for the one after. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "host/status.h"
#include "inside.h"
#include "order/result.h"
#include "record.h"

/* ---- codes ---------------------------------------------------------------------------------- */

/* What a CUDA context does not survive. */
static bool is_lost(cu_result result) {
  return result == CU_ILLEGAL_ADDRESS || result == CU_LAUNCH_TIMEOUT || result == CU_ASSERT ||
         (result >= CU_HARDWARE_STACK_ERROR && result <= CU_LAUNCH_FAILED);
}

heddle_status hd_cuda_failure(const struct hd_cuda_driver *cu, const char *entry, cu_result result,
                              const char *what) {
  const char *name = NULL, *text = NULL;
  if (cu->error_name(result, &name) || !name) name = "unknown error";
  if (cu->error_string(result, &text) || !text) text = "";
  if (result == CU_OUT_OF_MEMORY)
    return hd_fail(HEDDLE_OUT_OF_MEMORY,
                   "%s: %s: the device is out of memory (%s); free some, or give host arrays, "
                   "which are streamed",
                   entry, what, name);
  if (result >= CU_CAPTURE_FIRST && result <= CU_CAPTURE_LAST)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: %s cannot be done while a stream is captured (%s); make the same calls "
                   "between heddle_prepare_begin and heddle_prepare_end before the capture",
                   entry, what, name);
  if (result == CU_NOT_INITIALIZED || result == CU_DEINITIALIZED)
    return hd_fail(HEDDLE_DEVICE_ERROR,
                   "%s: %s: %s; the process was forked or is about to end, and CUDA survives "
                   "neither",
                   entry, what, name);
  const char *remedy = "";
  if (result == CU_INVALID_CONTEXT || result == CU_CONTEXT_IS_DESTROYED)
    remedy = "; the CUDA context that was current at heddle_open must live until heddle_close";
  else if (is_lost(result))
    remedy = "; an earlier kernel of this process may have caused it. The CUDA context is lost: "
             "close everything that uses it, or start anew";
  return hd_fail(HEDDLE_DEVICE_ERROR, "%s: %s: %s (%d): %s%s", entry, what, name, result, text,
                 remedy);
}

heddle_status hd_cuda_check(const struct hd_cuda_call *call, cu_result result, const char *what) {
  return result ? hd_cuda_failure(call->cu, call->entry, result, what) : HEDDLE_OK;
}

/* ---- capture -------------------------------------------------------------------------------- */

enum { LEGACY_STREAM = 1, THREAD_STREAM = 2 }; /* CUDA's names that are no handles */

bool hd_cuda_captured(struct hd_cuda_call *call) {
  int status = CU_CAPTURE_NONE;
  if (call->asked) return call->captured;
  call->asked = true;
  cu_result result = call->cu->stream_capturing(call->stream, &status);
  /* The default stream cannot be asked while another is captured: that is an answer, too. */
  call->captured =
      status != CU_CAPTURE_NONE || (result >= CU_CAPTURE_FIRST && result <= CU_CAPTURE_LAST);
  if (call->captured) call->cuda->used = call->used; /* this call queues nothing */
  return call->captured;
}

/* The default stream is never captured, so no graph holds what its calls use. That it may not be
 * used because another stream is captured matters only to what is no mere launch. */
static void ask_early(struct hd_cuda_call *call) {
  call->asked = call->captured = false;
  if ((uintptr_t)call->stream > LEGACY_STREAM) (void)hd_cuda_captured(call);
}

heddle_status hd_cuda_no_capture(struct hd_cuda_call *call, const char *what) {
  if (!hd_cuda_captured(call)) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "%s: %s cannot be done while the stream is captured; use device memory only, and "
                 "make the same calls between heddle_prepare_begin and heddle_prepare_end before "
                 "the capture",
                 call->entry, what);
}

enum { OWN_FAULT = 0 }; /* the word of calls that wait */

/* ---- enter ----------------------------------------------------------------------------------- */

/* The stream waits for what was queued on those before it, unless it is captured. */
static heddle_status wait_pending(struct hd_cuda_call *call) {
  struct hd_cuda_context *cuda = call->cuda;
  if (!cuda->pending_event || hd_cuda_captured(call)) return HEDDLE_OK;
  HD_TRY(hd_cuda_check(call, call->cu->stream_wait(call->stream, cuda->order, 0),
                       "waiting for the earlier stream"));
  cuda->pending_event = false;
  cuda->used = true; /* whoever waits for this stream waits for those, too */
  return HEDDLE_OK;
}

static void undo_enter(struct hd_cuda_call *call) {
  cu_context ours;
  if (call->pushed) (void)call->cu->context_pop(&ours);
  pthread_mutex_unlock(&call->ctx->lock);
}

/* A call that queues nothing itself. */
static heddle_status enter(heddle_context *ctx, const char *entry, struct hd_cuda_call *call) {
  struct hd_cuda_context *cuda = ctx->data;
  if (cuda->forks != hd_cuda_forks())
    return hd_fail(HEDDLE_DEVICE_ERROR,
                   "%s: `ctx` on %s is used after fork, which CUDA does not survive; use it in the "
                   "parent only, or open one in a process started by exec",
                   entry, ctx->device);
  pthread_mutex_lock(&ctx->lock);
  call->ctx = ctx;
  call->cuda = cuda;
  call->cu = cuda->cu;
  call->entry = entry;
  call->stream = cuda->stream;
  call->preparing = cuda->preparing;
  call->record = NULL;
  call->synchronous = false;
  call->fault = NULL;
  call->pendings = 0;
  call->scratch = (struct hd_cuda_mark){0, 0, 0};
  call->pinned_used = 0;
  call->staged = false;
  cu_context current = NULL;
  cu_result result = call->cu->context_current(&current);
  call->pushed = current != cuda->context;
  if (!result && call->pushed) result = call->cu->context_push(cuda->context);
  if (result) {
    heddle_status status = hd_cuda_check(call, result, "making the CUDA context current");
    pthread_mutex_unlock(&ctx->lock);
    return status;
  }
  call->used = cuda->used;
  ask_early(call);
  heddle_status status = wait_pending(call);
  if (status) undo_enter(call);
  hd_cancellation_start(&call->token, ctx);
  return status;
}

heddle_status hd_cuda_enter(heddle_context *ctx, const char *entry, struct hd_cuda_call *call) {
  HD_TRY(enter(ctx, entry, call));
  call->record = hd_cuda_recording();
  if (call->record)
    call->preparing = true;
  else if (call->captured)
    call->cuda->captured = true;
  else if (!call->preparing)
    call->cuda->used = true;
  return HEDDLE_OK;
}

/* ---- faults ---------------------------------------------------------------------------------- */

/* The word of an entry; a handful of entries can fault. */
static unsigned slot_of(struct hd_cuda_context *cuda, const char *entry) {
  unsigned slot = OWN_FAULT + 1;
  while (slot < HD_FAULT_SLOTS - 1 && cuda->fault_entry[slot] &&
         strcmp(cuda->fault_entry[slot], entry))
    slot++;
  if (!cuda->fault_entry[slot]) cuda->fault_entry[slot] = entry;
  return slot;
}

cu_pointer hd_cuda_fault(struct hd_cuda_call *call) {
  struct hd_cuda_fault *words = hd_cuda_faults(call->cuda);
  if (call->synchronous) return (cu_pointer)(uintptr_t)(call->fault = &words[OWN_FAULT]);
  return (cu_pointer)(uintptr_t)&words[slot_of(call->cuda, call->entry)];
}

static heddle_status empty(const char *entry, u64 detail, const char *what, const char *late) {
  heddle_op op = (heddle_op)(detail & 255);
  bool arg = detail & 256;
  if (!hd_is_op(op))
    return hd_fail(HEDDLE_EMPTY, "%s: %s has no result; give values%s", entry, what, late);
  char text[HD_NO_RESULT_BYTES];
  return hd_fail(HEDDLE_EMPTY, "%s", hd_no_result(text, entry, arg, op, what, late));
}

/* Reads and clears the word. */
static heddle_status take_fault(struct hd_cuda_fault *fault, const char *entry, const char *late) {
  const u64 found = *(volatile u64 *)&fault->word, detail = found & (((u64)1 << 56) - 1);
  fault->word = 0;
  switch (found >> 56) {
  case HD_FAULT_NONE: return HEDDLE_OK;
  case HD_FAULT_EMPTY: return empty(entry, detail, "no values", late);
  case HD_FAULT_ALL_NAN: return empty(entry, detail, "nothing but NaN", late);
  case HD_FAULT_OFFSETS:
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `rows->offsets[%llu]` is below the offset before it; offsets must not fall"
                   "%s",
                   entry, (unsigned long long)detail, late);
  case HD_FAULT_WEIGHT:
    return hd_fail(HEDDLE_BAD_DATA,
                   "%s: the weight of element %llu is 2^weight_exponent or more; give the least "
                   "exponent above all weights%s",
                   entry, (unsigned long long)detail, late);
  case HD_FAULT_POSITION:
    return hd_fail(
        HEDDLE_BAD_DATA,
        "%s: `index[%llu]` is no position of `in`; give positions from 0 to in_count - 1%s", entry,
        (unsigned long long)detail, late);
  case HD_FAULT_ID:
    return hd_fail(HEDDLE_BAD_DATA,
                   "%s: `ids[%llu]` is no group; give ids from 0 to one less than `groups`%s",
                   entry, (unsigned long long)detail, late);
  case HD_FAULT_NO_WEIGHT:
    return hd_fail(HEDDLE_BAD_DATA,
                   "%s: weight %llu is negative, infinite or NaN; weights are finite and not "
                   "negative: mask such "
                   "elements%s",
                   entry, (unsigned long long)detail, late);
  case HD_FAULT_WEIGHTLESS:
    return hd_fail(HEDDLE_EMPTY, "%s: the sum of weights is 0; a quantile takes a weight above 0%s",
                   entry, late);
  default:
    return hd_fail(HEDDLE_DEVICE_ERROR, "%s: a kernel reported the unknown fault %llu%s", entry,
                   (unsigned long long)(found >> 56), late);
  }
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* The driver's own wait is the quickest, but cannot poll. */
heddle_status hd_cuda_wait(struct hd_cuda_call *call, cu_stream stream) {
  cu_result result;
  if (!call->ctx->poll) {
    result = call->cu->stream_sync(stream);
  } else {
    unsigned rounds = 0;
    while ((result = call->cu->stream_query(stream)) == CU_NOT_READY) {
      (void)hd_poll(&call->token);
      const struct timespec nap = {0, rounds < 200 ? 0 : 50 * 1000};
      if (++rounds > 100) (void)nanosleep(&nap, NULL);
    }
  }
  if (result) return hd_cuda_check(call, result, "waiting for the device");
  return hd_cancellation_status(&call->token, call->entry);
}

/* ---- leave ----------------------------------------------------------------------------------- */

static heddle_status deliver(struct hd_cuda_call *call) {
  bool copied = false;
  for (unsigned i = 0; i < call->pendings; i++) {
    struct hd_cuda_pending *p = &call->pending[i];
    if (p->from) continue;
    HD_TRY(hd_cuda_check(call, call->cu->copy_out(p->to, p->device, p->bytes, call->stream),
                         "copying a result to the host"));
    copied = true;
  }
  if (copied) HD_TRY(hd_cuda_wait(call, call->stream));
  for (unsigned i = 0; i < call->pendings; i++) {
    struct hd_cuda_pending *p = &call->pending[i];
    if (p->from) memcpy(p->to, p->from, p->bytes);
  }
  return HEDDLE_OK;
}

heddle_status hd_cuda_unstage(struct hd_cuda_call *call) {
  unsigned kept = 0;
  if (!call->staged) return HEDDLE_OK;
  HD_TRY(hd_cuda_wait(call, call->stream));
  const bool fault = call->fault && *(volatile u64 *)&call->fault->word;
  for (unsigned i = 0; i < call->pendings; i++) {
    const struct hd_cuda_pending p = call->pending[i];
    if (!p.staged)
      call->pending[kept++] = p;
    else if (!fault)
      memcpy(p.to, p.from, p.bytes);
  }
  call->pendings = kept;
  call->staged = false;
  return HEDDLE_OK;
}

/* Everything that was queued ends before host memory is the caller's again, whatever the status. */
static heddle_status settle(struct hd_cuda_call *call, heddle_status status) {
  bool asked = !status;
  heddle_status waited = HEDDLE_OK;
  if (hd_cuda_captured(call)) return status; /* it was refused before anything was queued */
  if (asked) {
    waited = hd_cuda_wait(call, call->stream);
  } else {
    (void)call->cu->stream_sync(call->stream);
  }
  if (!status) status = waited;
  if (status && call->fault) call->fault->word = 0;
  if (!status && call->fault) status = take_fault(call->fault, call->entry, "");
  if (!status) status = deliver(call);
  if (!status) call->cuda->used = false; /* nothing is under way any more */
  return status;
}

heddle_status hd_cuda_leave(struct hd_cuda_call *call, heddle_status status) {
  struct hd_cuda_context *cuda = call->cuda;
  if (call->synchronous && !call->preparing) status = settle(call, status);
  if (cuda->extras) hd_cuda_scratch_leave(call);
  undo_enter(call);
  return status;
}

/* ---- sync ------------------------------------------------------------------------------------ */

static heddle_status wait_for_all(struct hd_cuda_call *call) {
  HD_TRY(hd_cuda_no_capture(call, "waiting"));
  HD_TRY(hd_cuda_wait(call, call->stream));
  call->cuda->used = false;
  return HEDDLE_OK;
}

heddle_status hd_cuda_sync(heddle_context *ctx, bool wait) {
  struct hd_cuda_call call;
  HD_TRY(enter(ctx, wait ? "heddle_sync" : "heddle_peek", &call));
  struct hd_cuda_context *cuda = call.cuda;
  heddle_status status = wait ? wait_for_all(&call) : HEDDLE_OK;
  /* Those after the first fault stay for the next call. */
  for (unsigned slot = OWN_FAULT + 1; slot < HD_FAULT_SLOTS && !status; slot++)
    status = take_fault(&hd_cuda_faults(cuda)[slot], cuda->fault_entry[slot],
                        wait ? " (reported by heddle_sync)" : " (reported by heddle_peek)");
  return hd_cuda_leave(&call, status);
}

/* ---- streams --------------------------------------------------------------------------------- */

static heddle_status check_stream(struct hd_cuda_call *call, void *stream) {
  cu_context owner = NULL;
  if ((uintptr_t)stream <= LEGACY_STREAM) return HEDDLE_OK;
  if ((uintptr_t)stream == THREAD_STREAM)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `stream` is CUDA's default stream of each thread, which is another one in "
                   "every thread that uses `ctx`; make a stream",
                   call->entry);
  cu_result result = call->cu->stream_context(stream, &owner);
  if (result)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `stream` is no stream of this process's CUDA (%d)",
                   call->entry, result);
  if (owner == call->cuda->context) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "%s: `stream` belongs to another CUDA context than `ctx` on %s; make it while "
                 "that context is current, or open a context on the stream's device",
                 call->entry, call->ctx->device);
}

/* Work on the next stream is to wait for what was queued on this one, as both use one scratch. A
 * mark set in a captured stream would be the graph's, not that of the work before the capture. */
static heddle_status mark_stream(struct hd_cuda_call *call) {
  struct hd_cuda_context *cuda = call->cuda;
  if (!cuda->used) return HEDDLE_OK;
  if (hd_cuda_captured(call))
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: the stream that was set is captured, so what was queued on it before the "
                   "capture cannot be waited for; call heddle_sync before the capture, or set the "
                   "stream after it",
                   call->entry);
  HD_TRY(hd_cuda_check(call, call->cu->event_record(cuda->order, cuda->stream),
                       "marking the earlier stream"));
  cuda->used = false;
  cuda->pending_event = true;
  return HEDDLE_OK;
}

heddle_status hd_cuda_set_stream(heddle_context *ctx, void *stream) {
  struct hd_cuda_call call;
  HD_TRY(enter(ctx, "heddle_set_stream", &call));
  heddle_status status =
      stream == call.cuda->stream ? HEDDLE_OK : check_stream(&call, stream); /* as set before */
  if (!status && stream != call.cuda->stream) {
    status = mark_stream(&call);
    if (!status) {
      call.cuda->stream = call.stream = stream;
      call.used = call.cuda->used;
      ask_early(&call);
      status = wait_pending(&call);
    }
  }
  return hd_cuda_leave(&call, status);
}

/* context.c - opening, closing and setting up a context; memory, poll, floating-point state */
#include "context.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api.h"
#include "backend.h"
#include "environment.h"
#include "status.h"

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

/* ---- memory ---------------------------------------------------------------------------- */

static void *allocate_aligned(void *user, size_t bytes) {
  (void)user;
  size_t rounded;
  if (__builtin_add_overflow(bytes, (size_t)63, &rounded)) return NULL;
  return aligned_alloc(64, rounded & ~(size_t)63);
}

static void release_aligned(void *user, void *memory, size_t bytes) {
  (void)user, (void)bytes;
  free(memory);
}

void *hd_allocate(heddle_context *ctx, size_t bytes) {
  void *memory = ctx->allocate(ctx->memory_user, bytes);
  if (!memory) {
    (void)hd_fail(HEDDLE_OUT_OF_MEMORY,
                  "heddle: the allocator of context %s gave no %zu bytes of scratch memory; free "
                  "some memory or use fewer threads or bins",
                  ctx->device, bytes);
    return NULL;
  }
  atomic_fetch_add(&ctx->bytes_held, bytes);
  return memory;
}

void hd_release(heddle_context *ctx, void *memory, size_t bytes) {
  if (!memory) return;
  atomic_fetch_sub(&ctx->bytes_held, bytes);
  ctx->release(ctx->memory_user, memory, bytes);
}

heddle_status heddle_set_allocator(heddle_context *ctx, heddle_allocate *allocate,
                                   heddle_release *release, void *user) {
  HD_TRY(hd_check_context("heddle_set_allocator", ctx));
  HD_TRY(hd_check_hooks("heddle_set_allocator", allocate, release));
  size_t held = atomic_load(&ctx->bytes_held);
  if (held)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "heddle_set_allocator: `ctx` still holds %zu bytes of the earlier allocator; "
                   "free its states first",
                   held);
  ctx->allocate = allocate ? allocate : allocate_aligned;
  ctx->release = release ? release : release_aligned;
  ctx->memory_user = user;
  return HEDDLE_OK;
}

/* ---- callbacks ------------------------------------------------------------------------- */

heddle_status heddle_set_executor(heddle_context *ctx, heddle_executor *run, void *user) {
  HD_TRY(hd_check_context("heddle_set_executor", ctx));
  ctx->run = run;
  ctx->run_user = user;
  return HEDDLE_OK;
}

heddle_status heddle_set_poll(heddle_context *ctx, heddle_poll *poll, void *user) {
  HD_TRY(hd_check_context("heddle_set_poll", ctx));
  ctx->poll = poll;
  ctx->poll_user = user;
  return HEDDLE_OK;
}

enum { POLL_NS = 50 * 1000 * 1000 };

static u64 now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return (u64)t.tv_sec * 1000000000u + (u64)t.tv_nsec;
}

void hd_watch_start(struct hd_watch *watch, heddle_context *ctx) {
  watch->ctx = ctx;
  watch->caller = pthread_self();
  watch->due = ctx->poll ? now_ns() + POLL_NS : 0;
  atomic_init(&watch->cancelled, 0);
}

bool hd_poll(struct hd_watch *watch) {
  if (!watch->ctx->poll) return false;
  if (atomic_load_explicit(&watch->cancelled, memory_order_relaxed)) return true;
  if (!pthread_equal(pthread_self(), watch->caller)) return false;
  u64 now = now_ns();
  if (now < watch->due) return false;
  watch->due = now + POLL_NS;
  if (!watch->ctx->poll(watch->ctx->poll_user)) return false;
  atomic_store(&watch->cancelled, 1);
  return true;
}

heddle_status hd_watch_status(struct hd_watch *watch, const char *entry) {
  if (!atomic_load(&watch->cancelled)) return HEDDLE_OK;
  return hd_fail(HEDDLE_CANCELLED, "%s: the poll callback asked to stop; the outputs are undefined",
                 entry);
}

/* ---- floating-point state -------------------------------------------------------------- */

#if defined(__x86_64__) || defined(__i386__)
enum { MXCSR_DEFAULT = 0x1f80, MXCSR_FLAGS = 0x3f };
unsigned long hd_float_enter(void) {
  unsigned saved = _mm_getcsr();
  if ((saved & ~(unsigned)MXCSR_FLAGS) != MXCSR_DEFAULT) _mm_setcsr(MXCSR_DEFAULT);
  return saved;
}
void hd_float_leave(unsigned long saved) {
  if ((saved & ~(unsigned long)MXCSR_FLAGS) != MXCSR_DEFAULT) _mm_setcsr((unsigned)saved);
}
#elif defined(__aarch64__)
unsigned long hd_float_enter(void) {
  unsigned long saved;
  __asm__ volatile("mrs %0, fpcr" : "=r"(saved));
  if (saved) __asm__ volatile("msr fpcr, %0" : : "r"(0ul));
  return saved;
}
void hd_float_leave(unsigned long saved) {
  if (saved) __asm__ volatile("msr fpcr, %0" : : "r"(saved));
}
#else
#include <fenv.h>
unsigned long hd_float_enter(void) {
  int saved = fegetround();
  fesetround(FE_TONEAREST);
  return (unsigned long)saved;
}
void hd_float_leave(unsigned long saved) { fesetround((int)saved); }
#endif

/* ---- open, close, info ----------------------------------------------------------------- */

/* Longest name first would matter if one were a prefix of another; none is. */
static const struct hd_backend *const backends[] = {
    &hd_cpu_backend,
#ifdef HEDDLE_CUDA
    &hd_cuda_backend,
    &hd_simt_backend,
#endif
};

static const struct hd_backend *find_backend(const char *device, const char **rest) {
  for (size_t i = 0; i < sizeof backends / sizeof *backends; i++) {
    size_t n = strlen(backends[i]->name);
    if (strncmp(device, backends[i]->name, n)) continue;
    if (device[n] && device[n] != ':') continue;
    *rest = device[n] ? device + n + 1 : "";
    if (device[n] && !**rest) continue; /* "cpu:" names no number */
    return backends[i];
  }
  return NULL;
}

heddle_status heddle_open(const char *device, heddle_context **out) {
  if (!out) return hd_fail(HEDDLE_BAD_ARGUMENT, "heddle_open: `out` is NULL");
  *out = NULL;
  if (!device) device = hd_environment(HD_ENV_DEVICE);
  if (!device) device = "cpu";
  const char *rest;
  const struct hd_backend *backend = find_backend(device, &rest);
  if (!backend)
    return hd_fail(HEDDLE_NO_DEVICE,
                   "heddle_open: no device is called \"%.80s\"; this build knows \"cpu\" and "
                   "\"cpu:N\" with N threads%s",
                   device,
                   sizeof backends > sizeof *backends
                       ? ", \"cuda\" and \"cuda:N\" for GPU N, and \"simt\""
                       : "");
  heddle_context *ctx = calloc(1, sizeof *ctx);
  if (!ctx) return hd_fail(HEDDLE_OUT_OF_MEMORY, "heddle_open: no memory for a context");
  ctx->backend = backend;
  ctx->allocate = allocate_aligned;
  ctx->release = release_aligned;
  pthread_mutex_init(&ctx->lock, NULL);
  heddle_status status = backend->open(ctx, rest);
  if (status) {
    pthread_mutex_destroy(&ctx->lock);
    free(ctx);
    return status;
  }
  *out = ctx;
  return HEDDLE_OK;
}

void heddle_close(heddle_context *ctx) {
  if (!ctx) return;
  ctx->backend->close(ctx);
  pthread_mutex_destroy(&ctx->lock);
  free(ctx);
}

heddle_status heddle_info(heddle_context *ctx, heddle_device_info *out) {
  HD_TRY(hd_check_context("heddle_info", ctx));
  HD_TRY(hd_check_size("heddle_info", "out", out, sizeof *out));
  heddle_device_info known = HEDDLE_DEVICE_INFO_INIT;
  HD_TRY(ctx->backend->info(ctx, &known));
  hd_return_sized(out, &known, sizeof known);
  return HEDDLE_OK;
}

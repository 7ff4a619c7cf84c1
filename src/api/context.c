/* context.c - opening, closing and setting up a context: checks, then the back end that the name says */
#include "host/context.h"

#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "backend.h"
#include "host/environment.h"
#include "host/status.h"

/* ---- open, close, info ----------------------------------------------------------------- */

/* Longest name first would matter if one were a prefix of another; none is. Groups of devices follow
 * these. */
static const struct hd_backend *const backends[] = {
    &hd_cpu_backend,
#ifdef HEDDLE_CUDA
    &hd_cuda_backend, &hd_simt_backend, &hd_cuda_group_backend, &hd_simt_group_backend,
#endif
};

/* Behind the name: several devices, or all. */
static bool is_group(const char *rest) { return !strcmp(rest, "all") || strchr(rest, ','); }

static const struct hd_backend *find_backend(const char *device, const char **rest) {
  const struct hd_backend *found = NULL;
  for (size_t i = 0; i < sizeof backends / sizeof *backends; i++) {
    size_t n = strlen(backends[i]->name);
    if (strncmp(device, backends[i]->name, n)) continue;
    if (device[n] && device[n] != ':') continue;
    *rest = device[n] ? device + n + 1 : "";
    if (device[n] && !**rest) continue;                               /* "cpu:" names no number */
    if (!backends[i]->spread || is_group(*rest)) found = backends[i]; /* groups are behind */
  }
  return found;
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
                       ? ", \"cuda\" and \"cuda:N\" for GPU N, \"cuda:0,1\" and \"cuda:all\" for "
                         "several, and \"simt\" likewise"
                       : "");
  heddle_context *ctx = calloc(1, sizeof *ctx);
  if (!ctx) return hd_fail(HEDDLE_OUT_OF_MEMORY, "heddle_open: no memory for a context");
  ctx->backend = backend;
  hd_set_allocator(ctx, NULL, NULL, NULL);
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

/* ---- hooks ----------------------------------------------------------------------------- */

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
  hd_set_allocator(ctx, allocate, release, user);
  return HEDDLE_OK;
}

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

/* open.c - contexts on a CUDA device: choosing it, its limits, closing
 *
 * Result   ctx->data
 * Method   The caller's current CUDA context if it is of the wanted device, so that streams and
 *          memory of PyTorch, CuPy or the CUDA runtime are ours, too; else the device's primary
 *          context, which those use. A primary context is retained until close; any other is the
 *          caller's to keep.
 * Fork     In a child everything of CUDA is left alone: close frees host memory only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/compile/nvrtc.h"
#include "host/environment.h"
#include "host/machine.h"
#include "host/pool.h"
#include "host/status.h"
#include "inside.h"

/* ---- the device ------------------------------------------------------------------------------ */

static heddle_status attribute(struct hd_cuda_context *cuda, int which, int *value) {
  cu_result result = cuda->cu->device_attribute(value, which, cuda->device);
  return result ? hd_cuda_failure(cuda->cu, "heddle_open", result, "asking what the GPU is")
                : HEDDLE_OK;
}

/* $HEDDLE_SMS lowers the number of multiprocessors that grids are made for. */
static heddle_status lower_sms(struct hd_cuda_limits *limits) {
  const char *text = hd_environment(HD_ENV_SMS);
  if (!text) return HEDDLE_OK;
  char *end;
  unsigned long n = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || n < 1)
    return hd_fail(
        HEDDLE_BAD_ARGUMENT,
        "heddle_open: HEDDLE_SMS=%.40s is not a number from 1 on; correct it or unset it", text);
  if (n < (unsigned long)limits->sms) limits->sms = (int)n;
  return HEDDLE_OK;
}

static heddle_status find_limits(struct hd_cuda_context *cuda) {
  struct hd_cuda_limits *limits = &cuda->limits;
  int major = 0, minor = 0;
  const struct {
    int which;
    int *value;
  } wanted[] = {{CU_ATTR_CC_MAJOR, &major},
                {CU_ATTR_CC_MINOR, &minor},
                {CU_ATTR_SM_COUNT, &limits->sms},
                {CU_ATTR_THREADS_PER_SM, &limits->threads_per_sm},
                {CU_ATTR_SHARED_PER_SM, &limits->shared_per_sm},
                {CU_ATTR_SHARED_OPTIN, &limits->shared_per_block},
                {CU_ATTR_L2_BYTES, &limits->l2_bytes}};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    HD_TRY(attribute(cuda, wanted[i].which, wanted[i].value));
  limits->cc = major * 10 + minor;
  limits->software = cuda->cu->pair->software;
  if (limits->cc >= 75) return lower_sms(limits);
  return hd_fail(
      HEDDLE_NO_DEVICE,
      "heddle_open: GPU %d has compute capability %d.%d; this library needs 7.5 or later",
      cuda->ordinal, major, minor);
}

const struct hd_cuda_limits *hd_cuda_limits(const struct hd_cuda_context *cuda) {
  return &cuda->limits;
}

/* ---- the CUDA context ------------------------------------------------------------------------ */

/* The calling thread's, if there is one that lives; *device is its device, else -1. A thread may
 * still have one that was destroyed; asking for the memory that is free tells. */
static cu_context current_context(const struct hd_cuda_driver *cu, cu_device *device) {
  cu_context current = NULL;
  cu_device found;
  size_t free_bytes, all;
  *device = -1;
  if (cu->context_current(&current) || !current || cu->context_device(&found) ||
      cu->memory_info(&free_bytes, &all))
    return NULL;
  *device = found;
  return current;
}

static heddle_status choose_device(struct hd_cuda_context *cuda, const char *rest,
                                   cu_device current) {
  const char *name = cuda->cu->pair->device;
  int count = 0;
  (void)cuda->cu->device_count(&count);
  cuda->ordinal = 0;
  if (*rest) {
    char *end;
    unsigned long n = strtoul(rest, &end, 10);
    if (*rest < '0' || *rest > '9' || *end || n >= (unsigned long)count)
      return hd_fail(
          HEDDLE_NO_DEVICE,
          "heddle_open: \"%s:%.40s\" names no GPU; this process sees %d, numbered from 0", name,
          rest, count);
    cuda->ordinal = (int)n;
  }
  cu_result result = cuda->cu->device_get(&cuda->device, cuda->ordinal);
  if (!*rest && current >= 0) {
    for (int i = 0; i < count; i++) {
      cu_device device;
      if (cuda->cu->device_get(&device, i) || device != current) continue;
      cuda->ordinal = i;
      cuda->device = device;
      return HEDDLE_OK;
    }
  }
  return result ? hd_cuda_failure(cuda->cu, "heddle_open", result, "finding the GPU") : HEDDLE_OK;
}

/* The current context stays the caller's own, unless it is the primary one, which can be held. */
static heddle_status choose_context(struct hd_cuda_context *cuda, cu_context current) {
  const struct hd_cuda_driver *cu = cuda->cu;
  unsigned flags = 0;
  int active = 0;
  if (current && (cu->primary_state(cuda->device, &flags, &active) || !active)) {
    cuda->context = current;
    return HEDDLE_OK;
  }
  cu_result result = cu->primary_retain(&cuda->context, cuda->device);
  if (result) return hd_cuda_failure(cu, "heddle_open", result, "starting CUDA on the GPU");
  cuda->retained = true;
  if (!current || current == cuda->context) return HEDDLE_OK;
  (void)cu->primary_release(cuda->device);
  cuda->retained = false;
  cuda->context = current;
  return HEDDLE_OK;
}

/* Pinned memory and an event, made in the context. */
static heddle_status make_pinned(struct hd_cuda_context *cuda) {
  const struct hd_cuda_driver *cu = cuda->cu;
  void *pinned = NULL;
  cu_context ours;
  cu_result result = cu->context_push(cuda->context);
  if (!result) {
    result = cu->host_alloc(&pinned, HD_PINNED_BYTES, CU_HOST_PORTABLE | CU_HOST_DEVICEMAP);
    if (!result) result = cu->event_create(&cuda->order, CU_EVENT_DISABLE_TIMING);
    (void)cu->context_pop(&ours);
  }
  cuda->pinned = pinned;
  if (result) return hd_cuda_failure(cu, "heddle_open", result, "allocating pinned memory");
  memset(cuda->pinned, 0, HD_PINNED_BYTES);
  return HEDDLE_OK;
}

/* ---- open and close -------------------------------------------------------------------------- */

/* A context that was lost or destroyed gives nothing back, but the primary one must be released all
 * the same: it can be made anew only then. */
static void end(struct hd_cuda_context *cuda) {
  const struct hd_cuda_driver *cu = cuda->cu;
  cu_context ours;
  bool forked = cuda->forks != hd_cuda_forks();
  bool alive = !forked && cuda->context && !cu->context_push(cuda->context);
  if (alive) (void)cu->stream_sync(cuda->stream);
  hd_cuda_staging_close(cuda, alive);
  hd_cuda_kernels_close(cuda, alive);
  hd_cuda_bins_close(cuda, alive);
  hd_cuda_memory_close(cuda, alive);
  if (alive) {
    if (cuda->order) (void)cu->event_destroy(cuda->order);
    if (cuda->pinned) (void)cu->host_free(cuda->pinned);
    (void)cu->context_pop(&ours);
  }
  if (!forked && cuda->retained) (void)cu->primary_release(cuda->device);
  free(cuda);
}

static heddle_status start(struct hd_cuda_context *cuda, const char *rest) {
  cu_device on;
  cu_context current = current_context(cuda->cu, &on);
  HD_TRY(choose_device(cuda, rest, on));
  if (on != cuda->device) current = NULL;
  HD_TRY(find_limits(cuda));
  HD_TRY(choose_context(cuda, current));
  return make_pinned(cuda);
}

static heddle_status open_pair(heddle_context *ctx, const struct hd_cuda_driver_choice *pair,
                               const char *rest) {
  const struct hd_cuda_driver *cu;
  HD_TRY(hd_cuda_driver_load("heddle_open", pair, &cu));
  struct hd_cuda_context *cuda = calloc(1, sizeof *cuda);
  if (!cuda) return hd_fail(HEDDLE_OUT_OF_MEMORY, "heddle_open: no memory for a context");
  cuda->cu = cu;
  cuda->forks = hd_cuda_forks();
  heddle_status status = start(cuda, rest);
  if (status) {
    end(cuda);
    return status;
  }
  ctx->data = cuda;
  ctx->threads = hd_machine_threads();
  snprintf(ctx->device, sizeof ctx->device, "%s:%d", pair->device, cuda->ordinal);
  hd_pool_enter();
  return HEDDLE_OK;
}

static heddle_status open_cuda(heddle_context *ctx, const char *rest) {
  return open_pair(ctx, &hd_cuda_driver_nvidia, rest);
}

static heddle_status open_simt(heddle_context *ctx, const char *rest) {
  return open_pair(ctx, &hd_cuda_driver_simt, rest);
}

void hd_cuda_close(heddle_context *ctx) {
  end(ctx->data);
  hd_pool_leave();
}

heddle_status hd_cuda_info(heddle_context *ctx, heddle_device_info *out) {
  const struct hd_cuda_context *cuda = ctx->data;
  const struct hd_cuda_nvrtc *nvrtc;
  int all_sms = cuda->limits.sms;
  snprintf(out->device, sizeof out->device, "%s", ctx->device);
  if (cuda->forks == hd_cuda_forks()) {
    (void)cuda->cu->device_name(out->name, sizeof out->name, cuda->device);
    (void)cuda->cu->device_attribute(&all_sms, CU_ATTR_SM_COUNT, cuda->device);
  }
  snprintf(out->isa, sizeof out->isa, "sm_%d", cuda->limits.cc);
  int version = cuda->cu->version;
  struct hd_message kept; /* a compiler that is missing is an answer here */
  hd_message_keep(&kept);
  if (cuda->forks == hd_cuda_forks() &&
      !hd_cuda_nvrtc_load("heddle_info", cuda->cu, cuda->limits.cc, &nvrtc))
    snprintf(out->note, sizeof out->note, "driver of CUDA %d.%d, NVRTC %d.%d", version / 1000,
             version % 1000 / 10, nvrtc->major, nvrtc->minor);
  else
    snprintf(out->note, sizeof out->note, "driver of CUDA %d.%d, no NVRTC found", version / 1000,
             version % 1000 / 10);
  hd_message_restore(&kept);
  out->threads = (unsigned)all_sms;
  return HEDDLE_OK;
}

static heddle_status count_devices(const char *entry, const struct hd_cuda_driver_choice *pair,
                                   int *count) {
  const struct hd_cuda_driver *cu;
  HD_TRY(hd_cuda_driver_load(entry, pair, &cu));
  const cu_result result = cu->device_count(count);
  return result ? hd_cuda_failure(cu, entry, result, "counting GPUs") : HEDDLE_OK;
}

static heddle_status count_cuda(const char *entry, int *count) {
  return count_devices(entry, &hd_cuda_driver_nvidia, count);
}

static heddle_status count_simt(const char *entry, int *count) {
  return count_devices(entry, &hd_cuda_driver_simt, count);
}

/* The two back ends differ in the pair of libraries alone. */
#define HD_ENTRY(type, name, arguments) .name = hd_cuda_##name,
const struct hd_backend hd_cuda_backend = {.name = "cuda",
                                           .device = true,
                                           .open = open_cuda,
                                           .on_device = hd_cuda_on_device,
                                           .devices = count_cuda,
                                           .device_of = hd_cuda_device_of,
                                           HD_ENTRIES(HD_ENTRY) HD_PARTIAL_ENTRIES(HD_ENTRY)};
const struct hd_backend hd_simt_backend = {.name = "simt",
                                           .device = true,
                                           .open = open_simt,
                                           .on_device = hd_cuda_on_device,
                                           .devices = count_simt,
                                           .device_of = hd_cuda_device_of,
                                           HD_ENTRIES(HD_ENTRY) HD_PARTIAL_ENTRIES(HD_ENTRY)};

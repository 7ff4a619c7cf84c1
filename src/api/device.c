/* device.c - streams and device memory: the checks, then the back end */
#include "api.h"
#include "host/status.h"

heddle_status heddle_set_stream(heddle_context *ctx, void *stream) {
  HD_TRY(hd_check_context("heddle_set_stream", ctx));
  return ctx->backend->set_stream(ctx, stream);
}

heddle_status heddle_sync(heddle_context *ctx) {
  HD_TRY(hd_check_context("heddle_sync", ctx));
  return ctx->backend->sync(ctx, true);
}

heddle_status heddle_peek(heddle_context *ctx) {
  HD_TRY(hd_check_context("heddle_peek", ctx));
  return ctx->backend->sync(ctx, false);
}

heddle_status heddle_device_alloc(heddle_context *ctx, size_t bytes, void **out) {
  HD_TRY(hd_check_context("heddle_device_alloc", ctx));
  if (!out) return hd_fail(HEDDLE_BAD_ARGUMENT, "heddle_device_alloc: `out` is NULL");
  *out = NULL;
  if (bytes > PTRDIFF_MAX)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "heddle_device_alloc: `bytes` is %zu, more than memory can hold", bytes);
  return ctx->backend->device_alloc(ctx, bytes, out);
}

heddle_status heddle_device_free(heddle_context *ctx, void *memory) {
  HD_TRY(hd_check_context("heddle_device_free", ctx));
  return memory ? ctx->backend->device_free(ctx, memory) : HEDDLE_OK;
}

heddle_status heddle_copy(heddle_context *ctx, void *to, const void *from, size_t bytes) {
  HD_TRY(hd_check_context("heddle_copy", ctx));
  HD_TRY(hd_check_array("heddle_copy", "to", to, bytes, 1));
  HD_TRY(hd_check_array("heddle_copy", "from", from, bytes, 1));
  uintptr_t a = (uintptr_t)to, b = (uintptr_t)from;
  if (bytes && (a < b ? b - a : a - b) < bytes)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "heddle_copy: `to` and `from` overlap");
  return bytes ? ctx->backend->copy(ctx, to, from, bytes) : HEDDLE_OK;
}

heddle_status heddle_set_device_allocator(heddle_context *ctx, heddle_device_allocate *allocate,
                                          heddle_device_release *release, void *user) {
  HD_TRY(hd_check_context("heddle_set_device_allocator", ctx));
  HD_TRY(hd_check_hooks("heddle_set_device_allocator", allocate, release));
  return ctx->backend->set_device_allocator(ctx, allocate, release, user);
}

heddle_status heddle_prepare_begin(heddle_context *ctx) {
  HD_TRY(hd_check_context("heddle_prepare_begin", ctx));
  if (atomic_exchange(&ctx->preparing, true))
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "heddle_prepare_begin: `ctx` is preparing already; call heddle_prepare_end");
  heddle_status status = ctx->backend->prepare_begin(ctx);
  if (status) atomic_store(&ctx->preparing, false);
  return status;
}

heddle_status heddle_prepare_end(heddle_context *ctx, size_t *scratch_bytes) {
  HD_TRY(hd_check_context("heddle_prepare_end", ctx));
  if (!atomic_load(&ctx->preparing))
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "heddle_prepare_end: `ctx` is not preparing; call heddle_prepare_begin first");
  heddle_status status = ctx->backend->prepare_end(ctx, scratch_bytes);
  atomic_store(&ctx->preparing, false);
  return status;
}

heddle_status heddle_set_scratch(heddle_context *ctx, void *memory, size_t bytes) {
  HD_TRY(hd_check_context("heddle_set_scratch", ctx));
  if (!memory != !bytes)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "heddle_set_scratch: `memory` is %p, but `bytes` is %zu; give both, or NULL and "
                   "0",
                   memory, bytes);
  return ctx->backend->set_scratch(ctx, memory, bytes);
}

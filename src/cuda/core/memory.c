/* memory.c - device memory: scratch, regions, blocks, results on their way to the host
 *
 * Result   addresses on the device. The context knows all of its memory, and close frees the rest
 * Method   Scratch is one block, cut from its start by each call; streams that follow each other
 *          are ordered, so that calls may share it. A call that needs more takes areas beside it,
 *          and the next one finds it grown. Regions keep their content from call to call.
 * Capture  Nothing is allocated while the stream is captured.
 * Limits   HD_MOST_EXTRAS areas beside the block in one call */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "host/status.h"
#include "inside.h"

/* ---- blocks -------------------------------------------------------------------------------- */

static heddle_status no_memory(struct hd_cuda_call *call, size_t bytes, const char *who) {
  size_t free_bytes = 0, all = 0;
  (void)call->cu->memory_info(&free_bytes, &all);
  return hd_fail(
      HEDDLE_OUT_OF_MEMORY,
      "%s: %s of %s gave no %zu bytes of device memory (%zu of %zu are free); free some, "
      "or give host arrays, which are streamed",
      call->entry, who, call->ctx->device, bytes, free_bytes, all);
}

heddle_status hd_cuda_obtain(struct hd_cuda_call *call, size_t bytes, bool callers,
                             cu_pointer *out) {
  struct hd_cuda_context *cuda = call->cuda;
  assert(bytes > 0);
  HD_TRY(hd_cuda_no_capture(call, "allocating device memory"));
  struct hd_cuda_block *block = malloc(sizeof *block);
  if (!block)
    return hd_fail(HEDDLE_OUT_OF_MEMORY, "%s: no host memory for a small table", call->entry);
  *block = (struct hd_cuda_block){
      .next = cuda->blocks, .bytes = bytes, .hooked = cuda->allocate, .callers = callers};
  heddle_status status = HEDDLE_OK;
  if (cuda->allocate) {
    void *memory = cuda->allocate(cuda->allocate_user, bytes, call->stream);
    block->at = (cu_pointer)(uintptr_t)memory;
    if (!memory) status = no_memory(call, bytes, "the allocator hook");
  } else {
    cu_result result = call->cu->memory_alloc(&block->at, bytes);
    if (result == CU_OUT_OF_MEMORY)
      status = no_memory(call, bytes, "the driver");
    else
      status = hd_cuda_check(call, result, "allocating device memory");
  }
  if (status) {
    free(block);
    return status;
  }
  cuda->blocks = block;
  *out = block->at;
  return HEDDLE_OK;
}

static cu_result release(struct hd_cuda_context *cuda, struct hd_cuda_block *block) {
  cu_result result = 0;
  if (block->hooked)
    cuda->release(cuda->allocate_user, (void *)(uintptr_t)block->at, block->bytes, cuda->stream);
  else
    result = cuda->cu->memory_free(block->at); /* waits for work that uses it */
  free(block);
  return result;
}

cu_result hd_cuda_free_block(struct hd_cuda_context *cuda, cu_pointer at) {
  for (struct hd_cuda_block **link = &cuda->blocks; *link; link = &(*link)->next) {
    struct hd_cuda_block *block = *link;
    if (block->at != at) continue;
    *link = block->next;
    return release(cuda, block);
  }
  return 0;
}

void hd_cuda_give_back(struct hd_cuda_context *cuda, cu_pointer at) {
  (void)hd_cuda_free_block(cuda, at);
}

struct hd_cuda_block *hd_cuda_block_of(struct hd_cuda_context *cuda, cu_pointer at) {
  for (struct hd_cuda_block *block = cuda->blocks; block; block = block->next)
    if (at >= block->at && at - block->at < block->bytes) return block;
  return NULL;
}

void hd_cuda_memory_close(struct hd_cuda_context *cuda, bool alive) {
  while (cuda->blocks) {
    struct hd_cuda_block *block = cuda->blocks;
    cuda->blocks = block->next;
    if (alive && !block->callers)
      (void)release(cuda, block);
    else
      free(block);
  }
}

heddle_status hd_cuda_memory(struct hd_cuda_call *call, size_t bytes, cu_pointer *out) {
  return hd_cuda_obtain(call, bytes ? bytes : 1, false, out);
}

void hd_cuda_forget(struct hd_cuda_call *call, cu_pointer memory) {
  if (memory && !hd_cuda_captured(call)) hd_cuda_give_back(call->cuda, memory);
}

/* ---- scratch --------------------------------------------------------------------------------- */

/* Room to grow, so that calls of rising sizes do not each allocate anew. */
static size_t roomy(size_t bytes) {
  const size_t unit = (size_t)1 << 20;
  size_t more = bytes + bytes / 4;
  return more < bytes || more > SIZE_MAX - unit ? bytes : (more + unit - 1) & ~(unit - 1);
}

static heddle_status too_small(struct hd_cuda_call *call, size_t needed, size_t given) {
  return hd_fail(HEDDLE_OUT_OF_MEMORY,
                 "%s: the call needs %zu bytes of scratch, but heddle_set_scratch gave %zu; give "
                 "more, or NULL for the context's own",
                 call->entry, needed, given);
}

/* What a graph may still be replayed on stays in the list of blocks, which close empties. */
static void retire(struct hd_cuda_context *cuda, cu_pointer at) {
  if (at && !cuda->captured) hd_cuda_give_back(cuda, at);
}

/* Only at the start of a call: later ones have parts of the block in use. */
static heddle_status grow_scratch(struct hd_cuda_call *call, size_t bytes) {
  struct hd_cuda_context *cuda = call->cuda;
  HD_TRY(hd_cuda_no_capture(call, "allocating scratch"));
  retire(cuda, cuda->scratch.at);
  cuda->scratch = (struct hd_cuda_area){0, 0};
  size_t size = roomy(bytes);
  HD_TRY(hd_cuda_obtain(call, size, false, &cuda->scratch.at));
  cuda->scratch.bytes = size;
  return HEDDLE_OK;
}

/* Adds an area as large as all scratch before it: a few are enough for any call. */
static heddle_status add_area(struct hd_cuda_call *call, size_t bytes) {
  struct hd_cuda_context *cuda = call->cuda;
  size_t size = cuda->scratch.bytes;
  if (cuda->extras == HD_MOST_EXTRAS) return no_memory(call, bytes, "a table of blocks");
  for (unsigned i = 0; i < cuda->extras; i++) size += cuda->extra[i].bytes;
  struct hd_cuda_area *extra = &cuda->extra[cuda->extras];
  if (size < bytes || size > (size_t)1 << 30) size = bytes;
  HD_TRY(hd_cuda_obtain(call, size, false, &extra->at));
  extra->bytes = size;
  cuda->extras++;
  return HEDDLE_OK;
}

/* Grows the block by the extra areas of earlier calls. The block stays as it is if that fails, or
 * while the stream is captured. */
static heddle_status make_room(struct hd_cuda_call *call, size_t bytes) {
  struct hd_cuda_context *cuda = call->cuda;
  if (cuda->scratch.bytes < cuda->scratch_wanted && !hd_cuda_captured(call)) {
    struct hd_message kept;
    hd_message_keep(&kept);
    if (grow_scratch(call, cuda->scratch_wanted)) {
      hd_message_restore(&kept);
      cuda->scratch_wanted = 0;
    }
  }
  return cuda->scratch.bytes < bytes ? grow_scratch(call, bytes) : HEDDLE_OK;
}

static heddle_status find_scratch(struct hd_cuda_call *call, size_t bytes, cu_pointer *out) {
  struct hd_cuda_context *cuda = call->cuda;
  struct hd_cuda_mark *mark = &call->scratch;
  const bool given = cuda->callers_scratch.bytes;
  if (!given && !mark->bytes && !cuda->extras) HD_TRY(make_room(call, bytes));
  for (;;) {
    const struct hd_cuda_area *area = given        ? &cuda->callers_scratch
                                      : mark->area ? &cuda->extra[mark->area - 1]
                                                   : &cuda->scratch;
    if (bytes <= area->bytes - mark->used) {
      *out = area->at + mark->used;
      mark->used += bytes;
      return HEDDLE_OK;
    }
    if (given) return too_small(call, mark->used + bytes, area->bytes);
    if (mark->area == cuda->extras) HD_TRY(add_area(call, bytes));
    mark->area++;
    mark->used = 0;
  }
}

heddle_status hd_cuda_scratch(struct hd_cuda_call *call, size_t bytes, cu_pointer *out) {
  struct hd_cuda_context *cuda = call->cuda;
  size_t rounded, end;
  if (__builtin_add_overflow(bytes ? bytes : 1, (size_t)255, &rounded) ||
      __builtin_add_overflow(call->scratch.bytes, rounded & ~(size_t)255, &end))
    return no_memory(call, bytes, "no allocator");
  if (call->preparing)
    *out = HD_FAKE_ADDRESS + call->scratch.bytes;
  else
    HD_TRY(find_scratch(call, end - call->scratch.bytes, out));
  call->scratch.bytes = end;
  if (end > cuda->scratch_wanted && !call->record) cuda->scratch_wanted = end;
  return HEDDLE_OK;
}

void hd_cuda_scratch_retry(struct hd_cuda_call *call, struct hd_cuda_mark mark) {
  struct hd_cuda_context *cuda = call->cuda;
  while (cuda->extras > mark.area) hd_cuda_give_back(cuda, cuda->extra[--cuda->extras].at);
  if (!mark.bytes && !cuda->extras && cuda->scratch.at) {
    retire(cuda, cuda->scratch.at);
    cuda->scratch = (struct hd_cuda_area){0, 0};
  }
  hd_cuda_scratch_reset(call, mark);
}

void hd_cuda_scratch_leave(struct hd_cuda_call *call) {
  struct hd_cuda_context *cuda = call->cuda;
  while (cuda->extras) hd_cuda_give_back(cuda, cuda->extra[--cuda->extras].at);
}

/* ---- regions --------------------------------------------------------------------------------- */

heddle_status hd_cuda_region(struct hd_cuda_call *call, enum hd_cuda_region region, size_t bytes,
                             cu_pointer *out) {
  struct hd_cuda_area *area = &call->cuda->region[region];
  enum { TICKET_BYTES = 256 << 10, LEAST_BYTES = 64 << 10 };
  if (call->record) {
    *out = HD_FAKE_ADDRESS;
    return HEDDLE_OK;
  }
  if (area->bytes < bytes) {
    size_t size = region == HD_REGION_TICKETS ? TICKET_BYTES : LEAST_BYTES;
    while (size < bytes && size <= SIZE_MAX / 2) size *= 2;
    assert(bytes <= size && (region != HD_REGION_TICKETS || bytes <= TICKET_BYTES));
    cu_pointer fresh;
    HD_TRY(hd_cuda_obtain(call, size, false, &fresh));
    cu_result result = call->cu->set_bytes(fresh, 0, size, call->stream);
    if (result) {
      hd_cuda_give_back(call->cuda, fresh);
      return hd_cuda_check(call, result, "clearing device memory");
    }
    retire(call->cuda, area->at);
    *area = (struct hd_cuda_area){fresh, size};
  }
  *out = area->at;
  return HEDDLE_OK;
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* While preparing, only memory that is the library's own and keeps its content may be written. */
static bool skipped(struct hd_cuda_call *call, cu_pointer to) {
  if (!call->preparing) return false;
  if (call->record) return true;
  const struct hd_cuda_block *block = hd_cuda_block_of(call->cuda, to);
  return !block || block->callers;
}

/* Small tables go through a pinned ring, as a copy out of pageable memory would wait for the
 * stream. At the ring's end the copies before are waited for: rarely. */
heddle_status hd_cuda_upload(struct hd_cuda_call *call, cu_pointer to, const void *from,
                             size_t bytes) {
  struct hd_cuda_context *cuda = call->cuda;
  if (!bytes || skipped(call, to)) return HEDDLE_OK;
  HD_TRY(hd_cuda_no_capture(call, "copying a table to the device"));
  if (bytes <= HD_UPLOAD_BYTES / 4) {
    if (bytes > HD_UPLOAD_BYTES - cuda->upload_next) {
      HD_TRY(hd_cuda_check(call, call->cu->stream_sync(call->stream), "waiting for the device"));
      cuda->upload_next = 0;
    }
    char *pinned = cuda->pinned + HD_PINNED_UPLOADS + cuda->upload_next;
    cuda->upload_next += (bytes + 63) & ~(size_t)63;
    memcpy(pinned, from, bytes);
    return hd_cuda_check(call, call->cu->copy_in(to, pinned, bytes, call->stream),
                         "copying a table to the device");
  }
  HD_TRY(hd_cuda_check(call, call->cu->copy_in(to, from, bytes, call->stream),
                       "copying a table to the device"));
  /* Out of the caller's pinned memory it is still under way. */
  return hd_cuda_check(call, call->cu->stream_sync(call->stream), "waiting for the device");
}

heddle_status hd_cuda_zero(struct hd_cuda_call *call, cu_pointer to, size_t bytes) {
  if (!bytes || skipped(call, to)) return HEDDLE_OK;
  return hd_cuda_check(call, call->cu->set_bytes(to, 0, bytes, call->stream),
                       "clearing device memory");
}

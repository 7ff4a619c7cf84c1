/* staging.c - arrays of one call, moved to device memory and back; see staging.h */
#include "staging.h"

enum { CONTEXTS = 64, ARRAYS = 8, GUARD = 64, CANARY = 0xB7 };

/* Device memory of one context, grown as calls need it. */
static struct area {
  heddle_context *ctx;
  char *device;
  size_t bytes;
} areas[CONTEXTS];

/* The call at hand, of each thread: callers of one context on a CPU may be many. */
static _Thread_local struct array {
  char *host;
  size_t bytes;
  char *device;
  int out;
} arrays[ARRAYS];
static _Thread_local size_t array_count, used;
static _Thread_local char *outgrown[ARRAYS]; /* areas that a call's arrays were too large for */
static _Thread_local size_t outgrown_count;
static _Thread_local struct area *area;

static void must(heddle_status status, const char *what) {
  if (status != HEDDLE_OK) fail_msg("%s: %s", what, heddle_message());
}

static struct area *area_of(const heddle_context *ctx) {
  for (size_t i = 0; i < CONTEXTS; i++)
    if (areas[i].ctx == ctx) return &areas[i];
  return NULL;
}

void staged_begin(heddle_context *ctx) {
  struct area *unused = area_of(NULL);
  assert_non_null(unused);
  *unused = (struct area){ctx, NULL, 0};
}

void staged_end(heddle_context *ctx) {
  struct area *a = ctx ? area_of(ctx) : NULL;
  if (!a) return;
  if (a->device) must(heddle_device_free(ctx, a->device), "heddle_device_free");
  *a = (struct area){NULL, NULL, 0};
}

int staging_begin(heddle_context *ctx) {
  area = ctx ? area_of(ctx) : NULL;
  array_count = used = 0;
  return area != NULL;
}

/* Room for an array that ends at `end`. One that does not fit goes to a new area, behind room for
 * what came before, so that addresses given out stay as they are: the old area is kept until
 * staging_end. */
static void grow(size_t end) {
  if (end <= area->bytes) return;
  const size_t bytes = 2 * end + ((size_t)1 << 22);
  void *wider = NULL;
  must(heddle_device_alloc(area->ctx, bytes, &wider), "heddle_device_alloc");
  assert_true(outgrown_count < ARRAYS);
  if (area->device) outgrown[outgrown_count++] = area->device;
  area->device = wider;
  area->bytes = bytes;
}

static void *place(void *host, size_t count, size_t size, int out) {
  const size_t bytes = count * size, aligned = size & (0 - size);
  for (size_t i = 0; i < array_count; i++) {
    struct array *a = &arrays[i];
    if ((char *)host < a->host || (char *)host + bytes > a->host + a->bytes) continue;
    a->out |= out;
    return a->device + ((char *)host - a->host);
  }
  assert_true(array_count < ARRAYS);
  const size_t at = (used + 2 * GUARD + 255) / 256 * 256 + (size_t)host % 64 / aligned * aligned;
  const size_t end = at + bytes + GUARD;
  grow(end);
  char *copy = allocate(bytes + 2 * GUARD);
  memset(copy, CANARY, GUARD);
  memcpy(copy + GUARD, host, bytes);
  memset(copy + GUARD + bytes, CANARY, GUARD);
  must(heddle_copy(area->ctx, area->device + at - GUARD, copy, bytes + 2 * GUARD), "heddle_copy");
  free(copy);
  used = end;
  arrays[array_count++] = (struct array){host, bytes, area->device + at, out};
  return area->device + at;
}

const void *staging_in(const void *host, size_t count, size_t size) {
  return host && count > 0 && size > 0 ? place((void *)(uintptr_t)host, count, size, 0) : host;
}

void *staging_out(void *host, size_t count, size_t size) {
  return host && count > 0 && size > 0 ? place(host, count, size, 1) : host;
}

void *staging_sometimes(void *host, size_t count, size_t size) {
  static unsigned calls;
  return calls++ % 2 ? staging_out(host, count, size) : host;
}

static void bring_back(const struct array *a) {
  char *copy = allocate(a->bytes + 2 * GUARD);
  must(heddle_copy(area->ctx, copy, a->device - GUARD, a->bytes + 2 * GUARD), "heddle_copy");
  for (size_t i = 0; i < GUARD; i++)
    if ((unsigned char)copy[i] != CANARY || (unsigned char)copy[GUARD + a->bytes + i] != CANARY)
      fail_msg("device memory beside an array of %zu bytes was written", a->bytes);
  if (a->out)
    memcpy(a->host, copy + GUARD, a->bytes);
  else
    same_bytes(a->host, copy + GUARD, a->bytes, "an input of %zu bytes was written", a->bytes);
  free(copy);
}

heddle_status staging_end(heddle_status status) {
  heddle_context *ctx = area->ctx;
  const heddle_status late = heddle_sync(ctx);
  if (status == HEDDLE_OK) status = late;
  for (size_t i = 0; i < array_count && status == HEDDLE_OK; i++) bring_back(&arrays[i]);
  while (outgrown_count > 0)
    must(heddle_device_free(ctx, outgrown[--outgrown_count]), "heddle_device_free");
  array_count = used = 0;
  return status;
}

size_t staged_size(heddle_type type, const heddle_options *options) {
  return type == HEDDLE_CUSTOM ? options->custom->element_bytes : data_size(type);
}

size_t staged_out_size(heddle_op op, heddle_type type, const heddle_options *options) {
  return type == HEDDLE_CUSTOM ? options->custom->element_bytes
                               : data_size(ref_out_type(op, type, options));
}

size_t staged_scan_size(heddle_type type, const heddle_options *options) {
  if (type == HEDDLE_CUSTOM) return options->custom->element_bytes;
  return data_size(options && options->out_type ? options->out_type : type);
}

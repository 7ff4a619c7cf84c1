/* open.c - from a list of numbers to members, and what a group is beside its calls: names, streams,
 * memory, waiting
 *
 * Limits   prepared calls and captured streams are one device's; so is an allocator of device memory,
 *          which is not told the device */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "group.h"

/* ---- the list -------------------------------------------------------------------------------- */

static heddle_status bad_list(const struct hd_group *group, const char *rest, const char *why) {
  return hd_fail(HEDDLE_NO_DEVICE,
                 "heddle_open: \"%s:%.80s\": %s; list devices by number, as in \"%s:0,1\", or all "
                 "as \"%s:all\"",
                 group->of->name, rest, why, group->of->name, group->of->name);
}

static heddle_status add(struct hd_group *group, const char *rest, long number, int count) {
  if (number >= count)
    return hd_fail(HEDDLE_NO_DEVICE,
                   "heddle_open: \"%s:%.80s\": there is no device %ld; this process sees %d, "
                   "numbered from 0",
                   group->of->name, rest, number, count);
  for (unsigned m = 0; m < group->members; m++)
    if (group->number[m] == number)
      return hd_fail(HEDDLE_BAD_ARGUMENT,
                     "heddle_open: \"%s:%.80s\": device %ld is named twice; name each once",
                     group->of->name, rest, number);
  if (group->members == HD_GROUP_MOST)
    return hd_fail(HEDDLE_UNSUPPORTED,
                   "heddle_open: \"%s:%.80s\": a group has at most %d devices; name fewer",
                   group->of->name, rest, (int)HD_GROUP_MOST);
  group->number[group->members++] = (int)number;
  return HEDDLE_OK;
}

static heddle_status read_list(struct hd_group *group, const char *rest, int count) {
  const char *at = rest;
  for (;;) {
    char *end;
    if (*at == ',' || !*at) return bad_list(group, rest, "a number is missing");
    if (*at < '0' || *at > '9') return bad_list(group, rest, "what is no number names no device");
    const long number = strtol(at, &end, 10);
    if (*end && *end != ',') return bad_list(group, rest, "what is no number names no device");
    HD_TRY(add(group, rest, number, count));
    if (!*end) return HEDDLE_OK;
    at = end + 1;
  }
}

static heddle_status choose(struct hd_group *group, const char *rest) {
  int count = 0;
  HD_TRY(group->of->devices("heddle_open", &count));
  if (strcmp(rest, "all")) return read_list(group, rest, count);
  if (count < 1)
    return hd_fail(HEDDLE_NO_DEVICE, "heddle_open: \"%s:all\": this process sees no device",
                   group->of->name);
  for (int i = 0; i < count; i++) HD_TRY(add(group, rest, i, count));
  return HEDDLE_OK;
}

/* ---- open and close -------------------------------------------------------------------------- */

static void end(struct hd_group *group) {
  for (unsigned m = 0; m < group->members; m++) heddle_close(group->member[m]);
  free(group);
}

static heddle_status open_members(struct hd_group *group) {
  for (unsigned m = 0; m < group->members; m++) {
    char name[32];
    (void)snprintf(name, sizeof name, "%s:%d", group->of->name, group->number[m]);
    HD_TRY(heddle_open(name, &group->member[m]));
  }
  return HEDDLE_OK;
}

static void write_name(const struct hd_group *group, char *text, size_t bytes) {
  size_t used = (size_t)snprintf(text, bytes, "%s", group->of->name);
  for (unsigned m = 0; m < group->members && used < bytes; m++)
    used += (size_t)snprintf(text + used, bytes - used, "%c%d", m ? ',' : ':', group->number[m]);
}

static heddle_status open_group(heddle_context *ctx, const struct hd_backend *of,
                                const char *rest) {
  struct hd_group *group = calloc(1, sizeof *group);
  if (!group) return hd_fail(HEDDLE_OUT_OF_MEMORY, "heddle_open: no memory for a context");
  group->of = of;
  heddle_status status = choose(group, rest);
  if (!status) status = open_members(group);
  if (status) {
    struct hd_message kept; /* closing may set another */
    hd_message_keep(&kept);
    end(group);
    hd_message_restore(&kept);
    return status;
  }
  ctx->data = group;
  ctx->threads = group->member[0]->threads;
  write_name(group, ctx->device, sizeof ctx->device);
  return HEDDLE_OK;
}

static heddle_status open_cuda(heddle_context *ctx, const char *rest) {
  return open_group(ctx, &hd_cuda_backend, rest);
}

static heddle_status open_simt(heddle_context *ctx, const char *rest) {
  return open_group(ctx, &hd_simt_backend, rest);
}

void hd_group_close(heddle_context *ctx) { end(ctx->data); }

/* ---- what it is ------------------------------------------------------------------------------ */

heddle_status hd_group_info(heddle_context *ctx, heddle_device_info *out) {
  const struct hd_group *group = hd_group(ctx);
  bool alike = true;
  for (unsigned m = 0; m < group->members; m++) {
    heddle_device_info info = HEDDLE_DEVICE_INFO_INIT;
    HD_TRY(heddle_info(group->member[m], &info));
    if (!m) *out = info;
    alike = alike && !strcmp(out->name, info.name);
    if (m) out->threads += info.threads;
  }
  char first[sizeof out->name];
  memcpy(first, out->name, sizeof first);
  if (group->members > 1 && alike)
    (void)snprintf(out->name, sizeof out->name, "%u x %.100s", group->members, first);
  else if (group->members > 1)
    (void)snprintf(out->name, sizeof out->name, "%.100s and %u more", first, group->members - 1);
  (void)snprintf(out->device, sizeof out->device, "%s", ctx->device);
  return HEDDLE_OK;
}

bool hd_group_on_device(heddle_context *ctx, const void *pointer) {
  return hd_on_device(hd_group(ctx)->member[0], pointer);
}

int hd_group_device_of(heddle_context *ctx, const void *pointer) {
  const unsigned m = hd_group_owner(ctx, pointer);
  if (m < hd_group(ctx)->members) return hd_group(ctx)->number[m];
  return hd_group_on_device(ctx, pointer) ? -2 : -1;
}

/* ---- streams --------------------------------------------------------------------------------- */

enum { LEGACY_STREAM = 1 }; /* CUDA's names of default streams: every device has them */

/* A stream is one member's, which alone goes on with it; a default stream is all members'. */
heddle_status hd_group_set_stream(heddle_context *ctx, void *stream) {
  const struct hd_group *group = hd_group(ctx);
  const bool for_all = (uintptr_t)stream <= LEGACY_STREAM;
  struct hd_group_call call;
  heddle_status status = HEDDLE_OK;
  hd_group_enter(&call, ctx);
  for (unsigned m = 0; m < group->members; m++) {
    heddle_context *member = group->member[m];
    status = member->backend->set_stream(member, stream);
    if (for_all ? status != HEDDLE_OK : status == HEDDLE_OK) break;
  }
  if (status && !for_all)
    (void)hd_fail(status,
                  "heddle_set_stream: `stream` belongs to no device of the group %s, or not to the "
                  "CUDA context that the group has on it; make it while that context is current",
                  ctx->device);
  return hd_group_leave(&call, status);
}

/* All are waited for, whatever one of them reports; the first report is given. */
heddle_status hd_group_sync(heddle_context *ctx, bool wait) {
  const struct hd_group *group = hd_group(ctx);
  struct hd_group_call call;
  struct hd_message kept;
  heddle_status first = HEDDLE_OK;
  hd_group_enter(&call, ctx);
  for (unsigned m = 0; m < group->members; m++) {
    const heddle_status status = group->member[m]->backend->sync(group->member[m], wait);
    if (!status || first) continue;
    first = status;
    hd_message_keep(&kept);
  }
  if (first) hd_message_restore(&kept);
  return hd_group_leave(&call, first);
}

/* ---- memory ---------------------------------------------------------------------------------- */

heddle_status hd_group_device_alloc(heddle_context *ctx, size_t bytes, void **out) {
  struct hd_group_call call;
  heddle_context *member = hd_group_begin(&call, ctx, 0, NULL);
  return hd_group_leave(&call, member->backend->device_alloc(member, bytes, out));
}

heddle_status hd_group_device_free(heddle_context *ctx, void *memory) {
  struct hd_group_call call;
  heddle_context *member = hd_group_begin(&call, ctx, 1, (const void *[]){memory});
  return hd_group_leave(&call, member->backend->device_free(member, memory));
}

/* From one member's memory to another's, by way of the host. */
static heddle_status copy_across(heddle_context *to_member, void *to, heddle_context *from_member,
                                 const void *from, size_t bytes) {
  enum { SLICE = 4 << 20 };
  const size_t room = bytes < SLICE ? bytes : SLICE;
  unsigned char *slice = hd_allocate(from_member, room);
  heddle_status status = slice ? HEDDLE_OK : HEDDLE_OUT_OF_MEMORY;
  for (size_t at = 0; at < bytes && !status; at += room) {
    const size_t n = bytes - at < room ? bytes - at : room;
    status = from_member->backend->copy(from_member, slice, (const char *)from + at, n);
    if (!status) status = to_member->backend->copy(to_member, (char *)to + at, slice, n);
  }
  hd_release(from_member, slice, room);
  return status;
}

heddle_status hd_group_copy(heddle_context *ctx, void *to, const void *from, size_t bytes) {
  const struct hd_group *group = hd_group(ctx);
  const unsigned target = hd_group_owner(ctx, to), source = hd_group_owner(ctx, from);
  const bool across = target < group->members && source < group->members && target != source;
  struct hd_group_call call;
  heddle_context *member = hd_group_begin(&call, ctx, 2, (const void *[]){from, to});
  return hd_group_leave(&call, across ? copy_across(group->member[target], to, member, from, bytes)
                                      : member->backend->copy(member, to, from, bytes));
}

heddle_status hd_group_one_device_only(heddle_context *ctx, const char *entry) {
  return hd_fail(HEDDLE_UNSUPPORTED,
                 "%s: `ctx` is the group %s, and this is done for one device at a time; open a "
                 "context on each, as \"%s:%d\"",
                 entry, ctx->device, hd_group(ctx)->of->name, hd_group(ctx)->number[0]);
}

heddle_status hd_group_set_device_allocator(heddle_context *ctx, heddle_device_allocate *allocate,
                                            heddle_device_release *release, void *user) {
  (void)allocate, (void)release, (void)user;
  return hd_group_one_device_only(ctx, "heddle_set_device_allocator");
}

heddle_status hd_group_prepare_begin(heddle_context *ctx) {
  return hd_group_one_device_only(ctx, "heddle_prepare_begin");
}

heddle_status hd_group_prepare_end(heddle_context *ctx, size_t *scratch_bytes) {
  (void)scratch_bytes;
  return hd_group_one_device_only(ctx, "heddle_prepare_end");
}

heddle_status hd_group_set_scratch(heddle_context *ctx, void *memory, size_t bytes) {
  (void)memory, (void)bytes;
  return hd_group_one_device_only(ctx, "heddle_set_scratch");
}

heddle_status hd_group_sort_scratch(heddle_context *ctx, const struct hd_sort *sort, size_t count,
                                    size_t *bytes) {
  struct hd_group_call call;
  heddle_context *member = hd_group_begin(&call, ctx, 0, NULL);
  return hd_group_leave(&call, member->backend->sort_scratch(member, sort, count, bytes));
}

/* ---- the tables ------------------------------------------------------------------------------ */

#define HD_ENTRY(type, name, arguments) .name = hd_group_##name,
const struct hd_backend hd_cuda_group_backend = {.name = "cuda",
                                                 .device = true,
                                                 .open = open_cuda,
                                                 .on_device = hd_group_on_device,
                                                 .device_of = hd_group_device_of,
                                                 .spread = hd_group_spread,
                                                 HD_ENTRIES(HD_ENTRY) HD_PARTIAL_ENTRIES(HD_ENTRY)};
const struct hd_backend hd_simt_group_backend = {.name = "simt",
                                                 .device = true,
                                                 .open = open_simt,
                                                 .on_device = hd_group_on_device,
                                                 .device_of = hd_group_device_of,
                                                 .spread = hd_group_spread,
                                                 HD_ENTRIES(HD_ENTRY) HD_PARTIAL_ENTRIES(HD_ENTRY)};

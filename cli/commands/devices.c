/* devices.c - opens each device that there may be, and keeps its name or why it is not there */
#include "devices.h"

#include <stdio.h>
#include <string.h>

#include "heddle.h"

static bool look(const char *device, struct device_entry *entry) {
  heddle_context *ctx;
  heddle_device_info info = HEDDLE_DEVICE_INFO_INIT;
  (void)snprintf(entry->device, sizeof entry->device, "%s", device);
  entry->found = heddle_open(device, &ctx) == HEDDLE_OK;
  if (entry->found) {
    entry->found = heddle_info(ctx, &info) == HEDDLE_OK;
    heddle_close(ctx);
  }
  if (!entry->found) {
    (void)snprintf(entry->text, sizeof entry->text, "%s", heddle_message());
    return false;
  }
  (void)snprintf(entry->device, sizeof entry->device, "%s", info.device);
  (void)snprintf(entry->text, sizeof entry->text, "%s, %s", info.name, info.isa);
  return true;
}

size_t devices_list(struct device_entry list[DEVICES]) {
  size_t count = 0;
  (void)look("cpu", &list[count++]);
  if (look("cuda:0", &list[count++])) {
    char device[16];
    for (unsigned i = 1; count < DEVICES - 1; i++, count++) {
      (void)snprintf(device, sizeof device, "cuda:%u", i);
      if (!look(device, &list[count])) break; /* one beyond the last: nothing to tell */
    }
  } else {
    (void)snprintf(list[count - 1].device, sizeof list[0].device, "cuda");
  }
  (void)look("simt", &list[count++]);
  return count;
}

/* arch.h - one text of two that __CUDA_ARCH__ tells apart
 *
 * Result  rewrite_merge_arch: the host's text in which functions of the device have their device
 *         body, and functions of both choose when they run:
 *         { if (simt_on_device()) { device body } else { host body } }
 */
#ifndef SIMT_REWRITE_ARCH_H
#define SIMT_REWRITE_ARCH_H

#include "rewrite/unit/unit.h"

/* A difference of the texts: host tokens [host, host_end), device tokens [..). */
struct hunk {
  uint32_t host, host_end, device, device_end;
};

struct hunks {
  struct hunk *all;
  size_t count, room;
  uint32_t *device_of; /* of a host token: the same token in the device's text, or NONE */
};

void hunks_find(const struct unit *host, const struct unit *device, struct hunks *out);
void hunks_free(struct hunks *h);

void rewrite_merge_arch(struct unit *host, struct unit *device, struct text *out);

#endif

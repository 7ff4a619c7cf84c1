/* image.h - what NVRTC's library gives out as a cubin and the driver's library loads
 *
 * Method   a head, then an ELF shared object. The head says how long the object is, with a checksum
 *          of both, for which device and by which build it was made, and for whom: an image that is
 *          not instrumented would go unchecked in a checked process, so it is refused there
 * Limits   an image is for the build of libsimt.so that it was made for
 */
#ifndef SIMT_DRIVER_IMAGE_H
#define SIMT_DRIVER_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IMAGE_BUILD = 20 };

struct image {
  char magic[16];             /* IMAGE_MAGIC */
  uint64_t bytes;             /* of the object behind */
  uint64_t checksum;          /* of it */
  uint32_t architecture;      /* 90 */
  uint32_t watch;             /* enum simt_instrumentation */
  uint8_t build[IMAGE_BUILD]; /* of libsimt.so */
  uint32_t head;              /* a checksum of all above */
};

#define IMAGE_MAGIC "simt image 1\n"

/* image_fill - the head of an object; image_head_ok - whether this is one */
void image_fill(struct image *head, const void *object, size_t bytes, unsigned architecture,
                unsigned watch);
bool image_head_ok(const struct image *head);
uint64_t image_checksum(const void *data, size_t bytes);
/* image_build - the build id of the libsimt.so of this process */
void image_build(uint8_t build[IMAGE_BUILD]);

#endif

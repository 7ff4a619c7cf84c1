/* room.h - a block's elements in shared memory, where threads whose rows lie apart reach them together
 *
 * Result   ROOM_AT(type, at)  element `at` of the block's
 * Memory   `room`, dynamic: an element more, of at least 4 bytes, for every SHORT_LINE bytes */
#ifndef HEDDLE_KERNELS_SORT_ROOM_H
#define HEDDLE_KERNELS_SORT_ROOM_H

#include "kernels/base/device.h"

#include "args.h" /* needs their types */

extern __shared__ uint4 room[];

/* Where the bytes of element `at` are: lines of 128 bytes are apart by an element, so that elements of
 * one place in rows next to each other are in other banks. */
HD_DEVICE u32 room_place(u32 at, u32 bytes) {
  return at * bytes + at * bytes / SHORT_LINE * (bytes < 4 ? 4u : bytes);
}
#define ROOM_AT(type, at) (*(type *)((u8 *)room + room_place(at, sizeof(type))))

#endif

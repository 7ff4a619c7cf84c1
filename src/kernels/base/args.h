/* args.h - what structs of kernel arguments are made of, the same text on both sides
 *
 * Result   HD_ADDRESS(type)    device memory: a pointer in a kernel, its number on the host
 *          struct total_ends   init, then the identity, as totals: the last member of its struct,
 *                              at a multiple of 16 bytes, since only the kernel knows its size
 *          HD_LAST_AT(..)      asserts on both sides where the last member is
 * Method   A kernel takes one struct of a room's args.h; the host fills the same struct and hands
 *          it to hd_cuda_launch, which copies as much of it as the kernel takes.
 * Defines  a kernel's text includes order/device/total.h before; the host's order/types.h for u32 and u64
 * Limits   totals, and so custom elements, are aligned to at most 16 bytes */
#ifndef HEDDLE_KERNELS_BASE_ARGS_H
#define HEDDLE_KERNELS_BASE_ARGS_H

enum { TOTAL_MOST_BYTES = 256 }; /* the largest total: a custom one */

#ifdef TOTAL_KIND
#define HD_PADDED(bytes, type) (((bytes) + alignof(type) - 1) / alignof(type) * alignof(type))
#define HD_LAST_AT(type, member, bytes) \
  static_assert(sizeof(type) == HD_PADDED((bytes) + sizeof(((type *)0)->member), type), "no gaps")
#define HD_ADDRESS(type) type *
struct total_ends {
  total init, identity;
};
#else
#include <stddef.h>
#define HD_LAST_AT(type, member, bytes) _Static_assert(offsetof(type, member) == (bytes), "no gaps")
#define HD_ADDRESS(type) u64
struct total_ends {
  _Alignas(16) unsigned char bytes[2 * TOTAL_MOST_BYTES];
};
#endif

#endif

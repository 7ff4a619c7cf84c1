/* warp_functions.h - functions of a warp and of a tile that can be in a kernel of phases */
#ifndef SIMT_REWRITE_KERNELS_WARP_FUNCTIONS_H
#define SIMT_REWRITE_KERNELS_WARP_FUNCTIONS_H

#include "rewrite/unit/unit.h"

/* Of a warp, with a mask; of a tile, as its method or with it in front. */
enum warp_caller { WARP, TILE_METHOD, TILE_FUNCTION };

struct warp_function {
  const char *name;
  unsigned least, most; /* arguments, mask and tile among them */
  const char *call;     /* of simt::, template arguments open */
  bool shuffles, typed; /* the value's type is the function's own result */
  enum warp_caller of;
};

/* warp_function_at - what token i calls, or NULL. *tile: how many threads take part, if they are a tile;
 * *from: where the call begins */
const struct warp_function *warp_function_at(const struct unit *u, uint32_t i, unsigned *tile,
                                             uint32_t *from);

#endif

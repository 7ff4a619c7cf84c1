/* The table of warp_functions.h, and calls of its functions in a text. */
#include "warp_functions.h"
#include "phases.h"

static const struct warp_function functions[] = {
    {"__shfl_sync", 3, 4, "shuffled<simt::SHUFFLE_INDEX", true, true, WARP},
    {"__shfl_up_sync", 3, 4, "shuffled<simt::SHUFFLE_UP", true, true, WARP},
    {"__shfl_down_sync", 3, 4, "shuffled<simt::SHUFFLE_DOWN", true, true, WARP},
    {"__shfl_xor_sync", 3, 4, "shuffled<simt::SHUFFLE_XOR", true, true, WARP},
    {"__ballot_sync", 2, 2, "voted<simt::vote_ballot", false, false, WARP},
    {"__any_sync", 2, 2, "voted<simt::vote_any", false, false, WARP},
    {"__all_sync", 2, 2, "voted<simt::vote_all", false, false, WARP},
    {"__uni_sync", 2, 2, "voted<simt::vote_uni", false, false, WARP},
    {"__reduce_add_sync", 2, 2, "folded<simt::op_add", false, true, WARP},
    {"__reduce_min_sync", 2, 2, "folded<simt::op_min", false, true, WARP},
    {"__reduce_max_sync", 2, 2, "folded<simt::op_max", false, true, WARP},
    {"__reduce_and_sync", 2, 2, "folded<simt::op_and", false, true, WARP},
    {"__reduce_or_sync", 2, 2, "folded<simt::op_or", false, true, WARP},
    {"__reduce_xor_sync", 2, 2, "folded<simt::op_xor", false, true, WARP},
    {"__syncwarp", 0, 1, "", false, false, WARP},
    {"sync", 0, 0, "", false, false, TILE_METHOD},
    {"shfl", 2, 2, "shuffled<simt::SHUFFLE_INDEX", true, false, TILE_METHOD},
    {"shfl_up", 2, 2, "shuffled<simt::SHUFFLE_UP", true, false, TILE_METHOD},
    {"shfl_down", 2, 2, "shuffled<simt::SHUFFLE_DOWN", true, false, TILE_METHOD},
    {"shfl_xor", 2, 2, "shuffled<simt::SHUFFLE_XOR", true, false, TILE_METHOD},
    {"ballot", 1, 1, "tile_voted<simt::vote_ballot", false, false, TILE_METHOD},
    {"any", 1, 1, "tile_voted<simt::vote_any", false, false, TILE_METHOD},
    {"all", 1, 1, "tile_voted<simt::vote_all", false, false, TILE_METHOD},
    {"sync", 1, 1, "", false, false, TILE_FUNCTION},
    {"reduce", 3, 3, "tile_folded<", false, false, TILE_FUNCTION},
    {"inclusive_scan", 3, 3, "tile_scanned<true, ", false, false, TILE_FUNCTION},
    {"exclusive_scan", 3, 3, "tile_scanned<false, ", false, false, TILE_FUNCTION},
};

const struct warp_function *warp_function_at(const struct unit *u, uint32_t i, unsigned *tile,
                                             uint32_t *from) {
  if (!is_name(u, i) || !is_mark(u, i + 1, '(')) return NULL;
  const enum warp_caller method = is_mark(u, i - 1, '.') ? TILE_METHOD : TILE_FUNCTION;
  *tile = 0, *from = i;
  for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
    const struct warp_function *f = &functions[k];
    if (!phases_spells(u, i, f->name)) continue;
    if (f->of == WARP) return unit_is_member(u, i) ? NULL : f;
    if (f->of == method) return (*tile = tile_of_call(u, i, from)) ? f : NULL;
  }
  return NULL;
}

bool phases_is_warp_function(const struct unit *u, uint32_t i) {
  unsigned tile;
  uint32_t from;
  return warp_function_at(u, i, &tile, &from) != NULL;
}

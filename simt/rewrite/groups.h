/* groups.h - groups of all threads of a block or a grid, and where they synchronise (kernels/groups.c); tiles of
 * a warp (kernels/tiles.c) */
#ifndef SIMT_REWRITE_GROUPS_H
#define SIMT_REWRITE_GROUPS_H

#include "rewrite/unit/unit.h"

enum group { NO_GROUP, BLOCK_GROUP, GRID_GROUP };

/* group_at - of all threads of the block or the grid, by whose name token i goes */
enum group group_at(const struct unit *u, uint32_t i);
/* group_synchronised - the group that waits at token i, `sync` */
enum group group_synchronised(const struct unit *u, uint32_t i);
/* group_statement - of the statement at i that declares a group or, *syncs, waits for one, and
 * nothing else; *last: its `;` */
enum group group_statement(const struct unit *u, uint32_t i, uint32_t *last, bool *syncs);
/* group_is_asked - all that is done with the group that token i names is to ask who or how many it is */
bool group_is_asked(const struct unit *u, uint32_t i);
/* group_qualified_end - behind `a::b::c` at i */
uint32_t group_qualified_end(const struct unit *u, uint32_t i);

enum { MOST_TILE = 32 };

/* tile_statement - the statement at i does nothing but to make a tile of threads of a warp: how many; 0: it is
 * none. *name, and its `;` *last */
unsigned tile_statement(const struct unit *u, uint32_t i, uint32_t *name, uint32_t *last);
/* tile_parent - of the statement that ends with `last`: the threads of the tile that it parts; 0: the block */
unsigned tile_parent(const struct unit *u, uint32_t last);
/* tile_at - the threads of the tile that token i names; 0: it names none */
unsigned tile_at(const struct unit *u, uint32_t i);
/* tile_of_call - of the tile that does what token i names, by `tile.f(..)` or `cg::f(tile, ..)`; 0: no such
 * call. *from: where the call begins */
unsigned tile_of_call(const struct unit *u, uint32_t i, uint32_t *from);
/* tile_is_asked - at token i a tile is asked who or how many it is; tile_is_counted - how many */
bool tile_is_asked(const struct unit *u, uint32_t i);
bool tile_is_counted(const struct unit *u, uint32_t i);

#endif

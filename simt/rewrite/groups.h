/* groups.h - groups of all threads of a block or a grid, and where they synchronise (kernels/groups.c) */
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

#endif

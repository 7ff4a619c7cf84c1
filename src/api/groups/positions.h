/* positions.h - checks of the entries whose arrays are positions, ids or rows of bytes */
#ifndef HEDDLE_API_GROUPS_POSITIONS_H
#define HEDDLE_API_GROUPS_POSITIONS_H

#include "api/api.h"

enum { HD_MOST_ROW_BYTES = 1 << 20 };

/* 1 to HD_MOST_ROW_BYTES. */
heddle_status hd_check_row_bytes(const char *entry, const char *what, size_t bytes);
/* HEDDLE_U32 or HEDDLE_U64, of *bytes. */
heddle_status hd_check_index_type(const char *entry, heddle_type type, u32 *bytes);

#endif

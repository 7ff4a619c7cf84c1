/* table.h - what heddle-ladder prints */
#ifndef LADDER_TOOL_SHOW_TABLE_H
#define LADDER_TOOL_SHOW_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "run/run.h"

/* table_print - a table a family, then the line "R right, C caught, W wrong" */
void table_print(const struct result *result, size_t count, bool cuda,
                 const struct ceiling *ceiling);

/* table_json - the same as one JSON object */
void table_json(const struct result *result, size_t count, bool cuda,
                const struct ceiling *ceiling);

/* table_list - the rungs and what is expected of them, without running them */
void table_list(const struct result *result, size_t count);

/* table_wrong - how many are wrong */
size_t table_wrong(const struct result *result, size_t count);

#endif

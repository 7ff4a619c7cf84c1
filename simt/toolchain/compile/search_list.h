/* search_list.h - the folders that the preprocessor searches, by its own words */
#ifndef SIMT_TOOLCHAIN_COMPILE_SEARCH_LIST_H
#define SIMT_TOOLCHAIN_COMPILE_SEARCH_LIST_H

#include "base/text.h"

/* search_list_take - moves the lines about folders, with which `g++ -E -Wp,-v` begins, from its
 * messages to `list`, in the place of what that had; messages without such a list stay whole */
void search_list_take(struct text *messages, struct text *list);

#endif

/* missing.h - --nan error: the first element that is NaN, which a missing field is as well */
#ifndef HEDDLE_CLI_COMMANDS_MISSING_H
#define HEDDLE_CLI_COMMANDS_MISSING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle.h"
#include "report/failure.h"

/* Whether one of count elements is NaN, and the first that is. */
bool missing_find(heddle_type type, const void *elements, size_t count, size_t *first);
/* Fails: the file, its column by name, "" for none, and the place, counted from 0. */
int missing_fail(const char *path, const char *column, uint64_t row, struct failure *why);

#endif

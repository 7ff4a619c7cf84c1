/* dates.h - days and times since 1970 as ISO 8601, whose order by bytes is theirs by time */
#ifndef HEDDLE_CLI_INPUT_TABLE_DATES_H
#define HEDDLE_CLI_INPUT_TABLE_DATES_H

#include <stdint.h>

enum table_unit {
  UNIT_NONE, /* a number is a number */
  UNIT_DAYS,
  UNIT_DAYS_IN_MS, /* a day, as milliseconds */
  UNIT_S,
  UNIT_MS,
  UNIT_US,
  UNIT_NS
};

enum { DATE_TEXT = 40 };

/* "2026-01-31", "2026-01-31T23:59:59.123Z", the Z where the times are those of UTC; years beyond 0 to 9999 have a sign
 * or more digits. Returns the length. */
int date_text(char text[DATE_TEXT], enum table_unit unit, int64_t value, int utc);

#endif

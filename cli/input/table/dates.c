/* dates.c - the civil calendar by eras of 400 years
 *
 * Source  Howard Hinnant, chrono-Compatible Low-Level Date Algorithms, civil_from_days */
#include "dates.h"

#include <inttypes.h>
#include <stdio.h>

static int64_t floor_divide(int64_t a, int64_t b, int64_t *rest) {
  *rest = a % b + (a % b < 0 ? b : 0);
  return a / b - (a % b < 0);
}

static int day_text(char text[DATE_TEXT], int64_t days) {
  int64_t of_era;
  /* From the 1st of March of year 0, so that a leap day is the last of its year. No value is near the limits: days
   * of 32 bits, or 64 bits of at least milliseconds, or of seconds, by 86400. */
  const int64_t era = floor_divide(days + 719468, 146097, &of_era);
  const int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
  const int64_t month = (5 * of_year + 2) / 153;
  const int day = (int)(of_year - (153 * month + 2) / 5 + 1);
  const int civil = (int)(month < 10 ? month + 3 : month - 9);
  return snprintf(text, DATE_TEXT, "%04" PRId64 "-%02d-%02d", era * 400 + year + (civil <= 2),
                  civil, day);
}

int date_text(char text[DATE_TEXT], enum table_unit unit, int64_t value, int utc) {
  static const struct {
    int64_t second;
    int digits;
  } units[] = {[UNIT_DAYS_IN_MS] = {1000, 0},
               [UNIT_S] = {1, 0},
               [UNIT_MS] = {1000, 3},
               [UNIT_US] = {1000000, 6},
               [UNIT_NS] = {1000000000, 9}};
  int64_t fraction, of_day;
  if (unit == UNIT_DAYS) return day_text(text, value);
  const int64_t seconds = floor_divide(value, units[unit].second, &fraction);
  int length = day_text(text, floor_divide(seconds, 86400, &of_day));
  if (unit == UNIT_DAYS_IN_MS) return length;
  length += snprintf(text + length, (size_t)(DATE_TEXT - length), "T%02d:%02d:%02d",
                     (int)(of_day / 3600), (int)(of_day / 60 % 60), (int)(of_day % 60));
  if (units[unit].digits > 0)
    length += snprintf(text + length, (size_t)(DATE_TEXT - length), ".%0*" PRId64,
                       units[unit].digits, fraction);
  if (utc) length += snprintf(text + length, (size_t)(DATE_TEXT - length), "Z");
  return length;
}

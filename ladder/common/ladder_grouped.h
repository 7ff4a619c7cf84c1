/* ladder_grouped.h - 1050625 as "1,050,625", the way that tables in the course spell numbers
 *
 * Result   ladder_grouped(n): text, valid until the eighth call after it
 * Limits   not thread-safe, as all of ladder.h
 */
#ifndef LADDER_GROUPED_H
#define LADDER_GROUPED_H

static inline const char *ladder_grouped(unsigned long long n) {
  static char texts[8][32];
  static int turn = 0;
  char *text = texts[turn++ % 8], *at = text + 31;
  *at = 0;
  for (int digits = 0; n > 0 || digits == 0; n /= 10, ++digits) {
    if (digits > 0 && digits % 3 == 0) *--at = ',';
    *--at = (char)('0' + n % 10);
  }
  return at;
}

#endif

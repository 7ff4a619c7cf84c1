/* print.h - texts that others wrote, made safe to show; numbers for people */
#ifndef SIMT_REPORT_CHECK_PRINT_H
#define SIMT_REPORT_CHECK_PRINT_H

#include <stdint.h>

#include "base/text.h"

/* print_clean - `from` with what would move a terminal's cursor or hide text as \x1b; bytes
 * that are no UTF-8 likewise */
void print_clean(struct text *out, const char *from);
/* print_json - a JSON string with its quotes; bytes that are no UTF-8 become U+FFFD */
void print_json(struct text *out, const char *from);
void print_number(struct text *out, uint64_t n); /* 1,024 */

#endif

/* quoting.h - which texts stand in CSV and TSV without quotes, and are read back as they are */
#ifndef HEDDLE_CLI_TEXT_QUOTING_H
#define HEDDLE_CLI_TEXT_QUOTING_H

#include <stdbool.h>
#include <stddef.h>

/* No separator, quote or end of line in it, no blank around it, and no '#' in front, with which a comment begins. The
 * empty text is so, and is read as a field that is missing. */
static inline bool text_stands_alone(const char *text, size_t bytes, char separator) {
  if (bytes == 0) return true;
  if (text[0] == '#' || (unsigned char)text[0] <= ' ' || (unsigned char)text[bytes - 1] <= ' ')
    return false;
  for (size_t i = 0; i < bytes; i++)
    if (text[i] == separator || text[i] == '"' || text[i] == '\n' || text[i] == '\r') return false;
  return true;
}

#endif

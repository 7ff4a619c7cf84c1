/* text_lines.c - copies out of the reader's buffer, which moves on within a block
 *
 * Method  One text and the ends of its lines, so that a block is taken over by two copies. */
#include "text_lines.h"

#include <stdlib.h>
#include <string.h>

struct text_lines *text_lines_new(size_t rows) {
  struct text_lines *const lines = calloc(1, sizeof *lines);
  if (!lines) return NULL;
  lines->end = malloc(rows * sizeof *lines->end);
  if (lines->end) return lines;
  free(lines);
  return NULL;
}

void text_lines_free(struct text_lines *lines) {
  if (!lines) return;
  free(lines->text);
  free(lines->end);
  free(lines->front);
  free(lines);
}

void text_lines_again(struct text_lines *lines) {
  lines->rows = lines->used = 0;
  lines->comments = 0;
}

static int append(char **text, size_t *used, size_t *room, const char *from, size_t bytes) {
  if (bytes > *room - *used) {
    size_t larger = *room + *room / 2;
    if (larger < *used + bytes) larger = *used + bytes;
    char *const moved = realloc(*text, larger);
    if (!moved) return -1;
    *text = moved;
    *room = larger;
  }
  memcpy(*text + *used, from, bytes);
  *used += bytes;
  return 0;
}

int text_lines_add(struct text_lines *lines, const char *begin, const char *end, size_t rows) {
  size_t at = lines->used;
  if (append(&lines->text, &lines->used, &lines->room, begin, (size_t)(end - begin)) != 0)
    return -1;
  lines->begun = true;
  for (; rows > 1; rows--) {
    const char *const line = memchr(lines->text + at, '\n', lines->used - at);
    if (!line) break;
    at = (size_t)(line - lines->text) + 1;
    lines->end[lines->rows++] = at;
  }
  lines->end[lines->rows++] = lines->used;
  return 0;
}

int text_lines_front(struct text_lines *lines, const char *begin, const char *end) {
  return append(&lines->front, &lines->front_used, &lines->front_room, begin,
                (size_t)(end - begin));
}

int text_lines_pass(struct text_lines *lines, const char *begin, const char *end, char comment) {
  if (!lines->begun) return text_lines_front(lines, begin, end);
  while (begin < end && (*begin == ' ' || *begin == '\t' || *begin == '\r')) begin++;
  lines->comments += begin < end && *begin == comment;
  return 0;
}

/* report_idea.c - a rung's opening comment as a list of what it says
 *
 * Method   "Idea", "Cost" and the like begin an entry where a word with a capital and at least two
 *          blanks stand at the beginning of a line; what follows up to the next is its text
 */
#include <ctype.h>
#include <string.h>

#include "report/html/html.h"
#include "report_parts.h"

/* The next line of the comment, without its marks; NULL at the comment's end. */
struct reader {
  const char *at;
  bool block; /* between slash-star and star-slash */
  unsigned lines;
};

static bool next_line(struct reader *r, const char **line, size_t *length) {
  const char *begin = r->at;
  size_t n = strcspn(begin, "\n");
  if (!*begin) return false;
  if (r->lines == 0 && strncmp(begin, "/*", 2) == 0) r->block = true;
  if (!r->block && strncmp(begin, "//", 2) != 0) return false;
  if (r->block && r->lines > 0 && strncmp(begin, " */", 3) == 0) {
    r->lines++;
    return false;
  }
  r->at = begin + n + (begin[n] == '\n');
  r->lines++;
  const size_t mark = n < 2 ? n : 2;
  *line = begin + mark;
  *length = n - mark;
  if (*length && **line == ' ') {
    (*line)++;
    (*length)--;
  }
  return true;
}

/* Length of the word that begins an entry; 0: it begins none. */
static size_t entry(const char *line, size_t length) {
  size_t n = 0;
  while (n < length && isalpha((unsigned char)line[n])) n++;
  const bool blanks = n + 1 < length && line[n] == ' ' && line[n + 1] == ' ';
  return n && isupper((unsigned char)line[0]) && blanks ? n : 0;
}

unsigned report_idea(FILE *out, const char *source) {
  struct reader r = {.at = source};
  const char *line;
  size_t length;
  bool open = false;
  while (next_line(&r, &line, &length)) {
    if (length >= 3 && strncmp(line, "//!", 3) == 0) continue;
    if (length >= 1 && line[0] == '!') continue;
    const size_t word = entry(line, length);
    if (word) {
      fputs(open ? "</dd>\n<dt>" : "<dl class=\"idea\">\n<dt>", out);
      html_bytes(out, line, word);
      fputs("</dt><dd>", out);
      open = true;
    }
    const size_t skipped = word + strspn(line + word, " ");
    if (!open || skipped >= length) continue; /* the title, which the page has already */
    html_bytes(out, line + skipped, length - skipped);
    fputs("\n", out);
  }
  if (open) fputs("</dd>\n</dl>\n", out);
  return r.lines;
}

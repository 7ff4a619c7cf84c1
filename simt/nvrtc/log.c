/* What the compiler said, in NVRTC's manner (nvrtc.h).
 *
 * Method   "name:12: error: text" becomes "name(12): error: text"; how g++ sees a kernel (a lambda,
 *          in a function of another) is left out
 */
#include "nvrtc.h"

#include <stdlib.h>
#include <string.h>

/* "/tmp/x/include/a.h" is the user's a.h. */
static const char *without_folder(const char *line, const char *folder) {
  static const char headers[] = "/include/";
  const size_t length = strlen(folder);
  if (strncmp(line, folder, length) != 0) return line;
  line += length;
  if (!strncmp(line, headers, sizeof headers - 1)) return line + sizeof headers - 1;
  return line + (*line == '/');
}

/* ld says "in function `f':" and then the same reference again and again. */
static bool is_noise(const char *line) {
  static const char *const parts[] = {": In lambda function:",
                                      ": In function ",
                                      ": At global scope:",
                                      "compilation terminated",
                                      "collect2: ",
                                      "/ld: ",
                                      "In file included from ",
                                      "                 from "};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strstr(line, parts[i])) return true;
  return false;
}

/* ld names the temporary object that a reference is in. */
static unsigned undefined(struct text *log, const char *line) {
  const char *quoted = strstr(line, "undefined reference to `") + strlen("undefined reference to ");
  char *said = text_format("nvrtc: error: unresolved %s\n", quoted);
  const bool again = log->length && strstr(log->data, said);
  if (!again) text_add_string(log, said);
  free(said);
  return !again;
}

static unsigned one(struct text *log, const char *line, bool warnings) {
  static const char *const kinds[] = {": fatal error: ", ": error: ", ": warning: ", ": note: "};
  if (strstr(line, "undefined reference to `")) return undefined(log, line);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const char *at = strstr(line, kinds[i]);
    if (!at) continue;
    const char *colon = at;
    while (colon > line && colon[-1] >= '0' && colon[-1] <= '9') colon--;
    if (i >= 2 && !warnings) return 0;
    if (colon == at || colon == line || colon[-1] != ':')
      text_add_format(log, "%s\n", line);
    else
      text_add_format(log, "%.*s(%.*s)%s\n", (int)(colon - 1 - line), line, (int)(at - colon),
                      colon, at);
    return i < 2;
  }
  if (!is_noise(line)) text_add_format(log, "%s\n", line);
  return 0;
}

unsigned nvrtc_log_add(struct text *log, const char *messages, const char *folder, bool warnings) {
  unsigned errors = 0;
  while (*messages) {
    const char *end = strchr(messages, '\n');
    const size_t length = end ? (size_t)(end - messages) : strlen(messages);
    char *line = text_copy(messages, length);
    if (length) errors += one(log, without_folder(line, folder), warnings);
    free(line);
    messages += length + (end != NULL);
  }
  return errors;
}

/* A line for each thing that counts (request.h).
 *
 * Method  the tool and the library are known by their files' size and time; what the compiler says
 *         of itself is key.h's
 */
#include "request.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/string_list.h"
#include "base/text.h"
#include "toolchain/cache/key.h"
#include "toolchain/files.h"

static void add_file(struct text *out, const char *what, const char *path) {
  text_add_format(out, "%s ", what);
  if (!files_stamp(path, out, NULL)) text_add_format(out, "%s missing", path);
  text_add_string(out, "\n");
}

static void add_words(struct text *out, const char *what, const struct string_list *w) {
  for (size_t i = 0; i < w->count; i++) {
    text_add_format(out, "%s %zu %s\n", what, strlen(w->all[i]), w->all[i]);
  }
}

void request_write(const struct build *b, struct text *out) {
  const struct options *o = b->options;
  char folder[4096];
  text_add_string(out, "simt 2\n");
  add_file(out, "tool", "/proc/self/exe");
  char *library = text_format("%s/libsimt.so", b->home.library);
  add_file(out, "library", library);
  free(library);
  text_add_format(out, "headers %s\nfolder %s\n", b->home.include,
                  getcwd(folder, sizeof folder) ? folder : "?");
  cache_add_machine(out);
  for (size_t i = 0; i < o->input_count; i++) {
    text_add_format(out, "input %d %s\n", (int)o->inputs[i].language, o->inputs[i].path);
  }
  add_words(out, "preprocess", &o->preprocess);
  add_words(out, "compile", &o->compile);
  add_words(out, "link", &o->link);
  text_add_format(out, "standard %s separate %d shared %d mode %d optimize %d\n",
                  o->standard ? o->standard : "-", o->separate, o->shared, (int)o->mode,
                  o->optimize);
}

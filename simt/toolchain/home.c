/* The first place that has both (home.h).
 *
 * Method  $SIMT_HOME if set, then places relative to the tool's own file: beside it as the
 *         build leaves it, or <prefix>/lib/heddle as an install has it
 */
#include "home.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/text.h"

static char *own_folder(void) {
  char *folder = files_own_folder();
  return folder ? folder : text_copy(".", 1);
}

/* The first of `base/places[i]` that holds `file`, as a real path; NULL if none does. */
static char *first_with(const char *base, const char *const *places, const char *file) {
  for (; *places; places++) {
    char *folder =
        **places == '/' ? text_copy(*places, strlen(*places)) : text_format("%s/%s", base, *places);
    char *whole = text_format("%s/%s", folder, file);
    char *real = access(whole, R_OK) ? NULL : realpath(folder, NULL);
    free(whole);
    free(folder);
    if (real) return real;
  }
  return NULL;
}

bool home_find(struct home *h, const char *program) {
  static const char *const libraries[] = {".",
                                          "lib",
                                          "../simt",
                                          "../lib/heddle",
                                          "../../lib/heddle",
                                          "../../heddle",
                                          "../lib/x86_64-linux-gnu/heddle",
                                          "../lib",
                                          "../../lib/x86_64-linux-gnu/heddle",
                                          "../lib64/heddle",
                                          "../../lib64/heddle",
                                          NULL};
  static const char *const includes[] = {"include",
                                         "simt/include",
                                         "../simt/include",
                                         "../lib/heddle/include",
                                         "../../lib/heddle/include",
                                         "../lib/heddle/simt/include",
                                         "../../lib/heddle/simt/include",
                                         "../include/heddle/simt",
                                         "../../include/heddle/simt",
                                         "../../heddle/include",
#ifdef SIMT_SOURCE_INCLUDE
                                         SIMT_SOURCE_INCLUDE,
#endif
                                         NULL};
  static const char *const beside[] = {"include", NULL};
  const char *given = getenv("SIMT_HOME");
  char *base = given && *given ? text_copy(given, strlen(given)) : own_folder();
  h->library = first_with(base, libraries, "libsimt.so");
  h->include = first_with(base, includes, "cuda_runtime.h");
  /* Wherever the distribution keeps libraries, the headers are installed beside this one. */
  if (h->library && !h->include) h->include = first_with(h->library, beside, "cuda_runtime.h");
  if (!h->library || !h->include) {
    fprintf(stderr, "%s: no %s near %s: the installation is incomplete\n", program,
            h->library ? "cuda_runtime.h" : "libsimt.so", base);
  }
  free(base);
  return h->library && h->include;
}

void home_free(struct home *h) {
  free(h->include);
  free(h->library);
}

/* What belongs to libsimt.so, and the precompiled header (nvrtc.h).
 *
 * Method   the headers lie beside the library that this process has loaded (or in $SIMT_HOME). What
 *          a text has without including anything is precompiled once for each way of building and
 *          each standard, in the cache: then a text of 300 lines takes a tenth of the time. A file
 *          is made under a name of its own and renamed, so that several processes may do so at once
 * Limits   g++ refuses a precompiled header that does not fit, and reads the plain one then
 */
#include "nvrtc.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "driver/image.h"
#include "toolchain/cache/folder.h"
#include "toolchain/cache/key.h"
#include "toolchain/compile/flags.h"

static const char prelude[] = "#include \"cuda_runtime.h\"\n#include \"simt/ptx.hpp\"\n";

static char *headers_beside(const char *library) {
  const char *given = getenv("SIMT_HOME");
  const char *slash = strrchr(library, '/');
  const int length = slash ? (int)(slash - library) : 0;
  const char *const places[] = {given && *given ? given : ".", NULL};
  char *folders[2] = {text_format("%s/include", places[0]),
                      text_format("%.*s/include", length, library)};
  char *found = NULL;
  for (size_t i = 0; i < 2; i++) {
    char *file = text_format("%s/cuda_runtime.h", folders[i]);
    if (!found && (i || (given && *given)) && !access(file, R_OK))
      found = realpath(folders[i], NULL);
    free(file);
    free(folders[i]);
  }
  return found;
}

bool installation_find(struct installation *p, struct text *log) {
  static const enum mode modes[] = {[SIMT_UNINSTRUMENTED] = MODE_RUN,
                                    [SIMT_CHECKED] = MODE_CHECK,
                                    [SIMT_PROFILED] = MODE_PROFILE};
  Dl_info info;
  const char *wish = getenv("SIMT_NVRTC");
  *p = (struct installation){.mode = modes[simt_instrumented_for()]};
  if (wish && !strcmp(wish, "check")) p->mode = MODE_CHECK;
  if (!dladdr((const void *)(uintptr_t)simt_configure, &info)) return false;
  p->library = realpath(info.dli_fname, NULL);
  p->include = p->library ? headers_beside(p->library) : NULL;
  p->cache = cache_folder();
  if (!p->include)
    text_add_format(log, "nvrtc: error: no include/cuda_runtime.h beside %s\n", info.dli_fname);
  return p->include != NULL;
}

void installation_free(struct installation *p) {
  free(p->library);
  free(p->include);
  free(p->cache);
  free(p->prelude);
}

void installation_compiler(const struct installation *p, const char *standard,
                           struct string_list *w) {
  string_list_add(w, "g++");
  const char *processor = getenv("SIMT_MARCH");
  char *words[3] = {text_format("-std=%s", standard), text_format("-I%s", p->include),
                    text_format("-march=%s", processor && *processor ? processor : "native")};
  flags_of_compiler(w);
  for (size_t i = 0; i < 3; i++) {
    string_list_add(w, words[i]);
    free(words[i]);
  }
  string_list_add(w, "-fPIC");
  /* Nothing that keeps a module from being unloaded, and no library for what the driver's lock
   * does. */
  string_list_add(w, "-fno-gnu-unique");
  string_list_add(w, "-fno-threadsafe-statics");
  string_list_add(w, "-D__SIMT__=1");
  flags_of_cuda(w);
  flags_of_mode(p->mode, false, w);
  /* A program has many kernels and short calls here: -O2 takes half as long again to compile as
   * -O1, -O3 three times as long, and runs a quarter faster. */
  if (p->mode == MODE_RUN) string_list_add(w, "-O1");
  flags_of_observer(p->mode, w);
}

/* All that the precompiled form depends on, as a name. */
static void name_prelude(const struct installation *p, const char *standard, char name[33]) {
  struct text t = {0};
  struct string_list w = {0};
  uint8_t build[IMAGE_BUILD];
  image_build(build);
  installation_compiler(p, standard, &w);
  for (size_t i = 0; i < w.count; i++) text_add_format(&t, "%s\n", w.all[i]);
  text_add(&t, (const char *)build, sizeof build);
  text_add_string(&t, prelude);
  cache_add_machine(&t);
  struct stat s;
  char *newest = text_format("%s/simt", p->include);
  if (!stat(newest, &s)) text_add_format(&t, "%lld", (long long)s.st_mtim.tv_sec);
  free(newest);
  cache_key(&t, name);
  text_free(&t);
  string_list_free(&w);
}

/* Puts a file into the cache: under a name of its own, then renamed. */
static bool make_header(const struct installation *p, const char *header) {
  char *own = text_format("%s/new-XXXXXX", p->cache);
  const int file = mkstemp(own);
  bool fine = file >= 0;
  if (fine) close(file);
  fine = fine && files_write(own, prelude, sizeof prelude - 1) && !rename(own, header);
  if (file >= 0 && !fine) unlink(own);
  free(own);
  return fine;
}

static bool precompile(const struct installation *p, const char *standard, const char *header,
                       const char *precompiled) {
  char *own = text_format("%s/new-XXXXXX", p->cache);
  const int file = mkstemp(own);
  struct string_list w = {0};
  struct text errors = {0};
  bool fine = file >= 0;
  if (fine) close(file);
  installation_compiler(p, standard, &w);
  const char *const rest[] = {"-x", "c++-header", "-o", own, header};
  for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) string_list_add(&w, rest[i]);
  fine = fine && nvrtc_spawn(&w, &errors) == 0 && !rename(own, precompiled);
  if (file >= 0 && !fine) unlink(own);
  string_list_free(&w);
  text_free(&errors);
  free(own);
  return fine;
}

void installation_prelude(struct installation *p, const char *standard) {
  char name[33];
  if (!p->cache) return;
  name_prelude(p, standard, name);
  char *header = text_format("%s/%s-nvrtc.hpp", p->cache, name);
  char *precompiled = text_format("%s.gch", header);
  const bool there = !access(precompiled, R_OK) && !access(header, R_OK);
  if (there) utimensat(AT_FDCWD, precompiled, NULL, 0); /* the cache loses what is not used */
  if (there || (make_header(p, header) && precompile(p, standard, header, precompiled)))
    p->prelude = header;
  else
    free(header);
  free(precompiled);
}

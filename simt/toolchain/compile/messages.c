/* Lines of g++, read one by one (messages.h).
 *
 * Method  a line "file:line: error: ..." that misses a name beginning as CUDA's do becomes
 *         "file:line: error: simt has no 'name'"; each name once. Of the functions that nvcc, too,
 *         has no longer the message says by what they are replaced
 */
#include "messages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/string_list.h"
#include "base/text.h"

/* How g++ and ld say that something is missing; the name is the first that is quoted behind
 * `before`, or the last one before `after`. */
static const struct {
  const char *text;
  bool name_behind;
} missing[] = {{"was not declared in this scope", false},
               {"has not been declared", false},
               {"does not name a type", false},
               {"is not a member of", false},
               {"has no member named ", true},
               {"there are no arguments to ", true},
               {"undefined reference to ", true}};

/* Headers and names of CUDA's libraries, by their beginnings. */
static const char *const beginnings[] = {"cuda",
                                         "__",
                                         "cublas",
                                         "curand",
                                         "cufft",
                                         "cusparse",
                                         "cusolver",
                                         "cudnn",
                                         "nvml",
                                         "nvrtc",
                                         "nppi",
                                         "npps",
                                         "nvtx",
                                         "thrust",
                                         "cub",
                                         "cutlass",
                                         "cute",
                                         "nvcuda",
                                         "cooperative_groups",
                                         "cg",
                                         "wmma",
                                         "atomic",
                                         "tex1D",
                                         "tex2D",
                                         "tex3D",
                                         "texCubemap",
                                         "surf1D",
                                         "surf2D",
                                         "surf3D",
                                         "nccl",
                                         "optix",
                                         "cuTensor",
                                         "cutensor",
                                         "nvjpeg",
                                         "CUDA_",
                                         "CUBLAS",
                                         "CUFFT",
                                         "mma",
                                         "nv/",
                                         "sm_",
                                         "CUresult",
                                         "CUdevice",
                                         "CUstream"};

static bool is_cuda_name(const char *name) {
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
    if (!strncmp(name, beginnings[i], strlen(beginnings[i]))) return true;
  }
  /* the driver's: cuMemAlloc */
  return name[0] == 'c' && name[1] == 'u' && name[2] >= 'A' && name[2] <= 'Z';
}

/* The quoted text that begins at or behind `from`, or the last one before `to`. */
static char *quoted(const char *from, const char *to) {
  const char *open = strpbrk(from, "'`");
  const char *close = open ? strchr(open + 1, '\'') : NULL;
  while (to && close && strpbrk(close + 1, "'`") && strpbrk(close + 1, "'`") < to) {
    open = strpbrk(close + 1, "'`");
    close = strchr(open + 1, '\'');
  }
  if (!close || (to && open > to)) return NULL;
  char *name = text_copy(open + 1, (size_t)(close - open - 1));
  char *parenthesis = strchr(name, '(');
  if (parenthesis) *parenthesis = 0;
  return name;
}

static char *missing_name(const char *line) {
  const char *error = strstr(line, "error: ");
  if (!error) error = strstr(line, "undefined reference to ");
  if (!error) return NULL;
  for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
    const char *at = strstr(error, missing[i].text);
    if (!at) continue;
    char *name = missing[i].name_behind ? quoted(at, NULL) : quoted(error, at);
    const char *owner = strstr(at, "is not a member of");
    const bool cuda = name && (is_cuda_name(name) ||
                               (owner && (strstr(owner, "cooperative_groups") ||
                                          strstr(owner, "nvcuda") || strstr(owner, "'cuda"))) ||
                               (missing[i].name_behind && strstr(error, "'struct cuda")));
    if (cuda) return name;
    free(name);
    return NULL;
  }
  return NULL;
}

/* fatal error: cublas_v2.h: No such file or directory */
static char *missing_header(const char *line) {
  const char *error = strstr(line, "fatal error: "), *end;
  if (!error || !(end = strstr(error, ": No such file"))) return NULL;
  error += strlen("fatal error: ");
  char *name = text_copy(error, (size_t)(end - error));
  if (is_cuda_name(name) || !strncmp(name, "helper_", 7)) return name;
  free(name);
  return NULL;
}

/* "prog.cu:12" of a message, without a column; NULL where it names none. */
static char *location(const char *line) {
  const char *colon = strchr(line, ':');
  if (!colon || colon == line) return NULL;
  char *end = NULL;
  strtoul(colon + 1, &end, 10);
  if (end == colon + 1 || *end != ':') return text_copy(line, (size_t)(colon - line));
  return text_copy(line, (size_t)(end - line));
}

/* Where the header is included that the next lines are about: "In file included from x.cu:1:". */
static void note_include(const char *line, char **where) {
  static const char from[] = "In file included from ";
  if (strncmp(line, from, sizeof from - 1)) return;
  free(*where);
  *where = location(line + sizeof from - 1);
}

static bool is_seen(const struct string_list *seen, const char *name) {
  for (size_t i = 0; i < seen->count; i++) {
    if (!strcmp(seen->all[i], name)) return true;
  }
  return false;
}

static void report_missing(const char *where, const char *what, struct string_list *seen) {
  if (is_seen(seen, what)) return;
  fprintf(stderr, "%s%serror: simt has no %s\n", where ? where : "", where ? ": " : "", what);
  string_list_add(seen, what);
}

/* Functions of a warp that lost their form without a mask (warp.hpp). */
static bool is_of_before_volta(const char *name) {
  static const char *const all[] = {"__shfl",   "__shfl_up", "__shfl_down", "__shfl_xor",
                                    "__ballot", "__any",     "__all"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (!strcmp(name, all[i])) return true;
  return false;
}

static void report_masked(const char *where, const char *name, struct string_list *seen) {
  if (is_seen(seen, name)) return;
  fprintf(
      stderr,
      "%s%serror: %s is not there since Volta: use %s_sync, with the mask of the lanes that take "
      "part; -arch=sm_60 gives a program of before what it knows\n",
      where ? where : "", where ? ": " : "", name, name);
  string_list_add(seen, name);
}

static void read_message(const char *line, char **include, struct string_list *seen) {
  static const char own[] = "#error simt has no "; /* a header that stands for a library */
  note_include(line, include);
  const char *absent = strstr(line, own);
  if (absent) {
    report_missing(*include, absent + sizeof own - 1, seen);
    return;
  }
  char *name = missing_name(line);
  if (!name) name = missing_header(line);
  if (!name) return;
  char *where = strstr(line, "undefined reference") ? NULL : location(line);
  char *quoted_name = text_format("'%s'", name);
  if (is_of_before_volta(name))
    report_masked(where, name, seen);
  else
    report_missing(where, quoted_name, seen);
  free(quoted_name);
  free(where);
  free(name);
}

static bool ends_with(const char *line, const char *end) {
  const size_t length = strlen(line), ending = strlen(end);
  return length >= ending && !strcmp(line + length - ending, end);
}

/* What tells the user nothing: a kernel's text is a lambda to g++, which says so; notes in our
 * own headers, and how they came to be included. */
static bool is_noise(const char *line, const char *own) {
  static const char included[] = "In file included from ", more[] = "                 from ";
  if (ends_with(line, ": In lambda function:")) return true;
  if (!strncmp(line, more, sizeof more - 1)) line += sizeof more - 1;
  if (!strncmp(line, included, sizeof included - 1)) line += sizeof included - 1;
  if (!strncmp(line, "<command-line>:", 15)) return true;
  if (strncmp(line, own, strlen(own))) return false;
  return !strstr(line, ": error: ") && !strstr(line, "In instantiation of");
}

static void print_own(const char *text, const char *own) {
  while (*text) {
    const char *end = strchr(text, '\n');
    const size_t length = end ? (size_t)(end - text) : strlen(text);
    char *line = text_copy(text, length);
    if (!is_noise(line, own)) fprintf(stderr, "%s\n", line);
    free(line);
    text += length + (end != NULL);
  }
}

void messages_of_compiler(const char *text, const char *own, bool failed) {
  struct string_list seen = {0};
  char *include = NULL;
  for (const char *line = text; failed && *line;) {
    const char *end = strchr(line, '\n');
    const size_t length = end ? (size_t)(end - line) : strlen(line);
    char *copy = text_copy(line, length);
    read_message(copy, &include, &seen);
    free(copy);
    line += length + (end != NULL);
  }
  if (!seen.count) print_own(text, own);
  string_list_free(&seen);
  free(include);
}

void messages_no_compiler(const char *program, const char *compiler, int error) {
  if (error != ENOENT) {
    fprintf(stderr, "%s: cannot start %s: %s\n", program, compiler, strerror(error));
    return;
  }
  fprintf(stderr,
          "%s: %s is not installed; it is in the package g++ (Debian, Ubuntu: apt install g++), "
          "gcc-c++ (Fedora) or gcc (Arch)\n",
          program, compiler);
}

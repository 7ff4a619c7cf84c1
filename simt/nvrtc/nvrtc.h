/* nvrtc.h - what the files of libsimt_nvrtc.so share
 *
 * Method   a program's text goes through g++ -E, the rewriter and g++ again, and becomes a shared
 *          object that libsimt_cuda.so loads (image.h)
 * Source   NVRTC 13.0, section User Interface
 */
#ifndef SIMT_NVRTC_NVRTC_H
#define SIMT_NVRTC_NVRTC_H

#include <stdbool.h>

#include "base/string_list.h"
#include "base/text.h"
#include "simt/driver.h"
#include "toolchain/options.h"

#define API_EXPORT __attribute__((visibility("default")))

typedef int nvrtcResult;
enum {
  NVRTC_SUCCESS,
  NVRTC_ERROR_OUT_OF_MEMORY,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE,
  NVRTC_ERROR_INVALID_INPUT,
  NVRTC_ERROR_INVALID_PROGRAM,
  NVRTC_ERROR_INVALID_OPTION,
  NVRTC_ERROR_COMPILATION,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID,
  NVRTC_ERROR_INTERNAL_ERROR,
  NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
  NVRTC_ERROR_CANCELLED = 16,
};

typedef int (*nvrtc_flow)(void *user, void *unused); /* 1: the compilation is to end */

struct program {
  nvrtc_flow flow; /* NULL: nobody is asked */
  void *flow_user;
  uint64_t magic;
  char *source, *name;
  struct string_list headers, header_names;
  struct string_list expressions, lowered;
  struct text log, image;
  bool compiled;
};
typedef struct program *nvrtcProgram;

/* ---- options.c ------------------------------------------------------------------------------- */

struct nvrtc_options {
  struct text defines;         /* lines: #define, #undef */
  struct string_list includes; /* -I */
  struct string_list before;   /* --pre-include */
  char *standard;              /* c++17 */
  unsigned architecture;
  bool virtual_only; /* compute_XX: there is no cubin */
  bool device_default, quiet;
};
/* nvrtc_options_read - false: an option is unknown or makes no sense; `log` says which */
bool nvrtc_options_read(struct nvrtc_options *r, int count, const char *const *options,
                        struct text *log);
void nvrtc_options_free(struct nvrtc_options *r);

/* ---- installation.c: what belongs to libsimt.so, and what the compiler is told --------------- */

struct installation {
  char *library, *include; /* the file; the folder of our headers */
  char *cache;             /* a folder; NULL: none */
  char *prelude;           /* a header with its precompiled form beside it, or without */
  enum mode mode;
};
/* installation_find - false: `log` says what is missing. installation_prelude - finds or makes the
 * precompiled header for this standard; without a cache it is the plain header */
bool installation_find(struct installation *p, struct text *log);
void installation_prelude(struct installation *p, const char *standard);
void installation_free(struct installation *p);
/* installation_compiler - "g++" and what it is told for every text, so that precompiled headers fit
 * */
void installation_compiler(const struct installation *p, const char *standard,
                           struct string_list *w);

/* ---- spawn.c --------------------------------------------------------------------------------- */

/* nvrtc_spawn - runs a program and waits for it; what it says on standard error is added to
 * `errors`. Its exit status; -1: it could not be started */
int nvrtc_spawn(const struct string_list *command, struct text *errors);

/* ---- log.c ----------------------------------------------------------------------------------- */

/* nvrtc_log_add - what the compiler said, in NVRTC's manner: "name(12): error: ...". `folder`: of
 * temporary files, whose names are the user's without it. Returns the number of errors */
unsigned nvrtc_log_add(struct text *log, const char *messages, const char *folder, bool warnings);

/* ---- folder.c -------------------------------------------------------------------------------- */

/* nvrtc_write - a file of the folder, with the folders in its name */
bool nvrtc_write(const char *folder, const char *name, const char *data, size_t length);

/* ---- compile.c ------------------------------------------------------------------------------- */

nvrtcResult nvrtc_compile(struct program *p, const struct nvrtc_options *r);

/* ---- names.c --------------------------------------------------------------------------------- */

/* nvrtc_names_add - what makes the object show the names of the program's expressions;
 * nvrtc_names_read - takes them from it. false: it has not all of them */
void nvrtc_names_add(const struct program *p, struct text *text);
bool nvrtc_names_read(struct program *p, const char *object, size_t bytes);

#endif

/* NVRTC's interface.
 *
 * Result   a cubin is an image for libsimt_cuda.so; so is the PTX, as nothing else could be made of
 *          it
 * Source   NVRTC 13.0, section User Interface
 */
#include "nvrtc.h"
#include "driver/fail.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { MAJOR = 13, MINOR = 0 };
static const uint64_t magic = UINT64_C(0x6d7267706d697321);

/* ---- Memory that runs out in the rewriter ---------------------------------------------------- */

static _Thread_local jmp_buf *way_out;

static void leave_out_of_memory(void) {
  if (way_out) longjmp(*way_out, 1);
}

/* What it had allocated by then is lost. */
static nvrtcResult run_guarded(nvrtcResult (*work)(struct program *, void *), struct program *p,
                               void *user) {
  jmp_buf here;
  nvrtcResult result = NVRTC_ERROR_OUT_OF_MEMORY;
  text_no_memory = leave_out_of_memory;
  way_out = &here;
  if (!setjmp(here)) result = work(p, user);
  way_out = NULL;
  return result;
}

static bool is_program(const struct program *p) { return p && p->magic == magic; }

/* ---- Programs -------------------------------------------------------------------------------- */

struct creation {
  const char *source, *name;
  int count;
  const char *const *headers, *const *names;
};

static nvrtcResult fill(struct program *p, void *user) {
  const struct creation *c = user;
  const char *name = c->name && *c->name ? c->name : "default_program";
  p->source = text_copy(c->source, strlen(c->source));
  p->name = text_copy(name, strlen(name));
  for (int i = 0; i < c->count; i++) {
    string_list_add(&p->headers, c->headers[i]);
    string_list_add(&p->header_names, c->names[i]);
  }
  return NVRTC_SUCCESS;
}

static void destroy(struct program *p) {
  p->magic = 0;
  free(p->source);
  free(p->name);
  string_list_free(&p->headers);
  string_list_free(&p->header_names);
  string_list_free(&p->expressions);
  string_list_free(&p->lowered);
  text_free(&p->log);
  text_free(&p->image);
  free(p);
}

API_EXPORT nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source,
                                          const char *name, int count, const char *const *headers,
                                          const char *const *names) {
  const int injected = fail_code(__func__, NVRTC_ERROR_OUT_OF_MEMORY, "nvrtc");
  if (injected) return injected;
  if (!program || !source || count < 0 || (count && (!headers || !names)))
    return NVRTC_ERROR_INVALID_INPUT;
  for (int i = 0; i < count; i++) {
    const bool fine = headers[i] && names[i] && *names[i] && *names[i] != '/';
    if (!fine || strstr(names[i], "..")) return NVRTC_ERROR_INVALID_INPUT;
  }
  struct program *p = calloc(1, sizeof *p);
  if (!p) return NVRTC_ERROR_OUT_OF_MEMORY;
  p->magic = magic;
  struct creation c = {source, name, count, headers, names};
  const nvrtcResult result = run_guarded(fill, p, &c);
  if (result)
    destroy(p);
  else
    *program = p;
  return result;
}

API_EXPORT nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
  if (!program || !is_program(*program)) return NVRTC_ERROR_INVALID_PROGRAM;
  destroy(*program);
  *program = NULL;
  return NVRTC_SUCCESS;
}

/* ---- Compiling ------------------------------------------------------------------------------- */

struct options_given {
  int count;
  const char *const *list;
};

static nvrtcResult compile(struct program *p, void *user) {
  const struct options_given *given = user;
  struct nvrtc_options options = {.architecture = 0};
  p->log.length = p->image.length = 0;
  p->compiled = false;
  string_list_free(&p->lowered);
  if (p->flow && p->flow(p->flow_user, NULL) == 1) return NVRTC_ERROR_CANCELLED;
  nvrtcResult result = NVRTC_ERROR_INVALID_OPTION;
  if (nvrtc_options_read(&options, given->count, given->list, &p->log))
    result = nvrtc_compile(p, &options);
  p->compiled = result == NVRTC_SUCCESS;
  nvrtc_options_free(&options);
  return result;
}

API_EXPORT nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count,
                                           const char *const *options) {
  if (!is_program(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  if (count < 0 || (count && !options)) return NVRTC_ERROR_INVALID_INPUT;
  const int injected = fail_code(__func__, NVRTC_ERROR_COMPILATION, "nvrtc");
  if (injected) return injected;
  struct options_given given = {count, options};
  return run_guarded(compile, program, &given);
}

/* It is asked once, before the compiler is started. */
API_EXPORT nvrtcResult nvrtcSetFlowCallback(nvrtcProgram program, nvrtc_flow callback, void *user) {
  if (!is_program(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  program->flow = callback;
  program->flow_user = user;
  return NVRTC_SUCCESS;
}

/* ---- Results --------------------------------------------------------------------------------- */

static nvrtcResult give_size(const char *entry, nvrtcProgram p, const struct text *text,
                             size_t terminator, size_t *bytes) {
  const int injected = fail_code(entry, NVRTC_ERROR_OUT_OF_MEMORY, "nvrtc");
  if (injected) return injected;
  if (!is_program(p)) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!bytes) return NVRTC_ERROR_INVALID_INPUT;
  *bytes = text->length + terminator;
  return NVRTC_SUCCESS;
}

static nvrtcResult give(const char *entry, nvrtcProgram p, const struct text *text,
                        size_t terminator, char *to) {
  const int injected = fail_code(entry, NVRTC_ERROR_OUT_OF_MEMORY, "nvrtc");
  if (injected) return injected;
  if (!is_program(p)) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!to) return NVRTC_ERROR_INVALID_INPUT;
  if (text->length) memcpy(to, text->data, text->length);
  if (terminator) to[text->length] = 0;
  return NVRTC_SUCCESS;
}

API_EXPORT nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes) {
  return give_size(__func__, program, program ? &program->image : NULL, 0, bytes);
}
API_EXPORT nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin) {
  if (is_program(program) && !program->compiled) return NVRTC_ERROR_INVALID_PROGRAM;
  return give(__func__, program, program ? &program->image : NULL, 0, cubin);
}
API_EXPORT nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *bytes) {
  return give_size(__func__, program, program ? &program->image : NULL, 1, bytes);
}
API_EXPORT nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx) {
  if (is_program(program) && !program->compiled) return NVRTC_ERROR_INVALID_PROGRAM;
  return give(__func__, program, program ? &program->image : NULL, 1, ptx);
}
/* Of forms for a linker or for OptiX there is none, as where no option has asked for one. */
static nvrtcResult give_none(nvrtcProgram program, void *to) {
  if (!is_program(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  return to ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_INPUT;
}
static nvrtcResult give_no_size(nvrtcProgram program, size_t *bytes) {
  const nvrtcResult result = give_none(program, bytes);
  if (!result) *bytes = 0;
  return result;
}

API_EXPORT nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram program, size_t *bytes) {
  return give_no_size(program, bytes);
}
API_EXPORT nvrtcResult nvrtcGetLTOIR(nvrtcProgram program, char *code) {
  return give_none(program, code);
}
API_EXPORT nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram program, size_t *bytes) {
  return give_no_size(program, bytes);
}
API_EXPORT nvrtcResult nvrtcGetOptiXIR(nvrtcProgram program, char *code) {
  return give_none(program, code);
}
/* Precompiled headers are the cache's, and no program's. */
API_EXPORT nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram program) {
  return is_program(program) ? NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED : NVRTC_ERROR_INVALID_PROGRAM;
}

API_EXPORT nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes) {
  return give_size(__func__, program, program ? &program->log : NULL, 1, bytes);
}
API_EXPORT nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log) {
  return give(__func__, program, program ? &program->log : NULL, 1, log);
}

/* ---- Names ----------------------------------------------------------------------------------- */

static nvrtcResult add_expression(struct program *p, void *user) {
  string_list_add(&p->expressions, user);
  return NVRTC_SUCCESS;
}

API_EXPORT nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression) {
  if (!is_program(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression || !*expression || strpbrk(expression, "\n\r")) return NVRTC_ERROR_INVALID_INPUT;
  if (program->compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  return run_guarded(add_expression, program, (void *)(uintptr_t)expression);
}

API_EXPORT nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression,
                                           const char **name) {
  if (!is_program(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression || !name) return NVRTC_ERROR_INVALID_INPUT;
  if (!program->compiled) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  for (size_t i = 0; i < program->expressions.count; i++) {
    if (strcmp(program->expressions.all[i], expression) != 0) continue;
    *name = program->lowered.all[i];
    return NVRTC_SUCCESS;
  }
  return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

/* ---- Itself ---------------------------------------------------------------------------------- */

API_EXPORT nvrtcResult nvrtcVersion(int *major, int *minor) {
  if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
  *major = MAJOR;
  *minor = MINOR;
  return NVRTC_SUCCESS;
}

static const int architectures[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};

API_EXPORT nvrtcResult nvrtcGetNumSupportedArchs(int *count) {
  if (!count) return NVRTC_ERROR_INVALID_INPUT;
  *count = (int)(sizeof architectures / sizeof *architectures);
  return NVRTC_SUCCESS;
}

API_EXPORT nvrtcResult nvrtcGetSupportedArchs(int *list) {
  if (!list) return NVRTC_ERROR_INVALID_INPUT;
  memcpy(list, architectures, sizeof architectures);
  return NVRTC_SUCCESS;
}

API_EXPORT const char *nvrtcGetErrorString(nvrtcResult result) {
  static const char *const names[] = {
      [NVRTC_SUCCESS] = "NVRTC_SUCCESS",
      [NVRTC_ERROR_OUT_OF_MEMORY] = "NVRTC_ERROR_OUT_OF_MEMORY",
      [NVRTC_ERROR_PROGRAM_CREATION_FAILURE] = "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
      [NVRTC_ERROR_INVALID_INPUT] = "NVRTC_ERROR_INVALID_INPUT",
      [NVRTC_ERROR_INVALID_PROGRAM] = "NVRTC_ERROR_INVALID_PROGRAM",
      [NVRTC_ERROR_INVALID_OPTION] = "NVRTC_ERROR_INVALID_OPTION",
      [NVRTC_ERROR_COMPILATION] = "NVRTC_ERROR_COMPILATION",
      [NVRTC_ERROR_BUILTIN_OPERATION_FAILURE] = "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
      [NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION] =
          "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
      [NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION] =
          "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
      [NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID] = "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
      [NVRTC_ERROR_INTERNAL_ERROR] = "NVRTC_ERROR_INTERNAL_ERROR",
      [NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED] = "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
      [NVRTC_ERROR_CANCELLED] = "NVRTC_ERROR_CANCELLED",
  };
  const bool known = result >= 0 && (size_t)result < sizeof names / sizeof *names;
  return known && names[result] ? names[result] : "NVRTC_ERROR unknown";
}

/* record_nvrtc.c - an NVRTC that compiles nothing and writes down what it was asked for
 *
 * Result   one file a text and set of options in the folder $RECORD_NVRTC: HASH.cu, whose first
 *          lines are "// option OPTION"
 * Limits   the image that it gives is for stub_driver.c alone */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STUB __attribute__((visibility("default"))) int

struct program {
  char *text;
};

STUB nvrtcVersion(int *major, int *minor) { return *major = 13, *minor = 0; }
STUB nvrtcGetNumSupportedArchs(int *count) { return *count = 4, 0; }
STUB nvrtcGetSupportedArchs(int *archs) {
  static const int known[4] = {75, 80, 90, 100};
  return memcpy(archs, known, sizeof known), 0;
}

STUB nvrtcCreateProgram(struct program **out, const char *text, const char *name, int headers,
                        const char *const *texts, const char *const *names) {
  (void)name, (void)headers, (void)texts, (void)names;
  *out = calloc(1, sizeof **out);
  if (*out) (*out)->text = strdup(text);
  return *out && (*out)->text ? 0 : 1;
}
STUB nvrtcDestroyProgram(struct program **program) {
  free((*program)->text);
  free(*program);
  *program = NULL;
  return 0;
}

static uint64_t hash(uint64_t h, const char *text) {
  for (; *text; text++) h = (h ^ (unsigned char)*text) * 1099511628211u; /* FNV-1a */
  return h * 31 + 7;
}

STUB nvrtcCompileProgram(struct program *program, int count, const char *const *options) {
  char path[1200];
  const char *folder = getenv("RECORD_NVRTC");
  uint64_t h = hash(14695981039346656037u, program->text);
  for (int i = 0; i < count; i++) h = hash(h, options[i]);
  (void)snprintf(path, sizeof path, "%s/%016llx.cu", folder ? folder : ".", (unsigned long long)h);
  FILE *file = fopen(path, "w");
  if (!file) return 6;
  for (int i = 0; i < count; i++) (void)fprintf(file, "// option %s\n", options[i]);
  (void)fputs(program->text, file);
  return fclose(file) ? 6 : 0;
}

static const char image[] = "an image for stub_driver.c";
STUB nvrtcGetCUBINSize(struct program *program, size_t *bytes) {
  return (void)program, *bytes = sizeof image, 0;
}
STUB nvrtcGetCUBIN(struct program *program, char *out) {
  return (void)program, memcpy(out, image, sizeof image), 0;
}
STUB nvrtcGetPTXSize(struct program *program, size_t *bytes) {
  return (void)program, *bytes = sizeof image, 0;
}
STUB nvrtcGetPTX(struct program *program, char *out) {
  return (void)program, memcpy(out, image, sizeof image), 0;
}
STUB nvrtcGetProgramLogSize(struct program *program, size_t *bytes) {
  return (void)program, *bytes = 1, 0;
}
STUB nvrtcGetProgramLog(struct program *program, char *out) { return (void)program, *out = 0, 0; }

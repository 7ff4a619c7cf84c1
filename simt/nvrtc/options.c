/* NVRTC's options and what becomes of each.
 *
 * Method   a table: an option stands alone, has a value behind '=' or in the next word, or both.
 *          Those that only a GPU's compiler could follow are taken and change nothing: products and
 *          sums are never fused here, denormals never flushed
 * Source   NVRTC 13.0, section Supported Compile Options
 */
#include "nvrtc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum action { IGNORE, ARCHITECTURE, DEFINE, UNDEFINE, INCLUDE, BEFORE, STANDARD, DEVICE, QUIET };
enum value { NONE_AT_ALL, BOOLEAN, TEXT, OPTIONAL };

static const struct option {
  const char *name, *short_name; /* NULL: there is no short one */
  enum value value;
  enum action action;
} options[] = {
    {"--gpu-architecture", "-arch", TEXT, ARCHITECTURE},
    {"--define-macro", "-D", TEXT, DEFINE},
    {"--undefine-macro", "-U", TEXT, UNDEFINE},
    {"--include-path", "-I", TEXT, INCLUDE},
    {"--pre-include", "-include", TEXT, BEFORE},
    {"--std", "-std", TEXT, STANDARD},
    {"--device-as-default-execution-space", "-default-device", NONE_AT_ALL, DEVICE},
    {"--disable-warnings", "-w", NONE_AT_ALL, QUIET},
    {"--device-c", "-dc", NONE_AT_ALL, IGNORE},
    {"--device-w", "-dw", NONE_AT_ALL, IGNORE},
    {"--relocatable-device-code", "-rdc", BOOLEAN, IGNORE},
    {"--extensible-whole-program", "-ewp", NONE_AT_ALL, IGNORE},
    {"--device-debug", "-G", NONE_AT_ALL, IGNORE},
    {"--generate-line-info", "-lineinfo", NONE_AT_ALL, IGNORE},
    {"--dopt", "-dopt", OPTIONAL, IGNORE},
    {"--Ofast-compile", "-Ofc", TEXT, IGNORE},
    {"--ptxas-options", "-Xptxas", TEXT, IGNORE},
    {"--maxrregcount", "-maxrregcount", TEXT, IGNORE},
    {"--ftz", "-ftz", BOOLEAN, IGNORE},
    {"--prec-sqrt", "-prec-sqrt", BOOLEAN, IGNORE},
    {"--prec-div", "-prec-div", BOOLEAN, IGNORE},
    {"--fmad", "-fmad", BOOLEAN, IGNORE},
    {"--use_fast_math", "-use_fast_math", NONE_AT_ALL, IGNORE},
    {"--extra-device-vectorization", "-extra-device-vectorization", NONE_AT_ALL, IGNORE},
    {"--modify-stack-limit", "-modify-stack-limit", BOOLEAN, IGNORE},
    {"--no-source-include", "-no-source-include", NONE_AT_ALL, IGNORE},
    {"--builtin-move-forward", "-builtin-move-forward", BOOLEAN, IGNORE},
    {"--builtin-initializer-list", "-builtin-initializer-list", BOOLEAN, IGNORE},
    {"--restrict", "-restrict", NONE_AT_ALL, IGNORE},
    {"--device-int128", "-device-int128", NONE_AT_ALL, IGNORE},
    {"--device-float128", "-device-float128", NONE_AT_ALL, IGNORE},
    {"--optimization-info", "-opt-info", TEXT, IGNORE},
    {"--display-error-number", "-err-no", NONE_AT_ALL, IGNORE},
    {"--no-display-error-number", "-no-err-no", NONE_AT_ALL, IGNORE},
    {"--diag-error", "-diag-error", TEXT, IGNORE},
    {"--diag-suppress", "-diag-suppress", TEXT, IGNORE},
    {"--diag-warn", "-diag-warn", TEXT, IGNORE},
    {"--brief-diagnostics", "-brief-diag", BOOLEAN, IGNORE},
    {"--time", "-time", TEXT, IGNORE},
    {"--split-compile", "-split-compile", TEXT, IGNORE},
    {"--minimal", "-minimal", NONE_AT_ALL, IGNORE},
    {"--device-stack-protector", "-device-stack-protector", BOOLEAN, IGNORE},
    {"--frandom-seed", "-frandom-seed", TEXT, IGNORE},
};

/* The option of a word and where its value begins; NULL: it is none. */
static const struct option *find(const char *word, const char **value) {
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    const char *const spellings[] = {options[i].name, options[i].short_name};
    for (size_t k = 0; k < 2; k++) {
      const size_t length = strlen(spellings[k]);
      const bool joined = length == 2 && strchr("DUI", spellings[k][1]) && word[length];
      if (strncmp(word, spellings[k], length) != 0) continue;
      if (word[length] && word[length] != '=' && !joined) continue;
      *value = !word[length] ? NULL : word + length + (word[length] == '=');
      return &options[i];
    }
  }
  return NULL;
}

static bool is_boolean(const char *value) {
  return value && (!strcmp(value, "true") || !strcmp(value, "false"));
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* "NAME", "NAME=value", "NAME(x)=value" as a directive on one line. */
static bool add_define(struct nvrtc_options *r, const char *value) {
  const char *equals = strchr(value, '=');
  const size_t length = equals ? (size_t)(equals - value) : strlen(value);
  if (!length || (!isalpha((unsigned char)*value) && *value != '_')) return false;
  if (strpbrk(value, "\n\r")) return false;
  text_add_format(&r->defines, "#define %.*s %s\n", (int)length, value, equals ? equals + 1 : "1");
  return true;
}

static bool add_undefine(struct nvrtc_options *r, const char *value) {
  if (!*value || strpbrk(value, "\n\r ")) return false;
  text_add_format(&r->defines, "#undef %s\n", value);
  return true;
}

/* sm_90, sm_90a, compute_100f. */
static bool set_architecture(struct nvrtc_options *r, const char *value) {
  const bool real = !strncmp(value, "sm_", 3);
  if (!real && strncmp(value, "compute_", 8) != 0) return false;
  char *end;
  const unsigned long number = strtoul(value + (real ? 3 : 8), &end, 10);
  if (*end == 'a' || *end == 'f') end++;
  if (*end || number < 50 || number > 130) return false;
  r->architecture = (unsigned)number;
  r->virtual_only = !real;
  return true;
}

static bool set_standard(struct nvrtc_options *r, const char *value) {
  static const char *const known[][2] = {{"c++03", "gnu++14"},
                                         {"c++11", "gnu++14"},
                                         {"c++14", "gnu++14"},
                                         {"c++17", "gnu++17"},
                                         {"c++20", "gnu++20"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(known[i][0], value) != 0) continue;
    free(r->standard);
    r->standard = text_copy(known[i][1], strlen(known[i][1]));
    return true;
  }
  return false;
}

static bool apply(struct nvrtc_options *r, const struct option *o, const char *value) {
  switch (o->action) {
  case ARCHITECTURE: return set_architecture(r, value);
  case DEFINE: return add_define(r, value);
  case UNDEFINE: return add_undefine(r, value);
  case STANDARD: return set_standard(r, value);
  case INCLUDE: string_list_add(&r->includes, value); return *value != 0;
  case BEFORE: string_list_add(&r->before, value); return *value != 0;
  case DEVICE: r->device_default = true; return true;
  case QUIET: r->quiet = true; return true;
  case IGNORE: break;
  }
  return o->value != BOOLEAN || is_boolean(value);
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* NVRTC takes blanks around an option. */
static char *trimmed(const char *word) {
  while (isspace((unsigned char)*word)) word++;
  size_t length = strlen(word);
  while (length && isspace((unsigned char)word[length - 1])) length--;
  return text_copy(word, length);
}

static bool read_one(struct nvrtc_options *r, int *at, int count, const char *const *list) {
  const char *value = NULL;
  char *word = trimmed(list[*at]), *next = NULL;
  const struct option *o = find(word, &value);
  bool fine = o != NULL;
  if (o && !value && (o->value == TEXT || o->value == BOOLEAN) && *at + 1 < count) {
    next = trimmed(list[++*at]);
    value = next;
  }
  if (fine && value && o->value == NONE_AT_ALL) fine = false;
  if (fine && !value && (o->value == TEXT || o->value == BOOLEAN)) fine = false;
  if (fine) fine = apply(r, o, value ? value : "");
  free(word);
  free(next);
  return fine;
}

bool nvrtc_options_read(struct nvrtc_options *r, int count, const char *const *list,
                        struct text *log) {
  *r = (struct nvrtc_options){.architecture = 75};
  set_standard(r, "c++17");
  for (int i = 0; i < count; i++) {
    const int first = i;
    if (list[i] && read_one(r, &i, count, list)) continue;
    text_add_format(log, "nvrtc: error: invalid value for, or unknown, option: %s\n",
                    list[first] ? list[first] : "(null)");
    return false;
  }
  return true;
}

void nvrtc_options_free(struct nvrtc_options *r) {
  text_free(&r->defines);
  string_list_free(&r->includes);
  string_list_free(&r->before);
  free(r->standard);
}

/* Rows in the order of nvcc's manual (table.h). */
#include "table.h"

#include <string.h>

#include "base/options.h"
#include "base/suggest.h"

#define FLAG(name, other, action, ...) \
  { name, other, NVCC_##action, false, __VA_ARGS__ }
#define VALUE(name, other, action, ...) \
  { name, other, NVCC_##action, true, __VA_ARGS__ }

static const struct nvcc_option table[] = {
    /* files and folders */
    VALUE("--output-file", "-o", OUTPUT, 0, 0),
    FLAG("--objdir-as-tempdir", "-objtemp", NOTHING, 0, 0),
    VALUE("--pre-include", "-include", PREPROCESS, 0, "-include"),
    VALUE("--library", "-l", LINK, 0, "-l"),
    VALUE("--define-macro", "-D", PREPROCESS, 0, "-D"),
    VALUE("--undefine-macro", "-U", PREPROCESS, 0, "-U"),
    VALUE("--include-path", "-I", PREPROCESS, 0, "-I"),
    VALUE("--system-include", "-isystem", PREPROCESS, 0, "-isystem"),
    VALUE("--library-path", "-L", LINK, 0, "-L"),
    VALUE("--output-directory", "-odir", FOLDER, 0, 0),
    VALUE("--dependency-output", "-MF", RULE_FILE, 0, 0),
    FLAG("--generate-dependency-targets", "-MP", RULE_BARE, 0, 0),
    VALUE("--dependency-target-name", "-MT", RULE_NAME, 0, 0),
    VALUE("--compiler-bindir", "-ccbin", COMPILER, 0, 0),
    FLAG("--allow-unsupported-compiler", 0, NOTHING, 0, 0),
    VALUE("--archiver-binary", "-arbin", NOTHING, 0, 0),
    VALUE("--cudart", 0, CUDART, 0, 0),
    VALUE("--cudadevrt", 0, NOTHING, 0, 0),
    VALUE("--libdevice-directory", "-ldir", NOTHING, 0, 0),
    VALUE("--target-directory", "-target-dir", NOTHING, 0, 0),
    /* phases */
    FLAG("--link", 0, PHASE, NVCC_PROGRAM, 0),
    FLAG("--lib", 0, PHASE, NVCC_ARCHIVE, 0),
    FLAG("--device-link", "-dlink", PHASE, NVCC_DEVICE_LINK, 0),
    FLAG("--device-c", "-dc", PHASE, NVCC_SEPARATE_OBJECTS, 0),
    FLAG("--device-w", "-dw", PHASE, NVCC_OBJECTS, 0),
    FLAG("--compile", "-c", PHASE, NVCC_OBJECTS, 0),
    FLAG("--preprocess", "-E", PHASE, NVCC_PREPROCESSED, 0),
    FLAG("--run", 0, PHASE, NVCC_RUN, 0),
    FLAG("--generate-dependencies", "-M", DEPENDS, NVCC_RULE_ALONE, "<\""),
    FLAG("--generate-nonsystem-dependencies", "-MM", DEPENDS, NVCC_RULE_ALONE, "\""),
    FLAG("--generate-dependencies-with-compile", "-MD", DEPENDS, NVCC_RULE_BESIDE, "<\""),
    FLAG("--generate-nonsystem-dependencies-with-compile", "-MMD", DEPENDS, NVCC_RULE_BESIDE, "\""),
    FLAG("--ptx", 0, REFUSED, 0, "PTX"),
    FLAG("--cubin", 0, REFUSED, 0, "a cubin"),
    FLAG("--fatbin", 0, REFUSED, 0, "a fatbin"),
    FLAG("--optix-ir", 0, REFUSED, 0, "OptiX IR"),
    FLAG("--ltoir", 0, REFUSED, 0, "LTO IR"),
    FLAG("--cuda", 0, REFUSED, 0, "nvcc's intermediate C++"),
    /* what the host's compiler and linker do */
    FLAG("-pg", 0, COMPILE, 0, "-pg"),
    FLAG("--debug", "-g", COMPILE, 0, "-g"),
    FLAG("--device-debug", "-G", COMPILE, 0, "-g"),
    FLAG("--generate-line-info", "-lineinfo", NOTHING, 0, 0),
    VALUE("--optimization-info", "-opt-info", NOTHING, 0, 0),
    VALUE("--optimize", "-O", OPTIMISE, 0, 0),
    VALUE("--Ofast-compile", "-Ofc", NOTHING, 0, 0),
    VALUE("--dopt", 0, NOTHING, 0, 0),
    FLAG("--dlink-time-opt", "-dlto", NOTHING, 0, 0),
    FLAG("--lto", 0, NOTHING, 0, 0),
    FLAG("--gen-opt-lto", 0, NOTHING, 0, 0),
    VALUE("--split-compile", 0, NOTHING, 0, 0),
    VALUE("--split-compile-extended", 0, NOTHING, 0, 0),
    FLAG("--jobserver", 0, NOTHING, 0, 0),
    VALUE("--ftemplate-backtrace-limit", 0, NOTHING, 0, 0),
    VALUE("--ftemplate-depth", 0, NOTHING, 0, 0),
    FLAG("--no-exceptions", "-noeh", COMPILE, 0, "-fno-exceptions"),
    FLAG("--shared", 0, LINK, 0, "-shared"),
    VALUE("--x", 0, LANGUAGE, 0, 0),
    VALUE("--std", 0, STANDARD, 0, 0),
    FLAG("--no-host-device-initializer-list", 0, NOTHING, 0, 0),
    FLAG("--no-host-device-move-forward", 0, NOTHING, 0, 0),
    FLAG("--expt-relaxed-constexpr", 0, NOTHING, 0, 0),
    FLAG("--extended-lambda", "-expt-extended-lambda", NOTHING, 0, 0),
    VALUE("--machine", "-m", NOTHING, 0, 0),
    FLAG("--m64", 0, NOTHING, 0, 0),
    VALUE("--host-linker-script", "-hls", NOTHING, 0, 0),
    FLAG("--augment-host-linker-script", "-aug-hls", NOTHING, 0, 0),
    FLAG("--host-relocatable-link", "-r", LINK, 0, "-r"),
    /* what they are told as it stands */
    VALUE("--compiler-options", "-Xcompiler", COMPILER_LIST, 0, 0),
    VALUE("--linker-options", "-Xlinker", LINKER_LIST, 0, 0),
    VALUE("--archive-options", "-Xarchive", NOTHING, 0, 0),
    VALUE("--ptxas-options", "-Xptxas", NOTHING, 0, 0),
    VALUE("--nvlink-options", "-Xnvlink", NOTHING, 0, 0),
    VALUE("-Xcudafe", 0, NOTHING, 0, 0),
    VALUE("-Xfatbin", 0, NOTHING, 0, 0),
    FLAG("--forward-unknown-to-host-compiler", 0, FORWARD, 1, 0),
    FLAG("--forward-unknown-to-host-linker", 0, FORWARD, 2, 0),
    FLAG("--forward-unknown-opts", 0, FORWARD, 1, 0),
    /* the driver */
    FLAG("--dont-use-profile", "-noprof", NOTHING, 0, 0),
    VALUE("--threads", "-t", NOTHING, 0, 0),
    FLAG("--dryrun", 0, DRY_RUN, 0, 0),
    FLAG("--verbose", "-v", VERBOSE, 0, 0),
    FLAG("--keep", "-save-temps", KEEP, 0, 0),
    VALUE("--keep-dir", 0, NOTHING, 0, 0),
    FLAG("--clean-targets", "-clean", NOTHING, 0, 0),
    FLAG("--use-local-env", 0, NOTHING, 0, 0),
    VALUE("--time", 0, NOTHING, 0, 0),
    /* the device */
    VALUE("--gpu-architecture", "-arch", ARCHITECTURE, 0, 0),
    VALUE("--gpu-code", "-code", NOTHING, 0, 0),
    VALUE("--generate-code", "-gencode", ARCHITECTURE, 0, 0),
    VALUE("--relocatable-device-code", "-rdc", SEPARATE, 0, 0),
    FLAG("--extensible-whole-program", "-ewp", NOTHING, 0, 0),
    FLAG("--no-compress", 0, NOTHING, 0, 0),
    VALUE("--compress-mode", 0, NOTHING, 0, 0),
    VALUE("--entries", "-e", NOTHING, 0, 0),
    VALUE("--maxrregcount", 0, NOTHING, 0, 0),
    FLAG("--use_fast_math", 0, NOTHING, 0, 0),
    VALUE("--ftz", 0, NOTHING, 0, 0),
    VALUE("--prec-div", 0, NOTHING, 0, 0),
    VALUE("--prec-sqrt", 0, NOTHING, 0, 0),
    VALUE("--fmad", 0, NOTHING, 0, 0),
    FLAG("--extra-device-vectorization", 0, NOTHING, 0, 0),
    VALUE("--default-stream", 0, NOTHING, 0, 0),
    VALUE("--device-entity-has-hidden-visibility", 0, NOTHING, 0, 0),
    VALUE("--static-global-template-stub", 0, NOTHING, 0, 0),
    /* messages */
    FLAG("--disable-warnings", "-w", NOTHING, 0, 0),
    FLAG("--source-in-ptx", "-src-in-ptx", NOTHING, 0, 0),
    FLAG("--restrict", 0, NOTHING, 0, 0),
    FLAG("--Wno-deprecated-gpu-targets", 0, NOTHING, 0, 0),
    FLAG("--Wno-deprecated-declarations", 0, NOTHING, 0, 0),
    FLAG("--Wreorder", 0, NOTHING, 0, 0),
    FLAG("--Wdefault-stream-launch", 0, NOTHING, 0, 0),
    FLAG("--Wmissing-launch-bounds", 0, NOTHING, 0, 0),
    FLAG("--Wext-lambda-captures-this", 0, NOTHING, 0, 0),
    VALUE("--Werror", 0, NOTHING, 0, 0),
    VALUE("--diag-error", 0, NOTHING, 0, 0),
    VALUE("--diag-suppress", 0, NOTHING, 0, 0),
    VALUE("--diag-warn", 0, NOTHING, 0, 0),
    FLAG("--display-error-number", "-err-no", NOTHING, 0, 0),
    FLAG("--no-display-error-number", "-no-err-no", NOTHING, 0, 0),
    VALUE("--brief-diagnostics", "-brief-diag", NOTHING, 0, 0),
    FLAG("--resource-usage", "-res-usage", NOTHING, 0, 0),
    FLAG("--list-gpu-arch", "-arch-ls", LIST, 0, "compute_"),
    FLAG("--list-gpu-code", "-code-ls", LIST, 0, "sm_"),
    FLAG("--help", "-h", HELP, 0, 0),
    FLAG("--version", "-V", VERSION, 0, 0),
    /* ours */
    FLAG("--check", 0, CHECK, 0, 0),
    FLAG("--profile", 0, PROFILE, 0, 0),
};
enum { ROWS = sizeof table / sizeof *table };

/* -std and --std, but -c and not --c: a single letter has one dash. */
static bool is(const char *name, const char *word, bool value) {
  if (!name) return false;
  const char *bare = name + strspn(name, "-"), *said = word + strspn(word, "-");
  const long dashes = said - word;
  if (dashes < 1 || dashes > 2 || (dashes == 2 && !bare[1])) return false;
  return value ? option_is(said, bare) : !strcmp(said, bare);
}

const struct nvcc_option *nvcc_option_find(const char *word) {
  for (size_t i = 0; i < ROWS; i++) {
    const struct nvcc_option *o = &table[i];
    if (is(o->name, word, o->value) || is(o->other, word, o->value)) return o;
  }
  /* -Ipath, -O3, -lname */
  if (word[0] != '-' || !word[1] || !word[2]) return NULL;
  const char letter[] = {'-', word[1], 0};
  if (!strchr("IDULlOm", word[1])) return NULL;
  return nvcc_option_find(letter);
}

const char *nvcc_option_hint(const char *word, char *text, unsigned size) {
  struct suggestion s;
  suggest_start(&s, word);
  for (size_t i = 0; i < ROWS; i++) {
    suggest_add(&s, table[i].name);
    if (table[i].other) suggest_add(&s, table[i].other);
  }
  return suggest_text(&s, "", text, size);
}

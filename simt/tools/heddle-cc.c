/* heddle-cc: CUDA C/C++ sources become a program that runs on the software device. */
#include <stdio.h>
#include <string.h>

#include "toolchain/compile/build.h"

int main(int argc, char **argv) {
  static const struct tool tool = {.name = "heddle-cc"};
  struct options o;
  if (!options_read(&o, argc, argv, &tool)) {
    options_free(&o);
    return 2;
  }
  if (o.help || o.version) {
    fputs(o.help ? options_help(false) : "heddle-cc: CUDA 13.0 on the software device\n", stdout);
    options_free(&o);
    return 0;
  }
  if (!o.input_count) {
    fputs("heddle-cc: no source file; heddle-cc --help shows the options\n", stderr);
    options_free(&o);
    return 2;
  }
  struct build b;
  int status = 1;
  if (build_open(&b, "heddle-cc", &o) && build_folder(&b)) {
    status = o.preprocess_only ? build_preprocessed(&b)
             : o.compile_only  ? build_objects(&b)
                               : build_executable(&b, o.output ? o.output : "a.out");
  }
  build_close(&b);
  options_free(&o);
  return status;
}

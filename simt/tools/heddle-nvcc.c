/* heddle-nvcc: nvcc's command line for the software device, so that builds of whole projects can
 * call it as their CUDA compiler. */
#include <stdio.h>

#include "toolchain/nvcc/drive.h"

static const char name[] = "heddle-nvcc";

static const char help[] =
    "usage: heddle-nvcc [options] FILE.. [-o OUTPUT]\n"
    "Takes nvcc's place in a build: compiles CUDA C/C++ for the software device, links objects,\n"
    "archives and shared libraries. All options of nvcc of CUDA 13.0 are known; those that say\n"
    "nothing to a software device are taken and ignored, --ptx, --cubin and --fatbin are refused.\n"
    "\n"
    "  cmake -DCMAKE_CUDA_COMPILER=heddle-nvcc ..          CUDACXX=heddle-nvcc does the same\n"
    "  cmake -DCMAKE_CUDA_COMPILER=heddle-nvcc -DCMAKE_CUDA_FLAGS=--check ..\n"
    "                                                      for `heddle check -- ctest`\n"
    "\n"
    "  --check         the objects are for heddle-check: every access of memory is told\n"
    "  --profile       the objects are for heddle-profile; gprof's is -pg\n"
    "  -v, --dryrun    what is done, what would be done\n"
    "\n"
    "HEDDLE_NVCC_FLAGS, NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS hold further options. "
    "heddle-nvcc(1)\n"
    "says more.\n";

/* CMake looks for the first line and for the number behind V. */
static const char version[] =
    "nvcc: NVIDIA (R) Cuda compiler driver\n"
    "compatible command line of heddle-nvcc, which compiles for simt, a CUDA device of software\n"
    "Cuda compilation tools, release 13.0, V13.0.88\n"
    "Build heddle-nvcc\n";

static void list(const char *before) {
  static const int numbers[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    printf("%s%d\n", before, numbers[i]);
}

int main(int argc, char **argv) {
  struct nvcc_line line;
  int status = 0;
  const bool fine = nvcc_line_read(&line, name, argc, argv);
  if (line.options.help || line.options.version) {
    fputs(line.options.help ? help : version, stdout);
  } else if (fine && line.list) {
    list(line.list);
  } else {
    const bool shown = line.options.verbose || line.dry_run;
    const bool found = !shown || nvcc_show_environment(name);
    status = fine && found ? nvcc_drive(name, &line) : 1;
  }
  nvcc_line_free(&line);
  return status;
}

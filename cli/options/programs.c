/* programs.c - paths beside /proc/self/exe, in ../libexec/heddle */
#include "programs.h"

#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

const struct program program_table[] = {
    {"run", "run a CUDA program without a GPU"},
    {"check", "find races and other bugs of a CUDA program"},
    {"profile", "what the lines of a CUDA program cost on a GPU"},
    {"simt", "run a command with the software device's CUDA driver"},
    {"cc", "compile CUDA C/C++ for processors, as nvcc does"},
    {"mpi", "sum, min, max, reduce, dot, describe by all ranks of mpirun"},
    {"ladder", "kernels from the first idea to the fast one"},
};
const size_t program_count = sizeof program_table / sizeof *program_table;

bool program_path(const char *name, char *path, size_t room) {
  ssize_t length = readlink("/proc/self/exe", path, room - 1);
  if (length <= 0 || strchr(name, '/')) return false;
  path[length] = '\0';
  char *slash = strrchr(path, '/');
  if (!slash) return false;
  room -= (size_t)(slash - path);
  int n = snprintf(slash, room, "/../libexec/heddle/heddle-%s", name);
  return n > 0 && (size_t)n < room;
}

bool program_is_there(const char *name) {
  char path[4096];
  return program_path(name, path, sizeof path) && access(path, X_OK) == 0;
}

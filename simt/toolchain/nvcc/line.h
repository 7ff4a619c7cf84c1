/* line.h - a command line of nvcc's, read */
#ifndef SIMT_TOOLCHAIN_NVCC_LINE_H
#define SIMT_TOOLCHAIN_NVCC_LINE_H

#include <stdbool.h>

#include "base/string_list.h"
#include "table.h"
#include "toolchain/options.h"

/* What the linker gets, in its order: a word of its own, or the object of a source. */
struct nvcc_item {
  char *word;   /* NULL: a source's object */
  size_t input; /* of options.inputs, where there is no word */
};

struct nvcc_line {
  struct options options; /* what is compiled, and how: sources only, no objects */
  enum nvcc_phase phase;
  struct nvcc_item *items;
  size_t item_count, item_room;
  size_t object_count; /* objects, archives and libraries among them */
  const char *folder;  /* -odir; NULL: here */
  enum nvcc_depends depends;
  const char *depends_kinds; /* of files_of_markers that are named */
  const char *rule_file;     /* -MF; NULL: by the output's name */
  struct string_list rule_names;
  bool rule_bare; /* -MP */
  bool dry_run, compiler_verbose;
  const char *list; /* --list-gpu-arch: what precedes a number */
  struct string_list words;
};

/* nvcc_line_read - false: a message has been printed to standard error */
bool nvcc_line_read(struct nvcc_line *line, const char *program, int argc, char **argv);
void nvcc_line_free(struct nvcc_line *line);

#endif

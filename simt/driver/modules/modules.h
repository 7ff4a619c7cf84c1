/* modules.h - what the files of this room share */
#ifndef SIMT_DRIVER_MODULES_H
#define SIMT_DRIVER_MODULES_H

#include "driver/entry.h"

/* Options of the linker's, as a program has given them. */
struct jit_options {
  unsigned count;
  const int *options;
  void **values;
};

/* ---- module.c -------------------------------------------------------------------------------- */

/* module_make - a module of the current context; `*out` only if all has gone well */
CUresult module_make(struct module **out, const void *image, const struct jit_options *jit);
/* module_image_bytes - the image's length, if this device and process can run it */
CUresult module_image_bytes(const void *image, const struct jit_options *jit, size_t *bytes);
CUresult module_function(CUfunction *out, struct module *module, const char *name);
CUresult module_variable(CUdeviceptr *address, size_t *bytes, struct module *module,
                         const char *name);
/* module_write_memory - of memory that may end too early; false: it does, or the file cannot hold
 * it */
bool module_write_memory(int file, const char *from, size_t bytes);
/* module_map_file - a whole file, to be unmapped; NULL: there is none, or nothing in it */
void *module_map_file(const char *path, size_t *bytes);

/* ---- library.c ------------------------------------------------------------------------------- */

/* library_forget - the module goes, with its context */
void library_forget(const struct module *module);

/* ---- foreign.c ------------------------------------------------------------------------------- */

/* foreign_refuse - the result for an image that is not simt's, with a message where the program
 * wants it, or on standard error */
CUresult foreign_refuse(const void *memory, const struct jit_options *jit);

#endif

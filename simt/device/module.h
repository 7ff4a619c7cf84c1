/* The objects whose code is the user's: the program, the shared libraries that it was linked with,
 * and modules loaded at run time.
 *
 * Result   of an address: which module it belongs to, and its offset in the one space in which all
 *          modules lie side by side, the program first at 0, so that 32 bits name any address
 * Rules    the functions that take an address lock nothing and may be called from handlers of
 *          signals; a module must not be closed while its kernels run
 */
#ifndef SIMT_MODULE_H
#define SIMT_MODULE_H

#include "simt/driver.h"
#include <stdbool.h>

enum { SD_MODULES = 4096, SD_MODULE_PATH = 240 };

struct simt_module {
  uintptr_t base;                /* its load address */
  uintptr_t begin, end;          /* what is mapped */
  uintptr_t text, text_bytes;    /* its code */
  uintptr_t writable;            /* where its variables begin */
  size_t storage, storage_bytes; /* its thread-local storage: the loader's number, size */
  const void *image;             /* what that holds at first; zeros follow */
  size_t image_bytes, storage_align;
  uint64_t serial;   /* no two modules have the same */
  uint32_t offset;   /* in the space of all modules */
  bool loaded_first; /* with the program: its thread-local storage is where the loader has it */
  char path[SD_MODULE_PATH]; /* "": not known */
};

/* Where a worker's blocks have the static shared memory of modules: one piece of memory for all of
 * them, with closed pages on both sides. All zeros: none yet. */
struct sd_storage {
  size_t number;        /* the loader's, of the module that it is for; 0: none */
  uint64_t serial;      /* that module's */
  unsigned char *begin; /* page-aligned */
  size_t room;
};

bool sd_in_program(const void *pc); /* an instruction of one of them */
/* sd_module_of - the one that holds the address; NULL: none does */
const struct simt_module *sd_module_of(const void *address);
/* sd_module_offset - of an address, in the space of all; 0: in none */
uint32_t sd_module_offset(const void *address);
/* sd_module_use - the next kernels are this one's: its code is looked at first */
void sd_module_use(const struct simt_module *module);
/* sd_module_storage - where the module's thread-local storage is for this OS thread: for the
 * program and its libraries where the loader has put it, for others in the worker's own, made ready if need be */
void sd_module_storage(const struct simt_module *module, struct sd_storage *own, uintptr_t *begin,
                       uintptr_t *end);
/* sd_module_program - the program itself */
const struct simt_module *sd_module_program(void);
/* sd_module_list - all, closed ones with a base of 0 */
const struct simt_module *sd_module_list(size_t *count);

#endif

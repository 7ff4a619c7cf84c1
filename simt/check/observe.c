/* The checker's beginning and end.
 *
 * Method   SIMT_CHECK names the findings file that heddle-check has made; it is mapped shared if
 *          it has the right size and head, and the observer is set. A constructor: all
 *          allocations come later. At exit what is known only then is reported: leaks, and errors
 *          that nobody asked about. No leaks are reported of a program that failed
 * Limits   a file that is not as expected: the program runs unchecked and says so
 */
#include "check.h"
#include "entries.h"
#include "folder.h"
#include "memory/symbols.h"
#include "race/blocks.h"
#include "shadow/groups.h"
#include "shadow/shadow.h"

#include "runtime.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static pid_t process;

static bool grid_entered;

void ck_on_grid_begin(struct grid *grid) {
  grid_entered = ck_enter();
  ck_look_at_parameters(grid);
  ck_begin_grid(grid);
}

void ck_on_grid_suspended(struct grid *grid) {
  (void)grid;
  ck_leave(&grid_entered);
}

void ck_on_grid_resumed(struct grid *grid) {
  (void)grid;
  grid_entered = ck_enter();
}

void ck_on_grid_end(struct grid *grid) {
  ck_end_grid(grid);
  ck_leave(&grid_entered);
}

/* A report names the file that the loader was given. */
void ck_on_module_opened(const struct simt_module *module) {
  CK_ALONE;
  size_t count;
  const size_t number = (size_t)(module - sd_module_list(&count));
  if (number < FINDING_MODULES && module->path[0]) {
    struct finding_module *m = &ck_file()->modules[number];
    memcpy(m->path, module->path, sizeof m->path);
    m->begin = module->offset;
    m->end = module->offset + (module->end - module->base);
  }
  ck_add_symbols(module);
}

void ck_on_module_closed(const struct simt_module *module) {
  CK_ALONE;
  ck_remove_symbols(module);
}

static const struct sd_observer observer = {
#define OBSERVATION(name, ...) .name = ck_on_##name,
#include "observations.def"
};

static struct findings *open_file(const char *path) {
  const size_t bytes = sizeof(struct findings);
  struct stat status;
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return NULL;
  void *memory = MAP_FAILED;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && (size_t)status.st_size >= bytes)
    memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return NULL;
  struct findings *findings = memory;
  if (findings->magic == FINDINGS_MAGIC && findings->version == FINDINGS_VERSION &&
      findings->size == sizeof(struct finding) && findings->capacity == FINDINGS)
    return findings;
  munmap(memory, bytes);
  return NULL;
}

static void at_exit(int status, void *unused) {
  (void)unused;
  if (getpid() != process) return;
  ck_report_unchecked();
  if (status == 0 && !rt_lost()) ck_report_leaks();
}

/* A folder: every process that is started has a file of its own there. */
static struct findings *file_of_many(const char *folder) {
  char path[PATH_MAX];
  struct findings *file = NULL;
  if (!ck_is_instrumented()) {
    /* It runs as it would alone; those that it starts are to know the folder. */
    snprintf(path, sizeof path, "%s", folder);
    ck_note_unchecked(path);
    unsetenv("SIMT_CHECK");
    sd_options();
    setenv("SIMT_CHECK", path, 1);
    return NULL;
  }
  sd_options();
  file = ck_file_in(folder);
  if (!file) sd_note("no file of findings in %s: the program runs unchecked", folder);
  return file;
}

/* heddle-check's file is for one process: a checked program that this one starts must not write
 * into the same. */
static struct findings *file_of_one(const char *path) {
  struct findings *file = open_file(path);
  uint64_t nobody = 0;
  if (!file) {
    sd_note("%s is no findings file: the program runs unchecked", path);
    return NULL;
  }
  sd_options();
  unsetenv("SIMT_CHECK");
  if (__atomic_compare_exchange_n(&file->owner, &nobody, (uint64_t)getpid(), false,
                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return file;
  sd_note("process %d is checked; this one, %d, runs unchecked", (int)nobody, (int)getpid());
  return NULL;
}

/* Functions given to on_exit in constructors run after the program's own, its destructors
 * included. That of device/report.c leaves the status alone while there is an observer. */
__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("SIMT_CHECK");
  struct stat status;
  uintptr_t first, end;
  if (!path || !*path) return;
  const bool many = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
  struct findings *file = many ? file_of_many(path) : file_of_one(path);
  if (!file) return;
  ck_file_is(file);
  ck_on = true;
  sd_observer = &observer; /* the arena is laid out for it */
  rt_arena(&first, &end);
  if (!ck_groups_open(ck_begin_anew) || first == end || !ck_shadow_open(first, end)) {
    sd_note("not enough address space: the program runs unchecked");
    ck_on = false;
    sd_observer = NULL;
    return;
  }
  process = getpid();
  ck_lock_open();
  sd_fault_prepare();
  on_exit(at_exit, NULL);
}

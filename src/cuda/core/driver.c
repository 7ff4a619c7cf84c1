/* driver.c - NVIDIA's driver, or the software device in its place, loaded at run time
 *
 * Result   a table of the driver's entries, loaded once a process and pair
 * Method   dlopen(RTLD_LOCAL), so that two pairs live side by side; dlsym of every name. A failure
 *          is not kept: a later call tries again.
 * Fork     A driver does not survive fork, and the library's lock may be held by a thread that the
 *          child does not have. hd_cuda_forks tells the child before any lock is taken.
 * Limits   never unloaded: NVIDIA's driver does not take that well */
#include "driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "cuda/compile/beside.h"
#include "host/status.h"
#include "inside.h"

const struct hd_cuda_driver_choice hd_cuda_driver_nvidia = {"cuda", false},
                                   hd_cuda_driver_simt = {"simt", true};

static atomic_uint forks;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

static void count_fork(void) { atomic_fetch_add(&forks, 1); }
static void count_forks(void) { pthread_atfork(NULL, NULL, count_fork); }

unsigned hd_cuda_forks(void) { return atomic_load_explicit(&forks, memory_order_relaxed); }

/* One a pair. `begun` is set before the lock is first taken, and tells a child that it must not. */
static struct state {
  pthread_mutex_t lock;
  atomic_bool begun;
  atomic_uint forks; /* when it was begun */
  bool ready;
  char library[1024];
  struct hd_cuda_driver driver;
} states[2] = {{.lock = PTHREAD_MUTEX_INITIALIZER}, {.lock = PTHREAD_MUTEX_INITIALIZER}};

const char *hd_cuda_find_symbols(void *library, const struct hd_cuda_symbol *symbols, size_t count,
                                 void *table) {
  for (size_t i = 0; i < count; i++) {
    void *found = dlsym(library, symbols[i].name);
    if (!found) return symbols[i].name;
    /* ISO C has no conversion from a data pointer to a function pointer; POSIX makes them alike. */
    memcpy((char *)table + symbols[i].offset, &found, sizeof found);
  }
  return NULL;
}

static heddle_status find_entries(const char *entry, void *handle, struct state *state) {
  static const struct hd_cuda_symbol symbols[] = {
#define X(member, symbol, arguments) {symbol, offsetof(struct hd_cuda_driver, member)},
      HD_DRIVER_ENTRIES(X)
#undef X
  };
  const char *lacks =
      hd_cuda_find_symbols(handle, symbols, sizeof symbols / sizeof *symbols, &state->driver);
  if (!lacks) return HEDDLE_OK;
  return hd_fail(HEDDLE_NO_DEVICE,
                 "%s: the driver library %s lacks %s; install a driver of CUDA 11.4 or later",
                 entry, state->library, lacks);
}

static heddle_status open_library(const char *entry, const struct hd_cuda_driver_choice *pair,
                                  struct state *state, void **handle) {
  if (!pair->software) {
    snprintf(state->library, sizeof state->library, "libcuda.so.1");
    *handle = dlopen(state->library, RTLD_NOW | RTLD_LOCAL);
    if (*handle) return HEDDLE_OK;
    return hd_fail(HEDDLE_NO_DEVICE,
                   "%s: no NVIDIA driver: %.300s; install one, or use \"cpu\" or \"simt\"", entry,
                   dlerror());
  }
  *handle = hd_cuda_open_beside("libsimt_cuda.so", state->library, sizeof state->library);
  if (*handle) return HEDDLE_OK;
  return hd_fail(
      HEDDLE_NO_DEVICE,
      "%s: the software device's libsimt_cuda.so was not found beside libheddle: %.300s; "
      "set HEDDLE_SIMT to its folder",
      entry, state->library);
}

static heddle_status load(const char *entry, const struct hd_cuda_driver_choice *pair,
                          struct state *state) {
  void *handle;
  HD_TRY(open_library(entry, pair, state, &handle));
  state->driver = (struct hd_cuda_driver){.library = state->library, .pair = pair};
  heddle_status status = find_entries(entry, handle, state);
  if (status) {
    dlclose(handle);
    return status;
  }
  cu_result result = state->driver.init(0);
  if (result == CU_NO_DEVICE)
    return hd_fail(HEDDLE_NO_DEVICE,
                   "%s: the driver %s finds no GPU; look at nvidia-smi and CUDA_VISIBLE_DEVICES",
                   entry, state->library);
  if (result) {
    heddle_status failed = hd_cuda_failure(&state->driver, entry, result, "starting the driver");
    return failed == HEDDLE_OUT_OF_MEMORY ? failed : HEDDLE_NO_DEVICE;
  }
  (void)state->driver.driver_version(&state->driver.version);
  state->ready = true;
  return HEDDLE_OK;
}

heddle_status hd_cuda_driver_load(const char *entry, const struct hd_cuda_driver_choice *pair,
                                  const struct hd_cuda_driver **out) {
  struct state *state = &states[pair->software];
  pthread_once(&fork_once, count_forks);
  if (atomic_load(&state->begun) && atomic_load(&state->forks) != hd_cuda_forks())
    return hd_fail(HEDDLE_DEVICE_ERROR,
                   "%s: this process was forked from one that used \"%s\", and CUDA does not "
                   "survive fork; start it by exec, or open the device after the fork only",
                   entry, pair->device);
  atomic_store(&state->forks, hd_cuda_forks());
  atomic_store(&state->begun, true);
  pthread_mutex_lock(&state->lock);
  atomic_store(&state->begun, true); /* a thread that failed meanwhile has taken it back */
  heddle_status status = state->ready ? HEDDLE_OK : load(entry, pair, state);
  if (status) atomic_store(&state->begun, false);
  pthread_mutex_unlock(&state->lock);
  *out = status ? NULL : &state->driver;
  return status;
}

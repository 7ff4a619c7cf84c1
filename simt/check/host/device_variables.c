/* Variables of the device in the hands of the host.
 *
 * Result   device-pointer: host code reads or writes a __device__ or __constant__ variable, or gives
 *          cudaMemcpy or cudaMemset its name for an address; host-pointer: it gives a kernel the
 *          name. Here these work; on a GPU the host has another variable of that name, which the
 *          device knows nothing of. Races of the host with kernels in __managed__ variables
 * Method   programs that are built to be checked name their variables before main. A kernel's
 *          parameters are looked through for addresses of those that the program has not asked
 *          cudaGetSymbolAddress for
 * Limits   variables of templates, members of classes, constants that are const; VARIABLES of them.
 *          Addresses in parameters: of the program's own, not of libraries that it loads
 */
#include "call_stack.h"
#include "check.h"
#include "entries.h"
#include "host.h"

#include "runtime.h"

#include <stdio.h>
#include <string.h>

enum { VARIABLES = 4096 };

static struct variable {
  uintptr_t begin;
  size_t bytes;
  const char *name;
  bool managed;
  bool asked; /* its address was given to the program */
} variables[VARIABLES];
static size_t count;

struct ck_range ck_device_variables;

SIMT_API void simt_device_variable(const void *address, size_t bytes, const char *name,
                                   int managed) {
  const uintptr_t begin = (uintptr_t)address;
  struct ck_range *all = &ck_device_variables;
  CK_ALONE;
  if (!ck_on || count == VARIABLES) return;
  variables[count++] = (struct variable){begin, bytes, name, managed != 0, managed != 0};
  const uintptr_t end = all->begin + all->bytes;
  const bool first = count == 1;
  if (first || begin < all->begin) all->begin = begin;
  all->bytes = (first || begin + bytes > end ? begin + bytes : end) - all->begin;
}

/* NULL: none, or its module has gone. */
static struct variable *find(uintptr_t address) {
  if (address - ck_device_variables.begin >= ck_device_variables.bytes) return NULL;
  for (size_t i = 0; i < count; i++)
    if (address - variables[i].begin < variables[i].bytes)
      return rt_is_symbol((const void *)address) ? &variables[i] : NULL;
  return NULL;
}

static void describe(struct finding *f, const struct variable *v, uintptr_t address) {
  f->address = address;
  snprintf(f->space, sizeof f->space, "global");
  snprintf(f->object, sizeof f->object, "device variable %.100s, byte %zu of %zu", v->name,
           (size_t)(address - v->begin), v->bytes);
}

void ck_host_variable_access(uintptr_t address, size_t bytes, bool write, bool is_volatile,
                             const void *pc, const void *frame) {
  const bool entered = ck_try_enter();
  if (!entered) return;
  const struct variable *v = find(address);
  const bool managed = v && v->managed;
  struct finding *f = v && !managed ? ck_finding(SD_DEVICE_POINTER, (uintptr_t)pc, write) : NULL;
  if (managed && !is_volatile) ck_host_managed_access(address, bytes, write, pc, frame);
  if (f) {
    ck_host_frames(f->sides[0].pcs, pc, frame);
    f->sides[0].access = write ? FINDING_HOST_WRITE : FINDING_HOST_READ;
    f->sides[0].bytes = (uint32_t)bytes;
    describe(f, v, address);
    snprintf(f->text, sizeof f->text,
             "host code uses a variable of the device: on a GPU that is another one of the name, "
             "which kernels do not see; %s reaches it",
             write ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol");
    ck_publish(f);
  }
  ck_leave(&entered);
}

void ck_on_symbol_asked(const void *symbol) {
  CK_ALONE;
  struct variable *v = find((uintptr_t)symbol);
  if (v) v->asked = true;
}

/* ---- Names as addresses ---------------------------------------------------------------------- */

/* cudaMemcpyToSymbol and its kin, and nodes of graphs, come here, too. */
static bool takes_addresses(const char *call) {
  return (!strncmp(call, "cudaMemcpy", 10) || !strncmp(call, "cudaMemset", 10)) &&
         !strstr(call, "Symbol");
}

void ck_look_at_end(uintptr_t address, bool writes) {
  const struct variable *v = find(address);
  if (!v || v->asked) return;
  const struct ck_call here = ck_call_here();
  char call[48];
  uint64_t pcs[FINDING_PCS];
  ck_call_name(&here, call, sizeof call);
  if (!takes_addresses(call)) return;
  const uint64_t hash = ck_call_pcs(&here, pcs);
  struct finding *f = ck_finding(SD_DEVICE_POINTER, hash, writes);
  if (!f) return;
  memcpy(f->sides[0].pcs, pcs, sizeof pcs);
  f->sides[0].access = FINDING_CALL;
  describe(f, v, address);
  snprintf(f->text, sizeof f->text,
           "%s is given the name of a variable of the device, which is no address of the device in "
           "host code; cudaMemcpyToSymbol, cudaMemcpyFromSymbol or an address from "
           "cudaGetSymbolAddress reach it",
           call);
  ck_publish(f);
}

static void report_parameter(const struct grid *grid, const struct variable *v, uintptr_t address) {
  uint64_t pcs[FINDING_PCS];
  const uint64_t hash = ck_configured_pcs(pcs);
  struct finding *f = ck_finding(SD_HOST_POINTER, hash, v->begin);
  if (!f) return;
  memcpy(f->sides[0].pcs, pcs, sizeof pcs);
  f->sides[0].access = FINDING_CALL;
  describe(f, v, address);
  snprintf(
      f->text, sizeof f->text,
      "kernel %s is given the name of a variable of the device, which is an address of the host "
      "in host code; cudaGetSymbolAddress gives the device's, or let the kernel name it",
      grid->kernel->name);
  ck_publish(f);
}

void ck_look_at_parameters(const struct grid *grid) {
  const unsigned char *body = grid->body;
  if (!count || !body) return;
  for (size_t i = 0; i + sizeof(uintptr_t) <= grid->kernel->body_bytes; i += sizeof(uintptr_t)) {
    uintptr_t word;
    memcpy(&word, body + i, sizeof word);
    const struct variable *v = find(word);
    if (v && !v->asked && sd_module_of((const void *)word) == sd_module_program())
      report_parameter(grid, v, word);
  }
}

/* Errors that nobody asked about.
 *
 * Result   unchecked-error: a launch that was refused, or a call whose error the program threw
 *          away, if no cudaGetLastError or cudaPeekAtLastError came after it
 * Method   whether a call's result was thrown away is read from the program's instructions
 *          (call_stack.c): a program that tests a result knows of the error, whatever it does then.
 *          Errors are kept by call site and reported at the program's end
 * Limits   a result that is stored and never looked at counts as looked at. SITES sites. Errors
 *          that a kernel's failure makes are left out: the failure has its own finding
 */
#include "call_stack.h"
#include "check.h"
#include "entries.h"
#include "host.h"

#include "runtime.h"

#include <stdio.h>
#include <string.h>

enum { SITES = 256 };

static struct site {
  uint64_t hash, count;
  uint64_t pcs[FINDING_PCS];
  int error;
  bool asked;
  char text[320];
} sites[SITES];
static size_t count;

static _Thread_local bool explained;
static _Thread_local struct ck_call configured;

void ck_call_explained(void) { explained = true; }

/* These are answers rather than failures, or this device's limits. */
static bool is_answer(int error) {
  switch (error) {
  case cudaErrorNotReady:
  case cudaErrorPeerAccessAlreadyEnabled:
  case cudaErrorPeerAccessNotEnabled:
  case cudaErrorPeerAccessUnsupported:
  case cudaErrorHostMemoryAlreadyRegistered:
  case cudaErrorNotSupported:
  case cudaErrorDevicesUnavailable:
  case cudaErrorPriorLaunchFailure: return true;
  default: return false;
  }
}

static bool is_kernels(int error) {
  switch (error) {
  case cudaErrorIllegalAddress:
  case cudaErrorLaunchTimeout:
  case cudaErrorAssert:
  case cudaErrorHardwareStackError:
  case cudaErrorIllegalInstruction:
  case cudaErrorMisalignedAddress:
  case cudaErrorInvalidAddressSpace:
  case cudaErrorInvalidPc:
  case cudaErrorLaunchFailure: return true;
  default: return false;
  }
}

static struct site *enter(const uint64_t pcs[FINDING_PCS], int error) {
  uint64_t hash = (uint64_t)error;
  for (int i = 0; i < FINDING_PCS; i++) hash = ck_hash(hash, pcs[i]);
  for (size_t i = 0; i < count; i++) {
    if (sites[i].hash != hash) continue;
    if (sites[i].asked) sites[i].count = 0;
    sites[i].asked = false;
    sites[i].count++;
    return NULL;
  }
  if (count == SITES) return NULL;
  struct site *p = &sites[count++];
  *p = (struct site){.hash = hash, .count = 1, .error = error};
  memcpy(p->pcs, pcs, sizeof p->pcs);
  return p;
}

static const char *name(int error) { return cudaGetErrorName((cudaError_t)error); }
static const char *words(int error) { return cudaGetErrorString((cudaError_t)error); }

void ck_on_error_made(int error) {
  CK_ALONE;
  uint64_t pcs[FINDING_PCS];
  const bool known = explained;
  explained = false;
  if (known || rt_lost() || is_kernels(error) || is_answer(error) ||
      (sd_current && sd_current->lane))
    return;
  const struct ck_call here = ck_call_here();
  char call[48];
  ck_call_name(&here, call, sizeof call);
  if (!strncmp(call, "simt_", 5) || !ck_result_ignored(&here)) return;
  ck_call_pcs(&here, pcs);
  struct site *p = enter(pcs, error);
  if (!p) return;
  snprintf(p->text, sizeof p->text, "%s gave %s (%s), and the program did not look at it",
           call[0] ? call : "the call", name(error), words(error));
}

void ck_on_error_asked(void) {
  CK_ALONE;
  for (size_t i = 0; i < count; i++) sites[i].asked = true;
}

/* ---- Launches -------------------------------------------------------------------------------- */

void ck_on_configured(void) {
  if (!sd_current || !sd_current->lane) configured = ck_call_here();
}

void ck_configured_at(const struct ck_call *call) { configured = *call; }

uint64_t ck_configured_pcs(uint64_t *pcs) { return ck_call_pcs(&configured, pcs); }

/* <<<>>> returns nothing; cudaLaunchKernel and its kin do. */
static bool is_unseen(void) {
  char call[48];
  ck_call_name(&configured, call, sizeof call);
  if (!strcmp(call, "simt_configure")) return true;
  return !strncmp(call, "cuda", 4) && ck_result_ignored(&configured);
}

void ck_on_launched(const struct simt_kernel *kernel, const struct simt_config *config, int error) {
  CK_ALONE;
  if (!error || rt_lost() || is_answer(error) || is_kernels(error) || !is_unseen()) return;
  uint64_t pcs[FINDING_PCS];
  ck_call_pcs(&configured, pcs);
  struct site *p = enter(pcs, error);
  if (!p) return;
  snprintf(p->text, sizeof p->text,
           "kernel %s was not launched: %s (%s) with a grid of (%u,%u,%u) blocks of (%u,%u,%u) "
           "threads and %zu bytes of shared memory; nobody asked for the error",
           kernel->name, name(error), words(error), config->grid.x, config->grid.y, config->grid.z,
           config->block.x, config->block.y, config->block.z, config->shared_bytes);
}

void ck_report_unchecked(void) {
  for (size_t i = 0; i < count; i++) {
    const struct site *p = &sites[i];
    if (p->asked) continue;
    struct finding *f = ck_finding(SD_UNCHECKED_ERROR, p->hash, 0);
    if (!f) continue;
    f->count = p->count;
    memcpy(f->sides[0].pcs, p->pcs, sizeof p->pcs);
    f->sides[0].access = FINDING_CALL;
    snprintf(f->text, sizeof f->text, "%s", p->text);
    ck_publish(f);
  }
}

/* cpu.c - the CPU back end: opening a context, choosing the ISA, the table of entries */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "cpu/isa/kernels.h"
#include "cpu/select/kernels.h"
#include "host/environment.h"
#include "host/instruction_sets.h"
#include "host/machine.h"
#include "host/pool.h"
#include "host/status.h"

enum { MOST_THREADS = 1024 };

/* What is in this build. */
#ifdef HEDDLE_X86_KERNELS
#define ON_X86(kernels) &kernels
#else
#define ON_X86(kernels) NULL
#endif
#ifdef HEDDLE_ARM_KERNELS
#define ON_ARM(kernels) &kernels
#else
#define ON_ARM(kernels) NULL
#endif

/* Best first. */
static const struct {
  const char *name;
  const struct hd_cpu_kernels *kernels; /* NULL: not in this build */
  const struct hd_cpu_select_kernels *selects;
  bool (*present)(void);
} isas[] = {
    {"avx512", ON_X86(hd_cpu_kernels_avx512), ON_X86(hd_cpu_select_kernels_avx512), hd_has_avx512},
    {"avx2", ON_X86(hd_cpu_kernels_avx2), ON_X86(hd_cpu_select_kernels_avx2), hd_has_avx2},
    {"neon", ON_ARM(hd_cpu_kernels_neon), ON_ARM(hd_cpu_select_kernels_neon), hd_has_neon},
    {"scalar", &hd_cpu_kernels_scalar, &hd_cpu_select_kernels_scalar, hd_has_scalar},
};
enum { ISAS = sizeof isas / sizeof *isas };

static bool is_present(size_t isa) { return isas[isa].kernels && isas[isa].present(); }

const struct hd_cpu_kernels *hd_cpu_kernels(char *note, size_t bytes) {
  const char *wanted = hd_environment(HD_ENV_ISA);
  size_t best = 0;
  while (!is_present(best)) best++;
  if (!wanted) return isas[best].kernels;
  for (size_t i = 0; i < ISAS; i++) {
    if (strcmp(isas[i].name, wanted)) continue;
    if (is_present(i)) return isas[i].kernels;
    snprintf(note, bytes, "HEDDLE_ISA=%.16s is not on this processor; using %s", wanted,
             isas[best].name);
    return isas[best].kernels;
  }
  snprintf(note, bytes, "HEDDLE_ISA=%.16s is not scalar, neon, avx2 or avx512; using %s", wanted,
           isas[best].name);
  return isas[best].kernels;
}

const struct hd_cpu_select_kernels *hd_cpu_select_kernels(const heddle_context *ctx) {
  size_t isa = 0;
  while (isas[isa].kernels != ctx->kernels) isa++;
  return isas[isa].selects;
}

/* A whole number from 1 to MOST_THREADS, or 0. */
static unsigned thread_count(const char *text) {
  if (*text < '0' || *text > '9') return 0;
  char *end;
  unsigned long n = strtoul(text, &end, 10);
  return *end || n > MOST_THREADS ? 0 : (unsigned)n;
}

heddle_status hd_cpu_open(heddle_context *ctx, const char *rest) {
  const char *variable = hd_environment(HD_ENV_NUM_THREADS);
  if (*rest) {
    ctx->threads = thread_count(rest);
    if (!ctx->threads)
      return hd_fail(HEDDLE_NO_DEVICE,
                     "heddle_open: device \"cpu:%.40s\" names no number of threads from 1 to %d",
                     rest, MOST_THREADS);
  } else if (variable) {
    ctx->threads = thread_count(variable);
    if (!ctx->threads)
      return hd_fail(HEDDLE_BAD_ARGUMENT,
                     "heddle_open: HEDDLE_NUM_THREADS=%.40s is not a number from 1 to %d; correct "
                     "it or unset it",
                     variable, MOST_THREADS);
  } else {
    ctx->threads = hd_machine_threads();
  }
  ctx->kernels = hd_cpu_kernels(ctx->note, sizeof ctx->note);
  snprintf(ctx->device, sizeof ctx->device, "cpu:%u", ctx->threads);
  hd_pool_enter();
  return HEDDLE_OK;
}

void hd_cpu_close(heddle_context *ctx) {
  (void)ctx;
  hd_pool_leave();
}

heddle_status hd_cpu_info(heddle_context *ctx, heddle_device_info *out) {
  const struct hd_cpu_kernels *kernels = ctx->kernels;
  snprintf(out->device, sizeof out->device, "%s", ctx->device);
  hd_machine_name(out->name, sizeof out->name);
  snprintf(out->isa, sizeof out->isa, "%s", kernels->isa);
  snprintf(out->note, sizeof out->note, "%s", ctx->note);
  out->threads = ctx->threads;
  return HEDDLE_OK;
}

#define HD_ENTRY(type, name, arguments) .name = hd_cpu_##name,
const struct hd_backend hd_cpu_backend = {.name = "cpu",
                                          .open = hd_cpu_open,
                                          .count_keys = hd_cpu_count_keys,
                                          HD_ENTRIES(HD_ENTRY) HD_PARTIAL_ENTRIES(HD_ENTRY)};

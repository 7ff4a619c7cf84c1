/* Tables of GPUs and of what a compute capability fixes (gpu.h).
 *
 * Method   registers are given to warps, each in one of the four partitions, so that first the
 *          warps of a partition are counted, then the blocks. That a block's registers fit is
 *          tested with its warps rounded up to the partitions, as a launch does
 */
#include "gpu.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

/* capability, warps, blocks, shared: a multiprocessor, at most a block, reserved a block, unit */
#define KB(n) ((size_t)(n)*1024)
#define SM_70 \
  { 7, 0, 64, 32, KB(96), KB(96), 0, 256 }
#define SM_75 \
  { 7, 5, 32, 16, KB(64), KB(64), 0, 256 }
#define SM_80 \
  { 8, 0, 64, 32, KB(164), KB(163), KB(1), 128 }
#define SM_86 \
  { 8, 6, 48, 16, KB(100), KB(99), KB(1), 128 }
#define SM_89 \
  { 8, 9, 48, 24, KB(100), KB(99), KB(1), 128 }
#define SM_90 \
  { 9, 0, 64, 32, KB(228), KB(227), KB(1), 128 }
#define SM_100 \
  { 10, 0, 64, 32, KB(228), KB(227), KB(1), 128 }

static const struct gpu gpus[] = {
    {"h200", "NVIDIA H200", 132, SM_90},
    {"h100", "NVIDIA H100 SXM", 132, SM_90},
    {"b200", "NVIDIA B200", 148, SM_100},
    {"a100", "NVIDIA A100", 108, SM_80},
    {"v100", "NVIDIA V100", 80, SM_70},
    {"t4", "NVIDIA T4", 40, SM_75},
    {"l4", "NVIDIA L4", 58, SM_89},
    {"l40s", "NVIDIA L40S", 142, SM_89},
    {"a10", "NVIDIA A10", 72, SM_86},
    {"rtx4090", "NVIDIA GeForce RTX 4090", 128, SM_89},
    {"rtx3090", "NVIDIA GeForce RTX 3090", 82, SM_86},
};
enum { GPUS = sizeof gpus / sizeof gpus[0] };

const struct gpu *gpu_at(size_t index) { return index < GPUS ? &gpus[index] : NULL; }

/* Takes `word` off the beginning of *text if it is there, as a whole or not. */
static bool skip_word(const char **text, const char *word) {
  size_t i = 0;
  while (word[i] && tolower((unsigned char)(*text)[i]) == word[i]) i++;
  if (word[i]) return false;
  *text += i;
  return true;
}

static void skip_separators(const char **text) { *text += strspn(*text, " -_"); }

static bool means(const char *text, const char *name) {
  static const char *const makers[] = {"nvidia", "geforce", "tesla"};
  skip_separators(&text);
  for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
    if (skip_word(&text, makers[i])) skip_separators(&text);
  }
  for (; *name; name++) {
    if (tolower((unsigned char)*text) != *name) return false;
    text++;
    skip_separators(&text);
  }
  return *text == 0;
}

const struct gpu *gpu_find(const char *name) {
  for (size_t i = 0; i < GPUS; i++)
    if (means(name, gpus[i].name)) return &gpus[i];
  return NULL;
}

static unsigned round_up(unsigned value, unsigned unit) { return (value + unit - 1) / unit * unit; }

static unsigned blocks_by_registers(unsigned warps, unsigned registers) {
  if (registers > GPU_REGISTERS_A_THREAD) return 0;
  const unsigned a_warp = round_up((registers ? registers : 1) * 32, GPU_REGISTER_UNIT);
  if (round_up(warps, GPU_PARTITIONS) * a_warp > GPU_REGISTERS) return 0;
  return GPU_REGISTERS / GPU_PARTITIONS / a_warp * GPU_PARTITIONS / warps;
}

static unsigned blocks_by_shared(const struct gpu_capability *c, size_t shared) {
  if (shared > c->shared_opt_in) return 0;
  const size_t a_block =
      (shared + c->shared_reserved + c->shared_unit - 1) / c->shared_unit * c->shared_unit;
  return a_block ? (unsigned)(c->shared / a_block) : UINT_MAX;
}

void gpu_occupancy(const struct gpu *gpu, unsigned threads, unsigned registers, size_t shared,
                   struct gpu_occupancy *result) {
  const struct gpu_capability *c = &gpu->capability;
  *result = (struct gpu_occupancy){.limit = GPU_LIMIT_THREADS_A_BLOCK};
  if (threads == 0 || threads > GPU_THREADS_A_BLOCK) return;
  const unsigned warps = (threads + 31) / 32;
  result->by_warps = c->warps / warps;
  result->by_blocks = c->blocks;
  result->by_registers = blocks_by_registers(warps, registers);
  result->by_shared = blocks_by_shared(c, shared);
  const unsigned by[] = {result->by_warps, result->by_blocks, result->by_registers,
                         result->by_shared};
  result->limit = GPU_LIMIT_WARPS;
  for (unsigned i = 1; i < sizeof by / sizeof by[0]; i++)
    if (by[i] < by[result->limit]) result->limit = (enum gpu_limit)i;
  result->blocks = by[result->limit];
  result->warps = result->blocks * warps;
  result->percent = 100.0 * result->warps / c->warps;
}

const char *gpu_limit_name(enum gpu_limit limit) {
  static const char *const names[] = {"warps", "blocks", "registers", "shared memory",
                                      "threads a block"};
  return names[limit];
}

/* laid.c - parts of an array, cut and laid out by lot */
#define STAGED_OWN_NAMES
#include "laid.h"

heddle_context *laid_cpu;
heddle_context *laid_on[LAID_CONTEXTS];
heddle_context *laid_owner[LAID_DEVICES];
size_t laid_contexts, laid_devices;

static heddle_context *opened(const char *name) {
  heddle_context *ctx = NULL;
  if (heddle_open(name, &ctx)) fail_msg("%s: %s", name, heddle_message());
  return ctx;
}

int laid_setup(void **unused) {
  (void)unused;
  const char *wanted = getenv("HEDDLE_TEST_DEVICES");
  laid_cpu = opened("cpu:1");
  laid_on[laid_contexts++] = opened("cpu:3");
  if (!wanted || !strstr(wanted, "simt")) return 0;
  (void)setenv("SIMT_DEVICES", "4", 1);
  laid_on[laid_contexts++] = opened("simt:all");
  laid_on[laid_contexts++] = opened("simt:2,0");
  laid_on[laid_contexts++] = opened("simt:2");
  for (laid_devices = 0; laid_devices < LAID_DEVICES; laid_devices++) {
    char name[24];
    (void)snprintf(name, sizeof name, "simt:%zu", laid_devices);
    laid_owner[laid_devices] = opened(name);
  }
  return 0;
}

int laid_teardown(void **unused) {
  (void)unused;
  for (size_t d = 0; d < laid_devices; d++) heddle_close(laid_owner[d]);
  for (size_t c = 0; c < laid_contexts; c++) heddle_close(laid_on[c]);
  heddle_close(laid_cpu);
  return 0;
}

/* Devices that a context reaches, by number. */
static size_t reach(size_t c, int number[LAID_DEVICES]) {
  static const struct {
    size_t n;
    int number[LAID_DEVICES];
  } of[LAID_CONTEXTS] = {{0, {0}}, {4, {0, 1, 2, 3}}, {2, {2, 0}}, {1, {2}}};
  memcpy(number, of[c].number, sizeof of[c].number);
  return of[c].n;
}

static uint64_t state;
uint64_t laid_draw(uint64_t below) { return data_word(91, state++) % below; }

/* ---- cuts ------------------------------------------------------------------------------------- */

size_t laid_cut(size_t n, size_t group, size_t end[LAID_PARTS]) {
  static const size_t steps[] = {1, 1024, 2048, 4096};
  const size_t parts = laid_draw(10) ? 1 + laid_draw(LAID_PARTS) : 1;
  const size_t step = steps[laid_draw(4)];
  for (size_t p = 0; p + 1 < parts; p++) {
    const uint64_t how = laid_draw(4);
    end[p] = how == 0 && p ? end[p - 1] + (end[p - 1] < n) : laid_draw(n / step + 1) * step;
    if (how == 1 && p) end[p] = end[p - 1];
  }
  for (size_t i = 0; i + 1 < parts; i++)
    for (size_t k = i; k > 0 && end[k] < end[k - 1]; k--) {
      const size_t t = end[k];
      end[k] = end[k - 1], end[k - 1] = t;
    }
  for (size_t p = 0; p + 1 < parts; p++) end[p] -= end[p] % group;
  end[parts - 1] = n;
  return parts;
}

void laid_lay(struct laid *laid, size_t c, const void *x, size_t size, size_t parts,
              const size_t *end, const struct laid *beside) {
  int number[LAID_DEVICES];
  const size_t reached = reach(c, number);
  *laid = (struct laid){.parts = HEDDLE_PARTS_INIT, .size = size};
  laid->parts.parts = parts;
  laid->parts.part = laid->part;
  for (size_t p = 0; p < parts; p++) {
    const size_t first = p ? end[p - 1] : 0, n = end[p] - first;
    const uint64_t place = laid_draw(reached + 1);
    void *memory = NULL;
    laid->device[p] = place < reached ? number[place] : -1;
    if (beside && laid->device[p] >= 0 && beside->device[p] >= 0)
      laid->device[p] = beside->device[p];
    if (!n && laid_draw(2)) laid->device[p] = -1; /* an empty part may be NULL */
    if (laid->device[p] < 0) {
      memory = n ? malloc(n * size) : NULL;
      if (n) memcpy(memory, (const char *)x + first * size, n * size);
    } else {
      heddle_context *ctx = laid_owner[laid->device[p]];
      assert_int_equal(heddle_device_alloc(ctx, n * size, &memory), HEDDLE_OK);
      assert_int_equal(heddle_copy(ctx, memory, (const char *)x + first * size, n * size),
                       HEDDLE_OK);
    }
    laid->memory[p] = memory;
    laid->part[p] = (heddle_part){memory, n};
  }
}

void laid_fetch(const struct laid *laid, void *to) {
  char *at = to;
  for (size_t p = 0; p < laid->parts.parts; p++) {
    const size_t bytes = laid->part[p].count * laid->size;
    if (laid->device[p] >= 0) {
      assert_int_equal(heddle_sync(laid_owner[laid->device[p]]), HEDDLE_OK);
      assert_int_equal(heddle_copy(laid_owner[laid->device[p]], at, laid->memory[p], bytes),
                       HEDDLE_OK);
    } else if (bytes) {
      memcpy(at, laid->memory[p], bytes);
    }
    at += bytes;
  }
}

void laid_drop(struct laid *laid) {
  for (size_t p = 0; p < laid->parts.parts; p++) {
    if (laid->device[p] < 0)
      free(laid->memory[p]);
    else
      assert_int_equal(heddle_device_free(laid_owner[laid->device[p]], laid->memory[p]), HEDDLE_OK);
  }
}

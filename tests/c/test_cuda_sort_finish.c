/* test_cuda_sort_finish.c - sorts of keys of 8 bytes on a device, of which their highest digits may tell enough
 *
 * Method   Distributions of which the sample says yes, no, and yes where it is wrong: the software device samples so
 *          few that this happens. Results have the CPU's bits, apart from the input, in its place, and with the
 *          input as memory; what lies beside them is left alone.
 * Limits   on a GPU no sample of so few elements is wrong */
#include <stdbool.h>

#include "gpu.h"
#include "sort_reference.h"

enum { BESIDE = 64, SIZE = 8 };

static size_t most;
static char *keys_there, *out_there, *keys, *wanted, *got;

static int setup(void **state) {
  if (gpu_setup(state)) return 1;
  if (!gpu_device()) return 0;
  most = gpu_is_software() ? 20000 : ((size_t)1 << 23) + 12345;
  keys_there = gpu_memory(most * SIZE + 2 * BESIDE);
  out_there = gpu_memory(most * SIZE + 2 * BESIDE);
  char **here[] = {&keys, &wanted, &got};
  for (size_t i = 0; i < COUNT(here); i++) *here[i] = allocate(most * SIZE + 2 * BESIDE);
  return 0;
}

static int teardown(void **state) {
  if (gpu_device()) {
    gpu_forget(keys_there);
    gpu_forget(out_there);
  }
  free(keys);
  free(wanted);
  free(got);
  return gpu_teardown(state);
}

enum way { APART, IN_PLACE, OVERWRITE, WAYS };

static void check(heddle_type type, enum sort_kind kind, size_t n, enum way way, bool descending) {
  heddle_sort_options options = HEDDLE_SORT_OPTIONS_INIT;
  options.descending = descending;
  const size_t bytes = n * SIZE + 2 * BESIDE;
  char *to = way == IN_PLACE ? keys_there : out_there;
  memset(keys, 0x5a, bytes);
  memset(wanted, 0x5a, bytes);
  sort_fill(kind, type, n + 7, n, keys + BESIDE);
  same_status(HEDDLE_OK, heddle_sort(gpu_cpu, type, keys + BESIDE, n, wanted + BESIDE, &options),
              "on the CPU");
  options.overwrite = way == OVERWRITE;
  gpu_up(keys_there, keys, bytes);
  if (way != IN_PLACE) gpu_up(out_there, wanted, BESIDE);
  if (way != IN_PLACE) gpu_up(out_there + n * SIZE + BESIDE, wanted, BESIDE);
  same_status(HEDDLE_OK, heddle_sort(gpu_ctx, type, keys_there + BESIDE, n, to + BESIDE, &options),
              "%zu %s %s", n, sort_name(kind), heddle_type_name(type));
  assert_int_equal(heddle_sync(gpu_ctx), HEDDLE_OK);
  gpu_down(got, to, bytes);
  same_bytes(wanted, got, bytes, "%zu %s %s, way %d, descending %d", n, sort_name(kind),
             heddle_type_name(type), (int)way, (int)descending);
  if (way != APART) return;
  gpu_down(got, keys_there, bytes);
  same_bytes(keys, got, bytes, "the input");
}

static void every_distribution(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const heddle_type types[] = {HEDDLE_F64, HEDDLE_U64, HEDDLE_I64};
  const size_t counts[] = {most, most - most / 3, most - most / 7};
  size_t turn = 0;
  for (int kind = 0; kind < SORT_KINDS; kind++)
    for (int way = 0; way < WAYS; way++, turn++) {
      check(types[turn % 3], (enum sort_kind)kind, counts[turn / 2 % 3], (enum way)way, turn % 2);
      if (kind == SORT_BITS || kind == SORT_PREFIXES || kind == SORT_CROWDS)
        check(types[(turn + 1) % 3], (enum sort_kind)kind, counts[turn % 3], (enum way)way,
              turn % 2 == 0);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_distribution)};
  return cmocka_run_group_tests(tests, setup, teardown);
}

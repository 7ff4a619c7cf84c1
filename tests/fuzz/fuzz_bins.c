/* fuzz_bins.c - arbitrary text as bin specifications
 *
 * The first byte says which options are there; the rest is their words, parted by newlines. What
 * bins_parse accepts must be what bins.h promises. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "commands/hist/spec.h"

static void require(int condition) {
  if (!condition) abort();
}

static void check(const struct bins_spec *spec) {
  require(spec->rule != BINS_NUMBER || spec->edges_file ||
          (spec->count >= 1 && spec->count <= BINS_MOST));
  require(!spec->has_range || (isfinite(spec->lo) && isfinite(spec->hi) && spec->lo <= spec->hi));
  require(!(spec->has_range && spec->log) || (spec->lo > 0 && spec->lo < spec->hi));
  require(isfinite(spec->width) && spec->width >= 0);
  require((!spec->edges) == (spec->edge_count == 0));
  for (size_t i = 0; i < spec->edge_count; i++) {
    require(!isnan(spec->edges[i]));
    require(i == 0 || spec->edges[i - 1] <= spec->edges[i]);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1 || size > 1 << 16) return 0;
  char *words = malloc(size), why[256];
  if (!words) return 0;
  memcpy(words, data + 1, size - 1);
  words[size - 1] = '\0';
  struct bins_text text = {NULL, NULL, NULL, NULL, NULL, (data[0] & 32) != 0, (data[0] & 64) != 0};
  const char **members[] = {&text.bins, &text.lo, &text.hi, &text.edges, &text.width};
  char *word = words;
  for (unsigned i = 0; i < 5; i++) {
    if ((data[0] >> i & 1) == 0) continue;
    *members[i] = word;
    char *end = strchr(word, '\n');
    if (end) *end++ = '\0';
    word = !end ? word + strlen(word) : end;
  }
  struct bins_spec spec;
  why[0] = '\0';
  if (bins_parse(&text, &spec, why, sizeof why) == 0)
    check(&spec);
  else
    require(why[0] != '\0' && strlen(why) < sizeof why);
  bins_free(&spec);
  free(words);
  return 0;
}

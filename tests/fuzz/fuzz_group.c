/* fuzz_group.c - arbitrary text as what heddle group is asked for
 *
 * What is accepted has a share within its limits and a column that is part of the text; a refusal says why; only what
 * has no colon may be the name of a file alone, and none of those is accepted but count. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "commands/group/rows/spec.h"

static void require(int condition) {
  if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *const text = malloc(size + 1);
  struct spec spec, again;
  struct failure why = {0, ""};
  require(text != NULL);
  if (size > 0) memcpy(text, data, size);
  text[size] = '\0';
  const char *const colon = strchr(text, ':');
  switch (spec_parse(text, &spec, &why)) {
  case SPEC_FIGURE:
    require(colon ? spec.column == colon + 1 && *spec.column != '\0' : spec.column == NULL);
    require(colon || (strcmp(text, "count") == 0 && spec.figure == FIGURE_ROWS));
    require(spec.share >= 0 && spec.share <= 1);
    require(spec_parse(text, &again, &why) == SPEC_FIGURE && again.figure == spec.figure);
    require(memcmp(&again.share, &spec.share, sizeof spec.share) == 0);
    break;
  case SPEC_OTHER: require(!colon && why.text[0] == '\0'); break;
  case SPEC_BAD: require(why.text[0] != '\0' && strlen(why.text) < sizeof why.text); break;
  }
  free(text);
  return 0;
}

/* ladder_options.h - the options that every rung takes; part of ladder.h
 *
 *   --size N     elements: 1000, 64K, 100M, 2G (powers of 1024) or 2^20
 *   --data KIND  uniform constant two four skewed and3 sorted text
 *   --seed S     of the random data
 *   --repeat R   timed runs, 1 to 100
 *   --picture F  where frames go, as PAM pictures one behind the other
 *   --json       a last line of JSON
 *   --small      a rung of several fixed cases leaves out those that take long
 */
#ifndef LADDER_OPTIONS_H
#define LADDER_OPTIONS_H

static inline void ladder_usage(const char *what, const char *text) {
  fflush(stdout);
  fprintf(stderr, "%s: %s '%s'\n", ladder.rung, what, text);
  exit(2);
}

static inline void ladder_name_rung(const char *source) {
  const char *from = source + strlen(source);
  int slashes = 0;
  while (from > source && !(from[-1] == '/' && ++slashes == 2)) --from;
  snprintf(ladder.rung, sizeof ladder.rung, "%s", from);
  char *end = strrchr(ladder.rung, '.');
  if (end) *end = 0;
}

static inline unsigned long long ladder_number(const char *option, const char *text) {
  char *end = NULL;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (end == text || text[0] == '-' || errno) ladder_usage(option, text);
  if (end[0] == '^' && value == 2) {
    const char *exponent = end + 1;
    value = strtoull(exponent, &end, 10);
    if (end == exponent || *end || value > 62) ladder_usage(option, text);
    return 1ull << value;
  }
  static const char suffixes[] = "KMG";
  for (int i = 0; i < 3 && *end; ++i) {
    if (end[0] == suffixes[i] && end[1] == 0) {
      if (value >> (63 - 10 * (i + 1))) ladder_usage(option, text);
      return value << 10 * (i + 1);
    }
  }
  if (*end) ladder_usage(option, text);
  return value;
}

static inline void ladder_option(const char *name, const char *value, int *repeat) {
  if (strcmp(name, "--size") == 0) {
    ladder.size = (size_t)ladder_number("--size is no number of elements:", value);
    if (ladder.size == 0) ladder_usage("--size must be at least 1, not", value);
    ladder.sized = 1;
  } else if (strcmp(name, "--data") == 0) {
    if (!ladder_is_kind(value)) ladder_usage("--data is none of " LADDER_KINDS ":", value);
    ladder.data = value;
  } else if (strcmp(name, "--seed") == 0) {
    ladder.seed = ladder_number("--seed is no number:", value);
  } else if (strcmp(name, "--repeat") == 0) {
    *repeat = (int)(ladder_number("--repeat is no number:", value) % 1000);
    if (*repeat < 1 || *repeat > 100) ladder_usage("--repeat must be 1 to 100, not", value);
  } else if (strcmp(name, "--picture") == 0) {
    ladder.picture = value;
  } else {
    ladder_usage("unknown option", name);
  }
}

/* Returns what --repeat says, 0 if it was not given. */
static inline int ladder_read_options(int argc, char **argv) {
  int repeat = 0;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--json") == 0) {
      ladder.json = 1;
    } else if (strcmp(argv[i], "--small") == 0) {
      ladder.small_cases = 1;
    } else {
      if (i + 1 == argc) ladder_usage("unknown option, or one without its value:", argv[i]);
      ladder_option(argv[i], argv[i + 1], &repeat);
      ++i;
    }
  }
  return repeat;
}

static inline void ladder_check_memory(size_t element_bytes) {
  size_t available = 0, total = 0;
  CHECK(cudaMemGetInfo(&available, &total));
  if (element_bytes == 0 || ladder.size <= available / element_bytes) return;
  fflush(stdout);
  fprintf(stderr, "%s: %zu elements of %zu bytes do not fit into the %zu bytes of device memory\n",
          ladder.rung, ladder.size, element_bytes, available);
  exit(2);
}

#endif

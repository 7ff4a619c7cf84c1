/* The environment, read once. Values that make no sense are said and not used. */
#include "device.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static struct sd_options options;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void read_schedule(const char *text) {
  if (!text || !*text || strcmp(text, "forward") == 0) return;
  if (strcmp(text, "reverse") == 0) {
    options.order = SD_REVERSE;
    return;
  }
  char *end = NULL;
  if (strncmp(text, "random:", 7) == 0 && text[7]) {
    const unsigned long long seed = strtoull(text + 7, &end, 10);
    if (*end == 0) {
      options.order = SD_RANDOM;
      options.seed = seed;
      return;
    }
  }
  sd_note("SIMT_SCHEDULE is forward, reverse or random:SEED, not '%s'; forward is used", text);
}

static unsigned usable_processors(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  const int n = CPU_COUNT(&set);
  return n < 1 ? 1 : n > 64 ? 64 : (unsigned)n;
}

static const char *path_in(const char *name) {
  const char *text = getenv(name);
  return text && *text ? text : NULL;
}

static void read_sample(const char *text) {
  options.sample_launches = options.sample_blocks = 1;
  if (!text) return;
  char *end;
  unsigned long blocks = 1;
  const unsigned long launches = strtoul(text, &end, 10);
  if (*end == ',') blocks = strtoul(end + 1, &end, 10);
  if (*end || launches - 1 >= UINT32_MAX || blocks - 1 >= UINT32_MAX) {
    sd_note("SIMT_SAMPLE is N or N,M: every Nth launch, every Mth block; not '%s'", text);
    return;
  }
  options.sample_launches = (unsigned)launches;
  options.sample_blocks = (unsigned)blocks;
}

static void read_all(void) {
  const char *text = getenv("SIMT_THREADS");
  char *end = NULL;
  options.threads = usable_processors();
  options.timeout_seconds = path_in("SIMT_CHECK") ? 5 : 10;
  read_schedule(getenv("SIMT_SCHEDULE"));
  if (text && *text) {
    const unsigned long n = strtoul(text, &end, 10);
    if (*end == 0 && n >= 1 && n <= 64)
      options.threads = (unsigned)n;
    else
      sd_note("SIMT_THREADS is a number from 1 to 64, not '%s'", text);
  }
  text = getenv("SIMT_TIMEOUT");
  if (text && *text) {
    const double seconds = strtod(text, &end);
    if (*end == 0 && seconds >= 0 && seconds < 1e9)
      options.timeout_seconds = seconds;
    else
      sd_note("SIMT_TIMEOUT is a number of seconds, not '%s'", text);
  }
  text = path_in("SIMT_LAUNCH_BLOCKING");
  if (!text) text = path_in("CUDA_LAUNCH_BLOCKING");
  options.blocking = text && strcmp(text, "0") != 0;
  options.counts_path = path_in("SIMT_COUNTS");
  options.check_path = path_in("SIMT_CHECK");
  options.profile_path = path_in("SIMT_PROFILE");
  read_sample(path_in("SIMT_SAMPLE"));
  if (options.check_path || options.profile_path) options.threads = 1;
}

const struct sd_options *sd_options(void) {
  pthread_once(&once, read_all);
  return &options;
}

/* support.c - contexts, comparisons and messages; see support.h */
#include "support.h"

#include <signal.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif

const char *const isa_names[ISAS] = {"scalar", "neon", "avx2", "avx512"};

static const char *device_list(void) {
  const char *list = getenv("HEDDLE_TEST_DEVICES");
  return list && *list ? list : "cpu";
}

/* In place of the C library's: cmocka would catch the page faults that the software device takes,
 * and report them as failures. */
__attribute__((visibility("default"))) void (*signal(int number, void (*handler)(int)))(int) {
  struct sigaction action, before;
  if (number == SIGSEGV && strstr(device_list(), "simt")) return SIG_DFL;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  if (sigaction(number, &action, &before)) return SIG_ERR;
  return before.sa_handler;
}

size_t lightness(void) {
#ifdef SANITIZED
  return 16;
#else
  return getenv("HEDDLE_TEST_LIGHT") || strstr(device_list(), "simt") ? 16 : 1;
#endif
}

int thread_sanitized(void) {
#if defined(__SANITIZE_THREAD__)
  return 1;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
  return 1;
#endif
#endif
  return 0;
}

void *allocate(size_t bytes) {
  void *memory = aligned_alloc(64, (bytes + 127) / 64 * 64);
  if (!memory) abort();
  return memory;
}

heddle_context *open_cpu(const char *isa, unsigned threads) {
  char device[32];
  heddle_context *ctx = NULL;
  heddle_device_info info = HEDDLE_DEVICE_INFO_INIT;
  (void)snprintf(device, sizeof device, "cpu:%u", threads);
  setenv("HEDDLE_ISA", isa, 1);
  const heddle_status status = heddle_open(device, &ctx);
  unsetenv("HEDDLE_ISA");
  if (status != HEDDLE_OK) fail_msg("%s with HEDDLE_ISA=%s: %s", device, isa, heddle_message());
  assert_int_equal(heddle_info(ctx, &info), HEDDLE_OK);
  if (strcmp(info.isa, isa) == 0) return ctx;
  assert_string_not_equal(info.note, "");
  heddle_close(ctx);
  return NULL;
}

static void run_reversed(void *user, size_t count, heddle_task *task, void *arg) {
  (void)user;
  while (count-- > 0) task(arg, count);
}

/* The last in the list that this machine has. */
static size_t best_isa(void) {
  size_t best = 0;
  for (size_t i = 0; i < ISAS; i++) {
    heddle_context *ctx = open_cpu(isa_names[i], 1);
    if (!ctx) continue;
    best = i;
    heddle_close(ctx);
  }
  return best;
}

/* The machine's best instruction set on each number of threads, or in a light run on one and on all of
 * them, the others on one: how work is shared out is the same code for all. And each in reverse. */
static int is_taken(int best, unsigned t, unsigned threads) {
  if (t == 1 || t > threads) return 1;
  return best && (lightness() == 1 || t == threads);
}

static void add_cpus(machines *all, unsigned threads) {
  const size_t best = best_isa();
  for (size_t i = 0; i < ISAS; i++) {
    for (unsigned t = 1; t <= threads + 1; t++) {
      if (!is_taken(i == best, t, threads)) continue;
      heddle_context *ctx = open_cpu(isa_names[i], t > threads ? 4 : t);
      if (!ctx) continue;
      machine *m = &all->of[all->count++];
      *m = (machine){ctx, "", t > 3 && t <= threads, 0, i, t > threads ? 0 : t, i == best};
      (void)snprintf(m->label, sizeof m->label, "%s, %u threads", isa_names[i], t);
      if (t <= threads) continue;
      (void)snprintf(m->label, sizeof m->label, "%s, reversed executor", isa_names[i]);
      assert_int_equal(heddle_set_executor(ctx, run_reversed, NULL), HEDDLE_OK);
    }
  }
  assert_true(all->count > 0); /* scalar is everywhere */
  all->cpus = all->count;
}

/* Processors that the third and fourth context of a device may use: results must not show it. */
static const char *const processors[4] = {NULL, NULL, "1", "3"};

static void add_device(machines *all, const char *device) {
  for (size_t i = 0; i < 4; i++) {
    assert_true(all->count < MACHINES_MAX);
    machine *m = &all->of[all->count++];
    *m = (machine){.slow = strncmp(device, "simt", 4) == 0 || getenv("HEDDLE_TEST_SAMPLE")};
    if (processors[i]) setenv("HEDDLE_SMS", processors[i], 1);
    const heddle_status status = heddle_open(device, &m->ctx);
    unsetenv("HEDDLE_SMS");
    if (status != HEDDLE_OK) fail_msg("HEDDLE_TEST_DEVICES: %s: %s", device, heddle_message());
    (void)snprintf(m->label, sizeof m->label, "%.24s, %s arrays%s%s", device,
                   i % 2 ? "device" : "host", processors[i] ? ", processors: " : "",
                   processors[i] ? processors[i] : "");
    if (i % 2) staged_begin(m->ctx);
  }
}

void machines_open(machines *all, unsigned threads) {
  char list[200];
  (void)snprintf(list, sizeof list, "%s", device_list());
  all->count = all->cpus = 0;
  char *place = NULL;
  const char *cpus = strstr(list, "cpu");
  if (cpus && strcspn(cpus, ",") == 3) add_cpus(all, threads);
  for (char *word = strtok_r(list, ",", &place); word; word = strtok_r(NULL, ",", &place))
    if (strcmp(word, "cpu") != 0) add_device(all, word);
}

void machines_close(machines *all) {
  for (size_t i = 0; i < all->count; i++) {
    if (i >= all->cpus) staged_end(all->of[i].ctx);
    heddle_close(all->of[i].ctx);
  }
}

size_t machines_after(const machines *all, size_t i, size_t step) {
  size_t next = i + 1;
  while (next < i + step && next < all->cpus && all->of[next].isa == all->of[i].isa) next++;
  return next;
}

int one_is_cpu(void) { return strncmp(device_list(), "cpu", 3) == 0; }

heddle_context *open_one(void) {
  char device[64];
  heddle_context *ctx = NULL;
  (void)snprintf(device, sizeof device, "%.*s", (int)strcspn(device_list(), ","), device_list());
  if (heddle_open(one_is_cpu() ? "cpu:2" : device, &ctx) != HEDDLE_OK)
    fail_msg("%s: %s", device, heddle_message());
  return ctx;
}

static void report(const char *format, va_list arguments, const char *what) {
  char text[400];
  (void)vsnprintf(text, sizeof text, format, arguments);
  fail_msg("%s: %s", text, what);
}

static void describe_bytes(char *text, size_t size, const void *bytes, size_t count) {
  size_t at = 0;
  for (size_t i = count; i-- > 0 && at + 3 < size;)
    at += (size_t)snprintf(text + at, size - at, "%02x", ((const unsigned char *)bytes)[i]);
}

void same_bytes(const void *expected, const void *got, size_t bytes, const char *format, ...) {
  if (memcmp(expected, got, bytes) == 0) return;
  char a[40] = "", b[40] = "", what[120];
  describe_bytes(a, sizeof a, expected, bytes);
  describe_bytes(b, sizeof b, got, bytes);
  (void)snprintf(what, sizeof what, "expected %s, got %s", a, b);
  va_list arguments;
  va_start(arguments, format);
  report(format, arguments, what);
  va_end(arguments);
}

void same_status(heddle_status expected, heddle_status got, const char *format, ...) {
  if (expected == got) return;
  char what[300];
  (void)snprintf(what, sizeof what, "expected %s, got %s (%s)", heddle_status_name(expected),
                 heddle_status_name(got), heddle_message());
  va_list arguments;
  va_start(arguments, format);
  report(format, arguments, what);
  va_end(arguments);
}

void same_array(heddle_type type, const void *expected, const void *got, size_t count,
                const char *format, ...) {
  if (memcmp(expected, got, count * data_size(type)) == 0) return;
  size_t i = 0;
  while (data_bits(type, expected, i) == data_bits(type, got, i)) i++;
  char what[160];
  (void)snprintf(what, sizeof what, "element %zu of %zu: expected %llx, got %llx", i, count,
                 (unsigned long long)data_bits(type, expected, i),
                 (unsigned long long)data_bits(type, got, i));
  va_list arguments;
  va_start(arguments, format);
  report(format, arguments, what);
  va_end(arguments);
}

void same_description(const heddle_description *expected, const heddle_description *got,
                      const char *format, ...) {
  const size_t skip = offsetof(heddle_description, count);
  if (memcmp((const char *)expected + skip, (const char *)got + skip, sizeof *got - skip) == 0)
    return;
  char what[900];
  const heddle_description *d[2] = {expected, got};
  size_t at = 0;
  for (int i = 0; i < 2; i++)
    at += (size_t)snprintf(what + at, sizeof what - at,
                           "%s count %llu nan %llu inf %llu min %a max %a sum %a mean %a "
                           "variance %a skewness %a; ",
                           i ? "got" : "expected", (unsigned long long)d[i]->count,
                           (unsigned long long)d[i]->nan, (unsigned long long)d[i]->infinite,
                           d[i]->min, d[i]->max, d[i]->sum, d[i]->mean, d[i]->variance,
                           d[i]->skewness);
  va_list arguments;
  va_start(arguments, format);
  report(format, arguments, what);
  va_end(arguments);
}

heddle_options make_options(heddle_nan nan, heddle_type acc, heddle_type out, const void *init) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.nan = nan;
  options.acc_type = acc, options.out_type = out;
  options.init = init;
  return options;
}

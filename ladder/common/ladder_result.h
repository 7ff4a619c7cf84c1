/* ladder_result.h - verdicts, comparisons, pictures and the JSON line; part of ladder.h
 *
 * Result   ladder.verdict and ladder.why; the first finding stays
 * Limits   keys of ladder_key_* are plain words; text in them is escaped
 */
#ifndef LADDER_RESULT_H
#define LADDER_RESULT_H

/* ---- verdicts ------------------------------------------------------------------------------- */

static inline void ladder_judge(enum ladder_verdict verdict, const char *format, va_list list) {
  if (ladder.verdict != LADDER_RIGHT) return;
  ladder.verdict = verdict;
  vsnprintf(ladder.why, sizeof ladder.why, format, list);
}

/* ladder_wrong - the result is not what it should be; as printf */
static inline void ladder_wrong(const char *format, ...) {
  va_list list;
  va_start(list, format);
  ladder_judge(LADDER_WRONG, format, list);
  va_end(list);
}

/* ladder_caught - a planted bug was found by the program itself, say by an error code or a
 * comparison. The text begins with the class that the rung's expect line names. */
static inline void ladder_caught(const char *format, ...) {
  va_list list;
  va_start(list, format);
  ladder_judge(LADDER_CAUGHT, format, list);
  va_end(list);
}

/* ladder_needs_check - a planted bug that did not show, or may not, on this device */
static inline void ladder_needs_check(const char *format, ...) {
  va_list list;
  va_start(list, format);
  ladder_judge(LADDER_NEEDS_CHECK, format, list);
  va_end(list);
}

/* ladder_caught_error - caught, if `error` is one: "CLASS: name (code): text". Returns 1 then. */
static inline int ladder_caught_error(const char *what, cudaError_t error) {
  if (error == cudaSuccess) return 0;
  ladder_caught("%s: %s (%d): %s", what, cudaGetErrorName(error), (int)error,
                cudaGetErrorString(error));
  return 1;
}

/* ladder_true - wrong unless the condition holds. Returns it. */
static inline int ladder_true(int condition, const char *what) {
  if (!condition) ladder_wrong("%s", what);
  return condition;
}

/* ---- comparisons: name the first wrong element ---------------------------------------------- */

static inline int ladder_differs(const char *name, size_t at, const char *got, const char *want,
                                 size_t wrong, size_t n) {
  if (wrong == 0) return 1;
  ladder_wrong("%s[%zu] is %s, should be %s (%zu of %zu differ)", name, at, got, want, wrong, n);
  return 0;
}

/* ladder_same_u8, _u32, _i32, _u64, _i64 - exact; return 1 if all n elements agree */
static inline int ladder_same_bytes(const char *name, const void *got, const void *want, size_t n,
                                    size_t bytes, int is_signed) {
  const unsigned char *g = (const unsigned char *)got, *w = (const unsigned char *)want;
  size_t wrong = 0, at = 0;
  for (size_t i = 0; i < n; ++i) {
    if (memcmp(g + i * bytes, w + i * bytes, bytes) != 0 && wrong++ == 0) at = i;
  }
  char text[2][32] = {"", ""};
  for (int k = 0; k < 2 && wrong; ++k) {
    const unsigned char *p = (k ? w : g) + at * bytes;
    unsigned long long u = 0;
    memcpy(&u, p, bytes); /* little-endian */
    if (is_signed && bytes == 4) u = (unsigned long long)(long long)(int)(unsigned int)u;
    snprintf(text[k], sizeof text[k], is_signed ? "%lld" : "%llu", u);
  }
  return ladder_differs(name, at, text[0], text[1], wrong, n);
}
static inline int ladder_same_u8(const char *name, const unsigned char *got,
                                 const unsigned char *want, size_t n) {
  return ladder_same_bytes(name, got, want, n, 1, 0);
}
static inline int ladder_same_u32(const char *name, const unsigned int *got,
                                  const unsigned int *want, size_t n) {
  return ladder_same_bytes(name, got, want, n, 4, 0);
}
static inline int ladder_same_i32(const char *name, const int *got, const int *want, size_t n) {
  return ladder_same_bytes(name, got, want, n, 4, 1);
}
static inline int ladder_same_u64(const char *name, const unsigned long long *got,
                                  const unsigned long long *want, size_t n) {
  return ladder_same_bytes(name, got, want, n, 8, 0);
}
static inline int ladder_same_i64(const char *name, const long long *got, const long long *want,
                                  size_t n) {
  return ladder_same_bytes(name, got, want, n, 8, 1);
}

/* ladder_close - 1 if got is within `tolerance` of want, relative to want (0: exactly) */
static inline int ladder_close(double got, double want, double tolerance) {
  return got == want || fabs(got - want) <= tolerance * fabs(want) || (got != got && want != want);
}
static inline int ladder_same_f64(const char *name, const double *got, const double *want, size_t n,
                                  double tolerance) {
  size_t wrong = 0, at = 0;
  for (size_t i = 0; i < n; ++i)
    if (!ladder_close(got[i], want[i], tolerance) && wrong++ == 0) at = i;
  char text[2][32] = {"", ""};
  if (wrong) snprintf(text[0], sizeof text[0], "%.17g", got[at]);
  if (wrong) snprintf(text[1], sizeof text[1], "%.17g", want[at]);
  return ladder_differs(name, at, text[0], text[1], wrong, n);
}
static inline int ladder_same_f32(const char *name, const float *got, const float *want, size_t n,
                                  double tolerance) {
  size_t wrong = 0, at = 0;
  for (size_t i = 0; i < n; ++i)
    if (!ladder_close((double)got[i], (double)want[i], tolerance) && wrong++ == 0) at = i;
  char text[2][32] = {"", ""};
  if (wrong) snprintf(text[0], sizeof text[0], "%.9g", (double)got[at]);
  if (wrong) snprintf(text[1], sizeof text[1], "%.9g", (double)want[at]);
  return ladder_differs(name, at, text[0], text[1], wrong, n);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static inline void ladder_append(const char *text) {
  const size_t n = strlen(text);
  if (ladder.keys_used + n + 1 > ladder.keys_size) {
    ladder.keys_size = 2 * (ladder.keys_used + n) + 256;
    ladder.keys = (char *)realloc(ladder.keys, ladder.keys_size);
    if (!ladder.keys) abort();
  }
  memcpy(ladder.keys + ladder.keys_used, text, n + 1);
  ladder.keys_used += n;
}

/* ladder_key_raw - a further member of the JSON line; `json` is a value in JSON, such as a list */
static inline void ladder_key_raw(const char *key, const char *json) {
  ladder_append(",\"");
  ladder_append(key);
  ladder_append("\":");
  ladder_append(json);
}
static inline void ladder_key_count(const char *key, unsigned long long value) {
  char text[32];
  snprintf(text, sizeof text, "%llu", value);
  ladder_key_raw(key, text);
}
static inline void ladder_key_number(const char *key, double value) {
  char text[40];
  snprintf(text, sizeof text, value - value == 0 ? "%.17g" : "null", value);
  ladder_key_raw(key, text);
}

static inline void ladder_quote(const char *text, char *out, size_t bytes) {
  size_t at = 0;
  out[at++] = '"';
  for (; *text && at + 8 < bytes; ++text) {
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') out[at++] = '\\';
    if (c < 32) {
      snprintf(out + at, 7, "\\u%04x", c);
      at += 6;
    } else {
      out[at++] = (char)c;
    }
  }
  out[at++] = '"';
  out[at] = 0;
}
static inline void ladder_key_text(const char *key, const char *value) {
  char quoted[1024];
  ladder_quote(value, quoted, sizeof quoted);
  ladder_key_raw(key, quoted);
}

static inline void ladder_print_json(const char *verdict, double ms, double whole) {
  static const char *const names[] = {"steps",  "work",    "reads",
                                      "writes", "atomics", "shared_atomics"};
  char why[1100], device[600];
  ladder_quote(ladder.why, why, sizeof why);
  ladder_quote(ladder.device, device, sizeof device);
  printf("{\"rung\":\"%s\",\"verdict\":\"%s\",\"why\":%s,\"device\":%s,\"size\":%zu,"
         "\"data\":\"%s\",\"bytes\":%.0f,\"ms\":%.6g,\"ms_with_copies\":%.6g",
         ladder.rung, verdict, why, device, ladder.size, ladder.data, ladder.bytes, ms, whole);
#ifdef LADDER_COUNT
  const int counted = 1;
#else
  const int counted = 0;
#endif
  for (int i = 0; i < LADDER_COUNTS; ++i)
    if (counted || ladder.counts[i]) printf(",\"%s\":%llu", names[i], ladder.counts[i]);
  printf("%s}\n", ladder.keys ? ladder.keys : "");
}

/* ---- pictures ------------------------------------------------------------------------------- */

/* ladder_frame - appends one RGBA picture to the file of --picture, if there is one */
static inline void ladder_frame(const unsigned char *rgba, int width, int height) {
  static int frames = 0;
  if (!ladder.picture) return;
  FILE *file = fopen(ladder.picture, frames++ ? "ab" : "wb");
  const size_t bytes = 4 * (size_t)width * (size_t)height;
  int good = file != NULL;
  if (good) {
    fprintf(file, "P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n",
            width, height);
    good = fwrite(rgba, 1, bytes, file) == bytes;
    good = fclose(file) == 0 && good;
  }
  if (good) return;
  fprintf(stderr, "%s: cannot write %s: %s\n", ladder.rung, ladder.picture, strerror(errno));
  exit(2);
}

#endif

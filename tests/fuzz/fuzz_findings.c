/* fuzz_findings.c - any bytes as the file that a checked program leaves (simt/check/findings.h)
 *
 * The first byte says whether the head is made right, so that the entries are looked at, and
 * whether the findings are suppressed by rules. Checked:
 *   - the file is read, merged and shown as text and as JSON, or refused;
 *   - the text has no control characters but newlines;
 *   - brackets of the JSON match, and it is pure text;
 *   - the same bytes, as a function's name, are shortened and not lengthened. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "report/check/findings_file.h"
#include "report/check/report.h"
#include "report/check/show.h"
#include "toolchain/symbols/function_name.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_BYTES = 1 << 15, MADE_HEAD = 1, RULES = 2 };

static void require(bool condition) {
  if (!condition) abort();
}

static int file_with(const uint8_t *data, size_t size, bool made_head) {
  const int fd = memfd_create("findings", MFD_CLOEXEC);
  require(fd >= 0 && write(fd, data, size) == (ssize_t)size);
  /* How struct findings begins, which as a whole is too large for a stack. */
  const uint32_t head[] = {FINDINGS_MAGIC, FINDINGS_VERSION, sizeof(struct finding), FINDINGS};
  _Static_assert(offsetof(struct findings, count) == sizeof head, "magic to capacity");
  if (made_head) require(pwrite(fd, head, sizeof head, 0) == sizeof head);
  return fd;
}

static void check_text(const struct text *t) {
  for (size_t i = 0; i < t->length; i++) {
    const unsigned char c = (unsigned char)t->data[i];
    require(c == '\n' || (c >= ' ' && c != 0x7F));
  }
}

static void check_json(const struct text *t) {
  char open[64];
  size_t depth = 0;
  bool string = false;
  check_text(t);
  for (size_t i = 0; i < t->length; i++) {
    const char c = t->data[i];
    if (string && c == '\\') {
      i++;
    } else if (c == '"') {
      string = !string;
    } else if (!string && (c == '{' || c == '[')) {
      require(depth < sizeof open);
      open[depth++] = c;
    } else if (!string && (c == '}' || c == ']')) {
      require(depth && open[--depth] == (c == '}' ? '{' : '['));
    }
  }
  require(!string && depth == 0);
}

static void show(struct check_log *log, bool rules) {
  struct check_rules list = {0};
  if (rules) {
    require(check_rules_add(&list, "fuzz", "race:a*") &&
            check_rules_add(&list, "fuzz", "*:b.cu:7"));
    require(check_rules_allow(&list, "fuzz", "same-value"));
  }
  const size_t count = log->count;
  struct check_report r;
  check_report_make(&r, log, "/nonexistent", "/own", &list);
  require(r.count + r.suppressed + r.allowed <= count && count <= FINDINGS);
  const struct check_outcome outcome = {.name = "fuzz", .most = 100};
  struct text text = {0}, json = {0};
  check_show_text(&r, &outcome, &text);
  check_show_summary(&r, &outcome, &text);
  check_show_json(&r, &outcome, &json);
  check_text(&text);
  check_json(&json);
  text_free(&text);
  text_free(&json);
  check_report_free(&r);
  check_rules_free(&list);
}

static void clean(const uint8_t *data, size_t size) {
  char *name = text_copy((const char *)data, size);
  const size_t before = strlen(name);
  symbols_clean(name);
  require(strlen(name) <= before);
  free(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1 || size > MAX_BYTES) return 0;
  struct check_log log;
  const int fd = file_with(data + 1, size - 1, data[0] & MADE_HEAD);
  if (check_file_read(fd, &log)) {
    show(&log, data[0] & RULES);
  } else {
    check_log_free(&log);
  }
  close(fd);
  clean(data + 1, size - 1 < 500 ? size - 1 : 500);
  return 0;
}

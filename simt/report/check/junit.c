/* A report as JUnit's XML (show.h): a process is a test case, which fails if anything was found. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "print.h"
#include "show.h"
#include "wording.h"

/* Text as XML has it, without what XML cannot have. */
static void add_xml(struct text *out, const char *from) {
  struct text clean = {0};
  while (*from) { /* print_clean escapes ends of lines, too */
    const size_t length = strcspn(from, "\n");
    char *line = text_copy(from, length);
    print_clean(&clean, line);
    if (from[length]) text_add_string(&clean, "\n");
    free(line);
    from += length + (from[length] != 0);
  }
  for (size_t i = 0; i < clean.length; i++) {
    const char c = clean.data[i];
    if (c == '&')
      text_add_string(out, "&amp;");
    else if (c == '<')
      text_add_string(out, "&lt;");
    else if (c == '>')
      text_add_string(out, "&gt;");
    else if (c == '"')
      text_add_string(out, "&quot;");
    else
      text_add(out, &c, 1);
  }
  text_free(&clean);
}

static void add_case(struct text *out, const char *name, const struct check_report *r,
                     uint64_t most) {
  text_add_string(out, "  <testcase classname=\"heddle check\" name=\"");
  add_xml(out, name);
  if (!r->count) {
    text_add_string(out, "\"/>\n");
    return;
  }
  struct check_sources *sources = check_sources_open(&r->log);
  struct text words = {0};
  check_headline(&r->list[0], &words);
  if (r->count > 1) text_add_format(&words, ", and %zu more", r->count - 1);
  text_add_string(out, "\">\n    <failure type=\"");
  add_xml(out, check_class_name(r->list[0].raw->class));
  text_add_string(out, "\" message=\"");
  add_xml(out, words.data);
  text_add_string(out, "\">");
  words.length = 0;
  for (size_t i = 0; i < r->count && i < most; i++)
    check_show_finding(&r->list[i], sources, &words);
  if (words.length) add_xml(out, words.data);
  text_add_string(out, "</failure>\n  </testcase>\n");
  text_free(&words);
  check_sources_close(sources);
}

void check_show_junit(const struct check_report *r, const struct check_outcome *o,
                      struct text *out) {
  const struct check_run one = {o->name, r};
  const struct check_run *runs = o->runs ? o->runs : &one;
  const size_t count = o->runs ? o->run_count : 1;
  size_t failed = 0;
  for (size_t i = 0; i < count; i++) failed += runs[i].report->count != 0;
  text_add_format(
      out,
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      " <testsuite name=\"heddle check\" tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n",
      count, failed);
  for (size_t i = 0; i < count; i++) add_case(out, runs[i].name, runs[i].report, o->most);
  text_add_string(out, " </testsuite>\n</testsuites>\n");
}

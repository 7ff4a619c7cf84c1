/* page.c - the parts of a page around what a command draws and writes
 *
 * Method  One style sheet within the page; its policy forbids whatever would be fetched or run. There is no date, so
 *         that one command on one file writes one page, byte for byte.
 * Limits  A table is as long as what --csv writes; it scrolls in a frame of its own.
 * Source  HTML, Living Standard; Content Security Policy Level 3 */
#include "page.h"

#include <string.h>

#include "commands/command.h"
#include "output/cells.h"

static const char style[] =
    "<style>\n"
    ":root{color-scheme:light dark;--back:#f4f6f8;--card:#ffffff;--text:#1d2329;--soft:#5a6470;"
    "--line:#d9dee3;--head:#eef1f4}\n"
    "@media (prefers-color-scheme:dark){:root{--back:#0d1013;--card:#14181c;--text:#e3e8ed;"
    "--soft:#9aa5b1;--line:#2b323a;--head:#1c2228}}\n"
    "body{margin:0;background:var(--back);color:var(--text);font:15px/1.5 system-ui,-apple-system,"
    "'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}\n"
    "main{max-width:1200px;margin:0 auto;padding:28px 20px 40px}\n"
    "h1{font-size:24px;line-height:1.25;margin:0 0 14px;overflow-wrap:anywhere}\n"
    "h2{font-size:17px;margin:26px 0 10px}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px;margin:0 0 22px}\n"
    "dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}\n"
    "code{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}\n"
    "figure,.scroll{margin:0 0 14px;background:var(--card);border:1px solid var(--line);"
    "border-radius:8px;overflow:auto}\n"
    "figure{padding:12px}figure svg{display:block;margin:0 auto;max-width:100%;height:auto}\n"
    ".scroll{max-height:75vh}.scroll:focus-visible{outline:2px solid #2f7f86;outline-offset:2px}\n"
    "table{border-collapse:separate;border-spacing:0;width:100%;font-size:14px;"
    "font-variant-numeric:tabular-nums}\n"
    "th,td{padding:6px 14px;text-align:left;border-bottom:1px solid var(--line);"
    "white-space:nowrap}\n"
    "th{position:sticky;top:0;background:var(--head);font-weight:600}\n"
    "tbody tr:last-child td{border-bottom:0}th.number,td.number{text-align:right}\n"
    ".several{display:grid;grid-template-columns:repeat(auto-fill,minmax(260px,1fr));gap:14px}\n"
    ".small{margin:0}.small text{fill:var(--soft);font-size:12px}"
    "figcaption{font-weight:600;margin-bottom:6px;overflow-wrap:anywhere}\n"
    "@media print{.scroll{max-height:none}}\n"
    "</style>\n";

/* What a page is of, in front of the file's name. */
static const char *kind(const struct settings *s) {
  switch (s->command) {
  case COMMAND_HIST:
  case COMMAND_HIST2D: return "Histogram of ";
  case COMMAND_ECDF: return "Distribution of ";
  case COMMAND_BOX: return "Box plots of ";
  case COMMAND_DESCRIBE: return "Description of ";
  default: return "Groups of ";
  }
}

static void title(const struct settings *s, const char *data, struct sink *out) {
  if (s->title) {
    sink_xml(out, s->title);
    return;
  }
  const char *const label = command_file_label(data ? data : s->files[0]), *const slash =
                                                                               strrchr(label, '/');
  sink_text(out, kind(s));
  sink_xml(out, slash && slash[1] != '\0' ? slash + 1 : label);
  if (!data && s->file_count > 1) sink_print(out, " and %zu more", s->file_count - 1);
}

/* A word as a shell takes it. */
static void word(struct sink *out, const char *text) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "-_./:,=@%+";
  sink_text(out, " ");
  if (*text != '\0' && text[strspn(text, plain)] == '\0') {
    sink_text(out, text);
    return;
  }
  sink_text(out, "'");
  for (; *text != '\0'; text += *text == '\'') {
    char part[64];
    size_t bytes = strcspn(text, "'");
    /* A part ends before a character of UTF-8, not within one. */
    if (bytes >= sizeof part)
      for (bytes = sizeof part - 1; bytes > 1 && ((unsigned char)text[bytes] & 0xc0) == 0x80;)
        bytes--;
    memcpy(part, text, bytes);
    part[bytes] = '\0';
    sink_xml(out, part);
    text += bytes;
    if (*text == '\'') sink_text(out, "'\\''");
  }
  sink_text(out, "'");
}

static void facts(const struct settings *s, const char *data, struct sink *out) {
  sink_text(out, "<dl>\n<dt>Data</dt><dd>");
  for (size_t i = 0; i < (data ? 1 : s->file_count); i++) {
    if (i > 0) sink_text(out, ", ");
    sink_xml(out, command_file_label(data ? data : s->files[i]));
  }
  sink_text(out, "</dd>\n<dt>Command</dt><dd><code>heddle ");
  sink_text(out, s->name);
  for (size_t i = 0; i < s->word_count; i++) word(out, s->words[i]);
  sink_print(out, "</code></dd>\n<dt>Version</dt><dd>heddle %s</dd>\n</dl>\n",
             heddle_version_string());
}

int page_open(const struct settings *s, const char *data, struct sink *out, struct failure *why) {
  if (sink_open(out, s->output, why) != 0) return -1;
  if (!s->page) return 0;
  sink_text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                 "style-src 'unsafe-inline'\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<title>");
  title(s, data, out);
  sink_text(out, "</title>\n");
  sink_text(out, style);
  sink_text(out, "</head>\n<body>\n<main>\n<h1>");
  title(s, data, out);
  sink_text(out, "</h1>\n");
  facts(s, data, out);
  return 0;
}

void page_picture(struct sink *out) { sink_text(out, "<figure>\n"); }

void page_picture_end(struct sink *out) { sink_text(out, "</figure>\n"); }

void page_table(const struct settings *s, struct sink *out) {
  if (!s->page) return;
  sink_text(out, "<h2 id=\"figures\">Figures</h2>\n<div class=\"scroll\" role=\"region\" "
                 "tabindex=\"0\" aria-labelledby=\"figures\">\n");
  cells_start(out);
}

int page_close(const struct settings *s, struct sink *out, struct failure *why) {
  if (s->page) {
    cells_end(out);
    sink_text(out, "</div>\n</main>\n</body>\n</html>\n");
  }
  return sink_close(out, why);
}

/* One style sheet; everything is written as it comes (html.h). */
#include "html.h"

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

/* The colours are pairs: text on ground has a contrast of at least 7 in both, and the bars lie
 * under text with at least 4.5. */
static const char style[] =
    ":root{color-scheme:light dark;--ground:#fff;--text:#1b1f24;--soft:#57606a;--line:#d0d7de;"
    "--raised:#f6f8fa;--bar:#b6dcfe;--bad:#ffd0a8;--link:#0a4fa8;--good:#176f2c;--wrong:#a40e26}\n"
    "@media (prefers-color-scheme:dark){:root{--ground:#14181d;--text:#e6edf3;--soft:#9aa5b1;"
    "--line:#39414b;--raised:#1d232a;--bar:#1f4a73;--bad:#6e3d0f;--link:#7cb8ff;--good:#5fce7a;"
    "--wrong:#ff8a94}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--ground);color:var(--text);"
    "font:16px/1.5 system-ui,sans-serif}\n"
    "main{max-width:100rem;margin:0 auto;padding:1rem 1.5rem 3rem}\n"
    "h1{font-size:1.6rem;margin:.5rem 0}h2{font-size:1.25rem;margin:2rem 0 .5rem}"
    "h3{font-size:1.05rem;margin:1.5rem 0 .4rem}\n"
    "p,dl,ul{max-width:60rem}a{color:var(--link)}\n"
    ".soft{color:var(--soft)}.right{color:var(--good)}.wrong{color:var(--wrong)}\n"
    ".wide{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}\n"
    "caption{text-align:left;color:var(--soft);padding:.25rem 0}\n"
    "th,td{padding:.15rem .6rem;border-bottom:1px solid var(--line);text-align:right;"
    "vertical-align:top;white-space:nowrap}\n"
    "thead th{position:sticky;top:0;background:var(--raised)}\n"
    "th.text,td.text{text-align:left}td.prose{text-align:left;white-space:normal;min-width:20rem}\n"
    "td[style]{background:linear-gradient(to right,var(--bar) var(--share),transparent "
    "var(--share))}\n"
    "td.bad{background:linear-gradient(to right,var(--bad) var(--share),transparent "
    "var(--share))}\n"
    "table.source td,table.source th{border-bottom:0;padding:0 .6rem}\n"
    "table.source td.code{text-align:left;white-space:pre;tab-size:4}\n"
    "table.source tbody th{font-weight:400;color:var(--soft)}"
    "th[scope=colgroup]{text-align:center;border-left:1px solid var(--line)}\n"
    ".code,code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;"
    "font-size:.8125rem}h1 .code,h1.code{font-size:1.4rem}h3.code,h2 .code{font-size:1rem}\n"
    "table.source tr:hover td{outline:1px solid var(--line)}\n"
    "tr.marked td.code,tr.marked th{background:var(--bad)}\n"
    "pre{background:var(--raised);padding:.75rem 1rem;overflow-x:auto}\n"
    "pre.idea{white-space:pre-wrap;font-family:inherit;font-size:1rem;background:none;padding:0;"
    "max-width:60rem}\n"
    "dt{font-weight:600}dd{margin:0 0 .5rem 1rem}\n"
    "img{max-width:100%;height:auto;image-rendering:auto}\n"
    "summary{cursor:pointer;font-weight:600}\n"
    "@media print{body{font-size:10pt}thead th{position:static}.wide{overflow:visible}"
    "td[style],tr.marked td.code{print-color-adjust:exact;-webkit-print-color-adjust:exact}"
    "table.source td.code{white-space:pre-wrap}tr{break-inside:avoid}}\n";

void html_begin(FILE *out, const char *title) {
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src 'unsafe-inline'; img-src data:\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
        out);
  html_text(out, title);
  fputs("</title>\n<style>\n", out);
  fputs(style, out);
  fputs("</style>\n</head>\n<body>\n<main>\n", out);
}

void html_end(FILE *out) { fputs("</main>\n</body>\n</html>\n", out); }

/* Marks that turn the direction of writing can make source look other than it is. */
static bool turns_writing(uint32_t code) {
  return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
         code == 0x200e || code == 0x200f || code == 0x61c || code == 0xfeff;
}

static const char *entity(uint32_t code) {
  switch (code) {
  case '&': return "&amp;";
  case '<': return "&lt;";
  case '>': return "&gt;";
  case '"': return "&quot;";
  case '\'': return "&#39;";
  default: return NULL;
  }
}

void html_bytes(FILE *out, const void *text, size_t bytes) {
  const unsigned char *at = text, *end = at + bytes;
  while (at < end) {
    uint32_t code = 0;
    const size_t length = utf8_decode(at, (size_t)(end - at), &code);
    const char *named = entity(code);
    if (length == 0 || (code >= 0x80 && code < 0xa0))
      fputs("&#xfffd;", out);
    else if (named)
      fputs(named, out);
    else if (code == 0x7f)
      fputs("&#x2421;", out);
    else if (code < 0x20 && code != '\t' && code != '\n')
      fprintf(out, "&#x%x;", 0x2400u + (unsigned)code);
    else if (turns_writing(code))
      fprintf(out, "[U+%04X]", (unsigned)code);
    else
      fwrite(at, 1, length, out);
    at += length ? length : 1;
  }
}

void html_text(FILE *out, const char *text) { html_bytes(out, text, strlen(text)); }

void html_cell(FILE *out, const struct html_cell *cell) {
  fprintf(out, "<td%s data-figure=\"%s\" data-value=\"%.10g\"", cell->bad ? " class=\"bad\"" : "",
          cell->name, cell->value);
  if (cell->share >= 0)
    fprintf(out, " style=\"--share:%.1f%%\"", 100 * (cell->share > 1 ? 1 : cell->share));
  fputs(">", out);
  html_text(out, cell->shown);
  fputs("</td>", out);
}

void html_empty_cell(FILE *out) { fputs("<td></td>", out); }

void html_image(FILE *out, const char *type, const void *data, size_t bytes, const char *describe) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *at = data;
  fprintf(out, "<img alt=\"");
  html_text(out, describe);
  fprintf(out, "\" src=\"data:%s;base64,", type);
  for (size_t i = 0; i < bytes; i += 3) {
    const size_t left = bytes - i;
    const uint32_t three = (uint32_t)at[i] << 16 | (left > 1 ? (uint32_t)at[i + 1] << 8 : 0) |
                           (left > 2 ? at[i + 2] : 0);
    fputc(digits[three >> 18], out);
    fputc(digits[three >> 12 & 63], out);
    fputc(left > 1 ? digits[three >> 6 & 63] : '=', out);
    fputc(left > 2 ? digits[three & 63] : '=', out);
  }
  fputs("\">\n", out);
}

/* One pass over the file beside its sorted figures (html_source.h). */
#include "html_source.h"

#include <math.h>
#include <string.h>

void html_figure(FILE *out, const char *name, double value, const char *format, double share,
                 bool bad) {
  char shown[64];
  if (isnan(value)) {
    html_empty_cell(out);
    return;
  }
  snprintf(shown, sizeof shown, format, value);
  html_cell(out, &(struct html_cell){name, shown, value, share, bad});
}

void html_percent(FILE *out, const char *name, double value, bool bad) {
  char shown[64];
  snprintf(shown, sizeof shown, "%.1f%%", 100 * value);
  if (isnan(value))
    html_empty_cell(out);
  else
    html_cell(out, &(struct html_cell){name, shown, value, value, bad});
}

void html_count(FILE *out, const char *name, double value) {
  char digits[64], shown[96];
  size_t used = 0;
  if (isnan(value)) {
    html_empty_cell(out);
    return;
  }
  const size_t length = (size_t)snprintf(digits, sizeof digits, "%.0f", value);
  for (size_t i = 0; i < length; i++) {
    if (i && (length - i) % 3 == 0) shown[used++] = ',';
    shown[used++] = digits[i];
  }
  shown[used] = 0;
  html_cell(out, &(struct html_cell){name, shown, value, -1, false});
}

/* ---- columns --------------------------------------------------------------------------------- */

/* Groups of columns, in the order of the table. */
enum group { RUN, GLOBAL, SHARED, ATOMICS, BARRIERS, GROUPS };

static const struct {
  const char *title;
  const char *columns[3];
} groups[GROUPS] = {
    {"execution", {"share", "times", "efficiency"}},
    {"global sectors", {"a request", "ideal", NULL}},
    {"bank conflicts", {"mean", "worst", NULL}},
    {"atomics at one address", {"mean", "worst", NULL}},
    {"barriers", {"passed", NULL, NULL}},
};

static bool has_group(const struct html_line *l, enum group group) {
  switch (group) {
  case RUN: return !isnan(l->executions);
  case GLOBAL: return !isnan(l->sectors);
  case SHARED: return !isnan(l->degree);
  case ATOMICS: return !isnan(l->contention);
  default: return l->barriers > 0;
  }
}

static unsigned columns_of(enum group group) {
  unsigned n = 0;
  while (n < 3 && groups[group].columns[n]) n++;
  return n;
}

/* Lengths of bars: 32 lanes apart is the worst that a request can be. */
static double of_32(double value) { return (value - 1) / 31; }

static void put_group(FILE *out, const struct html_line *l, enum group group) {
  switch (group) {
  case RUN:
    html_percent(out, "share", l->share, false);
    html_count(out, "executions", l->executions);
    html_percent(out, "efficiency", l->efficiency, l->efficiency < 0.5);
    return;
  case GLOBAL:
    html_figure(out, "sectors", l->sectors, "%.1f", of_32(l->sectors), l->sectors > 2 * l->ideal);
    html_figure(out, "ideal", l->ideal, "%.1f", -1, false);
    return;
  case SHARED:
    html_figure(out, "degree", l->degree, "%.1f", of_32(l->degree), l->degree > 1.5);
    html_figure(out, "degree-worst", l->degree_worst, "%.0f", -1, false);
    return;
  case ATOMICS:
    html_figure(out, "contention", l->contention, "%.1f", of_32(l->contention),
                l->contention > 1.5);
    html_figure(out, "contention-worst", l->contention_worst, "%.0f", -1, false);
    return;
  default: html_count(out, "barriers", l->barriers > 0 ? l->barriers : (double)NAN);
  }
}

static void put_head(FILE *out, const struct html_source *s, const bool has[GROUPS]) {
  fputs("<caption>", out);
  html_text(out, s->caption);
  fputs("</caption>\n<thead>\n<tr>", out);
  for (int g = 0; g < GROUPS; g++)
    if (has[g])
      fprintf(out, "<th scope=\"colgroup\" colspan=\"%u\">%s</th>", columns_of((enum group)g),
              groups[g].title);
  fputs("<th scope=\"col\" rowspan=\"2\">line</th>"
        "<th scope=\"col\" rowspan=\"2\" class=\"text\">source</th></tr>\n<tr>",
        out);
  for (int g = 0; g < GROUPS; g++)
    for (unsigned c = 0; has[g] && c < columns_of((enum group)g); c++)
      fprintf(out, "<th scope=\"col\">%s</th>", groups[g].columns[c]);
  fputs("</tr>\n</thead>\n<tbody>\n", out);
}

/* ---- rows ------------------------------------------------------------------------------------ */

struct cursor {
  const char *at, *end;
  unsigned line;
};

static void put_row(FILE *out, const struct html_source *s, const bool has[GROUPS],
                    const struct html_line *l, const struct cursor *p) {
  bool marked = false;
  for (size_t i = 0; i < s->marked_count; i++) marked |= s->marked[i] == p->line;
  fprintf(out, "<tr id=\"%s-%u\" data-line=\"%u\"%s>", s->id, p->line, p->line,
          marked ? " class=\"marked\"" : "");
  for (int g = 0; g < GROUPS; g++) {
    if (!has[g]) continue;
    if (l)
      put_group(out, l, (enum group)g);
    else
      for (unsigned c = 0; c < columns_of((enum group)g); c++) html_empty_cell(out);
  }
  fprintf(out, "<th scope=\"row\">%u</th><td class=\"code\">", p->line);
  html_bytes(out, p->at, (size_t)(p->end - p->at));
  fputs("</td></tr>\n", out);
}

/* The next line of the text; false at its end. */
static bool next_line(const struct html_source *s, const char **at, struct cursor *p) {
  const char *stop = s->text + s->bytes;
  if (*at >= stop) return false;
  const char *end = memchr(*at, '\n', (size_t)(stop - *at));
  p->at = *at;
  p->end = end ? end : stop;
  *at = end ? end + 1 : stop;
  if (p->end > p->at && p->end[-1] == '\r') p->end--;
  p->line++;
  return true;
}

/* A line without figures is shown unless it is far from the shown ones before and behind. */
static bool far_from_figures(const struct html_source *s, size_t next, unsigned line) {
  const unsigned around = 3;
  const unsigned before = next ? s->lines[next - 1].line : s->first;
  const unsigned after = next < s->count ? s->lines[next].line : s->last;
  if (s->gap == 0 || after == 0 || after - before <= s->gap) return false;
  return line > before + around && line + around < after;
}

/* Returns the number of lines of the text. */
static unsigned put_text_rows(FILE *out, const struct html_source *s, const bool has[GROUPS]) {
  struct cursor p = {NULL, NULL, 0};
  const char *at = s->text;
  size_t next = 0;
  unsigned columns = 0;
  bool left_out = false;
  for (int g = 0; g < GROUPS; g++) columns += has[g] ? columns_of((enum group)g) : 0;
  while (next_line(s, &at, &p)) {
    while (next < s->count && s->lines[next].line < p.line) next++;
    const bool figures = next < s->count && s->lines[next].line == p.line;
    if (p.line < s->first) continue;
    if (s->last && p.line > s->last) continue;
    if (!figures && far_from_figures(s, next, p.line)) {
      if (!left_out)
        fprintf(out, "<tr><td colspan=\"%u\"></td><td class=\"code soft\">...</td></tr>\n",
                columns + 1);
      left_out = true;
      continue;
    }
    left_out = false;
    put_row(out, s, has, figures ? &s->lines[next] : NULL, &p);
  }
  return p.line;
}

/* Lines as the profile has them, those after `behind`: where the file cannot be read, or is no
 * longer the one that ran. */
static void put_bare_rows(FILE *out, const struct html_source *s, const bool has[GROUPS],
                          unsigned behind) {
  for (size_t i = 0; i < s->count; i++) {
    const char *text = s->lines[i].text ? s->lines[i].text : "";
    const struct cursor p = {text, text + strlen(text), s->lines[i].line};
    if (p.line > behind) put_row(out, s, has, &s->lines[i], &p);
  }
}

void html_source(FILE *out, const struct html_source *s) {
  bool has[GROUPS] = {false};
  for (size_t i = 0; i < s->count; i++)
    for (int g = 0; g < GROUPS; g++) has[g] |= has_group(&s->lines[i], (enum group)g);
  fprintf(out, "<div class=\"wide\"><table class=\"source\" id=\"%s\">\n", s->id);
  put_head(out, s, has);
  put_bare_rows(out, s, has, s->text ? put_text_rows(out, s, has) : 0);
  fputs("</tbody>\n</table></div>\n", out);
}

void html_legend(FILE *out) {
  static const char *const words[][2] = {
      {"share", "of all that the kernel's warps executed, what stands on this line"},
      {"times", "how often threads executed the line"},
      {"efficiency", "SIMT efficiency: of the 32 lanes of the warps that executed the line, how "
                     "many took part. Below 100% lanes wait while others take another branch"},
      {"steps", "basic blocks that the busiest warp executes: the time on a machine with a "
                "processor for every warp"},
      {"work", "basic blocks over all threads: the time on a machine with one processor"},
      {"global sectors", "pieces of 32 bytes that the lanes of a warp touch together, for each "
                         "request; beside them the fewest into which the bytes would fit. A load "
                         "of 32 neighbouring floats takes 4, of 32 floats far apart 32"},
      {"bank conflicts", "shared memory has 32 banks of 4 bytes: how many different words of one "
                         "bank a request wants, each a turn of its own. 1: no conflict; 32: one "
                         "lane after the other"},
      {"atomics at one address", "how many lanes of a warp meet at the address with the most of "
                                 "them; they go one after the other"},
      {"barriers", "how often blocks passed a barrier"},
      {"occupancy", "warps that a multiprocessor of the named GPU holds, as a share of those that "
                    "it could hold, and what limits them. The registers are an assumption"},
  };
  fputs("<dl>\n", out);
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    fprintf(out, "<dt>%s</dt><dd>%s</dd>\n", words[i][0], words[i][1]);
  fputs("</dl>\n", out);
}
